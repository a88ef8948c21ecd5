"""How a cell of each tap is computed: one declaration, from which value, expression and sources follow.

One entry a row of the tap table; a test holds the two sets equal, and recomputes random cells of every tap.
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from playground.config import RunConfig
from playground.explain.mathml import Symbol
from playground.explain.notation import Formula, axes, parse, statements
from playground.tasks import PAD, SEP

CONSTANTS: Mapping[str, float] = {"PAD": PAD, "SEP": SEP, "inf": float("inf"), "eps": 1e-5}
"""`eps` is that of torch's LayerNorm."""

WIDTHS = ("D", "H", "K")
"""Sizes that every declaration knows, from the settings; all others are those of the tensors that it reads."""


@dataclass(frozen=True)
class Declaration:
    """How one cell is computed, in the notation of `explain.notation`.

    `inputs` names, in order of execution, the taps that it is computed from; `parameters` names parameters by the
    last part of theirs; `given` what comes from outside the model: fields of a `Batch`.
    """

    text: str
    inputs: str = ""
    parameters: str = ""
    given: str = ""
    symbol: str = "x"  # of the cell itself
    symbols: Mapping[str, Symbol] = field(default_factory=dict)
    curve: tuple[Literal["relu", "gelu"], str] | None = None  # and the line whose value is the place on it

    def __post_init__(self) -> None:
        _ = self.formula  # refuses here and now what is not in the notation

    @cached_property
    def axes(self) -> dict[str, tuple[str, ...]]:
        """What is read, with the letters of its axes."""
        return axes(self.inputs) | axes(self.parameters) | axes(self.given)

    @cached_property
    def formula(self) -> Formula:
        """The text, read; raises NotationError."""
        letters = {letter for axis in self.axes.values() for letter in axis}
        names = {*CONSTANTS, *WIDTHS, *(letter.upper() for letter in letters)}
        tensors = tuple((name, len(letters)) for name, letters in self.axes.items())
        return parse(self.text, tensors, frozenset(names))

    @property
    def lines(self) -> list[str]:
        """The text, a statement each."""
        return [ast.unparse(statement) for statement in statements(self.text)]


Entry = Declaration | Callable[[str, RunConfig], Declaration]


def declare(name: str, owner: str, config: RunConfig) -> Declaration:
    """How a cell of the tap `name`, owned by the class `owner`, is computed in a model of this config."""
    entry = DECLARATIONS[owner, name.rpartition(".")[2]]
    return entry if isinstance(entry, Declaration) else entry(name, config)


def _linear(name: str, width: str, layer: str, *, inner: str = "D", x: str = "X", symbol: str | None = None) -> Entry:
    """Column `width` of x W + b, with W and b of the layer that is written W^layer."""
    j = width.lower()

    def entry(_: str, config: RunConfig) -> Declaration:
        bias = config.model.bias
        return Declaration(
            f"{name}[b, t, {j}] = sum(x[b, t, i] * weight[{j}, i] for i in {inner})" + f" + bias[{j}]" * bias,
            inputs=f"x[b, t, {inner.lower()}]",
            parameters=f"weight[{j}, {inner.lower()}]" + f" bias[{j}]" * bias,
            symbol=symbol or name,
            symbols={"x": Symbol(x), "weight": Symbol("W", layer, flipped=True), "bias": Symbol("b", layer)},
        )

    return entry


def _norm(name: str, config: RunConfig) -> Declaration:
    bias = config.model.bias
    return Declaration(
        f"""mean = mean(x[b, t, i] for i in D)
        variance = mean((x[b, t, i] - mean) ** 2 for i in D)
        {name.rpartition(".")[2]}[b, t, d] = (x[b, t, d] - mean) / sqrt(variance + eps) * weight[d]"""
        + " + bias[d]" * bias,
        inputs="x[b, t, d]",
        parameters="weight[d]" + " bias[d]" * bias,
        symbol="y",
        symbols={"weight": Symbol("γ"), "bias": Symbol("β")},
    )


def _stack_output(name: str, config: RunConfig) -> Declaration:
    if config.model.layer_norm and config.model.norm_position == "pre":
        return _norm(name, config)
    return Declaration("output[b, t, d] = x[b, t, d]", inputs="x[b, t, d]", symbol="y")


def _position(name: str, config: RunConfig) -> Declaration:
    if config.model.positions == "sinusoidal":
        return Declaration(
            """i = d // 2
            angle = t / 10000 ** (2 * i / D)
            position[b, t, d] = sin(angle) if d % 2 == 0 else cos(angle)""",
            symbol="PE",
        )
    if config.model.positions == "learned" or _counts_answer_alone(name, config):
        return Declaration("position[b, t, d] = table[t, d]", parameters="table[l, d]", symbol="PE")
    in_row = config.model.architecture == "decoder-only"
    source_length = "source_lengths[b, 0]" if in_row else "sum(1 for j in T if tokens[b, j] != PAD)"
    return Declaration(
        f"""n = {source_length}
        start = t if t < n else min(t - n, L - 1)
        end = n - 1 - t
        position[b, t, d] = table[start, d] + table_from_end[end, d] if end >= 0 else table[start, d]""",
        inputs="" if in_row else "tokens[b, t]",
        given="source_lengths[b, 0]" if in_row else "",
        parameters="table[l, d] table_from_end[l, d]",
        symbol="PE",
    )


def _counts_answer_alone(name: str, config: RunConfig) -> bool:
    """Whether two-way positions stand for an answer whose end is not known yet."""
    return config.model.architecture == "encoder-decoder" and name.startswith("decoder")


def _embedding_sum(name: str, config: RunConfig) -> Declaration:
    if config.model.positions == "none":
        return Declaration("sum[b, t, d] = token_embedding[b, t, d]", inputs="token_embedding[b, t, d]", symbol="X")
    return Declaration(
        "sum[b, t, d] = token_embedding[b, t, d] + position[b, t, d]",
        inputs="token_embedding[b, t, d] position[b, t, d]",
        symbol="X",
    )


def _causal_mask(name: str, config: RunConfig) -> Declaration:
    seen = "s <= t" if config.model.causal_mask else "1"
    return Declaration(f"causal_mask[0, 0, t, s] = {seen}", symbol="C")


def _scaled(name: str, config: RunConfig) -> Declaration:
    scale = " / sqrt(K)" if config.model.scale_scores else ""
    return Declaration(
        f"scaled_scores[b, h, t, s] = scores[b, h, t, s]{scale}", inputs="scores[b, h, t, s]", symbol="scaled"
    )


def _split(name: str, letter: str, position: str) -> Declaration:
    return Declaration(
        f"""column = h * K + k
        {name}[b, h, {position}, k] = projection[b, {position}, column]""",
        inputs=f"projection[b, {position}, d]",
        symbol=letter,
        symbols={"projection": Symbol(letter)},
    )


def _activation(name: str, config: RunConfig) -> Declaration:
    value = "max(0, z)" if config.model.activation == "relu" else "z * Phi(z)"
    return Declaration(
        f"""z = hidden[b, t, f]
        activation[b, t, f] = {value}""",
        inputs="hidden[b, t, f]",
        symbol="activation",
        curve=(config.model.activation, "z"),
    )


DECLARATIONS: dict[tuple[str, str], Entry] = {
    ("Encoder", "tokens"): Declaration("tokens[b, s] = source[b, s]", given="source[b, s]"),
    ("Encoder", "padding_mask"): Declaration(
        "padding_mask[b, 0, 0, s] = tokens[b, s] != PAD", inputs="tokens[b, s]", symbol="m"
    ),
    ("Encoder", "output"): _stack_output,
    ("Decoder", "tokens"): Declaration("tokens[b, t] = target[b, t]", given="target[b, t]"),
    ("Decoder", "padding_mask"): Declaration(
        "padding_mask[b, 0, 0, s] = tokens[b, s] != PAD", inputs="tokens[b, s]", symbol="m"
    ),
    ("Decoder", "causal_mask"): _causal_mask,
    ("Decoder", "mask"): Declaration(
        "mask[b, 0, t, s] = causal_mask[0, 0, t, s] and padding_mask[b, 0, 0, s]",
        inputs="padding_mask[b, 0, 0, s] causal_mask[0, 0, t, s]",
        symbol="mask",
    ),
    ("Decoder", "output"): _stack_output,
    ("Embeddings", "token_embedding"): Declaration(
        "token_embedding[b, t, d] = sqrt(D) * weight[tokens[b, t], d]",
        inputs="tokens[b, t]",
        parameters="weight[v, d]",
        symbol="embedding",
        symbols={"weight": Symbol("E")},
    ),
    ("Embeddings", "position"): _position,
    ("Embeddings", "sum"): _embedding_sum,
    ("AddNorm", "normalized"): _norm,
    ("AddNorm", "sum"): Declaration(
        "sum[b, t, d] = x[b, t, d] + sublayer[b, t, d]", inputs="x[b, t, d] sublayer[b, t, d]", symbol="sum"
    ),
    ("MultiHeadAttention", "query_projection"): _linear("query_projection", "D", "Q", symbol="Q"),
    ("MultiHeadAttention", "key_projection"): _linear("key_projection", "D", "K", symbol="K"),
    ("MultiHeadAttention", "value_projection"): _linear("value_projection", "D", "V", symbol="V"),
    ("MultiHeadAttention", "concat"): Declaration(
        """head = d // K + 1
        column = d % K
        concat[b, t, d] = heads[b, head - 1, t, column]""",
        inputs="heads[b, h, t, k]",
        symbol="concat",
    ),
    ("MultiHeadAttention", "output"): _linear("output", "D", "O", x="concat"),
    ("ScaledDotProductAttention", "query"): _split("query", "Q", "t"),
    ("ScaledDotProductAttention", "key"): _split("key", "K", "s"),
    ("ScaledDotProductAttention", "value"): _split("value", "V", "s"),
    ("ScaledDotProductAttention", "scores"): Declaration(
        "scores[b, h, t, s] = sum(query[b, h, t, k] * key[b, h, s, k] for k in K)",
        inputs="query[b, h, t, k] key[b, h, s, k]",
        symbol="score",
    ),
    ("ScaledDotProductAttention", "scaled_scores"): _scaled,
    ("ScaledDotProductAttention", "masked_scores"): Declaration(
        "masked_scores[b, h, t, s] = scaled_scores[b, h, t, s] if mask[b, h, t, s] else -inf",
        inputs="mask[b, h, t, s] scaled_scores[b, h, t, s]",
        symbol="z",
    ),
    ("ScaledDotProductAttention", "weights"): Declaration(
        """largest = max(scores[b, h, t, j] for j in S)
        total = sum(exp(scores[b, h, t, j] - largest) for j in S)
        weights[b, h, t, s] = exp(scores[b, h, t, s] - largest) / total""",
        inputs="scores[b, h, t, s]",
        symbol="A",
        symbols={"scores": Symbol("z")},
    ),
    ("ScaledDotProductAttention", "heads"): Declaration(
        "heads[b, h, t, k] = sum(weights[b, h, t, s] * value[b, h, s, k] for s in S)",
        inputs="value[b, h, s, k] weights[b, h, t, s]",
        symbol="head",
    ),
    ("FeedForward", "hidden"): _linear("hidden", "F", "(1)", x="x"),
    ("FeedForward", "activation"): _activation,
    ("FeedForward", "output"): _linear("output", "D", "(2)", inner="F", x="activation"),
    ("Transformer", "logits"): _linear("logits", "V", "", x="x", symbol="z"),
    ("Transformer", "probabilities"): Declaration(
        """largest = max(logits[b, t, j] for j in V)
        total = sum(exp(logits[b, t, j] - largest) for j in V)
        probabilities[b, t, v] = exp(logits[b, t, v] - largest) / total""",
        inputs="logits[b, t, v]",
        symbol="p",
    ),
    ("Transformer", "labels"): Declaration("labels[b, t] = labels[b, t]", given="labels[b, t]", symbol="y"),
    ("Transformer", "loss"): Declaration(
        """n = sum(1 for t in T if labels[0, t] != PAD)
        loss = sum(
            logsumexp(logits[0, t, v] for v in V) - logits[0, t, labels[0, t]] for t in T if labels[0, t] != PAD
        ) / n""",
        inputs="logits[b, t, v] labels[b, t]",
        symbol="loss",
    ),
}
