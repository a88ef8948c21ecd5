"""Host settings: an own machine has no limits per visitor, a shared host has fair ones.

Each setting is an environment variable, read once at the start. The defaults depend on the mode.
"""

import os
import re
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from playground.common.errors import PlaygroundError
from playground.common.paths import user_path
from playground.recording import REPOSITORY
from playground.settings.config import MAX_SIZE_FACTOR

Mode = Literal["own", "shared"]

_SHARED = {
    "workers_per_visitor": 2,
    "runs_per_visitor": 20,
    "run_mb": 1000,
    "run_minutes": 30,
    "idle_minutes": 10,
    "quota_mb": 200,
    "disk_mb": 10_000,
    "expiry_days": 7,
}

_DEFAULT_TEXTS = {
    "checkpoints": "the app's `checkpoints/`",
    "url": "the address in the browser",
    "allowed_hosts": "none",
    "frame_ancestors": "none",
    "ray_address": "none",
    "hub_login": "no",
}
_SHARED_DEFAULT_TEXTS = {"mode": "shared", "hub_login": "refused", "size_factor": "refused"}
"""The README's text for defaults whose value is not clear by itself."""


_NETLOC = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{0,5})?")
"""A Host header: a host name or an IP address, optionally with a port."""


class HostError(PlaygroundError):
    """An environment variable with an invalid value."""


def host_name(netloc: str) -> str:
    """The host in a Host header or an address: lower case, no port, no final dot; empty if malformed."""
    match = _NETLOC.fullmatch(netloc)
    name = match[1].strip("[]").lower().removesuffix(".") if match else ""
    return plain_address(name)


def plain_address(name: str) -> str:
    """One spelling of an IP address, which for IPv4 inside IPv6 is that of IPv4; other names as they are."""
    try:
        address = ip_address(name)
    except ValueError:
        return name
    return str(getattr(address, "ipv4_mapped", None) or address)


def is_loopback(name: str) -> bool:
    """True if a host name or an IP address is this machine to itself."""
    try:
        return ip_address(plain_address(name)).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def _checked_url(url: str) -> str:
    if url and not (re.match("https?://", url) and host_name(url.partition("://")[2])):
        raise ValueError("use http:// or https:// and a host name in ASCII (xn--...), without a path")
    return url


def _host_names(given: object) -> object:
    """The host names in a list separated by commas; raises ValueError for an invalid one."""
    if not isinstance(given, str):
        return given
    texts = [text.strip() for text in given.split(",") if text.strip()]
    if wrong := [text for text in texts if not host_name(text)]:
        raise ValueError(f"{wrong[0]!r} is not a host name; separate names with commas, as in app.test,192.168.1.5")
    return frozenset(map(host_name, texts))


_ORIGIN = re.compile(r"https?://(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:[0-9]{1,5})?")


def _origins(given: object) -> object:
    """The origins in a list separated by commas; raises ValueError for an invalid one."""
    if not isinstance(given, str):
        return given
    origins = [text.strip() for text in given.split(",") if text.strip()]
    if wrong := [text for text in origins if not _ORIGIN.fullmatch(text)]:
        raise ValueError(f"{wrong[0]!r} is not an origin; use addresses like https://example.org without a path")
    return tuple(origins)


class Host(BaseModel):
    """Settings of this host; 0 means no limit. Each field is the variable PLAYGROUND_ plus its name in capitals."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mode: Mode = Field("own", description="`own` machine or `shared` host; shared where `SPACE_ID` is set")
    checkpoints: Annotated[Path, BeforeValidator(user_path)] = Field(
        REPOSITORY / "checkpoints", description="folder of the library and of active runs"
    )
    workers: Annotated[int, Field(ge=1, le=64)] = Field(
        8,
        description="maximum number of runs that train at the same time, for all visitors together; on a cluster, set "
        "it to the number of its CPUs",
    )
    backend: Literal["local", "ray"] = Field(
        "local", description="where runs train: `local` (this machine) or `ray` (a cluster)"
    )
    ray_address: str = Field(
        "",
        description="host and port of the Ray cluster, for example `10.0.0.5:6379`; default: the cluster on this "
        "machine",
    )
    workers_per_visitor: Annotated[int, Field(ge=0, le=64)] = Field(
        0, description="runs of one visitor that train at the same time"
    )
    runs_per_visitor: Annotated[int, Field(ge=0, le=1000)] = Field(
        100, description="active and waiting runs of one visitor"
    )
    run_mb: Annotated[int, Field(ge=0, le=1_000_000)] = Field(0, description="maximum memory of one run, in MB")
    run_minutes: Annotated[int, Field(ge=0, le=100_000)] = Field(
        0,
        description="maximum computing time, in minutes: a run, measurement or export with a longer estimate is "
        "refused, and a measurement or export that takes longer is ended",
    )
    idle_minutes: Annotated[float, Field(ge=0, le=100_000)] = Field(
        0,
        description="minutes until a run that nobody watches is paused; after the same time again it is "
        "suspended to disk",
    )
    quota_mb: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        0, description="maximum size of one visitor's library, in MB"
    )
    disk_mb: Annotated[int, Field(ge=0, le=100_000_000)] = Field(
        0,
        description="maximum size of all runs and libraries, in MB; at the limit, the data of the visitors who were "
        "away longest is deleted",
    )
    expiry_days: Annotated[float, Field(ge=0, le=10_000)] = Field(
        30,
        description="days without a visit, while the app runs, after which a visitor's data is deleted; your own "
        "library never is",
    )
    url: Annotated[str, AfterValidator(_checked_url)] = Field(
        "",
        description="public address of the app, for example `https://app.example.org`; default on a Space: from "
        "`SPACE_HOST`",
    )
    allowed_hosts: Annotated[frozenset[str], BeforeValidator(_host_names)] = Field(
        frozenset(),
        description="further host names or IP addresses of the app, separated by commas",
    )
    frame_ancestors: Annotated[tuple[str, ...], BeforeValidator(_origins)] = Field(
        (),
        description="other sites that may show the app in a frame, separated by commas, for example "
        "`https://*.example.org`; the app itself and `https://huggingface.co` always may",
    )
    hub_login: bool = Field(
        False, description="`1`: everybody who opens the app uses this machine's login to the Hub; own machine only"
    )
    size_factor: Annotated[int, Field(ge=1, le=MAX_SIZE_FACTOR)] = Field(
        1, description=f"1 to {MAX_SIZE_FACTOR}: factor for the size limits of a model; own machine only"
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read the settings from environment variables. Raises `HostError`, which names the variable."""
        given = {name: environment[_variable(name)] for name in cls.model_fields if environment.get(_variable(name))}
        if given.setdefault("mode", "shared" if environment.get("SPACE_ID") else "own") == "shared":
            given = {**{name: str(value) for name, value in _SHARED.items()}, **given}
        if spaces := [name.strip() for name in environment.get("SPACE_HOST", "").split(",") if name.strip()]:
            given.setdefault("url", f"https://{spaces[0]}")
            given["allowed_hosts"] = ",".join([*spaces, given.get("allowed_hosts", "")])
        try:
            host = cls.model_validate(given)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            name = str(first["loc"][0])
            why = first.get("ctx", {}).get("error", first["msg"])
            raise HostError(f"{_variable(name)} is {given[name]!r}, which is not allowed: {why}.") from None
        if host.hub_login and host.shared:
            name = _variable("hub_login")
            raise HostError(f"{name} would open this machine's login for all visitors.", "Unset it on a shared host.")
        if host.size_factor > 1 and host.shared:
            name = _variable("size_factor")
            raise HostError(f"{name} would lift the limits for all visitors.", "Unset it on a shared host.")
        return host

    @property
    def shared(self) -> bool:
        """True if visitors who do not know each other share this host."""
        return self.mode == "shared"

    def is_own_name(self, netloc: str) -> bool:
        """True if a Host header names this server: loopback, `url` or one of `allowed_hosts`, with any port.

        Another site may point its own name at this machine (DNS rebinding), so other names are refused. Programs send
        any name: the address that the server listens on decides who reaches it.
        """
        name = host_name(netloc)
        return bool(name) and (
            is_loopback(name) or name in self.allowed_hosts or name == host_name(self.url.partition("://")[2])
        )

    @property
    def private_folder(self) -> Path:
        """The folder with one subfolder per visitor."""
        return self.checkpoints / ".visitors"


def cores(groups: Path = Path("/sys/fs/cgroup"), process: Path = Path("/proc/self/cgroup")) -> int:
    """Number of cores this process may use, limited by its container's quota."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        group = groups / process.read_text("utf-8").rpartition("::")[2].strip().lstrip("/")
    except OSError:
        return allowed
    for folder in (group, *group.parents):  # a quota also applies to all groups below it
        if folder.is_relative_to(groups):
            try:
                quota, period = map(int, (folder / "cpu.max").read_text("utf-8").split())
                allowed = max(1, min(allowed, quota // period))
            except (OSError, ValueError, ZeroDivisionError):
                continue  # no such file, or "max"
    return allowed


def variables() -> list[tuple[str, str, str, str]]:
    """Rows for the README: variable, meaning, default on an own machine, default on a shared host."""
    rows = []
    for name, field in Host.model_fields.items():
        own = _DEFAULT_TEXTS.get(name) or _shown(field.default)
        shared = _SHARED_DEFAULT_TEXTS.get(name) or (_shown(_SHARED[name]) if name in _SHARED else own)
        rows.append((_variable(name), field.description or "", own, shared))
    return rows


def _variable(name: str) -> str:
    return f"PLAYGROUND_{name.upper()}"


def _shown(value: object) -> str:
    return "no limit" if value == 0 else str(value)
