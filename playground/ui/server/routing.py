"""Addresses besides pages: each room registers its own with a decorator, which tells it who asks."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from playground.common.errors import CheckpointError
from playground.tasks import InputError
from playground.ui.server import work
from playground.ui.server.assets import below_base
from playground.ui.server.refusal import Refused
from playground.ui.session import sources

Serve = Callable[[Request], Awaitable[Response]]
ServeVisitor = Callable[[Request, str], Awaitable[Response]]

_served: dict[tuple[str, str], Serve] = {}
"""By path below the server's base path, and method."""


def route(path: str, method: str = "GET") -> Callable[[Serve], Serve]:
    """Decorator: this function serves a path for everybody. No cache keeps an answer that doesn't allow it."""

    def register(serve: Serve) -> Serve:
        async def answer(request: Request) -> Response:
            response = await serve(request)
            response.headers.setdefault("Cache-Control", "no-store")
            return response

        _served[path, method] = answer
        return serve

    return register


def visitor_route(path: str) -> Callable[[ServeVisitor], ServeVisitor]:
    """Decorator: this function serves a path for visitors, whose key it gets; clients without a cookie are refused.

    A checkpoint or an input that can't be read is answered with 422; refusals and failed computations as
    `work.bounded` does.
    """

    def register(serve: ServeVisitor) -> ServeVisitor:
        async def answer(request: Request) -> Response:
            visitor = work.visitor_of(request)
            try:
                return await serve(request, visitor)
            except (CheckpointError, InputError) as error:
                raise Refused(422, sources.plain(error, sources.library_of(visitor))) from error

        route(path)(work.bounded(answer))
        return serve

    return register


def routes() -> list[Route]:
    """All routes that have been registered."""
    return [Route(below_base(path), serve, methods=[method]) for (path, method), serve in _served.items()]
