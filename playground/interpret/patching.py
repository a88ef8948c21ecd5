"""Activation patching: which position of which layer carries what differs between two inputs.

One entry of the pass over one input is replaced by that of the other, and the effect on the answer is measured
(Vig et al. 2020, arXiv:2004.12265; Meng et al. 2022, arXiv:2202.05262; Heimersheim & Nanda 2024, arXiv:2404.15255).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from playground.interpret.interventions import InterventionError, typed_source
from playground.interpret.sites import Site, named, sites, stream
from playground.model.task_model import TaskModel
from playground.recording import intervene, run_with_cache
from playground.tasks import PAD
from playground.tasks.batches import Batch, make_batch

PatchKind = Literal["stream", "sublayer", "head"]
Metric = Literal["logit_difference", "probability", "loss"]


class PassScore(NamedTuple):
    """The right answer to the first input in one pass: its probability and its lead."""

    probability: float  # of the right tokens, mean over the answer
    logit_difference: float
    """Logit of the right token minus that of the other input's, mean over the positions where these differ."""


@dataclass(frozen=True)
class PatchMap:
    """The effect of each entry that was patched so far."""

    done: int
    total: int
    intact: PassScore  # without a patch
    other: PassScore  # the pass over the other input, measured by the same tokens
    rows: Mapping[str, tuple[PassScore, ...]] = field(default_factory=dict)
    """By site, in the order of the model: one measurement for each position that is patched, from 0."""

    def effect(self, measured: PassScore) -> float:
        """0: as without a patch; 1: as the other input; by logit difference."""
        whole = self.intact.logit_difference - self.other.logit_difference
        return (self.intact.logit_difference - measured.logit_difference) / whole if whole else 0.0


def patch_map(model: TaskModel, text: str, other: str, kind: PatchKind = "stream") -> Iterator[PatchMap]:
    """Patch each position of each layer of `text` from `other`; yield before the first site and after each.

    stream: the residual stream before the first layer and after each; sublayer: what each sublayer adds; head: the
    output of each head before W^O. The decoder reads the right answer of its own input in both passes.

    Raises `InputError` for an invalid input, `InterventionError` for inputs of different lengths or with equal answers.
    """
    config = model.config
    source = typed_source(text, config)
    batches = [make_batch(config, tokens) for tokens in (source, typed_source(other, config, source.size(1)))]
    right, wrong = (batch.labels[0] for batch in batches)
    if right.shape != wrong.shape:
        raise InterventionError("The answers to the two inputs have different lengths. A patch needs equal lengths.")
    if torch.equal(right, wrong):
        raise InterventionError("Both inputs have the same answer, so no patch can change it. Choose another input.")
    patched = [sites(config)[name] for name in stream(config)] if kind == "stream" else named(config, kind)
    taps = [tap for site in patched for tap in site.taps]
    _, theirs = run_with_cache(model, batches[1], [*taps, "logits"])
    intact = _measured(run_with_cache(model, batches[0], "logits")[1]["logits"], right, wrong)[0]
    there = _measured(theirs["logits"], right, wrong)[0]
    rows: dict[str, tuple[PassScore, ...]] = {}
    yield PatchMap(0, len(patched), intact, there)
    for site in patched:
        rows[site.name] = tuple(_measured(_each_position(model, batches[0], site, theirs), right, wrong))
        yield PatchMap(len(rows), len(patched), intact, there, dict(rows))


def _each_position(model: TaskModel, batch: Batch, site: Site, theirs: Mapping[str, Tensor]) -> Tensor:
    """(P, T, V) logits: row p of the batch has position p of the site patched."""
    (tap,) = site.taps
    head = () if site.head is None else (site.head,)
    other = theirs[tap][(0, *head)]  # (P, D) or (P, K)
    count = len(other)

    def patch(value: Tensor) -> Tensor:
        value, rows = value.clone(), torch.arange(count)
        value[(rows, *head, rows)] = other.to(value.device)
        return value

    source, target, source_lengths = (part if part is None else part.expand(count, -1) for part in batch[:3])
    repeated = Batch(source, target, source_lengths, batch.labels.expand(count, -1))
    with intervene(model, {tap: patch}) as changed:
        return run_with_cache(changed, repeated, "logits")[1]["logits"]


def measured(metric: Metric, logits: Tensor, right: Tensor, wrong: Tensor) -> Tensor:
    """(B,) a metric of the right answer in each row of (B, T, V) logits; the labels are (B, T) or (T,).

    logit_difference: the logit of the right token minus that of the other input's, mean over the positions where these
    differ. probability: of the right token, mean over the answer. loss: in nats, mean over the answer.
    """
    right, wrong = (labels.expand(logits.shape[:2]) for labels in (right, wrong))
    asked = right != PAD
    if metric == "logit_difference":
        asked = asked & (right != wrong) & (wrong != PAD)
        of_right, of_wrong = (logits.gather(-1, labels[..., None])[..., 0] for labels in (right, wrong))
        values = of_right - of_wrong
    else:
        values = logits.log_softmax(-1).gather(-1, right[..., None])[..., 0]
        values = values.exp() if metric == "probability" else -values
    return values.masked_fill(~asked, 0.0).sum(1) / asked.sum(1)


def _measured(logits: Tensor, right: Tensor, wrong: Tensor) -> list[PassScore]:
    """A measurement for each row of (B, T, V) logits."""
    probability, difference = (
        measured(metric, logits, right, wrong).tolist() for metric in ("probability", "logit_difference")
    )
    return [PassScore(*numbers) for numbers in zip(probability, difference, strict=True)]
