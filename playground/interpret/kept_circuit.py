"""A circuit: the parts of a model, or the edges between them, that are kept while everything else is ablated.

Its faithfulness says how much of the model's behaviour is left; its minimality, what each kept part contributes (Wang
et al. 2022, arXiv:2211.00593; Conmy et al. 2023, arXiv:2304.14997). Another kind of circuit, what the weights of a head
do on the direct path, is in `interpret.circuits`.
"""

import hashlib
import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self, get_args

import torch
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError
from torch import Tensor

from playground.common.errors import PlaygroundError, one_line
from playground.common.files import open_regular
from playground.common.numbers import percent
from playground.common.tables import data_frame
from playground.interpret.attribution import Attribution
from playground.interpret.edges import edges, everywhere, patched_edges, sender_taps
from playground.interpret.input_pairs import PairGroup, paired
from playground.interpret.interventions import Stored, means, overlaid
from playground.interpret.patching import measured
from playground.interpret.sites import named, sites
from playground.model.architecture import sublayers
from playground.model.task_model import TaskModel
from playground.recording import caching, hooked, run_with_cache, with_shared_weights
from playground.settings.config import RunConfig
from playground.tasks import Task, task_of
from playground.tasks.batches import HELD_OUT_SEQUENCES, MAX_ENUMERATED, Sequences, every_source
from playground.training.evaluation import answered_right

if TYPE_CHECKING:
    import pandas as pd

Ablation = Literal["mean", "other"]

CIRCUIT = "circuit.json"
"""The file name of a circuit beside a model."""

MAX_KEPT = 20_000
"""Largest number of parts or edges of a circuit in a file."""

MAX_CIRCUIT_BYTES = 4_000_000
"""Largest size of a circuit's file."""

_SHOWN = 5
"""Names that a sentence lists."""


class CircuitError(PlaygroundError, ValueError):
    """A circuit that a model doesn't have, or a file that is not one."""


class _File(BaseModel):
    """What a file of a circuit has, and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True)

    format: Literal["transformer-playground-circuit"]
    version: Literal[1]
    of: Literal["nodes", "edges"]
    model: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
    kept: list[Annotated[str, StringConstraints(max_length=200)]]


@dataclass(frozen=True)
class Circuit:
    """Kept parts of a model with some settings: heads and feed-forward networks ("nodes"), or edges."""

    of: Literal["nodes", "edges"]
    kept: tuple[str, ...]  # in the order of the model
    model: str  # fingerprint of the settings that the names belong to, see `fingerprint`

    @classmethod
    def by_hand(cls, config: RunConfig, kept: Iterable[str]) -> Self:
        """A circuit from names of parts or of edges ("SENDER -> RECEIVER"), not of both.

        Raises `CircuitError` for a name that a model with these settings lacks.
        """
        kept = list(kept)
        of: Literal["nodes", "edges"] = "edges" if any("->" in name for name in kept) else "nodes"
        return cls(of, _known(config, of, kept), fingerprint(config))

    @classmethod
    def chosen(
        cls, config: RunConfig, attribution: Attribution, *, keep: int | None = None, threshold: float | None = None
    ) -> Self:
        """The `keep` parts of an attribution with the largest change, or all whose change is at least `threshold`.

        Changes count in either direction: exact ones where they are measured, otherwise estimates. From an attribution
        of nodes come sublayers, an attention with all its heads; positions are left out. From one of heads come heads
        and every feed-forward network, because these are not ranked.

        Raises `CircuitError` unless exactly one of the two is given.
        """
        if (keep is None) == (threshold is None):
            raise CircuitError(
                "keep is the number of parts of a circuit, threshold their smallest change.", "Give one of the two."
            )
        ranked = [row for row in attribution.ranked if "[" not in row.part]
        sizes = [abs(row.estimate if row.exact is None else row.exact) for row in ranked]
        count = keep if keep is not None else sum(size >= (threshold or 0.0) for size in sizes)
        if not 0 <= count <= len(ranked):
            raise CircuitError(f"{count} parts can't be kept.", f"Use 0 to {len(ranked)}.")
        names = [row.part for row in ranked[:count]]
        if attribution.of == "edges":
            return cls("edges", _known(config, "edges", names), fingerprint(config))
        if attribution.of == "heads":
            names += [part.path for part in sublayers(config.model) if part.kind != "MultiHeadAttention"]
        heads = [site.name for site in named(config, "head") if site.name.partition(".head.")[0] in names]
        nodes = [name for name in (*names, *heads) if name in nodes_of(config)]
        return cls("nodes", _known(config, "nodes", nodes), fingerprint(config))

    def to_json(self) -> str:
        """The circuit as text, for `from_json`."""
        content = _File(
            format="transformer-playground-circuit", version=1, of=self.of, model=self.model, kept=list(self.kept)
        )
        return content.model_dump_json(indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes, config: RunConfig) -> Self:
        """A circuit from text of any origin, for a model with these settings; raises `CircuitError`."""
        if len(text) > MAX_CIRCUIT_BYTES:
            raise CircuitError(f"The file is too large. A circuit has at most {MAX_CIRCUIT_BYTES // 1_000_000} MB.")
        try:
            content = _File.model_validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise CircuitError(
                f"The file is not a circuit: {one_line(f'{where}: ' * bool(where) + first['msg'], 120)}.",
                "Choose a JSON file that this app or `attribute --circuit` wrote.",
            ) from None
        if content.model != fingerprint(config):
            raise CircuitError(
                "The circuit belongs to a model with other settings.", "Open it with the model that it was made for."
            )
        return cls(content.of, _known(config, content.of, content.kept), content.model)

    def without(self, part: str) -> Self:
        """The circuit without one of its parts."""
        return replace(self, kept=tuple(name for name in self.kept if name != part))

    def compared(self, known: Collection[str]) -> tuple[float, float]:
        """Precision and recall against the parts that are known to matter: NaN where there are none to count."""
        hits = len(set(self.kept) & set(known))
        return hits / len(self.kept) if self.kept else math.nan, hits / len(known) if known else math.nan


@dataclass(frozen=True)
class CircuitScores:
    """How a model answers with a circuit kept and everything else ablated."""

    exact_match: float  # fraction of answers right in every token, free-running
    logit_difference: float | None  # mean over the inputs that have a partner; None without any
    sequences: int


class Removed(NamedTuple):
    """The scores of a circuit without one of its parts."""

    part: str
    scores: CircuitScores


@dataclass(frozen=True)
class CircuitReport:
    """Faithfulness and minimality of a circuit, as far as they are measured."""

    kept: Circuit
    ablate: Ablation
    inputs: str  # in words: "1,000 held-out inputs"
    intact: CircuitScores  # the whole model
    nothing: CircuitScores  # everything ablated
    circuit: CircuitScores
    parts: tuple[Removed, ...] = ()  # each kept part removed in turn, most important first

    @property
    def faithfulness(self) -> float | None:
        """0: as with everything ablated; 1: as the whole model; by logit difference. None if it is not defined."""
        known = [scores.logit_difference for scores in (self.circuit, self.nothing, self.intact)]
        kept, nothing, intact = (math.nan if value is None else value for value in known)
        return (kept - nothing) / (intact - nothing) if math.isfinite(kept) and intact != nothing else None

    @property
    def needless(self) -> tuple[str, ...]:
        """The kept parts whose removal loses no right answer."""
        return tuple(part for part, scores in self.parts if scores.exact_match >= self.circuit.exact_match)

    @property
    def sentence(self) -> str:
        """The result in sentences."""
        how = {"mean": "its mean over held-out inputs", "other": "its tensors for other inputs"}[self.ablate]
        scores = self.circuit, self.intact, self.nothing
        kept, whole, nothing = (percent(each.exact_match) for each in scores)
        text = (
            f"With everything outside the circuit replaced by {how}, the model answers {kept} of {self.inputs} right; "
            f"the whole model {whole}, and with everything replaced {nothing}."
        )
        if self.parts and self.needless:
            more = len(self.needless) - _SHOWN
            names = ", ".join(self.needless[:_SHOWN]) + f" and {more} more" * (more > 0)
            text += f" Removed alone, {names} cost{'s' * (len(self.needless) == 1)} no right answer."
        elif self.parts:
            text += " Each kept part is needed: without it fewer answers are right."
        return text

    @property
    def card_text(self) -> str:
        """A section for a model card in Markdown: how faithful the circuit is, and what each kept part adds."""
        lines = ["## Circuit", "", self.sentence]
        if self.parts:
            lines += ["", f"| Without (of {len(self.parts)} kept {self.kept.of}) | Exact match |", "|---|---|"]
            lines += [f"| `{part}` | {percent(scores.exact_match)} |" for part, scores in self.parts]
        return "\n".join(lines) + "\n"

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "of": self.kept.of,
            "kept": len(self.kept.kept),
            "ablate": self.ablate,
            "inputs": self.inputs,
            "faithfulness": self.faithfulness,
            **{name: vars(getattr(self, name)) for name in ("intact", "nothing", "circuit")},
            "parts": [{"removed": part, **vars(scores)} for part, scores in self.parts],
            "needless": list(self.needless),
        }

    def frame(self) -> "pd.DataFrame":
        """A DataFrame with a row for each kept part that was removed: removed, exact_match, logit_difference."""
        return data_frame(self.as_json()["parts"])


def is_circuit(file: Path) -> bool:
    """Whether a file that may exist begins as one of a circuit does."""
    try:
        with open_regular(file) as opened:
            return b'"transformer-playground-circuit"' in opened.read(200)
    except OSError:
        return False


def fingerprint(config: RunConfig) -> str:
    """A digest of the settings that decide which parts a model has and what its tokens mean."""
    settings = {
        "model": config.model.model_dump(exclude_defaults=True),
        "task": config.task.name,
        "sizes": [config.vocabulary_size, config.max_positions],
    }
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def nodes_of(config: RunConfig) -> list[str]:
    """Names of the parts of a circuit of nodes: all heads and feed-forward networks, in the order of the model."""
    heads = [site.name for site in named(config, "head")]
    found = []
    for part in sublayers(config.model):
        inside = [name for name in heads if name.startswith(f"{part.path}.")]
        found += inside if part.kind == "MultiHeadAttention" else [part.path]
    return found


def parts_of(config: RunConfig, of: Literal["nodes", "edges"]) -> list[str]:
    """Names of all parts that a circuit can keep; raises `InterventionError` for edges of a model without them."""
    return nodes_of(config) if of == "nodes" else edges(config.model)


def circuit_report(
    model: TaskModel,
    circuit: Circuit,
    ablate: Ablation = "mean",
    *,
    every_input: int | None = None,
    sequences: int = HELD_OUT_SEQUENCES,
) -> Iterator[tuple[int, int, CircuitReport]]:
    """Faithfulness of a circuit, then its minimality: each kept part removed in turn.

    What is not kept is replaced by its mean over held-out inputs, position by position (mean ablation), or by its
    tensors for the next input of the same length (resample ablation). A circuit of nodes keeps the embeddings. Tests
    read `sequences` held-out inputs or, with `every_input`, all inputs up to this length, those of training included.

    Yields the tests done, the tests to do and the report so far. Raises `CircuitError` for a circuit of another model
    and for too many inputs.
    """
    config = model.config
    if circuit.model != fingerprint(config):
        raise CircuitError("The circuit belongs to a model with other settings.")
    if ablate not in get_args(Ablation):
        raise CircuitError(f"ablate can't be {one_line(ablate, 40)}.", f"Use {' or '.join(get_args(Ablation))}.")
    source, inputs = _inputs(config, every_input, sequences)
    groups, every = list(paired(config, source).groups(config)), parts_of(config, circuit.of)
    averages = means(model, _taps(config, circuit.of)) if ablate == "mean" else None
    test = partial(_scores, model, circuit.of, groups, averages)
    total = 3 + len(circuit.kept)
    report = CircuitReport(circuit, ablate, inputs, test(every), test(()), test(circuit.kept))
    yield 3, total, report
    for done, part in enumerate(circuit.kept, start=4):
        removed = Removed(part, test(circuit.without(part).kept))
        report = replace(report, parts=tuple(sorted((*report.parts, removed), key=_importance)))
        yield done, total, report


@contextmanager
def with_circuit(
    model: TaskModel, of: Literal["nodes", "edges"], kept: Collection[str], stored: Mapping[str, Stored]
) -> Iterator[TaskModel]:
    """A copy of `model` in which only these parts compute; all others give what is stored."""
    left_out = [name for name in parts_of(model.config, of) if name not in set(kept)]
    if of == "edges":
        with patched_edges(model, left_out, stored) as changed:
            yield changed
        return
    entries: dict[str, list[int]] = {}
    for name in left_out:
        site = sites(model.config)[name]
        entries.setdefault(site.taps[0], []).extend([] if site.head is None else [site.head])

    def ablated(tap: str, value: Tensor) -> Tensor:
        replaced = overlaid(value, stored[tap])
        if not entries[tap]:  # a feed-forward network
            return replaced
        value = value.clone()
        value[:, entries[tap]] = replaced[:, entries[tap]]
        return value

    instance = with_shared_weights(model).eval()
    with hooked(instance, {tap: partial(ablated, tap) for tap in entries}):
        yield instance


def _inputs(config: RunConfig, every_input: int | None, sequences: int) -> tuple[Tensor, str]:
    """Sources to test, (N, S), and what they are."""
    if every_input is None:
        source = Sequences.of(config.task).held_out(sequences)
        return source, f"{len(source):,} held-out inputs"
    task = task_of(config.task)
    if task.continues:
        raise CircuitError("The inputs of this task are parts of a text, so they can't be listed.")
    if every_input not in countable(config):
        low, high = config.task.min_length, config.task.max_length
        if not low <= every_input <= high:
            raise CircuitError(f"Inputs up to length {every_input} can't be listed.", f"Use {low} to {high}.")
        shorter = _up_to(config, every_input)
        count = shorter.count_sources()
        raise CircuitError(f"There are {count:,} inputs of {shorter.lengths}, more than {MAX_ENUMERATED:,}.")
    return every_source(_up_to(config, every_input)), countable(config)[every_input]


def countable(config: RunConfig) -> dict[int, str]:
    """Lengths up to which all inputs can be tested, with these in words: "all 110 inputs of 1 to 2 symbols"."""
    if task_of(config.task).continues:
        return {}
    lengths = range(config.task.min_length, config.task.max_length + 1)
    tasks = {length: _up_to(config, length) for length in lengths}
    return {
        length: f"all {task.count_sources():,} inputs of {task.lengths}"
        for length, task in tasks.items()
        if task.count_sources() <= MAX_ENUMERATED
    }


def _up_to(config: RunConfig, length: int) -> Task:
    """The task with a smaller maximum length."""
    return task_of(config.task.model_copy(update={"max_length": length}))


def _taps(config: RunConfig, of: Literal["nodes", "edges"]) -> list[str]:
    if of == "edges":
        return sender_taps(config.model)
    return list(dict.fromkeys(sites(config)[name].taps[0] for name in nodes_of(config)))


@torch.inference_mode()
def _scores(
    model: TaskModel,
    of: Literal["nodes", "edges"],
    groups: Sequence[PairGroup],
    averages: Mapping[str, Stored] | None,
    kept: Collection[str],
) -> CircuitScores:
    right, differences = list[Tensor](), list[Tensor]()
    stored = dict(averages or {})  # read in each pass
    with with_circuit(model, of, kept, stored) as changed, caching(changed, "logits") as cache:
        changed.decoding = model.decoding  # a change at a position reads no later one, so a causal mask holds
        for group in groups:
            if averages is None:
                stored |= everywhere(run_with_cache(model, group.other, _taps(model.config, of))[1])
            right.append(answered_right(changed, group.source))
            if model.decoding == "token_by_token":
                changed(*group.own.to(model.device))
            difference = measured("logit_difference", cache["logits"].cpu(), group.own.labels, group.other.labels)
            differences.append(difference[group.differ])
    every, answers = torch.cat(differences).double(), torch.cat(right)
    return CircuitScores(float(answers.double().mean()), float(every.mean()) if len(every) else None, len(answers))


def _known(config: RunConfig, of: Literal["nodes", "edges"], kept: Collection[str]) -> tuple[str, ...]:
    """Names in the order of the model; raises `CircuitError` for one that it lacks."""
    every = parts_of(config, of)
    if len(kept) > MAX_KEPT:
        raise CircuitError(f"{len(kept):,} parts are too many. A circuit has at most {MAX_KEPT:,}.")
    if missing := [name for name in kept if name not in set(every)]:
        what = "head or feed-forward network" if of == "nodes" else "edge"
        raise CircuitError(
            f"This model has no {what} {one_line(missing[0], 200)}.", f"A name is, for example, {every[0]}."
        )
    wanted = set(kept)
    return tuple(name for name in every if name in wanted)


def _importance(removed: Removed) -> tuple[float, float]:
    return removed.scores.exact_match, removed.scores.logit_difference or 0.0
