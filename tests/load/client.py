"""A visitor without a browser: one tab that speaks Streamlit's WebSocket protocol.

Like a browser it sends cookies, lists its cached messages, forgets removed widgets, listens to the event stream of the
page's channels, and requests a rerun when they change. Unlike a browser it has at most one active rerun: further
requests wait here instead of in the server's queue, so that every response belongs to one request. A widget is looked
up when its request is sent, because the previous run may have changed the page.
"""

import asyncio
import json
import re
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Self, TypeVar
from urllib.parse import urlencode, urlsplit

import websockets
from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NumberInput_pb2 import NumberInput
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

VISITOR_COOKIE = re.compile(r"playground_visitor_[0-9a-f]{8}")
XSRF_COOKIE = "_streamlit_xsrf"

WHOLE = ForwardMsg.FINISHED_SUCCESSFULLY
FRAGMENT = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
BROKEN = ForwardMsg.FINISHED_WITH_COMPILE_ERROR

CACHED_FOR = 2  # full script runs for which a browser caches an unused large message

Result = TypeVar("Result")


@dataclass
class Placed:
    """An element with its position on the page."""

    kind: str
    element: Any  # protobuf message of that kind
    fragment: str  # "" outside fragments
    run: str  # id of the script run that drew it last


@dataclass
class Kept:
    """A large message in the cache."""

    message: ForwardMsg
    seen: int  # number of the full run


@dataclass
class Visitor:
    """One tab. `tab()` returns a second tab of the same visitor.

    `page` is the path without its slash, `query` the query string without its question mark. `on_message` gets every
    message as bytes and parsed; cached large ones only once. Times are in seconds. Errors on the page (exceptions, a
    lost connection) are collected in `errors`. A missing widget raises LookupError, a rerun that doesn't end
    TimeoutError with the messages that arrived.
    """

    address: str
    page_path: str = ""
    query: str = ""
    cookies: dict[str, str] = field(default_factory=dict)
    on_message: Callable[[bytes, ForwardMsg], None] | None = None
    timeout: float = 300

    reruns: list[float] = field(default_factory=list)  # from a visitor's act to the end of its script run
    updates: list[float] = field(
        default_factory=list
    )  # from the server's reading of a value to its arrival by the event stream
    drawings: int = 0  # requested by the page itself
    received: int = 0  # bytes by the WebSocket
    streamed: int = 0  # bytes by the event stream
    errors: list[str] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)  # hash by path, from the menu

    def __post_init__(self) -> None:
        self._turn = asyncio.Lock()
        self._news = asyncio.Event()
        self._forget()

    def _forget(self) -> None:
        """Initialize the state that a reload resets."""
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._finished: asyncio.Future[None] | None = None
        self._whole = True  # whether the whole page was requested, or a fragment
        self._answering = False  # whether the newest run can be the response
        self._came: list[str] = []  # since the newest request
        self._downloads: asyncio.Queue[ForwardMsg] = asyncio.Queue()
        self._session = ""
        self._page_hash = ""
        self._elements: dict[tuple[int, ...], Placed] = {}
        self._states: dict[str, WidgetState] = {}
        self.live: dict[str, dict[str, Any]] = {}  # newest values by event stream channel
        self._listening: tuple[tuple[str, ...], asyncio.Task[None]] | None = None
        self._asked: dict[str, str] = {}  # state for which a redraw was requested, by key of a component
        self._cache: dict[str, Kept] = {}
        self._run_id = ""
        self._runs = 0

    # --- connection ---

    async def open(self) -> Self:
        """Fetch the page with cookies, connect, and wait for the first script run."""
        await self.fetch(f"/{self.page_path}" + (f"?{self.query}" if self.query else ""))
        await self.fetch("/_stcore/health")  # returns the XSRF token
        await self._connect()
        await self._run("the first run")
        return self

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def tab(self, page: str = "", query: str = "") -> "Visitor":
        """Another tab of the same visitor, not yet open."""
        return Visitor(self.address, page, query, self.cookies, self.on_message, self.timeout)

    async def close(self) -> None:
        """Close the connection normally."""
        await self._leave()
        if self._socket is not None:
            await self._socket.close()

    async def drop(self) -> None:
        """Drop the connection without a close message."""
        await self._leave()
        if self._socket is not None:
            self._socket.transport.abort()
            await asyncio.sleep(0)  # let the event loop process it

    async def reconnect(self) -> None:
        """Reconnect after `drop` as a browser does: same session, page and widgets."""
        await self._connect()
        await self._run("the run after coming back")

    async def reload(self) -> None:
        """Reload: same visitor and link, new session."""
        await self.close()
        self._forget()
        await self.open()

    async def follow(self, query: str, page: str | None = None) -> None:
        """Opens a link in this tab."""
        self.query = query
        self.page_path = self.page_path if page is None else page
        await self.reload()

    @property
    def visitor_cookie(self) -> str:
        """The visitor's cookie, with its signature."""
        return next(value for name, value in self.cookies.items() if VISITOR_COOKIE.fullmatch(name))

    @property
    def connected(self) -> bool:
        """Whether the connection is open."""
        return self._reader is not None and not self._reader.done()

    # --- acts ---

    async def rerun(self) -> None:
        """Rerun the whole page."""
        await self._run("a rerun")

    async def page(self, path: str, query: str = "") -> None:
        """Open another page by the menu."""
        async with self._my_turn() as since:
            self.page_path, self.query = path, query
            self._page_hash = self.pages[path]
            self._states.clear()
            await self._ask("the way here by the menu", since)

    async def click(self, label: str) -> None:
        """Press the button with this label or key; raises LookupError if it is disabled."""
        async with self._my_turn() as since:
            placed = self.widget(label)
            if placed.element.disabled:
                raise LookupError(f"{label!r} is disabled.")
            trigger = WidgetState(id=placed.element.id, trigger_value=True)
            await self._ask(f"a click on {label!r}", since, placed.fragment, trigger=trigger)

    async def set(self, label: str, value: bool | int | float | str) -> None:
        """Set the widget with this label or key; an option is named by its text."""
        async with self._my_turn() as since:
            placed = self._give(label, value)
            await self._ask(f"{label!r} set to {value!r}", since, placed.fragment)

    async def fill(self, label: str, value: bool | int | float | str) -> None:
        """The same inside a form, which holds the value until one of its buttons is pressed."""
        async with self._my_turn():
            self._give(label, value)

    def _give(self, label: str, value: bool | int | float | str) -> Placed:
        placed = self.widget(label)
        state = WidgetState(id=placed.element.id)
        match placed.kind:
            case "text_input" | "text_area" | "selectbox" | "radio" | "tab_container":
                state.string_value = str(value)
            case "number_input" if placed.element.data_type == NumberInput.INT:
                state.int_value = int(value)
            case "number_input":
                state.double_value = float(value)
            case "checkbox":
                state.bool_value = bool(value)
            case "button_group" | "slider":
                state.string_array_value.data.append(str(value))
            case "bidi_component":  # the component's whole state as JSON
                state.json_value = str(value)
            case _:
                raise LookupError(f"{label!r} is a {placed.kind}, which takes no value.")
        self._states[state.id] = state
        return placed

    async def download(self, label: str) -> bytes:
        """Content of the download button with this label."""
        button = self.widget(label).element
        address = button.url
        if button.deferred_file_id:
            request = BackMsg()
            request.backend_operation_request.request_id = button.deferred_file_id
            request.backend_operation_request.session_id = self._session
            request.backend_operation_request.deferred_file.file_id = button.deferred_file_id
            assert self._socket is not None
            await self._socket.send(request.SerializeToString())
            try:
                answer = (await asyncio.wait_for(self._downloads.get(), self.timeout)).backend_operation_response
            except TimeoutError:
                raise TimeoutError(f"No file for {label!r} on /{self.page_path} in {self.timeout:g} s.") from None
            if answer.error_msg:
                raise LookupError(answer.error_msg)
            address = answer.deferred_file.url
        return await self.fetch(address)

    async def fetch(self, path: str) -> bytes:
        """GET with this visitor's cookies; stores new ones."""
        return await asyncio.to_thread(self._fetch, path)

    # --- content of the page ---

    def found(self, kind: str) -> list[Any]:
        """All elements of a kind ("progress", "alert", "button" ...) on the page, from top to bottom."""
        return [placed.element for _, placed in sorted(self._elements.items()) if placed.kind == kind]

    def texts(self) -> Iterator[str]:
        """All strings of all elements on the page."""
        for _, placed in sorted(self._elements.items()):
            yield from strings(placed.element)

    def says(self, pattern: str) -> re.Match[str] | None:
        """The first text on the page that matches the regular expression."""
        return next(filter(None, (re.search(pattern, text) for text in self.texts())), None)

    def widget(self, label: str) -> Placed:
        """The widget with this label or key; raises LookupError if there is none."""
        known = []
        for placed in self._elements.values():
            if identity := getattr(placed.element, "id", ""):
                names = (getattr(placed.element, "label", ""), key_of(identity))
                if label in names:
                    return placed
                known += [name for name in names if name]
        raise LookupError(f"There is no {label!r} on /{self.page_path}, only {sorted(set(known))}.")

    def can(self, label: str) -> bool:
        """Whether there is an enabled button with this label or key."""
        try:
            return not self.widget(label).element.disabled
        except LookupError:
            return False

    async def until(self, condition: Callable[[], Result], timeout: float | None = None) -> Result:
        """Wait for messages until the condition holds and return its value; raises TimeoutError."""
        patience = self.timeout if timeout is None else timeout
        try:
            async with asyncio.timeout(patience):
                while not (result := condition()):
                    if not self.connected:
                        raise ConnectionError("The connection is closed.")
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise TimeoutError(f"/{self.page_path} did not become what it should be in {patience:g} s.") from None
        return result

    # --- protocol ---

    def _fetch(self, path: str) -> bytes:
        request = urllib.request.Request(f"{self.address}{path}", headers={"Cookie": self._cookie_header()})
        with urllib.request.urlopen(request, timeout=self.timeout) as answer:
            for cookie in answer.headers.get_all("Set-Cookie") or []:
                name, _, value = cookie.split(";", 1)[0].partition("=")
                self.cookies[name.strip()] = value.strip()
            return answer.read()

    def _cookie_header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    async def _connect(self) -> None:
        # Further entries of the subprotocol have the XSRF token and, on reconnect, the session.
        words = ["streamlit", self.cookies.get(XSRF_COOKIE, "none"), *filter(None, [self._session])]
        self._socket = await connect(
            self.address.replace("http", "ws", 1) + "/_stcore/stream",
            origin=websockets.Origin(self.address),
            subprotocols=[websockets.Subprotocol(word) for word in words],
            additional_headers={"Cookie": self._cookie_header()},
            max_size=None,
            compression=None,  # as on the server
            ping_interval=None,
            open_timeout=self.timeout,
            close_timeout=2,
        )
        self._reader = asyncio.create_task(self._read(self._socket))

    async def _leave(self) -> None:
        self._listen(())
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
        self._lost()

    @asynccontextmanager
    async def _my_turn(self) -> AsyncIterator[float]:
        """Wait until no rerun is active, so that the page is current; yields the start of the wait."""
        since = time.perf_counter()
        async with self._turn:
            yield since

    async def _run(self, what: str) -> None:
        async with self._my_turn() as since:
            await self._ask(what, since)

    async def _ask(
        self, what: str, since: float, fragment: str = "", *, trigger: WidgetState | None = None, own: bool = True
    ) -> None:
        """Request a rerun when no other is active, and wait for its end."""
        if not self.connected:
            raise ConnectionError("The connection is closed.")
        self._finished = asyncio.get_running_loop().create_future()
        self._whole, self._answering = not fragment, False
        self._came.clear()
        await self.send(fragment, trigger=trigger)
        try:
            await asyncio.wait_for(self._finished, self.timeout)
        except TimeoutError:
            came = ", ".join(f"{len([*same])} {name}" for name, same in groupby(self._came)) or "nothing"
            part = f", fragment {fragment}" if fragment else ""
            raise TimeoutError(
                f"No end of {what} on /{self.page_path}{part} in {self.timeout:g} s; since then came {came}."
            ) from None
        if own:
            self.reruns.append(time.perf_counter() - since)
        else:
            self.drawings += 1
        self._listen(self._channels())

    async def send(self, fragment: str = "", *, trigger: WidgetState | None = None) -> None:
        """Request a rerun without waiting."""
        message = BackMsg()
        wish = message.rerun_script
        wish.query_string = self.query
        wish.page_script_hash = self._page_hash
        wish.page_name = "" if self._page_hash else self.page_path
        wish.fragment_id = fragment
        wish.widget_states.widgets.extend(self._states.values())
        if trigger is not None:
            wish.widget_states.widgets.append(trigger)
        wish.cached_message_hashes.extend(self._cache)
        wish.context_info.timezone = "UTC"
        wish.context_info.locale = "en-US"
        wish.context_info.url = f"{self.address}/{self.page_path}"
        assert self._socket is not None
        await self._socket.send(message.SerializeToString())

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for frame in socket:
                assert isinstance(frame, bytes)
                self.received += len(frame)
                message = ForwardMsg.FromString(frame)
                if self.on_message is not None:
                    self.on_message(frame, message)
                self._take(message)
                self._news.set()
            self.errors.append("The server has closed the connection.")
        except Exception as error:  # otherwise waiters would wait for a message that nobody reads
            self.errors.append(f"{type(error).__name__}: {error}")
        self._lost()

    def _lost(self) -> None:
        if self._finished is not None and not self._finished.done():
            self._finished.set_exception(ConnectionError("The connection is closed."))
            self._finished.exception()  # waiters get it; without waiters it is already recorded
        self._news.set()

    def _take(self, message: ForwardMsg) -> None:
        run = message.metadata.run
        self._came.append(kind_of(message))
        match message.WhichOneof("type"):
            case "delta" | "ref_hash":
                self._place(self._from_cache(message), tuple(message.metadata.delta_path))
            case "new_session":
                self._page_hash = message.new_session.page_script_hash or self._page_hash
                self._session = message.new_session.initialize.session_id or self._session
                self._run_id = run.script_run_id
                self._answering = not (self._whole and run.fragment_ids)
            case "navigation":
                self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
                self._page_hash = message.navigation.page_script_hash or self._page_hash
                paths = {digest: path for path, digest in self.pages.items()}
                self.page_path = paths.get(self._page_hash, self.page_path)
            case "page_info_changed":
                self.query = message.page_info_changed.query_string
            case "script_finished":
                self._finish(message.script_finished, list(run.fragment_ids))
            case "backend_operation_response":
                self._downloads.put_nowait(message)
            case "session_event" if message.session_event.HasField("script_compilation_exception"):
                self.errors.append(message.session_event.script_compilation_exception.message)
            case "page_not_found":
                self.errors.append(f"There is no page {message.page_not_found.page_name!r}.")

    def _from_cache(self, message: ForwardMsg) -> ForwardMsg:
        if message.WhichOneof("type") == "ref_hash":
            kept = self._cache[message.ref_hash]
            kept.seen = self._runs
            return kept.message
        if message.metadata.cacheable:
            self._cache[message.hash] = Kept(message, self._runs)
        return message

    def _place(self, message: ForwardMsg, path: tuple[int, ...]) -> None:
        delta = message.delta
        if delta.WhichOneof("type") == "new_element":
            kind = delta.new_element.WhichOneof("type") or ""
            element = getattr(delta.new_element, kind)
        elif delta.add_block.tab_container.id:  # the open tab is a value, as of a widget
            kind, element = "tab_container", delta.add_block.tab_container
        else:
            self._elements.pop(path, None)
            return
        if kind == "exception":
            self.errors.append(f"{element.type}: {element.message}")
        if getattr(element, "set_value", False):
            self._states.pop(element.id, None)  # the script opened another page
        self._elements[path] = Placed(kind, element, delta.fragment_id, self._run_id)

    def _finish(self, status: int, fragments: list[str]) -> None:
        if status == BROKEN:
            self.errors.append("A script could not be compiled.")
        elif status in (WHOLE, FRAGMENT):
            self._elements = {
                path: placed
                for path, placed in self._elements.items()
                if placed.run == self._run_id or (fragments and placed.fragment not in fragments)
            }
            there = {getattr(placed.element, "id", "") for placed in self._elements.values()}
            self._states = {name: state for name, state in self._states.items() if name in there}
            if not fragments:
                self._runs += 1
                self._cache = {key: kept for key, kept in self._cache.items() if self._runs - kept.seen <= CACHED_FOR}
        else:
            return  # aborted by another run, which reports its own end
        # After a reconnect, the end of an earlier run may still arrive.
        if self._answering and self._finished is not None and not self._finished.done():
            self._finished.set_result(None)

    # --- event stream ---

    def mounts(self) -> Iterator[tuple[Placed, dict[str, Any]]]:
        """The page's components with data, from top to bottom."""
        for _, placed in sorted(self._elements.items()):
            if placed.kind == "bidi_component" and placed.element.json:
                data = json.loads(placed.element.json)
                if isinstance(data, dict):
                    yield placed, data

    def _channels(self) -> tuple[str, ...]:
        """Channels that the page's components listen to."""
        names = set()
        for _, data in self.mounts():
            names |= {data.get("channel"), *data.get("shown", ())}
            if "runs" in data and "specs" in data:  # charts
                runs = [*data["runs"], *filter(None, [data["beside"]])]
                names |= {f"curves/{run['id']}" for run in runs if run.get("shelf") != "library"}
        return tuple(sorted(filter(None, names)))

    def _listen(self, channels: tuple[str, ...]) -> None:
        known = self._listening
        if known is not None and known[0] == channels and not known[1].done():
            return
        if known is not None:
            known[1].cancel()
        self._listening = (channels, asyncio.create_task(self._hear(channels))) if channels else None

    async def _hear(self, channels: tuple[str, ...]) -> None:
        """Read events until cancelled; reconnects after a lost connection."""
        self.live = {name: fields for name, fields in self.live.items() if name in channels}
        address = urlsplit(self.address)
        query = urlencode([("c", f"{name}@0") for name in channels])
        head = f"GET /live?{query} HTTP/1.1\r\nHost: {address.netloc}\r\nCookie: {self._cookie_header()}\r\n\r\n"
        while True:
            try:
                reader, writer = await asyncio.open_connection(address.hostname, address.port, limit=2**22)
                try:
                    writer.write(head.encode())
                    status = (await reader.readuntil(b"\r\n\r\n")).split()[1]
                    if status != b"200":
                        self.errors.append(f"The event stream was answered with {status.decode()}.")
                        return
                    await self._hear_events(reader)
                finally:
                    writer.transport.abort()
            except (OSError, asyncio.IncompleteReadError):
                await asyncio.sleep(1)

    async def _hear_events(self, reader: asyncio.StreamReader) -> None:
        rest = b""
        while size := int(await reader.readuntil(b"\r\n"), 16):
            chunk = (await reader.readexactly(size + 2))[:-2]
            self.streamed += len(chunk)
            *events, rest = (rest + chunk).split(b"\n\n")
            for event in events:
                if (at := event.find(b"data: {")) >= 0:
                    self._hear_message(json.loads(event[at + 6 :]))
            self._news.set()
            await self._draw_again()

    def _hear_message(self, message: dict[str, Any]) -> None:
        if "at" in message:
            if message["channel"] in self.live:
                self.updates.append(time.monotonic() - message["at"])
            known = {} if message["whole"] else self.live.get(message["channel"], {})
            self.live[message["channel"]] = known | message["fields"] | {"at": message["at"]}
        else:
            self.live.setdefault(message["channel"], {})

    async def _draw_again(self) -> None:
        """Request a redraw of outdated components, once for each state."""
        for placed, data in list(self.mounts()):
            shown = data.get("shown", {})
            if not any(self.live.get(channel, {}).get("at", 0) > data["at"] for channel in shown):
                continue
            current = {
                name: {key: self.live.get(name, {}).get(key) for key in fields} for name, fields in shown.items()
            }
            now, key = json.dumps(current), placed.element.id
            if now == json.dumps(shown) or self._asked.get(key) == now:
                continue
            self._asked[key] = now
            asyncio.get_running_loop().create_task(self._redraw(placed))

    async def _redraw(self, placed: Placed) -> None:
        try:
            async with self._my_turn() as since:
                there = {getattr(each.element, "id", "") for each in self._elements.values()}
                if placed.element.id in there:
                    what = "a drawing that the event stream asks for"
                    await self._ask(what, since, placed.fragment, own=False)
        except (ConnectionError, websockets.ConnectionClosed):
            return
        except TimeoutError as error:
            self.errors.append(str(error))


def key_of(identity: str) -> str:
    """The key in a widget's id, which is $$ID-<hash>-<key>; "" if there is none."""
    key = identity.split("-", 2)[-1]
    return "" if key == "None" else key


def kind_of(message: ForwardMsg) -> str:
    """Kind of a message, with the status of a run's end or the type of an element."""
    kind = message.WhichOneof("type") or "empty message"
    match kind:
        case "script_finished":
            return ForwardMsg.ScriptFinishedStatus.Name(message.script_finished)
        case "delta":
            return message.delta.new_element.WhichOneof("type") or message.delta.WhichOneof("type") or kind
    return kind


def strings(message: Message) -> Iterator[str]:
    """All strings in a message, at any depth."""
    for descriptor, value in message.ListFields():
        many = list(value.values()) if hasattr(value, "values") else value
        for each in many if descriptor.is_repeated else [many]:
            if isinstance(each, str):
                yield each
            elif isinstance(each, Message):
                yield from strings(each)
