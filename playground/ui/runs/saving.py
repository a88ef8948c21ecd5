"""Saving the weights of a run, the newest or those of another kept step, as a checkpoint in the visitor's library."""

import streamlit as st

from playground.common.errors import CheckpointError
from playground.runs import RunView
from playground.storage.library import SHIPPED, valid_name
from playground.ui.parts import style
from playground.ui.session import sources
from playground.ui.session.flash import flash
from playground.ui.session.session_keys import Key

SAVED = Key[str]("saved", "", "Name of the checkpoint that was just saved")

REPLACE = "Replace a checkpoint with this name"


def usual_name(run: RunView) -> str:
    """Default name of a checkpoint of this run."""
    return f"{run.config.task.name}-{run.metadata.name}"


def button(run: RunView, step: int | None = None, label: str = "Save") -> None:
    """Draw Save for the visitor's run at `step`; None: its newest weights."""
    kept = step is None or run.store.snapshots.has(step)
    st.button(
        label,
        icon=":material/save:",
        disabled=not kept,
        help="Keep this model in Checkpoints."
        if kept
        else f"The weights after this step are not kept. The nearest kept step is {run.nearest(step):,}.",
        on_click=_save,
        args=(run, step),
    )
    if saved := SAVED.take():  # a callback of a fragment must not draw
        st.toast(f"Saved as {style.code(saved)}. Find it on the Checkpoints page.", icon=":material/save:")


def _save(run: RunView, step: int | None) -> None:
    name = valid_name(usual_name(run))
    if step not in (None, run.store.step) or any(entry.name == name for entry in sources.library().entries()):
        name = valid_name(f"{name}-step-{run.step if step is None else step}")
    try:
        save(run, name, step=step)
    except CheckpointError as error:
        exists = f"{name} exists already. Save it under another name on the Checkpoints page."
        flash("run", exists if error.kind == "taken" else sources.plain(error))
    else:
        SAVED.set(name)


def save(run: RunView, name: str, *, step: int | None = None, replace: bool = False) -> str:
    """Save the run at `step`, by default its newest weights; returns a message.

    Raises `CheckpointError`, also if the weights of the step are not kept.
    """
    if run.metadata.pitfall:
        problem = "This run trains with a mistake, and a checkpoint can't say so."
        raise CheckpointError(problem, "Train the correct model to save one.")
    if step is None:
        saved_step, model = run.model_near()
    else:
        try:
            saved_step, model = step, run.model_at(step)
        except (KeyError, ValueError):
            problem = f"The weights after step {step:,} are not kept."
            raise CheckpointError(problem, f"The nearest kept step is {run.nearest(step):,}.") from None
    history = [record for record in run.exact_records() if record["step"] <= saved_step]
    changes = [change for change in run.changes if change.step < saved_step]
    if not replace and name not in SHIPPED and any(entry.name == name for entry in sources.library().entries()):
        advice = f"Choose another name, or tick “{REPLACE}”."
        raise CheckpointError(f"{name} is taken.", advice, kind="taken")
    sources.library().save(name, model, history, changes, begun_from=run.metadata.begun_from, overwrite=replace)
    return f"Saved {name}: the weights after step {saved_step}."
