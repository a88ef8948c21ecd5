"""A small Hub on a loopback port, with the handle that tests hold it by."""

import asyncio
import contextlib
import math
import secrets
import socket
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal
from urllib.parse import parse_qs

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from playground.ui.server import hub_client
from tests.hub import catalog, contents, openid  # noqa: F401  their routes: the first one that fits answers
from tests.hub.faults import Cut, Fault, Faults, Match, cutting, drop, holding, throttled, until_gone, until_released
from tests.hub.protocol import Call, Refusal, answer
from tests.hub.store import App, Commit, File, Files, Repo, Role, Store, is_large

HOST = "127.0.0.1"
RUNNING: list["Hub"] = []
"""The Hubs of this process."""


@dataclass
class Request:
    """A request that came in. `user` is "" where nobody was signed in and "?" for a token that nobody has."""

    method: str
    path: str
    query: str
    user: str
    cookie: str  # that an answer before has set, should anybody bring it back: it names for whom that was
    range: str = ""  # the part of a file that was asked for; empty for all of it
    agent: str = ""
    status: int | None = None  # None while, or because, nothing was answered

    def __str__(self) -> str:
        return f"{self.user or '-'} {self.method} {self.path} {self.status}"


class Connection(H11Protocol):
    """HTTP/1.1 whose requests know their connection, so that a fault can end it."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        app = self.app

        async def with_transport(scope: Any, receive: Any, send: Any) -> None:
            await app({**scope, "transport": transport}, receive, send)

        self.app = with_transport


class Hub:
    """A Hub in this process: `url` for HF_ENDPOINT, what is in it, what was asked of it, and what goes wrong."""

    def __init__(self, port: int = 0) -> None:
        self.store = Store()
        self.faults = Faults()
        self.log: list[Request] = []
        self._sockets = [listening(port), listening(0)]
        self.url, self.cdn = (f"http://{HOST}:{each.getsockname()[1]}" for each in self._sockets)
        self._named: dict[str, str] = {}
        self._people()
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def _people(self) -> None:
        self.store.add_user("alice", "Alice Liddell", wonderland="write")
        self.store.add_user("bob", "Bob Builder")
        self.store.add_user("mallory", "Mallory <b>Malice</b>")
        self.store.add_user("host", "The machine's own account")
        self.store.add_user("reader", "Rita Reader")
        for name in ("alice", "bob", "mallory", "host"):
            self.add_token(name, user=name)
        self.add_token("reader", user="reader", role="read")
        self.add_token("expired", user="alice", lasts=-60)
        self.add_token("fine", user="alice", role="fineGrained", repos=("alice/fine",))

    def add_token(
        self,
        name: str,
        *,
        user: str,
        role: Role = "write",
        repos: Collection[str] = (),
        scopes: Collection[str] = (),
        lasts: float | None = None,
    ) -> str:
        """A token that `token(name)` finds; `repos` for a fine-grained one, `scopes` for an app's."""
        made = self.store.add_token(user, role, name=name, repos=repos, scopes=scopes, lasts=lasts)
        self._named[name] = made.value
        return made.value

    def token(self, name: str) -> str:
        """Tokens of alice, bob, mallory and host may write; reader's reads, expired is no longer good, and fine may
        write alice/fine alone."""
        return self._named[name]

    def expire(self, name: str) -> None:
        """From now on this token, or every token that an app of this name was granted, is refused."""
        for token in self.store.tokens.values():
            if token.name == name:
                token.expires = 0

    def add_app(
        self,
        *redirects: str,
        name: str = "Playground",
        scopes: Collection[str] = ("openid", "profile", "contribute-repos"),
    ) -> App:
        """An app with its id and secret that may send people here and gets them back at these addresses."""
        app = App(name, secrets.token_hex(12), secrets.token_hex(16), redirects, frozenset(scopes))
        self.store.apps[app.id] = app
        return app

    def browse_as(self, user: str) -> None:
        """Whom the page that asks for consent takes the person at the browser for; the default is alice."""
        self.store.browsing = user

    # What is in it

    @property
    def repos(self) -> dict[str, Repo]:
        """Model repositories by their id."""
        with self.store.lock:
            return {repo_id: repo for (kind, repo_id), repo in self.store.repos.items() if kind == "models"}

    def put_repo(
        self,
        repo_id: str,
        files: Files,
        *,
        private: bool = False,
        gated: Literal[False, "auto", "manual"] = False,
        admitted: Collection[str] = (),
        tags: Collection[str] = (),
        downloads: int = 0,
        likes: int = 0,
        title: str = "Upload model",
    ) -> Commit:
        """A repository with these files in its second commit, unchecked: whatever is wrong with them stays wrong."""
        with self.store.lock:
            owner = repo_id.split("/")[0]
            if owner not in self.store.users:
                self.store.add_user(owner)
            self.store.create(
                repo_id, private=private, gated=gated, admitted=admitted, tags=tags, downloads=downloads, likes=likes
            )
            return self.commit(repo_id, files, title)

    def commit(
        self, repo_id: str, files: Files, title: str = "Another commit", *, author: str = "", branch: str = "main"
    ) -> Commit:
        """Somebody else's commit in between."""
        repo = self.repos[repo_id]
        new = {path: as_file(path, content) for path, content in files.items()}
        return self.store.commit(repo, lambda old: old | new, title, "", (author or repo.owner,), branch)

    def commits(self, repo_id: str, revision: str = "main") -> list[Commit]:
        """All commits up to a revision, the newest first; none for a repository that does not exist."""
        with self.store.lock:
            repo = self.repos.get(repo_id)
            return [*repo.history(repo.resolve(revision))] if repo else []

    def files(self, repo_id: str, revision: str = "main") -> dict[str, bytes]:
        """The content of every file at a revision."""
        return {path: file.content for path, file in self.commits(repo_id, revision)[0].files.items()}

    # What goes wrong

    def fail(
        self,
        match: Match,
        status: int = 500,
        *,
        times: int | None = None,
        skip: int = 0,
        message: str = "Internal Server Error",
        code: str = "",
        retry_after: int | None = None,
    ) -> Fault:
        """Answers with an error, without doing what was asked."""
        headers = {}
        if retry_after is not None:
            headers = {"Retry-After": str(retry_after), "RateLimit": f'"api";r=0;t={retry_after}'}
        return self.faults.add(
            Fault("fail", match, times, skip, status=status, message=message, code=code, headers=headers)
        )

    def slow(
        self, match: Match, seconds: float = 0, *, rate: float | None = None, times: int | None = None, skip: int = 0
    ) -> Fault:
        """Waits before it answers, and then sends `rate` bytes a second."""
        late = seconds >= hub_client.READ_SECONDS
        return self.faults.add(Fault("slow", match, times, skip, seconds=seconds, rate=rate, unanswered=late))

    def cut(
        self, match: Match, after_bytes: int = 0, *, times: int | None = None, skip: int = 0, reset: bool = False
    ) -> Fault:
        """Hangs up after so many bytes of the body. Replies that are shorter arrive whole and do not count."""
        return self.faults.add(Fault("cut", match, times, skip, after_bytes=after_bytes, reset=reset))

    def lose_reply(
        self, match: Match, *, times: int | None = 1, skip: int = 0, status: int | None = None, reset: bool = False
    ) -> Fault:
        """Does what was asked and then hangs up, or answers with this error all the same."""
        return self.faults.add(Fault("lose", match, times, skip, status=status or 0, reset=reset))

    def hang_up(
        self, match: Match, after_bytes: int = 0, *, times: int | None = 1, skip: int = 0, reset: bool = False
    ) -> Fault:
        """Hangs up once so many bytes of the request have come in, and does nothing."""
        return self.faults.add(Fault("hang up", match, times, skip, after_bytes=after_bytes, reset=reset))

    def silent(self, match: Match, *, times: int | None = None, skip: int = 0) -> Fault:
        """Never answers, and does nothing."""
        return self.faults.add(Fault("silent", match, times, skip, unanswered=True))

    def hold(
        self,
        match: Match,
        *,
        after_bytes: int | None = None,
        times: int | None = 1,
        skip: int = 0,
        unanswered: bool = False,
    ) -> Fault:
        """Waits for the fault's `release` before it does what was asked, or after so many bytes of its answer.

        The fault's `held` is set while a request waits. What is held is done also if the client has hung up, which it
        does soon if `unanswered`.
        """
        more = {"after_bytes": after_bytes or 0, "middle": after_bytes is not None, "unanswered": unanswered}
        return self.faults.add(Fault("hold", match, times, skip, **more))

    def offer_xet(self) -> Fault:
        """Offers large files by Xet, as the Hub does, whose token endpoint never answers."""
        self.store.xet = True
        return self.silent("/xet-")

    def heal(self) -> None:
        """Ends all faults that were ordered."""
        self.faults.heal()

    def down(self) -> None:
        """Refuses every connection from now on; what it holds stays."""
        taken = [bound(each.getsockname()[1]) for each in self._sockets]  # so the ports are ours all the time
        self.stop()
        self._sockets = taken

    def up(self) -> None:
        """Serves again, at the same address."""
        self.start()

    # Serving

    def start(self) -> None:
        config = uvicorn.Config(
            self, http=Connection, ws="none", lifespan="off", log_config=None, access_log=False, log_level="critical"
        )
        self._server = uvicorn.Server(config)
        run = partial(asyncio.run, self._server.serve(self._sockets))
        self._thread = threading.Thread(target=run, name="hub", daemon=True)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the Hub could not start"
            self._thread.join(0.005)

    def stop(self) -> None:
        """Closes every connection; safe to call twice."""
        if self._server and self._thread:
            self._server.should_exit = self._server.force_exit = True
            self._thread.join(10)
        for each in self._sockets:
            each.close()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answers one request, unless a fault does."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        method, path, query = scope["method"], scope["path"], scope["query_string"].decode("latin-1")
        call = Call(self.store, self.url, self.cdn, method, path, parse_qs(query), headers, b"")
        token = self.store.tokens.get(call.bearer)
        user = token.user if token else "?" if "authorization" in headers else ""
        request = Request(
            method,
            path,
            query,
            user,
            headers.get("cookie", ""),
            headers.get("range", ""),
            headers.get("user-agent", ""),
        )
        self.log.append(request)

        async def noted(message: Any) -> None:
            if message["type"] == "http.response.start":
                request.status = message["status"]
                message["headers"] = [*message["headers"], (b"set-cookie", f"was={user or 'nobody'}; Path=/".encode())]
            await send(message)

        fault = self.faults.take(method, path)
        if fault and fault.kind == "silent":
            return await until_gone(receive)
        if fault and fault.kind == "hang up":
            await whole_body(receive, fault.after_bytes)
            drop(scope, reset=fault.reset)
            return await until_gone(receive)
        call.body = await whole_body(receive)
        if fault and fault.kind == "slow":
            await asyncio.sleep(fault.seconds)
        if fault and fault.kind == "hold" and not fault.middle:
            await until_released(fault)
        if fault and fault.kind == "fail":
            return await Refusal(fault.status, fault.message, fault.code, fault.headers).response()(
                scope, receive, noted
            )
        response = answer(call, scope["raw_path"].decode("latin-1"))
        if fault and fault.kind == "lose":
            if fault.status:
                return await Refusal(fault.status, "Internal Server Error").response()(scope, receive, noted)
            drop(scope, reset=fault.reset)
            return await until_gone(receive)
        if fault and fault.kind == "cut":
            with contextlib.suppress(Cut):
                await response(scope, receive, cutting(noted, scope, fault, self.faults))
            return None
        if fault and fault.middle:
            return await response(scope, receive, holding(noted, fault))
        if fault and fault.rate:
            return await response(scope, receive, throttled(noted, fault.rate))
        return await response(scope, receive, noted)


def as_file(path: str, content: bytes | str | File) -> File:
    if isinstance(content, File):
        return content
    content = content.encode() if isinstance(content, str) else content
    return File(content, large=is_large(path, len(content), content[:512]))


async def whole_body(receive: Any, limit: float = math.inf) -> bytes:
    """The body of a request, or so much of it."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""  # hung up before the end
        parts.append(message.get("body", b""))
        if not message.get("more_body") or sum(map(len, parts)) >= limit:
            return b"".join(parts)


def bound(port: int) -> socket.socket:
    """A port taken, which refuses connections until somebody listens."""
    taken = socket.socket()
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else the end of a reply waits 40 ms
    taken.bind((HOST, port))
    return taken


def listening(port: int) -> socket.socket:
    taken = bound(port)
    taken.listen(128)
    return taken


@contextmanager
def running_hub(port: int = 0) -> Iterator[Hub]:
    """A Hub that serves until the block ends."""
    hub = Hub(port)
    hub.start()
    RUNNING.append(hub)
    try:
        yield hub
    finally:
        RUNNING.remove(hub)
        hub.stop()


def environment(hub: Hub, home: str, token: str | None = None) -> Mapping[str, str]:
    """Variables for another process that uses this Hub with a home folder of its own."""
    variables = {"HF_ENDPOINT": hub.url, "HF_HOME": home, "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    return variables | ({"HF_TOKEN": token} if token else {})
