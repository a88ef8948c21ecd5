"""Links to a run: others watch, its owner keeps control, and a wrong link gets an error message."""

import pytest

from playground.ui.session import sources
from playground.ui.session.services import services
from tests.helpers import TINY, messages
from tests.pages import button, charted, fine, link_to, page, run_of, wait_for
from tests.pages import host as host  # for every test here too


def test_a_link_lets_others_watch_and_not_control():
    app = page("train.py")
    button(app, "Train").click().run()
    run = run_of(app)
    other = link_to("train.py", run=run.id)
    assert run.metadata.name in messages(other, "note")[0]
    assert {each.label for each in other.button}.isdisjoint({"Train", "Pause", "Resume", "Step", "Stop", "Reset"})
    assert charted(other) == [run.id]
    other.switch_page("pages/step_through.py").run()
    assert fine(other).session_state["source"] == sources.RUN
    other.switch_page("pages/checkpoints.py").run()
    assert not any(each.label == "Save" for each in fine(other).button), "a copy is not the watcher's to keep"
    assert run_of(other) is None
    assert not run.ended


@pytest.mark.parametrize("name", ["train.py", "step_through.py"])
def test_a_link_shows_the_run_after_a_new_start_before_its_owner_comes_back(host, name):
    run = services().runs.start("its owner", TINY)
    assert run.wait("finished")
    host()
    app = page(name)
    app.query_params["run"] = run.id
    fine(app.run())
    assert not any("no longer exists" in each for each in messages(app))
    assert services().runs.watched(run.id).step == run.step
    assert app.session_state["run"] == run.id


def test_a_link_to_ones_own_run_keeps_control_of_just_that_run():
    app = page("train.py")
    button(app, "Train").click().run()
    first = run_of(app)
    button(app, "Stop").click().run()
    wait_for(app, "stopped")
    button(app, "Reset").click().run()
    second = run_of(app)
    app.query_params["run"] = first.id
    app.run()
    assert any(each.label == "Train" for each in fine(app).button)
    assert app.selectbox[0].value == first.id
    app.selectbox[0].set_value(second.id).run()
    assert "run" not in app.query_params
    assert app.selectbox[0].value == second.id


@pytest.mark.parametrize("wanted", ["gone", "", "../../etc/passwd", "<script>", "a" * 5000])
def test_a_stale_or_hand_made_link_is_answered_with_a_sentence(wanted):
    app = link_to("train.py", run=wanted)
    assert messages(app, "care") == ["This run no longer exists, or the link is wrong."] * bool(wanted)
    assert any(each.label == "Train" for each in app.button)
