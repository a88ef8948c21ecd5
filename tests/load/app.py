"""The app under load: a server of its own, and what it takes from the machine."""

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
"""A page that does nearly nothing, to compare with."""


@dataclass(frozen=True)
class App:
    """A running server with a library of its own."""

    address: str
    pid: int
    folder: Path
    variables: Mapping[str, str]  # of its environment, beside the usual ones

    @property
    def log(self) -> str:
        """All that the server has written to its standard output and error."""
        return (self.folder / "server.log").read_text()

    def processes(self) -> list[psutil.Process]:
        """The server first, then all that it has started."""
        server = psutil.Process(self.pid)
        return [server, *server.children(recursive=True)]

    def cpu_seconds(self) -> float:
        """Of the server alone."""
        return float(sum(psutil.Process(self.pid).cpu_times()[:2]))

    def usage(self) -> "Usage":
        return Usage.of(self.processes())


@dataclass(frozen=True)
class Usage:
    """What some processes hold together; memory in MB."""

    processes: int
    threads: int
    files: int  # open file descriptors
    rss: float
    pss: float  # RSS with what processes share counted once

    @classmethod
    def of(cls, processes: list[psutil.Process]) -> "Usage":
        """Processes that end meanwhile do not count."""
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
    """Starts the app, or another script, on a loopback port with an empty library, and ends it."""
    port = port or free_port()
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder), port, variables, script) as server:
        yield App(f"http://127.0.0.1:{port}", server.pid, Path(folder), variables or {})


def paths() -> list[str]:
    """Of all pages, the first one first."""
    names = sorted(file.stem for file in (Path(__file__).parents[2] / "pages").glob("*.py"))
    return ["", *(name for name in names if name != "build")]


def busy() -> str:
    """How busy the machine is: the figures of a busy one say little."""
    wall, cpu = time.perf_counter(), time.process_time()
    while time.process_time() - cpu < 0.3:
        pass
    share = 0.3 / (time.perf_counter() - wall)
    return f"{os.cpu_count()} cores; a busy loop gets {share:.0%} of one"
