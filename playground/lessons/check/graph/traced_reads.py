"""What queries, keys and values are computed from: linear maps, and the norms and rotations after these."""

from dataclasses import dataclass, replace

from playground.explain.traced_moves import moved
from playground.lessons.check.graph.traced_attention import Attention, UnclearError
from playground.lessons.check.graph.traced_norms import Norm, norm_of
from playground.lessons.check.graph.traced_positions import cells, constant, levels, product
from playground.lessons.check.graph.traced_rotary import Rotation, Rotations
from playground.recording import TracedTensor


@dataclass(frozen=True)
class Projection:
    """A linear map of one row of numbers for each position."""

    source: TracedTensor  # what is mapped
    weight: TracedTensor
    features: int  # of the source that make one number


def projection(value: TracedTensor) -> Projection | None:
    """The linear map that made all cells of a value, through moves, factors and biases."""
    bases = cells(value).bases
    node = bases[0].node if len(bases) == 1 else None
    sides = product(node) if node else None
    if sides is None:
        return None
    varying, fixed = ([side for side in sides if constant(side.value) is is_fixed] for is_fixed in (False, True))
    if len(varying) != 1 or not fixed[0].value.parameters:
        return None
    side = varying[0]
    return Projection(side.value, fixed[0].value, side.rows.shape[1])


@dataclass(frozen=True)
class Read:
    """What queries, keys or values are: linear maps, perhaps normed and turned after these."""

    maps: tuple[Projection, ...]  # joined end to end; none: they are an input itself
    ends: tuple[TracedTensor, ...]  # what the maps, or nothing, read
    norms: tuple[Norm, ...] = ()
    rotations: tuple[Rotation, ...] = ()
    latent: int = 0  # features of a latent vector that they are mapped from; 0: none

    @property
    def without_latent(self) -> "Read":
        """The same, where a narrow linear map of the source, perhaps normed, is no source but another map."""
        downs = [_down(each) or each for each in self.maps]
        latents = [up.features for up, down in zip(self.maps, downs) if up is not down]
        return replace(
            self, maps=tuple(downs), ends=tuple(each.source for each in downs), latent=max(latents, default=0)
        )


Reads = tuple[Read, Read, Read]
"""Of the queries, the keys and the values of a head."""


def reads_of(head: Attention) -> Reads:
    """What queries, keys and values of a head are computed from; raises `UnclearError`."""
    _, values = head.used
    found = []
    for side, what in zip((*head.sides, values), ("queries", "keys", "values")):
        part = read(side.value, head.rotations)
        if part is None:
            raise UnclearError(f"The linear layer of the {what} was not found.")
        found.append(part)
    return found[0], found[1], found[2]


def read(value: TracedTensor, rotations: Rotations) -> Read | None:
    """What a side of a product is; None if that is not understood."""
    if mapped := projection(value):
        return Read((mapped,), (mapped.source,))
    for each, _ in levels(value):
        if norm := norm_of(each):
            return (inner := read(norm.source, rotations)) and replace(inner, norms=(norm, *inner.norms))
        if rotation := rotations.of(each):
            inner = read(rotation.source, rotations)
            return inner and replace(inner, rotations=(rotation, *inner.rotations))
    if each.origin == "input":
        return Read((), (each,))
    moves = moved(each.node, each.node.outputs.index(each)) if each.node and each.origin == "operation" else None
    parts = [read(part, rotations) for part in moves.sources if not constant(part)] if moves else []
    if len(parts) < 2 or None in parts:
        return None
    return _joined([part for part in parts if part])


def _joined(parts: list[Read]) -> Read:
    return Read(
        tuple(each for part in parts for each in part.maps),
        tuple(each for part in parts for each in part.ends),
        tuple(each for part in parts for each in part.norms),
        tuple(each for part in parts for each in part.rotations),
    )


def _down(up: Projection) -> Projection | None:
    """The linear map to fewer features whose result, perhaps normed, another map reads; None if it reads none."""
    norm = norm_of(up.source)
    for value, _ in levels(norm.source if norm else up.source):
        node = value.node
        biased = node is not None and node.function == "add" and any(len(each.shape) == 1 for each in node.inputs)
        if node is not None and (biased or product(node)):
            found = projection(value)
            return found if found and found.features > up.features else None
    return None
