"""What heads of a model do, and how a model develops in training."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from numbers import Integral
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any, Protocol, runtime_checkable

from pydantic import Field

from playground.common.errors import PlaygroundError
from playground.common.tables import data_frame
from playground.interpret import development as measuring
from playground.interpret.development import Development
from playground.laboratory.model_inputs import AnyModel
from playground.model.task_model import TaskModel
from playground.settings.arguments import checked, described, refuse
from playground.settings.config import changed_settings
from playground.storage.checkpoint import model_of
from playground.tasks.batches import HELD_OUT_SEQUENCES
from playground.training.roles import RoleScore, measure_roles, role

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class HeadRoles:
    """The scores of every head for every role that exists for it."""

    scores: Mapping[str, tuple[RoleScore, ...]]  # by path of the head
    sequences: int  # held-out inputs

    def role(self, head: str) -> RoleScore | None:
        """The role of the head at this path; None if no role gets half of its attention weight.

        Raises `playground.PlaygroundError` for an unknown head.
        """
        if head not in self.scores:
            refuse("head", head, f"Use one of {', '.join(self.scores)}.")
        return role([*self.scores[head]])

    def frame(self) -> "pd.DataFrame":
        """A row for each head and role: `head`, `role`, `weight`, `uniform`, `above`, `queries`.

        Raises `playground.PlaygroundError` if pandas is missing.
        """
        return data_frame(
            [
                {"head": head, **vars(score), "above": score.above}
                for head, scores in self.scores.items()
                for score in scores
            ]
        )


_GIVE = "Give pairs of a step and a model, or what playground.fit returns."


class DevelopmentError(PlaygroundError, ValueError):
    """What are no models of one training."""


@runtime_checkable
class _History(Protocol):
    def models(self) -> Iterable[tuple[int, Any]]: ...


@checked
def roles(
    model: AnyModel, sequences: Annotated[int, Field(ge=1, le=HELD_OUT_SEQUENCES)] = HELD_OUT_SEQUENCES
) -> HeadRoles:
    """Measure the roles of all heads: their mean attention weight on positions of a kind, on held-out inputs.

        found = playground.roles("checkpoints/reverse-1-16")
        found.role("decoder.layers.0.cross_attention.head.0")

    Heads count from 0. `sequences` is at most 1,000. A head has the role whose weight is furthest above that of even
    attention, if it gets half of its weight. The roles are `playground.training.roles.ROLES`.
    """
    *_, (_, count, found) = measure_roles(model_of(model), sequences)
    return HeadRoles({head.path: tuple(scores) for head, scores in found.items()}, count)


@checked
def development(
    models: Iterable[tuple[int, AnyModel]] | _History,
    sequences: Annotated[int, Field(ge=1, le=HELD_OUT_SEQUENCES)] = measuring.SEQUENCES,
) -> Development:
    """Measure models of one training, as pairs of a step and a model in order, or a history with `models()`.

        model = playground.new_model(config)
        steps = ((progress.step, model) for progress in playground.train(config, model) if progress.step % 50 == 0)
        found = playground.development(steps)
        found.frame()[["training_exact_match", "held_out_exact_match"]]
        [transition.sentence for transition in found.transitions]

    Each model is measured on `sequences` held-out inputs, and on as many that the training draws: exact match, loss,
    roles and entropy of each head, singular values of its W_Q^T W_K and W_O W_V, weight norms by part. For a modular
    task also the power of the token embedding by frequency and the answers to all pairs.

    `transitions` are changes between two of the steps, as sentences. Raises `playground.PlaygroundError` if there is no
    model, if the steps don't rise, or if the models differ in their task or architecture.
    """
    return measuring.development(_in_order(models), sequences)


def _in_order(models: object) -> Iterator[tuple[int, TaskModel]]:
    """Steps and models of one training; raises `DevelopmentError`."""
    pairs = models.models() if isinstance(models, _History) else models
    before, config = -1, None
    if isinstance(pairs, str | PathLike | TaskModel) or not isinstance(pairs, Iterable):
        raise DevelopmentError(f"models can't be {described(models)}.", _GIVE)
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise DevelopmentError(f"One of the models can't be {described(pair)}.", _GIVE)
        step, model = pair[0], model_of(pair[1])
        if isinstance(step, bool) or not isinstance(step, Integral) or step <= before:
            after = f" after {before:,}" if before >= 0 else ""
            raise DevelopmentError(f"A step can't be {described(step)}{after}.", "Use whole numbers from 0, rising.")
        if config and (changed := changed_settings(config, model.config)):
            raise DevelopmentError(f"The models are not of one training: {changed}")
        before, config = int(step), model.config
        yield before, model
