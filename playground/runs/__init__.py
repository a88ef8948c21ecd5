"""Training in the background: each run in a worker process of its own, watched and steered through a handle."""

from playground.runs.history import History
from playground.runs.registry import Place, RunError, Runs
from playground.runs.replays import Replay
from playground.runs.run import Run, Status

__all__ = ["History", "Place", "Replay", "Run", "RunError", "Runs", "Status"]
