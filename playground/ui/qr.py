"""An address as a QR code, for a telephone that is held up to the screen."""

import io
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from playground.ui.assets import below_base

LONGEST = 1000
"""Characters of an address: a longer one would need modules too fine for a projector."""

_HEADERS = {"Cache-Control": "private, max-age=3600", "X-Content-Type-Options": "nosniff"}


@lru_cache(maxsize=64)
def svg(address: str) -> bytes:
    """The code as a picture: dark on white with a white margin, which readers need whatever the page's theme.

    Raises ValueError, one sentence, for what is no address or too long for a code.
    """
    if urlsplit(address).scheme not in ("http", "https"):
        raise ValueError("A code is made of an address that begins with http:// or https://.")
    if len(address) > LONGEST:
        raise ValueError(f"The address has {len(address):,} characters, and a code here takes {LONGEST:,} at most.")
    picture = io.BytesIO()
    segno.make(address, micro=False, error="m").save(
        picture, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, xmldecl=False, nl=False
    )
    return picture.getvalue()


def routes() -> list[Route]:
    """Where the browser asks for codes."""
    return [Route(below_base("qr"), _serve, methods=["GET"])]


def _serve(request: Request) -> Response:
    try:
        picture = svg(request.query_params.get("text", ""))
    except ValueError as error:
        return PlainTextResponse(str(error), 400, headers={"Cache-Control": "no-store"})
    return Response(picture, media_type="image/svg+xml", headers=_HEADERS)
