"""The pitfalls: classic mistakes, each trained beside the correct model, and the measure that shows it.

Both models begin with the same weights and read the same batches. The loss often hides the mistake.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from playground.common.numbers import percent
from playground.lessons import measures
from playground.lessons.measures import MistakeMeasure, Trained
from playground.lessons.mistakes import classes
from playground.lessons.mistakes.classes import apply
from playground.model.task_model import TaskModel
from playground.runs.snapshots import put_weights
from playground.settings.config import Change, RunConfig
from playground.training import USUAL, Recipe, Training


@dataclass(frozen=True)
class Pitfall(Recipe):
    """A mistake, where it is made, and the measure that shows it; as a recipe, it makes what has the mistake."""

    title: str
    mistake: type
    measure: MistakeMeasure
    symptom: str  # a sentence with the measured {right} and {wrong}
    operation: str  # name of the tap at which Step through shows it
    lower: bool = False  # whether the mistake makes the measure smaller
    settings: Mapping[str, Any] = field(default_factory=dict)  # besides those of `BASE`
    shows: float = 1.5  # the least ratio of the two measures that counts as seen
    hunted: bool = True  # whether its measure shows it with the settings of a bug hunt, too

    def model(self, config: RunConfig) -> TaskModel:
        """A model with the mistake and the same weights as the right one."""
        model = TaskModel(config)
        if not issubclass(self.mistake, Training):
            apply(self.mistake, model)
        model.decoding = "token_by_token"  # a mistake may let it read ahead: only this is a fair test
        return model

    def training(self, config: RunConfig, model: TaskModel, changes: Iterable[Change] = ()) -> Training:
        """A training with the mistake; its settings can't change mid-run."""
        if tuple(changes):
            raise ValueError("A run with a mistake can't change mid-run.")
        return self.mistake(config, model) if issubclass(self.mistake, Training) else Training(config, model)

    @property
    def right(self) -> type:
        """The class without the mistake."""
        return self.mistake.__mro__[1]

    @property
    def sentence(self) -> str:
        """A sentence on the mistake."""
        return (self.mistake.__doc__ or "").splitlines()[0]

    @property
    def measured_as(self) -> str:
        """A sentence on the measure."""
        return (self.measure.__doc__ or "").splitlines()[0]

    def config(self, seed: int) -> RunConfig:
        """The settings with which both models train."""
        return BASE.updated({**self.settings, "seed": seed})

    def seen(self, right: float, wrong: float) -> bool:
        """True if the measure shows the mistake."""
        most, least = (right, wrong) if self.lower else (wrong, right)
        return most > 0.01 and most >= self.shows * least

    def tell(self, right: float, wrong: float) -> str:
        """The symptom in one sentence, from measured numbers."""
        return self.symptom.format(right=self.shown(right), wrong=self.shown(wrong))

    def shown(self, value: float) -> str:
        """A value of the measure as people read it: fractions in percent."""
        return percent(value) if self.measure in measures.FRACTIONS else _number(value)


BASE = RunConfig().updated(
    {
        "task.name": "reverse",
        "task.vocab_size": 6,
        "task.min_length": 1,
        "task.max_length": 6,
        "model.d_model": 32,
        "model.n_heads": 2,
        "model.d_ff": 64,
        "model.positions": "two_way",
        "training.steps": 120,
        "training.batch_size": 32,
        "training.learning_rate": 1e-2,
        "training.schedule": "constant",
        "training.warmup_steps": 0,
        "training.stop_when_solved": False,
        "training.eval_every": 1000,
    }
)
"""Small enough to train in a second, large enough to be solved."""

_FIXED = {"task.min_length": 6}

PITFALLS: dict[str, Pitfall] = {
    "inverted-mask": Pitfall(
        "Mask inverted",
        classes.InvertedMask,
        measures.weight_on_hidden,
        "{wrong} of the attention goes to later positions, which should get none; in the correct model {right}.",
        operation="decoder.layers.0.self_attention.attention.masked_scores",
    ),
    "mask-after-softmax": Pitfall(
        "Mask after softmax",
        classes.MaskAfterSoftmax,
        measures.sum_of_weights,
        "The weights of a query miss a sum of 1 by {wrong}; in the correct model by {right}.",
        operation="decoder.layers.0.self_attention.attention.weights",
    ),
    "no-scaling": Pitfall(
        "Scores not scaled",
        classes.NoScaling,
        measures.spread_of_scores,
        "Before training, the scores that softmax reads have a standard deviation of {wrong} instead of {right}.",
        operation="decoder.layers.0.cross_attention.attention.scaled_scores",
    ),
    "softmax-over-queries": Pitfall(
        "Softmax over the queries",
        classes.SoftmaxOverQueries,
        measures.sum_of_weights,
        "The weights of a query miss a sum of 1 by {wrong}; in the correct model by {right}.",
        operation="decoder.layers.0.self_attention.attention.weights",
        hunted=False,
        settings=_FIXED,
    ),
    "heads-without-transpose": Pitfall(
        "Heads split without transpose",
        classes.HeadsWithoutTranspose,
        measures.reads_ahead,
        "The first prediction changes by up to {wrong} when only later tokens change; in the correct model by {right}.",
        operation="decoder.layers.0.self_attention.attention.query",
    ),
    "no-positions": Pitfall(
        "Positions forgotten",
        classes.NoPositions,
        measures.exact_match,
        "{wrong} of the held-out answers are entirely right; with positions {right}.",
        operation="decoder.embeddings.sum",
        lower=True,
    ),
    "positions-added-twice": Pitfall(
        "Positions added twice",
        classes.PositionsAddedTwice,
        measures.share_of_positions,
        "What is added to the token vectors is {wrong} times as long as they are; in the correct model {right} times.",
        operation="decoder.embeddings.sum",
        shows=1.3,
    ),
    "no-residual": Pitfall(
        "No residual connections",
        classes.NoResidual,
        measures.exact_match,
        "After the same steps {wrong} of the held-out answers are entirely right; with residual connections {right}.",
        operation="encoder.layers.0.feed_forward.output",
        lower=True,
        settings={"model.n_layers": 2},
    ),
    "norm-after-sublayer": Pitfall(
        "LayerNorm on the sublayer's output",
        classes.NormAfterSublayer,
        measures.size_after_last_layer,
        "Vectors leave the last layer with a root mean square of {wrong}; after a norm of the sum it is {right}.",
        operation="decoder.output",
        settings={"model.norm_position": "post", "model.n_layers": 2, "training.learning_rate": 3e-3},
    ),
    "target-not-shifted": Pitfall(
        "Target not shifted",
        classes.TargetNotShifted,
        measures.exact_match,
        "{wrong} of the held-out answers are entirely right, although the training loss is near 0; shifted {right}.",
        operation="probabilities",
        lower=True,
    ),
    "padding-scored": Pitfall(
        "Padding in the loss",
        classes.PaddingScored,
        measures.loss_gap,
        "The held-out loss per token is {wrong} times the reported training loss. In the correct model: {right} times.",
        operation="loss",
        hunted=False,
        settings={"training.steps": 30},
    ),
    "cross-attention-without-mask": Pitfall(
        "Cross-attention without the encoder's mask",
        classes.CrossAttentionWithoutMask,
        measures.weight_on_padding,
        "{wrong} of the cross-attention goes to padding; in the correct model {right}.",
        operation="decoder.layers.0.cross_attention.attention.masked_scores",
        settings={"training.steps": 20},
    ),
    "dropout-in-evaluation": Pitfall(
        "Dropout left on",
        classes.DropoutInEvaluation,
        measures.disagreement,
        "Read twice, the same input gives logits that differ by up to {wrong}; in the correct model by {right}.",
        operation="decoder.embeddings.sum",
        settings={"model.dropout": 0.1},
    ),
    "no-warm-up": Pitfall(
        "No warm-up in a post-norm model",
        classes.NoWarmUp,
        measures.last_loss,
        "After the same steps the training loss is {wrong}; with warm-up {right}.",
        operation="logits",
        hunted=False,
        settings={
            "model.norm_position": "post",
            "model.n_layers": 3,
            "training.warmup_steps": 60,
            "training.schedule": "constant",
        },
    ),
}


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
    numbers = f"{_number(wrong)} with the mistake, {_number(right)} without (last step)"
    if wrong > 1.5 * right and wrong - right > 0.05:
        return f"The training loss shows it: {numbers}."
    if right > 1.5 * wrong and right - wrong > 0.05:
        return f"The training loss hides it, because it is even lower: {numbers}."
    return f"The training loss looks normal: {numbers}."


def _number(value: float) -> str:
    if 0 < abs(value) < 0.01:
        return f"{value:.1g}" if abs(value) >= 1e-4 else "less than 0.0001"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
