"""The browser's chart library: Vega, Vega-Lite and Vega-Embed as one bundle, built once and cached.

vl-convert contains them and bundles them in its own JavaScript engine, which takes seconds and memory. A separate
process does that, and the bundle is cached on disk for the next start.
"""

import asyncio
import gzip
import logging
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
from starlette.responses import Response

from playground.common.files import write_whole
from playground.common.paths import user_path
from playground.pictures import charts
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import route

_log = logging.getLogger(__name__)

_EXPORTS = "export { vegaEmbed };"
_BUNDLE = f"import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle({_EXPORTS!r}).encode())"
_NAME = f"vega-{version('vl-convert-python')}"
_PATIENCE = 60.0  # seconds
AGAIN_AFTER = 60.0
"""Seconds between two attempts to build the bundle."""

PROGRAM = f"charts/{_NAME}.js"
"""Path of the bundle, an ES module with `vegaEmbed`."""

_SPECS = charts.everything()
SPECS = f"charts/{sha256(_SPECS).hexdigest()[:12]}.json"
"""Path of the JSON from `charts.everything`."""


class _Program:
    """The bundle, compressed with gzip; empty after a failed build, until the next attempt."""

    def __init__(self) -> None:
        self.packed = b""
        self._again = -math.inf  # time of the next attempt, by `time.monotonic`
        self._maker: threading.Thread | None = None
        self._making = threading.Lock()

    @cached_property
    def plain(self) -> bytes:
        """The uncompressed bundle, for clients that don't accept gzip."""
        return gzip.decompress(self.packed)

    @property
    def rests(self) -> float:
        """Seconds until the next attempt; 0 or less if one is allowed now."""
        return self._again - time.monotonic()

    def begin(self) -> None:
        """Start building it without waiting; after a failure, not before `AGAIN_AFTER`."""
        if self.rests <= 0 and (self._maker is None or not self._maker.is_alive()):
            self._maker = threading.Thread(target=self.make, name="charts", daemon=True)
            self._maker.start()

    async def made(self) -> bool:
        """Wait until the build has ended; returns whether there is a bundle. Waiting takes no thread."""
        if not self.packed:
            self.begin()
        while not self.packed and self._maker is not None and self._maker.is_alive():
            await asyncio.sleep(0.05)
        return bool(self.packed)

    def make(self) -> None:
        """Read the cached bundle or build it; blocks.

        After any failure, the next attempt follows after `AGAIN_AFTER`.
        """
        with self._making:
            if self.packed or self.rests > 0:
                return
            try:
                self.packed = _read() or _build()
            except Exception:
                _log.exception("The chart program couldn't be built. Next try in %.0f s.", AGAIN_AFTER)
                self._again = time.monotonic() + AGAIN_AFTER


def _read() -> bytes:
    """The compressed bundle from an earlier start; empty if there is none or it is damaged."""
    with suppress(OSError, EOFError, zlib.error):
        packed = _kept().read_bytes()
        if gzip.decompress(packed):
            return packed
    return b""


def _build() -> bytes:
    """Build the bundle in a separate process, compress it and cache it."""
    command = [sys.executable, "-I", "-c", _BUNDLE]
    made = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=True)
    packed = gzip.compress(made.stdout, 6)
    with suppress(OSError):  # at worst, the next start builds it again
        kept = _kept()
        kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(kept, packed)
    return packed


program = _Program()


def _kept() -> Path:
    """Cache file of the bundle, in a folder that only this user can write to, since it runs in visitors' browsers."""
    return user_path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "transformer-playground" / f"{_NAME}.js.gz"


@route(PROGRAM)
async def _serve_program(request: Request) -> Response:
    if not await program.made():
        seconds = max(1, math.ceil(program.rests))
        raise Refused(503, f"The server couldn't build the chart program. It tries again in {seconds} s.", seconds)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = _KEPT | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(program.packed, media_type="text/javascript", headers=headers)
    return Response(program.plain, media_type="text/javascript", headers=_KEPT)


@route(SPECS)
async def _serve_specs(_request: Request) -> Response:
    return Response(_SPECS, media_type="application/json", headers=_KEPT)


# Private: a shared cache could pass on one visitor's cookie, which this response may set, to others.
_KEPT = {"Cache-Control": f"private, max-age={365 * 24 * 3600}, immutable"}
