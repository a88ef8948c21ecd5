"""The browserless visitor against a scripted server: which message belongs to which request."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.server import ServerConnection, serve

from tests.helpers import live
from tests.load.client import FRAGMENT, WHOLE, Visitor


def begins(run: str, *fragments: str) -> ForwardMsg:
    message = ForwardMsg()
    message.metadata.run.script_run_id = run
    message.metadata.run.fragment_ids.extend(fragments)
    message.new_session.page_script_hash = "hash of here"
    return message


def ends(run: str, *fragments: str) -> ForwardMsg:
    message = ForwardMsg(script_finished=FRAGMENT if fragments else WHOLE)
    message.metadata.run.script_run_id = run
    message.metadata.run.fragment_ids.extend(fragments)
    return message


def button(label: str, fragment: str = "") -> ForwardMsg:
    message = ForwardMsg()
    message.metadata.delta_path.extend([0, 0])
    message.delta.fragment_id = fragment
    message.delta.new_element.button.id = f"$$ID-0-{label}"
    message.delta.new_element.button.label = label
    return message


def plays(script: list[list[ForwardMsg]], act: Callable[[Visitor], Awaitable[None]]) -> list[BackMsg]:
    """Connect a visitor to a server that responds with these messages; returns the visitor's requests."""
    asked: list[BackMsg] = []

    async def answers(line: ServerConnection) -> None:
        async for question in line:
            asked.append(BackMsg.FromString(question))
            for message in script[len(asked) - 1]:
                await line.send(message.SerializeToString())

    async def story() -> None:
        async with serve(answers, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            visitor = Visitor(f"http://127.0.0.1:{port}", "here", pages={"there": "hash of there"})
            await visitor.reconnect()
            visitor.timeout = 0.3
            try:
                await act(visitor)
            finally:
                await visitor.close()

    live(story())
    return asked


def test_a_missing_response_reports_what_arrived_instead():
    script = [
        [begins("a"), button("Go", "part"), ends("a")],
        [begins("b", "part"), button("Go", "part"), button("Go", "part")],
    ]
    came = r"since then came 1 new_session, 2 button\."
    with pytest.raises(TimeoutError, match=rf"'Go' on /here, fragment part in 0\.3 s; {came}"):
        plays(script, lambda visitor: visitor.click("Go"))


def test_a_click_target_is_looked_up_when_it_is_clicked():
    script = [
        [begins("a"), button("Go", "old fragment"), ends("a")],
        [begins("b"), button("Go", "new fragment"), ends("b")],
        [begins("c", "new fragment"), ends("c", "new fragment")],
    ]

    async def both(visitor: Visitor) -> None:
        await asyncio.gather(visitor.rerun(), visitor.click("Go"))

    asked = plays(script, both)
    assert [question.rerun_script.fragment_id for question in asked] == ["", "", "new fragment"]
    script[1] = [begins("b"), ends("b")]
    with pytest.raises(LookupError, match="no 'Go'"):
        plays(script, both)


def test_the_menu_opens_the_chosen_page_during_a_script_run():
    async def both(visitor: Visitor) -> None:
        await asyncio.gather(visitor.rerun(), visitor.page("there"))

    asked = plays([[begins(run), ends(run)] for run in "abc"], both)
    assert asked[-1].rerun_script.page_script_hash == "hash of there"


@pytest.mark.parametrize("left", [[ends("before")], [begins("before", "part"), ends("before", "part")]])
def test_messages_of_an_earlier_script_run_are_ignored(left):
    script = [[begins("a"), ends("a")], left]
    with pytest.raises(TimeoutError, match="FINISHED"):
        plays(script, lambda visitor: visitor.rerun())
    script[1] = [*left, begins("b"), ends("b")]
    plays(script, lambda visitor: visitor.rerun())
