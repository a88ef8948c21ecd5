"""Attribution view: what patching each head, node or edge changes, estimated and exact, and circuits."""

import math
from collections.abc import Iterator, Mapping
from functools import partial
from html import escape
from typing import Any, cast

import streamlit as st
import torch

from playground.common.errors import PlaygroundError
from playground.common.numbers import counted, percent
from playground.interpret.attribution import MAX_STEPS, Attributed, Attribution, Of, attributions
from playground.interpret.edges import receivers
from playground.interpret.input_pairs import PAIRS, held_out_pairs, typed_pairs
from playground.interpret.kept_circuit import Ablation, Circuit, CircuitReport, circuit_report, countable, parts_of
from playground.interpret.patching import Metric
from playground.lessons.live_parts import Numbers
from playground.model.architecture import locate
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.tasks import text_of
from playground.tasks.batches import HELD_OUT_SEQUENCES
from playground.ui.experiment import active_changes
from playground.ui.experiment.circuit_picture import circuit_picture, ends, in_words, scatter_picture
from playground.ui.parts import measurements, style
from playground.ui.parts.map.model_map import drawing
from playground.ui.passes import matrices, subject
from playground.ui.passes.frame import Pass
from playground.ui.session import at_step, sources
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParam, QueryParams, flag, number, one_of
from playground.ui.session.flash import flash
from playground.ui.session.session_keys import Key

ATTRIBUTED_INPUTS = Key[str]("attributed inputs", "pairs", "Widget: the inputs of an attribution")
ATTRIBUTED_OF = Key[str]("attributed of", "heads", "Widget: what is patched in an attribution")
ATTRIBUTED_METRIC = Key[str]("attributed metric", "logit_difference", "Widget: metric of an attribution")
ATTRIBUTED_STEPS = Key[int]("attributed steps", 0, "Widget: integrated steps of an attribution")
ATTRIBUTED_EXACT = Key[bool]("attributed exact", True, "Widget: exact patches beside the estimates")
CIRCUIT_SHARE = Key[int]("circuit share", 20, "Widget: threshold of a circuit, in percent of the largest change")
CIRCUIT_KEPT = Key[str]("circuit kept", "", "Numbers of the parts chosen by hand; empty: by the threshold")
CIRCUIT_FOCUS = Key[str]("circuit focus", "", "Part whose edges are shown")
CIRCUIT_ABLATE = Key[str]("circuit ablate", "mean", "Widget: what replaces everything outside the circuit")
CIRCUIT_EVERY = Key[int]("circuit every", 0, "Widget: length up to which every input is tested; 0: held-out inputs")
CIRCUIT_TEXT = Key[str]("circuit text", "", "Widget: a circuit as JSON, pasted")
CIRCUIT_MAP = Key[Any]("circuit map", None, "Component: parts of the model and the circuit")
CIRCUIT_SCATTER = Key[Any]("circuit scatter", None, "Component: estimates beside exact changes")

INPUTS = {"pairs": f"{PAIRS} held-out pairs", "own": "Your input"}
PATCHED_PARTS: dict[str, str] = {"heads": "Heads", "nodes": "Nodes", "edges": "Edges"}
METRICS = {"logit_difference": "Logit difference", "probability": "Probability", "loss": "Loss"}
ABLATIONS = {"mean": "Mean", "other": "Other inputs"}

MAX_KEPT_TEXT = 5_000
"""Maximum characters of the numbers of parts in an address."""

MAX_POINTS = 400
"""Maximum number of parts that the pictures make clickable: those with the largest change."""

_ROWS = 20
_CLICK = "Click to keep or remove"
_BY_HAND = "hand"  # begins the numbers of the parts of a circuit, which can be none

ADDRESS = QueryParams(
    "attribution_view",
    QueryParam("of", ATTRIBUTED_OF, one_of(PATCHED_PARTS)),
    QueryParam("inputs", ATTRIBUTED_INPUTS, one_of(INPUTS)),
    QueryParam("other", keys.CHANGE_OTHER),
    QueryParam("metric", ATTRIBUTED_METRIC, one_of(METRICS)),
    QueryParam("integrated", ATTRIBUTED_STEPS, number(3)),
    QueryParam("exact", ATTRIBUTED_EXACT, flag),
    QueryParam("keep", CIRCUIT_SHARE, number(3)),
    QueryParam("parts", CIRCUIT_KEPT, longest=MAX_KEPT_TEXT),
    QueryParam("ablate", CIRCUIT_ABLATE, one_of(ABLATIONS)),
    QueryParam("every", CIRCUIT_EVERY, number(2)),
)


def draw(shown: Pass) -> None:
    """Draw the view."""
    model, config = shown.walk.model, shown.walk.model.config
    text = text_of(subject.source_tokens(shown.walk), config.task)
    other = _choose(text, config)
    if other is None:
        return
    if at_step.is_playing():
        style.caption("Pause the training steps to measure.")
        return
    of, metric = cast(Of, ATTRIBUTED_OF.get()), cast(Metric, ATTRIBUTED_METRIC.get())
    asked = (text, other, of, metric, min(ATTRIBUTED_STEPS.get(), MAX_STEPS), ATTRIBUTED_EXACT.get())
    found: Attribution | None = measurements.show(
        "attribution", (shown.identity, *asked), measured_attribution, model, *asked, stage="Patching"
    )
    if found is None:
        return
    st.fragment(_show)(shown.identity, model, found)


def measured_attribution(
    model: TaskModel, text: str, other: str, of: Of, metric: Metric, steps: int, exact: bool
) -> Iterator[Attribution]:
    """The attribution of one pair of inputs or, without `other`, of held-out pairs."""
    pairs = typed_pairs(model.config, [text], [other]) if other else held_out_pairs(model.config)
    yield from attributions(model, pairs, of, metric, integrated_steps=steps, exact=exact)


def measured_circuit(
    model: TaskModel, circuit: Circuit, ablate: Ablation, every: int
) -> Iterator[tuple[int, int, CircuitReport]]:
    """Faithfulness and minimality of a circuit, on every input up to a length or, for 0, on held-out inputs."""
    yield from circuit_report(model, circuit, ablate, every_input=every or None)


def _choose(text: str, config: RunConfig) -> str | None:
    """Draw the choices; returns the other input, "" for held-out pairs, None if the inputs can't be compared."""
    no_edges = _no_edges(config)
    possible = [name for name in PATCHED_PARTS if name != "edges" or not no_edges]
    if ATTRIBUTED_OF.get() not in possible:
        ATTRIBUTED_OF.set(possible[0])
    with st.container(horizontal=True, vertical_alignment="bottom", key="attribution-choice"):
        st.segmented_control(
            "Patch",
            possible,
            required=True,
            format_func=PATCHED_PARTS.__getitem__,
            help="Heads: the output of each head. Nodes: the residual vector at each position, and each sublayer's "
            "output. Edges: what one part adds, in the input of one other part only.",
            **ATTRIBUTED_OF.widget,
        )
        st.segmented_control(
            "Metric",
            list(METRICS),
            required=True,
            format_func=METRICS.__getitem__,
            help="Logit difference: logit of the right token minus that of the other input's. Probability and loss are "
            "those of the right token.",
            **ATTRIBUTED_METRIC.widget,
        )
        st.number_input(
            "Integrated steps",
            min_value=0,
            max_value=MAX_STEPS,
            width=150,
            help="0: the gradient at the input. Otherwise the mean gradient at so many points on the line between the "
            "embeddings of both inputs (EAP-IG, Hanna et al. 2024).",
            **ATTRIBUTED_STEPS.widget,
        )
        st.segmented_control(
            "Inputs",
            list(INPUTS),
            required=True,
            format_func=INPUTS.__getitem__,
            help="Each held-out input is patched from the next one with the same length and another answer.",
            **ATTRIBUTED_INPUTS.widget,
        )
        own = ATTRIBUTED_INPUTS.get() == "own"
        if own:
            active_changes.choose_other(text, config)
        st.toggle("Exact patches", help="Also patches the parts one by one.", **ATTRIBUTED_EXACT.widget)
    if no_edges:
        style.caption(no_edges)
    if not own:
        return ""
    other = active_changes.other_input(text, config)
    try:
        if problem := active_changes.problem_with_other(other, text, config):
            style.message(problem, "wrong")
            return None
        typed_pairs(config, [text], [other])
    except PlaygroundError as error:
        style.message(sources.plain(error), "wrong")
        return None
    style.caption(f"Patches come from the input {other}.")
    return other


def _no_edges(config: RunConfig) -> str:
    """Why a model has no edges; empty if it has."""
    try:
        receivers(config.model)
    except PlaygroundError as error:
        return str(error)
    return ""


def _show(identity: tuple[object, ...], model: TaskModel, found: Attribution) -> None:
    """Draw an attribution and a circuit: a fragment of its own."""
    config = model.config
    circuit = _circuit(config, found)
    facts = {row.part: _fact(row, found) for row in found.ranked[:MAX_POINTS]}
    left, right = st.columns(2, gap="large")
    with left:
        with st.container(key="attribution"):
            _summary(found)
            if found.pearson is not None:
                metric = METRICS[found.metric].lower()
                picture = scatter_picture([row for row in found.rows if row.part in facts], circuit.kept, facts, metric)
                drawing(picture, _CLICK, CIRCUIT_SCATTER, partial(_picked, CIRCUIT_SCATTER, config, found))
                style.caption("Each point is a part. On the dashed line, estimates are exact. Filled points are kept.")
        if found.of != "edges":
            matrices.show(_maps(found), "attribution")
        _ranked(found)
    with right:
        style.heading("Circuit")
        _choose_circuit(found)
        with st.container(key="kept-circuit"):
            _draw_circuit(config, found, circuit, facts)
        _test(identity, model, circuit)
        _files(config, circuit)
    ADDRESS.keep()


def _summary(found: Attribution) -> None:
    """Draw how far the estimates agree with the exact changes, and how far the metric is saturated."""
    metric, pairs = METRICS[found.metric].lower(), counted(found.pairs, "pair")
    intact = f"Without a patch, the mean {metric} is {found.intact:.3f}; for the other inputs {found.other:.3f}."
    if found.pearson is not None and found.spearman is not None:
        sentence = (
            f"Estimates against exact changes of {len(found.rows):,} parts: Pearson {found.pearson:.3f}, Spearman "
            f"{found.spearman:.3f} ({pairs})."
        )
        style.message(sentence, "good" if found.pearson >= 0.9 else "note")
    elif any(row.exact is not None for row in found.rows):
        style.message(f"Too few different effects for a correlation ({pairs}).", "note")
    else:
        style.message(f"Estimates only ({pairs}). Turn on exact patches to see how far they are right.", "note")
    style.caption(f"{intact} An effect is the {metric} with the patch minus that without it. {found.note}")


def _maps(found: Attribution) -> list[Numbers]:
    """Changes as matrices: heads by attention; of nodes, the residual vectors by stack, layer and position."""
    groups = dict[str, dict[str, dict[int, float]]]()
    for row in found.rows:
        name, _, index = row.part.replace(".head.", "[").removesuffix("]").partition("[")
        if index:
            place = locate(name)
            stack, layer = place.stack, (place.layer or 0) + 1
            group = "heads" if found.of == "heads" else stack
            short = "embeddings" if place.layer is None else f"after layer {layer}"
            if group == "heads":
                short = f"{stack} {layer} {place.sublayer.removesuffix('_attention')}"  # there is room for this
            cells = groups.setdefault(group, {}).setdefault(short, {})
            cells[int(index)] = row.estimate if row.exact is None else row.exact
    what = "Exact change" if found.total else "Estimated change"
    made = []
    for group, rows in groups.items():
        columns = range(1 + max(index for cells in rows.values() for index in cells))
        values = torch.tensor([[cells.get(column, math.nan) for column in columns] for cells in rows.values()])
        title = f"{what}: {'heads' if group == 'heads' else f'residual vectors of the {group}, by position'}"
        made.append(Numbers(title, values.nan_to_num(), ("", ""), [*rows], [str(column + 1) for column in columns]))
    return made


def _ranked(found: Attribution) -> None:
    """Draw the parts with the largest change."""
    rows = []
    for row in found.ranked[:_ROWS]:
        exact = "" if row.exact is None else f"{row.exact:+.3f}"
        rows.append([exact, f"{row.estimate:+.3f}", escape(in_words(row.part))])
    st.html(style.table(("Exact change", "Estimate", "Part"), rows))
    style.caption(
        f"Change of the {METRICS[found.metric].lower()} if the part is patched from the other input. "
        + (f"The {_ROWS} largest of {len(found.rows):,}." if len(found.rows) > _ROWS else "")
    )


def _fact(row: Attributed, found: Attribution) -> str:
    exact = "" if row.exact is None else f", exact {row.exact:+.3f}"
    return f"Change of the {METRICS[found.metric].lower()}: estimate {row.estimate:+.3f}{exact}"


# ---- the circuit


def _circuit(config: RunConfig, found: Attribution) -> Circuit:
    """The circuit of the threshold or, once a part was added or removed, that of the address."""
    threshold = min(CIRCUIT_SHARE.get(), 100) / 100 * _largest(found)
    circuit = Circuit.chosen(config, found, threshold=threshold)
    if not CIRCUIT_KEPT.get():
        return circuit
    numbers = {int(word) for word in CIRCUIT_KEPT.get().split() if word.isdecimal() and len(word) < 6}
    every = parts_of(config, circuit.of)
    return Circuit(circuit.of, tuple(name for number, name in enumerate(every) if number in numbers), circuit.model)


def _largest(found: Attribution) -> float:
    """The largest change among the parts that a circuit can be chosen from."""
    rows = [row for row in found.rows if "[" not in row.part]
    return max(abs(row.estimate if row.exact is None else row.exact) for row in rows)


def _choose_circuit(found: Attribution) -> None:
    """Draw the threshold."""
    st.slider(
        "Threshold, in % of the largest change",
        0,
        100,
        help="Keeps the parts whose change is at least as large, in either direction: the exact change if it is "
        "measured, otherwise the estimate.",
        on_change=CIRCUIT_KEPT.set,
        args=("",),
        **CIRCUIT_SHARE.widget,
    )
    if CIRCUIT_KEPT.get():
        st.button("Use the threshold", icon=":material/undo:", on_click=CIRCUIT_KEPT.set, args=("",))
    elif found.of == "heads":
        style.caption("Feed-forward networks are not ranked here, so all of them are kept.")
    style.flashed("circuit")


def _draw_circuit(config: RunConfig, found: Attribution, circuit: Circuit, facts: Mapping[str, str]) -> None:
    """Draw the circuit in the parts of the model."""
    every, of_edges = parts_of(config, circuit.of), circuit.of == "edges"
    kind = "edges" if of_edges else "heads and feed-forward networks"
    threshold = f"Threshold {min(CIRCUIT_SHARE.get(), 100) / 100 * _largest(found):.3g}"
    by = "Chosen by hand" if CIRCUIT_KEPT.get() else threshold
    st.html(f"<b>Kept: {len(circuit.kept):,} of {len(every):,} {kind}.</b> {by}.")
    clickable = {name: facts.get(name, "Not ranked") for name in every if name in facts or not of_edges}
    clickable |= {name: facts.get(name, "Not among the largest") for name in circuit.kept}
    note, action = "Kept parts are in colour.", _CLICK
    if of_edges:
        clickable |= {end: "Part with edges" for name in every for end in ends(name)}
        action = "Click a line to keep or remove it, a box to show its edges"
        note += (
            " Lines are kept edges: solid blue is read as query, dashed orange as key, dotted green as value. Click a "
            "box to show its other edges as thin lines."
        )
    picture = circuit_picture(config.model, circuit.kept, clickable, CIRCUIT_FOCUS.get())
    drawing(picture, action, CIRCUIT_MAP, partial(_picked, CIRCUIT_MAP, config, found))
    style.caption(f"{note} Heads and layers are counted from 1.")


def _picked(source: Key[Any], config: RunConfig, found: Attribution) -> None:
    """Keep or remove the part that was clicked, or show the edges of a box."""
    part = str(source.get().part or "")
    circuit = _circuit(config, found)
    if part in parts_of(config, circuit.of):
        kept = {*circuit.kept} ^ {part}
        _keep(config, circuit, kept)
    elif circuit.of == "edges":
        CIRCUIT_FOCUS.set("" if CIRCUIT_FOCUS.get() == part else part[:200])
    else:
        flash(
            "circuit", "A circuit consists of heads and feed-forward networks. This part can't be kept alone.", "care"
        )


def _keep(config: RunConfig, circuit: Circuit, kept: set[str]) -> None:
    """Store a circuit that was changed by hand."""
    every = parts_of(config, circuit.of)
    text = " ".join([_BY_HAND, *(str(number) for number, name in enumerate(every) if name in kept)])
    if len(text) > MAX_KEPT_TEXT:
        flash("circuit", f"A circuit of {len(kept):,} parts is too large for this page. Use the command line.", "care")
    else:
        CIRCUIT_KEPT.set(text)


def _test(identity: tuple[object, ...], model: TaskModel, circuit: Circuit) -> None:
    """Draw faithfulness and minimality, once measured."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Replace everything else by",
            list(ABLATIONS),
            required=True,
            format_func=ABLATIONS.__getitem__,
            help="Mean: its mean over held-out inputs at each position. Other inputs: its tensor for the next input of "
            "the same length.",
            **CIRCUIT_ABLATE.widget,
        )
        choices = {0: f"{HELD_OUT_SEQUENCES:,} held-out inputs"} | countable(model.config)
        if CIRCUIT_EVERY.get() not in choices:
            CIRCUIT_EVERY.set(0)
        if len(choices) > 1:
            st.selectbox(
                "Test on",
                list(choices),
                format_func=choices.__getitem__,
                width=300,
                help="All inputs include those of training.",
                **CIRCUIT_EVERY.widget,
            )
    ablate, every = cast(Ablation, CIRCUIT_ABLATE.get()), CIRCUIT_EVERY.get()
    report: CircuitReport | None = measurements.show(
        "circuit",
        (identity, circuit, ablate, every),
        measured_circuit,
        model,
        circuit,
        ablate,
        every,
        button="Test this circuit",
        help="Faithfulness: what the model still answers with only the circuit. Minimality: without each part of it.",
    )
    if report is None:
        return
    with st.container(key="circuit-scores"):
        style.message(report.sentence, "good" if report.circuit.exact_match >= 0.9 else "note")
        if report.faithfulness is not None:
            style.caption(
                f"Faithfulness by logit difference: {report.faithfulness:.3f}. 0: as with everything replaced; 1: as "
                "the whole model."
            )
        _minimality(report)
        st.download_button(
            "Download text for a model card",
            data=report.card_text,
            file_name="circuit.md",
            mime="text/markdown",
            icon=":material/download:",
            help="`python -m playground push DIR OWNER/NAME --circuit circuit.json` puts it into the card.",
            on_click="ignore",
        )


def _minimality(report: CircuitReport) -> None:
    rows = []
    for part, scores in report.parts:
        lost = max(0.0, report.circuit.exact_match - scores.exact_match)
        difference = "" if scores.logit_difference is None else f"{scores.logit_difference:.3f}"
        rows.append([percent(scores.exact_match), percent(lost), difference, escape(in_words(part))])
    if rows:
        heads = ("Exact match", "Lost", "Logit difference", "Without")
        st.html(style.table(heads, rows))


def _files(config: RunConfig, circuit: Circuit) -> None:
    """Draw the download of the circuit, and the field for one."""
    with st.expander("Circuit as JSON", icon=":material/data_object:"):
        st.download_button(
            "Download circuit.json",
            data=circuit.to_json(),
            file_name="circuit.json",
            mime="application/json",
            icon=":material/download:",
            help="`python -m playground circuit DIR circuit.json` tests the same circuit.",
            on_click="ignore",
        )
        st.text_area(
            "Circuit to use",
            key=CIRCUIT_TEXT.name,
            max_chars=CIRCUIT_TEXT.max_chars,
            placeholder='{"format": "transformer-playground-circuit", ...}',
            help="Paste a circuit.json of a model with the same settings.",
            height=120,
        )
        st.button("Use this circuit", icon=":material/check:", on_click=_use, args=(config, circuit))
        style.flashed("circuit file")


def _use(config: RunConfig, circuit: Circuit) -> None:
    """Take the pasted circuit. If it is invalid, it stays in the box and the circuit doesn't change."""
    try:
        pasted = Circuit.from_json(CIRCUIT_TEXT.get(), config)
    except PlaygroundError as error:
        flash("circuit file", f"Circuit not used. {sources.plain(error)}")
        return
    if pasted.of != circuit.of:
        ATTRIBUTED_OF.set("edges" if pasted.of == "edges" else "heads")
    _keep(config, pasted, {*pasted.kept})
