"""Keeping a run's newest weights as a checkpoint of the visitor's library."""

from playground.errors import CheckpointError
from playground.runs import Run
from playground.storage.library import SHIPPED
from playground.ui.session import state

REPLACE = "Replace a checkpoint with this name"


def usual_name(run: Run) -> str:
    """The name that a checkpoint of this run has unless somebody chooses another one."""
    return f"{run.config.task.name}-{run.name}"


def save(run: Run, name: str, *, replace: bool = False) -> str:
    """Saves the run under this name and returns the message that says so; raises `CheckpointError`."""
    if run.pitfall:
        problem = "This run trains with a mistake, and a checkpoint can't say so."
        raise CheckpointError(problem, "Train the right model to save one.")
    step, model = run.model_near()
    history = [record for record in run.records() if record["step"] <= step]
    changes = [change for change in run.changes if change.step < step]
    if not replace and name not in SHIPPED and any(entry.name == name for entry in state.library().entries()):
        advice = f"Choose another name, or tick “{REPLACE}”."
        raise CheckpointError(f"{name} is taken.", advice, kind="taken")
    state.library().save(name, model, history, changes, begun_from=run.begun_from, overwrite=replace)
    return f"Saved {name}: the weights after step {step}."
