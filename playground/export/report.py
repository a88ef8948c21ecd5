"""A report as one HTML file that needs no network: all figures of a checkpoint, examples and settings."""

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from playground.common.errors import PlaygroundError
from playground.common.numbers import interval, percent, perplexity
from playground.experiments.lengths import LengthError
from playground.explain.inspection import Walk
from playground.export.figure import FigureError
from playground.export.format import ATTENTION, FIGURES, Export
from playground.export.measured_figures import NoFigureError
from playground.hub.preparation import examples_of
from playground.pictures import charts
from playground.pictures.diagram import architecture_diagram
from playground.settings.config import parameter_counts, setting_paths, value_text
from playground.storage.checkpoint import Checkpoint
from playground.tasks import task_of, text_of
from playground.training.roles import ROLE_LETTERS

_STYLE = """
:root { --st-font: "Source Sans 3", Arial, Helvetica, sans-serif; color-scheme: light; color: #1b1f2e; background: #fff;
  font: 16px/1.5 var(--st-font); }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #d5d8e3; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
th { font-weight: 600; } code { font-family: ui-monospace, monospace; } .soft { color: #55606f; }
td, code { overflow-wrap: anywhere; } td:first-child { min-width: 6rem; }
.columns { display: flex; flex-wrap: wrap; gap: 1rem 3rem; } .wide { overflow-x: auto; }
.arch { display: block; max-width: 34rem; }
"""
_MEASURES = {
    "exact_match": "exact match",
    "token_accuracy": "token accuracy",
    "teacher_forced_token_accuracy": "next tokens right",
    "validation_loss": "held-out loss",
}


class ReportError(PlaygroundError, ValueError):
    """A report that could not be made."""


def content(export: Export) -> bytes:
    """The report on a checkpoint and on one of its passes."""
    checkpoint, walk = export.checkpoint, export.walk
    config, history = checkpoint.config, checkpoint.history
    task = task_of(config.task)
    title = f"{config.task.name} · {config.model.architecture}"
    read = escape(_text(walk, "S") or _text(walk, "T"))
    parts = [
        f"<h1>{escape(title)}</h1><p>{_sentence(checkpoint, history)}</p>",
        f"<h2>Training</h2>{_figure(export, 'training')}",
        "<h2>Examples</h2>" + _examples(checkpoint),
        f"<h2>Each part switched off</h2>{_figure(export, 'ablation')}",
        f"<h2>Exact match by length</h2>{_figure(export, 'lengths')}",
        f"<h2>Roles of heads</h2><p>{escape(ROLE_LETTERS)}</p>{_figure(export, 'roles')}",
        f"<h2>Attention weights</h2><p>Input: <code>{read}</code></p>{_figure(export, ATTENTION)}",
        f'<h2>Architecture</h2><div class="wide">{architecture_diagram(config)}</div>',
        f"<h2>Settings</h2><p>Task: {escape(config.task.name)}, {escape(task.inputs)}.</p>" + _settings(checkpoint),
    ]  # fmt: skip
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body>{''.join(parts)}</body></html>"
    )
    return page.encode()


def _sentence(checkpoint: Checkpoint, history: Sequence[Mapping[str, float]]) -> str:
    """Size, training steps and accuracy in a sentence, as far as the records have them."""
    parameters = sum(parameter_counts(checkpoint.config).values())
    facts = [f"{parameters:,} parameters"]
    if history:
        facts.append(f"{int(history[-1]['step']):,} training steps")
        newest: dict[str, float] = {}
        continues = task_of(checkpoint.config.task).continues
        left_out = {"exact_match", "token_accuracy"} if continues else {"teacher_forced_token_accuracy"}
        sequences = 0
        for record in history:
            newest |= {name: record[name] for name in _MEASURES if name in record and name not in left_out}
            sequences = int(record.get("sequences", sequences))
        for name, value in newest.items():
            text = f"{value:.4f}" if "loss" in name else percent(value)
            if name == "exact_match" and sequences:
                text += f" on {sequences:,} held-out inputs (95 % interval {interval(value, sequences)})"
            facts.append(f"{_MEASURES[name]} {text}")
        if continues and "validation_loss" in newest:
            facts.append(f"perplexity {perplexity(newest['validation_loss']):.3g}")
    return escape(", ".join(facts)) + "."


def _chart(specification: Mapping[str, Any]) -> str:
    drawn = charts.drawn(json.dumps(specification), "svg")
    if drawn is None:
        limit = f"less than {charts.DRAW_SECONDS:g} s"
        raise ReportError(f"The report could not be drawn: it needs the package vl-convert-python and {limit}.")
    return f'<div class="wide">{drawn.decode()}</div>'


def _figure(export: Export, name: str) -> str:
    """One of `FIGURES`, or a sentence on why this checkpoint doesn't have it."""
    try:
        drawing = FIGURES[name].drawing(export)
    except (FigureError, NoFigureError, LengthError) as error:
        return f"<p>{escape(str(error))}</p>"
    assert isinstance(drawing, dict)
    return _chart(drawing)


def _examples(checkpoint: Checkpoint) -> str:
    right, wrong = "right", "wrong, right is"
    if task_of(checkpoint.config.task).continues:
        right, wrong = "as in the text", "in the text:"
    rows = [
        (example.text, example.answer, right if example.answer == example.expected else f"{wrong} {example.expected}")
        for example in examples_of(checkpoint)
    ]
    return _table(("input", "answer", ""), rows)


def _settings(checkpoint: Checkpoint) -> str:
    config = checkpoint.config
    tables = []
    for name, group in config.model_dump(include={"task", "model", "training"}).items():
        titles = {key: f"{setting_paths()[f'{name}.{key}'].title} ({key})" for key in group}
        rows = [(titles[key], value_text(value)) for key, value in group.items() if value != ""]
        tables.append(f"<div><h3>{name.capitalize()}</h3>{_table((), rows)}</div>")
    changed = [
        (f"after step {change.step}", ", ".join(f"{path} {value}" for path, value in change.settings.items()))
        for change in checkpoint.changes
    ]
    during = f"<h3>Changes during training</h3>{_table((), changed)}" if changed else ""
    return f'<div class="columns">{"".join(tables)}</div><p>Seed {config.seed}.</p>{during}'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{f'<tr>{titles}</tr>' if head else ''}{lines}</table>"


def _text(walk: Walk, letter: str) -> str:
    """The tokens of this letter as a person types them; empty if the model reads none."""
    ids = {"S": walk.batch.source, "T": walk.batch.target}[letter]
    return "" if ids is None else text_of(ids[0].tolist(), walk.model.config.task)
