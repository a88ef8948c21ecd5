"""Figures of what is measured of a checkpoint: its training, each part switched off, lengths, and roles of heads."""

from collections.abc import Mapping, Sequence
from typing import Any

from playground.common.errors import PlaygroundError
from playground.common.numbers import wilson
from playground.experiments import lengths as measure_lengths
from playground.export.format import Export
from playground.interpret.ablation import ablate_each
from playground.interpret.sites import words
from playground.pictures import charts, measured_charts
from playground.tasks import task_of
from playground.training.roles import ROLES, measure_roles


class NoFigureError(PlaygroundError, ValueError):
    """A figure for which this checkpoint has nothing to measure."""


def training(export: Export) -> dict[str, Any]:
    """Loss and accuracy of the whole training; raises `NoFigureError` without records."""
    history = export.checkpoint.history
    if not history:
        raise NoFigureError("This checkpoint has no training records, so it has no figure of its training.")
    return charts.training_picture(history, continues=task_of(export.checkpoint.config.task).continues)


def ablation(export: Export) -> dict[str, Any]:
    """Exact match on held-out inputs without each head and each sublayer, the most important first.

    Of a task whose answers can go on in many ways, it is the loss.
    """
    model = export.checkpoint.model
    share = not task_of(model.config.task).continues
    groups: dict[str, Sequence[Mapping[str, Any]]] = {}
    for kind, title in (("head", "Heads"), ("sublayer", "Sublayers")):
        *_, ranking = ablate_each(model, "head" if kind == "head" else "sublayer")
        inputs = f"{ranking.intact.sequences:,} held-out inputs"
        groups[f"{title} switched off one by one, {inputs}, dashed: no part off"] = [
            {"part": words(part.off), "value": scores.exact_match if share else scores.loss}
            | (dict(zip(("low", "high"), wilson(scores.exact_match, scores.sequences))) if share else {})
            for part in ranking.parts
            for scores in (part.scores,)
        ]
    intact = ranking.intact.exact_match if share else ranking.intact.loss
    return measured_charts.by_part(groups, intact, share=share)


def lengths(export: Export) -> dict[str, Any]:
    """Exact match by length of the input, with the trained lengths shaded; raises `LengthError`."""
    config = export.checkpoint.config
    *_, (_, _, scores) = measure_lengths.by_length(export.checkpoint.model)
    picture = charts.by_length(
        {config.task.name: measure_lengths.points(scores)},
        [(config.task.min_length, config.task.max_length)],
        charts.SERIES_COLOURS["light"][:1],
    )
    inputs = f"at most {measure_lengths.SEQUENCES} inputs each, lines: 95 % intervals, shaded: trained lengths"
    return picture | measured_charts.STYLE | {"title": f"Exact match by length, {inputs}", "width": 560, "height": 260}


def roles(export: Export) -> dict[str, Any]:
    """Mean attention weight of each head on positions of each kind, over held-out inputs."""
    *_, (_, _, scores) = measure_roles(export.checkpoint.model)
    heads = {head: words(f"{head.attention}.head.{head.number}") for head in scores}
    rows = [
        {"head": heads[head], "role": ROLES[score.role].words, "weight": score.weight}
        for head, of_head in scores.items()
        for score in of_head
    ]
    found = {row["role"] for row in rows}
    return measured_charts.by_role(
        rows, [*heads.values()], [role.words for role in ROLES.values() if role.words in found]
    )
