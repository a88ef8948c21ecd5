"""The What if view of the Experiment page: a run replayed with a difference gives what the core gives."""

from itertools import islice

import pytest

from playground.interpret.counterfactual import (
    BatchLeftOut,
    ChangedAnswer,
    LabelChanged,
    SwitchedOff,
    counterfactual,
    original_of,
)
from playground.interpret.influence import Plan, Quantity, influences
from playground.interpret.interventions import InterventionError
from playground.ui.experiment.counterfactual_view import outcome_sentence
from playground.ui.session import sources
from playground.ui.session.services import services
from tests.helpers import TINY, messages, until, written
from tests.pages import button, fine, host, new_tab, page, run_of, solved, text, visitor  # noqa: F401


@pytest.fixture
def app(host):  # noqa: F811
    """Train, with a run that has just ended."""
    return solved()


def opened(app, **chosen):
    for key, value in {"experiment view": "training", "source": sources.RUN, **chosen}.items():
        app.session_state[key] = value
    return fine(app.switch_page("pages/experiment.py").run())


def replayed(app):
    button(app, "Replay").click().run()
    until(lambda: all(job.done for job in [*services().measurements._jobs.values()]))
    return fine(app.run())


SITE = "decoder.layers.0.cross_attention.head.1"
DIFFERENCES = [
    ({"counterfactual kind": "batch", "counterfactual step": 4}, BatchLeftOut(4)),
    ({"counterfactual kind": "part", "counterfactual step": 3, "counterfactual site": SITE}, SwitchedOff(SITE, 2)),
    (
        {
            "counterfactual kind": "label",
            "counterfactual step": 2,
            "counterfactual row": 3,
            "counterfactual position": 2,
            "counterfactual label": 5,
        },
        LabelChanged(2, 2, 1, 5),
    ),
]


@pytest.mark.parametrize(("chosen", "difference"), DIFFERENCES, ids=["batch", "part", "label"])
def test_the_outcome_is_that_of_the_core(app, chosen, difference):
    run = run_of(app)
    opened(app, **chosen)
    page = text(written(replayed(app)))
    *_, found = counterfactual(original_of(run, difference), difference)
    assert outcome_sentence(found.answers, found.sequences) in page
    for answer in found.answers[:3]:
        assert answer.source + answer.right in page
    losses, exact = (each.proto for each in app.get("vega_lite_chart"))
    assert "Training loss" in losses.spec
    assert "Exact match" in exact.spec
    assert '"y2": {"field": "high"}' in exact.spec, "the interval of a finite test is drawn"
    assert "y2" not in losses.spec


def test_a_number_out_of_range_is_a_sentence_and_stays_in_its_field_and_the_address(app):
    run = run_of(app)
    fields = {"kind": "label", "step": 999_999, "row": 0, "label": 999}
    opened(app, **{f"counterfactual {name}": value for name, value in fields.items()})
    assert messages(app, "wrong") == [
        f"Step: 999,999 doesn't exist. Use a number from 1 to {run.step:,}.",
        f"Row of the batch: 0 doesn't exist. Use a number from 1 to {run.config.training.batch_size}.",
    ]
    assert all(each.label != "Replay" for each in app.button)
    values = {each.key: each.value for each in app.number_input}
    assert (values["counterfactual step"], values["counterfactual row"]) == (999_999, 0)
    assert app.query_params["difference"] == "label"
    assert app.query_params["at"] == "999999"


def test_a_batch_without_such_a_label_is_a_sentence():
    app = page("train.py")
    run = services().runs.start(visitor(app), TINY.updated({"task.min_length": 2}))
    assert run.wait("finished")
    original = original_of(run, BatchLeftOut(1))
    for row in range(TINY.training.batch_size):
        try:
            list(islice(counterfactual(original, LabelChanged(2, row, 4, 5)), 3))
        except InterventionError as error:
            problem = str(error)
            break
    opened(
        app,
        **{"counterfactual kind": "label", "counterfactual step": 2, "counterfactual row": row + 1},
        **{"counterfactual position": 5, "counterfactual label": 5},
    )
    assert "The chosen row of step 2 has" in problem
    assert messages(replayed(app), "wrong") == [problem]


def test_a_checkpoint_needs_a_run_of_ones_own():
    app = new_tab("experiment.py", view="training", model="reverse-1-16")
    assert messages(app, "note") == [
        "This is a checkpoint, and only a run can be replayed. Train a model, then choose that run under Model."
    ]


def test_changed_answers_are_counted_by_what_they_became():
    answers = [ChangedAnswer("1", "1", "1", "2"), ChangedAnswer("3", "3", "2", "3"), ChangedAnswer("4", "4", "1", "2")]
    assert outcome_sentence(answers, 1000) == (
        "3 of 1,000 held-out answers differ. Became wrong: 1. Became right: 1. Still wrong, but different: 1."
    )
    assert outcome_sentence([], 40) == "Both models give the same answers to all 40 held-out inputs."


def ranked(app):
    button(app, "Rank batches").click().run()
    until(lambda: all(job.done for job in [*services().measurements._jobs.values()]))
    return fine(app.run())


@pytest.mark.parametrize("kind", ["role", "exact_match"])
def test_batches_are_ranked_as_in_the_core(app, kind):
    run = run_of(app)
    quantity = Quantity(kind, SITE, "first") if kind == "role" else Quantity(kind)
    chosen = {"influence of": kind, "influence head": SITE, "influence role": "first", "influence every": 5}
    opened(app, **{"counterfactual kind": "rank"}, **chosen)
    shown = text(written(ranked(app)))
    plan = Plan(quantity, every=5)
    *_, found = influences(original_of(run, BatchLeftOut(1)), plan)
    assert found.reproduced
    for row in found.ranked[:5]:
        assert f"{row.effect:+.2g}" in shown
        assert row.sequences[0] in shown
    pictures = [each.proto.spec for each in app.get("vega_lite_chart")]
    if kind == "role":
        assert f"Pearson {found.pearson:.2f}, Spearman {found.spearman:.2f}" in shown
        assert f"exact effect of {len(found.rows)} batches" in pictures[0]
    else:
        assert "Exact match has no gradient" in shown
        assert not pictures


def test_a_ranking_that_cannot_be_is_a_sentence(app):
    run = run_of(app)
    opened(app, **{"counterfactual kind": "rank", "influence first": 999_999})
    assert messages(app, "wrong") == [
        f"The batches are those of steps 1 to {run.step:,}; 999,999 to {run.step:,} are not."
    ]
    assert all(each.label != "Rank batches" for each in app.button)
    assert app.query_params["influence_first"] == "999999"
    opened(app, **{"influence first": 1, "influence of": "input", "influence input": "<b>x</b>"})
    (problem,) = messages(app, "wrong")
    assert "is not a symbol" in problem
