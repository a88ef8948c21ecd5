"""Training in the background: each run has its own worker process, controlled through a `Run`."""

from playground.runs.fair_scheduler import QueuePosition
from playground.runs.frames import Frames
from playground.runs.history import History
from playground.runs.metadata import BranchPoint, Hunt
from playground.runs.reader import Playback, RunView
from playground.runs.registry import RunError, Runs
from playground.runs.replays import Replay
from playground.runs.run import Run
from playground.runs.slow_motion import SLOW_MOTION, StageShown
from playground.runs.states import WILL_PAUSE, State, Status
from playground.training.stages import stage_plan

__all__ = [
    "SLOW_MOTION",
    "WILL_PAUSE",
    "BranchPoint",
    "Frames",
    "History",
    "Hunt",
    "Playback",
    "QueuePosition",
    "Replay",
    "Run",
    "RunError",
    "RunView",
    "Runs",
    "StageShown",
    "State",
    "Status",
    "stage_plan",
]
