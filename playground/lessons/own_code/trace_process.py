"""`python -m playground.lessons.own_code.trace_process FILE BUILD CALL GRADIENTS OUT SECONDS MEGABYTES`: traces a file.

The code runs in that process alone, which has limits of time and memory. It is no sandbox, see `confinement`. What it
writes is a line with a `TracedFile` and then, for a page, what the script `traced_pass.ts` reads. Nothing of it is
trusted: the page shows it as text.
"""

import linecache
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playground.lessons.check.process import confinement
from playground.lessons.own_code.processes import MAX_SECONDS, START_SECONDS

MEMORY_MB = 2000
"""Limit of the code and of its recording."""

MAX_BYTES = 200_000_000
"""Of what a process may send."""

_NEAR = 2  # lines before and after the one that raised an exception


class TracedFile(BaseModel):
    """The outcome of a trace: a pass with its operations, or a problem in words with the line where it arose."""

    model_config = ConfigDict(extra="forbid")

    operations: int = 0
    problem: Annotated[str, Field(max_length=10_000)] = ""
    line: int | None = None
    lines: Annotated[list[tuple[int, Annotated[str, Field(max_length=1000)]]], Field(max_length=2 * _NEAR + 1)] = []
    """Lines near it, with their numbers."""


class TraceProcess:
    """A process that traces a file."""

    def __init__(
        self,
        file: Path,
        build: str,
        call: str,
        *,
        gradients: bool,
        seconds: float = MAX_SECONDS,
        memory_mb: int = MEMORY_MB,
    ) -> None:
        self._until = monotonic() + seconds + START_SECONDS
        self._folder = TemporaryDirectory(prefix="trace-")
        self._out = Path(self._folder.name) / "pass"
        options = [build, call, "gradients" if gradients else "", str(self._out), str(seconds), str(memory_mb)]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(file.absolute()), *options],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=confinement.environment(),
                start_new_session=True,
            )
        except BaseException:
            self._folder.cleanup()
            raise

    def wait(self) -> tuple[TracedFile, bytes]:
        """The outcome, and for a pass what the script reads."""
        with self._folder:
            try:
                self._process.wait(max(0.0, self._until - monotonic()))
            except subprocess.TimeoutExpired:
                self.end()
                self._process.wait()
                return TracedFile(problem="The trace did not end in time and was stopped."), b""
            self.end()
            return self._read()

    def end(self) -> None:
        """End the process and what it has started; `wait` returns then."""
        confinement.end_with_descendants(self._process)

    def _read(self) -> tuple[TracedFile, bytes]:
        try:
            if self._out.stat().st_size > MAX_BYTES:
                return TracedFile(problem="The pass is too large to show. Use a smaller model or input."), b""
            first, _, content = self._out.read_bytes().partition(b"\n")
            return TracedFile.model_validate_json(first), content
        except (OSError, ValidationError):
            code = self._process.returncode
            how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
            return TracedFile(problem=f"Your code ended the process that runs it ({how})."), b""


def main(file: Path, build: str, call: str, out: Path, seconds: float, memory_mb: int, *, gradients: bool) -> None:
    """Trace a file in this process, write the outcome and end."""
    confinement.supervise()
    import torch

    from playground.common.errors import PlaygroundError, one_line
    from playground.export import trace_page
    from playground.lessons.check.code.student_code import TheirError
    from playground.lessons.own_code.traced_file import traced
    from playground.processes.child import is_of_memory

    torch.set_num_threads(1)
    written = threading.Lock()

    def answer(outcome: TracedFile, content: str = "") -> None:
        """Write the outcome, the first one alone, and end."""
        written.acquire()
        out.with_suffix(".part").write_bytes(outcome.model_dump_json().encode() + b"\n" + content.encode())
        out.with_suffix(".part").rename(out)
        os._exit(0)

    late = f"Your code was stopped after {seconds:g} seconds. Does it have an endless loop?"
    watch = threading.Timer(seconds, lambda: answer(TracedFile(problem=late)))
    watch.daemon = True
    watch.start()
    confinement.limit(memory_mb, seconds)
    full = f"Your code used more than {memory_mb:,} MB of memory and was stopped. Use a smaller model or input."
    try:
        graph = traced(file, build, call, gradients=gradients)
        content = trace_page.data(graph, graph.title)
    except PlaygroundError as error:
        if is_of_memory(error.__cause__ or error):
            answer(TracedFile(problem=full))
        problem = TracedFile(problem=one_line(error, 2000))
        if isinstance(error, TheirError) and error.line:
            problem.line, problem.lines = _near(file, error.line)
        answer(problem)
    except Exception as error:
        if is_of_memory(error):
            answer(TracedFile(problem=full))
        what = f"{type(error).__name__}: {one_line(error, 300)}"
        answer(TracedFile(problem=f"The trace failed ({what}). This is an error of the app, not of your code."))
    answer(TracedFile(operations=len(graph)), content)


def _near(file: Path, line: int) -> tuple[int, list[tuple[int, str]]]:
    """A line and the lines near it with their numbers, which begin with 1 in each code cell of a notebook."""
    from playground.recording.notebook_cells import cell_of

    path = str(file.resolve())
    lines, (_, cell) = linecache.getlines(path), cell_of(path, line)
    near = range(max(cell.start, line - _NEAR), min(cell.stop - 1, len(lines), line + _NEAR) + 1)
    before = cell.start - 1
    return line - before, [(number - before, lines[number - 1].rstrip()[:1000]) for number in near]


if __name__ == "__main__":
    name, how_built, how_called, with_gradients, to, limit, megabytes = sys.argv[1:8]
    with suppress(KeyboardInterrupt):
        main(Path(name), how_built, how_called, Path(to), float(limit), int(megabytes), gradients=bool(with_gradients))
