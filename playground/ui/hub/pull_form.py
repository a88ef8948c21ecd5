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
from playground.ui.session.session_keys import Key

HUB_WANTED = Key[str | None]("hub wanted", None, "Hub model of a link, not pulled yet")
PULL_AWAITED = Key[tuple[str, str]]("pull awaited", ("", ""), "Job that opens what it pulls, and the page it must be")
PULL_MESSAGE = Key[str]("pull message", "", "Message about the link that led here")
PULL_MESSAGE_MODEL = Key[str | None]("pull message model", None, "Model that the message is about")
PULL_NEXT = Key[str]("pull next", "", "Next content of the pull field")
PULL_REFERENCE = Key[str]("pull reference", "", "Widget: model to pull")

LINK = "hub"
"""Query parameter with the Hub model that Step through shows."""

_WIDE = 420  # pixels, for a commit in a line
_NEWEST = "default branch, newest commit"


# --- models in the library ------------------------------------------------------------------------


def at_hand(repo_id: str, commit: str | None = None) -> str:
    """The newest checkpoint pulled from this repository, at this commit if given; empty if there is none."""
    names = hub_pull.held(sources.library(), Reference(repo_id, commit))
    return names[0] if names else ""


def show_model(name: str) -> None:
    """Select a checkpoint as the model of Step through."""
    keys.SOURCE.set(name)
    HUB_WANTED.forget()
    _keep_link(sources.checkpoint_origin(name))


def _keep_link(origin: Origin | None) -> None:
    keys.HUB_LINK.set(str(Reference(origin.repo_id, origin.revision)) if origin else None)


# --- a link ---------------------------------------------------------------------------------------


def take_link(path: str) -> None:
    """Handle a Hub model in the address of the page at `path`; other pages forward it to Step through."""
    text = st.query_params.get(LINK)
    if not text or text == keys.HUB_LINK.get():
        return
    _want(text)
    _set_message("")
    if not pages.PAGES[path].forward:
        st.switch_page(pages.STEP_THROUGH.file, query_params=st.query_params.to_dict())


def _want(text: str) -> None:
    keys.HUB_LINK.set(text)
    HUB_WANTED.set(text)


def linked() -> bool:
    """Draw the details of the address's model and Pull, if the library lacks it; returns True if so."""
    text = HUB_WANTED.get()
    if not text:
        return False
    try:
        reference = parse_reference(text)
    except HubError as error:
        HUB_WANTED.forget()
        _set_message(str(error))
        return False
    exact = reference.revision if COMMIT.fullmatch(reference.revision or "") else None
    if exact and (name := at_hand(reference.repo_id, exact)):
        show_model(name)
        return False
    answer = _look(reference)
    if answer.result is not None and (name := at_hand(reference.repo_id, answer.result.commit)):
        show_model(name)
        return False
    copy = at_hand(reference.repo_id)
    if answer.error is not None and answer.error.kind in UNREACHABLE and copy:
        show_model(copy)
        origin = sources.checkpoint_origin(copy)
        version = f" at {origin.short}" if origin else ""
        _set_message(f"{answer.error.problem} Showing the copy in your library: {reference.repo_id}{version}.")
        return False
    with st.container(key="pull-link"):
        hub_questions.watch(partial(_draw_link, reference, copy), key="link")
    return True


def draw_message() -> None:
    """Draw the message about the link, as long as its model is shown."""
    if sentence := PULL_MESSAGE.get():
        source = keys.SOURCE.get()
        if PULL_MESSAGE_MODEL.begin(source) == source:
            style.message(sentence, "care")
        else:
            _set_message("")


def _set_message(sentence: str) -> None:
    PULL_MESSAGE.set(sentence)
    PULL_MESSAGE_MODEL.forget()


def _draw_link(reference: Reference, copy: str) -> None:
    st.title("Step through", anchor=False)
    answer = _look(reference)
    if answer.error is not None:
        sign_in.trouble(answer.error, "look", section="link")
    elif answer.result is None:
        style.message(f"Asking the Hub about {reference} …", "plain")
        st.html(listing.waiting_card())
    else:
        if at_hand(answer.result.repo_id, answer.result.commit):
            st.rerun()  # pulled meanwhile
        usable = not answer.result.problem
        style.message(
            "This link opens a model on the Hub. Press Pull to download it into your library."
            if usable
            else "This link leads to a model that can't be opened.",
            "plain",
        )
        _panel(answer.result, section="link")
    with st.container(horizontal=True):
        if answer.result is not None and not answer.result.problem:
            _pull_button(answer.result, section="link")
        if copy:
            st.button(
                f"Open my copy, {style.code(copy)}", icon=":material/inventory_2:", on_click=show_model, args=(copy,)
            )
        st.button("Not now", type="tertiary", on_click=_give_up)


def _give_up() -> None:
    HUB_WANTED.forget()
    keys.HUB_LINK.forget()
    if LINK in st.query_params:
        del st.query_params[LINK]


# --- the field ------------------------------------------------------------------------------------


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
            key=PULL_REFERENCE.name,
            max_chars=PULL_REFERENCE.max_chars,
            live="600ms",
            persist_state="session",
            placeholder="owner/name or a Hub URL",
            help="For a specific version, add @ and its tag, branch or commit: owner/name@revision.",
        )
        row = st.container(width="content")
    reference, problem = _read(text)
    answer = _look(reference) if reference is not None else hub_questions.HubAnswer()
    with row:
        _pull_button(answer.result, section="field")
    if problem:
        style.message(problem, "care")
    elif answer.error is not None:
        sign_in.trouble(answer.error, "look", section="field")
    elif answer.result is not None:
        _panel(answer.result, section="field")
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
    if name := at_hand(model.repo_id, model.commit):
        _open(name, kind)
    reference, library = Reference(model.repo_id, model.commit), sources.library()

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
    _open(job.result.name, job.kind, job.result.message if job.result.cached else "")


def _open(name: str, kind: str, sentence: str = "") -> NoReturn:
    """Open the push form of a forked checkpoint, or a pulled one in Step through, with a message."""
    if kind == "fork":
        push_form.begin(name)
        st.rerun()
    show_model(name)
    _set_message(sentence)
    with contextlib.suppress(CheckpointError):  # the page shows the error
        sources.load_checkpoint(name)
    st.switch_page(pages.STEP_THROUGH.file)


def _pull_button(model: Listing | None, *, section: str) -> None:
    usable = model is not None and not model.problem
    key = f"pull {section}"
    if (
        st.button("Pull", type="primary", icon=":material/download:", key=key, disabled=not usable)
        and model is not None
    ):
        begin(model)


def _panel(model: Listing, *, section: str) -> None:
    with st.container(border=True, key=f"panel-{section}"):
        st.html(listing.card(model, whole=True))
        if copy := at_hand(model.repo_id, model.commit):
            style.message(
                f"This commit is already in your library, as {copy}. Pull opens it without downloading.", "good"
            )
        with st.popover("History", icon=":material/history:", key=f"history {section}", on_change="rerun") as opened:
            if opened.open:
                _history(Reference(model.repo_id, model.revision), model.commit, section=section)


def _history(reference: Reference, commit: str, *, section: str) -> None:
    """Draw selectors of branches and commits; `commit` is the current one."""
    token, repo_id = sign_in.token(), reference.repo_id
    names = hub_questions.ask(("branches", repo_id), lambda: hub_pull.branches(repo_id, token))
    revision = reference.revision if not COMMIT.fullmatch(reference.revision or "") else None
    if names.result:
        index = names.result.index(revision) if revision in names.result else None
        revision = st.selectbox(
            "Branch or tag",
            names.result,
            index=index,
            placeholder=_NEWEST,
            key=f"branch {listing.mark(section, repo_id)}",
            width=_WIDE,
        )
    made = hub_questions.ask(
        ("commits", repo_id, revision or ""), lambda: hub_pull.commits(repo_id, revision, token, limit=20)
    )
    if made.error is not None:
        sign_in.trouble(made.error, "commits", "branches", section=f"history {section}")
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
            key=f"commit {listing.mark(section, repo_id, revision, commit)}",
            width=_WIDE,
        )
        if chosen and chosen != commit:
            _turn(Reference(repo_id, chosen), section=section)


def _turn(reference: Reference, *, section: str) -> NoReturn:
    """Show another commit in place of the current one."""
    if section == "field":
        PULL_NEXT.set(str(reference))
    else:
        _want(str(reference))
        st.query_params[LINK] = str(reference)
    st.rerun()


def _look(reference: Reference) -> hub_questions.HubAnswer[Listing]:
    token = sign_in.token()
    return hub_questions.ask(("look", str(reference)), lambda: hub_pull.inspect_repo(reference, token))


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
    token = sign_in.token()
    newer = hub_questions.ask(("newer", origin.repo_id, origin.revision), lambda: (hub_pull.newer(origin, token),))
    if newer.result is not None:
        (commit,) = newer.result
        if commit is None:
            style.message("This is the newest commit.", "plain")
        else:
            style.message(f"Newer commit: {listing.commit_line(commit)}", "care")
            if st.button("Show it", icon=":material/update:", key="newer"):
                _turn(Reference(origin.repo_id, commit.id), section="origin")
    _history(Reference(origin.repo_id), origin.revision, section="origin")
