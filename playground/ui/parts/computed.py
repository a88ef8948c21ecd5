"""Computations requested by browsers, as plain functions without Streamlit, run in a separate process."""

import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import segno

from playground.common.errors import CheckpointError
from playground.common.numbers import as_csv
from playground.decoding import batch_to_read, generate
from playground.model.architecture import attention_weights
from playground.model.task_model import TaskModel
from playground.pictures.charts import TABLES
from playground.recording import run_with_cache
from playground.runs.reader import Records
from playground.runs.snapshots import put_weights
from playground.settings.config import RunConfig, parameter_counts
from playground.storage.checkpoint import load, read_history, read_summary
from playground.tasks import EOS, decode, example_text, text_of
from playground.training import SHOWN_EXAMPLES, Recipe, examples
from playground.training.measure import table
from playground.ui.parts.heatmaps.folding import Span
from playground.ui.parts.heatmaps.heatmap import Heatmap, Side, message, pack

LONGEST_CODE = 1000
"""Maximum characters of an address in a QR code: more would need modules too small for a projector."""


# --- attention ---


def attention_of_checkpoint(folder: Path, text: str | None, most_heads: int | None, most_parameters: int) -> bytes:
    """Weights of the last attention that can read the source, on `text` or by default on an example; packed.

    Raises `CheckpointError`, also for a model with more than `most_parameters`, and `InputError`.
    """
    parameters = sum(parameter_counts(read_summary(folder).config).values())
    if parameters > most_parameters:
        raise CheckpointError(f"Its {parameters:,} parameters are too many for a picture.")
    model = load(folder).model
    tap = why(model.config)
    arrays = looked_at(model, example_text(model.config.task) if text is None else text, [tap])
    try:
        return message(pack(*drawn(model.config, tap, arrays, most_heads)), {})
    except ValueError as error:  # finite weights can give infinite results
        raise CheckpointError("Its attention weights are not finite.") from error


def attention_of_run(recipe: Recipe, config: RunConfig, weights: bytes, step: int, example: int) -> dict[str, bytes]:
    """All attention weights of a held-out example after `step`, packed, by tap; see `_model_of_run`."""
    taps = attention_weights(config.model)
    arrays = looked_at(_model_of_run(recipe, config, weights), _source(config, example), taps)
    return {tap: message(pack(*drawn(config, tap, arrays)), {"step": step}) for tap in taps}


def answer_of_run(recipe: Recipe, config: RunConfig, weights: bytes, step: int, source: Sequence[int]) -> bytes:
    """The greedy answer to token ids after `step`, as JSON with the names of both; see `_model_of_run`."""
    answered = generate(_model_of_run(recipe, config, weights), list(source))
    names = {"reads": decode(source, config.task), "says": decode(answered, config.task)}
    return json.dumps({"step": step, **names}, ensure_ascii=False).encode()


def _model_of_run(recipe: Recipe, config: RunConfig, weights: bytes) -> TaskModel:
    """The model of a run, which `recipe` builds, in evaluation mode.

    `weights` are its float32 weights, in the order of the parameters; empty if the settings determine them.
    """
    model = recipe.model(config).eval()
    if weights:
        put_weights(model, weights)
    return model


def why(config: RunConfig) -> str:
    """The most informative operation: the weights of the last attention, which can read the source."""
    return attention_weights(config.model)[-1]


def looked_at(model: TaskModel, text: str, taps: Sequence[str]) -> dict[str, np.ndarray]:
    """Weights (heads, rows, columns) by tap, and the token ids that are read under "S" and "T".

    The decoder reads the model's own answer, as in Step through. Raises `InputError` if the model can't read the text.
    """
    batch = batch_to_read(model, text)
    _, cache = run_with_cache(model, batch, taps)
    names = {"S": batch.source, "T": batch.target}
    read = {letter: ids[0].numpy() for letter, ids in names.items() if ids is not None}
    return {tap: weights[0].numpy() for tap, weights in cache.items()} | read


def _source(config: RunConfig, example: int) -> str:
    shown = examples(config, [()] * SHOWN_EXAMPLES)[example]
    return text_of([token for token in shown.source if token != EOS], config.task)


def drawn(
    config: RunConfig, tap: str, arrays: dict[str, np.ndarray], most_heads: int | None = None
) -> tuple[list[Heatmap], dict[str, tuple[int, list[str]]]]:
    """The weights of a tap from `looked_at`, as `heatmap.pack` takes them; at most the first `most_heads` heads."""
    weights = arrays[tap][:most_heads]
    heads, rows, columns = weights.shape
    encoder = tap.startswith("encoder")
    row = "S" if encoder else "T"
    column = "S" if encoder or ".cross_attention." in tap else "T"
    hidden = None
    if not encoder and column == "T" and config.model.causal_mask:
        hidden = np.triu(np.ones((1, rows, columns), dtype=np.uint8), 1)
    heatmap = Heatmap(
        name=tap,
        title="",
        values=weights,
        axes=("", "head", "row", "column"),
        heads=Span(0, heads, len(arrays[tap])),
        rows=Side(row, Span(0, rows, rows), row),
        columns=Side(column, Span(0, columns, columns), column),
        kind="probability",
        output=True,
        hidden=hidden,
    )
    return [heatmap], {letter: (0, decode(arrays[letter].tolist(), config.task)) for letter in {row, column}}


# --- histories ---


def curves_of_checkpoint(folder: Path, version: int, most_rows: int) -> bytes:
    """A checkpoint's history in the JSON format of `RunCurves.fields`, evenly thinned; raises `CheckpointError`."""
    records = list(read_history(folder))
    tables = {name: _table(records, name, most_rows) for name in TABLES}
    fields = {"version": version, "tables": tables, "changes": [], "kept": []}
    return json.dumps(fields, separators=(",", ":"), allow_nan=False).encode()


def _table(records: Sequence[dict[str, float]], name: str, most_rows: int) -> dict[str, Any]:
    """Evenly thinned rows, always with the last one."""
    measures = TABLES[name]
    rows = [
        [record["step"], *(record.get(measure) for measure in measures)]
        for record in records
        if any(measure in record for measure in measures)
    ]
    every = math.ceil(len(rows) / most_rows) or 1
    return {"all": True, "rows": rows[::-1][::every][::-1]}


def csv_of_checkpoint(folder: Path) -> bytes:
    """The history of a checkpoint as CSV; raises `CheckpointError`."""
    return as_csv(table(list(read_history(folder)))).encode()


def csv_of_run(records: Records) -> bytes:
    """The history of a run as CSV."""
    return as_csv(table(records.read())).encode()


# --- codes ---


def check_code(address: str) -> None:
    """Raise ValueError with a sentence if the address is invalid or too long for a QR code."""
    try:
        scheme = urlsplit(address).scheme
    except ValueError:  # an unclosed bracket
        scheme = ""
    if scheme not in ("http", "https"):
        raise ValueError("A QR code needs an address that begins with http:// or https://.")
    if len(address) > LONGEST_CODE:
        raise ValueError(f"The address has {len(address):,} characters. A QR code here holds {LONGEST_CODE:,} at most.")


def code(address: str) -> bytes:
    """The QR code of an address as SVG.

    Dark on white with a white margin, which scanners need in both themes.
    """
    check_code(address)
    picture = io.BytesIO()
    segno.make(address, micro=False, error="m").save(
        picture, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, xmldecl=False, nl=False
    )
    return picture.getvalue()
