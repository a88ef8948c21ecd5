"""Library view of the Checkpoints page: one card for each checkpoint, and actions on it.

All cards are one component. With Streamlit's elements, as in the Hub's list, 30 checkpoints took 58 ms of server
time per click instead of 16, 44 kB instead of 15, and 240 ms instead of 2 until a click showed. Elements also have no
arrow keys, no list role and no pressed state.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from playground.common.errors import CheckpointError
from playground.common.numbers import evidence
from playground.runs import Run
from playground.storage.archive import MAX_ZIP_BYTES, as_zip
from playground.storage.library import RESTORABLE_SECONDS, SHIPPED, Deleted, Entry
from playground.storage.validation import NAME
from playground.ui.checkpoints import export_form, pair
from playground.ui.hub import listing, push_form
from playground.ui.parts import confirmation, style
from playground.ui.parts.confirmation import Question
from playground.ui.runs import large_runs, saving
from playground.ui.server.assets import loader
from playground.ui.session import acts, identity, pages, setting_words, sources, tab_run
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParam, QueryParams
from playground.ui.session.flash import flash, taken
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

CARDS = Key[Any]("cards", None, "Component: cards of the library")
CARDS_SEARCH = Key[str]("cards search", "", "Search text of the library")
CARDS_SORTED = Key[str]("cards sorted", "", "Order of the cards")
CHECKPOINT = Key[str | None]("checkpoint", None, "Name of the chosen checkpoint")
DELETED = Key[str | None]("deleted just now", None, "Directory of the last deleted checkpoint")
LIBRARY_ASKED = Key[tuple[str, str]]("library asked", ("", ""), "Pending verb and checkpoint")
NEW_NAME = Key[str]("new_name", "", "Widget: new name of a checkpoint")
OVERWRITE = Key[bool]("overwrite", False, "Widget: replace a checkpoint of this name")
SAVE_NAME = Key[str]("save_name", "", "Widget: name for the current run")
SAVE_NAME_FOR = Key[str]("save_name_for", "", "Id of the run that the name was suggested for")
SAVE_STEP = Key[int | None]("save_step {} {}", None, "Widget: step of a run to save")

ADDRESS = QueryParams(
    "library",
    QueryParam("checkpoint", CHECKPOINT, absent=""),  # none is selected if a search finds nothing
    QueryParam("sorted", CARDS_SORTED),
    QueryParam("search", CARDS_SEARCH),
    QueryParam("compare", keys.PAIRED),
    QueryParam("input", keys.PAIR_INPUT),
)

_cards = st.components.v2.component("playground_cards", js=loader("checkpoints/cards.ts"))


def show() -> None:
    """Draw the view; a fragment, so a click doesn't redraw the rest of the page."""
    st.fragment(_draw)()


def _draw() -> None:
    _listen()
    entries = {entry.name: entry for entry in sources.library().entries()}
    _follow(entries)
    confirmation.open_asked()
    usual = keys.PAIR_INPUT.get()
    if compared := pair.chosen(entries):
        pair.show(*compared)
        usual = pair.usual_input(compared[0])
    else:
        style.caption(
            "A checkpoint is a saved model. “Load” selects it on other pages and copies its settings to Build. The "
            "Hub is Hugging Face's site for sharing models: “Pull” there downloads one, “Push” uploads yours to your "
            "free account."
        )
        _show_save()
        _show_cards(entries)
    ADDRESS.keep(input=usual)


# --- the current run ------------------------------------------------------------------------------


def _show_save() -> None:
    """Draw the row that saves the current run."""
    run = tab_run.current()
    if run is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("No run to save yet.", width="content")
            st.page_link(pages.TRAIN.file, label="Train a model", icon=":material/trending_down:")
        return
    if SAVE_NAME_FOR.get() != run.id:
        SAVE_NAME_FOR.set(run.id)
        SAVE_NAME.set(saving.usual_name(run))
    with st.container(horizontal=True, vertical_alignment="bottom", key="save-run"):
        st.text_input(
            "Name",
            help="The checkpoint's name: letters, digits, dots, dashes and underscores.",
            width=340,
            **SAVE_NAME.text,
        )
        step = _step_to_save(run)
        st.button("Save", type="primary", icon=":material/save:", on_click=_save)
        st.checkbox(saving.REPLACE, key=OVERWRITE.name)
        style.caption(f"Saves the current run ({run.status}): weights after step {step:,}.", width="content")
    style.flashed("save")


def _step_to_save(run: Run) -> int:
    """Draw the selector of steps with kept weights; the initial step is that of Step through."""
    key, looked_at = _step_key(run)
    kept = sorted({*run.snapshot_steps(), *([looked_at] if run.store.snapshots.has(looked_at) else ())}, reverse=True)
    newest = max(run.snapshot_steps(), default=0)
    if key.begin(looked_at) not in kept:
        key.set(None)  # even if it was thinned out
    chosen: int | None = st.selectbox(
        "Step",
        [None, *kept],
        key=key.name,
        format_func=lambda step: f"Newest ({newest:,})" if step is None else f"{step:,}",
        placeholder=f"Newest ({newest:,})",  # Streamlit shows it for None
        help="Saves the weights after this training step. Not every step is kept.",
        persist_state="session",
        width=150,
    )
    return newest if chosen is None else chosen


def _step_key(run: Run) -> tuple[keys.Key[int | None], int]:
    """Widget key of the selector, which depends on the step of Step through, and that step (-1: the newest)."""
    looked_at = str(keys.AT_STEP.get())
    step = int(looked_at) if looked_at.isdecimal() else -1
    return SAVE_STEP.of(run.id, step), step


def _save() -> None:
    """Save the current run at the chosen step under the name in the form."""
    run = tab_run.current()
    if run is None:
        return
    name = SAVE_NAME.get().strip()
    with style.error_messages("save"):
        flash("save", saving.save(run, name, step=_step_key(run)[0].get(), replace=OVERWRITE.get()), "good")
        DELETED.forget()
        CHECKPOINT.set(name)
        OVERWRITE.set(False)


# --- what happened --------------------------------------------------------------------------------


def _change(done: str, action: Callable[[], object], *, of: str = "", place: str = "library") -> bool:
    """Run `action` and flash its outcome, an error message at `place`; `of` is the checkpoint."""
    try:
        action()
    except CheckpointError as error:
        if of and NAME.fullmatch(of) and all(entry.name != of for entry in sources.library().entries()):
            flash("library", _gone(of))
        else:
            flash(place, sources.plain(error))
        return False
    DELETED.forget()
    flash("library", done, "good")
    return True


def _gone(name: str) -> str:
    return f"The checkpoint {name} no longer exists."


def _report() -> None:
    """Draw the outcome of the last action, and Undo for deleted checkpoints."""
    style.flashed("library")
    for gone in sources.library().deleted():
        if gone.folder.name == DELETED.get():
            _show_undo(gone, "now")


def _show_deleted() -> None:
    """Draw the list of other deleted checkpoints that can be restored."""
    if deleted := sources.library().deleted():
        with st.popover(f"{len(deleted)} recently deleted", icon=":material/undo:", type="tertiary"):
            for gone in deleted:
                _show_undo(gone, "lately")


def _show_undo(gone: Deleted, part: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
        st.html(f"Deleted <b>{escape(gone.name)}</b> {listing.ago(gone.deleted)}.")
        st.button(
            "Undo",
            key=f"undo {part} {gone.folder.name}",
            icon=":material/undo:",
            on_click=_undo,
            args=(gone,),
            help=f"Available for {RESTORABLE_SECONDS / 60:.0f} minutes after deleting.",
        )


# --- the cards ------------------------------------------------------------------------------------


def _show_cards(entries: Mapping[str, Entry]) -> None:
    """Draw the cards; none is selected while the browser reports that the search matches none."""
    nothing_found = CHECKPOINT.get() == "" and CARDS_SEARCH.get()
    if CHECKPOINT.get() not in entries and not nothing_found:
        usable = (name for name, entry in entries.items() if entry.summary)
        CHECKPOINT.set(next(usable, next(iter(entries), "")))
    chosen = CHECKPOINT.get()
    ticked = [name for name in keys.TICKED.get() if name in entries]
    keys.TICKED.set(ticked)
    data = {
        **acts.answer(CARDS),
        "rows": [row(entry) for entry in entries.values()],
        "selected": chosen,
        "ticked": ticked,
        "sort": CARDS_SORTED.get(),
        "search": CARDS_SEARCH.get(),
        "most": MAX_ZIP_BYTES,
    }
    _cards(data=data, key=CARDS.name, on_acts_change=_listen)
    with st.container(horizontal=True, vertical_alignment="center", key="card-foot"):
        if services().host.quota_mb:
            used = sources.library().used_bytes() / 1e6
            st.caption(f"Library: {used:,.1f} of {services().host.quota_mb:,} MB used.")
        _show_deleted()
    with st.container(key="card-actions", gap="xsmall"):
        _report()
        _show_pairing(ticked)
        if chosen:
            _show_actions(entries[chosen])


def row(entry: Entry) -> dict[str, Any]:
    """Data of a card; the browser formats percentages and dates."""
    fields: dict[str, Any] = {
        "name": entry.name,
        "stamp": pair.stamp(entry),
        "bytes": entry.bytes,
        "size": listing.size(entry.bytes),
        "saved": int(entry.modified),
        "shipped": entry.name in SHIPPED,
    }
    if entry.summary is None:
        return fields | {"problem": sources.plain(entry.problem)}
    if origin := entry.summary.origin:
        fields["origin"] = f"{origin.repo_id} at {origin.short}"
    config, measured = entry.summary.config, entry.summary.measured
    step = measured.get("step")
    return fields | {
        "task": config.task.name,
        "reads": setting_words.lengths(config),
        "architecture": ", ".join(setting_words.architecture(config)),
        "exact": measured.get("exact_match"),
        "sequences": measured.get("sequences"),
        "evidence": evidence(measured["exact_match"], measured["sequences"]) if measured else "",
        "step": "" if step is None else f"step {step:,}",
        "begun": entry.summary.begun_from,
    }


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows in the browser's order, see `compare` in cards.ts."""
    by = CARDS_SORTED.get()

    def rank(row: dict[str, Any]) -> tuple[bool, float, list[tuple[int, str]]]:
        value = row.get(by)
        if isinstance(value, int | float):
            return False, -value, []
        parts = re.findall(r"\d+|\D+", str(value or "").casefold())
        return value is None, 0, [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]

    return sorted(rows, key=rank) if by else rows


def _listen() -> None:
    """Carry out the acts on cards since the last call."""
    acts.carry_out(CARDS, act)


def act(verb: str, name: str, value: Any = None) -> None:
    """Carry out one act on a card; an invalid act is ignored."""
    if verb in ("select", "tick"):
        DELETED.forget()
    if verb == "sort":
        CARDS_SORTED.set(str(value)[:40])
    elif verb == "search":
        CARDS_SEARCH.set(str(value)[:200])
    elif verb in ("select", "move", "open", "added"):
        CHECKPOINT.set(name)
        if verb == "open":
            _ask("open", name)
    elif verb == "tick":
        others = [ticked for ticked in keys.TICKED.get() if ticked != name]
        keys.TICKED.set([*others, name][-2:] if value is True else others)
    elif verb == "delete":
        _ask_to_delete(name, str(value or ""))


# --- what is done with the chosen one -------------------------------------------------------------


def _show_actions(entry: Entry) -> None:
    """Draw the buttons of the selected card; they stay at the bottom of the window."""
    name, usable = entry.name, entry.summary is not None
    with st.container(horizontal=True, vertical_alignment="center", key="card-buttons"):
        st.html(f'<strong class="chosen">{escape(name)}</strong>', width="content")
        for label, icon, do, arguments, about in (
            ("Step through", "footprint", _ask, ("open", name), None),
            (
                "Load",
                "folder_open",
                _load,
                (name,),
                "Choose this model in Step through and copy its settings to Build. You stay on this page.",
            ),
            ("Continue training", "resume", _ask, ("train", name), "Start a new run with these weights."),
            ("Push", "cloud_upload", _ask, ("push", name), "Upload to your account on the Hub."),
        ):
            st.button(
                label,
                type="primary" if label == "Step through" else "secondary",
                icon=f":material/{icon}:",
                disabled=not usable,
                on_click=do,
                args=arguments,
                help=about,
            )
        if usable:
            st.download_button(
                "Download",
                data=partial(as_zip, sources.library().path(name)),  # built on demand
                file_name=f"{name}.zip",
                mime="application/zip",
                icon=":material/download:",
                on_click="ignore",
            )
        if entry.summary:
            export_form.popover(name, entry.summary.config)
        if name not in SHIPPED:
            with st.popover("Rename", icon=":material/edit:", key=f"rename {name}"), st.form("rename", border=False):
                st.text_input("New name", key=NEW_NAME.name, max_chars=NEW_NAME.max_chars, placeholder=name)
                style.flashed("rename")
                st.form_submit_button("Save name", on_click=_rename, args=(name,))
            st.button(
                "Delete", icon=":material/delete:", on_click=_ask_to_delete, args=(name,), help="You can undo this."
            )


def _ask(verb: str, name: str) -> None:
    """Callback: store an action that leaves this page, see `_follow`, with the name the button was drawn with.

    If that checkpoint no longer exists, another one is selected before the buttons are drawn again.
    """
    LIBRARY_ASKED.set((verb, name))


def _follow(entries: Mapping[str, Entry]) -> None:
    """Carry out the stored action and go to its page."""
    verb, name = LIBRARY_ASKED.take()
    if verb and name not in entries:
        flash("library", _gone(name))
    elif verb == "push":
        push_form.begin(name)
        st.rerun()
    elif verb == "open":
        with style.error_messages("library"):
            sources.load_checkpoint(name)
            st.switch_page(pages.STEP_THROUGH.file)
    elif verb and (summary := entries[name].summary):
        train = partial(tab_run.continue_training, name)
        large_runs.begin(summary.config, train, place="library", page=pages.TRAIN.file)


def _load(name: str) -> None:
    done = f"Loaded {name}. Step through shows it, and Build has its settings."
    _change(done, lambda: sources.load_checkpoint(name), of=name)


def _ask_to_delete(name: str, then: str = "") -> None:
    """Delete a checkpoint; first ask if other people use this library, since it may be theirs."""
    delete = partial(_delete, name, then)
    if services().host.shared or name in SHIPPED or not identity.others_were_here():
        delete()
        return
    text = (
        "This library is shared: other browsers have used the app on this machine, and all of them have the same "
        f"checkpoints. {style.code(name)} may be another person's. You can undo this for "
        f"{RESTORABLE_SECONDS / 60:.0f} minutes."
    )
    confirmation.ask(
        Question("Delete it for everyone?", "group", text, "Delete for everyone", "delete", delete, "library")
    )


def _delete(name: str, then: str = "") -> None:
    """Delete a checkpoint; then select `then`, or else the next card."""
    names = [row["name"] for row in _sorted([row(entry) for entry in sources.library().entries()])]
    if _change(f"Deleted {name}.", lambda: sources.library().delete(name), of=name):
        index = names.index(name)
        following = [*names[index + 1 :], *names[:index]]
        CHECKPOINT.set(then if then in following else next(iter(following), ""))
        taken("library")  # Undo says so
        DELETED.set(next((gone.folder.name for gone in sources.library().deleted()), ""))


def _undo(gone: Deleted) -> None:
    if _change(f"Restored {gone.name}.", lambda: sources.library().restore(gone.name, gone.deleted)):
        CHECKPOINT.set(gone.name)


def _rename(name: str) -> None:
    new = NEW_NAME.get().strip()
    done = f"Renamed {name} to {new}."
    if _change(done, lambda: sources.library().rename(name, new), of=name, place="rename"):
        CHECKPOINT.set(new)


def _show_pairing(ticked: list[str]) -> None:
    """Draw a hint if one card is ticked, and the link to the comparison if two are."""
    if not ticked:
        return
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small", key="card-pairing"):
        if len(ticked) < 2:
            st.html(f"Select another checkpoint to compare with <b>{escape(ticked[0])}</b>.", width="content")
            return
        st.html(f"<b>{escape(ticked[0])}</b> and <b>{escape(ticked[1])}</b>")
        st.button("Compare", type="primary", icon=":material/compare_arrows:", on_click=pair.choose, args=ticked)
        st.button("Clear", type="tertiary", on_click=keys.TICKED.set, args=([],))
