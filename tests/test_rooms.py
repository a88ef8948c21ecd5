"""Rooms below the screen: a vote counts once, none after the question closed, and a killed server loses nothing."""

import json
from io import FileIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.common import files
from playground.rooms import MAX_ROOMS, MAX_SEATS, Room, RoomError, Rooms, codes, open_rooms
from playground.rooms import room as room_module
from playground.rooms.room_question import MAX_TEXT, RoomQuestion, result

CHOICE = RoomQuestion(kind="choice", text="Which?", choices=("a", "b", "c"))
NUMBER = RoomQuestion(kind="number", text="How many?")
CELL = RoomQuestion(kind="cell", text="Where?", shape=(4, 5, 5))
POINT = RoomQuestion(kind="point", text="Where will it be?")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rooms(tmp_path, clock) -> Rooms:
    return Rooms(tmp_path / "rooms", clock)


def again(rooms: Rooms) -> Rooms:
    """The rooms of a server that starts in the same folder."""
    new = Rooms(rooms._folder, rooms._clock)
    new.load()
    return new


def test_a_code_has_no_signs_that_look_alike():
    dealt = {codes.new_code(()) for _ in range(500)}
    assert {len(code) for code in dealt} == {6}
    assert not set("".join(dealt)) & set("0O1IL")
    code = dealt.pop()
    assert codes.parse_code(f" {codes.shown(code).lower()}") == code
    assert codes.parse_code("K7P4Q") == codes.parse_code("K7P4Q0") == ""


def test_everybody_gets_another_name_and_may_have_a_new_one(rooms):
    room = rooms.open("host")
    seats = [room.join() for _ in range(MAX_SEATS)]
    assert len({seat.name for seat in seats}) == MAX_SEATS
    before = seats[0].name
    room.rename(seats[0])
    assert seats[0].name != before
    with pytest.raises(RoomError, match="300 people"):
        room.join()


def test_one_browser_has_one_seat(rooms):
    room = rooms.open("host")
    assert room.join("anna") is room.join("anna")
    assert room.join("anna") is not room.join("ben")


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 2)), max_size=40))
def test_the_last_answer_of_each_seat_counts_once(votes):
    room = Room("K7P4QX")
    room.open("host")
    room.ask(CHOICE)
    seats = [room.join() for _ in range(6)]
    last = {}
    for who, choice in votes:
        room.answer(seats[who], 1, choice if choice >= 0 else None)
        last[who] = choice
    assert room.state()["counts"]["answers"] == len(last)
    room.reveal("a")
    counted = room.state()["question"]["result"]
    assert counted["choices"] == [list(last.values()).count(choice) for choice in range(3)]
    assert counted["passed"] == list(last.values()).count(-1)


def test_no_answer_counts_after_the_question_closed(rooms, clock):
    room = rooms.open("host")
    seat = room.join()
    with pytest.raises(RoomError, match="No question"):
        room.answer(seat, 1, 0)
    room.ask(CHOICE)
    room.answer(seat, 1, 0)
    room.close()
    with pytest.raises(RoomError, match="closed"):
        room.answer(seat, 1, 1)
    room.ask(CHOICE.model_copy(update={"seconds": 30}))
    with pytest.raises(RoomError, match="another question"):
        room.answer(seat, 1, 1)  # replayed
    clock.now += 30
    with pytest.raises(RoomError, match="closed"):
        room.answer(seat, 2, 1)
    assert room.state()["question"]["state"] == "closed"
    assert [list(asked.answers.values()) for asked in room.asked] == [[0], []]


def test_nothing_of_the_answers_is_known_before_reveal(rooms):
    room = rooms.open("host")
    room.ask(CHOICE.model_copy(update={"truth": "b", "why": "Because."}))
    room.answer(room.join(), 1, 1)
    for change in (lambda: None, room.close):
        change()
        shown = room.state()["question"]
        assert not {"result", "truth", "why"} & shown.keys()
    room.reveal("b")
    shown = room.state()["question"]
    assert (shown["truth"], shown["why"], shown["result"]["choices"]) == ("b", "Because.", [0, 1, 0])


def test_a_revealed_question_goes_when_the_host_is_done_or_moves_on(rooms):
    room = rooms.open("host")
    room.lead(address="step_through?operation=a")
    room.ask(NUMBER)
    with pytest.raises(RoomError, match="Reveal the question first"):
        room.done()
    room.lead(address="step_through?operation=b")
    assert room.state()["question"]
    room.reveal("3")
    room.lead(address="step_through?operation=b&cell=1-2", mode="free")
    assert room.state()["question"]
    room.lead(address="step_through?operation=c")
    assert room.state()["question"] is again(rooms).find(room.code).state()["question"] is None
    room.ask(NUMBER)
    room.reveal("3")
    for _ in range(2):
        room.done()
    assert room.state()["question"] is again(rooms).find(room.code).state()["question"] is None
    room.ask(NUMBER)
    assert room.state()["question"]["n"] == 3


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        (CHOICE, [3, -1, 0.5, "0", [0], True]),
        (NUMBER, [float("inf"), float("nan"), "1", [1.0], True, 1e13]),
        (CELL, [[0, 0], [4, 0, 0], [0, 0, -1], [0, 0, 0.5], 3, ["0", 0, 0]]),
        (POINT, [[1.0], [1.0, float("nan")], 1.0, [1, 2, 3]]),
    ],
)
def test_an_answer_that_cannot_be_one_is_refused_with_what_is_allowed(rooms, question, wrong):
    room = rooms.open("host")
    room.ask(question)
    seat = room.join()
    for value in wrong:
        with pytest.raises(RoomError, match=r"An answer to this question is .* or null to pass"):
            room.answer(seat, 1, value)
    room.answer(seat, 1, None)
    assert room.state()["counts"]["answers"] == 1


def test_results_of_each_kind():
    assert result(NUMBER, [5.0, 1.0, 5.0, None]) == {"passed": 1, "values": [[1.0, 1], [5.0, 2]]}
    assert result(NUMBER, [])["values"] == []
    many = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 16.0, 16.0]
    assert result(NUMBER, many) == {"passed": 0, "numbers": [0.0, 16.0, [2, 2, 2, 2, 0, 0, 0, 2]]}
    assert result(CELL, [(0, 1, 2), (0, 1, 2), (3, 4, 4)])["positions"] == [[[0, 1, 2], 2], [[3, 4, 4], 1]]
    assert result(POINT, [(0.0, 0.0), (8.0, 16.0), (8.0, 16.0)])["positions"] == [[[7.5, 15.0], 2], [[0.5, 1.0], 1]]
    assert result(POINT, [(3.0, 4.0)])["positions"] == [[[3.0, 4.0], 1]]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"kind": "choice", "text": "?", "choices": ["a"]}, "2 to 5"),
        ({"kind": "choice", "text": "?", "choices": ["a", "a"]}, "same"),
        ({"kind": "number", "text": "?", "choices": ["a", "b"]}, "none"),
        ({"kind": "cell", "text": "?"}, "shape"),
        ({"kind": "number", "text": " "}, "text"),
        ({"kind": "number", "text": "x" * (MAX_TEXT + 1)}, "text"),
        ({"kind": "essay", "text": "?"}, "kind"),
        ({"kind": "number", "text": "?", "seconds": 601}, "seconds"),
        ({"kind": "number", "text": "ü" * 130, "why": "ü" * 60}, "340 bytes"),
        ({"kind": "number", "text": "?", "html": "<b>"}, "html"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_with_its_field(fields, says):
    with pytest.raises(RoomError, match=says):
        RoomQuestion.of_request(fields)


def test_what_the_host_shows_is_an_address_of_this_app(rooms):
    room = rooms.open("host")
    room.lead(address="step_through?model=copy-1-16&operation=encoder.tokens&present=1")
    for wrong in ("https://other.org/", "//other.org", "../x", "a b", "train#x", "train?x=\n", 3, "x?" + "y" * 500):
        with pytest.raises(RoomError):
            room.lead(address=wrong)
    with pytest.raises(RoomError, match="lead, free, pause"):
        room.lead("force")
    version = room.version
    room.lead("lead", room.address)  # as it was
    assert room.version == version


LONG = {"text": "ü" * 90, "why": '"' * 20, "truth": "c" * 20, "seconds": 600}
OPERATION = "decoder.layers.5.cross_attention.attention.masked_scores"


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        (
            RoomQuestion(kind="choice", choices=tuple(f"{n}" * 20 for n in range(5)), **LONG | {"why": "w" * 40}),
            [n % 5 for n in range(MAX_SEATS)],
        ),
        (
            RoomQuestion(kind="cell", shape=(16, 64, 64), of={"operation": OPERATION, "axes": "HTS"}, **LONG),
            [[n % 16, 63 - n % 60, n % 64] for n in range(MAX_SEATS)],
        ),
        (
            RoomQuestion(kind="point", of={"run": "r" * 32, "step": 100_000, "measure": "loss"}, **LONG),
            [[1e5 + n / 7, -1 / (n + 7)] for n in range(MAX_SEATS)],
        ),
        (RoomQuestion(kind="number", **LONG), [n / -7e-9 for n in range(MAX_SEATS)]),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_the_whole_state_is_at_most_a_kilobyte(question, answers):
    room = Room("K7P4QX")
    room.open("host")
    room.lead(address="x?" + "y" * (room_module.MAX_ADDRESS - 2))
    seats = [room.join() for _ in range(MAX_SEATS)]
    room.ask(question)
    for seat, answer in zip(seats, answers, strict=True):
        room.answer(seat, 1, answer)
        room.tell_pace(seat, "hard")
    room.reveal("c" * 20)
    assert len(json.dumps(room.state(), ensure_ascii=False, separators=(",", ":")).encode()) <= 1024


def test_texts_that_grow_in_json_are_counted_as_they_are_sent():
    with pytest.raises(RoomError, match="all its texts together may have 340 bytes"):
        RoomQuestion.of_request({"kind": "number", "text": '"' * 180})


def test_a_killed_server_comes_back_with_the_same_code_and_state(rooms):
    room = rooms.open("host")
    room.lead("free", "train?run=7")
    seats = [room.join(f"visitor {n}") for n in range(3)]
    room.ask(CELL)
    room.answer(seats[0], 1, [0, 1, 2])
    room.answer(seats[1], 1, None)
    room.tell_pace(seats[2], "fast")
    room.started(seats[2], "run 1")
    with room.path.open("ab") as journal:
        journal.write(b'{"e":"answer","t":1,"seat":"')  # cut off by the kill: it was never confirmed
    back = again(rooms).find(room.code)
    assert (back.state(), back.seats, back.host, back.paces) == (room.state(), room.seats, room.host, room.paces)
    back.answer(seats[2], 1, [3, 3, 3])
    assert (
        again(rooms).find(room.code).asked[0].answers
        == back.asked[0].answers
        == {
            seats[0].id: (0, 1, 2),
            seats[1].id: None,
            seats[2].id: (3, 3, 3),
        }
    )


def test_what_cannot_be_saved_changes_nothing_and_hinders_no_other_room(rooms, clock, monkeypatch):
    room, other = rooms.open("host"), rooms.open("other")
    seat = room.join()
    room.ask(CHOICE.model_copy(update={"seconds": 30}))
    before, written = room.state(), room.path.read_bytes()

    class Full(FileIO):
        def write(self, content):
            return super().write(content[:10]) if str(self.name) == str(room.path) else super().write(content)

    with monkeypatch.context() as patch:
        patch.setattr(
            files,
            "open",
            lambda path, mode, **options: Full(path, mode.replace("b", ""), opener=options["opener"]),
            raising=False,
        )
        with pytest.raises(RoomError, match="can't save this: No space left on device"):
            room.answer(seat, 1, 0)
        assert (room.state(), room.path.read_bytes()) == (before, written)
        clock.now += 7300
        rooms.tick()
        assert other.ended is not None
    rooms.tick()
    assert room.ended is not None
    assert again(rooms).find(room.code).asked[0].closed


def test_a_damaged_journal_hinders_no_other_room(rooms, caplog):
    one, other = rooms.open("host"), rooms.open("host")
    one.path.write_bytes(b'{"e":"__class__","t":1}\nnonsense\n')
    back = again(rooms)
    assert back.find(one.code) is None
    assert back.find(other.code).code == other.code
    assert "can't be read" in caplog.text


def test_a_room_ends_without_its_host_and_its_answers_go_two_hours_later(rooms, clock):
    room, seen = rooms.open("host"), rooms.open("other")
    for _ in range(16):
        seen.lead()
        clock.now += 1700
        rooms.tick()
    assert room.ended is not None
    assert seen.ended is None
    clock.now += 1700
    rooms.tick()
    assert seen.ended is not None  # after 8 hours
    assert rooms.find(room.code) is None
    with pytest.raises(RoomError, match="ended"):
        seen.join()
    clock.now += 7200
    rooms.tick()
    assert not list(rooms._folder.iterdir())


def test_rooms_have_a_limit_for_all_and_for_one(rooms):
    for _ in range(open_rooms.MAX_ROOMS_OWN):
        last = rooms.open("host")
    with pytest.raises(RoomError, match="You have 3 open rooms"):
        rooms.open("host")
    last.end()
    rooms.open("host")
    for number in range(MAX_ROOMS - open_rooms.MAX_ROOMS_OWN):
        rooms.open(f"host {number}")
    with pytest.raises(RoomError, match="20 open rooms"):
        rooms.open("late")


def test_what_is_kept_has_counts_and_no_names(rooms):
    room = rooms.open("host")
    seats = [room.join() for _ in range(3)]
    room.ask(CHOICE)
    for seat, value in zip(seats, (0, 2, 2), strict=True):
        room.answer(seat, 1, value)
    room.reveal("c")
    room.tell_pace(seats[0], "hard")
    room.ask(NUMBER)
    room.ask(CELL.model_copy(update={"of": {"axes": "HTV"}}))
    room.answer(seats[0], 3, [0, 1, 2])
    room.reveal("3 0 0")
    rows = list(room.rows())
    assert {row[0] for row in rows[1:]} == {"1970-01-01T00:16:40Z"}
    assert [row[4:] for row in rows[1:3]] == [("a", 1, "c"), ("c", 2, "c")]
    assert [row[4:] for row in rows[3:5]] == [("", 0, ""), ("1 2 2", 1, "4 1 0")]  # cells count as on the page
    assert [row[4:6] for row in rows[5:]] == [("too fast", 0), ("too hard", 1)]
    assert not any(seat.name in str(rows) or seat.id in str(rows) for seat in seats)
