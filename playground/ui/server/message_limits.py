"""Limits of a browser's messages, checked before any of it is parsed.

Text widgets have a maximum, but a client may send anything. Here only the lengths in a message are read: to parse 8 MB
of empty values takes a second and 250 MB.
"""

import re
from collections.abc import Iterator

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates

from playground.ui.session.session_keys import LONG, MAX_CHARS

MAX_VALUES = 5000
"""Maximum number of values in a message, such as widgets and cached elements."""

MAX_VALUE_BYTES = 4 * MAX_CHARS + 1000
"""Maximum bytes of a value in UTF-8 with its id, except of the texts in `LONG`."""

MAX_TOTAL = 200_000
"""Maximum bytes of all values of a message together, without the texts in `LONG`."""

TOO_LONG = "A text on this page is too long."
NOT_BINARY = "Only binary messages are allowed."

_OPENED = {message.DESCRIPTOR.full_name for message in (ClientState, WidgetStates)}
_WIDGETS = WidgetState.DESCRIPTOR.fields_by_number
_KEY = re.compile(r"\$\$ID-[0-9a-f]+-(.*?)(?:__[a-z_]+)?\Z", re.DOTALL)
"""Key in the id of a widget or of a component's events."""


class MessageLimits:
    """Middleware: close a websocket with a sentence if it sends a message beyond the limits."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_within_limits() -> Message:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            content = message.get("bytes")
            if content is not None and is_within_limits(content):
                return message
            code, reason = (1003, NOT_BINARY) if content is None else (1009, TOO_LONG)
            await send({"type": "websocket.close", "code": code, "reason": reason})
            return {"type": "websocket.disconnect", "code": code}

        await self.app(scope, receive_within_limits if scope["type"] == "websocket" else receive, send)


def is_within_limits(content: bytes) -> bool:
    """True for a well-formed message of few values, each within its limit."""
    if len(content) <= MAX_CHARS:
        return True
    total = 0
    try:
        for count, (value, kind) in enumerate(_values(memoryview(content), BackMsg.DESCRIPTOR)):
            if len(value) > MAX_VALUE_BYTES:
                if kind is not WidgetState.DESCRIPTOR or not _is_long_text(value):
                    return False
            else:
                total += len(value)
            if count == MAX_VALUES or total > MAX_TOTAL:
                return False
    except (IndexError, ValueError):
        return False
    return True


def _is_long_text(widget: memoryview) -> bool:
    """True if a widget has one text, and its key allows it to be this long."""
    key, text = b"", memoryview(b"")
    for count, (number, value) in enumerate(_fields(widget)):
        field = _WIDGETS.get(number)
        if count > 1 or field is None or field.type != FieldDescriptor.TYPE_STRING:
            return False
        key, text = (bytes(value[:MAX_CHARS]), text) if field.name == "id" else (key, value)
    match = _KEY.search(key.decode(errors="replace"))
    return len(widget) - len(text) <= MAX_CHARS and len(text) <= 4 * LONG.get(match[1] if match else "", 0)


def _values(content: memoryview, kind: Descriptor) -> Iterator[tuple[memoryview, Descriptor | None]]:
    """The values in a message of this kind and in the messages it consists of, with their kind if they are messages."""
    for number, value in _fields(content):
        field = kind.fields_by_number.get(number)
        inner = field.message_type if field else None
        if inner is not None and inner.full_name in _OPENED:
            yield from _values(value, inner)
        else:
            yield value, inner


def _fields(content: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Number and value of each field, see https://protobuf.dev/programming-guides/encoding.

    Raises IndexError or ValueError if it is malformed.
    """
    position = 0
    while position < len(content):
        tag, position = _varint(content, position)
        match tag & 7:
            case 0:
                _, end = _varint(content, position)
            case 1:
                end = position + 8
            case 2:
                size, position = _varint(content, position)
                end = position + size
            case 5:
                end = position + 4
            case _:
                raise ValueError("a group")
        if end > len(content):
            raise ValueError("cut off")
        yield tag >> 3, content[position:end]
        position = end


def _varint(content: memoryview, position: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = content[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
    raise ValueError("too long a number")


MIDDLEWARE = Middleware(MessageLimits)
