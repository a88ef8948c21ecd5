"""Routes for a checkpoint's attention weights and training history.

The request's cookie identifies the visitor, and so the library.
"""

from functools import partial
from pathlib import Path
from zlib import crc32

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from playground.common.errors import CheckpointError
from playground.storage.library import Library
from playground.tasks import InputError
from playground.ui.parts.charts import attention_route
from playground.ui.parts.charts.curves_route import attachment
from playground.ui.parts.computed import attention_of_checkpoint, csv_of_checkpoint, curves_of_checkpoint
from playground.ui.server import work
from playground.ui.server.assets import below_base
from playground.ui.server.refusal import Refused
from playground.ui.session import identity, sources

MAX_PICTURE_PARAMETERS = 5_000_000
"""Maximum parameters of a model whose attention is computed for a thumbnail."""

MAX_ROWS = 2000
"""Maximum rows of a history, for a chart some thousand pixels wide."""

SHOWN_HEADS = 4
"""Maximum heads on a card."""

_LONGEST = 400  # characters of an input
_DAY = 24 * 3600


def routes() -> list[Route]:
    """Routes for checkpoints."""
    return [
        Route(below_base("library/{name}/attention"), work.bounded(_serve_attention), methods=["GET"]),
        Route(below_base("library/{name}/curves"), work.bounded(_serve_curves), methods=["GET"]),
        Route(below_base("library/{name}/metrics.csv"), work.bounded(_serve_csv), methods=["GET"]),
    ]


async def _serve_attention(request: Request) -> Response:
    work.visitor_of(request)
    asked = request.query_params
    heads = SHOWN_HEADS if asked.get("heads") == "few" else None
    text = asked["input"][:_LONGEST] if "input" in asked else None
    try:
        folder = _folder(request)
        key = ("attention", folder, sources.stamp_of(folder), text, heads)
        look = partial(work.computed, attention_of_checkpoint, folder, text, heads, MAX_PICTURE_PARAMETERS)
        content = await work.COMPUTING.ask(request, key, look)
    except (CheckpointError, InputError) as error:
        raise Refused(422, sources.plain(error, _library(request))) from error
    # For a day if the address has the version of the content. Private: it belongs to one visitor.
    age = f"max-age={_DAY}, immutable" if "stamp" in asked else "no-cache"
    headers = {"Cache-Control": f"private, {age}", "X-Content-Type-Options": "nosniff"}
    return Response(content, media_type=attention_route.PACKED, headers=headers)


async def _serve_curves(request: Request) -> Response:
    work.visitor_of(request)
    try:
        folder = _folder(request)
        stamp = sources.stamp_of(folder)
        read = partial(work.computed, curves_of_checkpoint, folder, crc32(repr(stamp).encode()), MAX_ROWS)
        content = await work.COMPUTING.ask(request, ("curves", folder, stamp, MAX_ROWS), read)
    except CheckpointError as error:
        raise Refused(410, sources.plain(error, _library(request))) from error
    return Response(content, media_type="application/json", headers=_FRESH)


async def _serve_csv(request: Request) -> Response:
    work.visitor_of(request)
    try:
        folder = _folder(request)
        read = partial(work.computed, csv_of_checkpoint, folder)
        content = await work.COMPUTING.ask(request, ("metrics", folder, sources.stamp_of(folder)), read)
    except CheckpointError as error:
        raise Refused(410, sources.plain(error, _library(request))) from error
    headers = _FRESH | {"Content-Disposition": attachment(f"{folder.name}.csv")}
    return Response(content, media_type="text/csv", headers=headers)


def _library(request: Request) -> Library:
    return sources.library_of(identity.visitor_of(request.cookies.get(identity.VISITOR_COOKIE)))


def _folder(request: Request) -> Path:
    """Raises `CheckpointError` if the checkpoint doesn't exist."""
    folder = _library(request).path(request.path_params["name"])
    if folder.is_symlink():
        raise CheckpointError(f"There is no checkpoint named {folder.name}.")
    return folder


_FRESH = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
