"""Every text has a maximum: in the widgets, and in what a client sends past them."""

import ast
import asyncio

import pytest
from starlette.types import Message
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from playground.ui.server.message_limits import MAX_TOTAL, MAX_VALUES, NOT_BINARY, TOO_LONG, MessageLimits
from playground.ui.session import session_keys as keys
from tests.test_session_keys import MODULES, module

LOWER = {
    "60": "an answer to a part of an assignment",
    "MAX_STUDENT": "a name or number",
    "_bound(field, 'max_length')": "a field of an assignment",
}
"""Maxima below that of the key: what takes the text refuses a longer one."""

TEXTS = {"text_input", "text_area", "chat_input"}


def called(path) -> list[ast.Call]:
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in TEXTS]


def test_pages_have_text_widgets():
    assert sum(len(called(path)) for path in MODULES) > 15


@pytest.mark.parametrize("path", [path for path in MODULES if called(path)], ids=module)
def test_every_text_widget_has_the_maximum_of_its_key(path):
    for call in called(path):
        given = {each.arg: ast.unparse(each.value) for each in call.keywords}
        if given.get(None, "").endswith(".text"):
            continue  # all arguments of the key
        most = given.get("max_chars", "")
        if most in LOWER:
            continue
        assert most.endswith(".max_chars"), f"line {call.lineno} has no maximum"
        assert given.get("key", most.replace(".max_chars", ".name")) == most.replace(".max_chars", ".name")


def message(*widgets: WidgetState, **fields: str) -> BackMsg:
    made = BackMsg()
    made.rerun_script.widget_states.widgets.extend(widgets)
    for name, value in fields.items():
        setattr(made.rerun_script, name, value)
    return made


def text(key: str, value: str, **options: object) -> WidgetState:
    return WidgetState(id=f"$$ID-0f-{key}", **(options or {"string_value": value}))


def heard(content: bytes | str) -> tuple[Message, list[Message]]:
    """What the app receives if a client sends this, and what is sent to the client."""
    kind = "text" if isinstance(content, str) else "bytes"
    got: list[Message] = []
    sent: list[Message] = []

    async def app(scope, receive, send):
        got.append(await receive())

    async def receive() -> Message:
        return {"type": "websocket.receive", kind: content}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(MessageLimits(app)({"type": "websocket"}, receive, send))
    return got[0], sent


def is_heard(made: BackMsg) -> bool:
    got, sent = heard(made.SerializeToString())
    if got["type"] == "websocket.receive":
        assert not sent
        return True
    assert got == {"type": "websocket.disconnect", "code": 1009}
    assert sent == [{"type": "websocket.close", "code": 1009, "reason": TOO_LONG}]
    return False


LINE = keys.MAX_CHARS
WIDE = "\N{GRINNING FACE}"  # four bytes


@pytest.mark.parametrize("key", [keys.INPUT.name, *keys.LONG])
def test_a_text_of_the_longest_length_is_read_and_a_longer_one_is_not(key):
    most = keys.LONG.get(key, LINE)
    assert is_heard(message(text(key, most * WIDE), text("other", "1 2 3")))
    assert not is_heard(message(text(key, (most + 300) * WIDE)))


def test_a_component_may_send_as_much_as_its_key_allows():
    for ending, field in (("", "json_value"), ("__events", "json_trigger_value")):
        name = "text file"
        made = WidgetState(id=f"$$STREAMLIT_INTERNAL_KEY_$$ID-0f-{name}{ending}", **{field: "a" * 1_400_000})
        assert is_heard(message(made))
        made.id = made.id.replace(name, "runs")
        assert not is_heard(message(made))


@pytest.mark.parametrize(
    "made",
    [
        message(query_string="a" * 5 * LINE),
        message(page_name="a" * 5 * LINE),
        message(*[text("input", "a" * LINE)] * (1 + MAX_TOTAL // LINE)),
        message(*[WidgetState()] * (MAX_VALUES + LINE)),
        message(text("check code", "", bytes_value=b"a" * 5 * LINE)),
        message(WidgetState(id="input-" * LINE)),
    ],
    ids=["address", "page", "many texts", "many widgets", "bytes for a text", "id"],
)
def test_nothing_else_is_long(made):
    assert not is_heard(made)


def test_a_long_list_for_a_long_text_is_refused():
    made = text("check code", "", string_array_value={"data": [""] * 5 * LINE})
    assert not is_heard(message(made))


def test_a_malformed_message_is_refused_and_a_small_one_left_to_streamlit():
    assert heard(b"\xff" * 2 * LINE)[0]["type"] == "websocket.disconnect"
    assert heard(message(text("input", "a" * 2 * LINE)).SerializeToString()[:-1])[0]["type"] == "websocket.disconnect"
    assert heard(b"\xff")[0]["type"] == "websocket.receive"


def test_text_is_no_message():
    assert heard("hello")[1] == [{"type": "websocket.close", "code": 1003, "reason": NOT_BINARY}]


def test_the_connection_holds_the_longest_text_and_not_much_more():
    longest = 4 * keys.LONG["task.text"] + keys.LONG["text file"]
    for option in ("server.maxMessageSize", "server.maxWidgetStateSize"):
        assert longest < 1e6 * config.get_option(option) < 2 * longest
