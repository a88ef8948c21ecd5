"""One room: what its host shows, its seats, and the question under way.

A room is the sum of its events: each change is appended to its journal, then applied. A server that was killed applies
the journal again, so that nothing is lost that was confirmed.
"""

import errno
import json
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import parse_qs, parse_qsl

from playground.common.errors import reason
from playground.common.files import open_regular
from playground.rooms import codes
from playground.rooms.room_question import RoomError, RoomQuestion, Vote, result

MAX_SEATS = 300
MAX_ADDRESS = 320
"""Bytes of the address that the host shows."""
MAX_QUESTIONS = 500
MAX_TRIES = 5000
"""Runs that are noted with a room."""
UNSEEN_SECONDS, LONGEST_SECONDS, KEPT_SECONDS = 2 * 3600, 8 * 3600, 2 * 3600
"""Until a room ends without its host, until it ends in any case, and how long its answers are kept after that."""

RoomMode = Literal["lead", "free", "pause"]
MODES: tuple[RoomMode, ...] = get_args(RoomMode)
SeatPace = Literal["fast", "hard", ""]
PACES: tuple[SeatPace, ...] = get_args(SeatPace)

LOOK = {"cell", "head", "heads", "columns", "table"}
"""Query parameters that change how an operation is shown, not which."""

SHOWN_OF = ("lesson", "block", "operation", "axes", "step")
"""What of `RoomQuestion.of` everybody sees: it says where on the page a question is answered."""

RoomEvent = dict[str, Any]
_UNSEEN = ("run",)
"""Events that don't change what everybody sees."""


@dataclass
class Seat:
    """One person in a room."""

    id: str
    name: str
    visitor: str = ""
    """Key of the browser, so that it has one seat."""
    pace: SeatPace = ""
    run: str = ""
    """Id of the newest run that this person has started here."""


@dataclass
class Asked:
    """A question and its answers, by seat."""

    question: RoomQuestion
    at: float
    answers: dict[str, Vote] = field(default_factory=dict)
    closed: bool = False
    revealed: bool = False
    done: bool = False
    """No longer shown: the host has moved on."""
    truth: str = ""

    @property
    def ends(self) -> float:
        """Time at which it closes; 0: never by itself."""
        return self.at + self.question.seconds if self.question.seconds else 0.0


class Room:
    """A room. Thread-safe. Times are in seconds since 1970."""

    def __init__(self, code: str, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        """`path` is its journal; None: the room is lost with the server."""
        self.code, self.path, self._clock = code, path, clock
        self.host = ""
        """Random part of the host's key and of the names of the room's channels."""
        self.owner = ""
        """Key of the browser that opened the room."""
        self.opened = self.seen = clock()
        self.ended: float | None = None
        self.version = 0
        self.mode: RoomMode = "lead"
        self.address = ""
        self.seats: dict[str, Seat] = {}
        self.visitors: dict[str, Seat] = {}
        """The seat of each browser with a cookie."""
        self.asked: list[Asked] = []
        self.paces: list[tuple[float, int, int]] = []
        """The confusion meter: time, seats for which it is too fast, seats for which it is too hard."""
        self.runs: dict[str, str] = {}
        """The tries: ids of the runs that its people have started here, each with the seat, in order."""
        self.reference = ""
        """Id of the run that the host showed last and that isn't a try."""
        self.board = False
        """True if everybody sees the board of configurations."""
        self.on_change: Callable[[], object] = lambda: None
        self._lock = threading.RLock()

    # --- events ---

    def _do(self, kind: str, **fields: Any) -> None:
        """Append an event to the journal, apply it, and tell the listeners. Raises `RoomError` if it can't be saved."""
        event = {"e": kind, "t": round(self._clock(), 3), **fields}
        if self.path is not None:
            line = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            try:
                _append(self.path, line)
            except OSError as error:
                problem = f"The server can't save this: {reason(error)}."
                raise RoomError(507, problem, "Nothing has changed. Try again.") from error
        self.apply(event)
        if kind not in _UNSEEN:
            self.on_change()

    def apply(self, event: RoomEvent) -> None:
        """Apply an event of the journal."""
        with self._lock:
            getattr(self, f"_on_{event['e']}")(event)
            self.version += event["e"] not in _UNSEEN

    def _on_open(self, event: RoomEvent) -> None:
        self.host, self.owner, self.opened = event["host"], event["owner"], event["t"]

    def _on_lead(self, event: RoomEvent) -> None:
        if self.asked and self.asked[-1].revealed and _view(event["at"]) != _view(self.address):
            self.asked[-1].done = True
        self.mode, self.address, self.board = event["mode"], event["at"], event["board"]
        if self.shown_run not in self.runs:
            self.reference = self.shown_run or self.reference

    def _on_seat(self, event: RoomEvent) -> None:
        seat = self.seats.get(event["id"])
        if seat:
            seat.name = event["name"]
        else:
            seat = self.seats[event["id"]] = Seat(event["id"], event["name"], event["visitor"])
            if seat.visitor:
                self.visitors[seat.visitor] = seat

    def _on_ask(self, event: RoomEvent) -> None:
        self.asked.append(Asked(RoomQuestion.model_validate(event["question"]), event["t"]))

    def _on_answer(self, event: RoomEvent) -> None:
        value = event["value"]
        self.asked[-1].answers[event["seat"]] = tuple(value) if isinstance(value, list) else value

    def _on_close(self, event: RoomEvent) -> None:
        self.asked[-1].closed = True

    def _on_reveal(self, event: RoomEvent) -> None:
        asked = self.asked[-1]
        asked.closed = asked.revealed = True
        asked.truth = event["truth"]

    def _on_done(self, _event: RoomEvent) -> None:
        self.asked[-1].done = True

    def _on_pace(self, event: RoomEvent) -> None:
        self.seats[event["seat"]].pace = event["value"]
        counts = [sum(seat.pace == pace for seat in self.seats.values()) for pace in PACES[:2]]
        self.paces.append((event["t"], *counts))

    def _on_run(self, event: RoomEvent) -> None:
        self.seats[event["seat"]].run = event["run"]
        self.runs[event["run"]] = event["seat"]

    def _on_end(self, event: RoomEvent) -> None:
        self.ended = event["t"]

    # --- the host ---

    def open(self, owner: str) -> None:
        """Begin the room."""
        self._do("open", host=secrets.token_urlsafe(12), owner=owner)

    def lead(self, mode: Any = None, address: Any = None, board: Any = None) -> None:
        """Show an address of the app, relative to it, to the seats, or change the mode; None: as before."""
        with self._lock:
            self._go_on()
            mode, address = self.mode if mode is None else mode, self.address if address is None else address
            board = self.board if board is None else board
            if mode not in MODES:
                raise RoomError(422, f"The mode is one of {', '.join(MODES)}.")
            if type(board) is not bool:
                raise RoomError(422, "The board is on (true) or off (false).")
            if not isinstance(address, str) or not is_address(address):
                raise RoomError(422, "The context is an address of this app, relative to it, such as train?run=7.")
            if len(address.encode()) > MAX_ADDRESS:
                raise RoomError(422, f"The link to this view is too long to share: {MAX_ADDRESS} bytes are allowed.")
            if (mode, address, board) != (self.mode, self.address, self.board):
                self._do("lead", mode=mode, at=address, board=board)

    def ask(self, question: RoomQuestion) -> int:
        """Ask a question; an open one is closed. Returns its number, from 1."""
        with self._lock:
            self._go_on()
            if len(self.asked) >= MAX_QUESTIONS:
                raise RoomError(409, f"A room has {MAX_QUESTIONS} questions at most. Open another room.")
            if self.is_open:
                self._do("close")
            self._do("ask", question=question.model_dump(exclude_defaults=True))
            return len(self.asked)

    def close(self) -> None:
        """Take no more answers. Closing twice changes nothing."""
        with self._lock:
            self._go_on()
            self._question()
            if self.is_open:
                self._do("close")

    def reveal(self, truth: str) -> None:
        """Show the counts and the true value, which also closes the question."""
        with self._lock:
            self._go_on()
            if not self._question().revealed:
                self._do("reveal", truth=truth)

    def done(self) -> None:
        """Take a revealed question from everybody's page. Twice changes nothing."""
        with self._lock:
            self._go_on()
            asked = self._question()
            if not asked.revealed:
                raise RoomError(409, "Reveal the question first.")
            if not asked.done:
                self._do("done")

    def end(self) -> None:
        """End the room for everybody. Ending twice changes nothing."""
        with self._lock:
            if self.ended is None:
                self._do("end")

    # --- the seats ---

    def join(self, visitor: str = "") -> Seat:
        """A new seat, or the one that this browser has."""
        with self._lock:
            self._go_on(by_host=False)
            if known := self.visitors.get(visitor):
                return known
            if len(self.seats) >= MAX_SEATS:
                raise RoomError(409, f"This room is full: {MAX_SEATS} people have joined.", "Watch with somebody.")
            seat = secrets.token_urlsafe(9)
            self._do("seat", id=seat, name=self._new_name(), visitor=visitor)
            return self.seats[seat]

    def rename(self, seat: Seat) -> None:
        """Deal another name."""
        with self._lock:
            self._go_on(by_host=False)
            self._do("seat", id=seat.id, name=self._new_name())

    def answer(self, seat: Seat, number: Any, given: Any) -> None:
        """Answer question `number`. The last answer before the question closes counts. Raises `RoomError` after it."""
        with self._lock:
            self._go_on(by_host=False)
            asked = self._question()
            if number != len(self.asked):
                raise RoomError(409, "The room has moved on to another question.")
            value = asked.question.answer(given)
            if not self.is_open:
                raise RoomError(409, "This question is closed.")
            if seat.id not in asked.answers or asked.answers[seat.id] != value:
                self._do("answer", seat=seat.id, value=value)

    def tell_pace(self, seat: Seat, pace: Any) -> None:
        """Say that it is too fast, too hard, or neither ("")."""
        with self._lock:
            self._go_on(by_host=False)
            if pace not in PACES:
                raise RoomError(422, 'The pace is "fast", "hard" or "".')
            if pace != seat.pace:
                self._do("pace", seat=seat.id, value=pace)

    def started(self, seat: Seat, run: str) -> None:
        """Note a run that this person has started."""
        with self._lock:
            if self.ended is None and run not in self.runs and len(self.runs) < MAX_TRIES:
                self._do("run", seat=seat.id, run=run)

    # --- state ---

    @property
    def is_open(self) -> bool:
        """True if there is a question that takes answers."""
        asked = self.asked[-1] if self.asked else None
        return bool(asked and not asked.closed and not (asked.ends and self._clock() >= asked.ends))

    def tick(self) -> None:
        """Close a question whose time is over, and end a room whose host has gone."""
        with self._lock:
            now = self._clock()
            if self.ended is not None:
                return
            if self.asked and not self.asked[-1].closed and not self.is_open:
                self._do("close")
            if now > self.seen + UNSEEN_SECONDS or now > self.opened + LONGEST_SECONDS:
                self._do("end")

    @property
    def shown_run(self) -> str:
        """Id of the run that the host shows; empty if it shows none."""
        return parse_qs(self.address.partition("?")[2]).get("run", [""])[0]

    @property
    def is_kept(self) -> bool:
        """False if the room ended long ago."""
        return self.ended is None or self._clock() < self.ended + KEPT_SECONDS

    def state(self) -> dict[str, Any]:
        """The whole state for everybody, at most 1 kB as JSON.

        `time` is the server's clock, which `question.ends` is compared with; `counts.answers` counts those to the
        question, and `question.result` and `question.truth` are there once it is revealed.
        """
        with self._lock:
            asked = self.asked[-1] if self.asked and not self.asked[-1].done else None
            paces = [seat.pace for seat in self.seats.values()]
            return {
                "v": self.version,
                "mode": self.mode if self.ended is None else "ended",
                "context": {"at": self.address},
                "question": self._shown(asked) if asked else None,
                "counts": {
                    "seats": len(self.seats),
                    "answers": len(asked.answers) if asked else 0,
                    "fast": paces.count("fast"),
                    "hard": paces.count("hard"),
                },
                "board": self.board,
                "time": round(self._clock(), 1),
            }

    def _shown(self, asked: Asked) -> dict[str, Any]:
        question = asked.question
        fields: dict[str, Any] = {"n": len(self.asked), "kind": question.kind, "text": question.text}
        for name in ("choices", "shape"):
            if value := getattr(question, name):
                fields[name] = list(value)
        for name in SHOWN_OF:
            if name in question.of:
                fields[name] = question.of[name]
        fields["state"] = "revealed" if asked.revealed else "open" if self.is_open else "closed"
        if asked.ends and self.is_open:
            fields["ends"] = round(asked.ends, 1)
        if asked.revealed:
            fields |= {"result": result(question, list(asked.answers.values())), "truth": asked.truth}
            if question.why:
                fields["why"] = question.why
        return fields

    def rows(self) -> Iterator[tuple[object, ...]]:
        """What is kept, without names, for a CSV file: the first row names the columns. Cells count as on the page."""
        yield "time (UTC)", "question", "kind", "text", "answer", "count", "right answer"
        with self._lock:
            for number, asked in enumerate(self.asked, 1):
                question, given = asked.question, list(asked.answers.values())
                truth = asked.truth
                if question.kind == "cell" and truth:
                    truth = as_text(question, tuple(map(int, truth.split())))
                counts: dict[str, int] = {}
                for answer in given:
                    text = as_text(question, answer)
                    counts[text] = counts.get(text, 0) + 1
                for text, count in sorted(counts.items()) or [("", 0)]:
                    yield _utc(asked.at), number, question.kind, question.text, text, count, truth
            for when, fast, hard in self.paces:
                yield _utc(when), "", "pace", "", "too fast", fast, ""
                yield _utc(when), "", "pace", "", "too hard", hard, ""

    @property
    def minutes(self) -> float:
        """Minutes since the room opened."""
        return (self._clock() - self.opened) / 60

    def pace_line(self, most: int) -> list[tuple[float, int, int]]:
        """The confusion meter in at most `most` points: minutes since the room opened, too fast, too hard.

        Of several changes in one stretch of time the point has the most of each, and the newest one is always last.
        """
        with self._lock:
            if not self.paces:
                return []
            width = max(1.0, (self.paces[-1][0] - self.opened) / (most - 2))
            stretches: dict[int, tuple[float, int, int]] = {}
            for when, fast, hard in self.paces:
                at = int((when - self.opened) / width)
                _, fast_before, hard_before = stretches.get(at, (when, 0, 0))
                stretches[at] = (when, max(fast, fast_before), max(hard, hard_before))
            points = [*stretches.values(), self.paces[-1]]
            return [(round((when - self.opened) / 60, 2), fast, hard) for when, fast, hard in points]

    def _question(self) -> Asked:
        if not self.asked:
            raise RoomError(409, "No question has been asked.")
        return self.asked[-1]

    def _go_on(self, *, by_host: bool = True) -> None:
        self.tick()
        if self.ended is not None:
            raise RoomError(410, "This room has ended.")
        if by_host:
            self.seen = self._clock()

    def _new_name(self) -> str:
        return codes.deal({seat.name for seat in self.seats.values()})


def _append(path: Path, line: bytes) -> None:
    """Add a line to a file whole or not at all. Raises OSError."""
    with open_regular(path, write=True) as file:
        end = file.seek(0, 2)
        try:
            if file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError:
            file.truncate(end)
            raise


def as_text(question: RoomQuestion, answer: Vote) -> str:
    """An answer as people read it."""
    if answer is None:
        return "passed"
    if question.kind == "choice" and isinstance(answer, int):
        return question.choices[answer]
    if not isinstance(answer, tuple):
        return f"{answer:.12g}"
    axes = str(question.of.get("axes", ""))
    # Cells count from 1 as on the page, and token ids from 0.
    firsts = [int(axes[at : at + 1] != "V") if question.kind == "cell" else 0 for at in range(len(answer))]
    return " ".join(f"{number + first:.12g}" for number, first in zip(answer, firsts, strict=True))


def _utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _view(address: str) -> tuple[str, list[tuple[str, str]]]:
    """The page and what of it an address shows."""
    path, _, query = address.partition("?")
    return path, sorted((name, value) for name, value in parse_qsl(query) if name not in LOOK)


def is_address(text: str) -> bool:
    """True for a page of the app with its query, relative to it: no other host, no parent folder, no fragment."""
    path = text.partition("?")[0]
    plain = all(letter.isascii() and (letter.isalnum() or letter == "_") for letter in path)
    return plain and text.isprintable() and "#" not in text and " " not in text
