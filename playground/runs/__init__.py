"""Training in the background: each run in a worker process of its own, watched and steered through a handle."""

from playground.runs.history import History
from playground.runs.run import Run, RunError, Runs, Status

__all__ = ["History", "Run", "RunError", "Runs", "Status"]
