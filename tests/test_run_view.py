"""What asks for a new drawing of a run while nobody acts."""

from playground.runs import Run
from playground.runs.metadata import RunMetadata
from playground.settings.config import Change
from playground.ui.runs import run_view
from tests.helpers import small_config


def test_an_evaluation_over_more_sequences_asks_for_no_drawing_until_the_run_ends():
    run = Run(RunMetadata(config=small_config("encoder-decoder")))
    marks = []
    for step, sequences in enumerate((100, 500, 1000), start=1):
        run.store.history.append(
            {"step": step, "seconds": 0.1 * step, "loss": 1.0, "exact_match": 0.5, "sequences": sequences}
        )
        marks.append(run_view.controls(run))
    assert len(set(marks)) == 1
    run.stop()
    assert run.ended
    assert run_view.controls(run) != marks[0]


def test_a_change_is_drawn_when_it_is_asked_for_and_again_when_the_worker_has_made_it():
    run = Run(RunMetadata(config=small_config("encoder-decoder")))
    before = run_view.controls(run)
    change = Change(0, {"training.learning_rate": 0.004})
    run._pending_changes.append(change.settings)
    asked = run_view.controls(run)
    run._pending_changes.clear()
    run.store.set(changes=(change,))
    assert len({before, asked, run_view.controls(run)}) == 3
