"""Refused requests: one sentence in plain text, which no cache stores."""

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

REFUSAL_DELAY = 1.0
"""Seconds by which a refusal is delayed, so that clients that retry at once don't keep the server busy."""


class Refused(HTTPException):
    """Reason for refusing a request. In a route, raise it; a middleware sends `response()`."""

    def __init__(self, status: int, sentence: str, seconds: int = 0) -> None:
        """`seconds` is how long the client should wait before it asks again; 0 if that is unknown."""
        headers = {"Cache-Control": "no-store"}
        if seconds:
            headers["Retry-After"] = str(seconds)
        if status == 408:
            headers["Connection"] = "close"  # the rest of what is being sent isn't read
        super().__init__(status, sentence, headers)

    def response(self) -> Response:
        return PlainTextResponse(self.detail, self.status_code, self.headers)
