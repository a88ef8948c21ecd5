"""The view of lengths: a checkpoint's exact match by input length, measured like that of a run."""

import pytest

from playground.experiments.lengths import by_length, points
from playground.model.task_model import TaskModel
from playground.storage import checkpoint
from playground.storage.library import Library
from playground.ui.parts.charts.length_chart import MISTAKE
from playground.ui.session.services import services
from tests.helpers import TINY, prose
from tests.pages import fine, host, link_to, page, visitor
from tests.test_lengths_view import ENDLESS, _data, chart_of, measured

__all__ = ["host"]  # a fixture that acts by itself


def opened(**settings):
    """The view of a new checkpoint, and its folder."""
    config = ENDLESS.updated(settings)
    library = Library(services().host.checkpoints)
    library.save("mine", TaskModel(config), [])
    return link_to("experiment.py", view="lengths", model="mine"), library.path("mine")


@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_a_checkpoint_is_measured_at_the_usual_lengths(host, positions):
    app, folder = opened(**{"model.positions": positions})
    assert ("This model reads inputs up to length 3. The trained position table" in prose(app)) == (
        positions == "learned"
    )
    assert not app.get("vega_lite_chart"), "nothing is measured before it is asked for"
    app = measured(app)
    *_, (_, _, scores) = by_length(checkpoint.load(folder).model)
    found = _data(chart_of(app))
    rows = next(rows for rows in found if "run" in rows[0])
    assert [{name: row[name] for name in ("length", "exact_match", "low", "high")} for row in rows] == points(scores)
    assert next(rows for rows in found if "from" in rows[0]) == [{"from": 0.5, "to": 3.5}]
    assert max(row["length"] for row in rows) == (24 if positions == "sinusoidal" else 3)


def test_a_task_without_lengths_gives_the_reason(host):
    app, _ = opened(**{"task.name": "dates"})
    assert "Training already has all input lengths of the task dates." in prose(app)
    assert "Measure" not in [each.label for each in app.button]


def test_a_run_with_a_mistake_is_not_measured_on_other_lengths(host):
    app = page("train.py", pace="Full speed")
    run = services().runs.start(visitor(app), TINY, pitfall="no-scaling")
    assert run.wait("finished")
    app.session_state["train view"] = "compare"
    assert MISTAKE in prose(fine(app.run()))
    assert MISTAKE in prose(link_to("experiment.py", view="lengths", run=run.id, model="run"))
