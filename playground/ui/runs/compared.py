"""The runs that the Compare view shows."""

from collections.abc import Sequence

from playground.experiments import comparison
from playground.runs import Run
from playground.ui.session.session_keys import COMPARED


def choose(runs: Sequence[Run]) -> None:
    """Select these runs; the others are compared with the first."""
    if not runs and not COMPARED.is_set():
        return  # nothing was deselected, so the first runs will be selected
    COMPARED.set(",".join(run.id for run in runs[: comparison.MAX_OVERLAID]))
