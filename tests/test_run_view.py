"""What asks for a new drawing of a run while nobody acts."""

from playground.runs import Run
from playground.ui.train import run_view
from tests.helpers import small_config


def test_an_evaluation_over_more_sequences_asks_for_no_drawing_until_the_run_ends():
    run = Run(small_config("encoder-decoder"))
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
