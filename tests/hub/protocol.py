"""One request to the Hub and its answer: who asks, which route fits, and what a refusal says."""

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlencode

from starlette.responses import JSONResponse, Response

from tests.hub.store import Commit, File, Repo, Store, Token


class Refusal(Exception):
    """An answer that is an error, with the headers from which the client tells what it is."""

    def __init__(self, status: int, message: str, code: str = "", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.headers = status, message, code, dict(headers or {})

    def response(self) -> Response:
        headers = {"X-Error-Message": self.message} | ({"X-Error-Code": self.code} if self.code else {})
        return JSONResponse({"error": self.message}, self.status, headers=headers | self.headers)


@dataclass
class Call:
    """One request, read whole."""

    store: Store
    base: str  # address of the Hub
    cdn: str  # address of the storage of large files: another origin
    method: str
    path: str
    query: dict[str, list[str]]
    headers: Mapping[str, str]
    body: bytes
    args: dict[str, str] = field(default_factory=dict)

    @property
    def bearer(self) -> str:
        scheme, _, value = self.headers.get("authorization", "").partition(" ")
        return value.strip() if scheme.lower() == "bearer" else ""

    @property
    def token(self) -> Token | None:
        """Whose request this is. Raises `Refusal` for a token that is unknown or no longer good."""
        if "authorization" not in self.headers:
            return None
        token = self.store.tokens.get(self.bearer)
        if not token:
            raise Refusal(401, "Invalid credentials in Authorization header")
        if token.expired:
            raise Refusal(401, f'User Access Token "{token.name}" is expired')
        return token

    @property
    def signed_in(self) -> Token:
        if token := self.token:
            return token
        raise Refusal(401, "Invalid username or password.")

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            raise Refusal(400, "The body is no JSON") from None

    def option(self, name: str, default: str = "") -> str:
        return self.query.get(name, [default])[-1]

    def options(self, name: str) -> list[str]:
        """All values, repeated or joined by commas."""
        return [part for value in self.query.get(name, []) for part in value.split(",") if part]

    @property
    def kind(self) -> str:
        return self.args.get("kind") or "models"

    def repo(self) -> Repo:
        """The repository of the address, if this visitor may know that it exists."""
        repo_id = f"{self.args['owner']}/{self.args['name']}"
        token = self.token
        repo = self.store.find(self.kind, repo_id)
        if repo and self.store.may_read(token, repo):
            return repo
        if token:
            raise Refusal(404, "Repository not found", "RepoNotFound")
        raise Refusal(401, "Invalid username or password.", "RepoNotFound")

    def writable(self) -> Repo:
        repo, token = self.repo(), self.signed_in
        if not self.store.may_write(token, repo):
            hint = " Your token has no permission to write." if self.store.owns(token.user, repo.owner) else ""
            raise Refusal(403, f"Forbidden: you must have write access to {repo.id}.{hint}")
        return repo

    def commit(self, repo: Repo, revision: str | None = None) -> Commit:
        revision = revision or self.args.get("revision") or "main"
        if found := repo.resolve(revision):
            return found
        raise Refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")

    def entry(self, repo: Repo, commit: Commit) -> File:
        if not self.store.may_open(self.token, repo):
            if not self.token:
                words = f"Access to model {repo.id} is restricted. You must have access to it and be authenticated"
                raise Refusal(401, f"{words} to access it. Please log in.", "GatedRepo")
            words = f"Access to model {repo.id} is restricted and you are not in the authorized list. Visit"
            raise Refusal(403, f"{words} {self.base}/{repo.id} to ask for access.", "GatedRepo")
        path = self.args["path"]
        if path not in commit.files:
            raise Refusal(404, "Entry not found", "EntryNotFound", {"X-Repo-Commit": commit.id})
        return commit.files[path]

    def page(self, items: list[Any], size: int) -> Response:
        """So many of the items, with a link to the next ones."""
        start = int(self.option("cursor", "0"))
        headers = {"X-Total-Count": str(len(items))}
        if start + size < len(items):
            query = urlencode({**self.query, "cursor": [str(start + size)]}, doseq=True)
            headers["Link"] = f'<{self.base}{self.path}?{query}>; rel="next"'
        return JSONResponse(items[start : start + size], headers=headers)

    def sign(self, name: str) -> str:
        return hmac.new(self.store.secret, name.encode(), hashlib.sha256).hexdigest()[:32]


Handler = Callable[[Call], Response]
ROUTES: list[tuple[str, re.Pattern[str], Handler]] = []
PARTS = {"kind": "models|datasets|spaces", "path": ".+", "prefix": "(?:datasets|spaces)/|"}
PARTS["owner"] = r"(?!(?:api|oauth)/|\.)[^/]+"  # the Hub's own addresses are nobody's


def route(method: str, pattern: str) -> Callable[[Handler], Handler]:
    """Registers a handler; the first route that fits answers."""
    regex = re.sub(r"\{(\w+)\}", lambda m: f"(?P<{m[1]}>{PARTS.get(m[1], '[^/]+')})", pattern.replace(".", r"\."))

    def register(handler: Handler) -> Handler:
        ROUTES.extend((name, re.compile(regex), handler) for name in method.split("|"))
        return handler

    return register


def answer(call: Call, raw_path: str) -> Response:
    """The reply to one request. `raw_path` is still percent-encoded: a revision may hold slashes."""
    for method, pattern, handler in ROUTES:
        if method == call.method and (match := pattern.fullmatch(raw_path)):
            call.args = {name: unquote(value or "") for name, value in match.groupdict().items()}
            if prefix := call.args.get("prefix"):
                call.args["kind"] = prefix.rstrip("/")
            try:
                with call.store.lock:
                    return handler(call)
            except Refusal as refusal:
                return refusal.response()
    return Refusal(404, f"Cannot {call.method} {call.path}").response()
