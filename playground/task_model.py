"""A transformer for the task of a run."""

import torch

from playground.config import RunConfig
from playground.model import Transformer
from playground.recording import has_hooks


class TaskModel(Transformer):
    """The transformer that a run's settings describe, with these settings: the task tells what its tokens mean."""

    def __init__(self, config: RunConfig) -> None:
        super().__init__(config.model, config.vocabulary_size, config.max_positions, config.seed)
        self.config = config
        self._reads_ahead: bool | None = None

    @property
    def reads_ahead(self) -> bool:
        """Whether an earlier position may read later ones, so that only one pass for each token gives its answer.

        Unless it is set: True without a causal mask and for a model with hooks, which may do anything.
        """
        if self._reads_ahead is None:
            return not self.config.model.causal_mask or has_hooks(self)
        return self._reads_ahead

    @reads_ahead.setter
    def reads_ahead(self, value: bool) -> None:
        self._reads_ahead = value

    @property
    def device(self) -> torch.device:
        """Where its weights are, and what it reads must be."""
        return self.head.weight.device
