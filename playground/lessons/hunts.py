"""The bug hunt: a seed hides one of the pitfalls in a model; a person names where it is and what it is."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Literal

from playground.common.numbers import counted
from playground.lessons.mistakes.pitfall import BASE, Pitfall
from playground.lessons.mistakes.table import PITFALLS
from playground.model.attention import MultiHeadAttention, ScaledDotProductAttention
from playground.runs import Hunt
from playground.settings.config import RunConfig

HintKind = Literal["inside", "measure", "part"]

MAX_POINTS, WRONG_COSTS, HINT_COSTS = 10, 1, 2

SETTINGS = BASE.updated(
    {
        "model.n_layers": 2,
        "model.norm_position": "post",
        "model.dropout": 0.1,
        "training.learning_rate": 3e-3,
        "training.warmup_steps": 20,
        "training.steps": 150,
        "training.eval_every": 15,
    }
)
"""The same for every hunt, so that they give nothing away. Every hunted pitfall shows with them."""

PARTS = {
    "Embeddings": "Embedding and positions",
    "ScaledDotProductAttention": "Attention: scores, mask and weights",
    "MultiHeadAttention": "Attention: projections and heads",
    "AddNorm": "Residual connections and LayerNorm",
    "DecoderLayer": "Decoder layer: what its sublayers get",
    "TaskModel": "Model: training and evaluation mode",
    "Training": "Training: batch, loss and learning rate",
}
"""Words for the parts that can have a mistake, by the class that it changes."""


CHOICES = {name: pitfall for name, pitfall in PITFALLS.items() if pitfall.right.__name__ in PARTS}
"""The pitfalls that a person chooses from: those of the parts that the model of a hunt has."""


def config(seed: int) -> RunConfig:
    """The settings of a hunt."""
    return SETTINGS.updated({"seed": seed})


def hidden(seed: int) -> str:
    """Name of the pitfall that this seed hides."""
    return Random(f"bug hunt {seed}").choice([name for name, pitfall in PITFALLS.items() if pitfall.hunted])


def part_of(pitfall: Pitfall) -> str:
    """The key in `PARTS` of the part with the mistake."""
    return pitfall.right.__name__


def points(hunt: Hunt) -> int:
    """The points of a hunt so far."""
    return 0 if hunt.given_up else max(0, MAX_POINTS - WRONG_COSTS * hunt.wrong - HINT_COSTS * hunt.hints)


def result(hunt: Hunt) -> str:
    """The result in one line that can be shared: it names no pitfall."""
    outcome = f"Bug hunt {hunt.seed}: {'found' if hunt.found else 'given up'}, {points(hunt)} of {MAX_POINTS} points"
    return f"{outcome} ({counted(hunt.wrong, 'wrong answer')}, {counted(hunt.hints, 'hint')})."


def hints(hunt: Hunt) -> tuple[HintKind, ...]:
    """The hints that a person can ask for, each closer than the one before; none tells what they have found."""
    return ("measure",) if hunt.part_found else ("inside", "measure", "part")


def next_hint(kinds: Sequence[HintKind], possible: Collection[str], taken: Collection[int]) -> int | None:
    """The index of the next hint after those taken that tells some of the possible pitfalls apart; None without one."""
    for index in range(max(taken, default=-1) + 1, len(kinds)):
        texts = {hint(kinds[index], PITFALLS[name], 0.0, 0.0) for name in possible}
        if len(texts) > 1 or (kinds[index] == "measure" and len(possible) > 1):
            return index
    return None


def hint(kind: HintKind, pitfall: Pitfall, right: float, wrong: float) -> str:
    """A hint; the numbers are the pitfall's measure."""
    if kind == "inside":
        inside = pitfall.right in (ScaledDotProductAttention, MultiHeadAttention)
        return f"The mistake is in {'attention' if inside else 'another part than attention'}."
    if kind == "measure":
        return f"{pitfall.measured_as} Here: {pitfall.shown(wrong)}. In the correct model: {pitfall.shown(right)}."
    return f"The part is “{PARTS[part_of(pitfall)]}”."
