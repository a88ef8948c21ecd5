"""Addresses besides pages: each room registers its own with a decorator, which tells it who asks."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from playground.ui.server import work
from playground.ui.server.assets import below_base

Serve = Callable[[Request], Awaitable[Response]]
ServeVisitor = Callable[[Request, str], Awaitable[Response]]

_served: dict[tuple[str, str], Serve] = {}
"""By path below the server's base path, and method."""


def route(path: str, method: str = "GET") -> Callable[[Serve], Serve]:
    """Decorator: this function serves a path for everybody."""

    def register(serve: Serve) -> Serve:
        _served[path, method] = serve
        return serve

    return register


def visitor_route(path: str) -> Callable[[ServeVisitor], ServeVisitor]:
    """Decorator: this function serves a path for visitors, whose key it gets; clients without a cookie are refused.

    Refusals and failed computations are answered as `work.bounded` does.
    """

    def register(serve: ServeVisitor) -> ServeVisitor:
        async def answer(request: Request) -> Response:
            return await serve(request, work.visitor_of(request))

        _served[path, "GET"] = work.bounded(answer)
        return serve

    return register


def routes() -> list[Route]:
    """All routes that have been registered."""
    return [Route(below_base(path), serve, methods=[method]) for (path, method), serve in _served.items()]
