"""The page for unknown addresses."""

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from playground.ui.server.assets import below_base
from playground.ui.session.pages import PAGES

_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page not found · Transformer Playground</title>
<style>
:root {{ color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif; }}
main {{ max-width: 34rem; margin: 20vh auto 0; padding: 0 1.2rem; }}
h1 {{ font-size: 1.5rem; }}
a {{ color: light-dark(#4f46b8, #b3abff); }}
</style>
<main>
<h1>Page not found</h1>
<p>Transformer Playground has no page at this address. <a href="{home}">Go to Build</a>, the first page.</p>
</main>
</html>
"""


class PageAddresses:
    """Middleware: unknown addresses get an error page with a link home; a slash after a page's name is removed.

    Streamlit sends its first page at any address. Its scripts have relative addresses, so more than one level below the
    base path they don't load, and the page stays empty.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD") or (name := _unknown(scope)) is None:
            await self.app(scope, receive, send)
            return
        if name.removesuffix("/") in PAGES:
            query = scope["query_string"].decode("latin-1")
            to = f"../{name.removesuffix('/')}"
            answer: Response = RedirectResponse(f"{to}?{query}" if query else to)
        else:
            answer = HTMLResponse(_PAGE.format(home="../" * name.count("/") or "./"), 404)
        replaced = False

        async def send_or_replace(message: Message) -> None:
            nonlocal replaced
            if message["type"] == "http.response.start" and message["status"] == 200:
                replaced = Headers(raw=message["headers"]).get("content-type", "").startswith("text/html")
                if replaced:
                    await answer(scope, receive, send)
            if not replaced:
                await send(message)

        await self.app(scope, receive, send_or_replace)


def _unknown(scope: Scope) -> str | None:
    """The path after the base path; None for the address of a page."""
    # As the browser sent it: an encoded slash is not a path separator.
    path = scope.get("raw_path", scope["path"].encode()).decode("latin-1")
    base = below_base("")
    name = path.removeprefix(base)
    return None if name in PAGES or not path.startswith(base) else name
