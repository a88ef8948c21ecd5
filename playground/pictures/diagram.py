"""The architecture as a picture: one standalone <svg> that is true to a `RunConfig`.

The idea is the residual stream: a thick rail that runs up the outer side of each stack. Sublayers branch off it
and are added back, so one sees what the settings do: pre-norm leaves the rail whole from embeddings to final norm,
post-norm lays a LayerNorm across it after each sum, and without residual paths there is no rail in the layers.

All is drawn upwards from y = 0 (tokens) to negative y (probabilities), in units of which a phone shows nearly one
a pixel: the picture is at most 400 wide, the smallest type is 10. Nothing has an id (arrowheads are plain paths),
so any number of diagrams can stand on one page. Presentation attributes give each element its look, and a page's
style sheet may change it. What each part is, makes and does stands in its attributes, for a page to show.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import hypot

from playground.common.numbers import counted
from playground.model.architecture import NORMS, label, locate, sublayers
from playground.settings.config import RunConfig, parameter_counts
from playground.tasks import answer, decode, task_of

MARGIN = 3
STACK, CHANNEL, PANEL = 184, 26, 132  # widths: of a stack, of the channel between two, of the key beside one
RAIL, COLUMN, PAD = 15, 30, 8  # in a stack, from its outer edge to rail and column; from column to inner edge
BRANCH, NORM, EDGE, LINE, ICON = 9, 16, 18, 13, 25  # heights: branch, LayerNorm, edge with its shape, text, icon
LONG_FORMULA = 18  # characters, beside which there is no room for an icon
DOT = 6.5  # radius of a plus sign and of a Q, K or V

KEY = {
    "B": "batch",
    "S": "source length",
    "T": "target length",
    "D": "model width",
    "H": "heads",
    "K": "head width",
    "F": "hidden width",
    "V": "vocabulary",
    "G": "key heads",
    "C": "latent width",
    "P": "rotary width",
    "E": "experts",
}
DIMENSION_SIGNS = {"K": "dₖ"}  # in the picture K is a key
PORTS = {"Q": "query", "K": "key", "V": "value"}
POSITION_ICONS = {  # icon, and the start of a sentence
    "sinusoidal": ("M0 9c4 -14 8 -14 12 0s8 14 12 0", "A vector of sines and cosines encodes the position"),
    "learned": ("M1 1h22v16h-22zM8.3 1v16M15.7 1v16M1 9h22", "A trained vector encodes the position"),
    "two_way": (
        "M1 5h22m-4 -4l4 4l-4 4M23 13h-22m4 -4l-4 4l4 4",
        "Two trained vectors per position, from both ends",
    ),
    "one_way": ("M1 9h22m-4 -4l4 4l-4 4", "A trained vector encodes the position, counted from the start"),
}
ACTIVATIONS = {
    "relu": ("ReLU", "M0 20H13L24 4"),
    "gelu": ("GELU", "M0 20C9 20 10 25 15 17L24 4"),
    "swiglu": (
        "SwiGLU",
        "M0 23C4 23 5 25 8 20L11 14M23 25L17 14M14 5V-1M9.5 9.5a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0m2 -2l5 4"
        "m0 -4l-5 4",
    ),
}
MIXTURE = "Mixture of experts"
SHOWN_EXPERTS = 4
NAMES = {"position": "Positions", "head": "Linear", "probabilities": "Softmax"}
_OUTPUT_PARTS = {"head": "head", "logits": "head"} | dict.fromkeys(("probabilities", "labels", "loss"), "probabilities")
TIPS = {
    "embeddings": "Each token's row of the embedding table, times √D.",
    "norm": "Pre-norm layers do not normalize their sum, so the stack ends with one more {}.",
    "output": "The output of the stack, one vector per position.",
    "head": "One logit for each token of the vocabulary, at every position.",
    "tied": "One logit for each token: the dot product with its row of the embedding table.",
    "probabilities": "Softmax turns the logits at each position into probabilities that add up to 1.",
    "self_attention": "Each position compares its query with all keys and takes the weighted mean of the values",
    "cross_attention": "Each position of the answer attends to the source, with keys and values from the encoder",
    "feed_forward": "Two linear layers with an activation function between them, at each position by itself.",
    "gated": "A linear layer with SiLU is the gate of another, and a third leads back, at each position by itself.",
    "mixture": "For each position, a router chooses {} of {} networks, the experts, and adds their weighted outputs",
    "shared": "Both stacks share one embedding table.",
}

PART_COLOURS = {
    "query": "#2f6fe4",
    "key": "#c2500a",
    "value": "#0b8378",
    "attention": "#8a4fe0",
    "feed-forward": "#4d8032",
}
"""Colours of parts, the same on every page, always together with the letter."""

INK = "#1b1f2e"
"""Colour of text and lines on white."""

_LABEL = {"fill": "currentColor", "stroke": "none", "font-size": "10.8"}
_LINE = {"fill": "none", "stroke-linejoin": "round"}
_THIN = _LINE | {"stroke-width": "1.3", "stroke-opacity": ".75"}
_SURFACE = {"fill": "currentColor", "fill-opacity": ".035", "stroke": "currentColor", "stroke-opacity": ".3"}
_MARK = {"fill": "none", "stroke": "currentColor", "stroke-opacity": ".45", "stroke-width": ".9"}
_FILLED = {"fill-opacity": ".85", "stroke": "none"}
_BOLD = {"font-weight": "600"}


def _hue(colour: str) -> dict[str, str]:
    """Attributes of a group in a colour; its lines have more contrast with the page."""
    return {"fill": colour, "stroke": f"color-mix(in srgb,{colour} 78%,currentColor)"}


_LOOKS: Mapping[str, Mapping[str, str]] = {
    **{name[0]: _hue(colour) for name, colour in PART_COLOURS.items()},
    "warn": _hue("#f5a50b"),
    "label": _LABEL,
    "soft": {"fill-opacity": ".78"},
    "strong": _BOLD,
    "name": _BOLD | {"font-size": "12.4"},
    "times": {"font-size": "13", "font-weight": "700"},
    "big": {"font-size": "17", "font-weight": "700"},
    "small": {"font-size": "10"},
    "small-name": _BOLD | {"font-size": "11.5"},
    "on-pill": {"fill": "#fff", "font-weight": "700"},
    "on-warning": {"fill": "#241700"},
    "wire": _THIN,
    "icon": _THIN,
    "rail": _LINE | {"stroke-width": "5", "stroke-opacity": ".33"},
    "memory": {"stroke-width": "2"},
    "shared": {"stroke-dasharray": ".1 3.5", "stroke-linecap": "round"},
    "tip": _FILLED,
    "cell": _FILLED,
    "low": {"fill-opacity": ".4"},
    "expert": {"fill-opacity": ".25", "stroke-opacity": ".8", "stroke-width": "1"},
    "idle": {"fill-opacity": ".03", "stroke-opacity": ".35"},
    "box": {"fill-opacity": ".1", "stroke-opacity": ".8", "stroke-width": "1.1", "stroke-linejoin": "round"},
    "chip": _SURFACE,
    "frame": _SURFACE,
    "card": _MARK,
    "hatch": _MARK,
    "pill": {"stroke": "none"},
    "unsafe": {"stroke": "#d98300", "stroke-width": "2", "stroke-dasharray": "5 3", "stroke-opacity": "1"},
}
"""Presentation attributes by class, later ones before earlier ones. What is not set comes from the group around it."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle by its left top corner."""

    x: float
    y: float
    w: float
    h: float

    @property
    def mid(self) -> float:
        return self.x + self.w / 2

    @property
    def bottom(self) -> float:
        return self.y + self.h

    def draw(self, kind: str = "box", radius: float = 5) -> str:
        geometry = f'x="{self.x:g}" y="{self.y:g}" width="{self.w:g}" height="{self.h:g}"'
        return f'<rect {_look(kind)} {geometry} rx="{radius:g}"/>'

    def label(self, words: str, kind: str = "") -> str:
        """Words in the middle."""
        return _text(self.mid, self.y + self.h / 2 + 3.6, words, kind, "middle")


def architecture_diagram(config: RunConfig, *, tokens: Mapping[str, Sequence[str]] | None = None) -> str:
    """The transformer that `config` describes as an <svg>, tokens at the bottom and probabilities on top.

    Its parts are `<g data-part="...">`, named by the path of the module or tap they show
    ("decoder.layers.0.cross_attention"; the one layer drawn stands for all) as `part_of` gives it, with the attributes
    data-name, data-shape (of what the part makes) and data-tip (a sentence). The class "lit" makes a part stand out;
    the residual path around a sublayer and the final LayerNorm tell in data-along the part that they belong to, and
    the class "along" lights them softly, as "here" does with the frame of the layers (data-stack) one is in; "whole" on
    the picture itself lights all of it.
    `tokens` are the names of those of one real pass, {"S": source, "T": target}; without them the picture is of the
    longest training batch.
    """
    m = config.model
    read = {"B": 1, **{letter: len(names) for letter, names in tokens.items()}} if tokens else {}
    sizes = config.sizes | read
    facts = [
        counted(m.n_layers, "layer") + " in each stack" * (m.architecture == "encoder-decoder"),
        f"{m.norm_position}-norm" if m.layer_norm else f"no {NORMS[m.norm]}",
        f"{sum(parameter_counts(config).values()):,} parameters",
        *["no residual paths"] * (not m.residual),
    ]
    if m.architecture == "encoder-decoder":
        inner = MARGIN + STACK + CHANNEL
        encoder = _Stack(config, sizes, tokens, "encoder", MARGIN)
        stack = _Stack(config, sizes, tokens, "decoder", inner, reads_memory=True)
        encoder.rise()
        stack.rise()
        stack.finish()
        encoder.feed(stack)
        link = _wire((MARGIN + STACK, stack.table), (inner, stack.table), kind="wire shared", arrow=False)
        pieces = [*encoder.out, *stack.out, f"<g><title>{escape(TIPS['shared'])}</title>{link}</g>"]
        letters = "BSTDHKFV" + _more_letters(config)
        pieces.append(_key(m.architecture, facts, sizes, letters, (len(letters) + 1) // 2, MARGIN + 5, stack.y))
        width = inner + STACK + MARGIN
    else:
        stack = _Stack(config, sizes, tokens, m.architecture.removesuffix("-only"), MARGIN)
        stack.rise()
        stack.finish()
        x, letters = MARGIN + STACK + 18, f"B{stack.length}DHKFV{_more_letters(config)}"
        pieces = [*stack.out, _key(m.architecture, facts, sizes, letters, len(letters), x, stack.y / 2 - 90)]
        width = x + PANEL + MARGIN
    height = 1.4 * LINE + MARGIN - stack.y
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="arch" role="img" fill="currentColor" stroke="currentColor" '
        f'viewBox="0 {stack.y - MARGIN:g} {width} {height:g}" width="100%" '
        f'style="max-height:var(--map-height,max(88vh,{height:.0f}px))">'
        f"<title>{m.architecture.capitalize()} transformer</title><desc>{escape(', '.join(facts))}.</desc>"
        f"{''.join(pieces)}</svg>"
    )


def standalone(diagram: str) -> str:
    """A picture by `architecture_diagram` for a file: on white, at its own size, in plain colours."""

    def mixed(match: re.Match[str]) -> str:
        pairs = ((int(colour[start : start + 2], 16) for colour in (match[1], INK)) for start in (1, 3, 5))
        return "#" + "".join(f"{round(0.78 * own + 0.22 * ink):02x}" for own, ink in pairs)

    svg = re.sub(r"color-mix\(in srgb,(#\w{6}) 78%,currentColor\)", mixed, diagram).replace("currentColor", INK)
    # The font of a file, which every program has, has wider letters than that of a page.
    svg = re.sub(r'font-size="([\d.]+)"', lambda size: f'font-size="{0.92 * float(size[1]):g}"', svg)
    left, top, width, height = re.findall(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', svg)[0]
    size = f'width="{width}" height="{height}"'
    svg = re.sub(r'width="100%" style="[^"]*">', f'{size} font-family="Arial, Helvetica, sans-serif">', svg, count=1)
    ground = f'<rect x="{left}" y="{top}" {size} fill="#ffffff" stroke="none"/>'
    return svg.replace("</desc>", f"</desc>{ground}", 1)


def part_of(path: str) -> str | None:
    """The part of the picture that shows the module or tap at `path`, of whichever layer; None if none does."""
    stack, layer, names = locate(path)
    if layer is not None:
        return f"{stack}.layers.0.{names[0]}" if names else None
    if not stack:
        return _OUTPUT_PARTS.get(names[0])
    if not names or names[0] == "layers":
        return None
    if names[0].endswith("mask"):
        return f"{stack}.layers.0.self_attention"
    return f"{stack}.embeddings.position" if names[:2] == ("embeddings", "position") else f"{stack}.{names[0]}"


def along(path: str) -> str | None:
    """The element that the module or tap at `path` lights softly besides its part: a residual path, or the norm.

    A value of the attribute data-along, see `architecture_diagram`. Masks are made outside of any sublayer.
    """
    part = part_of(path)
    return part.removesuffix("_add_norm") if part and not path.endswith("mask") else None


def tap_of(part: str, names: Sequence[str], near: str = "") -> str | None:
    """The tap to open for a part: the first of `names` that belongs to it, in the layer of the tap `near` if it can.

    Masks light the attention they are for, but who opens an attention wants its own first step. A final LayerNorm has
    no tap but its stack's output.
    """
    part = f"{part.removesuffix('.norm')}.output" if part.endswith(".norm") else part
    inside = [name for name in names if part_of(name) == part and not name.endswith("mask")]
    layer = locate(near).layer
    same = [name for name in inside if layer is not None and locate(name).layer == layer]
    return next(iter(same or inside), None)


class _Stack:
    """A stack on its way up: `y` is how far the stream has come, `out` what is drawn so far."""

    def __init__(
        self,
        config: RunConfig,
        sizes: dict[str, int],
        tokens: Mapping[str, Sequence[str]] | None,
        name: str,
        x: float,
        reads_memory: bool = False,
    ) -> None:
        self.config, self.model, self.sizes, self.name, self.x = config, config.model, sizes, name, x
        self.norm = NORMS[config.model.norm]
        self.reads_memory = reads_memory  # of an encoder on its left, which it then faces: its rail is on the right
        self.inward = -1 if reads_memory else 1
        self.rail = x + (STACK - RAIL if reads_memory else RAIL)
        self.column = x + (PAD if reads_memory else COLUMN)
        self.mid = self.column + (STACK - COLUMN - PAD) / 2
        self.up = self.rail if self.model.residual else self.mid  # where the stream runs, from the first sum on
        self.length = "S" if name == "encoder" else "T"
        self.names = (tokens or {}).get(self.length)
        self.stream = f"B{self.length}D"
        self.kind = "rail" if self.model.residual else "wire"
        self.pre, self.post = (self.model.layer_norm and self.model.norm_position == when for when in ("pre", "post"))
        self.y = self.clear = 0.0  # `clear`: how far the next edge goes before there is room for its shape
        self.table, self.cross = 0.0, Box(0, 0, 0, 0)  # where links to the other stack end
        self.out: list[str] = []

    # ---- the parts, from the bottom to the top

    def rise(self) -> None:
        """Tokens, embeddings, layers, final norm."""
        self.tokens()
        self.embeddings()
        self.layer()
        if self.pre:
            self.edge(self.stream, inside=True)
            bar = self.wide(NORM)
            self.part("norm", self.stream, TIPS["norm"].format(self.norm), _norm(bar, self.norm), along="output")
            self.y = bar.y

    def finish(self) -> None:
        """Output layer and probabilities."""
        self.edge(self.stream, part=True)
        bar, tied = self.wide(22), self.model.tie_embeddings
        words, tip = ("Tied linear", TIPS["tied"]) if tied else ("Linear", TIPS["head"])
        self.part("head", f"B{self.length}V", tip, bar.draw(), bar.label(f"{words}  {self.arrows('DV')}", "name"))
        self.y = bar.y
        self.edge(f"B{self.length}V")
        box, bars = self.wide(40), min(self.sizes["V"], 14)
        pieces = [box.draw(), *_lines(box, ("Probabilities", "name"), (f"softmax over V = {self.sizes['V']}", "soft"))]
        for i in range(bars):  # a sign for "one token stands out", no numbers of this model
            high = 25 if i == bars // 3 else 2 + i * 5 % 7
            bar = Box(box.x + box.w - 10 - 4.5 * (bars - i), box.bottom - 7 - high, 3.4, high)
            pieces.append(bar.draw("cell" if high == 25 else "cell low", 1))
        self.part("probabilities", f"B{self.length}V", TIPS["probabilities"], *pieces)
        self.y = box.y

    def tokens(self) -> None:
        chips, caption, tip = _example(self.config, self.name)
        if self.names:
            chips, tip = _shortened(self.names, len(chips)), "The tokens that the model reads in this pass."
        widths = [28 if len(chip) > 2 else 20 for chip in chips]
        x, pieces = self.x + (STACK - sum(widths) - 4 * (len(widths) - 1)) / 2, []
        for chip, width in zip(chips, widths, strict=True):
            box = Box(x, -18, width, 18)
            pieces += [box.draw("chip", 4), box.label(chip), _wire((box.mid, box.y), (box.mid, box.y - 11))]
            x += width + 4
        words = f"{caption}:  {self.shape('B' + self.length)}"
        self.part("tokens", f"B{self.length}", tip, *pieces, _text(self.x + STACK / 2, LINE, words, "soft", "middle"))
        self.y = -29

    def embeddings(self) -> None:
        box, positions = self.wide(34), self.model.positions
        self.table = box.y + box.h / 2
        shared = " · shared" if self.model.architecture == "encoder-decoder" else ""
        words = _text(box.mid, box.y + 14.5, "Token embedding × √D", "name", "middle")
        words += _text(box.mid, box.y + 27.5, self.arrows("VD") + shared + self.dropout(" · "), "soft", "middle")
        self.part("embeddings", self.stream, TIPS["embeddings"], box.draw(), words)
        self.y = box.y
        if self.model.adds_positions:
            one_way = positions == "two_way" and self.reads_memory  # only a source has an end to count from
            path, why = POSITION_ICONS["one_way" if one_way else positions]
            ends = "positions from start" if one_way else "positions, both ends"
            name = ends if positions == "two_way" else f"{positions} positions"
            pill = self.tall(32, self.y - 7)
            y, side = pill.y + pill.h / 2, pill.x if self.inward > 0 else pill.x + pill.w
            rail = _wire((self.rail, self.y), (self.rail, y + DOT), kind=self.kind, arrow=False)
            pieces = [rail, pill.draw(), _icon(path, pill.x + 10, y - 9)]
            pieces += _lines(pill, (name, "strong"), (self.shape(self.stream), "soft"), indent=41)
            pieces += [_wire((side, y), (self.rail + DOT * self.inward, y)), _plus(self.rail, y)]
            self.part("embeddings.position", self.stream, f"{why}; added to the embedding.", *pieces)
            self.y, self.clear = y - DOT, 16 - DOT
        self.edge(self.stream, x=self.rail, inside=True)

    def layer(self) -> None:
        """One layer in its frame, and how often it stands there."""
        start, bottom, inlet = len(self.out), self.y, self.rail
        locations = [locate(part.path) for part in sublayers(self.model)]
        kinds = [location.sublayer for location in locations if (location.stack, location.layer) == (self.name, 0)]
        for kind in kinds:
            if kind != kinds[0]:
                self.edge(self.stream, BRANCH, inside=True)
            box = self.sublayer(kind, inlet)
            inlet = self.up
        top = min(self.y - 6, box.y - 23)
        frame, pile, behind = Box(self.x, top, STACK, bottom - top), "", min(self.model.n_layers - 1, 2)
        for i in range(1, behind + 1):  # other layers look out above this one
            y, left, right = top - 3 * i, self.x + 7 * i, self.x + STACK - 7 * i
            pile += _wire((left, y + 3), (left, y), (right, y), (right, y + 3), kind="card", arrow=False)
        x, anchor = (self.x + STACK - PAD, "end") if self.inward > 0 else (self.x + PAD, "start")
        times = _text(x, box.y - 8, f"× {self.model.n_layers}", "times", anchor)
        self.out.insert(start, f'<g class="layers" data-stack="{self.name}">{frame.draw("frame", 9)}{pile}{times}</g>')
        self.clear = self.y - top + 3 * behind

    def sublayer(self, kind: str, inlet: float) -> Box:
        """A branch off the stream and back onto it, with what `AddNorm` puts around; the box of the sublayer."""
        m, path, mid, low = self.model, f"layers.0.{kind}", self.mid, self.y
        foot = [(inlet, low - BRANCH), (mid, low - BRANCH)]
        if not m.residual:
            foot.insert(0, (inlet, low))
        surround = []
        if self.pre:
            norm = self.tall(NORM, low - BRANCH - 9)
            self.out.append(_wire(*foot, (mid, norm.bottom)))
            surround.append(_norm(norm, self.norm))
            foot = [(mid, norm.y)]
        box = self.attention(kind, foot) if kind != "feed_forward" else self.feed_forward(foot)
        self.y, joint = box.y, box.y - BRANCH
        if m.residual:
            back = _wire((mid, box.y), (mid, joint), (self.rail + DOT * self.inward, joint))
            rail = _wire((self.rail, low), (self.rail, joint + DOT), kind="rail", arrow=False)
            knot = f'<circle {_look("tip")} cx="{self.rail:g}" cy="{low - BRANCH:g}" r="2.6"/>'
            self.out.append(f'<g class="residual" data-along="{self.name}.{path}">{rail}{back}{knot}</g>')
            surround.append(_plus(self.rail, joint))
            self.y = joint - DOT
        if self.post:
            bar = self.wide(NORM, up=9 if m.residual else 18, inset=6)
            self.out.append(_wire((self.up, self.y), (self.up, bar.bottom)))
            surround.append(_norm(bar, self.norm))
            self.y = bar.y
        if surround:
            what = [f"{self.norm}, then the sublayer"] if self.pre else ["The sublayer"]
            what += ["then the sum with its input"] * m.residual + [f"then {self.norm}"] * self.post
            self.part(f"{path}_add_norm", self.stream, ", ".join(what) + ".", *surround)
        return box

    def attention(self, kind: str, foot: list[Point]) -> Box:
        m, (mid, low) = self.model, foot[-1]
        masked = kind == "self_attention" and self.name == "decoder"
        blind, unsafe = masked and m.causal_mask, masked and not m.causal_mask
        notes = ["not scaled"] * (not m.scale_scores) + [self.dropout()] * (m.dropout > 0)
        rotary = kind == "self_attention" and m.positions == "rotary"
        latent, grouped = (m.attention == way for way in ("latent", "grouped_query"))
        window = m.window if kind == "self_attention" else 0
        limits = [f"window {window}"] * (window > 0) + [f"cap {m.logit_cap:g}"] * (m.logit_cap > 0)
        more = [(f"K, V: G = {counted(m.n_kv_heads, 'head')}", "")] * grouped
        more += [(f"K, V from latent C = {m.d_latent}", "")] * (latent and kind == "cross_attention")
        more += [(f"+ rotary part P = {m.d_rope}" if latent else "rotary positions", "soft")] * rotary
        more += [("Q, K of length 1", "soft")] * m.qk_norm + [(" · ".join(limits), "soft")] * bool(limits)
        more += [(" · ".join(notes), "soft" if m.scale_scores else "strong")] * bool(notes)
        compressed = latent and kind != "cross_attention"
        box = self.tall(48 + 13 * len(more) + 8 * grouped, low - 28 - 20 * compressed)
        fork, pieces = (mid, low - 5), [box.draw("box unsafe" if unsafe else "box")]
        self.out.append(_wire(*foot, fork, arrow=False))
        below = {"Q": mid} if kind == "cross_attention" else {"Q": mid - 42, "K": mid, "V": mid + 42}
        ports = [(letter, (x, box.bottom + 13), [fork, (x, fork[1]), (x, box.bottom)]) for letter, x in below.items()]
        if compressed:
            pill = Box(mid - 14, low - 23, 70, 13)
            pieces += [_wire(fork, (pill.mid, fork[1]), (pill.mid, pill.bottom)), pill.draw("box", 6)]
            pieces.append(pill.label(f"latent C = {m.d_latent}", "small"))
            ports[1:] = [(letter, at, [(at[0], pill.y), points[-1]]) for letter, at, points in ports[1:]]
        if kind == "cross_attention":
            self.cross, channel = box, {"K": box.y + 12, "V": box.bottom - 12}
            ports += [(letter, (self.x - 8, y), [(self.x - 20, y), (box.x, y)]) for letter, y in channel.items()]
        for letter, position, points in ports:
            pieces.append(_wire(*points, kind=f"wire {letter.lower()}") + _port(letter, *position))
        root = "√(dₖ+P)" if latent and rotary else "√dₖ"
        scaled = "QKᵀ" if not m.scale_scores else "g QKᵀ" if m.qk_norm else f"QKᵀ/{root}"
        formula = f"softmax({f'cap({scaled})' if m.logit_cap else scaled}) V"
        words = Box(box.x, box.y, box.w, box.h - 8 * grouped)
        pieces += _lines(words, (label(kind).capitalize(), "name"), (self.shape("HK"), ""), (formula, ""), *more)
        pieces += [_heads(box, {"q": m.n_heads, "k": m.n_kv_heads, "v": m.n_kv_heads})] * grouped
        raised = box.y + 6 if len(formula) > LONG_FORMULA else box.y + (box.h - ICON) / 2
        pieces += [_mask(box.x + box.w - 9 - ICON, raised, blind, narrow=window > 0)]
        tip = TIPS[kind]
        if grouped:
            tip += f"; {counted(m.n_kv_heads, 'head')} of keys and values for {counted(m.n_heads, 'head')} of queries"
        tip += f"; keys and values are made from a latent of {counted(m.d_latent, 'number')}" * latent
        turned = f"{m.d_rope} more columns of queries and keys" if latent else "queries and keys"
        tip += f"; {turned} are rotated by their positions" * rotary
        tip += "; queries and keys get length 1" * m.qk_norm + "; scores are capped" * (m.logit_cap > 0)
        tip += f"; positions {window} or more steps away are hidden" * (window > 0)
        if masked:
            word, width = ("causal", 40) if blind else ("not causal!", 64)
            pill = Box(box.x + box.w - 7 - width if self.inward > 0 else box.x + 7, box.y - 10, width, 14)
            badge = pill.draw("pill", 7) + pill.label(word, "on-pill" + " on-warning" * unsafe)
            pieces.append(f"<g {_look('badge' + ' warn' * unsafe)}>{badge}</g>")
            tip += "; later positions are hidden" if blind else "; without causal mask it reads what it must predict"
        self.part(f"layers.0.{kind}", self.stream, tip + ".", *pieces, kind=" a")
        return box

    def feed_forward(self, foot: list[Point]) -> Box:
        if self.model.feed_forward == "mixture":
            return self.mixture(foot)
        box, (name, path) = self.tall(48, foot[-1][1] - 12), ACTIVATIONS[self.model.activation]
        self.out.append(_wire(*foot, (self.mid, box.bottom)))
        words = _lines(box, ("Feed-forward", "name"), (name + self.dropout(" · "), ""), (self.arrows("DFD"), ""))
        icon = _icon(path, box.x + box.w - 9 - ICON, box.y + 6)
        tip = TIPS["gated" if self.model.activation == "swiglu" else "feed_forward"]
        self.part("layers.0.feed_forward", self.stream, tip, box.draw(), *words, icon, kind=" f")
        return box

    def mixture(self, foot: list[Point]) -> Box:
        """The router, the first experts and the shared ones; which are active is a sign, no choice of this model."""
        m, (name, _) = self.model, ACTIVATIONS[self.model.activation]
        box = self.tall(107, foot[-1][1] - 12)
        router = Box(self.mid - 27, box.bottom - 19, 54, 14)
        self.out.append(_wire(*foot, (self.mid, router.bottom)))
        counts = f"{counted(m.n_experts, 'expert')}, {m.experts_per_token} active"
        words, network = Box(box.x, box.y, box.w, 61), name + self.dropout(" · ")
        lines = ((MIXTURE, "name"), (counts, ""), (network, ""), (self.arrows("DFD"), ""))
        pieces = [box.draw(), *_lines(words, *lines)]
        chips = [str(number) for number in range(1, min(m.n_experts, SHOWN_EXPERTS) + 1)]
        chips += ["…"] * (m.n_experts > SHOWN_EXPERTS) + ["+"] * bool(m.n_shared_experts)
        chips += ["S"] * min(m.n_shared_experts, 1 if m.n_experts > SHOWN_EXPERTS else 2)
        widths = [10 if chip in "…+" else 17 for chip in chips]
        x = self.mid - (sum(widths) + 3 * (len(widths) - 1)) / 2
        for chip, width in zip(chips, widths, strict=True):
            expert = Box(x, router.y - 23, width, 14)
            active = chip == "S" or (chip.isdecimal() and int(chip) <= m.experts_per_token)
            if chip.isdecimal():
                kind = "wire" if active else "wire idle"
                pieces.append(_wire((self.mid, router.y), (expert.mid, expert.bottom), kind=kind, arrow=False))
            pieces += [expert.draw("expert" if active else "expert idle", 3)] * (chip not in "…+")
            pieces.append(expert.label(chip, "small"))
            x += width + 3
        tip = TIPS["mixture"].format(m.experts_per_token, m.n_experts)
        if m.n_shared_experts:
            tip += f"; {counted(m.n_shared_experts, 'shared expert')} (S) read every position"
        pieces += [router.draw("expert", 7), router.label("router", "small")]
        self.part("layers.0.feed_forward", self.stream, tip + ".", *pieces, kind=" f")
        return box

    def feed(self, decoder: "_Stack") -> None:
        """The encoder's output goes over to cross-attention, where it becomes keys and values."""
        start, turn, x, end = self.y, self.y - self.clear - EDGE, decoder.x - 20, decoder.cross.bottom - 12
        wire = _wire((self.up, start), (self.up, turn), (x, turn), (x, end), kind="wire memory", arrow=False)
        reader = "to each decoder layer" if self.model.n_layers > 1 else "to the decoder"
        words = [self.beside(self.up, turn + EDGE / 2 + 1, self.stream), _text(x - 5, turn - 5, reader, "soft", "end")]
        self.part("output", self.stream, TIPS["output"], wire, *words, kind=" flow")

    # ---- what parts are made of

    def part(self, name: str, letters: str, tip: str, *pieces: str, kind: str = "", along: str = "") -> None:
        """A part that makes a tensor with the axes `letters` and belongs to the part `along`."""
        path = name if name in ("head", "probabilities") else f"{self.name}.{name}"
        last = name.rpartition(".")[2]
        called = NAMES.get(last) or label(last).capitalize()
        if last == "norm":
            called = f"Final {self.norm}"
        elif last == "feed_forward" and self.model.feed_forward == "mixture":
            called = MIXTURE
        elif last == "output":
            called = f"{self.name.capitalize()} output"
        elif last.endswith("_add_norm"):
            called = self.around()
        sizes = ", ".join(str(self.sizes[letter]) for letter in letters)
        attributes = {"part": path, "name": called, "shape": f"({', '.join(letters)}) = ({sizes})", "tip": tip}
        if along:
            attributes["along"] = f"{self.name}.{along}"
        data = " ".join(f'data-{key}="{escape(value)}"' for key, value in attributes.items())
        self.out.append(f"<g {_look('part' + kind)} {data}>{''.join(pieces)}</g>")

    def around(self) -> str:
        """The name of the operations around each sublayer."""
        if self.model.residual and self.model.layer_norm:
            return "Add & norm"
        return "Add" if self.model.residual else self.norm

    def edge(
        self, letters: str, height: float = EDGE, *, x: float | None = None, inside: bool = False, part: bool = False
    ) -> None:
        """The stream goes up, with its shape beside it; `inside` the stack it is the rail, as a `part` its output."""
        x, top = self.up if x is None else x, self.y - self.clear - height
        line = _wire((x, self.y), (x, top), kind=self.kind if inside else "wire", arrow=not inside)
        # Between two sublayers the next branch is BRANCH away from here: the middle is a little higher.
        lift = (BRANCH - DOT * (self.up == self.rail and not self.post)) / 2 if height < EDGE else 0
        words = self.beside(x, top + height / 2 - lift, letters)
        if part:
            self.part("output", letters, TIPS["output"], line, words, kind=" flow")
        else:
            self.out.append(f'<g class="edge">{line}{words}</g>')
        self.y, self.clear = top, 0.0

    def beside(self, x: float, y: float, letters: str) -> str:
        """A shape beside the stream: on the inner side of the rail, on the outer side of the column's middle."""
        side = self.inward if x == self.rail else -self.inward
        return _text(x + 8 * side, y + 3.5, self.shape(letters), "soft", "start" if side > 0 else "end")

    def wide(self, height: float, up: float = 0, inset: float = 0) -> Box:
        """A box over rail and column, `up` above the stream's end."""
        return Box(self.x + inset, self.y - up - height, STACK - 2 * inset, height)

    def tall(self, height: float, low: float) -> Box:
        """A box in the column that stands on `low`."""
        return Box(self.column, low - height, STACK - COLUMN - PAD, height)

    def shape(self, letters: str) -> str:
        names = "×".join(DIMENSION_SIGNS.get(letter, letter) for letter in letters)
        return f"{names} = {'×'.join(str(self.sizes[letter]) for letter in letters)}"

    def arrows(self, letters: str) -> str:
        return f"{'→'.join(letters)} = {'→'.join(str(self.sizes[letter]) for letter in letters)}"

    def dropout(self, before: str = "") -> str:
        return f"{before}dropout {self.model.dropout:g}" if self.model.dropout else ""


def _more_letters(config: RunConfig) -> str:
    """The letters of parts newer than those of every model."""
    m = config.model
    rotary = "P" if m.positions == "rotary" else ""
    attention = {"grouped_query": "G", "latent": "C" + rotary}.get(m.attention, "")
    return attention + "E" * (m.feed_forward == "mixture")


def _example(config: RunConfig, name: str) -> tuple[list[str], str, str]:
    """Tokens to show at the foot of a stack, what they are, and a tip."""
    alone, task = config.model.architecture == "decoder-only", task_of(config.task)
    tokens = task.encode(task.example(task.max_source_length))
    source, right = (
        _shortened(decode(side, config.task), 3 if alone else 5) for side in (tokens, answer(tokens, config.task))
    )
    if name == "encoder":
        return source, "source", "An example of an input."
    if alone and task.continues:
        return ["BOS", *source, *right], "source, answer", "One sequence: the answer continues the source."
    if alone:
        return (
            [*source, "SEP", *right],
            "source, SEP, answer",
            "One sequence: after SEP comes the answer.",
        )
    return ["BOS", *right], "decoder input", "The answer, shifted right: each position predicts the next token."


def _shortened(names: Sequence[str], room: int) -> list[str]:
    """At most `room` names, the middle ones left out."""
    if len(names) <= room:
        return list(names)
    return [*names[: room // 2], "…", *names[-((room - 1) // 2) :]]


def _key(
    architecture: str, facts: list[str], sizes: dict[str, int], letters: str, rows: int, x: float, y: float
) -> str:
    """The key to letters and colours."""
    words = [_text(x, y + 15, architecture.capitalize(), "big")]
    for fact in (" · ".join(facts[:2]), *facts[2:]):
        words.append(_text(x, y + 31, fact, "small soft"))
        y += LINE
    y += 40
    for i, letter in enumerate(letters):
        left, low = x + 104 * (i // rows), y + (LINE + 1) * (i % rows)
        words += [
            _text(left, low, DIMENSION_SIGNS.get(letter, letter), "small-name"),
            _text(left + 33, low, str(sizes[letter]), "small", "end"),
            _text(left + 39, low, KEY[letter], "small soft"),
        ]
    y += (LINE + 1) * rows
    for letter, role in PORTS.items():
        words += [_port(letter, x + DOT, y + 4, "on-pill small"), _text(x + 17, y + 7.5, role, "small soft")]
        x += 50 if letter == "Q" else 40
    return f'<g class="key">{"".join(words)}</g>'


def _look(kind: str) -> str:
    """The attributes of an element with these classes."""
    names = kind.split()
    look: dict[str, str] = {"class": kind}
    for name, attributes in _LOOKS.items():
        if name in names:
            look |= attributes
    return " ".join(f'{name}="{value}"' for name, value in look.items())


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text {_look(f"label {kind}".strip())} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def _lines(box: Box, *lines: tuple[str, str], indent: float = 9) -> list[str]:
    """Lines of text in a box, each with its kind; empty ones are left out."""
    filled = [line for line in lines if line[0]]
    first = box.y + (box.h - LINE * (len(filled) - 1)) / 2 + 4
    return [_text(box.x + indent, first + LINE * i, words, kind) for i, (words, kind) in enumerate(filled)]


def _wire(*points: Point, kind: str = "wire", arrow: bool = True) -> str:
    """A line with rounded corners and an arrowhead."""
    points = tuple(point for i, point in enumerate(points) if i == 0 or point != points[i - 1])
    path = "M{:g} {:g}".format(*points[0])
    for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:], points[2:], strict=False):
        before, after = hypot(bx - ax, by - ay), hypot(cx - bx, cy - by)
        r = min(5, before / 2, after / 2)
        path += f"L{bx - (bx - ax) / before * r:g} {by - (by - ay) / before * r:g}"
        path += f"Q{bx:g} {by:g} {bx + (cx - bx) / after * r:g} {by + (cy - by) / after * r:g}"
    (ax, ay), (x, y) = points[-2:]
    path += f"L{x:g} {y:g}"
    line = f'<path {_look(kind)} d="{path}"/>'
    if not arrow:
        return line
    ux, uy = (x - ax) / hypot(x - ax, y - ay), (y - ay) / hypot(x - ax, y - ay)
    wings = "".join(f"L{x - 5 * ux + s * uy:g} {y - 5 * uy - s * ux:g}" for s in (2.7, -2.7))
    return f'{line}<path {_look(kind.replace("wire", "tip"))} d="M{x:g} {y:g}{wings}Z"/>'


def _plus(x: float, y: float) -> str:
    return (
        f'<g class="sum"><circle {_look("box")} cx="{x:g}" cy="{y:g}" r="{DOT}"/>'
        f'<path {_look("wire")} d="M{x - 3.5:g} {y:g}h7m-3.5 -3.5v7"/></g>'
    )


def _norm(box: Box, name: str) -> str:
    return f'<g class="norm">{box.draw("box", 8)}{box.label(name)}</g>'


def _port(letter: str, x: float, y: float, kind: str = "on-pill") -> str:
    dot = f'<circle {_look("pill")} cx="{x:g}" cy="{y:g}" r="{DOT}"/>'
    return f"<g {_look(f'port {letter.lower()}')}>{dot}{_text(x, y + 3.6, letter, kind, 'middle')}</g>"


def _icon(path: str, x: float, y: float) -> str:
    return f'<path {_look("icon")} transform="translate({x:g} {y:g})" d="{path}"/>'


def _heads(box: Box, heads: Mapping[str, int]) -> str:
    """A row of squares over each port, as many as it has heads."""
    pitch = min(5.5, 40 / max(heads.values()))
    signs = ""
    for i, (port, count) in enumerate(heads.items()):
        left = box.mid + 42 * (i - 1) - pitch * count / 2
        cells = [Box(left + pitch * head, box.bottom - 9, 0.75 * pitch, 4.5) for head in range(count)]
        signs += f"<g {_look(f'port {port}')}>{''.join(cell.draw('cell', 0.8) for cell in cells)}</g>"
    return f'<g class="heads">{signs}</g>'


def _mask(x: float, y: float, causal: bool, narrow: bool = False) -> str:
    """The positions (columns) that each one (row) may read: filled, or hatched where it may not; a window is narrow."""
    cells = ""
    for row in range(5):
        for column in range(5):
            cell = Box(x + 5 * column, y + 5 * row, 4, 4)
            if (causal and column > row) or (narrow and abs(column - row) > 1):
                cells += f'<path {_look("hatch")} d="M{cell.x:g} {cell.bottom:g}l4 -4"/>'
            else:
                cells += cell.draw("cell", 0.8)
    return f'<g class="mask">{cells}</g>'
