"""Push form: the destination on the Hub, a preview of the card, and conflicts with newer commits."""

import time
from dataclasses import dataclass, replace
from html import escape
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from playground.common.errors import CheckpointError, HubError
from playground.hub import gallery
from playground.hub import push as hub_push
from playground.hub.account import Account
from playground.hub.jobs import OnProgress
from playground.hub.preparation import Prepared, prepare
from playground.hub.push import Destination, Pushed
from playground.hub.reference import parse_reference
from playground.settings.host import is_loopback
from playground.storage.card import CURVE, source
from playground.ui.checkpoints import hub_questions, listing, oauth, sign_in, transfers
from playground.ui.parts import style
from playground.ui.parts.runs import sharing
from playground.ui.session import session_keys as keys
from playground.ui.session import sources
from playground.ui.session.services import services


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
    waits_until: float = 0.0
    """Seconds since the epoch until which the form reopens by itself after a sign-in on the Hub's page."""


_FIELDS = ("repo_id", "branch", "message", "as_request")
_PREVIEW = 420  # pixels


def begin(name: str) -> None:
    """Open the form for a checkpoint on the next script run, with the earlier draft if it was for the same one."""
    _forget_who_left()
    kept = keys.PUSH_DRAFT.get() or transfers.kept_form()
    keys.PUSH_PROBLEM.forget()
    hub_questions.forget("destination", "prepare")
    _open(kept if kept is not None and kept.name == name else Draft(name))


def back(draft: Draft, error: HubError | None = None) -> None:
    """Reopen the form with its draft and the reason why the push failed."""
    hub_questions.forget("destination")
    _open(draft)
    keys.PUSH_PROBLEM.set((error, draft.repo_id) if error is not None else None)


def show() -> None:
    """Draw the form as a dialog while it is open."""
    _forget_who_left()
    kept: Draft | None = transfers.kept_form()
    if not keys.PUSH_DRAFT.is_set() and kept and kept.waits_until > time.monotonic() and oauth.token():
        begin(kept.name)
    draft = keys.PUSH_DRAFT.get()
    if draft is not None:
        title = f"Push {style.code(draft.name)} to the Hub"
        st.dialog(title, width="large", icon=":material/cloud_upload:", on_dismiss=_close)(_draw)()


def _open(draft: Draft) -> None:
    _fill_in(draft)
    keys.PUSH_AT_ONCE.forget()


def _fill_in(draft: Draft) -> None:
    """Show a draft in new widgets that start with its values.

    A value that is set on an existing widget is sent with one script run only. If the next run overtakes it on the
    way to the browser, the field is empty.
    """
    keys.PUSH_FILLED.set(keys.PUSH_FILLED.get() + 1)
    keys.PUSH_BEGUN.set(draft)
    keys.PUSH_DRAFT.set(draft)


def _field(name: str) -> tuple[keys.Key[Any], Any]:
    """Widget key of a field, and its initial value."""
    return keys.PUSH_FIELD.of(name, keys.PUSH_FILLED.get()), getattr(keys.PUSH_BEGUN.get(), name)


def _close() -> None:
    _remember()
    hub_questions.forget("prepare")
    for key in (keys.PUSH_DRAFT, keys.PUSH_BEGUN, keys.PUSH_PROBLEM, keys.PUSH_AT_ONCE):
        key.forget()


def _remember(waits_until: float = 0.0) -> Draft:
    """The current content of the form, which is stored for the next time."""
    _forget_who_left()
    draft = replace(keys.PUSH_DRAFT.get(), waits_until=waits_until)
    given = {name: _field(name)[0].get() for name in _FIELDS}
    given = {name: value for name, value in given.items() if value is not None}
    draft = replace(draft, **given)
    keys.PUSH_DRAFT.set(draft)
    transfers.keep_form(draft)
    return draft


def _forget_who_left() -> None:
    """Clear the form if the account it was filled in for has signed out, here or in another tab."""
    sign_in = keys.PUSH_FOR.get()
    if sign_in is not None and sign_in.ended == "signed out":
        for key in (keys.PUSH_FOR, keys.PUSH_PROBLEM, keys.PUSH_PREPARED):
            key.forget()
        if (draft := keys.PUSH_DRAFT.get()) is not None:
            _open(Draft(draft.name))


def _draw() -> None:
    hub_questions.watch(_draw_form, key="push")


def _draw_form() -> None:
    who = sign_in.account()
    if who is None:
        _fill_in(_remember(time.monotonic() + 60 * oauth.MINUTES))  # restored after the sign-in
        sign_in.sign_in_form("push", "Sign in to push.")
        style.caption("A pasted token needs write access. This form reopens after you sign in.", terms=False)
        return
    _forget_who_left()
    keys.PUSH_FOR.set(sign_in.token() or None)
    draft = _remember()
    if draft.by != who.name:
        new = draft.by or not draft.repo_id
        _fill_in(replace(draft, by=who.name, repo_id=f"{who.name}/{draft.name}" if new else draft.repo_id))
    if who.can_write is False:
        style.message(
            f"This token of {who.name} is read-only. To push, sign in with a token that has write access.", "care"
        )
    problem = _show_problem()
    form, preview = st.columns([9, 11], gap="medium")
    with form:
        draft, wrong = _named(_remember())
        answer = hub_questions.HubAnswer[Destination](error=wrong) if wrong else _destination(draft)
        ready = None if wrong else _prepared(draft)
        there = answer.result
        draft = replace(draft, private=_fields(draft, who, there, ready))
        keys.PUSH_DRAFT.set(draft)
        if answer.error is not None:
            sign_in.trouble(answer.error, "destination", section="destination")
        else:
            _tell_destination(who, draft, there)
        stale = problem is not None and problem.kind == "stale"
        pressed = st.button(
            "Push",
            type="primary",
            icon=":material/cloud_upload:",
            disabled=stale or there is None or ready is None or who.can_write is False,
        )
        if keys.PUSH_AT_ONCE.get() not in (None, _push_target(draft)):
            keys.PUSH_AT_ONCE.forget()  # its destination has changed since
        if there is not None and ready is not None and (pressed or keys.PUSH_AT_ONCE.take()):
            _start(draft, there, ready)
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


def _push_target(draft: Draft) -> tuple[str, str, bool]:
    return draft.repo_id, draft.branch, draft.as_request


def _fields(draft: Draft, who: Account, there: Destination | None, ready: Prepared | None) -> bool:
    """Draw the visibility controls; returns whether a new repository will be private."""
    owners = ", ".join(style.code(owner) for owner in (who.name, *who.orgs))
    key, begun = _field("repo_id")
    st.text_input(
        "Repository",
        begun,
        key=key.name,
        max_chars=key.max_chars,
        help=f"owner/name. You can push for {owners}.",
    )
    # An existing repository keeps its visibility, shown by a separate control. The choice for a new one stays in the
    # draft: for a control that isn't drawn, Streamlit may report its first option.
    fixed = there.private if there is not None and there.exists else None
    private = st.segmented_control(
        "Visibility",
        (False, True),
        default=draft.private if fixed is None else fixed,
        key=keys.PUSH_FIELD.of("private", fixed).name,
        required=True,
        format_func=lambda private: "Private" if private else "Public",
        disabled=fixed is not None,
        help="An existing repository keeps its visibility.",
    )
    key, begun = _field("message")
    st.text_input("Message", begun, key=key.name, max_chars=key.max_chars, placeholder=ready.title if ready else "")
    key, begun = _field("branch")
    st.text_input("Branch", begun, key=key.name, max_chars=key.max_chars, disabled=draft.as_request)
    key, begun = _field("as_request")
    st.checkbox(
        "As a pull request",
        begun,
        key=key.name,
        help="For a repository you can't write to. Its owner decides whether to merge it.",
    )
    return private if fixed is None else draft.private


def _destination(draft: Draft) -> hub_questions.HubAnswer[Destination]:
    """The repository at the destination, from the Hub."""
    token, repo_id = sign_in.token(), draft.repo_id
    branch = "main" if draft.as_request else draft.branch
    return hub_questions.ask(("destination", repo_id, branch), lambda: hub_push.destination(repo_id, branch, token))


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
    if keys.PUSH_PREPARED.get() != key:
        keys.PUSH_PREPARED.set(key)
        hub_questions.forget("prepare")  # as large as the model, and only valid for this destination
    answer = hub_questions.ask(key, lambda: prepare(folder, draft.repo_id, app_url=here, create_pr=draft.as_request))
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
    token, parent = sign_in.token(), there.head.id if there.head is not None else None

    def work(on_progress: OnProgress) -> Pushed:
        pushed = hub_push.push(
            ready,
            draft.repo_id,
            token,
            message=draft.message,
            private=draft.private,
            branch="main" if draft.as_request else draft.branch,
            create_pr=draft.as_request,
            parent=parent,
            on_progress=on_progress,
        )
        gallery.forget()  # after a push, the Hub's list must show it
        return pushed

    try:
        transfers.start("push", draft.repo_id, work, form=draft)
    except HubError as error:
        style.message(str(error), "wrong")
        return
    _close()
    st.rerun()


# --- conflicts ------------------------------------------------------------------------------------


def _show_problem() -> HubError | None:
    """Draw why the last push failed, and the choices if the branch has a newer commit."""
    problem, about = keys.PUSH_PROBLEM.get() or (None, "")
    if problem is None or about != _remember().repo_id:
        return None  # none, or it was for another destination
    if problem.kind == "signed_out":
        style.message("You are signed in again. Press Push to continue.", "good")
        return None
    style.message(sources.plain(problem), "care" if problem.kind == "stale" or problem.landed is None else "wrong")
    if problem.kind == "stale":
        if problem.head is not None:
            style.message(f"Newest commit: {listing.commit_line(problem.head)}.", "plain")
        with st.container(horizontal=True):
            for label, icon, way in (
                ("Add on top", "vertical_align_top", "top"),
                ("To a new branch", "fork_right", "branch"),
                ("As a pull request", "call_merge", "request"),
                ("Don't push", "close", "leave"),
            ):
                st.button(label, icon=f":material/{icon}:", on_click=_settle, args=(way,), key=f"settle {way}")
    return problem


def _settle(way: str) -> None:
    keys.PUSH_PROBLEM.set(None)
    if way == "leave":
        _close()
    else:
        draft = _remember()
        branch = f"{draft.branch}-{draft.name}" if way == "branch" else draft.branch
        _fill_in(replace(draft, branch=branch, as_request=way == "request"))
        keys.PUSH_AT_ONCE.set(_push_target(_named(_remember())[0]))
