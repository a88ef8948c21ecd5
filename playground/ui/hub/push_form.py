"""Push form: the destination on the Hub, a preview of the card, and the outcome, such as a conflict."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from playground.common.bounded_cache import BoundedCache
from playground.common.errors import CheckpointError, HubError
from playground.hub import gallery
from playground.hub import push as hub_push
from playground.hub.account import Account
from playground.hub.calls import Token
from playground.hub.jobs import Job, OnProgress
from playground.hub.preparation import Prepared, prepare
from playground.hub.push import Destination, Pushed
from playground.hub.reference import parse_reference
from playground.hub.sign_ins import SignIn
from playground.settings.host import is_loopback
from playground.storage.card import CURVE, source
from playground.ui.hub import hub_questions, listing, oauth, sign_in, transfers
from playground.ui.parts import style
from playground.ui.parts.live import job_channel
from playground.ui.runs import sharing
from playground.ui.session import identity, sources, widgets
from playground.ui.session import session_keys as keys
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

PUSH_FIELD = Key[Any]("push {} {} {}", None, "Widget: field of the push form, by checkpoint, name and number")
PUSH_FORM = Key[str]("push form", "", "Checkpoint whose push form is open")


@dataclass(frozen=True)
class Draft:
    """Content of the form; kept for the visitor, so that a new sign-in or a reload doesn't lose it."""

    name: str
    """The checkpoint."""
    repo_id: str = ""
    private: bool = False
    branch: str = "main"
    message: str = ""
    as_request: bool = False
    by: str = ""
    """The account that the form was filled in for."""
    held: SignIn | None = field(default=None, repr=False)
    """The sign-in of that account; the draft ends when it signs out, here or in another tab."""
    job: Job | None = None
    """Its last push; None once another repository is entered."""
    outcome_shown: bool = False
    """True once the form has shown how this push ended; the dock then no longer needs to."""
    waits_until: float = 0.0
    """Seconds of the monotonic clock until which the form reopens by itself after a sign-in on the Hub's page."""


_PREVIEW = 420  # pixels

_drafts: BoundedCache[tuple[str, str], Draft] = BoundedCache(1000, lambda _: 1)
"""By visitor and checkpoint."""


def begin(name: str) -> None:
    """Open the form for a checkpoint on the next script run, with its earlier draft."""
    hub_questions.forget("prepare", "destination")
    draft = _draft(name)
    listed = draft.job in job_channel.jobs(identity.visitor())
    _keep(replace(draft, job=draft.job if listed else None))
    PUSH_FORM.set(name)


def shown() -> Job | None:
    """The push whose progress or outcome the open form shows."""
    return _draft(PUSH_FORM.get()).job


def checkpoint_of(job: Job) -> str:
    """The checkpoint whose form started this push; empty if its draft is gone."""
    return next((name for (_, name), draft in _drafts.items() if draft.job is job), "")


def show() -> None:
    """Draw the form as a dialog while it is open."""
    if not PUSH_FORM.get() and (waiting := _waiting()):
        begin(waiting)
    if name := PUSH_FORM.get():
        title = f"Push {style.code(name)} to the Hub"
        st.dialog(title, width="large", icon=":material/cloud_upload:", on_dismiss=_close)(_draw)()


def _waiting() -> str:
    """The checkpoint of a form that waited for a sign-in on the Hub's page; empty if there is none."""
    now, visitor = time.monotonic(), identity.visitor()
    waiting = (name for (owner, name), draft in _drafts.items() if owner == visitor and draft.waits_until > now)
    return next(waiting, "") if oauth.token() else ""


def _draft(name: str) -> Draft:
    """The visitor's draft for a checkpoint; a new one if the account of an earlier one has signed out."""
    for key, draft in _drafts.items():
        if draft.held is not None and draft.held.ended == "signed out":
            _drafts.drop(key)
    return _drafts.get((identity.visitor(), name)) or Draft(name)


def _keep(draft: Draft) -> Draft:
    before = _drafts.get((identity.visitor(), draft.name))
    if before and before.job and before.outcome_shown and before.job is not draft.job:
        transfers.drop(before.job)
    _drafts.put((identity.visitor(), draft.name), draft)
    return draft


def _close() -> None:
    draft = _draft(PUSH_FORM.get())
    if draft.outcome_shown:
        _keep(replace(draft, job=None, outcome_shown=False))
    hub_questions.forget("prepare")
    PUSH_FORM.forget()


def _draw() -> None:
    hub_questions.watch(_draw_form, key="push")


def _draw_form() -> None:
    who = sign_in.account()
    draft = _draft(PUSH_FORM.get())
    if who is None:
        _keep(replace(draft, waits_until=time.monotonic() + 60 * oauth.MINUTES))  # restored after the sign-in
        sign_in.sign_in_form("push", "Sign in to push.")
        style.caption("A pasted token needs write access. This form reopens after you sign in.", terms=False)
        return
    if draft.by != who.name:
        new = draft.by or not draft.repo_id
        draft = replace(draft, by=who.name, repo_id=f"{who.name}/{draft.name}" if new else draft.repo_id)
    draft = _keep(replace(draft, held=sign_in.token() or None, waits_until=0.0))
    if who.can_write is False:
        style.message(
            f"This token of {who.name} is read-only. To push, sign in with a token that has write access.", "care"
        )
    form, preview = st.columns([9, 11], gap="medium")
    with form:
        named, wrong = _named(draft)
        answer = hub_questions.HubAnswer[Destination](error=wrong) if wrong else _destination(named)
        ready = None if wrong else _prepared(named)
        there = answer.result
        private = _fields(draft, who, there, ready)
        _keep(replace(draft, private=private))
        named = replace(named, private=private)
        if answer.error is not None:
            sign_in.trouble(answer.error, "destination", section="destination")
        else:
            _tell_destination(who, named, there)
        pushing = draft.job is not None and not draft.job.done
        able = there is not None and ready is not None and who.can_write is not False and not pushing
        pressed = st.button("Push", type="primary", icon=":material/cloud_upload:", disabled=not able)
        if pressed and there is not None and ready is not None:
            _start(named, there, ready)
        if draft.job:
            _show_outcome(draft.job, draft)
    with preview:
        _preview(ready)


def _named(draft: Draft) -> tuple[Draft, HubError | None]:
    """The draft with its repository as owner/name, which may be typed as a URL; or an error message."""
    try:
        reference = parse_reference(draft.repo_id)
    except HubError as error:
        return draft, error
    if reference.revision is not None:
        problem = f"A repository is written as owner/name, without “{reference.revision}”."
        return draft, HubError("invalid", problem, "Remove it, or enter it as the branch.")
    return replace(draft, repo_id=reference.repo_id), None


def _fields(draft: Draft, who: Account, there: Destination | None, ready: Prepared | None) -> bool:
    """Draw the visibility controls; returns whether a new repository will be private."""
    owners = ", ".join(style.code(owner) for owner in (who.name, *who.orgs))
    text = {"max_chars": PUSH_FIELD.max_chars}
    _field(st.text_input, draft, "repo_id", "Repository", help=f"owner/name. You can push for {owners}.", **text)
    # An existing repository keeps its visibility, shown by a separate control. The choice for a new one stays in the
    # draft: for a control that isn't drawn, Streamlit may report its first option.
    fixed = there.private if there is not None and there.exists else None
    private = st.segmented_control(
        "Visibility",
        (False, True),
        default=draft.private if fixed is None else fixed,
        key=PUSH_FIELD.of(draft.name, "private", fixed).name,
        required=True,
        format_func=lambda private: "Private" if private else "Public",
        disabled=fixed is not None,
        help="An existing repository keeps its visibility.",
    )
    _field(st.text_input, draft, "message", "Message", placeholder=ready.title if ready else "", **text)
    _field(st.text_input, draft, "branch", "Branch", disabled=draft.as_request, **text)
    about = "For a repository you can't write to. Its owner decides whether to merge it."
    _field(st.checkbox, draft, "as_request", "As a pull request", help=about)
    return private if fixed is None else draft.private


def _field(draw: Callable[..., object], draft: Draft, name: str, label: str, **options: Any) -> None:
    key, begun = widgets.key_showing(PUSH_FIELD.of(draft.name, name), getattr(draft, name))
    draw(label, begun, key=key.name, on_change=_take, args=(draft.name, name, key), **options)


def _take(checkpoint: str, name: str, key: keys.Key[Any]) -> None:
    """Callback: keep what was entered into a field, unless its account has signed out meanwhile."""
    draft = _draft(checkpoint)
    if draft.held is not None and widgets.is_current(key):
        _keep(replace(draft, job=None if name == "repo_id" else draft.job, **{name: key.get()}))


def _destination(draft: Draft) -> hub_questions.HubAnswer[Destination]:
    """The repository at the destination, from the Hub."""
    key = draft.repo_id, "main" if draft.as_request else draft.branch
    return hub_questions.ask(("destination", *key), partial(sign_in.bound(hub_push.destination), *key))


def _tell_destination(who: Account, draft: Draft, there: Destination | None) -> None:
    """Draw one line on what the push will do; a placeholder keeps its height until that is known."""
    seen = "private" if draft.private else "public"
    owner = draft.repo_id.partition("/")[0]
    own = owner.lower() in {name.lower() for name in (who.name, *who.orgs)}
    if there is None:
        message = "Asking the Hub …"
    elif not there.exists and own:
        message = f"Creates {draft.repo_id} ({seen}) with one commit."
    elif not there.exists:
        message = (
            f"{draft.repo_id} doesn't exist, or you can't see it. {owner} is neither your account nor one of your "
            "organizations, so the Hub will probably refuse the push."
        )
    else:
        kind = "Opens a pull request on" if draft.as_request else "Adds one commit to"
        message = f"{kind} {draft.repo_id} ({'private' if there.private else 'public'})."
        if there.head is not None:
            message += f" Newest commit: {listing.commit_line(there.head)}."
        elif draft.branch not in there.branches:
            message += f" The branch {draft.branch} will be created."
    st.html(f'<div class="small soft destination">{escape(message)}</div>')


def _prepared(draft: Draft) -> Prepared | None:
    """The files of the commit; None, with a status on the page, while they are being made."""
    try:
        folder = sources.library().path(draft.name)
    except CheckpointError as error:
        style.message(sources.plain(error), "wrong")
        return None
    here, key = _address(), ("prepare", draft.name, draft.repo_id, str(draft.as_request))
    answer = hub_questions.ask(
        key, lambda: prepare(folder, draft.repo_id, app_url=here, create_pr=draft.as_request), alone=True
    )
    if answer.error is not None:
        style.message(sources.plain(answer.error), "wrong")
    return answer.result


def _address() -> str | None:
    """Public address of this app for links in the card; None on one's own machine."""
    here = sharing.app_url()
    return None if is_loopback(urlsplit(here).hostname or "localhost") else here


def _preview(ready: Prepared | None) -> None:
    """Draw the card as plain text, because its content is untrusted."""
    card, curve, files = st.tabs(["Model card", "Curve", "Files"])
    with card:
        st.code(ready.card if ready else "…", language="markdown", wrap_lines=True, height=_PREVIEW)
        if not services().host.shared and source() is None:
            style.caption("To link the source code in the card, set PLAYGROUND_SOURCE_URL.")
    with curve, st.container(height=_PREVIEW, border=False):
        if ready is not None and (picture := ready.files.get(CURVE)):
            st.image(picture)
        elif ready is not None:
            style.caption(ready.problem or "No training curve: nothing was recorded.")
    with files, st.container(height=_PREVIEW, border=False):
        rows = [(escape(name), listing.size(len(content))) for name, content in (ready.files if ready else {}).items()]
        st.html(style.table(("file", "size"), rows))


def _start(draft: Draft, there: Destination, ready: Prepared) -> None:
    def work(on_progress: OnProgress, token: Token) -> Pushed:
        pushed = hub_push.push(
            ready,
            draft.repo_id,
            token,
            message=draft.message,
            private=draft.private,
            branch="main" if draft.as_request else draft.branch,
            create_pr=draft.as_request,
            parent=there.head.id if there.head is not None else None,
            on_progress=on_progress,
        )
        gallery.forget()  # after a push, the Hub's list must show it
        return pushed

    if job := transfers.start("push", draft.repo_id, work):
        _keep(replace(draft, job=job, outcome_shown=False))
        st.rerun()


def _show_outcome(job: Job, draft: Draft) -> None:
    """Draw the progress of the push, or its outcome and, if the branch has a newer commit, other destinations.

    That commit is named above Push, which adds one on top of it.
    """
    if job.done:
        _keep(replace(draft, outcome_shown=True))
    kind = job.error.kind if job.error else ""
    if kind == "signed_out":
        style.message("You are signed in again. Press Push to continue.", "good")
        return
    transfers.draw(job, section="form")
    if kind == "stale":
        with st.container(horizontal=True):
            for label, icon, values in (
                ("To a new branch", "fork_right", {"branch": f"{draft.branch}-{draft.name}"}),
                ("As a pull request", "call_merge", {"as_request": True}),
            ):
                st.button(label, icon=f":material/{icon}:", on_click=_redirect, kwargs=values, key=f"instead {label}")


def _redirect(**values: Any) -> None:
    """Callback: fill in another destination."""
    _keep(replace(_draft(PUSH_FORM.get()), job=None, **values))
