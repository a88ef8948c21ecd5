"""Route for the QR code of an address of this app."""

from functools import partial
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from playground.ui.parts.computed import check_code, code
from playground.ui.server import work
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import visitor_route
from playground.ui.session.services import services


@visitor_route("qr")
async def _serve(request: Request, _visitor: str) -> Response:
    address = request.query_params.get("text", "")
    try:
        check_code(address)
        if urlsplit(address).netloc not in (request.headers.get("host"), urlsplit(services().host.url).netloc):
            raise ValueError("QR codes are only made for addresses of this app. The operator can set PLAYGROUND_URL.")
    except ValueError as error:
        raise Refused(400, str(error)) from error
    draw = partial(work.computed, code, address)
    picture = await work.COMPUTING.ask(request, ("code", address), draw)
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})
