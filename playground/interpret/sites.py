"""Sites: the parts, tensors and weights of a model that an intervention can change, known from the settings alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from playground.common.bounded_cache import KEPT_SETTINGS
from playground.explain import NOTHING, TAPS, dims, explain, tap_path
from playground.model.architecture import SUBLAYERS, Part, architecture, shape
from playground.settings.config import RunConfig

SiteKind = Literal["head", "expert", "sublayer", "positions", "tap", "parameter"]


@dataclass(frozen=True)
class Site:
    """A part of a model, by the name that links and commands use."""

    name: str
    """A module path. For a head: the path of its attention, "head" and its number from 0. For an expert: the path of
    its mixture, "expert" or "shared_expert" and its number from 0."""
    kind: SiteKind
    taps: tuple[str, ...]  # that carry its tensor: two for a table that both stacks read, none for a parameter
    axes: str  # of its tensor, in letters, without the batch: "TD"
    head: int | None = None

    def sizes(self, config: RunConfig) -> tuple[int, ...]:
        """The largest size of each axis; S and T are the longest sequences that the model reads."""
        return shape(self.axes, config.sizes)


_PART = re.compile(r"(?P<path>.+)\.(?P<kind>head|expert|shared_expert)\.(?P<number>\d+)")


@lru_cache(maxsize=KEPT_SETTINGS)
def sites(config: RunConfig) -> dict[str, Site]:
    """All sites of a model with these settings by name: heads, experts, sublayers, position table, taps, parameters."""
    tree = architecture(config.model)
    listed = [*_parts(tree, config), *_taps(tree, config)]
    for part in tree:
        listed += [Site(f"{part.path}.{name}", "parameter", (), axes) for name, axes in part.parameters.items()]
    return {site.name: site for site in listed}


def named(config: RunConfig, kind: SiteKind) -> list[Site]:
    """The sites of one kind, in the order of the model."""
    return [site for site in sites(config).values() if site.kind == kind]


def words(name: str) -> str:
    """A site in words, layers, heads and experts counted from 1: "decoder layer 1 cross-attention, head 2"."""
    part = _PART.fullmatch(name)
    path = part["path"] if part else name
    if path.endswith(".positions"):
        return "position table"
    label = re.sub(r"\bw (\w)\b", lambda match: f"W_{match[1].upper()}", " ".join(tap_path(path)))
    return f"{label}, {part['kind'].replace('_', ' ')} {int(part['number']) + 1}" if part else label


def stream(config: RunConfig) -> list[str]:
    """Taps of the residual stream in order: the input of each stack, then the output of each of its layers.

    A model without residual connections has no stream; there it is the output of the layer.
    """
    model = config.model
    if model.layer_norm and model.norm_position == "post":
        last = "feed_forward_add_norm.normalized"
    else:
        last = "feed_forward_add_norm.sum" if model.residual else "feed_forward.output"
    names = []
    for stack in architecture(model).find("Encoder", "Decoder"):
        layers = [part.path for part in stack.parts if part.kind.endswith("Layer")]
        names += [f"{stack.path}.embeddings.sum", *(f"{path}.{last}" for path in layers)]
    return names


def _parts(tree: Part, config: RunConfig) -> Iterator[Site]:
    for part in tree.find(*SUBLAYERS):
        if part.kind == "MultiHeadAttention":
            for head in range(config.model.n_heads):
                rows = part.makes[1]
                yield Site(f"{part.path}.head.{head}", "head", (f"{part.path}.attention.heads",), rows + "K", head)
        yield from _experts(part)
        yield Site(part.path, "sublayer", (f"{part.path}.output",), part.makes[1:])
    for table in tree.find("PositionalEncoding"):
        readers = tuple(f"{part.path}.position" for part in tree.find("Embeddings"))
        yield Site(table.path, "positions", readers, table.makes[1:])


def _experts(mixture: Part) -> Iterator[Site]:
    """The experts inside a mixture; none in another part."""
    for expert in mixture.parts if mixture.kind == "Mixture" else ():
        group, _, number = expert.path.removeprefix(f"{mixture.path}.").rpartition(".")
        if group:
            name = f"{mixture.path}.{group.removesuffix('s')}.{number}"
            yield Site(name, "expert", (f"{expert.path}.output",), expert.makes[1:])


def _taps(tree: Part, config: RunConfig) -> Iterator[Site]:
    for part in tree:
        for owner, tap in TAPS:
            name = f"{part.path}.{tap}".lstrip(".")
            if owner != part.kind or tap == "loss":
                continue
            document = explain(name, owner, config)
            if document.present and document.backward.formula != NOTHING:  # the others change no prediction
                yield Site(name, "tap", (name,), "".join(dims(name, owner, config)[1:]))
