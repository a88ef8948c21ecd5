"""After a run has ended, Train stands for a new run, and the list of runs shows how each one ended."""

from playground.experiments.comparison import describe_changes
from tests.helpers import TINY
from tests.test_controls import train
from tests.test_pages import button, fine, host, page  # noqa: F401


def test_train_says_that_it_starts_a_new_run_once_the_run_has_ended():
    app = page("train.py")
    assert button(app, "Train").proto.type == "primary"
    run = train(app, TINY)
    assert run.wait("finished")
    again = button(fine(app.run()), "Train")
    assert again.proto.type == "secondary"
    assert "new run" in again.proto.help


def test_the_list_of_runs_shows_how_each_ended():
    app = page("train.py")
    assert train(app, TINY).wait("finished")
    button(fine(app.run()), "Train").click().run()
    (runs,) = (each for each in fine(app.run()).selectbox if each.label == "My runs")
    assert any("finished" in option for option in runs.options)


def test_a_choice_is_called_by_its_label():
    assert describe_changes([("model.positions", "two_way", "none")]) == "Positions from both ends → none"
