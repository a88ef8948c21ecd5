"""The program that draws charts in the browser: Vega, Vega-Lite and Vega-Embed as one file, made once and kept.

vl-convert carries them and bundles them in a JavaScript engine of its own, which takes seconds and memory that the
server needs elsewhere; so a process of its own does it, and what it made is kept for the next start.
"""

import asyncio
import gzip
import math
import os
import subprocess
import sys
import threading
import time
import zlib
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from playground import charts
from playground.ui.assets import below_base

_EXPORTS = "export { vegaEmbed };"
_BUNDLE = f"import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle({_EXPORTS!r}).encode())"
_NAME = f"vega-{version('vl-convert-python')}"
_PATIENCE = 60.0  # seconds
AGAIN_AFTER = 60.0
"""Seconds after which a program that could not be made is tried again."""

PROGRAM = f"charts/{_NAME}.js"
"""Where the page finds the program, an ES module with `vegaEmbed`."""

_SPECS = charts.everything()
SPECS = f"charts/{sha256(_SPECS).hexdigest()[:12]}.json"
"""Where the page finds what `charts.everything` tells."""


class _Program:
    """The bundle, packed with gzip, or why there is none."""

    def __init__(self) -> None:
        self.packed = b""
        self.trouble = ""
        self._tried = -math.inf
        self._maker: threading.Thread | None = None
        self._making = threading.Lock()

    @cached_property
    def plain(self) -> bytes:
        """The bundle as it is, for clients that do not unpack it."""
        return gzip.decompress(self.packed)

    def begin(self) -> None:
        """Has it made, without waiting."""
        if self._maker is None or not self._maker.is_alive():
            self._maker = threading.Thread(target=self.make, name="charts", daemon=True)
            self._maker.start()

    async def made(self) -> bool:
        """Whether it is there, once that is known; many may wait, and none of them takes a thread."""
        if not self.packed:
            self.begin()
        while not self.packed and self._maker is not None and self._maker.is_alive():
            await asyncio.sleep(0.05)
        return bool(self.packed)

    def make(self) -> None:
        """Reads it or, the first time on this machine, makes it; blocks until then.

        What has failed is tried again after `AGAIN_AFTER`.
        """
        with self._making:
            if self.packed or time.monotonic() - self._tried < AGAIN_AFTER:
                return
            kept = _folder() / f"{_NAME}.js.gz"
            with suppress(OSError, EOFError, zlib.error):
                packed = kept.read_bytes()
                if gzip.decompress(packed):
                    self.packed = packed
                    return
            try:
                made = subprocess.run(
                    [sys.executable, "-I", "-c", _BUNDLE], capture_output=True, timeout=_PATIENCE, check=True
                )
            except (OSError, subprocess.SubprocessError) as error:
                self._tried = time.monotonic()
                self.trouble = f"The program that draws charts could not be made: {error}."
                return
            self.packed, self.trouble = gzip.compress(made.stdout, 6), ""
            with suppress(OSError):  # at the worst the next start makes it again
                kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                half = kept.with_suffix(f".{os.getpid()}")
                half.write_bytes(self.packed)
                half.replace(kept)


program = _Program()


def routes() -> list[Route]:
    """What the server must serve for charts to be drawn."""
    return [Route(below_base(PROGRAM), _serve_program), Route(below_base(SPECS), _serve_specs)]


def _folder() -> Path:
    """A folder of this user's alone: what lies in it runs in visitors' browsers."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "transformer-playground"


async def _serve_program(request: Request) -> Response:
    if not await program.made():
        headers = {"Cache-Control": "no-store", "Retry-After": f"{AGAIN_AFTER:.0f}"}
        return PlainTextResponse(program.trouble, 503, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = _KEPT | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(program.packed, media_type="text/javascript", headers=headers)
    return Response(program.plain, media_type="text/javascript", headers=_KEPT)


async def _serve_specs(_request: Request) -> Response:
    return Response(_SPECS, media_type="application/json", headers=_KEPT)


# Private: a shared cache would hand one visitor's cookie, which may ride on this answer, to others.
_KEPT = {"Cache-Control": f"private, max-age={365 * 24 * 3600}, immutable", "X-Content-Type-Options": "nosniff"}
