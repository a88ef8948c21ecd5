"""Charts as data: Altair builds each specification once, the browser puts rows into it.

All charts of a page share one axis of training steps. What a specification leaves open are its parameters, which the
browser sets: `first` and `last`, the steps at the ends of the axis, and how much of the raw lines is seen.
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Literal

import altair as alt

from playground.training.measure import MEASURES, SINGLE, Measure
from playground.training.roles import SPECIALISED

SERIES_COLOURS = {
    "light": ("#1f6fc4", "#c8590b", "#0b7f7a", "#7a45b8", "#4b7d15", "#76680a", "#c0307f", "#55606f"),
    "dark": ("#6cb2ff", "#ff9d57", "#3fc7c0", "#b98cf5", "#9bd060", "#d6c552", "#ff8fcb", "#b4bccb"),
}
"""Of lines and of runs, for light and dark pages. Each line also has its own dash. No red: that means an error."""

SERIES_DASHES = ([1, 0], [6, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2], [1, 3], [14, 3, 4, 3])
"""Of lines; the live charts have the same in `chart_theme.ts`."""

_DRAWERS = {
    "svg": "vegalite_to_svg(text).encode()",
    "png": "vegalite_to_png(text, scale=1.5)",
    "pdf": "vegalite_to_pdf(text)",
}
_CONVERTERS = {"png": "svg_to_png(text, scale=2)", "pdf": "svg_to_pdf(text)"}
_WRITE = "import sys; from vl_convert import *; text = sys.stdin.buffer.read().decode(); sys.stdout.buffer.write({})"
DRAW_SECONDS = 120.0
"""Seconds that drawing a file may take. On a busy machine a small one takes half a minute."""

_Layers = alt.LayerChart | alt.FacetChart

PanelKind = Literal["lines", "positions", "predictions", "attention", "examples"]


@dataclass(frozen=True)
class Panel:
    """One chart of the page, or another panel that follows the same step."""

    name: str
    title: str
    kind: PanelKind
    slide: tuple[str, str]  # in the presenter view: its name in the address and its title
    measures: tuple[tuple[str, str], ...] = ()  # of `MEASURES`, each with its name in the legend; one if it is grouped
    width: int = 4  # columns of 12
    if_measured: bool = False  # whether it is shown only once there are values
    share: bool = False  # from 0 to 1, shown in percent
    log: bool = False  # can be drawn on a logarithmic scale
    noisy: bool = False  # is smoothed with the others
    help: str = ""
    reaches: float = 0  # lines of a grouped measure that stay below it are left out
    rows: str = ""  # what a panel without a scale has in its rows and columns; others have the unit of their measures
    alone: str = ""  # the panel in `PANELS` that its slide shows where only one run is compared


FORCED = (
    ("teacher_forced_exact_match", "exact match (teacher forcing)"),
    ("teacher_forced_token_accuracy", "token accuracy (teacher forcing)"),
)

PERCENT = "format(100 * datum.value, '~g') + ' %'"
"""An expression of Vega that writes the label of an axis of shares."""

NUMBER = "datum.label && format(datum.value, abs(datum.value) < 1e4 ? '.4~g' : '~s')"
"""The same for any other number, in four digits: 150, 15k, 0.001; a logarithmic scale leaves some labels out."""

PANELS = (
    Panel(
        "loss",
        "Loss",
        "lines",
        ("loss", "Loss"),
        (("loss", "training"), ("validation_loss", "held out")),
        log=True,
        noisy=True,
    ),
    Panel(
        "accuracy",
        "Accuracy",
        "lines",
        ("accuracy", "Accuracy"),
        (
            ("exact_match", "exact match"),
            ("token_accuracy", "token accuracy"),
            *FORCED,
            ("training_accuracy", "training inputs"),
        ),
        share=True,
        noisy=True,
        help="On held-out inputs, unless the legend names training inputs.",
    ),
    Panel("examples", "Held-out examples", "examples", ("predictions", "Predictions")),
    Panel(
        "predictions",
        "Selected example over time",
        "predictions",
        ("said", "Predictions for one example"),
        help="Rows are positions of the right answer. Columns are evaluations, as many as fit. Green is right, red is "
        "wrong.",
        rows="rows: tokens of the right answer",
    ),
    Panel(
        "attention",
        "Attention",
        "attention",
        ("attention", "Attention"),
        width=8,
        help="Attention weights of each head. Rows are queries, columns are keys.",
        rows="rows ↓ queries, columns → keys, colour: weight from 0 to 1",
    ),
    Panel(
        "positions",
        "Accuracy by answer position",
        "positions",
        ("places", "Accuracy by answer position"),
        (("position_accuracy", ""),),
        share=True,
        help="One row per answer position, from 1. A stronger colour means that more held-out answers have the right "
        "token there.",
        rows="rows: answer positions, colour: % right",
    ),
    Panel(
        "entropy",
        "Entropy of attention",
        "lines",
        ("entropy", "Entropy of attention"),
        (("attention_entropy", ""),),
        help="0: all attention on one position. The maximum: the same attention on every position.",
    ),
    Panel(
        "expert_load",
        "Expert load",
        "lines",
        ("load", "Expert load"),
        (("expert_load", ""),),
        if_measured=True,
        share=True,
        help="Share of held-out tokens that the router sends to each expert. If each token goes to several experts, "
        "the shares add up to more than 100 %.",
    ),
    Panel(
        "head_roles",
        "Roles of heads",
        "lines",
        ("roles", "Roles of heads"),
        (("head_roles", ""),),
        if_measured=True,
        share=True,
        reaches=SPECIALISED,
        help="Share of a head's attention on positions of a kind. A line is shown once it reaches 50 %.",
    ),
    Panel(
        "learning_rate",
        "Learning rate",
        "lines",
        ("rate", "Learning rate"),
        (("learning_rate", "learning rate"),),
        log=True,
    ),
    Panel(
        "gradient_norm",
        "Gradient norm",
        "lines",
        ("gradient", "Gradient norm"),
        (("gradient_norm", "before clipping"),),
        if_measured=True,
        log=True,
        noisy=True,
    ),
    Panel(
        "weight_norm",
        "Weight norm",
        "lines",
        ("weights", "Weight norm"),
        (("weight_norm", ""),),
        if_measured=True,
        log=True,
        help="L2 norm of all weights of each part of the model.",
    ),
)
"""For one run, in page order."""


def _compared(measure: str, title: str, slide: str, **options: Any) -> Panel:
    return Panel(measure, title, "lines", (f"compared-{slide}", title), ((measure, ""),), **options)


COMPARED = (
    _compared("loss", "Training loss", "loss", log=True, noisy=True),
    _compared("validation_loss", "Held-out loss", "held-out", log=True, noisy=True),
    _compared("exact_match", "Exact match", "exact", share=True, noisy=True, alone="accuracy"),
    _compared("token_accuracy", "Token accuracy", "tokens", share=True, noisy=True),
    _compared(
        "training_accuracy", "Exact match on training inputs", "trained", if_measured=True, share=True, noisy=True
    ),
    _compared("learning_rate", "Learning rate", "rate", log=True),
    _compared("gradient_norm", "Gradient norm", "gradient", if_measured=True, log=True, noisy=True),
)
"""For several runs: one metric per chart, one line per run."""

_CHARTED = {name for panel in (*PANELS, *COMPARED) for name, _ in panel.measures}
TABLES: dict[str, tuple[str, ...]] = {
    table: tuple(row.name for row in SINGLE if row.at == when and (row.name in _CHARTED or row.detail))
    for table, when in (("steps", "step"), ("tests", "evaluation"))
}
"""Tables for the browser, of steps and of evaluations: rows that start with their step, null for missing values.

A grouped measure has a table of its name.
"""


def _as_fields(panel: Panel) -> dict[str, Any]:
    """A panel for the browser, with the line below its title: the unit of its measures, or what its rows are."""
    units = dict.fromkeys(measure.unit for measure in MEASURES if measure.name in dict(panel.measures) and measure.unit)
    return asdict(panel) | {"unit": panel.rows or ", ".join(units)}


def _column(measure: Measure) -> dict[str, Any]:
    """Location of a measure for the browser: its table, its index in a row, and the indices of what belongs to it."""
    if measure.groups:
        return {
            "table": measure.name,
            "at": 1,
            "grouped": True,
            "on_request": measure.on_request,
            "recorded": measure.recorded,
        }
    table = "steps" if measure.at == "step" else "tests"
    index = {name: column for column, name in enumerate(TABLES[table], 1)}
    tested = "" if measure.function else "sequences"  # a function measures the model, not its answers
    ends = {"tested": tested, "low": f"{measure.name}_low", "high": f"{measure.name}_high"}
    beside = {end: index[name] for end, name in ends.items() if name in index}
    return {
        "table": table,
        "at": index[measure.name],
        "beside": beside,
        "grouped": False,
        "on_request": measure.on_request,
        "recorded": measure.recorded,
    }


@lru_cache
def lines(*, share: bool = False) -> dict[str, Any]:
    """Rows: step, value, smooth and series; where shares are drawn, the axis is theirs whatever is measured.

    A row of shares can have `low` and `high`, the 95 % interval of its value, which is drawn as a band. A single value
    is a point, since a line of one would not be seen.
    """
    # The padding keeps a line at the very end from being cut in half.
    scale = alt.Scale(domain=[0, 1], padding=2) if share else alt.Scale(zero=False)
    axis = (
        alt.Axis(labelExpr=PERCENT, values=[0, 0.25, 0.5, 0.75, 1])
        if share
        else alt.Axis(labelExpr=NUMBER, tickCount=4)
    )
    base = alt.Chart(alt.Data(name="rows")).encode(
        x=_steps(),
        # Colours and dashes are the browser's: it knows the theme and which runs are compared.
        color=alt.Color("series:N", legend=None),
        strokeDash=alt.StrokeDash("series:N", legend=None),
    )
    y = alt.Y("value:Q", title=None, scale=scale, axis=axis)
    raw = base.mark_line(clip=True, strokeJoin="round").encode(y=y, strokeWidth=alt.value(alt.ExprRef("rawWidth")))
    raw = raw.encode(opacity=alt.value(alt.ExprRef("rawOpacity")))
    # What is not seen is not there: it would cost as much as what is.
    smooth = (
        base.transform_filter("smoothOpacity > 0")
        .mark_line(clip=True, strokeJoin="round")
        .encode(
            strokeWidth=alt.value(alt.ExprRef("smoothWidth")),
            y=alt.Y("smooth:Q", title=None, scale=scale, axis=axis),
            opacity=alt.value(alt.ExprRef("smoothOpacity")),
        )
    )
    points = (
        base.transform_filter("pointSize > 0")
        .mark_point(clip=True, filled=True)
        .encode(y=y, size=alt.value(alt.ExprRef("pointSize")))
    )
    band = (
        alt.Chart(alt.Data(name="rows"))
        .transform_filter("isValid(datum.low)")
        .mark_area(clip=True, opacity=0.15)
        .encode(
            x=_steps(),
            y=alt.Y("low:Q", title=None, scale=scale, axis=axis),
            y2="high:Q",
            color=alt.Color("series:N", legend=None),
        )
    )
    return _finished(
        alt.layer(*[band] * share, raw, smooth, points, _changes()),
        rawOpacity=1,
        rawWidth=2,
        smoothOpacity=0,
        smoothWidth=2,
        pointSize=0,
        lineHeight=12,
        lanes=0,
    )


@lru_cache
def positions() -> dict[str, Any]:
    """Rows: step, until, position and value from 0 to 1."""
    chart = _cells().encode(color=alt.Color("value:Q", scale=alt.Scale(domain=[0, 1], interpolate="rgb"), legend=None))
    return _finished(alt.layer(chart, _changes(words=False)))


@lru_cache
def predictions() -> dict[str, Any]:
    """Rows: step, until, position, token and right; `roomy` says whether a cell has room for its token."""
    right = alt.datum.right
    cells = _cells(cornerRadius=1).encode(
        color=alt.condition(right, alt.value(alt.ExprRef("rightFill")), alt.value(alt.ExprRef("wrongFill"))),
    )
    middle = alt.Chart(alt.Data(name="rows")).transform_calculate(middle="(datum.step + datum.until) / 2")
    middle = middle.encode(x=alt.X("middle:Q", scale=_span()), y=alt.Y("position:O"))
    crosses = (
        middle.transform_filter("!datum.right && !roomy")
        .mark_point(clip=True, shape="M-1,-1L1,1M1,-1L-1,1", size=14, strokeWidth=1.1)
        .encode(color=alt.value(alt.ExprRef("wrongInk")))
    )
    tokens = (
        middle.transform_filter("roomy")
        .mark_text(clip=True, baseline="middle", fontWeight=600)
        .encode(
            text="token:N",
            color=alt.condition(right, alt.value(alt.ExprRef("rightInk")), alt.value(alt.ExprRef("wrongInk"))),
        )
    )
    return _finished(
        alt.layer(cells, crosses, tokens, _changes(words=False)),
        roomy=False,
        rightFill="#0b7f7a",
        rightInk="#fff",
        wrongFill="#eee",
        wrongInk="#b3261e",
    )


@lru_cache
def everything() -> bytes:
    """Everything the browser needs to draw charts, as JSON."""
    content = {
        "colours": SERIES_COLOURS,
        "panels": [_as_fields(panel) for panel in PANELS],
        "compared": [_as_fields(panel) for panel in COMPARED],
        "measures": {measure.name: _column(measure) for measure in MEASURES if measure.name in _CHARTED},
        "specs": {
            "lines": lines(),
            "shares": lines(share=True),
            "positions": positions(),
            "predictions": predictions(),
        },
    }
    return json.dumps(content, separators=(",", ":")).encode()


def _span() -> alt.Scale:
    return alt.Scale(domainMin=alt.ExprRef("first"), domainMax=alt.ExprRef("last"), nice=False, zero=False)


def _steps() -> alt.X:
    ticks = alt.ExprRef("min(5, last - first)")  # there are no halves of steps, also where few are shown
    return alt.X("step:Q", scale=_span(), axis=alt.Axis(title="step", tickCount=ticks, grid=False))


def _cells(**mark: Any) -> alt.Chart:
    """One rectangle per position and evaluation, from `step` to `until`."""
    axis = alt.Axis(labelExpr="names[datum.value] || datum.label", labelOverlap=True, ticks=False, domain=False)
    return (
        alt.Chart(alt.Data(name="rows"))
        .mark_rect(clip=True, **mark)
        .encode(x=_steps(), x2="until:Q", y=alt.Y("position:O", title=None, axis=axis))
    )


def _changes(*, words: bool = True) -> _Layers:
    """A rule where a setting changed or a branch begins, with its words above the plot, on the side that has room.

    The browser leaves room for as many rows of words as `lanes` says, so that they cover no line.
    """
    base = alt.Chart(alt.Data(name="changes")).encode(x=alt.X("step:Q", scale=_span()))
    rules = base.mark_rule(clip=True, strokeDash=[2, 2], opacity=0.75)
    if not words:
        return rules
    labels = base.mark_text(
        align=alt.ExprRef("datum.step <= (first + last) / 2 ? 'left' : 'right'"),
        dx=alt.ExprRef("datum.step <= (first + last) / 2 ? 3 : -3"),
        baseline="top",
        limit=220,
        opacity=0.85,
    ).encode(text="label:N", y=alt.value(alt.ExprRef("(datum.line - lanes) * lineHeight")))
    return alt.layer(rules, labels)


def _finished(chart: _Layers, **parameters: Any) -> dict[str, Any]:
    """As a dictionary, without what is the browser's: data and theme."""
    ends = {"first": 0, "last": 1, "names": []}
    chart = chart.add_params(*(alt.param(name=name, value=value) for name, value in (ends | parameters).items()))
    chart = chart.resolve_scale(color="independent" if "roomy" in parameters else "shared")
    spec = chart.to_dict()
    spec.pop("$schema", None)
    spec.pop("config", None)
    return spec


def by_length(
    curves: Mapping[str, Sequence[Mapping[str, Any]]], trained: Iterable[tuple[int, int]], colours: Sequence[str]
) -> dict[str, Any]:
    """Exact match by length of the input, with one line for each name in `curves` and its colour.

    Rows have `length`, `exact_match`, and `low` and `high`, its 95 % interval. The lengths in `trained`, each from the
    shortest to the longest, are shaded. Rows may have a `baseline`, which is drawn dashed, with its name.
    """
    rows = [{"run": name, **row} for name, rows in curves.items() for row in rows]
    shaded = [{"from": low - 0.5, "to": high + 0.5} for low, high in sorted(set(trained))]
    across: Any = {"title": "length of the input", "scale": alt.Scale(nice=False, zero=False)}
    across["axis"] = alt.Axis(grid=False, tickMinStep=1)
    share = alt.Axis(labelExpr=PERCENT, tickCount=4)
    colour = alt.Color(
        "run:N",
        title=None,
        sort=None,
        scale=alt.Scale(domain=list(curves), range=list(colours)),
        legend=alt.Legend(orient="bottom", columns=4, labelLimit=0) if len(curves) > 1 else None,
    )
    tooltip: Any = ["run:N", "length:Q"]
    tooltip += [alt.Tooltip(f"{name}:Q", format=".1%") for name in ("exact_match", "low", "high")]
    band = (
        alt.Chart(alt.Data(values=shaded))
        .mark_rect(opacity=0.15, color="#888888")
        .encode(x=alt.X("from:Q", **across), x2="to:Q")
    )
    base = alt.Chart(alt.Data(values=rows)).encode(x=alt.X("length:Q", **across), color=colour, tooltip=tooltip)
    exact = "exact match (% of inputs)"
    measured = alt.Y("exact_match:Q", title=exact, scale=alt.Scale(domain=[0, 1]), axis=share)
    interval = base.mark_rule(opacity=0.5).encode(y=alt.Y("low:Q", title=exact), y2="high:Q")
    layers = [band, interval, base.mark_line(point=True).encode(y=measured)]
    if chance := [row for row in rows if "baseline" in row]:
        level = alt.Y("baseline:Q", title=exact)
        layers.append(base.transform_filter("isValid(datum.baseline)").mark_line(strokeDash=[4, 3]).encode(y=level))
        words = alt.Chart(alt.Data(values=[chance[-1]])).mark_text(align="right", dy=10, color="#666666")
        named = words.encode(x=alt.X("length:Q", **across), y=level, text=alt.value("always the most frequent class"))
        layers.append(named)
    picture = alt.layer(*layers)
    return picture.properties(height=320, description="Exact match by length of the input").to_dict()


def training_picture(history: Sequence[Mapping[str, Any]], *, continues: bool = False) -> dict[str, Any]:
    """Loss and accuracy of a whole training as one picture with its rows, to be drawn once and kept as a file.

    Exact match has its 95 % interval as a band. Of a task that `continues`, the accuracy is that of the next token,
    because answers can go on in many ways.
    """
    last = max((record["step"] for record in history), default=0)
    measures = {
        "loss": ("loss", "training"),
        "validation_loss": ("loss", "held out"),
    }
    if continues:
        measures["teacher_forced_token_accuracy"] = ("accuracy", "next token")
    else:
        measures |= {"exact_match": ("accuracy", "exact match"), "token_accuracy": ("accuracy", "token accuracy")}
    measures["training_accuracy"] = ("accuracy", "exact match on training inputs")
    rows: dict[str, list[dict[str, Any]]] = {"loss": [], "accuracy": []}
    for measure, (chart, series) in measures.items():
        measured = [record for record in history if measure in record]
        every = len(measured) // 400 + 1  # more points than pixels would only take time
        kept = measured[::every] + measured[-1:] * (every > 1)
        ends = {"low": f"{measure}_low", "high": f"{measure}_high"}
        rows[chart] += [
            {"step": record["step"], "value": record[measure], "series": series}
            | {end: record[name] for end, name in ends.items() if name in record}
            for record in kept
        ]

    def drawing(name: str, title: str, unit: str, *, share: bool) -> _Layers:
        scale = alt.Scale(domain=[0, 1]) if share else alt.Scale(zero=True)
        axis = alt.Axis(labelExpr=PERCENT if share else NUMBER, tickCount=4)
        series = list(dict.fromkeys(row["series"] for row in rows[name]))
        base = alt.Chart(alt.Data(values=rows[name])).encode(
            x=alt.X("step:Q", title="step", scale=alt.Scale(domain=[0, max(last, 1)], nice=False)),
        )
        banded = next((row["series"] for row in rows[name] if "low" in row), "")
        colour = SERIES_COLOURS["light"][series.index(banded)] if banded else ""
        band = base.transform_filter("isValid(datum.low)").mark_area(clip=True, opacity=0.15, color=colour or "none")
        band = band.encode(y=alt.Y("low:Q", title=unit, scale=scale, axis=axis), y2="high:Q")
        palette = alt.Scale(domain=series, range=SERIES_COLOURS["light"][: len(series)])
        dashes = alt.Scale(domain=series, range=SERIES_DASHES[: len(series)])
        line = base.mark_line(strokeWidth=1.75, clip=True).encode(
            y=alt.Y("value:Q", title=unit, scale=scale, axis=axis),
            color=alt.Color("series:N", title=None, sort=None, scale=palette),
            strokeDash=alt.StrokeDash("series:N", title=None, sort=None, scale=dashes),
        )
        return alt.layer(*[band] * share, line).properties(title=title, width=560, height=150)

    banded = ", with the 95 % interval of the exact match" if any("low" in row for row in rows["accuracy"]) else ""
    trained = " on held-out and training inputs" * any("training_accuracy" in record for record in history)
    charts = [
        drawing(name, title, unit, share=share)
        for name, title, unit, share in (
            ("loss", "Loss", "nats per token", False),
            ("accuracy", f"Accuracy{trained or ' on held-out sequences'}{banded}", "% right", True),
        )
        if rows[name]
    ]
    picture = (
        alt.vconcat(*charts).resolve_scale(color="independent", strokeDash="independent").configure_view(stroke=None)
    )
    return picture.configure(font="sans-serif", background="white", padding=12).to_dict()


def drawn(specification: str, kind: str) -> bytes | None:
    """A chart as a file: svg, png or pdf; None if the drawing library is missing or fails."""
    return _child(_DRAWERS[kind], specification)


def converted(svg: str, kind: str) -> bytes | None:
    """An SVG without style sheets as a file: png or pdf; None if the drawing library is missing or fails."""
    return _child(_CONVERTERS[kind], svg)


def _child(expression: str, text: str) -> bytes | None:
    """The result of a child process: the library embeds a JavaScript engine that would keep its memory."""
    command = [sys.executable, "-I", "-c", _WRITE.format(expression)]
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=DRAW_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
