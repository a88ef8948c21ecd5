"""Train runs to their end without the app, on any backend."""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playground.common.errors import sentences
from playground.runs import Run, RunError, Runs
from playground.runs.backends import Backend
from playground.runs.metadata import Device
from playground.settings.config import Change, RunConfig
from playground.settings.host import Host, cores

OnBatchProgress = Callable[[Sequence[Run], str], None]
"""Called several times a second with the runs and, if they wait, the reason."""

CONNECT_SECONDS = 60.0
MAX_RESUMES = 3
"""How often a run resumes after its worker was lost; then it is stopped."""

_REPORT_SECONDS = 0.2  # seconds


@contextmanager
def trained(
    configs: Sequence[RunConfig],
    backend: Backend,
    on_progress: OnBatchProgress,
    *,
    title: str = "",
    changes: Sequence[Change] = (),
    device: Device = "cpu",
) -> Iterator[list[Run]]:
    """Train all until each has ended and yield the runs in this order; afterwards their files are deleted.

    `changes` and `device` apply only if there is one config. Raises `RunError` if the backend cannot be used or the
    host rejects a run.
    """
    with tempfile.TemporaryDirectory(prefix="playground-runs-", ignore_cleanup_errors=True) as folder:
        host = Host(checkpoints=Path(folder), workers=min(64, cores()), runs_per_visitor=0)
        runs = Runs(host, backend)
        try:
            runs.open()
            if not backend.settled(CONNECT_SECONDS) or backend.problem:
                raise RunError(sentences(backend.problem, "Nothing was trained."))
            if len(configs) == 1:
                started = [runs.start("", configs[0], changes=changes, device=device)]
            else:
                started = runs.start_many("", configs, sweep=title)
            resumed = Counter[str]()
            while not all(run.ended for run in started):
                for run in started:
                    if run.status == "paused":  # nothing else pauses it: its worker was lost
                        resumed[run.id] += 1
                        run.resume() if resumed[run.id] <= MAX_RESUMES else run.stop()
                on_progress(started, backend.problem)
                time.sleep(_REPORT_SECONDS)
            on_progress(started, "")
            yield started
        finally:
            runs.close()
