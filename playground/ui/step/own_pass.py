"""Passes of visitors' own code: traced in a separate process, and sent to the browser that asked for them."""

import secrets
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from playground.common.bounded_cache import BoundedCache
from playground.common.files import why_no_file
from playground.common.paths import user_path
from playground.lessons.check.verdict import CheckError
from playground.lessons.own_code.processes import MAX_SECONDS
from playground.lessons.own_code.trace_process import TracedFile, TraceProcess
from playground.ui.parts.code import own_machine
from playground.ui.parts.code.code_file import MAX_BYTES, CodeFile
from playground.ui.parts.code.code_jobs import CodeJob, CodeJobs
from playground.ui.server import channels
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import visitor_route

MAX_CACHE_BYTES = 400_000_000
"""Of all passes in memory."""


class AskedTrace(NamedTuple):
    """What is traced, and how: a file that was sent, or the path of one on this machine."""

    file: CodeFile | None
    path: str
    build: str
    call: str
    gradients: bool

    @property
    def name(self) -> str:
        """Name of the file."""
        return self.path or (self.file.name if self.file else "")


class OwnPass(NamedTuple):
    """The outcome of a trace, and the name of its pass in `pass_route`; empty without one."""

    traced: TracedFile
    name: str


class _Tracing:
    """A process whose pass is stored for one visitor."""

    def __init__(self, process: TraceProcess) -> None:
        self._process, self.end = process, process.end

    def wait(self) -> OwnPass:
        traced, content = self._process.wait()
        if not content:
            return OwnPass(traced, "")
        name = secrets.token_urlsafe(16)
        _passes.put(name, content)
        return OwnPass(traced, name)


TRACES = CodeJobs[AskedTrace, OwnPass]("trace")

_passes: BoundedCache[str, bytes] = BoundedCache(MAX_CACHE_BYTES)  # by a name that can't be guessed


def begin(asked: AskedTrace) -> CodeJob[AskedTrace, OwnPass]:
    """Start tracing and cancel an earlier trace of this visitor. Raises `CheckError` if that isn't allowed."""
    if not asked.name:
        raise CheckError("There is no file yet.", "Choose one, or type its path.")
    if asked.file and len(asked.file.text.encode("utf-8", "replace")) > MAX_BYTES:
        raise CheckError("The file is larger than 1 MB.", "Choose a smaller one.")
    if asked.path and own_machine.permitted() and (problem := why_no_file(user_path(asked.path))):
        raise CheckError(problem)

    def start(folder: Path) -> CodeJob[AskedTrace, OwnPass]:
        file = user_path(asked.path)
        if asked.file and not asked.path:
            file = folder / Path(asked.file.name).name
            file.write_bytes(asked.file.content())
        process = TraceProcess(file, asked.build, asked.call, gradients=asked.gradients)
        progress = f"Tracing your code: {{}} s. The limit is {MAX_SECONDS:g} s."
        return CodeJob(asked, _Tracing(process), progress)

    return TRACES.begin(start)


channels.own_channel(TRACES.name, TRACES.fields, TRACES.moving)


@visitor_route("own-pass/{name}")
async def _serve(request: Request, _visitor: str) -> Response:
    content = _passes.get(request.path_params["name"])
    if content is None:
        raise Refused(410, "This pass is no longer stored. Trace your code again.")
    return Response(content, media_type="application/json")
