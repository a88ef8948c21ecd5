"""A transformer for the task of a run."""

import torch

from playground.config import RunConfig
from playground.model import Transformer


class TaskModel(Transformer):
    """The transformer that a run's settings describe, with these settings: the task tells what its tokens mean."""

    def __init__(self, config: RunConfig) -> None:
        super().__init__(config.model, config.vocabulary_size, config.max_positions, config.seed)
        self.config = config
        self.reads_ahead = not config.model.causal_mask
        """Whether an earlier position may read later ones, so that only one pass for each token gives its answer."""

    @property
    def device(self) -> torch.device:
        """Where its weights are, and what it reads must be."""
        return self.head.weight.device
