"""The parts that can be checked: what they take, and the project's own module as their reference."""

import copy
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import torch
from torch import Tensor, nn

from playground.lessons.check.student_code import Sizes
from playground.model.attention import MultiHeadAttention, ScaledDotProductAttention
from playground.model.embeddings import Embeddings, PositionalEncoding
from playground.model.feed_forward import FeedForward
from playground.model.layers import DecoderLayer, EncoderLayer
from playground.model.transformer import Transformer
from playground.settings.config import ModelConfig
from playground.tasks.tokens import PAD, SPECIALS

Inputs = Mapping[str, Tensor]
Choice = Mapping[str, Any]


@dataclass(frozen=True)
class Argument:
    """An argument of a function or a forward method, by its usual names; `CheckedPart` names the letters of axes."""

    name: str
    pattern: str
    axes: str
    source: str = ""  # the input of the reference that it is, if it has another name there
    masks: tuple[str, ...] = ()  # of a mask: shapes it may have, "1" for an axis of size 1
    by_name: bool = False  # never found by its position


@dataclass(frozen=True)
class CheckedPart:
    """A part and its reference. Axes: b h t s k d as everywhere, u is t for the keys of self-attention, z is s for
    the queries of self-attention, v words."""

    arguments: tuple[Argument, ...]
    layouts: tuple[str, ...]  # order of the axes of an input, the likely one first
    output: str
    reference: Callable[[Sizes, Choice], nn.Module]
    run: Callable[[nn.Module, Inputs], Tensor]
    choices: tuple[Choice, ...] = ({},)  # all of them are right
    tokens: bool = False


def _config(sizes: Sizes, choice: Choice) -> ModelConfig:
    known = {name: choice[name] for name in ModelConfig.model_fields if name in choice}
    shape = {"d_model": sizes.D, "n_heads": sizes.H, "n_layers": sizes.N, "d_ff": sizes.F}
    return ModelConfig(**({"positions": "sinusoidal"} | shape | known))


class _Given(nn.Module):
    """Takes vectors for tokens: a token table in front of which the embedding has been done."""

    def __init__(self, embedding_dim: int) -> None:
        super().__init__()
        self.embedding_dim = embedding_dim

    def forward(self, x: Tensor) -> Tensor:
        return x


class _Halves(PositionalEncoding):
    """Sines in the first half of the columns, cosines in the second."""

    def forward(self, length: int, source_lengths: Tensor | None) -> Tensor:
        table = super().forward(length, source_lengths)
        return torch.cat([table[..., 0::2], table[..., 1::2]], -1)


def _positions(sizes: Sizes, choice: Choice) -> nn.Module:
    positions = PositionalEncoding(choice.get("positions", "sinusoidal"), sizes.L, sizes.D)
    if choice.get("halves"):
        positions.__class__ = _Halves
    return Embeddings(_config(sizes, choice), _Given(sizes.D if choice["rooted"] else 1), positions)  # type: ignore[arg-type]


def _layer_norm(sizes: Sizes, choice: Choice) -> nn.Module:
    return nn.LayerNorm(sizes.D, eps=choice["eps"])


def _whole(sizes: Sizes, choice: Choice) -> nn.Module:
    model = Transformer(_config(sizes, choice), sizes.V, sizes.L, seed=0)
    stacks = [stack for stack in (model.encoder, model.decoder) if stack]
    for stack in stacks:
        stack.embeddings = copy.deepcopy(stack.embeddings)  # the student may have a table for each side
        if not choice["scaled"]:
            stack.embeddings.token_table = _Unscaled(sizes.V, sizes.D)
        if choice["final_norm"] and stack.norm is None:
            stack.norm = nn.LayerNorm(sizes.D)
    return model


class _Unscaled(nn.Embedding):
    """Token vectors that the model's scaling gives back as they are."""

    def forward(self, tokens: Tensor) -> Tensor:
        return super().forward(tokens) / math.sqrt(self.embedding_dim)


def _run_layer(reference: nn.Module, given: Inputs) -> Tensor:
    return reference(given["x"], given["mask"], given.get("memory"), given.get("memory_mask"))


def _run_whole(reference: nn.Module, given: Inputs) -> Tensor:
    return reference(given.get("source"), given.get("target"))[0]


NORMS = tuple(
    {"norm_position": position, "activation": activation}
    for position, activation in product(("pre", "post"), ("relu", "gelu"))
)
WHOLE = tuple(
    {**norm, "final_norm": final, "scaled": scaled, "positions": positions}
    for positions, scaled, final, norm in product(("sinusoidal", "learned"), (True, False), (True, False), NORMS)
    if final or norm["norm_position"] == "post"
)
WORDS = {
    ("norm_position", "pre"): "pre-norm",
    ("norm_position", "post"): "post-norm",
    ("activation", "relu"): "ReLU",
    ("activation", "gelu"): "GELU",
    ("scaled", True): "embeddings multiplied by sqrt(d_model)",
    ("scaled", False): "embeddings not multiplied by sqrt(d_model)",
    ("positions", "sinusoidal"): "sinusoidal positions",
    ("positions", "learned"): "learned positions",
    ("architecture", "decoder-only"): "decoder-only",
    ("architecture", "encoder-only"): "encoder-only, without causal mask",
    ("rooted", True): "x multiplied by sqrt(d_model)",
    ("added", False): "positions alone",
    ("added", True): "positions added to x",
    ("halves", True): "sines in the first half of the columns, cosines in the second",
    ("causal", True): "causal mask inside",
}
"""The words of the message for a choice."""

_FULL = ("b1ts", "bts", "ts", "bhts")
_KEYS = ("b11s", "b1s", "bs")
_MASK = r".*mask.*|.*bias|(valid|seq(uence)?|keys?|src)?len(s|gths?)"
_MEMORY_MASK = r".*(src|source|mem|enc|cross|context).*mask.*|paddingmask"
_TARGET_MASK = r".*(tgt|trg|target|dec|causal|look|future).*mask.*"
_X = r"x|x?q(uer(y|ies))?|inp(uts?)?|input.*|hidden.*|seq|src|source|embeddings?|emb|tgt|target|trg|h|z"
_MEMORY = r"mem(ory)?|enc(oder|oded)?(outputs?|out|states?|hidden.*|memory|x)?|context|y|src|source|e|cross"

PARTS: dict[str, CheckedPart] = {
    "attention": CheckedPart(
        (
            Argument("query", "x?q(uer(y|ies))?", "bhtk"),
            Argument("key", "x?k(eys?)?", "bhsk"),
            Argument("value", "x?v(al(ues?)?)?", "bhsk"),
            Argument("mask", _MASK, "bhts", masks=_FULL),
        ),
        ("bhtk", "bthk", "hbtk", "tbhk", "btk", "tbk", "htk", "tk"),
        "bhtk",
        lambda sizes, choice: ScaledDotProductAttention(),
        lambda reference, given: reference(given["query"], given["key"], given["value"], given["mask"]),
    ),
    "multi-head-attention": CheckedPart(
        (
            Argument("x", _X, "btd"),
            Argument("key", "x?k(eys?)?|xkv|kv|" + _MEMORY, "bsd", "memory"),
            Argument("value", "x?v(al(ues?)?)?", "bsd", "memory"),
            Argument("mask", _MASK, "bhts", masks=(*_FULL, *_KEYS, "tsb")),
        ),
        ("btd", "tbd", "td"),
        "btd",
        lambda sizes, choice: MultiHeadAttention(_config(sizes, choice)),
        lambda reference, given: reference(given["x"], given.get("memory", given["x"]), given["mask"]),
    ),
    "positional-encoding": CheckedPart(
        (Argument("x", _X + "|tokens?", "btd"),),
        ("btd", "tbd", "td"),
        "btd",
        _positions,
        lambda reference, given: reference(given["x"], None),
        tuple(
            {"positions": positions, "added": added, "rooted": rooted, "halves": halves}
            for positions, added, halves, rooted in product(
                ("sinusoidal", "learned"), (True, False), (False, True), (False, True)
            )
            if (added or not rooted) and not (halves and positions == "learned")
        ),
    ),
    "layer-norm": CheckedPart(
        (Argument("x", _X, "btd"),),
        ("btd",),
        "btd",
        _layer_norm,
        lambda reference, given: reference(given["x"]),
        tuple({"eps": eps} for eps in (1e-5, 1e-6, 1e-8, 1e-12)),
    ),
    "feed-forward": CheckedPart(
        (Argument("x", _X, "btd"),),
        ("btd", "td"),
        "btd",
        lambda sizes, choice: FeedForward(_config(sizes, choice)),
        lambda reference, given: reference(given["x"]),
        ({"activation": "relu"}, {"activation": "gelu"}),
    ),
    "encoder-layer": CheckedPart(
        (
            Argument("x", _X, "btd"),
            Argument("key", "k(eys?)?", "btd", "x", by_name=True),
            Argument("value", "v(alues?)?", "btd", "x", by_name=True),
            Argument("mask", _MASK, "bhts", masks=_FULL[:3] + _KEYS),
        ),
        ("btd", "tbd", "td"),
        "btd",
        lambda sizes, choice: EncoderLayer(_config(sizes, choice)),
        lambda reference, given: reference(given["x"], given["mask"]),
        NORMS,
    ),
    "decoder-layer": CheckedPart(
        (
            Argument("memory", _MEMORY, "bsd"),
            Argument("x", _X, "btd"),
            Argument("memory_mask", _MEMORY_MASK, "bhts", masks=(*_KEYS, "b1ts", "ts")),
            Argument("mask", _MASK, "bhtu", masks=("b1tu", "btu", "tu")),
        ),
        ("btd", "tbd", "td"),
        "btd",
        lambda sizes, choice: DecoderLayer(_config(sizes, choice)),
        _run_layer,
        NORMS,
    ),
    "transformer": CheckedPart(
        (
            Argument("source", "src|source|x|inp(uts?)?|enc(oder)?(inp(uts?)?|x|in)?|input.*|tokens?|idx|ids", "bs"),
            Argument("target", "tgt|trg|target|y|dec(oder)?(inp(uts?)?|x|in)?|out(puts?)?", "bt"),
            Argument("target_mask", _TARGET_MASK, "bhtu", masks=("b1tu", "btu", "tu")),
            Argument("source_mask", r".*mask.*", "bhzs", masks=(*_KEYS, "b1zs", "bzs", "zs")),
        ),
        ("bt", "tb", "t"),
        "btv",
        _whole,
        _run_whole,
        WHOLE,
        tokens=True,
    ),
}  # fmt: skip


def described(choice: Choice) -> list[str]:
    """A choice in words."""
    words = [WORDS[item] for item in choice.items() if item in WORDS]
    if choice.get("final_norm") and choice.get("norm_position") == "post":
        words.append("a norm at the end of each stack")
    if "eps" in choice:
        words.append(f"epsilon {choice['eps']:g}")
    return words


def random_inputs(names: Mapping[str, str], size: Callable[[str], int], uneven: bool) -> dict[str, Tensor]:
    """A tensor of random numbers for each name, with these axes; uneven: the last position has a small spread."""
    generator = torch.Generator().manual_seed(1)
    made = {}
    for name, axes in names.items():
        made[name] = torch.randn([size(axis) for axis in axes], generator=generator)
        if uneven:
            made[name][:, -1] *= 0.01
    return made


def random_tokens(names: Mapping[str, str], size: Callable[[str], int]) -> dict[str, Tensor]:
    """A row of random tokens for each name; rows after the first end in padding."""
    generator = torch.Generator().manual_seed(1)
    made = {}
    for name, axes in names.items():
        made[name] = torch.randint(len(SPECIALS), size("v"), [size(axis) for axis in axes], generator=generator)
        made[name][1:, -2:] = PAD
    return made


def random_mask(shape: list[int]) -> Tensor:
    """A mask, True for visible, in which every query sees a key and does not see another one."""
    for seed in range(1000):
        mask = torch.rand(shape, generator=torch.Generator().manual_seed(seed)) < 0.6
        mixed = [
            mask.any(axis).all() and not mask.all(axis).any()
            for axis in range(-min(2, mask.ndim), 0)
            if mask.size(axis) > 1
        ]
        if all(mixed):
            return mask
    raise ValueError(f"No such mask of shape {shape}.")


def random_lengths(shape: list[int]) -> Tensor:
    """A mask, True for visible, that hides all keys after the first ones."""
    lengths = torch.randint(1, shape[-1], shape[:-1], generator=torch.Generator().manual_seed(1))
    return torch.arange(shape[-1]) < lengths[..., None]
