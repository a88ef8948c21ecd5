"""What each training batch did to a model: `playground.influence`."""

from collections.abc import Iterator
from os import PathLike
from typing import Annotated

from pydantic import Field, InstanceOf

from playground.common.errors import CheckpointError
from playground.common.numbers import counted
from playground.common.paths import user_path
from playground.interpret.counterfactual import Original
from playground.interpret.influence import GradientAt, Influence, Plan, Quantity, QuantityKind, influences
from playground.model.task_model import TaskModel
from playground.runs.messages import TrainingStart
from playground.runs.metadata import RunMetadata
from playground.runs.snapshots import weights
from playground.settings.arguments import checked, refuse
from playground.settings.config import RunConfig
from playground.storage import checkpoint
from playground.storage.checkpoint import Checkpoint
from playground.training import train

_Word = Annotated[str, Field(description="Give a text.")]
_Step = Annotated[int, Field(ge=1)]


@checked
def influence(
    run: Annotated[
        InstanceOf[RunConfig] | InstanceOf[Checkpoint] | str | PathLike[str],
        Field(description="Give a checkpoint, its path, or what playground.configure returns."),
    ],
    of: QuantityKind = "loss",
    *,
    head: _Word = "",
    role: _Word = "",
    text: _Word = "",
    first: _Step = 1,
    last: _Step | None = None,
    every: _Step | None = None,
    after: Annotated[int, Field(ge=0)] | None = None,
    gradient_at: GradientAt = "end",
) -> Influence:
    """Train a run again without each of its batches, one at a time, and measure what that changes.

        found = playground.influence("my-model", "role", head="decoder.layers.1.self_attention.head.0", role="copied")
        found.ranked[0].step, found.ranked[0].effect, found.pearson
        playground.influence(playground.configure("quick-reverse"), every=20, after=50)

    `run` is a checkpoint, whose training is repeated from its settings, or settings as `playground.configure` returns
    them. `of` is "loss" or "exact_match" on 200 held-out inputs, "role" (share of the attention weight of `head` on
    positions of `role`, on these inputs) or "input" (loss of the right answer to `text`). The batches are those of the
    steps `first` to `last`, each `every` steps: at most 300 replays, by default at most 100 over the whole run. The
    effect is measured at the end of the run, or `after` so many further steps, 0 being right after the batch's own.

    The result's `rows` have `step`, `effect` (exact: without the batch minus with it), `estimate` (learning rate times
    the product of two gradients, TracIn; that of the quantity taken at the "end" of the run or at the "step" of the
    batch), `loss`, `size` and the first `sequences` of the batch. `pearson` and `spearman` compare both.

    Raises `playground.PlaygroundError` for an unknown name or too many replays, `playground.InputError` for an invalid
    text, and `playground.CheckpointError` for a checkpoint whose training can't be repeated.
    """
    plan = Plan(Quantity(of, head, role, text), first, last, every, after, gradient_at)
    *_, found = progress(run, plan)
    return found


def progress(run: RunConfig | Checkpoint | str | PathLike[str], plan: Plan) -> Iterator[Influence]:
    """The same, as far as it is known, after each replay; see `influences`."""
    given = run if isinstance(run, RunConfig | Checkpoint) else checkpoint.load(user_path(run))
    plan.quantity.check(given if isinstance(given, RunConfig) else given.config)
    original = _trained(given) if isinstance(given, RunConfig) else _repeated(given)
    if plan.after is not None and original.until is not None and plan.after > original.until:
        refuse("after", plan.after, f"This run has {counted(original.until, 'step')}.")
    yield from influences(original, plan)


def _trained(config: RunConfig) -> Original:
    model = TaskModel(config)
    *_, last = train(config, model)
    return Original(TrainingStart(RunMetadata(config=config)), last.step, weights=weights(model))


def _repeated(loaded: Checkpoint) -> Original:
    """The training of a checkpoint; raises `CheckpointError` if it can't be repeated from its settings."""
    if loaded.begun_from:
        raise CheckpointError(
            f"This model began with the weights of {loaded.begun_from}, so it can't be trained again."
        )
    history = loaded.history
    if not history or not history[-1]["step"]:
        raise CheckpointError("This checkpoint has no history of a training that could be repeated.")
    metadata = RunMetadata(config=loaded.config, changes=loaded.changes)
    return Original(TrainingStart(metadata), int(history[-1]["step"]), weights=weights(loaded.model))
