"""The metadata of a run, how to read them from a file that may be damaged, and new names."""

import secrets
import time
from collections.abc import Container
from itertools import count
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from playground.common.errors import PlaygroundError, one_line, reason
from playground.common.files import open_regular
from playground.runs.states import Ended
from playground.settings.config import Change, ConfigError, RunConfig, parse_changes

COLOURS = 8
"""Number of run colours."""

MAX_NAME_LENGTH, MAX_NOTE_LENGTH, MAX_TEXT_LENGTH = 40, 500, 4000  # characters

Device = Literal["cpu", "cuda"]

MAX_TIME = 253_402_300_799
"""The end of the year 9999, in seconds since the epoch."""

MAX_METADATA_BYTES = 1_000_000

_Text = Annotated[str, Field(max_length=MAX_TEXT_LENGTH)]
_Count = Annotated[int, Field(ge=0)]


class DamagedError(PlaygroundError):
    """A damaged file of a run."""


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False)


class BranchPoint(_Strict):
    """The parent run and step of a branch."""

    run_id: _Text
    name: _Text
    step: _Count


class Hunt(_Strict):
    """The score of a bug hunt; the run's pitfall stays hidden until the hunt is over."""

    seed: _Count
    wrong: _Count = 0  # answers
    hints: _Count = 0
    part_found: bool = False
    found: bool = False
    given_up: bool = False

    @property
    def over(self) -> bool:
        """The pitfall may be shown."""
        return self.found or self.given_up


class RunMetadata(_Strict):
    """Settings, status and description of a run; also the fields of its file."""

    id: str = Field(default_factory=lambda: secrets.token_urlsafe(12))
    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)] = Field(default_factory=lambda: new_name(()))
    config: RunConfig  # at step 0
    pace: Annotated[float, Field(ge=0)] | None = None  # optimizer steps per second; None: full speed, 0: by stages
    started: Annotated[float, Field(ge=0, le=MAX_TIME)] = Field(default_factory=time.time)  # seconds since the epoch
    status: Literal["", Ended] = ""  # how it ended; empty: it has not ended
    message: _Text = ""
    changes: tuple[Change, ...] = ()
    origin: BranchPoint | None = None
    gradient_norm: bool = False  # whether it is measured without clipping
    note: Annotated[str, Field(max_length=MAX_NOTE_LENGTH)] = ""
    colour: Annotated[int, Field(ge=0, lt=COLOURS)] = 0
    sweep: _Text = ""  # name of its sweep
    begun_from: _Text = ""  # name of the checkpoint with the weights of step 0; empty: the settings determine them
    device: Device = "cpu"  # another device gives different bits
    node: _Text = ""  # name of the cluster node it trained on last; empty: this machine
    pitfall: _Text = ""  # name of the recipe with a mistake that makes its model and training; empty: the usual one
    hunt: Hunt | None = None

    @property
    def hides_pitfall(self) -> bool:
        """Nobody may see yet which pitfall the run trains with."""
        return self.hunt is not None and not self.hunt.over


_WHERE_DAMAGED = {"name": "unnamed", "pace": None, "started": 0.0}
"""Values of damaged fields that have no default for an existing run."""


def read_metadata(path: Path, run_id: str) -> tuple[RunMetadata, list[str]]:
    """Read the metadata at `path`; also return the names of damaged fields, which have their defaults.

    Raises FileNotFoundError, and `DamagedError` if the settings cannot be read.
    """
    try:
        with open_regular(path) as file:
            content = file.read(MAX_METADATA_BYTES + 1) or b""
    except FileNotFoundError:
        raise
    except OSError as error:
        raise DamagedError(f"{path.name} cannot be read: {reason(error)}.") from error
    if len(content) > MAX_METADATA_BYTES:
        raise DamagedError(f"{path.name} is larger than {MAX_METADATA_BYTES:,} bytes.")
    try:
        data = from_json(content)
    except ValueError as error:
        raise DamagedError(f"{path.name} is not JSON: {one_line(error)}.") from error
    if not isinstance(data, dict):
        raise DamagedError(f"{path.name} is not a JSON object.")
    try:
        config = RunConfig.parse(data.get("config"))
    except ConfigError as error:
        raise DamagedError(f"{path.name}: {one_line(error)}") from error
    damaged = [name for name in _WHERE_DAMAGED if name not in data]  # later versions added the others
    try:
        changes = parse_changes(data.get("changes", []), config)
    except ConfigError:
        changes, damaged = (), [*damaged, "changes"]
    given = {name: data[name] for name in RunMetadata.model_fields if name in data}
    known = {"id": run_id, "config": config, "changes": changes}
    try:
        return RunMetadata(**_WHERE_DAMAGED | given | known), damaged
    except ValidationError as error:
        wrong = {str(detail["loc"][0]) for detail in error.errors(include_url=False)}
    damaged += sorted(wrong)
    if hidden := [name for name in ("pitfall", "hunt") if name in wrong]:
        raise DamagedError(f"{path.name}: {hidden[0]} cannot be read.")  # the correct model has other weights
    return RunMetadata(**_WHERE_DAMAGED | {name: given[name] for name in given.keys() - wrong} | known), damaged


def _words(text: str) -> list[str]:
    return text.split()


_FIRST = _words(
    "amber bold brave bright calm clear clever cosy crisp dapper eager fair fleet gentle golden grand happy jolly "
    "keen kind light lively lucky mellow merry neat noble patient plucky polite proud quick quiet rapid ready silver "
    "sly snug steady sunny swift tidy warm wise witty young "
)
_SECOND = _words(
    "badger beaver birch bison cedar crane cricket daisy deer dolphin eagle falcon fern finch fox gecko hare hazel "
    "heron ibis iris jay koala lark lemur lily lynx magpie maple marten mole moth newt olive orca otter owl panda "
    "pike poppy puffin quail raven robin rowan salmon seal sparrow squid stork swan thrush tiger trout tulip walrus "
    "willow wren yew zebra "
)


def new_name(taken: Container[str]) -> str:
    """A name like "amber-fox" that is not among `taken`."""
    for _ in range(100):
        name = f"{secrets.choice(_FIRST)}-{secrets.choice(_SECOND)}"
        if name not in taken:
            return name
    return f"{name}-{secrets.token_hex(3)}"


def numbered_name(wanted: str, taken: Container[str], max_length: int = MAX_NAME_LENGTH) -> str:
    """`wanted`, followed by a number if that name is taken, in at most `max_length` characters."""
    ends = (f" ({number})" if number > 1 else "" for number in count(1))
    numbered = (wanted[: max_length - len(end)] + end for end in ends)
    return next(name for name in numbered if name not in taken)


def is_dealt_name(name: str) -> bool:
    """True for a name that `new_name` can give, so that no person has chosen it."""
    first, _, second = name.partition("-")
    return first in _FIRST and second in _SECOND
