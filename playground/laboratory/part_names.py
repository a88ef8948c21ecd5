"""Parts of a model by name, index and pattern, as functions of the Python API take them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any, get_args

from playground.interpret.interventions import UnknownPartError, missing
from playground.interpret.sites import Site, SiteKind, sites
from playground.model.task_model import TaskModel
from playground.recording import taps
from playground.settings.arguments import refuse

_INDEXED = re.compile(r"(?P<name>[^\[\]]+)\[(?P<index>\d{1,6}(?:, ?\d{1,6})*)\]")


@dataclass(frozen=True)
class NamedPart:
    """A part that a name selects."""

    name: str  # with its index
    site: Site
    index: tuple[int, ...]  # of the first axes after the batch

    @property
    def where(self) -> tuple[Any, ...]:
        """What indexes the part in the tensor of its taps, or in its parameter."""
        entries = (*(() if self.site.head is None else (self.site.head,)), *self.index)
        return entries if self.site.kind == "parameter" or not entries else (slice(None), *entries)


def selected(model: TaskModel, names: str | Iterable[str]) -> list[NamedPart]:
    """The parts that names and patterns select, each once, in the order given.

    A name is that of a head ("decoder.layers.0.cross_attention.head.0", counted from 0), an expert, a sublayer, a tap
    or a weight, also with an index from 0: "encoder.embeddings.sum[2]". A pattern has * or ?. It selects all taps that
    fit; if none fits, all heads; if none of these fits, all experts, then all sublayers, then all weights.

    Raises `UnknownPartError`, a KeyError and a `PlaygroundError`, for what selects nothing.
    """
    known = {name: Site(name, "tap", (name,), "") for name in taps(model)} | sites(model.config)
    found = dict[str, NamedPart]()
    for given in [names] if isinstance(names, str) else names:
        if not isinstance(given, str):
            refuse("names", given, "Give the name of a part, or a list of names.", wrong_type=True)
        match = _INDEXED.fullmatch(given)
        name, index = (match["name"], match["index"]) if match else (given, "")
        fitting = [known[name]] if name in known else _fitting(name, known.values())
        if not fitting:
            raise UnknownPartError(_nothing(name, model, known))
        for site in fitting:
            full = f"{site.name}[{index}]" if index else site.name
            found.setdefault(full, NamedPart(full, site, tuple(map(int, index.split(","))) if index else ()))
    return list(found.values())


def plain_names(model: TaskModel, names: str | Sequence[str]) -> list[str]:
    """Names with every pattern replaced by what it selects; operations such as ":mean" stay. Raises as `selected`."""
    plain = []
    for given in [names] if isinstance(names, str) else names:
        name, colon, operation = given.partition(":")
        if {*"*?"} & {*name}:
            plain += [part.name + colon + operation for part in selected(model, name)]
        else:
            plain.append(given)
    return plain


def _fitting(pattern: str, known: Iterable[Site]) -> list[Site]:
    if not {*"*?"} & {*pattern}:
        return []
    every = [site for site in known if fnmatchcase(site.name, pattern)]
    of_kind = {kind: [site for site in every if site.kind == kind] for kind in ("tap", *get_args(SiteKind))}
    return next(filter(None, of_kind.values()), [])


def _nothing(name: str, model: TaskModel, known: Iterable[str]) -> str:
    if not {*"*?"} & {*name}:
        return missing(name, model.config)
    near = get_close_matches(name, known, 3, 0.0)
    return f"No part of this model fits {name}. Names of parts are, for example, {', '.join(near)}."
