"""Pictures of an attribution: the parts of a model with a circuit in colour, and estimates beside exact changes.

Both are SVG whose clickable groups have the attributes of `pictures.diagram`, so the same component shows them.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from html import escape

from playground.interpret.attribution import Attributed
from playground.interpret.edges import ARROW
from playground.interpret.passes import top_stack
from playground.interpret.sites import words
from playground.model.architecture import label, locate, sublayers
from playground.model.head_paths import Head
from playground.pictures.diagram import PART_COLOURS
from playground.settings.config import ModelConfig

BOX, HIGH, GAP, ROW = 30, 20, 6, 52  # width and height of a box, space between two, height of a row
MARGIN, WIDEST = 8, 150

_GROUND = "var(--st-background-color, #fff)"

READ_AS = {
    "query": (PART_COLOURS["query"], "none"),
    "key": (PART_COLOURS["key"], "6 3"),
    "value": (PART_COLOURS["value"], "1.5 2.5"),
}
"""Colour and dashes of an edge by what the receiver reads; the other edges have the colour of the text."""

_Boxes = dict[str, tuple[float, float, float]]  # left, top, width


def in_words(part: str) -> str:
    """A part or an edge in words, counted from 1: "encoder embeddings to decoder layer 1 cross-attention, head 2, key".

    A position in brackets is counted from 1, too.
    """
    if ARROW in part:
        return " to ".join(map(in_words, part.split(ARROW)))
    part, _, index = part.partition("[")
    path, _, role = part.rpartition(".")
    if role in READ_AS:
        return f"{words(path)}, {role}"
    place = locate(part)
    if "add_norm" in part or (index and place.layer is not None):  # the sum behind a layer
        text = f"{place.stack} after layer {(place.layer or 0) + 1}"
    else:
        text = words(part.removesuffix(".sum") if part.endswith(".embeddings.sum") else part)
    return f"{text}, position {int(index[:-1]) + 1}" if index else text


def circuit_picture(config: ModelConfig, kept: Collection[str], facts: Mapping[str, str], focus: str = "") -> str:
    """The parts of a model, inputs at the bottom, as an <svg>: what is kept is in colour, kept edges are lines.

    `facts` has a sentence for each clickable part or edge. Edges at the part `focus` are drawn thin if not kept.
    """
    every = sublayers(config)
    boxes, texts, x, height = _Boxes(), list[str](), float(MARGIN), 0.0
    for stack in config.architecture.removesuffix("-only").split("-"):
        width = max(WIDEST, config.n_heads * (BOX + GAP) - GAP)
        rows = [[f"{stack}.embeddings.sum"]]
        for part in every:
            if part.path.startswith(stack):
                heads = [Head(part.path, head).path for head in range(config.n_heads)]
                rows.append(heads if part.kind == "MultiHeadAttention" else [part.path])
        if stack == top_stack(config):
            rows.append(["logits"])
        for number, row in enumerate(rows):
            wide = BOX if ".head." in row[0] else width
            for column, name in enumerate(row):
                boxes[name] = (x + column * (BOX + GAP), -number * ROW - HIGH, wide)
            if ".head." in row[0]:
                place = locate(row[0])
                text = f"{stack} layer {(place.layer or 0) + 1}: {label(place.sublayer)}"
                texts.append(_text(x, -number * ROW - HIGH - 5, text, "start"))
        height = max(height, (len(rows) - 1) * ROW + HIGH + 18)
        x += width + 44
    edges = [name for name in facts if ARROW in name and (name in kept or focus in ends(name))]
    touched = {end for name in kept if ARROW in name for end in ends(name)} | {*kept}
    drawn = [_edge(name, boxes, facts[name], kept=name in kept) for name in edges]
    drawn += [
        _box(name, box, facts.get(name, ""), kept=name in touched, focus=name == focus) for name, box in boxes.items()
    ]
    size = f"{x - 44 + MARGIN:g} {height + 4:g}"
    return _svg(f"0 {-height:g} {size}", "Circuit", f"{len(kept)} parts kept", [*texts, *drawn])


def scatter_picture(rows: Sequence[Attributed], kept: Collection[str], facts: Mapping[str, str], metric: str) -> str:
    """Estimates (across) and exact changes (up) as an <svg>; on the dashed line both are equal."""
    measured = [(row, row.exact) for row in rows if row.exact is not None]
    size, left, low = 300.0, 46.0, 34.0
    values = [0.0, *(value for row, exact in measured for value in (row.estimate, exact))]
    ticks = _ticks(min(values), max(values))
    first, last = ticks[0], ticks[-1]

    def at(value: float) -> float:
        return (value - first) / (last - first) * size

    pieces = [_line(f"M{left:g} 0L{left + size:g} {-size:g}", 'stroke-opacity=".4" stroke-dasharray="4 3"')]
    for tick in ticks:
        pieces += [
            _line(f"M{left + at(tick):g} 0v{-size:g}M{left:g} {-at(tick):g}h{size:g}", 'stroke-opacity=".12"'),
            _text(left + at(tick), 13, f"{tick:g}", "middle"),
            _text(left - 5, 3.5 - at(tick), f"{tick:g}", "end"),
        ]
    pieces.append(_text(left + size / 2, 28, f"estimated change of the {metric}", "middle"))
    pieces.append(f'<g transform="rotate(-90)">{_text(size / 2, 10, f"exact change of the {metric}", "middle")}</g>')
    for row, exact in measured:
        inside = row.part in kept
        look = f'fill="{PART_COLOURS["attention"]}" fill-opacity="{0.9 if inside else 0.0}"'
        dot = f'<circle class="box" cx="{left + at(row.estimate):g}" cy="{-at(exact):g}" r="5" {look}/>'
        pieces.append(_part(row.part, facts.get(row.part, ""), dot, kept=inside))
    box = f"0 {-size - 8:g} {left + size + 8:g} {size + low + 8:g}"
    return _svg(box, "Estimates and exact changes", f"{len(measured)} parts", pieces)


def ends(edge: str) -> tuple[str, str]:
    """The parts at both ends of an edge."""
    sender, receiver = edge.split(ARROW)
    path, _, role = receiver.rpartition(".")
    return sender, path if role in READ_AS else receiver


def _edge(name: str, boxes: _Boxes, fact: str, *, kept: bool) -> str:
    both = ends(name)
    (x1, y1, w1), (x2, y2, w2) = (boxes[end] for end in both)
    role = name.rpartition(".")[2]
    start, end = x1 + w1 / 2, x2 + w2 / 2 + {"query": -8, "value": 8}.get(role, 0)
    if w1 > BOX:  # a wide box sends straight up, as far as it reaches
        start = min(max(end, x1 + 6), x1 + w1 - 6)
    if w2 > BOX:
        end = min(max(start, x2 + 6), x2 + w2 - 6)
    colour, dashes = READ_AS.get(role, ("currentColor", "none"))
    bend = max(20.0, abs(y2 + HIGH - y1) / 3)
    path = f"M{start:g} {y1:g}C{start:g} {y1 - bend:g} {end:g} {y2 + HIGH + bend:g} {end:g} {y2 + HIGH:g}"
    look = f'stroke="{colour}" stroke-dasharray="{dashes}" stroke-opacity="{0.85 if kept else 0.3}"'
    line = f'<path class="wire" d="{path}" fill="none" stroke-width="{1.8 if kept else 1}" {look}/>'
    wide = f'<path d="{path}" fill="none" stroke="transparent" stroke-width="9" pointer-events="stroke"/>'
    return _part(name, fact, wide + line, kept=kept, kind="part flow")


def _box(name: str, box: tuple[float, float, float], fact: str, *, kept: bool, focus: bool) -> str:
    x, y, width = box
    head = name.partition(".head.")[2]
    shown = str(int(head) + 1) if head else {"embeddings.sum": "embeddings"}.get(name.partition(".")[2], "")
    if not shown:
        place = locate(name)
        shown = "logits" if name == "logits" else f"feed-forward {(place.layer or 0) + 1}"
    colour = PART_COLOURS["feed-forward" if name.endswith("feed_forward") else "attention"]
    look = f'fill="{colour}" fill-opacity="{0.28 if kept else 0}" stroke="{colour if kept else "currentColor"}"'
    strokes = f'stroke-width="{2 if kept else 1}" stroke-opacity="{1 if kept else 0.4}"'
    ring = ' stroke-dasharray="3 2"' if focus else ""
    rect = f'<rect class="box" x="{x:g}" y="{y:g}" width="{width:g}" height="{HIGH}" rx="4" {look} {strokes}{ring}/>'
    ground = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{HIGH}" rx="4" fill="{_GROUND}" stroke="none"/>'
    rect, text = ground + rect, _text(x + width / 2, y + HIGH / 2 + 3.6, shown, "middle", bold=kept)
    return _part(name, fact, rect + text, kept=kept) if fact else f"<g>{rect}{text}</g>"


def _part(name: str, fact: str, drawn: str, *, kept: bool, kind: str = "part") -> str:
    state = "In the circuit." if kept else "Not in the circuit."
    named = f'data-part="{escape(name)}" data-name="{escape(in_words(name))}"'
    return f'<g class="{kind}" {named} data-shape="{escape(fact)}" data-tip="{state}">{drawn}</g>'


def _line(path: str, look: str) -> str:
    return f'<path d="{path}" fill="none" {look}/>'


def _text(x: float, y: float, words: str, anchor: str, *, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    look = f'font-size="10" fill="currentColor" stroke="none" text-anchor="{anchor}"{weight}'
    return f'<text x="{x:g}" y="{y:g}" {look}>{escape(words)}</text>'


def _svg(box: str, title: str, what: str, pieces: Sequence[str]) -> str:
    high = 1.3 * float(box.split()[3])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="arch" role="img" fill="currentColor" stroke="currentColor" '
        f'viewBox="{box}" width="100%" preserveAspectRatio="xMinYMid" '
        f'style="max-height:var(--map-height,{high:.0f}px)">'
        f"<title>{escape(title)}</title>"
        f"<desc>{escape(what)}.</desc>{''.join(pieces)}</svg>"
    )


def _ticks(low: float, high: float) -> list[float]:
    """Four to eight round numbers that enclose a range."""
    wide = (high - low) or 1.0
    step = 10.0 ** math.floor(math.log10(wide / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if wide / (factor * step) <= 6)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(number * step, 10) for number in range(first, max(last, first + 1) + 1)]
