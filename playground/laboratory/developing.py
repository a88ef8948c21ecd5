"""What heads of a model do, and how a model develops in training."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from playground.common.tables import data_frame
from playground.interpret import development as measuring
from playground.interpret.development import Development
from playground.model.task_model import TaskModel
from playground.storage.checkpoint import Checkpoint, model_of
from playground.tasks.batches import HELD_OUT_SEQUENCES
from playground.training.roles import RoleScore, measure_roles, role

if TYPE_CHECKING:
    import os

    import pandas as pd


@dataclass(frozen=True)
class HeadRoles:
    """The scores of every head for every role that exists for it."""

    scores: Mapping[str, tuple[RoleScore, ...]]  # by path of the head
    sequences: int  # held-out inputs

    def role(self, head: str) -> RoleScore | None:
        """The role of the head at this path; None if no role gets half of its attention weight."""
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


class _History(Protocol):
    def models(self) -> Iterable[tuple[int, Any]]: ...


def roles(model: "TaskModel | Checkpoint | str | os.PathLike[str]", sequences: int = HELD_OUT_SEQUENCES) -> HeadRoles:
    """Measure the roles of all heads: their mean attention weight on positions of a kind, on held-out inputs.

        found = playground.roles("checkpoints/reverse-1-16")
        found.role("decoder.layers.0.cross_attention.head.0")

    Heads count from 0. `sequences` is at most 1,000. A head has the role whose weight is furthest above that of even
    attention, if it gets half of its weight. The roles are `playground.training.roles.ROLES`.
    """
    *_, (_, count, found) = measure_roles(model_of(model), sequences)
    return HeadRoles({head.path: tuple(scores) for head, scores in found.items()}, count)


def development(
    models: "Iterable[tuple[int, TaskModel | Checkpoint | str | os.PathLike[str]]] | _History",
    sequences: int = measuring.SEQUENCES,
) -> Development:
    """Measure models of one training, as pairs of a step and a model in order, or a history with `models()`.

        model = playground.new_model(config)
        steps = ((progress.step, model) for progress in playground.train(config, model) if progress.step % 50 == 0)
        found = playground.development(steps)
        found.frame().plot(y=["training_exact_match", "held_out_exact_match"])
        [transition.sentence for transition in found.transitions]

    Each model is measured on `sequences` held-out inputs, and on as many that the training draws: exact match, loss,
    roles and entropy of each head, singular values of its W_Q^T W_K and W_O W_V, weight norms by part. For a modular
    task also the power of the token embedding by frequency and the answers to all pairs.

    `transitions` are changes between two of the steps, as sentences. Raises `playground.PlaygroundError` if there is no
    model.
    """
    pairs: Iterable[tuple[int, Any]] = models.models() if hasattr(models, "models") else models
    return measuring.development(((step, model_of(model)) for step, model in pairs), sequences)
