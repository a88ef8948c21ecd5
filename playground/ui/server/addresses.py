"""What a browser gets at an address where there is no page."""

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from playground.ui.server.assets import below_base
from playground.ui.session.pages import PAGES


class PageAddresses:
    """Leads from an address without a page to the page above it, or to the first page; the query stays.

    Streamlit answers any address with its page, whose scripts are found relative to it: more than one level below the
    base path they are missing, and nothing is drawn.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or (to := _page_for(scope)) is None:
            await self.app(scope, receive, send)
            return
        query = scope["query_string"].decode("latin-1")
        redirect = RedirectResponse(f"{to}?{query}" if query else to)
        redirected = False

        async def send_or_redirect(message: Message) -> None:
            nonlocal redirected
            if message["type"] == "http.response.start" and message["status"] == 200:
                redirected = Headers(raw=message["headers"]).get("content-type", "").startswith("text/html")
                if redirected:
                    await redirect(scope, receive, send)
            if not redirected:
                await send(message)

        await self.app(scope, receive, send_or_redirect)


def _page_for(scope: Scope) -> str | None:
    """The page to turn to, relative to the address of the request; None where that is a page's own."""
    # As the browser has it: what is encoded there is no slash that it counts.
    path = scope.get("raw_path", scope["path"].encode()).decode("latin-1")
    base = below_base("")
    name = path.removeprefix(base)
    if name in PAGES or not path.startswith(base):
        return None
    first = name.partition("/")[0]
    return "../" * name.count("/") + (first if first in PAGES else "") or "./"
