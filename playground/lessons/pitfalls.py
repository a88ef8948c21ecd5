"""The pitfalls: each mistake is trained beside the correct model, and a measure shows it.

Both models begin with the same weights and read the same batches. The loss often hides the mistake.
"""

from playground.lessons.measures import Trained
from playground.lessons.mistakes.pitfall import Pitfall, number
from playground.lessons.mistakes.table import PITFALLS
from playground.runs.snapshots import put_weights
from playground.settings.config import RunConfig
from playground.training import USUAL, Recipe


def train(pitfall: Pitfall, seed: int, *, wrong: bool) -> Trained:
    """Trains the correct model or the one with the mistake; the batches and the initial weights are the same."""
    return train_with(pitfall if wrong else USUAL, pitfall.config(seed))


def train_with(recipe: Recipe, config: RunConfig) -> Trained:
    """Takes all steps of a run without evaluations."""
    model = recipe.model(config)
    training = recipe.training(config, model)
    return Trained(model, tuple(training.take_step().loss for _ in range(config.training.steps)))


def measured(name: str, config: RunConfig, weights: bytes, losses: tuple[float, ...], *, wrong: bool) -> float:
    """The measure of a pitfall for a model with these weights, right or with the mistake."""
    pitfall = PITFALLS[name]
    model = (pitfall if wrong else USUAL).model(config)
    put_weights(model, weights)
    return pitfall.measure(Trained(model, losses))


def measured_right(name: str, config: RunConfig) -> float:
    """The measure of a pitfall for a correct model that is trained for it."""
    return PITFALLS[name].measure(train_with(USUAL, config))


def loss_sentence(right: float, wrong: float) -> str:
    """A sentence on whether the last training loss shows the mistake."""
    numbers = f"{number(wrong)} with the mistake, {number(right)} without (last step)"
    if wrong > 1.5 * right and wrong - right > 0.05:
        return f"The training loss shows it: {numbers}."
    if right > 1.5 * wrong and right - wrong > 0.05:
        return f"The training loss hides it, because it is even lower: {numbers}."
    return f"The training loss looks normal: {numbers}."
