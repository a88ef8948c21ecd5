"""The parts that are judged by the graph of their pass: what they take, and numbers for it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from playground.tasks.tokens import PAD, SPECIALS


@dataclass(frozen=True)
class Argument:
    """An argument of a function or a forward method, by its usual names; `CheckedPart` names the letters of axes."""

    name: str
    pattern: str
    axes: str
    source: str = ""  # the input that it is, if it has another name there
    masks: tuple[str, ...] = ()  # of a mask: shapes it may have, "1" for an axis of size 1
    by_name: bool = False  # never found by its position


@dataclass(frozen=True)
class CheckedPart:
    """A part. Axes: b h t s k d as everywhere, u is t for the keys of self-attention, z is s for
    the queries of self-attention, v words, c numbers of a position, or channels of an image of y rows and x columns."""

    arguments: tuple[Argument, ...]
    layouts: tuple[str, ...]  # order of the axes of an input, the likely one first
    tokens: bool = False


_FULL = ("b1ts", "bts", "ts", "bhts")
_KEYS = ("b11s", "b1s", "bs")
KEYS_OF_TARGET = ("bu", "b11u", "u")
"""Shapes of a mask of padding, beside which a decoder has a causal mask of its own."""

MASK_WORD = "mask|m[aá]sc|masq|pad(ding)?$"
_MASK = rf".*({MASK_WORD}).*|.*bias|(valid|seq(uence)?|keys?|src)?len(s|gths?)"
_MEMORY_MASK = rf".*(src|source|mem|enc|cross|context).*({MASK_WORD}).*|paddingmask"
_TARGET = "tgt|trg|target|dec"
OF_TARGET = f"{_TARGET}|causal|look|future|self|att"
_TARGET_MASK = rf".*({_TARGET}|causal|look|future).*mask.*"
_X = (
    r"x|y|dec(oder)?(inp(uts?)?|input.*|hidden.*|x|states?)?|x?q(uer(y|ies))?|inp(uts?)?|input.*|hidden.*|seq|src"
    "|source|embeddings?|emb|tgt|target|trg|h|z"
)
_MEMORY = r"mem(ory)?|enc(oder|oded)?(outputs?|out|states?|hidden.*|memory|x)?|context|y|src|source|e|cross"

PARTS: dict[str, CheckedPart] = {
    "attention": CheckedPart(
        (
            Argument("query", "x?q(uer(y|ies))?", "bhtk"),
            Argument("key", "x?k(eys?)?", "bhsk"),
            Argument("value", "x?v(al(ues?)?)?", "bhsk"),
            Argument("mask", _MASK, "bhts", masks=_FULL + _KEYS),
        ),
        ("bhtk", "bthk", "hbtk", "tbhk", "btk", "tbk", "htk", "tk"),
    ),
    "multi-head-attention": CheckedPart(
        (
            Argument("x", _X, "btd"),
            Argument("key", "x?k(eys?)?|xkv|kv|" + _MEMORY, "bsd", "memory"),
            Argument("value", "x?v(al(ues?)?)?", "bsd", "memory"),
            Argument("mask", _MASK, "bhts", masks=(*_FULL, *_KEYS, "tsb")),
        ),
        ("btd", "tbd", "td"),
    ),
    "layer-norm": CheckedPart(
        (Argument("x", _X, "btd"),),
        ("btd", "td"),
    ),
    "feed-forward": CheckedPart(
        (Argument("x", _X, "btd"),),
        ("btd", "td"),
    ),
    "encoder-layer": CheckedPart(
        (
            Argument("x", _X, "btd"),
            Argument("key", "k(eys?)?", "btd", "x", by_name=True),
            Argument("value", "v(alues?)?", "btd", "x", by_name=True),
            Argument("mask", _MASK, "bhts", masks=_FULL[:3] + _KEYS),
        ),
        ("btd", "tbd", "td"),
    ),
    "decoder-layer": CheckedPart(
        (
            Argument("memory", _MEMORY, "bsd"),
            Argument("x", _X, "btd"),
            Argument("key", "k(eys?)?", "bsd", "memory", by_name=True),
            Argument("value", "v(alues?)?", "bsd", "memory", by_name=True),
            Argument("memory_mask", _MEMORY_MASK, "bhts", masks=(*_KEYS, "b1ts", "ts")),
            Argument("mask", _MASK, "bhtu", masks=("b1tu", "btu", "tu", *KEYS_OF_TARGET)),
        ),
        ("btd", "tbd", "td"),
    ),
    "transformer": CheckedPart(
        (
            Argument("source", "src|source|x|inp(uts?)?|enc(oder)?(inp(uts?)?|x|in)?|input.*|tokens?|idx|ids", "bs"),
            Argument("target", "tgt|trg|target|y|dec(oder)?(inp(uts?)?|x|in)?|out(puts?)?", "bt"),
            Argument("target_padding", f"({_TARGET})(key)?pad(ding)?mask", "bt", masks=("bt",)),
            Argument("memory_padding", "mem(ory)?(key)?pad(ding)?mask", "bs", masks=("bs",)),
            Argument("source_padding", "(src|source|enc)(key)?pad(ding)?mask", "bs", masks=("bs",)),
            Argument("target_mask", _TARGET_MASK, "bhtu", masks=("b1tu", "btu", "tu")),
            Argument("source_mask", r".*mask.*", "bhzs", masks=(*_KEYS, "b1zs", "bzs", "zs")),
        ),
        ("bt", "tb", "t", "btc", "tbc", "bcyx"),
        tokens=True,
    ),
}  # fmt: skip


def _angles(length: int, width: int) -> Tensor:
    """(T, K / 2): the angles of rotary embeddings (Su et al. 2021)."""
    return torch.outer(torch.arange(length).float(), 10_000.0 ** (-torch.arange(0, width, 2).float() / width))


def _table(function: Callable[[Tensor], Tensor]) -> list[Callable[[int, int, int], Any]]:
    """A function of the angles: (T, K / 2), or (T, K) with halves or neighbours that have one angle, or (B, T, K)."""
    return [
        lambda _, t, k: function(_angles(t, k)),
        lambda _, t, k: function(_angles(t, k).tile(2)),
        lambda _, t, k: function(_angles(t, k).repeat_interleave(2, -1)),
        lambda b, t, k: function(_angles(t, k).tile(2)).expand(b, -1, -1),
    ]


RotaryForms = Sequence[Callable[[int, int, int], Any]]
"""What an argument may be, of B, T and K."""

_COSINES, _SINES, _ANGLES = _table(torch.cos), _table(torch.sin), _table(lambda angles: angles)

ROTARY: dict[str, RotaryForms] = {
    "(rope|rotary|freqs?)?cos(ines?)?(cached|table|emb)?": _COSINES,
    "(rope|rotary|freqs?)?sin(es?)?(cached|table|emb)?": _SINES,
    "freqs?(cis|complex|rope)?|(rope|rotary)(freqs?|cache|emb(eddings?)?|table)?|angles?|positionembeddings|cossin": [
        lambda _, t, k: torch.polar(torch.ones(t, k // 2), _angles(t, k)),
        lambda _, t, k: torch.stack([_angles(t, k).cos(), _angles(t, k).sin()], -1),
        *(
            lambda *sizes, cosine=cosine, sine=sine: (cosine(*sizes), sine(*sizes))
            for cosine, sine in zip(_COSINES[::-1], _SINES[::-1])
        ),
        *_ANGLES,
    ],
    "(input|token)?pos(ition)?s?(ids?)|inputpos|(token)?positions": [
        lambda _, t, k: torch.arange(t),
        lambda b, t, k: torch.arange(t).expand(b, -1),
    ],
}
"""What rotary embeddings are made of, by usual names of the argument."""


def rotary_forms(name: str) -> RotaryForms | None:
    """What an argument of this name may be, if it is one that rotary embeddings are made of."""
    bare = name.replace("_", "").lower()
    return next((forms for pattern, forms in ROTARY.items() if re.fullmatch(pattern, bare)), None)


def random_inputs(names: Mapping[str, str], size: Callable[[str], int], uneven: bool) -> dict[str, Tensor]:
    """A tensor of random numbers for each name, with these axes; uneven: the last position has a small spread."""
    generator = torch.Generator().manual_seed(1)
    made = {}
    for name, axes in names.items():
        made[name] = torch.randn([size(axis) for axis in axes], generator=generator)
        if uneven:
            made[name][:, -1] *= 0.001
    return made


def random_series(names: Mapping[str, str], size: Callable[[str], int]) -> dict[str, Tensor]:
    """Random numbers for each position of a row, for each name; rows after the first end in zeros."""
    made = random_inputs(names, size, uneven=False)
    for name, axes in names.items():
        if "y" not in axes:
            made[name][1:, -2:] = 0
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
    generator = torch.Generator().manual_seed(0)
    mask = torch.zeros(shape, dtype=torch.bool)
    for part in mask.view(-1, *shape[-2:]):
        for _ in range(1000):
            part.copy_(torch.rand(part.shape, generator=generator) < 0.6)
            if _is_mixed(part):
                break
        else:  # of two rows with many columns
            index = torch.arange(part.numel()).reshape(part.shape)
            part.copy_((index + index // part.size(-1)) % 2 == 0)
    return mask


def _is_mixed(mask: Tensor) -> bool:
    """True if each row and each column has both values, where it is longer than 1."""
    axes = [axis for axis in range(mask.ndim) if mask.size(axis) > 1]
    return all(bool(mask.any(axis).all()) and not bool(mask.all(axis).any()) for axis in axes)


def random_lengths(shape: list[int]) -> Tensor:
    """A mask, True for visible, that hides all keys after the first ones."""
    lengths = torch.randint(1, shape[-1], shape[:-1], generator=torch.Generator().manual_seed(1))
    return torch.arange(shape[-1]) < lengths[..., None]
