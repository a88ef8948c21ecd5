"""Rank all batches: what the training would have learned without each of them, exactly and by an estimate."""

from html import escape
from typing import Any, get_args

import streamlit as st

from playground.common.numbers import counted
from playground.interpret.counterfactual import BatchLeftOut, original_of
from playground.interpret.influence import MAX_REPLAYS, Influence, Plan, Quantity, QuantityKind, influences
from playground.interpret.interventions import InterventionError
from playground.interpret.sites import words
from playground.model.head_paths import heads
from playground.runs import Run
from playground.settings.config import RunConfig
from playground.tasks import InputError, example_text
from playground.training.roles import ROLES
from playground.ui.parts import measurements, style
from playground.ui.session import sources
from playground.ui.session.address import QueryParam, number, one_of
from playground.ui.session.session_keys import Key

INFLUENCE_OF = Key[str]("influence of", "loss", "Widget: what is measured without a batch")
INFLUENCE_HEAD = Key[str | None]("influence head", None, "Widget: head whose role is measured")
INFLUENCE_ROLE = Key[str]("influence role", "previous", "Widget: role of this head")
INFLUENCE_INPUT = Key[str]("influence input", "", "Widget: input whose loss is measured")
INFLUENCE_FIRST = Key[int]("influence first", 1, "Widget: step of the first batch that is left out")
INFLUENCE_LAST = Key[int](
    "influence last", 0, "Widget: step of the last batch that is left out; 0: the last of the run"
)
INFLUENCE_EVERY = Key[int]("influence every", 0, "Widget: steps between two batches; 0: at most 100 replays")
INFLUENCE_AFTER = Key[int]("influence after", 0, "Widget: steps from batch to measurement; 0: to the end of the run")
INFLUENCE_GRADIENT = Key[str]("influence gradient", "end", "Widget: where the gradient of the estimate is taken")

OF = {
    "loss": "Held-out loss",
    "exact_match": "Exact match",
    "role": "Role of a head",
    "input": "Loss of one input",
}
assert OF.keys() == set(get_args(QuantityKind))
_GRADIENTS = {"end": "End of the run", "step": "Step of the batch"}
_SHOWN = 20
"""Maximum number of batches in the table."""

PARAMS = (
    QueryParam("influence", INFLUENCE_OF, one_of(OF)),
    QueryParam("influence_head", INFLUENCE_HEAD),
    QueryParam("influence_role", INFLUENCE_ROLE, one_of(ROLES)),
    QueryParam("influence_input", INFLUENCE_INPUT),
    QueryParam("influence_first", INFLUENCE_FIRST, number(7)),
    QueryParam("influence_last", INFLUENCE_LAST, number(7)),
    QueryParam("influence_every", INFLUENCE_EVERY, number(7)),
    QueryParam("influence_after", INFLUENCE_AFTER, number(7)),
    QueryParam("influence_gradient", INFLUENCE_GRADIENT, one_of(_GRADIENTS)),
)


def draw(run: Run) -> None:
    """Draw the form, and the result or its progress."""
    style.caption(
        f"Each replay leaves out one batch, so its effect is exact. At most {MAX_REPLAYS} replays. The estimate needs "
        "no replay: it is the learning rate times the product of two gradients (TracIn, Pruthi et al. 2020). It "
        "ignores momentum, Adam's scaling of the gradient, and what later steps change."
    )
    plan = _choose(run.config)
    try:
        plan.quantity.check(run.config)
        steps = plan.steps(run.step)
    except (InterventionError, InputError) as error:
        style.message(sources.plain(str(error)), "wrong")
        return
    style.caption(f"Replays: {len(steps):,}, for steps {steps[0]:,} to {steps[-1]:,}")
    found: Influence | None = measurements.show(
        "influence",
        (run.id, run.step, plan),
        influences,
        plan,
        button="Rank batches",
        help="Trains the run again, once without each batch.",
        stage="Replaying",
        prepare=lambda: (original_of(run, BatchLeftOut(plan.first)),),
        costed=(run.config, run.step),
    )
    if found is not None:
        with st.container(key="influence-outcome"):
            _draw_outcome(found)


def _choose(config: RunConfig) -> Plan:
    """Draw the form; numbers from a link may be outside of the run, which `Plan.steps` says."""

    def steps(key: Key[int], label: str, meaning: str) -> int:
        """Draw a field for a number of steps."""
        return int(st.number_input(label, min_value=0, step=1, width=150, help=meaning, **key.widget))

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind: Any = st.selectbox("Effect on", list(OF), format_func=OF.__getitem__, width=190, **INFLUENCE_OF.widget)
        head = role = text = ""
        if kind == "role":
            paths = [head.path for head in heads(config.model)]
            if INFLUENCE_HEAD.get() not in paths:
                INFLUENCE_HEAD.set(paths[-1])
            head = st.selectbox("Head", paths, format_func=words, width=330, **INFLUENCE_HEAD.widget)
            role = st.selectbox(
                "Attends to",
                list(ROLES),
                format_func=lambda name: ROLES[name].words,
                width=330,
                **INFLUENCE_ROLE.widget,
            )
        if kind == "input":
            if not INFLUENCE_INPUT.get():
                INFLUENCE_INPUT.set(example_text(config.task))
            text = st.text_input("Input", width=230, **INFLUENCE_INPUT.text)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        first = steps(INFLUENCE_FIRST, "From step", "Step of the first batch that is left out.")
        last = steps(INFLUENCE_LAST, "To step", "Step of the last one. 0: the last step of the run.")
        every = steps(INFLUENCE_EVERY, "Every (steps)", "Steps between two batches. 0: at most 100 replays.")
        after = steps(INFLUENCE_AFTER, "Measure after (steps)", "Steps after the batch. 0: at the end of the run.")
        gradient: Any = st.segmented_control(
            "Gradient of the estimate",
            list(_GRADIENTS),
            required=True,
            format_func=_GRADIENTS.__getitem__,
            help="Where the gradient of the measured quantity is taken.",
            **INFLUENCE_GRADIENT.widget,
        )
    return Plan(Quantity(kind, head, role, text), first, last or None, every or None, after or None, gradient)


def _draw_outcome(found: Influence) -> None:
    """Draw what the ranking says, the scatter and the table."""
    quantity = found.plan.quantity
    when = "at the end of the run" if found.plan.after is None else f"{found.plan.after:,} steps after each batch"
    st.html(
        f'<p class="sentence">Measured {when}: {escape(quantity.words)} ({counted(found.inputs, "input")}). At the end '
        f"of the run it is {found.value:.4g}.</p>"
    )
    if found.reproduced is False:
        style.message("The replay of the run gives other weights than it kept, so the effects are not exact.", "care")
    if found.pearson is not None and found.spearman is not None:
        st.html(
            f'<p class="sentence">Estimates against exact effects of {len(found.rows):,} batches: Pearson '
            f"{found.pearson:.2f}, Spearman {found.spearman:.2f}.</p>"
        )
        _scatter(found)
    elif not quantity.has_gradient:
        style.caption("Exact match has no gradient, so there is no estimate.")
    rows = [
        [
            f"{row.step:,}",
            f"{row.effect:+.2g}",
            "" if row.estimate is None else f"{row.estimate:+.2g}",
            f"{row.loss:.3f}",
            escape("; ".join(row.sequences)) + (f" and {row.size - len(row.sequences):,} more" * (row.size > 4)),
        ]
        for row in found.ranked[:_SHOWN]
    ]
    st.html(
        style.table(
            ["Step", "Exact effect", "Estimate", "Loss of the batch", "Sequences"], rows, scrolls="Ranked batches"
        )
    )
    more = f" The {_SHOWN} batches with the largest effect are shown." if len(found.rows) > _SHOWN else ""
    style.caption(f"Effect: without the batch minus with it.{more}")


def _scatter(found: Influence) -> None:
    """Draw the estimate of each batch against its exact effect, and the line on which both are equal."""
    rows = [{"estimate": row.estimate or 0.0, "effect": row.effect, "step": row.step} for row in found.rows]
    sorts = [[row[name] for row in rows] for name in ("estimate", "effect")]
    low, high = max(map(min, sorts)), min(map(max, sorts))
    equal = [{"estimate": end, "effect": end} for end in (low, high)] if low < high else []
    scale = {"axis": {"tickCount": 6}, "scale": {"zero": False}}
    axes = {
        "x": {"field": "estimate", "type": "quantitative", "title": "estimate", **scale},
        "y": {"field": "effect", "type": "quantitative", "title": "exact effect", **scale},
    }
    tooltip = [{"field": name, "type": "quantitative"} for name in ("step", "effect", "estimate")]
    line = {"type": "line", "strokeDash": [4, 3], "color": "#777"}
    st.vega_lite_chart(
        {
            "data": {"values": rows},
            "description": f"Estimate and exact effect of {len(rows)} batches."
            + " On the dashed line both are equal." * bool(equal),
            "height": 320,
            "layer": [
                {"data": {"values": equal}, "mark": line, "encoding": axes},
                {"mark": {"type": "circle", "size": 60, "opacity": 0.8}, "encoding": axes | {"tooltip": tooltip}},
            ],
        },
        width="stretch",
    )
