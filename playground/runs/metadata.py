"""The metadata of a run, how to read them from a file that may be damaged, and new names."""

import secrets
from collections.abc import Container
from dataclasses import dataclass
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

MAX_NAME_LENGTH, MAX_NOTE_LENGTH = 40, 500  # characters

Device = Literal["cpu", "cuda"]

MAX_TIME = 253_402_300_799
"""The end of the year 9999, in seconds since the epoch."""

MAX_METADATA_BYTES = 1_000_000

_Text = Annotated[str, Field(max_length=4000)]


class DamagedError(PlaygroundError):
    """A damaged file of a run."""


@dataclass(frozen=True)
class Origin:
    """The parent run and step of a branch."""

    run_id: str
    name: str
    step: int


@dataclass(frozen=True)
class Hunt:
    """The score of a bug hunt; the run's pitfall stays hidden until the hunt is over."""

    seed: int
    wrong: int = 0  # answers
    hints: int = 0
    found: bool = False
    given_up: bool = False

    @property
    def over(self) -> bool:
        """Whether the pitfall may be shown."""
        return self.found or self.given_up


@dataclass(frozen=True)
class RunMetadata:
    """Settings, status and description of a run."""

    id: str
    name: str
    config: RunConfig  # at step 0
    pace: float | None  # optimizer steps per second; None: full speed, 0: stage by stage
    started: float  # seconds since the epoch
    status: str = ""  # how it ended; empty: it has not ended
    message: str = ""
    changes: tuple[Change, ...] = ()
    origin: Origin | None = None
    gradient_norm: bool = False  # whether it is measured without clipping
    note: str = ""
    colour: int = 0
    sweep: str = ""  # name of its sweep
    begun_from: str = ""  # name of the checkpoint with the weights of step 0
    device: Device = "cpu"  # another device gives different bits
    node: str = ""  # name of the cluster node it trained on last; empty: this machine
    pitfall: str = ""  # name of the recipe with a mistake that makes its model and training; empty: the usual one
    hunt: Hunt | None = None


class _Origin(BaseModel):
    model_config = ConfigDict(strict=True)

    run_id: _Text
    name: _Text
    step: Annotated[int, Field(ge=0)]


class _Hunt(BaseModel):
    model_config = ConfigDict(strict=True)

    seed: Annotated[int, Field(ge=0)]
    wrong: Annotated[int, Field(ge=0)] = 0
    hints: Annotated[int, Field(ge=0)] = 0
    found: bool = False
    given_up: bool = False


class _Fields(BaseModel):
    """The fields of the file besides settings and changes. A damaged field gets its default."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH)] = "unnamed"
    pace: Annotated[float, Field(ge=0)] | None = None
    started: Annotated[float, Field(ge=0, le=MAX_TIME)] = 0
    status: Literal["", Ended] = ""
    message: _Text = ""
    origin: _Origin | None = None
    gradient_norm: bool = False
    note: Annotated[str, Field(max_length=MAX_NOTE_LENGTH)] = ""
    colour: Annotated[int, Field(ge=0, lt=COLOURS)] = 0
    sweep: _Text = ""
    begun_from: _Text = ""
    device: Device = "cpu"
    node: _Text = ""
    pitfall: _Text = ""
    hunt: _Hunt | None = None


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
    damaged = [name for name in ("name", "pace", "started") if name not in data]  # later versions added the others
    try:
        changes = parse_changes(data.get("changes", []), config)
    except ConfigError:
        changes, damaged = (), [*damaged, "changes"]
    given = {name: data[name] for name in _Fields.model_fields if name in data}
    try:
        fields = _Fields.model_validate(given)
    except ValidationError as error:
        wrong = {str(each["loc"][0]) for each in error.errors(include_url=False)}
        damaged += sorted(wrong)
        fields = _Fields.model_validate({name: value for name, value in given.items() if name not in wrong})
    if hidden := [name for name in ("pitfall", "hunt") if name in damaged]:
        raise DamagedError(f"{path.name}: {hidden[0]} cannot be read.")  # the correct model has other weights
    values = dict(fields) | {
        "origin": fields.origin and Origin(**dict(fields.origin)),
        "hunt": fields.hunt and Hunt(**dict(fields.hunt)),
        "changes": changes,
    }
    return RunMetadata(run_id, config=config, **values), damaged


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


def numbered_name(wanted: str, taken: Container[str]) -> str:
    """`wanted`, followed by a number if that name is taken."""
    numbered = (f"{wanted} ({number})" if number > 1 else wanted for number in count(1))
    return next(name for name in numbered if name not in taken)
