"""How a model and its training are made from settings, so that a run can be made otherwise than the usual way."""

from collections.abc import Iterable

from playground.model.task_model import TaskModel
from playground.settings.config import Change, RunConfig
from playground.training.loop import Training


class Recipe:
    """Makes the model and the training of a run. A subclass makes others, with the same parameters."""

    def model(self, config: RunConfig) -> TaskModel:
        """A model with the weights that the settings determine."""
        return TaskModel(config)

    def training(self, config: RunConfig, model: TaskModel, changes: Iterable[Change] = ()) -> Training:
        """A training of `model` at step 0; raises `ConfigError` as `Training` does."""
        return Training(config, model, changes)


USUAL = Recipe()
