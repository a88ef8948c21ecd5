"""Runs trained to their ends without a screen, on any backend."""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playground.config import Change, RunConfig
from playground.errors import sentences
from playground.host import Host, cores
from playground.runs import Run, RunError, Runs
from playground.runs.backends import Backend
from playground.runs.metadata import Device

Tell = Callable[[Sequence[Run], str], None]
"""Is called several times a second with the runs, and with the reason why they wait if they do."""

CONNECT_SECONDS = 60.0
MAX_RESUMES = 3
"""How often a run goes on whose worker was lost; then it is stopped."""

_TELL_EVERY = 0.2  # seconds


@contextmanager
def trained(
    configs: Sequence[RunConfig],
    backend: Backend,
    tell: Tell,
    *,
    title: str = "",
    changes: Sequence[Change] = (),
    device: Device = "cpu",
) -> Iterator[list[Run]]:
    """Trains them all until each has ended, and yields the runs in this order; then nothing is kept of them.

    One of them alone makes `changes` on the way, and trains on `device`. Raises `RunError` if the backend cannot be
    used, and for a run that the host refuses.
    """
    with tempfile.TemporaryDirectory(prefix="playground-runs-", ignore_cleanup_errors=True) as folder:
        host = Host(checkpoints=Path(folder), workers=min(64, cores()), runs_per_visitor=0)
        runs = Runs(host, backend)
        try:
            runs.open()
            if not backend.settled(CONNECT_SECONDS) or backend.trouble:
                raise RunError(sentences(backend.trouble, "Nothing was trained."))
            if len(configs) == 1:
                started = [runs.start("", configs[0], changes=changes, device=device)]
            else:
                started = runs.start_many("", configs, sweep=title)
            resumed = Counter[str]()
            while not all(run.ended for run in started):
                for run in started:
                    if run.status == "paused":  # nobody pauses it here: its worker was lost
                        resumed[run.id] += 1
                        run.resume() if resumed[run.id] <= MAX_RESUMES else run.stop()
                tell(started, backend.trouble)
                time.sleep(_TELL_EVERY)
            tell(started, "")
            yield started
        finally:
            runs.close()
