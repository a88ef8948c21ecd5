"""The Library view of the Checkpoints page: keep what was trained, and take out what was kept."""

from collections.abc import Callable
from datetime import datetime

import streamlit as st

from playground.checkpoints import CheckpointError
from playground.library import RESTORABLE_SECONDS, SHIPPED, Entry
from playground.ui import navigation, state, subject


def _save() -> None:
    """Saves the current run's newest weights under the name in the form."""
    run = state.current_run()
    if run is None:
        return
    name = st.session_state["save_name"].strip()
    step, model = run.model_near()
    history = [record for record in run.records() if record["step"] <= step]
    try:
        changes = [change for change in run.changes if change.step < step]
        replace = st.session_state.get("overwrite", False)
        state.library().save(name, model, history, changes, begun_from=run.begun_from, overwrite=replace)
    except CheckpointError as error:
        st.session_state["saved"] = (False, state.plain(error))
    else:
        st.session_state["saved"] = (True, f"Saved {name}: the weights after step {step}.")
        st.session_state["checkpoint"], st.session_state["overwrite"] = name, False


def load(name: str) -> None:
    """Makes the checkpoint the model to step through, and its settings those of the form."""
    try:
        source = state.checkpoint_source(name)
    except CheckpointError as error:
        st.session_state["loaded"] = (False, state.plain(error))
        return
    state.set_settings(source.model.config)
    st.session_state["source"] = name
    st.session_state["loaded"] = (True, f"Loaded {name}: Step through shows it, and Build has its settings.")


def _change(done: str, action: Callable[..., None], *names: str) -> bool:
    """Does something to the library and says how it went."""
    try:
        action(*names)
    except CheckpointError as error:
        st.session_state["loaded"] = (False, state.plain(error))
        return False
    st.session_state["loaded"] = (True, done)
    return True


def _delete(name: str) -> None:
    _change(f"Deleted {name}.", state.library().delete, name)


def _undo(name: str) -> None:
    if _change(f"{name} is back.", state.library().restore, name):
        st.session_state["checkpoint"] = name


def _rename(name: str) -> None:
    new = st.session_state["new_name"].strip()
    if _change(f"{name} is called {new} now.", state.library().rename, name, new):
        st.session_state["checkpoint"] = new


def _report(key: str) -> None:
    if key in st.session_state:
        good, text = st.session_state.pop(key)
        (st.success if good else st.error)(text)


def _show_save() -> None:
    run = state.current_run()
    st.subheader("Keep the current run", anchor=False)
    _report("saved")
    if run is None:
        st.info("There is no run yet. Train a model and it can be kept here.")
        st.page_link(navigation.TRAIN, label="Train a model", icon=":material/trending_down:")
        return
    if st.session_state.get("save_name_for") != run.id:
        st.session_state["save_name_for"] = run.id
        st.session_state["save_name"] = f"{run.config.task.name}-{run.name}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Name", key="save_name", help="Letters, digits, dots, dashes and underscores.", persist_state="session"
        )
        st.button("Save", type="primary", icon=":material/save:", on_click=_save)
    st.checkbox("Replace a checkpoint of this name", key="overwrite")
    st.caption(f"Keeps the weights after step {max(run.snapshot_steps(), default=0):,}; the run is {run.status}.")


def _row(entry: Entry) -> dict[str, object]:
    when = datetime.fromtimestamp(entry.modified).strftime("%Y-%m-%d %H:%M")
    line: dict[str, object] = {"name": entry.name, "saved": when, "size": f"{entry.bytes / 1000:,.0f} kB"}
    if entry.summary is None:
        return line | {"task": "unusable"}
    config, measured = entry.summary.config, entry.summary.measured
    exact = measured.get("exact_match")
    return line | {
        "task": f"{config.task.name}, {subject.lengths(config)}",
        "architecture": config.model.architecture,
        "step": f"{measured.get('step', '')}",
        "exact match": f"{exact:.1%}" if isinstance(exact, float) else "",
    }


def _show_undo() -> None:
    minutes = f"{RESTORABLE_SECONDS / 60:.0f} minutes"
    for gone in state.library().deleted():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"Deleted **{gone.name}**; for {minutes} it can be brought back.")
            st.button("Undo", key=f"undo {gone.folder.name}", icon=":material/undo:", on_click=_undo, args=(gone.name,))


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


def _show_library() -> None:
    st.subheader("Library", anchor=False)
    _report("loaded")
    _show_undo()
    entries = {entry.name: entry for entry in state.library().entries()}
    if not entries:
        st.info("Nothing is kept here yet.")
        return
    order = ["name", "task", "architecture", "exact match", "step", "size", "saved"]
    st.dataframe([_row(entry) for entry in entries.values()], hide_index=True, column_order=order)
    if st.session_state.get("checkpoint") not in entries:
        st.session_state["checkpoint"] = next(iter(entries))
    name = st.selectbox("Checkpoint", list(entries), key="checkpoint", persist_state="session")
    usable = entries[name].summary is not None
    if not usable:
        st.error(state.plain(entries[name].problem))
    with st.container(horizontal=True):
        st.button(
            "Load", type="primary", icon=":material/folder_open:", disabled=not usable, on_click=load, args=(name,)
        )
        if usable:
            _download(name)
        if name not in SHIPPED:
            with st.popover("Rename", icon=":material/edit:"), st.form("rename", border=False):
                st.text_input("New name", key="new_name", placeholder=name)
                st.form_submit_button("Rename it", on_click=_rename, args=(name,))
            st.button("Delete", icon=":material/delete:", on_click=_delete, args=(name,), help="Can be undone.")
    if name in SHIPPED:
        st.caption("This one ships with the app and stays.")
    st.page_link(navigation.STEP_THROUGH, label="Step through", icon=":material/footprint:")
    if state.HOST.quota_mb:
        used = state.library().used_bytes() / 1e6
        st.caption(f"Your library takes {used:,.1f} MB of the {state.HOST.quota_mb:,} MB a visitor has here.")


def show() -> None:
    """Everything of the view."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _show_save()
    with right:
        _show_library()
