"""Routes for a checkpoint's attention weights and training history.

The request's cookie identifies the visitor, and so the library.
"""

from functools import partial
from pathlib import Path
from zlib import crc32

from starlette.requests import Request
from starlette.responses import Response

from playground.common.errors import CheckpointError
from playground.ui.parts.charts import attention_route
from playground.ui.parts.charts.curves_route import attachment
from playground.ui.parts.computed import attention_of_checkpoint, csv_of_checkpoint, curves_of_checkpoint
from playground.ui.server import work
from playground.ui.server.routing import visitor_route
from playground.ui.session import sources

MAX_PICTURE_PARAMETERS = 5_000_000
"""Maximum parameters of a model whose attention is computed for a thumbnail."""

MAX_ROWS = 2000
"""Maximum rows of a history, for a chart some thousand pixels wide."""

SHOWN_HEADS = 4
"""Maximum heads on a card."""

_LONGEST = 400  # characters of an input
_DAY = 24 * 3600


@visitor_route("library/{name}/attention")
async def _serve_attention(request: Request, visitor: str) -> Response:
    asked = request.query_params
    heads = SHOWN_HEADS if asked.get("heads") == "few" else None
    text = asked["input"][:_LONGEST] if "input" in asked else None
    folder, stamp = _folder(request, visitor)
    look = partial(work.computed, attention_of_checkpoint, folder, text, heads, MAX_PICTURE_PARAMETERS)
    content = await work.COMPUTING.ask(request, ("attention", folder, stamp, text, heads), look)
    # For a day if the address has the version of the content. Private: it belongs to one visitor.
    age = f"max-age={_DAY}, immutable" if "stamp" in asked else "no-cache"
    return Response(content, media_type=attention_route.PACKED, headers={"Cache-Control": f"private, {age}"})


@visitor_route("library/{name}/curves")
async def _serve_curves(request: Request, visitor: str) -> Response:
    folder, stamp = _folder(request, visitor)
    read = partial(work.computed, curves_of_checkpoint, folder, crc32(repr(stamp).encode()), MAX_ROWS)
    content = await work.COMPUTING.ask(request, ("curves", folder, stamp, MAX_ROWS), read)
    return Response(content, media_type="application/json")


@visitor_route("library/{name}/metrics.csv")
async def _serve_csv(request: Request, visitor: str) -> Response:
    folder, stamp = _folder(request, visitor)
    read = partial(work.computed, csv_of_checkpoint, folder)
    content = await work.COMPUTING.ask(request, ("metrics", folder, stamp), read)
    headers = {"Content-Disposition": attachment(f"{folder.name}.csv")}
    return Response(content, media_type="text/csv", headers=headers)


def _folder(request: Request, visitor: str) -> tuple[Path, tuple[int, ...]]:
    """The folder of the checkpoint and the version of its files; raises `CheckpointError` if it doesn't exist."""
    folder = sources.library_of(visitor).path(request.path_params["name"])
    if folder.is_symlink():
        raise CheckpointError(f"There is no checkpoint named {folder.name}.")
    return folder, sources.stamp_of(folder)
