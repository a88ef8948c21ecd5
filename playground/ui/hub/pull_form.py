"""Pull form: details of a Hub model before it is downloaded, its history, and links that open it."""

import contextlib
from functools import partial
from typing import Literal, NoReturn

import streamlit as st

from playground.common.errors import UNREACHABLE, CheckpointError, HubError
from playground.hub import pull as hub_pull
from playground.hub.calls import Token
from playground.hub.jobs import Job, OnProgress
from playground.hub.pull import Listing, Pulled
from playground.hub.reference import Reference, parse_reference
from playground.storage.validation import COMMIT, Origin
from playground.ui.hub import hub_questions, listing, push_form, sign_in, transfers
from playground.ui.parts import style
from playground.ui.session import pages, sources
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParam, QueryParams
from playground.ui.session.flash import flash
from playground.ui.session.session_keys import Key

HUB_WANTED = Key[str | None]("hub wanted", None, "Hub model of the last link")
PULL_AWAITED = Key[tuple[str, str]]("pull awaited", ("", ""), "Job that opens what it pulls, and the page it must be")
PULL_NEXT = Key[str]("pull next", "", "Next content of the pull field")
PULL_REFERENCE = Key[str]("pull reference", "", "Widget: model to pull")

LINK = "hub"
"""Query parameter with the Hub model that Step through shows, or that the form describes."""

ADDRESS = QueryParams("pull", QueryParam(LINK, PULL_REFERENCE))

_WIDE = 420  # pixels, for a commit in a line
_NEWEST = "default branch, newest commit"


# --- a link ---------------------------------------------------------------------------------------


def take_link(path: str) -> None:
    """Handle a Hub model in the address of the page at `path`.

    A commit in the library opens on a page about a forward pass; the form shows every other model.
    """
    text = st.query_params.get(LINK)
    if not text or text == keys.HUB_LINK.get() or path == pages.CHECKPOINTS.path:
        return
    with contextlib.suppress(HubError):  # the form shows the error
        reference = parse_reference(text)
        if COMMIT.fullmatch(reference.revision or "") and (found := hub_pull.held(sources.library(), reference)):
            show_model(found[0])
            if not pages.PAGES[path].forward:
                st.switch_page(pages.STEP_THROUGH.file, query_params=st.query_params.to_dict())
            return
    if text != HUB_WANTED.get():  # else the browser's Back has led here
        HUB_WANTED.set(text)
        _turn(text)


def _open_linked(reference: Reference, answer: hub_questions.HubAnswer[Listing]) -> None:
    """Open the model of a link if the library has its commit or, while the Hub can't be reached, another one."""
    commit, sentence = reference, ""
    if answer.result is not None:
        commit = Reference(answer.result.repo_id, answer.result.commit)
    elif answer.error is None or answer.error.kind not in UNREACHABLE:
        return
    if found := hub_pull.held(sources.library(), commit):
        name, origin = found
        if answer.error is not None:
            copy = f"{origin.repo_id} at {origin.short}"
            sentence = f"{answer.error.problem} Showing the copy in your library: {copy}."
        _open(name, sentence)


def show_model(name: str) -> None:
    """Select a checkpoint as the model of Step through."""
    keys.SOURCE.set(name)
    _keep_link(sources.checkpoint_origin(name))


def _keep_link(origin: Origin | None) -> None:
    keys.HUB_LINK.set(str(Reference(origin.repo_id, origin.revision)) if origin else None)


def _open(name: str, sentence: str = "") -> NoReturn:
    """Open a checkpoint in Step through, with a message."""
    show_model(name)
    flash("link", sentence, "care")
    st.switch_page(pages.STEP_THROUGH.file)


# --- the form -------------------------------------------------------------------------------------


def show() -> None:
    """Draw a field for any Hub model, and the model's details."""
    with st.container(key="pull"):
        hub_questions.watch(_draw, key="pull")


def _draw() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if chosen := PULL_NEXT.take():
            PULL_REFERENCE.set(chosen)
        text = st.text_input(
            "Model on the Hub",
            live="600ms",
            placeholder="owner/name or a Hub URL",
            help="For a specific version, add @ and its tag, branch or commit: owner/name@revision.",
            **PULL_REFERENCE.text,
        )
        row = st.container(width="content")
    ADDRESS.keep()
    reference, problem = _read(text)
    answer = _look(reference) if reference is not None else hub_questions.HubAnswer()
    model = answer.result
    usable = model is not None and not model.problem
    if row.button("Pull", type="primary", icon=":material/download:", disabled=not usable) and model is not None:
        begin(model)
    if linked := reference is not None and text == HUB_WANTED.get():
        _open_linked(reference, answer)
    if problem:
        style.message(problem, "care")
    elif answer.error is not None:
        sign_in.trouble(answer.error, "look", section="field")
    elif model is not None:
        if linked and usable:
            style.message("This link opens a model on the Hub. Press Pull to download it into your library.", "plain")
        elif linked:
            style.message("This link leads to a model that can't be opened.", "plain")
        _panel(model)
    elif reference is not None:
        style.message(f"Asking the Hub about {reference} …", "plain")
        st.html(listing.waiting_card())
    else:
        style.caption("Enter a name to see the model's details and size. Nothing is downloaded until you press Pull.")


def _read(text: str) -> tuple[Reference | None, str]:
    """The model that the field names, and an error message if it is invalid."""
    if not text.strip():
        return None, ""
    try:
        return parse_reference(text), ""
    except HubError as error:
        return None, str(error)


# --- one model ------------------------------------------------------------------------------------


def begin(model: Listing, kind: Literal["pull", "fork"] = "pull") -> None:
    """Pull the model at the commit that was shown, unless the library has it; then open it."""
    reference, library = Reference(model.repo_id, model.commit), sources.library()
    if found := hub_pull.held(library, reference):
        _go_on(found[0], kind)

    def work(on_progress: OnProgress, token: Token) -> Pulled:
        return hub_pull.pull(reference, library, token, on_progress=on_progress, listing=model)

    if job := transfers.start(kind, model.repo_id, work):
        PULL_AWAITED.set((job.id, keys.PAGE.get()))
        st.rerun()


def open_awaited(job: Job) -> None:
    """Open what a pull has brought, if the page that requested it is still open."""
    if isinstance(job.result, Pulled) and PULL_AWAITED.get() == (job.id, keys.PAGE.get()):
        go_on(job)


def go_on(job: Job) -> NoReturn:
    """Open what a pull has brought."""
    transfers.drop(job)
    _go_on(job.result.name, job.kind, job.result.message if job.result.cached else "")


def _go_on(name: str, kind: str, sentence: str = "") -> NoReturn:
    """Open the push form of a forked checkpoint, or a pulled one in Step through, with a message."""
    if kind == "fork":
        push_form.begin(name)
        st.rerun()
    with contextlib.suppress(CheckpointError):  # the page shows the error
        sources.load_checkpoint(name)
    _open(name, sentence)


def _panel(model: Listing) -> None:
    with st.container(border=True, key="panel-field"):
        st.html(listing.card(model, whole=True))
        if found := hub_pull.held(sources.library(), Reference(model.repo_id, model.commit)):
            style.message(
                f"This commit is already in your library, as {found[0]}. Pull opens it without downloading.", "good"
            )
        with st.container(horizontal=True):
            with st.popover("History", icon=":material/history:", key="history field", on_change="rerun") as opened:
                if opened.open:
                    _history(Reference(model.repo_id, model.revision), model.commit)
            other = None if found else hub_pull.held(sources.library(), Reference(model.repo_id))
            if other and st.button(f"Open my copy, {style.code(other[0])}", icon=":material/inventory_2:"):
                _open(other[0])


def _history(reference: Reference, commit: str) -> None:
    """Draw selectors of branches and commits; `commit` is the current one."""
    repo_id = reference.repo_id
    names = hub_questions.ask(("branches", repo_id), partial(sign_in.bound(hub_pull.branches), repo_id))
    revision = reference.revision if not COMMIT.fullmatch(reference.revision or "") else None
    if names.result:
        index = names.result.index(revision) if revision in names.result else None
        revision = st.selectbox(
            "Branch or tag",
            names.result,
            index=index,
            placeholder=_NEWEST,
            key=f"branch {listing.mark(repo_id)}",
            width=_WIDE,
        )
    made = hub_questions.ask(
        ("commits", repo_id, revision or ""), partial(sign_in.bound(hub_pull.commits), repo_id, revision)
    )
    if made.error is not None:
        sign_in.trouble(made.error, "commits", "branches", section="history")
    elif made.result is None:
        style.message("Asking the Hub …", "plain")
    else:
        lines = {entry.id: listing.commit_line(entry) for entry in made.result}
        chosen = st.selectbox(
            "Commit",
            list(lines),
            index=list(lines).index(commit) if commit in lines else None,
            format_func=lambda commit_id: lines.get(commit_id, commit_id[: listing.SHORT]),
            placeholder=commit[: listing.SHORT],
            key=f"commit {listing.mark(repo_id, revision, commit)}",
            width=_WIDE,
        )
        if chosen and chosen != commit:
            _turn(str(Reference(repo_id, chosen)))


def _turn(text: str) -> NoReturn:
    """Show a model in the form, on the page that has it."""
    PULL_NEXT.set(text)
    if keys.PAGE.get() == pages.CHECKPOINTS.path:
        st.rerun()
    pages.CHECKPOINTS.turn("hub")
    st.switch_page(pages.CHECKPOINTS.file)


def _look(reference: Reference) -> hub_questions.HubAnswer[Listing]:
    return hub_questions.ask(("look", str(reference)), partial(sign_in.bound(hub_pull.inspect_repo), reference))


# --- pulled checkpoints ---------------------------------------------------------------------------


def show_origin(name: str) -> None:
    """Draw the origin of a pulled checkpoint, and its other commits, which a click requests from the Hub."""
    origin = sources.checkpoint_origin(name) if name != sources.RUN else None
    _keep_link(origin)
    if origin is None:
        return
    label = f"{style.code(origin.repo_id)} at {style.code(origin.short)}"
    with st.popover(label, icon=":material/cloud:", type="tertiary", on_change="rerun", key="origin") as box:
        if box.open:
            hub_questions.watch(partial(_draw_origin, origin), key="origin")


def _draw_origin(origin: Origin) -> None:
    there = Reference(origin.repo_id, origin.revision).url
    st.html(f'<div class="small">{style.link(origin.repo_id, there)} on the Hub</div>')
    find = sign_in.bound(lambda token: (hub_pull.newer(origin, token),))
    newer = hub_questions.ask(("newer", origin.repo_id, origin.revision), find)
    if newer.result is not None:
        (commit,) = newer.result
        if commit is None:
            style.message("This is the newest commit.", "plain")
        else:
            style.message(f"Newer commit: {listing.commit_line(commit)}", "care")
            if st.button("Show it", icon=":material/update:", key="newer"):
                _turn(str(Reference(origin.repo_id, commit.id)))
    _history(Reference(origin.repo_id), origin.revision)
