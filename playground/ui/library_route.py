"""What a checkpoint's attention looks at and how its training went, for browsers that draw it: over HTTP.

A visitor is told by the cookie of the request, and gets what is in the library of that visitor alone.
"""

import json
import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from playground.checkpoints import load, read_history, read_summary
from playground.config import parameter_counts
from playground.gate import CheckpointError
from playground.tasks import InputError, example_text
from playground.ui import attention, state
from playground.ui.assets import below_base
from playground.ui.curves import TABLES, as_csv, attachment, refused
from playground.ui.heatmap import message, pack

MOST_PARAMETERS = 5_000_000
"""Of a model whose attention is computed only to be looked at in passing."""

MOST_ROWS = 2000
"""Of a history, in a chart some thousand pixels wide."""

SHOWN_HEADS = 4
"""On a card."""

_ROOM = 8_000_000  # bytes of answers that are kept, of all visitors together
_LONGEST = 400  # letters of an input
_DAY = 24 * 3600


def routes() -> list[Route]:
    """Where the browser asks for checkpoints."""
    return [
        Route(below_base("library/{name}/attention"), _serve_attention, methods=["GET"]),
        Route(below_base("library/{name}/curves"), _serve_curves, methods=["GET"]),
        Route(below_base("library/{name}/metrics.csv"), _serve_csv, methods=["GET"]),
    ]


class Pictures:
    """Packed attention weights of checkpoints, the least used ones go; from any thread, computed one at a time."""

    def __init__(self, room: int) -> None:
        self._room, self._size = room, 0
        self._kept: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._lock, self._computing = threading.Lock(), threading.Lock()

    def packed(self, folder: Path, text: str | None, most_heads: int | None) -> bytes:
        """The last attention that can look at the source, reading `text` or, without one, an example.

        Raises `CheckpointError`, also for a model that is too large for this, and `InputError`.
        """
        key = (folder, state.stamp_of(folder), text, most_heads)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        with self._computing:  # many cards that come into view together leave the other cores alone
            made = _packed(folder, text, most_heads)
        with self._lock:
            self._size += len(made) - len(self._kept.get(key, b""))
            self._kept[key] = made
            while self._size > self._room and len(self._kept) > 1:
                self._size -= len(self._kept.popitem(last=False)[1])
        return made


_pictures = Pictures(_ROOM)


def _packed(folder: Path, text: str | None, most_heads: int | None) -> bytes:
    parameters = sum(parameter_counts(read_summary(folder).config).values())
    if parameters > MOST_PARAMETERS:
        raise CheckpointError(f"Its {parameters:,} parameters are too many for a picture in passing.")
    model = load(folder).model  # an instance of our own: it gets hooks
    tap = state.why(model.config)
    found = attention.looked_at(model, example_text(model.config.task) if text is None else text, [tap])
    try:
        return message(pack(*attention.drawn(model.config, tap, found, most_heads)), {})
    except ValueError as error:  # weights may be finite and what comes of them not
        raise CheckpointError("Its attention weights are not finite.") from error


def _serve_attention(request: Request) -> Response:
    asked = request.query_params
    heads = SHOWN_HEADS if asked.get("heads") == "few" else None
    text = asked["input"][:_LONGEST] if "input" in asked else None
    try:
        content = _pictures.packed(_folder(request), text, heads)
    except (CheckpointError, InputError) as error:
        return refused(state.plain(error, _library(request)), 422)
    # For a day where the address has the stamp of what is drawn. Private: it is one visitor's.
    age = f"max-age={_DAY}, immutable" if "stamp" in asked else "no-cache"
    headers = {"Cache-Control": f"private, {age}", "X-Content-Type-Options": "nosniff"}
    return Response(content, media_type=attention.PACKED, headers=headers)


def _serve_curves(request: Request) -> Response:
    try:
        folder = _folder(request)
        records = list(read_history(folder))
    except CheckpointError as error:
        return refused(state.plain(error, _library(request)), 410)
    version = crc32(repr(state.stamp_of(folder)).encode())
    told = {"version": version, "tables": {name: _table(records, name) for name in TABLES}, "changes": [], "kept": []}
    text = json.dumps(told, separators=(",", ":"), allow_nan=False)
    return Response(text, media_type="application/json", headers=_FRESH)


def _serve_csv(request: Request) -> Response:
    try:
        folder = _folder(request)
        text = as_csv(list(read_history(folder)))
    except CheckpointError as error:
        return refused(state.plain(error, _library(request)), 410)
    headers = _FRESH | {"Content-Disposition": attachment(f"{folder.name}.csv")}
    return Response(text, media_type="text/csv", headers=headers)


def _table(records: Sequence[dict[str, float]], name: str) -> dict[str, Any]:
    """As `Curves.told` has it, evenly thinned; the last row stays."""
    measures = TABLES[name]
    rows = [
        [record["step"], *(record.get(measure) for measure in measures)]
        for record in records
        if any(measure in record for measure in measures)
    ]
    every = math.ceil(len(rows) / MOST_ROWS) or 1
    return {"all": True, "rows": rows[::-1][::every][::-1]}


def _library(request: Request) -> state.Library:
    return state.library_of(state.visitor_of(request.cookies.get(state.VISITOR_COOKIE)))


def _folder(request: Request) -> Path:
    """Raises `CheckpointError` for a name that leads nowhere."""
    folder = _library(request).path(request.path_params["name"])
    if folder.is_symlink():
        raise CheckpointError(f"There is no checkpoint named {folder.name}.")
    return folder


_FRESH = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
