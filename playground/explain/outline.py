"""The operations of a pass as an outline, stack > layer > sublayer > operation, and ways to move along it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from playground.explain.words import tap_path
from playground.model.architecture import architecture
from playground.settings.config import ModelConfig

_BESIDE_THE_STREAM = ("tokens", "padding_mask", "causal_mask", "mask")


@dataclass(frozen=True)
class OutlineItem:
    """A stack, a layer, a sublayer or, where it has no parts, one operation."""

    label: str
    name: str  # the tap to open: its own or the first inside
    parts: tuple["OutlineItem", ...] = ()


@dataclass(frozen=True)
class Moves:
    """Moves that keys have requested since the last script run; negative numbers go back."""

    operation: int = 0
    sublayer: int = 0
    time: int = 0
    gradient: int = 0  # how often it was switched


@lru_cache(maxsize=4096)
def around(name: str) -> tuple[str, ...]:
    """The groups around the tap `name`, outermost first: ("decoder", "layer 1", "cross-attention").

    Taps with the same answer make up a sublayer: an attention and its inner attention, with the sum and the norm that
    surround it; the embeddings; tokens and masks; what turns the last state into a loss. Each expert of a mixture is a
    group of its own inside.
    """
    *groups, tap = name.split(".")
    if not groups:
        return ("output layer and loss",)
    if len(groups) == 1:
        return (groups[0], "tokens and masks") if tap in _BESIDE_THE_STREAM else (groups[0],)
    depth = 4 if groups[-2].endswith("experts") else 3 if "layers" in groups else 2
    return tap_path(name)[:depth]


def label(name: str) -> str:
    """The label of the tap `name` within its group: "scaled scores"."""
    *groups, tap = name.split(".")
    if groups and groups[-1].endswith("_add_norm"):
        return {"normalized": "norm", "sum": "residual sum"}.get(tap, tap_path(name)[-1])
    return tap_path(name)[-1]


def outline(names: Sequence[str]) -> tuple[OutlineItem, ...]:
    """All operations in the order of `names`, as a tree."""
    return _parts(names, 0)


def _parts(names: Sequence[str], depth: int) -> tuple[OutlineItem, ...]:
    parts: list[OutlineItem] = []
    for inner, group in groupby(names, key=lambda name: around(name)[depth : depth + 1]):
        inside = tuple(group)
        if inner:
            parts.append(OutlineItem(inner[0], inside[0], _parts(inside, depth + 1)))
        else:
            parts += [OutlineItem(label(name), name) for name in inside]
    return tuple(parts)


def crumbs(name: str, names: Sequence[str]) -> tuple[OutlineItem, ...]:
    """The way from the outside to the tap `name`; each part opens at the first of `names` that lies in it."""
    groups = around(name)
    way = []
    for depth, words in enumerate(groups, 1):
        inside = (other for other in names if around(other)[:depth] == groups[:depth])
        way.append(OutlineItem(words, next(inside, name)))
    return (*way, OutlineItem(label(name), name))


class Stop(NamedTuple):
    """A stop of the short tour."""

    title: str
    name: str  # of its tap
    sentence: str


def stops(model: ModelConfig) -> tuple[Stop, ...]:
    """A short tour of the pass of such a model. The attention is the last, which reads the input."""
    attentions = [part.path for part in architecture(model).find("ScaledDotProductAttention")]
    first, last = attentions[0].partition(".")[0], attentions[-1]
    return (
        Stop("Tokens", f"{first}.tokens", "The model reads numbers: each token is its place in the vocabulary."),
        Stop("Queries", f"{last}.query", "Each position asks for something: its query says what it looks for."),
        Stop("Keys", f"{last}.key", "Each position also has a key, which says what can be found there."),
        Stop("Scores", f"{last}.scores", "A score tells how well a query fits a key: their products, summed up."),
        Stop(
            "Weights",
            f"{last}.weights",
            "Softmax turns a row of scores into weights that sum to 1. Where is the model looking?",
        ),
        Stop("Weighted values", f"{last}.heads", "Each position collects the values of the others, by these shares."),
        Stop("Logits", "logits", "At the end, each token of the vocabulary has a score as the next one."),
        Stop("Loss", "loss", "The loss is small where the right token had a high probability. Training lowers it."),
    )


def next_stop(order: Sequence[str], tour: Sequence[Stop], current: str, by: int) -> str:
    """The tap of the tour that is `by` stops after `current`, or before it; at most the last or the first.

    `current` can also be a tap between two stops. `order` are all taps in the order of navigation.
    """
    indices = {stop.name: order.index(stop.name) for stop in tour if stop.name in order}
    here = order.index(current)
    for _ in range(abs(by)):
        further = {at: name for name, at in indices.items() if (at > here if by > 0 else at < here)}
        if not further:
            break
        here = (min if by > 0 else max)(further)
    return order[here]


def moved(names: Sequence[str], current: str, moves: Moves) -> str:
    """The tap that `moves` lead to from `current`, first by sublayers, each to its first operation, then by operations.

    Ends at the first and the last of `names`; a `current` that is none of them counts as the first.
    """
    index = names.index(current) if current in names else 0
    starts = [i for i, name in enumerate(names) if i == 0 or around(name)[:3] != around(names[i - 1])[:3]]
    here = max(k for k, start in enumerate(starts) if start <= index)
    there = max(0, min(len(starts) - 1, here + moves.sublayer))
    if there != here or moves.sublayer < 0:
        index = starts[there]
    return names[max(0, min(len(names) - 1, index + moves.operation))]
