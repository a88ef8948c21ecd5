"""The pitfalls: classic mistakes, each trained beside the right model, and the measure that shows it.

Both models begin with the same weights and read the same batches. The loss often hides the mistake.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from playground.config import RunConfig
from playground.lessons import measures, mistakes
from playground.lessons.measures import Measure, Trained
from playground.lessons.mistakes import apply
from playground.task_model import TaskModel
from playground.training.loop import Training


@dataclass(frozen=True)
class Pitfall:
    """A mistake, where it is made, and the measure that shows it."""

    title: str
    mistake: type
    measure: Measure
    symptom: str  # a sentence with the measured {right} and {wrong}
    lower: bool = False  # whether the mistake makes the measure smaller
    settings: Mapping[str, Any] = field(default_factory=dict)  # besides those of `BASE`
    shows: float = 1.5  # the least ratio of the two measures that counts as seen

    def config(self, seed: int) -> RunConfig:
        """What both models train with."""
        return BASE.updated({**self.settings, "seed": seed})

    def seen(self, right: float, wrong: float) -> bool:
        """Whether the measure shows the mistake."""
        most, least = (right, wrong) if self.lower else (wrong, right)
        return most > 0.01 and most >= self.shows * least

    def tell(self, right: float, wrong: float) -> str:
        """The symptom in one sentence, from measured numbers."""
        return self.symptom.format(right=_number(right), wrong=_number(wrong))


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
        mistakes.InvertedMask,
        measures.weight_on_hidden,
        "{wrong} of the attention goes to later positions, which should get none; in the right model {right}.",
    ),
    "mask-after-softmax": Pitfall(
        "Mask after softmax",
        mistakes.MaskAfterSoftmax,
        measures.sum_of_weights,
        "The weights of a query miss a sum of 1 by {wrong}; in the right model by {right}.",
    ),
    "no-scaling": Pitfall(
        "Scores not scaled",
        mistakes.NoScaling,
        measures.spread_of_scores,
        "Before training, the scores that softmax reads have a standard deviation of {wrong} instead of {right}.",
    ),
    "softmax-over-queries": Pitfall(
        "Softmax over the queries",
        mistakes.SoftmaxOverQueries,
        measures.sum_of_weights,
        "The weights of a query miss a sum of 1 by {wrong}; in the right model by {right}.",
        settings=_FIXED,
    ),
    "heads-without-transpose": Pitfall(
        "Heads split without transpose",
        mistakes.HeadsWithoutTranspose,
        measures.reads_ahead,
        "The first prediction changes by up to {wrong} when only later tokens change; in the right model by {right}.",
    ),
    "no-positions": Pitfall(
        "Positions forgotten",
        mistakes.NoPositions,
        measures.exact_match,
        "{wrong} of the held-out answers are entirely right; with positions {right}.",
        lower=True,
    ),
    "positions-added-twice": Pitfall(
        "Positions added twice",
        mistakes.PositionsAddedTwice,
        measures.share_of_positions,
        "What is added to the token vectors is {wrong} times as long as they are; in the right model {right} times.",
        shows=1.3,
    ),
    "no-residual": Pitfall(
        "No residual path",
        mistakes.NoResidual,
        measures.exact_match,
        "After the same steps {wrong} of the held-out answers are entirely right; with residual paths {right}.",
        lower=True,
        settings={"model.n_layers": 2},
    ),
    "norm-after-sublayer": Pitfall(
        "LayerNorm on the sublayer's output",
        mistakes.NormAfterSublayer,
        measures.size_after_last_layer,
        "Vectors leave the last layer with a root mean square of {wrong}; after a norm of the sum it is {right}.",
        settings={"model.norm_position": "post", "model.n_layers": 2, "training.learning_rate": 3e-3},
    ),
    "target-not-shifted": Pitfall(
        "Target not shifted",
        mistakes.TargetNotShifted,
        measures.exact_match,
        "{wrong} of the held-out answers are entirely right, although the training loss is near 0; shifted {right}.",
        lower=True,
    ),
    "padding-scored": Pitfall(
        "Padding scored",
        mistakes.PaddingScored,
        measures.loss_gap,
        "The loss on real tokens is {wrong} times what training reports; in the right model {right} times.",
        settings={"training.steps": 30},
    ),
    "cross-attention-without-mask": Pitfall(
        "Cross-attention without the encoder's mask",
        mistakes.CrossAttentionWithoutMask,
        measures.weight_on_padding,
        "{wrong} of the cross-attention goes to padding; in the right model {right}.",
        settings={"training.steps": 20},
    ),
    "dropout-in-evaluation": Pitfall(
        "Dropout left on",
        mistakes.DropoutInEvaluation,
        measures.disagreement,
        "Read twice, the same input gives logits that differ by up to {wrong}; in the right model by {right}.",
        settings={"model.dropout": 0.1},
    ),
    "no-warm-up": Pitfall(
        "No warm-up in a post-norm model",
        mistakes.NoWarmUp,
        measures.last_loss,
        "After the same steps the training loss is {wrong}; with warm-up {right}.",
        settings={
            "model.norm_position": "post",
            "model.n_layers": 3,
            "training.warmup_steps": 60,
            "training.schedule": "constant",
        },
    ),
}


def train(pitfall: Pitfall, seed: int, *, wrong: bool) -> Trained:
    """Trains the right model or the one with the mistake; the batches and the initial weights are the same."""
    config = pitfall.config(seed)
    if not wrong:
        return _train(Training, TaskModel(config))
    if issubclass(pitfall.mistake, Training):
        return _train(pitfall.mistake, TaskModel(config))
    model = TaskModel(config)
    apply(pitfall.mistake, model)
    return _train(Training, model)


def _train(kind: type[Training], model: TaskModel) -> Trained:
    training = kind(model.config, model)
    return Trained(model, tuple(training.take_step().loss for _ in range(model.config.training.steps)))


def _number(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
