"""A transformer for the task of a run."""

from typing import TYPE_CHECKING, Literal

import torch

from playground.common.errors import PlaygroundError, one_line
from playground.model.transformer import Transformer
from playground.recording import has_hooks

if TYPE_CHECKING:
    from playground.settings.config import RunConfig

Decoding = Literal["in_rounds", "token_by_token"]
"""A strategy: in fewer passes, with keys and values of earlier positions used again, for a model in which no position
reads a later one; or one full pass for each token, which is right for every model."""


class InvalidModelError(PlaygroundError, TypeError):
    """What is no settings of a model."""


class TaskModel(Transformer):
    """The transformer that a run's settings describe, with these settings: the task tells what its tokens mean."""

    def __init__(self, config: "RunConfig") -> None:
        if not hasattr(config, "vocabulary_size"):
            raise InvalidModelError(
                f"config can't be {one_line(repr(config), 40)}.", "Give what playground.configure returns."
            )
        super().__init__(config.model, config.vocabulary_size, config.max_positions, config.seed)
        self.config = config
        self._decoding: Decoding | None = None

    @property
    def decoding(self) -> Decoding:
        """How its answers are decoded.

        Unless it is set: token by token without a causal mask and for a model with hooks, which may do anything.
        """
        if self._decoding is None:
            return "in_rounds" if self.config.model.causal_mask and not has_hooks(self) else "token_by_token"
        return self._decoding

    @decoding.setter
    def decoding(self, strategy: Decoding) -> None:
        self._decoding = strategy

    @property
    def device(self) -> torch.device:
        """Where its weights are, and what it reads must be."""
        return self.head.weight.device
