"""Circuits view: QK and OV circuits, embeddings, and a program for each head."""

from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from playground.common.errors import PlaygroundError
from playground.common.numbers import percent
from playground.explain.inspection import Walk
from playground.interpret import circuits
from playground.interpret.programs import Programs, programs
from playground.model.architecture import sublayers
from playground.model.head_paths import heads
from playground.model.task_model import TaskModel
from playground.tasks import token_names
from playground.training import roles
from playground.ui.parts import measurements, style
from playground.ui.parts.heatmaps.heatmap import Heatmap
from playground.ui.passes import maps
from playground.ui.passes.frame import Pass
from playground.ui.session import at_step
from playground.ui.session.address import QueryParam, QueryParams, one_of
from playground.ui.session.session_keys import Key

CIRCUIT_HEAD = Key[str]("circuit head", "", "Widget: path of the head")
CIRCUIT_STATES = Key[str]("circuit states", "tokens", "Widget: vectors of the scatter plot")
CIRCUIT_COLOUR = Key[str]("circuit colour", "token", "Widget: colour of the points")

MAX_TOKENS = 64
"""Maximum number of tokens in the heatmap of a circuit."""

MAX_SCATTER_POINTS = 600
"""Maximum number of points in a scatter plot."""

MAX_LEGEND = 20
"""Maximum number of tokens in the legend of a scatter plot."""

COLOURED_BY = ("token", "position")
_TOKENS = "tokens"

ADDRESS = QueryParams(
    "circuits_view",
    QueryParam("circuit", CIRCUIT_HEAD),
    QueryParam("vectors", CIRCUIT_STATES),
    QueryParam("colour", CIRCUIT_COLOUR, one_of(COLOURED_BY)),
)


def draw(shown: Pass) -> None:
    """Draw the view."""
    walk = shown.walk
    if walk.overflow:
        return
    with st.container(key="circuits"):
        _circuits(walk)
    style.heading("Positions")
    _positions(walk)
    style.heading("Embeddings and hidden states")
    _scatter(shown)
    style.heading("A program for each head")
    _programs(shown)


# ---- one head


def _circuits(walk: Walk) -> None:
    model, every = walk.model, {head.path: head for head in heads(walk.model.config.model)}
    if (wanted := CIRCUIT_HEAD.get()) not in every:
        if wanted:
            style.message(f"This model has no head “{wanted[:80]}”. Another one is shown.", "care")
        CIRCUIT_HEAD.set(_opening(list(every)))
    path = st.selectbox(
        "Head", list(every), format_func=lambda path: every[path].words.capitalize(), width=420, **CIRCUIT_HEAD.widget
    )
    head, names = every[path], token_names(model.config.task)
    pictures, problems = [], list[str]()
    for title, letters, compute in (
        (
            "QK over positions: query, key",
            maps.letters(head.attention),
            lambda: circuits.qk_over_positions(model, head, walk.batch),
        ),
        ("QK over tokens: query, key", ("V", "V"), lambda: circuits.qk_over_tokens(model, head)),
        ("OV over tokens: attended token, logit", ("V", "V"), lambda: circuits.ov_over_tokens(model, head)),
    ):
        if made := _picture(title, letters, compute, problems):
            pictures.append(made)
    style.caption(
        "QK (query, key) shows how well each query matches each key. OV (output, value) shows how attending to a token "
        "changes the logits. "
        f"{circuits.note(model.config.model)} Orange is positive, blue negative. Positions are counted from 1."
    )
    for problem in problems:
        style.message(problem, "note")
    if len(names) > MAX_TOKENS:
        style.caption(f"The first {MAX_TOKENS} of {len(names)} tokens are shown.")
    if pictures:
        maps.show("circuits", pictures, {"V": names[:MAX_TOKENS]}, words=("row", "column", ""))
    if not any(picture.title.startswith("OV") for picture in pictures):
        return
    copied = circuits.copying(circuits.ov_over_tokens(model, head))
    raised = "attending to the symbol raises its own logit more than any other."
    style.message(f"Copying: for {percent(copied)} of the symbols, {raised}", "plain")


def _opening(paths: list[str]) -> str:
    """First head of the last attention that can read the input: cross-attention, if the model has it."""
    return next((path for path in paths if "cross_attention" in path), paths[0])


def _picture(
    title: str, letters: tuple[str, str], compute: Callable[[], Tensor], problems: list[str]
) -> Heatmap | None:
    """A circuit as a heatmap; None, with a message appended to `problems`, if the model has no such circuit."""
    try:
        values = compute()
    except PlaygroundError as error:
        problems.append(f"{title.partition(':')[0]}: {error}")
        return None
    over_tokens = letters[0] == "V"
    values = values[:MAX_TOKENS, :MAX_TOKENS] if over_tokens else values
    return maps.heatmap(title, title, values, letters, ("V", "V") if over_tokens else ("", ""))


def _positions(walk: Walk) -> None:
    """Heatmaps of the position vectors and of their dot products."""
    tables = circuits.position_vectors(walk.model, walk.batch)
    if not tables:
        style.caption("This model adds no vectors for positions.")
        return
    products = circuits.position_products(walk.model, walk.batch)
    pictures = []
    for stack, vectors in tables.items():
        letter = "S" if stack == "encoder" else "T"
        name = f"{stack.capitalize()}: " if len(tables) > 1 else ""
        pictures += [
            maps.heatmap(f"{stack} table", f"{name}vector of each position", vectors, (letter, "D")),
            maps.heatmap(f"{stack} products", f"{name}dot products of all pairs", products[stack], (letter, letter)),
        ]
    style.caption("Position vectors of this input. A large dot product means similar directions or large norms.")
    maps.show("positions", pictures, {})


# ---- principal components


def _scatter(shown: Pass) -> None:
    """Draw token embeddings, or hidden states of held-out inputs, in two principal components."""
    walk = shown.walk
    model = walk.model
    choices = {_TOKENS: "Token embeddings"}
    for stack in ("encoder", "decoder"):
        if getattr(model, stack) is not None:
            choices[f"{stack}.embeddings"] = f"{stack.capitalize()}: embeddings with positions"
            choices |= {part.path: _after(part.path) for part in sublayers(model.config.model, stack)}
    if CIRCUIT_STATES.get() not in choices:
        CIRCUIT_STATES.set(_TOKENS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        path = st.selectbox(
            "Vectors", list(choices), format_func=choices.__getitem__, width=420, **CIRCUIT_STATES.widget
        )
        colour = COLOURED_BY[0]
        if path != _TOKENS:
            st.segmented_control(
                "Colour", COLOURED_BY, required=True, format_func=str.capitalize, **CIRCUIT_COLOUR.widget
            )
            colour = CIRCUIT_COLOUR.get()
    if path == _TOKENS:
        vectors = circuits.token_vectors(model)
        states = circuits.States(vectors, torch.arange(len(vectors)), torch.zeros(len(vectors), dtype=torch.long))
        components = circuits.principal_components(vectors)
    elif at_step.is_playing():
        style.caption("Pause the training steps to see hidden states.")
        return
    else:
        measured = measurements.show("hidden", (shown.identity, path), state_components, model, path)
        if measured is None:
            return
        states, components = measured
    _draw_scatter(model, states, components, colour, alone=path == _TOKENS)


def state_components(
    model: TaskModel, path: str
) -> Iterator[tuple[int, int, tuple[circuits.States, circuits.Components]]]:
    """At most `MAX_SCATTER_POINTS` evenly spaced hidden states of held-out inputs, and their principal components."""
    states = circuits.hidden_states(model, path)
    components = circuits.principal_components(states.vectors)
    every = slice(None, None, -(-len(states.vectors) // MAX_SCATTER_POINTS))
    kept = circuits.States(torch.empty(0), states.tokens[every], states.positions[every])
    yield 1, 1, (kept, circuits.Components(components.coordinates[every], components.explained))


def _after(path: str) -> str:
    """Label of a sublayer: "Decoder, layer 1: after cross-attention"."""
    stack, _, layer, sublayer = path.split(".")
    return f"{stack.capitalize()}, layer {int(layer) + 1}: after {sublayer.replace('_', '-')}"


def _draw_scatter(
    model: TaskModel, states: circuits.States, components: circuits.Components, colour: str, *, alone: bool
) -> None:
    names = token_names(model.config.task)
    first, second = (percent(part) for part in components.explained.tolist())
    rows = [
        {"x": x, "y": y, "token": names[token], "position": position + 1}
        for (x, y), token, position in zip(
            components.coordinates.tolist(), states.tokens.tolist(), states.positions.tolist(), strict=True
        )
    ]
    shown = ("token",) if alone else ("token", "position")
    tooltip = [{"field": name, "type": "nominal", "title": name} for name in shown]
    across, up = (
        {
            "field": axis,
            "type": "quantitative",
            "title": f"principal component {number}: {part} of the variance",
            "axis": {"tickCount": 8, "labelFlush": True},
            "scale": {"domain": [min(row[axis] for row in rows), max(row[axis] for row in rows)], "nice": True},
        }
        for axis, number, part in (("x", 1, first), ("y", 2, second))
    )
    scale = {"scheme": "viridis", "domain": [1, max(row["position"] for row in rows)]}
    by: dict[str, Any] = (
        {"field": "position", "type": "quantitative", "title": "position, from 1", "scale": scale}
        if colour == "position"
        else {"field": "token", "type": "nominal", "scale": {"scheme": "tableau20"}, "title": "token"}
    )
    if alone or (colour == "token" and len(names) > MAX_LEGEND):
        by["legend"] = None
    point = {"x": across, "y": up, "color": by, "tooltip": tooltip}
    layers = [{"mark": {"type": "circle", "size": 60, "opacity": 0.8}, "encoding": point}]
    if alone:
        # Streamlit's theme leaves such text black; this grey is readable on light and dark pages.
        text = {"type": "text", "align": "left", "dx": 7, "fontSize": 12, "color": "#777"}
        label = {"x": across, "y": up, "text": {"field": "token", "type": "nominal"}, "tooltip": tooltip}
        layers.append({"mark": text, "encoding": label})
    what = "tokens" if alone else "hidden states of held-out inputs"
    st.vega_lite_chart(
        {
            "data": {"values": rows},
            "description": f"{len(rows)} {what} in two principal components, coloured by {colour}.",
            "height": 380,
            "layer": layers,
        },
        width="stretch",
    )
    explained = percent(sum(components.explained.tolist()))
    style.caption(f"{len(rows):,} {what}, projected by PCA. The two components explain {explained} of the variance.")


# ---- programs


def _programs(shown: Pass) -> None:
    """Draw the program of each head, and how well the programs reproduce the model."""
    model = shown.walk.model
    style.caption(
        "A program is a simple rule, such as “attends to the mirror position n+1-t”. The app finds the rule that best "
        "fits each head's attention weights. Then it replaces the weights with the rule's and evaluates the model on "
        "held-out inputs. "
        f"{roles.ROLE_LETTERS}"
    )
    rules: Programs | None = measurements.show("programs", shown.identity, programs, model, button="Find the programs")
    if rules is None:
        return
    own = percent(rules.exact_match)
    rows = []
    for head in heads(model.config.model):
        fit, replaced = rules.fits[head], rules.alone[head]
        rows.append(
            [
                escape(head.words.capitalize()),
                escape(f"attends {fit.program.words}"),
                f"{fit.weight:.2f}",
                percent(replaced.exact_match),
                percent(replaced.agreement),
            ]
        )
    columns = ("Head", "Program", "Weight that agrees", "Exact match with this program", "Same answer")
    st.html(style.table(columns, rows))
    style.caption(
        "Weight that agrees: the mean part of a query's attention weight on the positions of the rule. Scores are "
        f"free-running on {rules.sequences:,} held-out inputs. With its own weights the model has {own}."
    )
    if rules.together is None:
        return
    same = percent(rules.together.agreement)
    style.message(
        f"This model is this program in {same} of the cases. {rules.conclusion}",
        "good" if rules.together.agreement >= 0.5 else "note",
    )
    if not rules.together.differences:
        return
    listed, others = len(rules.together.differences), round((1 - rules.together.agreement) * rules.sequences)
    title = f"Inputs with another answer{f': the first {listed} of {others}' * (others > listed)}"
    st.html(f"<b>{escape(title)}</b>")
    differences = [
        [f"<code>{escape(text)}</code>" for text in (case.source, case.answer, case.own, case.right)]
        for case in rules.together.differences
    ]
    st.html(style.table(("Input", "Answer with programs", "Answer of the model", "Right answer"), differences))
