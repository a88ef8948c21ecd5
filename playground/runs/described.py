"""What a run is and how it stands, and how its folder tells that."""

import threading
import time
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from pathlib import Path
from unicodedata import category

from playground.config import Change, RunConfig, most_steps
from playground.errors import reason, sentences
from playground.runs.about import COLOURS, LONGEST_NAME, LONGEST_NOTE, About, DamagedError, Origin
from playground.runs.journal import missing
from playground.runs.keeping import RunFolder, not_kept
from playground.runs.recorded import Recorded
from playground.runs.states import ENDED, Lifecycle


def shown(text: str) -> str:
    """One line of what can be shown of a text: without control characters and halves of pairs."""
    return " ".join("".join(each for each in text if each.isspace() or category(each) not in ("Cc", "Cs")).split())


class Described(Recorded):
    """A recorded run with all that is said about it: where it comes from, how it stands, what its owner calls it."""

    def __init__(
        self,
        run_id: str,
        config: RunConfig,
        pace: float | None,
        *,
        owner: str,
        name: str,
        colour: int,
        sweep: str,
        begun: tuple[str, bytes],
        room: int,
        taken: Callable[[], Container[str]],
    ) -> None:
        """The arguments are those of `Run`."""
        self.begun_from, beginning = begun  # a name, empty where the settings determine how it begins
        super().__init__(run_id, config, name, room, beginning)
        self.pace, self.owner, self.sweep, self._taken = pace, owner, sweep, taken
        self.origin: Origin | None = None  # where it branched off
        self.changes: tuple[Change, ...] = ()
        self.observes_gradient_norm = False
        self.lifecycle = Lifecycle()
        self.message = ""  # why it is as it is
        self.notice = ""  # what the host did with it
        self.irreproducible = ""  # why no step of it can be replayed
        self.started = time.time()  # for people; what is measured is measured with a clock that cannot jump
        self._note, self._colour = "", colour % COLOURS
        self._describing = threading.Lock()
        self._undescribed = False  # whether its folder says something older
        self.unreadable = False  # whether its folder has settings that nobody could read, which a person may repair

    @property
    def ended(self) -> bool:
        """Whether it is over for good."""
        return self.lifecycle.status in ENDED

    @property
    def note(self) -> str:
        """What its owner wrote about it; raises ValueError where it is set to too long a text."""
        return self._note

    @note.setter
    def note(self, text: str) -> None:
        if len(text) > LONGEST_NOTE:
            raise ValueError(f"The note has {len(text)} characters; {LONGEST_NOTE} is the most.")
        self._note = shown(text)
        self._describe()

    @property
    def colour(self) -> int:
        """From 0 to 7; raises ValueError where it is set to anything else."""
        return self._colour

    @colour.setter
    def colour(self, colour: int) -> None:
        if colour not in range(COLOURS):
            raise ValueError(f"There is no colour {colour}; colours are 0 to {COLOURS - 1}.")
        self._colour = colour
        self._describe()

    def rename(self, name: str) -> None:
        """Gives it another name; raises ValueError for one that is too long, empty or that of another run."""
        name = shown(name)
        if not 1 <= len(name) <= LONGEST_NAME:
            raise ValueError(f"A run's name has 1 to {LONGEST_NAME} characters, and this one has {len(name)}.")
        if name != self.name:
            if name in self._taken():
                raise ValueError(f"Another run of yours is called {name}; choose a name that is free.")
            self.name = name
            self._describe()

    def keep_in(self, place: Path) -> None:
        """Keeps it from now on in a folder of its own at `place`; where the disk refuses, `trouble` says so."""
        folder = RunFolder(place / self.id)
        try:
            folder.begin(self._about())
            if beginning := self.beginning():
                folder.write_beginning(beginning)
            if self._recent:
                folder.journal(self.config).append(self._recent)
        except OSError as error:
            self.trouble = not_kept(error)
        else:
            self.folder, self._recent = folder, []
            if beginning:
                self._begin_as_kept()

    @property
    def lost_beginning(self) -> str:
        """Why it cannot begin: a sentence if the checkpoint's weights it begins with are lost, else empty."""
        if not self.begun_from or self.beginning():
            return ""
        return f"The weights of {self.begun_from}, with which this run begins, are damaged or no longer on disk."

    def keep_little(self) -> None:
        """Leaves an ended run in about 4 MB of memory; the rest is on disk, or can be replayed."""
        with self._lock:
            if self.ended:
                self._keep_little()

    def _find_kept(self, damaged: Sequence[str]) -> str:
        """Finds state and history on disk, up to one step; returns sentences about what is damaged or missing."""
        assert self.folder is not None
        told = [f"Damaged in run.json and set to the default: {', '.join(damaged)}."] if damaged else []
        most = most_steps(self.config, self.changes)
        try:
            self.kept_step = self.folder.kept(self.config, most)
        except DamagedError as error:
            told += ["The newest state of this run is damaged on disk.", str(error)]
        told.append(self.lost_beginning)
        try:
            self._read_history(self.kept_step if self.kept_step is not None else most)
        except OSError as error:
            told.append(f"The history of this run cannot be read ({reason(error)}).")
        self._look_on_disk()
        if "changes" in damaged:
            self.irreproducible = "The changes made to this run are damaged on disk, so no step of it can be replayed."
        if self.step:
            told.append(missing(self.history.steps, self.step))
        return sentences(*told)

    def _find_newly_kept(self) -> None:
        """Finds what its worker kept on disk and could not report any more."""
        with suppress(OSError, DamagedError):
            kept = self.folder.kept(self.config, most_steps(self.config, self.changes)) if self.folder else None
            if kept is not None and (self.kept_step is None or kept > self.kept_step):
                self._read_history(kept)
                self.kept_step = kept
                self._recent = [record for record in self._recent if record["step"] > kept]
                self._look_on_disk()

    @property
    def _resumes_at(self) -> int:
        """The step from which a new worker goes on; what came later will come again. -1: from before the beginning."""
        if self.kept_step is not None:
            return self.kept_step
        return self.origin.step if self.origin and self.origin.step else -1

    def _forget_later(self) -> None:
        self._forget_after(self._resumes_at)

    def _about(self) -> About:
        return About(
            self.id,
            self.name,
            self.config,
            self.pace,
            self.started,
            status=self.lifecycle.status if self.ended else "",
            message=self.message,
            changes=self.changes,
            origin=self.origin,
            gradient_norm=self.observes_gradient_norm,
            note=self._note,
            colour=self._colour,
            sweep=self.sweep,
            begun_from=self.begun_from,
        )

    def describe_again(self) -> None:
        """Writes to disk what it is and how it stands, if the last attempt failed."""
        if self._undescribed:
            self._describe()

    def _describe(self) -> None:
        """Writes to disk what it is and how it stands; where that fails, `describe_again` can."""
        with self._describing:
            if self.folder is None or self.unreadable:
                return
            self._undescribed = True
            with suppress(OSError):
                self.folder.describe(self._about())
                self._undescribed = False
