"""Slow motion: one training step stage by stage, each marked in the diagram beside its result."""

import math
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from time import monotonic
from typing import Any

import numpy as np
import streamlit as st

from playground.common.numbers import percent
from playground.explain.outline import around, label
from playground.runs import SLOW_MOTION, RunView
from playground.runs.slow_motion import StageShown
from playground.settings.config import RunConfig
from playground.tasks import EOS, PAD, SEP, decode, task_of, text_of, token_names
from playground.training.stages import stage_plan
from playground.ui.parts import style
from playground.ui.parts.heatmaps.folding import Extent, Span, fold
from playground.ui.parts.heatmaps.heatmap import Heatmap, HeatmapKind, Side, message, pack
from playground.ui.parts.map.model_map import architecture, lit
from playground.ui.server import channels
from playground.ui.server.assets import loader
from playground.ui.session import at_step, sources
from playground.ui.session import session_keys as keys

_MAX_BYTES = 85_000  # bytes of the numbers in one message
_KINDS: dict[str, HeatmapKind] = {"weights": "probability", "probabilities": "probability", "gates": "probability"}
_WORDS = {"embed": "Embed", "feed_forward": "Feed-forward", "optimizer": "Optimizer", "gates": "Mixture"}
_READS = {"source": "encoder reads", "target": "decoder reads", "labels": "labels"}


def is_shown(run: RunView) -> bool:
    """True if the run is in slow motion."""
    return run.pace == SLOW_MOTION and not run.ended


@channels.run_channel("slow")
def fields(run: RunView) -> dict[str, Any]:
    """Channel fields: the stage in base64."""
    return {"message": b64encode(_message(run, run.stage if is_shown(run) else None)).decode()}


def show(run: RunView) -> None:
    """Draw the current stage, which the event stream updates, with constant height."""
    with st.container(key="slow"):
        stage_column, picture = st.columns([8, 3], gap="medium")
        with stage_column:
            _stage(
                key="slow_motion",
                data={"channel": f"slow/{run.id}", "at": monotonic(), "now": fields(run)},
                height="content",
            )
            st.button(
                "Open this operation in Step through",
                icon=":material/footprint:",
                type="tertiary",
                disabled=run.stage is None,
                on_click=_open,
                args=(run,),
            )
        with picture:
            part = architecture(run.config, action="Click to see its numbers.")
    if part:
        keys.PART.set(part)
        _leave(run.step)


def _words(stage: StageShown | None) -> str:
    """HTML with the title, sentence and number of the current stage."""
    if stage is None:
        title, shape, remark, counter = "Slow motion", "", "", "&nbsp;"
        sentence = "The first stage appears with the next step."
    else:
        title, sentence = stage.title, stage.sentence
        shape = style.shape(("B", *stage.dims), stage.shape) if stage.dims else ""
        remark = "shown: one sequence" if shape or stage.kind == "batch" else ""
        counter = f"Training step {stage.step:,} · stage {stage.at + 1} of {stage.of}"
    return (
        f'<div class="operation"><h2>{escape(title)}{shape}</h2>'
        f'<span class="small soft remark">{remark}</span><span class="small soft" role="status">{counter}</span></div>'
        f'<p class="sentence">{style.marked(sentence)}</p>'
    )


def _strip(config: RunConfig, stage: StageShown | None) -> str:
    """HTML list of all stages of a step, with a mark on the current one."""
    plan, now = stage_plan(config), stage.at if stage else -1
    groups = []
    for group, members in groupby(enumerate(plan), key=lambda member: _group(member[1][1])):
        segments = [_segment(kind, tap, (index > now) - (index < now)) for index, (kind, tap) in members]
        name = f'<span class="group-name">{group.capitalize()}</span>'
        groups.append(f'<li style="--stages: {len(segments)}">{name}<ol>{"".join(segments)}</ol></li>')
    return f'<ol class="stages" aria-label="Stages of a training step">{"".join(groups)}</ol>'


def _group(tap: str) -> str:
    """Heading of a stage in the list, such as a layer; empty for stages outside the stacks."""
    stack, *path = tap.split(".")
    return stack if path and path != ["tokens"] else ""


def _segment(kind: str, tap: str, when: int) -> str:
    """One stage of the list; `when` is -1 if it is done, 0 if it is the current one, 1 if later."""
    sublayer = tap.split(".")[3] if kind == "attention" else "gates" if tap.endswith(".gates") else kind
    words = _WORDS.get(sublayer, sublayer.replace("_", "-").capitalize())
    where = ", ".join(around(tap)[:2]) if "." in tap and kind != "batch" else ""
    current = ' aria-current="step"' if when == 0 else ""
    return (
        f'<li class="{kind} {("done", "now", "later")[when + 1]}" title="{words}{where and ", "}{where}"{current}>'
        f'<span class="word">{words}</span><span class="initial" aria-hidden="true">{words[0]}</span></li>'
    )


def _numbers(config: RunConfig, stage: StageShown) -> str:
    """Result of a stage without a tensor, as HTML: tokens or numbers."""
    if stage.kind == "batch":
        rows = [
            (_READS[name], style.tokens(decode(tokens, config.task))) for name, tokens in stage.tokens.items() if tokens
        ]
        return style.table(("sequence", ""), rows)
    if stage.kind == "loss":
        loss, size = stage.numbers["loss"], config.vocabulary_size
        unsmoothed = stage.numbers.get("unsmoothed_loss", loss)
        meaning = f"The geometric mean of the right tokens' probabilities is <b>{percent(math.exp(-unsmoothed))}</b>"
        if floor := stage.numbers.get("smoothing_floor"):
            meaning = (
                f"Label smoothing keeps the loss at {floor:.4f} or above. Without smoothing it is {unsmoothed:.4f}. "
                f"{meaning}"
            )
        if "objective" in stage.numbers:
            objective, balance = stage.numbers["objective"], stage.numbers["balance_loss"]
            meaning = (
                f"With the balancing loss of all mixtures, {balance:.4f}, training minimizes <b>{objective:.4f}</b>. "
                f"{meaning}"
            )
        return (
            f'<div class="one-number">{loss:.4f}</div><p>{meaning}. Guessing among all {size} tokens gives each '
            f"{percent(1 / size)}, and a loss of {math.log(size):.4f}.</p>"
        )
    if stage.kind == "backward":
        return _bars(stage.numbers, "gradient_norm", "norm of the gradient")
    if stage.kind == "optimizer":
        return _bars(stage.numbers, "update_norm", "norm of the update")
    return ""


def _bars(numbers: Mapping[str, float], measure: str, title: str) -> str:
    """HTML: a bar for each part of the model, and a line for all together."""
    parts = {name.removeprefix(f"{measure}."): size for name, size in numbers.items() if name.startswith(f"{measure}.")}
    most = max(parts.values(), default=0.0) or 1.0
    bars = "".join(
        f'<dt>{escape(name)}</dt><dd><i style="width: {size / most:.1%}"></i></dd><dd>{size:.3g}</dd>'
        for name, size in parts.items()
    )
    whole = [f"{style.marked(title)} of all together <b>{numbers[measure]:.3g}</b>"]
    for other, words in (("learning_rate", "learning rate"), ("clip_grad_norm", "clipped to at most")):
        if other in numbers:
            whole.append(f"{style.marked(words)} <b>{numbers[other]:.3g}</b>")
    return f'<dl class="bars">{bars}</dl><p>{" · ".join(whole)}</p>'


def _message(run: RunView, stage: StageShown | None) -> bytes:
    """Data of the stage for slow_motion.ts."""
    more: dict[str, Any] = {"strip": _strip(run.config, stage), "words": _words(stage)}
    if stage is None:
        return message((b"", b""), {**more, "stage": "", "numbers": "", "tensors": [], "labels": {}, "lit": None})
    more |= {"stage": f"{run.id} {stage.step} {stage.at}", "lit": _lit(stage), "numbers": _numbers(run.config, stage)}
    if stage.value is None:
        return message((b"", b""), {**more, "tensors": [], "labels": {}})
    return message(pack(*_heatmap(run.config, stage, stage.value)), more)


def _heatmap(
    config: RunConfig, stage: StageShown, value: np.ndarray
) -> tuple[list[Heatmap], dict[str, tuple[int, Sequence[str]]]]:
    """Heatmap and its labels; `value` is (rows, columns) or (heads, rows, columns)."""
    values = value.reshape(-1, *value.shape[-2:])
    rows, columns = values.shape[1:]
    heads = stage.shape[1] if len(stage.dims) == 3 else 1
    at_a_time, width = fold([Extent(len(values), rows, columns, cell=4)], _MAX_BYTES)
    # Padding is cut off; the sequence itself is complete.
    shown, part = Span(0, at_a_time, heads), Span(0, min(width, columns), columns if stage.columns else stage.shape[-1])
    row, column = stage.dims[-2:]
    labels: dict[str, tuple[int, Sequence[str]]] = {}
    for key, letter, tokens in (("rows", row, stage.rows), ("columns", column, stage.columns)):
        if letter == "V":
            labels[key] = (0, token_names(config.task)[part.part])
        elif tokens:
            labels[key] = (0, decode(list(tokens), config.task))
    last = stage.tap.rpartition(".")[2]
    drawn = Heatmap(
        name=stage.tap,
        title=label(stage.tap).capitalize(),
        values=values[shown.part, :, part.part],
        axes=("head", "row", "column")[-len(stage.dims) :],
        heads=shown if len(stage.dims) == 3 else None,
        rows=Side(row, Span(0, rows, rows), "rows" if "rows" in labels else ""),
        columns=Side(column, part, "columns" if "columns" in labels else ""),
        kind=_KINDS.get(last, "signed"),
        role=style.role(last),
        output=True,
    )
    return [drawn], labels


def _lit(stage: StageShown) -> dict[str, Any]:
    """The marked part of the diagram: a module, the tokens, or the whole model."""
    if stage.kind == "batch":
        return {"parts": ["encoder.tokens", "decoder.tokens"]}
    if stage.kind in ("backward", "optimizer"):
        return {"parts": [], "whole": True}
    return lit(stage.tap)


def _operation(stage: StageShown) -> str:
    """The operation of Step through with the same tensor; empty if there is none."""
    return "loss" if stage.kind == "backward" else stage.tap


def _open(run: RunView) -> None:
    """Open the operation in Step through with the weights and the sequence of the current stage."""
    if (stage := run.stage) is None:
        return
    if operation := _operation(stage):
        keys.OPERATION.set(operation)
    keys.GRADIENT.set(stage.kind == "backward")
    source, right = _reading(stage.tokens, run.config)
    for key, tokens in ((keys.INPUT, source), (keys.TARGET, right)):
        key.set(text_of(tokens, run.config.task))
    keys.PREFIX_LENGTH.set(None)
    keys.PADDING.set(0)
    _leave(stage.step - 1)


def _reading(tokens: Mapping[str, list[int]], config: RunConfig) -> tuple[list[int], list[int]]:
    """The input and the right answer of a sequence, without special tokens."""
    target, task = tokens.get("target", []), task_of(config.task)
    if task.continues and "source" not in tokens:  # BOS, the input and the answer
        return target[1 : 1 + task.max_source_length], target[1 + task.max_source_length :]
    source = tokens["source"] if "source" in tokens else target[: target.index(SEP)]
    return source, [token for token in tokens["labels"] if token not in (PAD, EOS)]


def _leave(step: int) -> None:
    keys.SOURCE.set(sources.RUN)
    at_step.move(step)
    keys.LEAVING.set(True)


_stage = st.components.v2.component(
    "playground_slow_motion", html='<div class="slow-motion"></div>', js=loader("train/slow_motion.ts")
)
