"""The event stream: everything once, then only what is new, the same bytes for all, and nothing for who may not."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.ui.server import stream
from playground.ui.server.scheduler import address_of
from playground.ui.server.stream import FieldChannel, Stream
from playground.ui.session import identity
from tests.helpers import HANG, browser, live


class Source:
    """Values that a test changes, and how often they were read."""

    def __init__(self, **values: Any) -> None:
        self.values, self.reads, self.moving = values, 0, True

    def read(self) -> dict[str, Any]:
        self.reads += 1
        if self.values.get("deleted"):
            raise LookupError
        return dict(self.values)


def fields(source: Source, name: str = "run/x") -> FieldChannel:
    channel = FieldChannel(name, source.read, lambda: source.moving)
    channel.refresh()
    return channel


def messages(events: bytes) -> list[dict]:
    return [json.loads(line[6:]) for line in events.decode().splitlines() if line.startswith("data: ")]


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), st.none() | st.integers() | st.text(max_size=3)), max_size=8))
def test_what_is_new_adds_up_to_what_is_there(states):
    source = Source()
    channel = fields(source)
    known: dict[str, Any] = {}
    version = 0
    for values in states:
        source.values = values
        channel.refresh()
        for message in messages(channel.since(version)):
            known = message["fields"] if message["whole"] else known | message["fields"]
            version = message["version"]
        assert {name: value for name, value in known.items() if value is not None} == {
            name: value for name, value in values.items() if value is not None
        }


def test_a_listener_who_has_missed_something_gets_the_newest_state_whole_and_no_backlog():
    source = Source(a=1, b=1)
    channel = fields(source)
    first = channel.version
    for source.values["a"] in (2, 3):
        channel.refresh()
    (message,) = messages(channel.since(first))
    assert (message["whole"], message["fields"]) == (True, {"a": 3, "b": 1})
    (message,) = messages(channel.since(channel.version - 1))
    assert (message["whole"], message["fields"]) == (False, {"a": 3})
    assert channel.since(channel.version) == b""
    assert channel.since(channel.version - 1) is channel.since(channel.version - 1), "encoded once for all"


class Listener:
    """One open stream, and what came through it."""

    def __init__(self, hub: Stream, *asked: str, visitor: str = "") -> None:
        self.hub, self.have = hub, dict(map(stream._parsed, asked))
        found, gone = hub._open(self.have, visitor)
        self.own = stream.Listener(visitor or "address", "127.0.0.1")
        self.events: AsyncIterator[bytes] = hub._events(self.own, found, gone, self.have)

    async def next(self) -> bytes:
        async with asyncio.timeout(HANG):
            return await anext(self.events)


async def rests(source: Source) -> None:
    """Waits until a source is no longer read."""
    before = -1
    while before != source.reads:
        before = source.reads
        await asyncio.sleep(0.1)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(stream, "TICK", 0.01)
    monkeypatch.setattr(stream, "BEAT_TICKS", 10**9)


def test_all_who_listen_get_the_same_bytes_from_one_look():
    source = Source(step=0)
    hub = Stream(lambda name, visitor: fields(source))

    async def story() -> None:
        many = [Listener(hub, "run/x") for _ in range(20)]
        for each in many:
            await each.next()  # hello
            assert messages(await each.next())[0]["whole"]
        source.values["step"] = 1
        events = await asyncio.gather(*(each.next() for each in many))
        assert messages(events[0])[0]["fields"] == {"step": 1}
        assert all(each == events[0] for each in events)
        assert len(hub._channels) == 1
        assert hub.count == 20
        before, ticks = source.reads, hub._ticks
        await asyncio.sleep(0.1)
        assert source.reads - before <= hub._ticks - ticks + 1, "read once a tick, not once a listener"
        for each in many:
            await each.events.aclose()
        assert hub.count == 0
        assert not hub._channels
        await rests(source)  # nobody listens, nothing is read

    live(story())


def test_a_slow_reader_gets_one_message_for_all_that_it_has_missed():
    source = Source(step=0, other=0)
    hub = Stream(lambda name, visitor: fields(source))

    async def story() -> None:
        slow = Listener(hub, "run/x")
        await slow.next()
        await slow.next()
        for source.values["step"] in range(1, 6):
            looks = source.reads
            while source.reads < looks + 2:
                await asyncio.sleep(0.01)
        (message,) = messages(await slow.next())
        assert message["fields"] == {"step": 5, "other": 0}
        await slow.events.aclose()

    live(story())


def test_a_deletion_is_sent_once_to_listeners():
    source = Source(step=0)
    hub = Stream(lambda name, visitor: fields(source))

    async def story() -> None:
        listener = Listener(hub, "run/x")
        await listener.next()
        await listener.next()
        source.values["deleted"] = True
        assert messages(await listener.next()) == [{"channel": "run/x", "gone": True}]
        await listener.events.aclose()

    live(story())


def test_a_channel_that_fails_does_not_end_the_others(caplog):
    good, bad = Source(step=0), Source(step=object())
    channels = {"run/good": good, "run/bad": bad}

    def find(name: str, _visitor: str) -> FieldChannel:
        return FieldChannel(name, channels[name].read, lambda: True)

    async def story() -> None:
        hub = Stream(find)
        found = [find(name, "") for name in channels]
        events = hub._events(stream.Listener("a", "127.0.0.1"), found, [], {})
        await anext(events)
        good.values["step"] = 1
        async with asyncio.timeout(HANG):
            while b'"step":1' not in await anext(events):
                pass
        await events.aclose()

    live(story())
    assert "The channel run failed." in caplog.text


def test_a_silent_stream_says_that_it_is_alive(monkeypatch):
    monkeypatch.setattr(stream, "BEAT_TICKS", 1)
    hub = Stream(lambda name, visitor: fields(Source(step=0)))

    async def story() -> None:
        listener = Listener(hub, "run/x")
        await listener.next()
        await listener.next()
        assert await listener.next() == b"event: beat\ndata:\n\n"
        await listener.events.aclose()

    live(story())


# --- over HTTP ---


@pytest.fixture
def client():
    def find(name: str, visitor: str) -> FieldChannel:
        if name == "run/none" or (name.startswith("visitor") and not visitor):
            raise LookupError(name)
        return fields(Source(step=3, visitor=visitor), name)

    return browser(*Stream(find).routes())


def test_a_plain_question_is_answered_at_once_where_a_proxy_keeps_streams_back(client):
    answer = client.get("/live", params={"c": ["run/x", "run/none"], "once": 1})
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "no-store" in answer.headers["cache-control"]
    gone, event = messages(answer.content)
    assert gone == {"channel": "run/none", "gone": True}
    assert (event["channel"], event["fields"]["step"]) == ("run/x", 3)


def test_a_visitors_own_channel_is_sent_to_that_visitor_alone(client, monkeypatch):
    one, other = identity.new_visitor(), identity.new_visitor()
    client.cookies.clear()
    assert messages(client.get("/live?c=visitor/x&once=1").content) == [{"channel": "visitor/x", "gone": True}]
    for cookie in (one, other):
        answer = client.get("/live?c=visitor/x&once=1", headers={"Cookie": f"{identity.VISITOR_COOKIE}={cookie}"})
        assert messages(answer.content)[0]["fields"]["visitor"] == identity.visitor_of(cookie)


def test_own_channels_of_two_visitors_never_meet():
    hub = Stream(lambda name, visitor: fields(Source(of=visitor), name))

    async def story() -> None:
        one, other = (Listener(hub, "visitor/x", visitor=name) for name in ("alpha", "beta"))
        for each, name in ((one, "alpha"), (other, "beta")):
            await each.next()
            assert messages(await each.next())[0]["fields"] == {"of": name}
        assert len(hub._channels) == 2
        await one.events.aclose()
        await other.events.aclose()

    live(story())


def test_what_rests_is_read_seldom_and_at_once_when_its_visitor_has_begun_something(monkeypatch):
    monkeypatch.setattr(stream, "OWN_TICKS", 10**9)
    sources = {visitor: Source(runs=0) for visitor in ("ada", "bob")}
    hub = Stream(lambda name, visitor: fields(sources[visitor], name))

    async def story() -> None:
        ada, bob = (Listener(hub, "visitor/runs", visitor=visitor) for visitor in sources)
        for each in (ada, bob):
            await each.next()
            await each.next()
        for source in sources.values():
            source.moving = False
        for source in sources.values():
            await rests(source)
        before = [source.reads for source in sources.values()]
        for source in sources.values():
            source.values["runs"] = 1
        await asyncio.sleep(0.1)
        assert [source.reads for source in sources.values()] == before
        hub.wake("ada")
        assert messages(await ada.next())[0]["fields"] == {"runs": 1}
        await asyncio.sleep(0.05)
        assert [source.reads for source in sources.values()] == [before[0] + 1, before[1]], "and rests again"
        for each in (ada, bob):
            await each.events.aclose()

    live(story())


def test_active_channels_are_checked_more_often_soon_after_a_stream_was_opened(monkeypatch):
    monkeypatch.setattr(stream, "TICK", 1000)
    monkeypatch.setattr(stream, "EARLY_TICK", 0.01)
    source = Source(step=1)
    hub = Stream(lambda name, visitor: fields(source, name))

    async def story() -> None:
        listener = Listener(hub, "run/a")
        await listener.next()
        await listener.next()
        source.values["step"] = 2
        assert messages(await listener.next())[0]["fields"] == {"step": 2}
        monkeypatch.setattr(hub, "_early_until", 0.0)
        await rests(source)
        await listener.events.aclose()

    live(story())


def test_a_wake_amid_a_look_is_not_lost():
    """Who begins something just after it was read has it read once more."""
    channel = FieldChannel("visitor/runs", lambda: setattr(channel, "moving", True) or {}, lambda: False)
    channel.refresh()
    assert channel.moving


def test_streams_are_bounded(client, monkeypatch):
    answer = client.get("/live", params={"c": [f"run/{number}" for number in range(stream.MAX_CHANNELS + 1)]})
    assert answer.status_code == 400
    monkeypatch.setattr(stream, "REFUSAL_DELAY", 0)
    for limit, what in (("VISITOR", "of your tabs are open"), ("ADDRESS", "open pages")):
        with monkeypatch.context() as patch:
            patch.setattr(stream, f"MAX_STREAMS_{limit}", 0)
            answer = client.get("/live?c=run/x")
            assert answer.status_code == 429
            assert what in answer.text
            assert client.get("/live?c=run/x&once=1").status_code == 200, "polling stays possible"


@pytest.mark.parametrize("limit", ["MAX_STREAMS", "MAX_STREAMS_ADDRESS"])
def test_many_streams_of_one_make_room_for_another(monkeypatch, limit):
    """Many cookies of one address, or many tabs of one cookie, don't keep others out."""
    monkeypatch.setattr(stream, limit, 6)
    hub = Stream(lambda name, visitor: fields(Source(), name))
    own_address = limit == "MAX_STREAMS"

    def enter(visitor: str, address: str) -> stream.Listener | None:
        listener = stream.Listener(visitor, address)
        if hub._refusal(listener):
            return None
        hub._streams.add(listener)
        return listener

    flood = [enter(f"{number if own_address else number // 3}", "192.0.2.1") for number in range(6)]
    assert all(flood)
    others = [enter(name, "192.0.2.2" if own_address else "192.0.2.1") for name in ("ada", "bob", "eve", "joe")]
    admitted = 3 if own_address else 4
    assert [each is not None for each in others] == [number < admitted for number in range(4)], "a fair share each"
    assert sum(each.ended for each in flood if each) == admitted
    assert hub.count == 6


def test_a_stream_that_made_room_ends(monkeypatch):
    monkeypatch.setattr(stream, "MAX_STREAMS", 2)
    hub = Stream(lambda name, visitor: fields(Source(), name))

    async def story() -> None:
        streams = [Listener(hub, "run/x", visitor="many") for _ in range(2)]
        for each in streams:
            await each.next()
            await each.next()
        assert not hub._refusal(stream.Listener("one", "192.0.2.2"))
        (over,) = (each for each in streams if each.own.ended)
        assert [event async for event in over.events] == []
        assert [each.own for each in streams if each is not over] == list(hub._streams)

    live(story())


def test_a_channel_that_comes_back_is_sent_whole():
    source = Source(a=1)
    channel = fields(source)
    source.values["deleted"] = True
    assert stream._has_news(channel)
    known = channel.version
    assert messages(channel.event_since(channel.version - 1)) == [{"channel": "run/x", "gone": True}]
    del source.values["deleted"]
    assert stream._has_news(channel)
    (message,) = messages(channel.event_since(known))
    assert (message["whole"], message["fields"]) == (True, {"a": 1})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_clients_of_one_network_have_one_address(given, expected):
    assert address_of({"type": "http", "client": (given, 5)}) == expected
    assert address_of({"type": "http", "client": None}) == ""


@pytest.mark.parametrize(
    "text", ["", "run/x", "run/x@", "run/x@-1", "run/x@x", "run/x@9999999999999999999", "@", "a@b@c"]
)
def test_any_version_that_is_none_counts_as_nothing_known(client, text):
    answer = client.get("/live", params={"c": text, "once": 1})
    assert answer.status_code == 200
    assert all(message.get("whole", True) for message in messages(answer.content))


def test_who_comes_back_after_a_lost_connection_gets_what_is_new_since_the_last_event():
    channel = fields(Source(step=3))
    client = browser(*Stream(lambda name, visitor: channel).routes())
    event = client.get("/live?c=run/x&once=1").text
    mark = event.partition("id: ")[2].partition("\n")[0]
    assert client.get("/live?c=run/x&once=1", headers={"Last-Event-ID": mark}).text == ""
    assert client.get("/live?c=run/x&once=1", headers={"Last-Event-ID": "run/other@1"}).text == event


def test_a_pushed_channel_reaches_its_listeners_without_a_tick(monkeypatch):
    monkeypatch.setattr(stream, "TICK", 10 * HANG)
    monkeypatch.setattr(stream, "EARLY_SECONDS", 0.0)
    source = Source(a=1)
    hub = Stream(lambda name, visitor: fields(source))

    async def story() -> None:
        hub.push("run/x")  # nobody listens
        one = Listener(hub, "run/x")
        await one.next()  # hello
        await one.next()
        await rests(source)
        source.values["a"] = 2
        hub.push("run/other")
        hub.push("run/x")
        assert messages(await one.next())[0]["fields"] == {"a": 2}
        await one.events.aclose()

    live(story())
