"""The Library view of the Checkpoints page: what is kept, as cards, and what can be done with it."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import streamlit as st

from playground.checkpoints import MAX_ZIP_BYTES, CheckpointError
from playground.config import RunConfig
from playground.library import RESTORABLE_SECONDS, SHIPPED, Deleted, Entry
from playground.runs import RunError
from playground.ui import acts, pair, places, push, state, style, subject, view
from playground.ui.assets import loader

VIEW = {
    "checkpoint": "checkpoint",
    "sorted": "cards sorted",
    "search": "cards search",
    "compare": "paired",
    "input": "pair input",
}
"""Words of the address: the chosen card, their order, what is searched for, the two compared, and what these read."""

_cards = st.components.v2.component("playground_cards", js=loader("cards.js"))


def show() -> None:
    """Everything of the view; drawn by itself at a click, without the rest of the page."""
    view.open_view("library", VIEW)
    st.fragment(_draw)()


def _draw() -> None:
    _listen()
    entries = {entry.name: entry for entry in state.library().entries()}
    usual = st.session_state.get("pair input")
    if compared := pair.chosen(entries):
        pair.show(*compared)
        usual = pair.usual_input(compared[0])
    else:
        _show_save()
        _show_cards(entries)
    view.keep_view(VIEW, {"pair input": usual})


# --- the current run ------------------------------------------------------------------------------


def _show_save() -> None:
    """A line to keep the current run with."""
    run = state.current_run()
    if run is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("There is no run to keep yet. Train a model and it can be kept here.", width="content")
            st.page_link(places.TRAIN, label="Train a model", icon=":material/trending_down:")
        return
    if st.session_state.get("save_name_for") != run.id:
        st.session_state["save_name_for"] = run.id
        st.session_state["save_name"] = f"{run.config.task.name}-{run.name}"
    with st.container(horizontal=True, vertical_alignment="bottom", key="save-run"):
        st.text_input(
            "Name",
            key="save_name",
            help="The current run is kept under it: letters, digits, dots, dashes and underscores.",
            persist_state="session",
            width=340,
        )
        st.button("Save", type="primary", icon=":material/save:", on_click=_save)
        st.checkbox("Replace a checkpoint of this name", key="overwrite")
        at = max(run.snapshot_steps(), default=0)
        st.caption(f"Keeps the current run: the weights after step {at:,}; it is {run.status}.", width="content")


def _save() -> None:
    """Saves the current run's newest weights under the name in the form."""
    run = state.current_run()
    if run is None:
        return
    name = st.session_state["save_name"].strip()
    step, model = run.model_near()
    history = [record for record in run.records() if record["step"] <= step]
    changes = [change for change in run.changes if change.step < step]
    replace = st.session_state.get("overwrite", False)
    done = f"Saved {name}: the weights after step {step}."

    def keep() -> None:
        state.library().save(name, model, history, changes, begun_from=run.begun_from, overwrite=replace)

    if _change(done, keep):
        st.session_state["checkpoint"], st.session_state["overwrite"] = name, False


# --- what happened --------------------------------------------------------------------------------


def _change(done: str, action: Callable[[], object]) -> bool:
    """Does something and says how it went."""
    st.session_state.pop("deleted just now", None)
    try:
        action()
    except CheckpointError as error:
        st.session_state["library told"] = (False, state.plain(error))
        return False
    st.session_state["library told"] = (True, done)
    return True


def _report() -> None:
    """What came of the last thing that was done, and the way back from what was deleted."""
    if told := st.session_state.pop("library told", None):
        good, text = told
        style.told(text, "good" if good else "wrong")
    for gone in state.library().deleted():
        if gone.folder.name == st.session_state.get("deleted just now"):
            _show_undo(gone, "now")


def _show_deleted() -> None:
    """What else can be brought back."""
    if deleted := state.library().deleted():
        with st.popover(f"{len(deleted)} deleted lately", icon=":material/undo:", type="tertiary"):
            for gone in deleted:
                _show_undo(gone, "lately")


def _show_undo(gone: Deleted, place: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
        st.markdown(f"Deleted **{gone.name}**.")
        st.button(
            "Undo",
            key=f"undo {place} {gone.folder.name}",
            icon=":material/undo:",
            on_click=_undo,
            args=(gone.name,),
            help=f"Possible for {RESTORABLE_SECONDS / 60:.0f} minutes.",
        )


# --- the cards ------------------------------------------------------------------------------------


def _show_cards(entries: Mapping[str, Entry]) -> None:
    if st.session_state.get("checkpoint") not in entries:
        usable = (name for name, entry in entries.items() if entry.summary)
        st.session_state["checkpoint"] = next(usable, next(iter(entries), ""))
    chosen = st.session_state["checkpoint"]
    ticked = [name for name in st.session_state.get("ticked", []) if name in entries]
    st.session_state["ticked"] = ticked
    data = {
        **acts.answer("cards"),
        "rows": [row(entry) for entry in entries.values()],
        "selected": chosen,
        "ticked": ticked,
        "sort": st.session_state.get("cards sorted") or "",
        "search": st.session_state.get("cards search") or "",
        "most": MAX_ZIP_BYTES,
    }
    _cards(data=data, key="cards", on_acts_change=_listen)
    with st.container(horizontal=True, vertical_alignment="center", key="card-foot"):
        if state.HOST.quota_mb:
            used = state.library().used_bytes() / 1e6
            st.caption(f"Your library takes {used:,.1f} MB of the {state.HOST.quota_mb:,} MB a visitor has here.")
        _show_deleted()
    with st.container(key="card-actions", gap="xsmall"):
        _report()
        _show_pairing(ticked)
        if chosen:
            _show_actions(entries[chosen])


def row(entry: Entry) -> dict[str, Any]:
    """What a card tells; the browser writes numbers and dates."""
    told: dict[str, Any] = {
        "name": entry.name,
        "stamp": pair.stamp(entry),
        "bytes": entry.bytes,
        "saved": int(entry.modified),
        "shipped": entry.name in SHIPPED,
    }
    if entry.summary is None:
        return told | {"problem": state.plain(entry.problem)}
    if origin := entry.summary.origin:
        told["origin"] = f"{origin.repo_id} at {origin.short}"
    config, measured = entry.summary.config, entry.summary.measured
    step = measured.get("step")
    return told | {
        "task": config.task.name,
        "reads": subject.lengths(config),
        "architecture": kind(config),
        "exact": measured.get("exact_match"),
        "step": "" if step is None else f"step {step:,}",
        "begun": entry.summary.begun_from,
    }


def kind(config: RunConfig) -> str:
    """The architecture in a line."""
    model = config.model
    layers = f"{model.n_layers} layer{'s' if model.n_layers > 1 else ''}"
    heads = f"{model.n_heads} head{'s' if model.n_heads > 1 else ''}"
    return f"{model.architecture}, {layers}, {heads}, d_model {model.d_model}"


def _listen() -> None:
    """Does what was asked for on the cards since the last time."""
    for verb, name, value in acts.told("cards"):
        act(verb, name, value)


def act(verb: str, name: str, value: Any = None) -> None:
    """Does what was asked for on a card; what is no act does nothing."""
    if verb in ("select", "tick"):
        st.session_state.pop("deleted just now", None)
    if verb == "sort":
        st.session_state["cards sorted"] = str(value)[:40]
    elif verb == "search":
        st.session_state["cards search"] = str(value)[:200]
    elif verb in ("select", "open", "added"):
        st.session_state["checkpoint"] = name
        if verb == "open":
            st.session_state["opening"] = name
    elif verb == "tick":
        others = [each for each in st.session_state.get("ticked", []) if each != name]
        st.session_state["ticked"] = [*others, name][-2:] if value is True else others
    elif verb == "delete":
        _delete(name)


# --- what is done with the chosen one -------------------------------------------------------------


def _show_actions(entry: Entry) -> None:
    """The buttons of the chosen card, at the foot of the window however long the page is."""
    name, usable = entry.name, entry.summary is not None
    with st.container(horizontal=True, vertical_alignment="center", key="card-buttons"):
        st.html(f'<strong class="chosen">{escape(name)}</strong>', width="content")
        opened = st.button("Step through", type="primary", icon=":material/footprint:", disabled=not usable)
        if opened or st.session_state.pop("opening", "") == name:
            _open(name)
        st.button(
            "Load",
            icon=":material/folder_open:",
            disabled=not usable,
            on_click=_load,
            args=(name,),
            help="Step through shows it, and Build has its settings.",
        )
        if st.button(
            "Continue training",
            icon=":material/resume:",
            disabled=not usable,
            help="In a new run that begins with these weights.",
        ):
            _continue(name)
        if st.button("Push", icon=":material/cloud_upload:", disabled=not usable, help="To your account on the Hub."):
            push.begin(name)
            st.rerun()
        if usable:
            _download(name)
        if name not in SHIPPED:
            with st.popover("Rename", icon=":material/edit:"), st.form("rename", border=False):
                st.text_input("New name", key="new_name", placeholder=name)
                st.form_submit_button("Rename it", on_click=_rename, args=(name,))
            st.button("Delete", icon=":material/delete:", on_click=_delete, args=(name,), help="Can be undone.")


def _load(name: str) -> None:
    _change(f"Loaded {name}: Step through shows it, and Build has its settings.", lambda: state.load_checkpoint(name))


def _open(name: str) -> None:
    try:
        state.load_checkpoint(name)
    except CheckpointError as error:
        style.told(state.plain(error), "wrong")
    else:
        st.switch_page(places.STEP_THROUGH)


def _continue(name: str) -> None:
    try:
        state.continue_training(name)
    except (CheckpointError, RunError) as error:
        style.told(state.plain(error), "wrong")
    else:
        st.switch_page(places.TRAIN)


def _download(name: str) -> None:
    try:
        content = state.checkpoint_zip(name)
    except CheckpointError:
        return  # deleted in this moment; the next drawing knows
    st.download_button(
        "Download",
        content,
        file_name=f"{name}.zip",
        mime="application/zip",
        icon=":material/download:",
        on_click="ignore",
    )


def _delete(name: str) -> None:
    names = [entry.name for entry in state.library().entries()]
    if _change(f"Deleted {name}.", lambda: state.library().delete(name)):
        at = names.index(name)
        st.session_state["checkpoint"] = next(iter([*names[at + 1 :], *names[:at]]), "")
        st.session_state.pop("library told")
        st.session_state["deleted just now"] = next((gone.folder.name for gone in state.library().deleted()), "")


def _undo(name: str) -> None:
    if _change(f"{name} is back.", lambda: state.library().restore(name)):
        st.session_state["checkpoint"] = name


def _rename(name: str) -> None:
    new = st.session_state["new_name"].strip()
    if _change(f"{name} is called {new} now.", lambda: state.library().rename(name, new)):
        st.session_state["checkpoint"] = new


def _show_pairing(ticked: list[str]) -> None:
    """What is said once a card is ticked, and the way to the comparison once two are."""
    if not ticked:
        return
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small", key="card-pairing"):
        if len(ticked) < 2:
            st.markdown(f"Tick another one to compare it with **{ticked[0]}**.", width="content")
            return
        st.markdown(f"**{ticked[0]}** and **{ticked[1]}**")
        st.button("Compare", type="primary", icon=":material/compare_arrows:", on_click=pair.choose, args=ticked)
        st.button("Clear", type="tertiary", on_click=lambda: st.session_state.update(ticked=[]))
