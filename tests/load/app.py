"""The app under load: a separate server, and its use of CPU and memory."""

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.browser.conftest import ROOT, free_port, running_server

MB = 1_000_000
CONTROL = Path(__file__).with_name("control.py")
"""The control: a page that does nearly nothing, for comparison."""


@dataclass(frozen=True)
class App:
    """A running server with its own library."""

    address: str
    pid: int
    folder: Path
    variables: Mapping[str, str]  # additional environment variables

    @property
    def log(self) -> str:
        """The server's standard output and error."""
        return (self.folder / "server.log").read_text()

    def processes(self) -> list[psutil.Process]:
        """The server process, then its descendants."""
        server = psutil.Process(self.pid)
        return [server, *server.children(recursive=True)]

    def cpu_seconds(self) -> float:
        """Usage of the server process alone."""
        return float(sum(psutil.Process(self.pid).cpu_times()[:2]))

    def usage(self) -> "Usage":
        return Usage.of(self.processes())


@dataclass(frozen=True)
class Usage:
    """Total usage of some processes; memory in MB."""

    processes: int
    threads: int
    files: int  # open file descriptors
    rss: float
    pss: float  # RSS with shared memory counted once

    @classmethod
    def of(cls, processes: list[psutil.Process]) -> "Usage":
        """Total usage; processes that end meanwhile don't count."""
        rows = []
        for process in processes:
            try:
                memory = process.memory_full_info()
                rows.append((process.num_threads(), process.num_fds(), memory.rss / MB, memory.pss / MB))
            except psutil.Error:
                continue
        return cls(len(rows), *(sum(column) for column in zip(*rows, strict=True)))


@contextmanager
def application(
    variables: Mapping[str, str] | None = None, port: int | None = None, script: Path = ROOT / "app.py"
) -> Iterator[App]:
    """Run the app, or another script, on a loopback port with an empty library; ends it on exit."""
    port = port or free_port()
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder), port, variables, script) as server:
        yield App(f"http://127.0.0.1:{port}", server.pid, Path(folder), variables or {})


def paths() -> list[str]:
    """Paths of all pages, the first page first."""
    names = sorted(file.stem for file in (Path(__file__).parents[2] / "pages").glob("*.py"))
    return ["", *(name for name in names if name != "build")]


def busy() -> str:
    """Load of the machine: results on a busy machine are unreliable."""
    wall, cpu = time.perf_counter(), time.process_time()
    while time.process_time() - cpu < 0.3:
        pass
    share = 0.3 / (time.perf_counter() - wall)
    return f"{os.cpu_count()} cores; a busy loop gets {share:.0%} of one"
