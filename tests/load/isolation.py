"""Visitors act at random and leave marks in all inputs; no mark may reach another visitor.

All received messages, all downloads and finally the server's log are searched. A visitor's own marks are counted,
too, to prove that the search finds marks.
"""

import asyncio
import io
import json
import random
import re
import time
import zipfile
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from urllib.error import HTTPError
from urllib.parse import urlencode

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.load.app import App, paths
from tests.load.client import Visitor
from tests.load.figures import Report
from tests.load.scenarios import GONE, Options, leave

KINDS = ("input", "target", "seed", "name", "link", "checkpoint")
"""Places of marks: both inputs of Step through, a setting, an unsaved name, the address, the library."""

WORD = re.compile(rb"canary\d{8}")
SEED = re.compile(rb"(?=(17\d{7}7))")
TYPED, TURNED = (
    re.compile(rb"(?=(90909\d{7}0909))"),
    re.compile(rb"(?=(9090\d{7}90909))"),
)  # some models reverse their input
NO_DIGIT = bytes(set(range(256)) - set(b"0123456789"))

NOBODY = -1


@dataclass
class Marks:
    """All marks, and where they were found."""

    issued: dict[bytes, tuple[int, str]] = field(default_factory=dict)  # mark -> (owner, kind)
    cookies: dict[bytes, int] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)  # how often owners found their marks, by kind
    leaks: list[str] = field(default_factory=list)

    def word(self, owner: int, kind: str) -> str:
        """A mark of letters, valid as a name and in an address, and no symbol of a task."""
        return self._issue(f"canary{owner:02d}{len(self.issued):06d}", owner, kind)

    def seed(self, owner: int) -> int:
        """A mark that is a valid seed."""
        return int(self._issue(f"17{owner:02d}{len(self.issued):05d}7", owner, "seed"))

    def sequence(self, owner: int, kind: str) -> str:
        """A mark of sixteen symbols from 0 to 9."""
        mark = self._issue(f"90909{owner:02d}{len(self.issued):05d}0909", owner, kind)
        self.issued[mark[::-1].encode()] = (owner, kind)
        return " ".join(mark)

    def _issue(self, mark: str, owner: int, kind: str) -> str:
        self.issued[mark.encode()] = (owner, kind)
        return mark

    def search(self, content: bytes, reader: int, where: str) -> None:
        """Search marks and cookies in data sent to `reader`."""
        digits = content.translate(None, delete=NO_DIGIT)  # each token has its own element
        found = [*WORD.findall(content), *SEED.findall(content), *TYPED.findall(digits), *TURNED.findall(digits)]
        for mark in found:
            owner, kind = self.issued.get(mark, (reader, ""))
            if owner != reader:
                self.leaks.append(f"{kind} of one visitor in {where}")
            elif kind:
                self.seen[kind] += 1
        for cookie in self.cookies:
            if cookie in content:
                self.leaks.append(f"a visitor's cookie in {where}")

    def search_numbers(self, message: ForwardMsg, reader: int, where: str) -> None:
        """Values of number inputs, which are not in the page's text."""
        if message.delta.new_element.WhichOneof("type") == "number_input":
            box = message.delta.new_element.number_input
            for value in {box.default, box.value}:
                if value == int(value):
                    self.search(b"%d" % int(value), reader, where)


class Person:
    """One visitor with one or two tabs."""

    def __init__(self, app: App, number: int, marks: Marks, kinds: tuple[str, ...], chance: random.Random) -> None:
        self.number, self.marks, self.kinds, self.chance = number, marks, kinds, chance
        self.tabs = [Visitor(app.address, on_message=self.reads)]
        self.here = self.tabs[0]
        self.done: Counter[str] = Counter()
        self.missed = 0  # acts whose button was removed meanwhile
        self.lost = 0  # downloads that had expired on the server
        self.old_links = ["run=", "run=%00", "page=..%2f..%2fetc", "a&b=&=c", "run=1&run=2"]

    def reads(self, frame: bytes, message: ForwardMsg) -> None:
        where = f"{message.WhichOneof('type')} {message.delta.new_element.WhichOneof('type') or ''}".strip()
        self.marks.search(frame, self.number, where)
        self.marks.search_numbers(message, self.number, where)
        if message.WhichOneof("type") == "page_info_changed":
            self.old_links.append(message.page_info_changed.query_string)

    async def comes(self) -> None:
        await self.here.open()
        self.marks.cookies[self.here.visitor_cookie.partition(".")[0].encode()] = self.number

    async def acts(self) -> None:
        """Carry out one random act that is possible now."""
        self.here = self.chance.choice(self.tabs)
        possible = self.possible()
        weights = [4 if name.startswith("marks") else 1 for name in possible]
        name, act = self.chance.choices(list(possible.items()), weights)[0]
        try:
            await act()
        except LookupError:
            self.missed += 1
        self.done[name] += 1

    def possible(self) -> dict[str, Callable[[], Awaitable[None]]]:
        acts: dict[str, Callable[[], Awaitable[None]]] = {
            "goes elsewhere": self.goes,
            "follows a link": self.follows,
            "reloads": self.here.reload,
            "drops and comes back": self.drops,
            "waits": self.waits,
            "opens or closes a tab": self.opens_or_closes,
        }
        buttons = {
            "": ("Train this model",),
            "train": ("Train", "Pause", "Resume", "Step", "Stop", "Reset"),
            "step_through": ("Next", "Previous"),
            "checkpoints": ("Load", "Delete", "Undo"),
        }
        for label in buttons.get(self.here.page_path, ()):
            if self.here.can(label):
                acts[label] = partial(self.here.click, label)
        boxes: dict[str, tuple[str, str, Callable[[str], str | int]]] = {
            "input": ("step_through", "input", self.symbols),
            "target": ("step_through", "target", self.symbols),
            "seed": ("", "seed", lambda _: self.marks.seed(self.number)),
            "name": ("checkpoints", "save_name", lambda kind: self.marks.word(self.number, kind)),
        }
        for kind in {*boxes} & {*self.kinds}:
            path, key, mark = boxes[kind]
            if self.here.page_path == path and self.here.can(key):
                acts[f"marks {kind}"] = partial(self.leaves, key, kind, mark)
        if self.here.page_path == "" and "seed" in self.kinds and not self.here.can("seed"):
            acts["opens a tab"] = lambda: self.here.set("form", "Training")  # which has the seed
        if self.here.page_path == "train" and self.here.can("Pace"):
            acts["changes pace"] = lambda: self.here.set("Pace", self.chance.choice(("Watch", "Fast", "Full speed")))
        if self.here.page_path == "checkpoints":
            acts["chooses"] = self.chooses
            acts["downloads"] = self.downloads
            if "checkpoint" in self.kinds and self.here.can("Save"):
                acts["saves"] = self.saves
        return acts

    async def leaves(self, key: str, kind: str, mark: Callable[[str], str | int]) -> None:
        await self.here.set(key, mark(kind))

    def symbols(self, kind: str) -> str:
        """A valid input or, sometimes, an invalid one."""
        return (
            self.marks.word(self.number, kind) if self.chance.random() < 0.3 else self.marks.sequence(self.number, kind)
        )

    async def goes(self) -> None:
        await self.here.page(self.chance.choice(paths()))

    async def follows(self) -> None:
        if "link" in self.kinds and self.chance.random() < 0.5:
            name = self.chance.choice(("run", "from", "input"))
            query = urlencode({name: self.marks.word(self.number, "link")})
        else:
            query = self.chance.choice(self.old_links)
        await self.here.follow(query, self.chance.choice(paths()))

    async def drops(self) -> None:
        await self.here.drop()
        await self.here.reconnect()

    async def waits(self) -> None:
        await asyncio.sleep(self.chance.uniform(0, 0.3))

    async def opens_or_closes(self) -> None:
        if len(self.tabs) > 1:
            self.tabs.remove(self.here)
            await self.here.close()
        else:
            self.tabs.append(await self.here.tab(self.chance.choice(paths())).open())

    async def chooses(self) -> None:
        data = json.loads(self.here.widget("cards").element.json)
        name = self.chance.choice([row["name"] for row in data["rows"]])
        acts = [[data["heard"] + 1, "select", name, None]]
        await self.here.set("cards", json.dumps({"acts": {"session": data["session"], "acts": acts}}))

    async def downloads(self) -> None:
        try:
            content = await self.here.download("Download")
        except HTTPError as error:
            if error.code != 404:
                raise
            self.lost += 1
            return
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                self.marks.search(name.encode() + archive.read(name), self.number, "a download")

    async def saves(self) -> None:
        await self.here.set("save_name", self.marks.word(self.number, "checkpoint"))
        await self.here.click("Save")


async def isolation(app: App, options: Options) -> Report:
    """Visitors act at random and leave marks; no mark may reach another visitor or the log."""
    report = Report()
    marks = Marks()
    kinds = options.marks or KINDS
    chance = random.Random(options.seed)
    people = [
        Person(app, number, marks, kinds, random.Random(chance.random())) for number in range(options.sessions or 2)
    ]
    await asyncio.gather(*(person.comes() for person in people))
    began = time.perf_counter()
    left = iter(range(options.acts))

    async def lives(person: Person) -> None:
        for _ in left:
            try:
                await person.acts()
            except GONE as error:
                report.errors.append(f"{type(error).__name__}: {error}")
                await person.here.reload()

    await asyncio.gather(*map(lives, people))
    taken = time.perf_counter() - began
    for person in people:
        await leave(report, person.tabs)

    stranger = Person(app, NOBODY, marks, kinds, chance)
    await stranger.comes()
    for path in paths():
        await stranger.here.page(path)
    await leave(report, stranger.tabs)
    marks.search(app.log.encode(), NOBODY, "the server's log")

    report.add("acts", sum(sum(person.done.values()) for person in people))
    report.add("acts a second", options.acts / taken, "/s")
    report.add("marks left", len(marks.issued))
    report.add("own marks met again", marks.seen.total(), "", 1, at_least=True)
    for kind in kinds:
        report.add(f"of these: {kind}", marks.seen[kind])
    report.add("acts whose button was gone", sum(person.missed for person in people))
    report.add("downloads", sum(person.done["downloads"] for person in people))
    report.add("downloads lost", sum(person.lost for person in people), "", 0)
    report.add("leaks", len(marks.leaks), "", 0)
    report.errors += [f"Leak: {leak}" for leak in marks.leaks]
    return report
