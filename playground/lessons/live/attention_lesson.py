"""Lesson "Attention from three vectors"."""

import math
from collections.abc import Mapping
from functools import lru_cache

import torch
from torch import Tensor

from playground.explain.inspection import Walk
from playground.lessons.live.one_head import attend
from playground.lessons.live.reversing_model import CROSS, MODEL
from playground.lessons.live_parts import (
    Choice,
    Curves,
    Numbers,
    Output,
    Slider,
    Table,
    TableInput,
    Tokens,
    generator,
    live,
    pass_of,
)
from playground.lessons.mistakes.classes import SoftmaxOverQueries
from playground.model.attention import ScaledDotProductAttention

TOKENS = ("Token 1", "Token 2", "Token 3")
REVERSED = ("3 1 4", "2 7 1 8", "5 9 2 6 0")
SHORT, WIDE, WIDEST = (1, 4, 16), 64, 256
HEADS, KEYS, QUERIES = 4, 8, 256
DIVISORS = {
    "√d_k": lambda width: math.sqrt(width),
    "1": lambda width: 1.0,
    "√d_model": lambda width: math.sqrt(HEADS * width),
    "d_k": lambda width: float(width),
}
_QUERIES = TableInput("Queries", lambda seed: _vectors(seed)[0], TOKENS, 10)
_KEYS = TableInput("Keys", lambda seed: _vectors(seed)[1], TOKENS, 10)
_VALUES = TableInput("Values", lambda seed: _vectors(seed)[2], TOKENS, 10)


def _looks(text: str) -> tuple[Walk, Tensor]:
    """The pass of the model that reverses, and its weights, mean of the heads, in a row for each token it writes."""
    walk = pass_of(MODEL, text)
    return walk, walk[f"{CROSS}.attention.weights"].value[0].mean(0)[: len(walk.tokens["S"])]


@live()
def reversal(seed: int) -> list[Output]:
    """What the model reads and writes."""
    walk, _ = _looks(REVERSED[0])
    return [Tokens("Input", walk.tokens["S"]), Tokens("Answer", walk.tokens["T"][1:])]


@live(text=Choice("Input", REVERSED))
def looks(seed: int, text: str) -> list[Output]:
    """Its attention weights, a row for each token that it writes."""
    walk, weights = _looks(text)
    written = [f"writes {token}" for token in walk.tokens["T"][1:]]
    return [Numbers("Attention weights", weights, ("", "S"), written, walk.tokens["S"], "probability")]


def _vectors(seed: int) -> Tensor:
    """Queries, keys and values of three tokens, shape (3, 3, 4), rounded to one decimal."""
    return torch.randn(3, 3, 4, generator=generator(seed)).mul(10).round().div(10)


@lru_cache(maxsize=64)
def _drawn(seed: int, width: int) -> Tensor:
    """Scores of random queries and keys of this width, not scaled, shape (QUERIES, KEYS)."""
    random = generator(seed)
    query = torch.randn(QUERIES, 1, width, generator=random)
    key = torch.randn(QUERIES, KEYS, width, generator=random)
    return torch.einsum("qik,qjk->qj", query, key)


def _softmax(scores: Tensor) -> tuple[float, float]:
    """Mean largest weight, and the median norm of the matrix of derivatives of the weights by the scores."""
    weights = scores.softmax(-1)
    derivatives = torch.diag_embed(weights) - weights[:, :, None] * weights[:, None]
    return float(weights.max(-1).values.mean()), float(derivatives.flatten(1).norm(dim=1).median())


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    query, key, value = _vectors(seed)
    seen = attend(query, key, value)
    row, scaled, weights = (seen[tap][0] for tap in ("scores", "scaled_scores", "weights"))
    first, second, _ = scaled.argsort(descending=True).tolist()
    output = seen["heads"][0]
    column = int(output.abs().argmax())
    wide = _drawn(seed, WIDE)
    plain, divided = _softmax(_drawn(seed, WIDEST)), _softmax(_drawn(seed, WIDEST) / math.sqrt(WIDEST))
    times = divided[1] / plain[1]
    walk, looked = _looks(REVERSED[0])
    sums = attend(query, key, value, attention=SoftmaxOverQueries())["weights"].sum(1)
    odd = int((sums - 1).abs().argmax())
    return {
        "read": " ".join(walk.tokens["S"]),
        "answer": " ".join(walk.tokens["T"][1:]),
        "wanted": walk.tokens["T"][1],
        "share": float(looked[0, -1]),
        "best": TOKENS[int(row.argmax())],
        "highest": float(row.max()),
        "lowest": float(row.min()),
        "first": TOKENS[first],
        "second": TOKENS[second],
        "first_score": float(scaled[first]),
        "second_score": float(scaled[second]),
        "first_weight": float(weights[first]),
        "second_weight": float(weights[second]),
        "gap": float(scaled[first] - scaled[second]),
        "ratio": float(weights[first] / weights[second]),
        "column": column + 1,
        "mixed": float(output[column]),
        "sum": " + ".join(f"{weight:.2f} × {number:.1f}" for weight, number in zip(weights, value[:, column])).replace(
            "-", "−"
        ),
        "pairs": wide.numel(),
        "wide": WIDE,
        "wide_variance": float(wide.var()),
        "scaled_variance": float((wide / math.sqrt(WIDE)).var()),
        "scaled_gradient": divided[1],
        "plain_gradient": plain[1],
        "plain_at_wide": _softmax(wide)[1],
        "plain_largest": plain[0],
        "scaled_largest": divided[0],
        "vanishing": "Within a factor of 2"
        if times < 2
        else "2 to 20 times smaller"
        if times < 20
        else "More than 20 times smaller",
        "odd": TOKENS[odd],
        "odd_sum": float(sums[odd]),
        "sums": ", ".join(f"{total:.2f}" for total in sums.tolist()),
    }


@live()
def vectors(seed: int) -> list[Output]:
    """The first queries and keys."""
    query, key, _ = _vectors(seed)
    return [
        Numbers("Queries Q", query, ("T", "K"), TOKENS, "1234", digits=1),
        Numbers("Keys K", key, ("S", "K"), TOKENS, "1234", digits=1),
    ]


@live(query=_QUERIES, key=_KEYS)
def scores(seed: int, query: Tensor, key: Tensor) -> list[Output]:
    """Scores of the queries and keys in the tables."""
    return [Numbers("Scores Q Kᵀ", attend(query, key, key)["scores"], ("T", "S"), TOKENS, TOKENS)]


@live(temperature=Slider("Temperature", 0.1, 10.0, 1.0, 0.1))
def weights(seed: int, temperature: float) -> list[Output]:
    """Scaled scores and weights of the first vectors."""
    seen = attend(_vectors(seed)[0] / temperature, *_vectors(seed)[1:])
    return [
        Numbers("Scores ÷ 2 ÷ temperature", seen["scaled_scores"], ("T", "S"), TOKENS, TOKENS),
        Numbers("Weights at this temperature", seen["weights"], ("T", "S"), TOKENS, TOKENS, "probability", 3),
    ]


@live()
def values(seed: int) -> list[Output]:
    """Weights and values of the first vectors."""
    seen = attend(*_vectors(seed))
    return [
        Numbers("Weights A", seen["weights"], ("T", "S"), TOKENS, TOKENS, "probability"),
        Numbers("Values V", seen["value"], ("S", "K"), TOKENS, "1234", digits=1),
    ]


@live(query=_QUERIES, key=_KEYS, value=_VALUES)
def mixture(seed: int, query: Tensor, key: Tensor, value: Tensor) -> list[Output]:
    """A whole attention of the numbers in the tables."""
    seen = attend(query, key, value)
    return [
        Numbers("Scaled scores", seen["scaled_scores"], ("T", "S"), TOKENS, TOKENS),
        Numbers("Weights", seen["weights"], ("T", "S"), TOKENS, TOKENS, "probability"),
        Numbers("Output", seen["heads"], ("T", "K"), TOKENS, "1234"),
    ]


@live()
def short_vectors(seed: int) -> list[Output]:
    """Variance of scores for a few short vectors."""
    rows = [(str(width), f"{float(_drawn(seed, width).var()):.1f}") for width in SHORT]
    return [Table(("d_k", "Variance of the scores"), rows)]


@live(width=Slider("Head width d_k", 1, WIDEST, WIDE, help="How many numbers a query and a key have."))
def variance(seed: int, width: int) -> list[Output]:
    """Variance of scores with and without scaling, at this width and at others."""
    widths = (1, 2, 4, 8, 16, 32, 64, 128, 256)
    drawn = _drawn(seed, width)
    measured = {"not scaled": drawn, "divided by √d_k": drawn / math.sqrt(width)}
    rows = [
        (name, f"{float(scores.var()):.2f}", f"{float(scores.std()):.2f}", f"{_softmax(scores)[1]:.4f}")
        for name, scores in measured.items()
    ]
    lines = {
        "not scaled": [float(_drawn(seed, width).var()) for width in widths],
        "divided by √d_k": [float((_drawn(seed, width) / math.sqrt(width)).var()) for width in widths],
    }
    return [
        Table((f"Scores at d_k = {width}", "Variance", "Standard deviation", "Gradient of softmax"), rows),
        Curves("Variance of the scores", "d_k", "variance", widths, lines, log_x=True, log_y=True, marks=True),
    ]


@live(
    width=Slider("Head width d_k", 1, WIDEST, WIDEST),
    divisor=Choice("Divide the scores by", tuple(DIVISORS), help=f"d_model is {HEADS} times d_k: {HEADS} heads."),
)
def saturation(seed: int, width: int, divisor: str) -> list[Output]:
    """Weights of one query, and what softmax does on average."""
    scaled = _drawn(seed, width) / DIVISORS[divisor](width)
    largest, gradient = _softmax(scaled)
    names = [f"Key {key + 1}" for key in range(KEYS)]
    return [
        Numbers("Weights of one query", scaled[:1].softmax(-1), ("", "S"), ("Query 1",), names, "probability"),
        Table(
            (f"Over {QUERIES} queries", "Value"),
            [("Mean largest weight", f"{largest:.2f}"), ("Median norm of the gradient", f"{gradient:.4f}")],
        ),
    ]


@live()
def mistake(seed: int) -> list[Output]:
    """Weights of the first vectors with softmax over the queries."""
    query, key, value = _vectors(seed)
    weights = attend(query, key, value, attention=SoftmaxOverQueries())["weights"]
    return [Numbers("Weights with softmax(-2)", weights, ("T", "S"), TOKENS, TOKENS, "probability", 3)]


@live(query=_QUERIES, key=_KEYS)
def axes(seed: int, query: Tensor, key: Tensor) -> list[Output]:
    """Weights of both axes, and the sums of their rows."""
    made: dict[str, ScaledDotProductAttention] = {"-1": ScaledDotProductAttention(), "-2": SoftmaxOverQueries()}
    by_axis = {axis: attend(query, key, key, attention=kind)["weights"] for axis, kind in made.items()}
    return [
        output
        for axis, weights in by_axis.items()
        for output in (
            Numbers(f"softmax({axis})", weights, ("T", "S"), TOKENS, TOKENS, "probability"),
            Numbers(
                f"Sum of rows, softmax({axis})",
                weights.sum(1, keepdim=True),
                ("T", ""),
                TOKENS,
                ("sum",),
                "probability",
            ),
        )
    ]
