"""What all visitors of a server share: the host, its runs, jobs and sign-ins. The server's start makes it."""

from dataclasses import dataclass, field
from datetime import datetime

from playground.hub.jobs import Jobs
from playground.hub.sign_ins import SignIns
from playground.lessons.mistakes.table import PITFALLS
from playground.rooms import Rooms, tries
from playground.runs import Runs
from playground.settings.host import Host


@dataclass
class Services:
    """The services of one host."""

    host: Host
    runs: Runs
    sign_ins: SignIns
    """All visitors' sign-ins to the Hub."""
    jobs: Jobs = field(default_factory=Jobs)
    """Pushes and pulls of all visitors."""
    questions: Jobs = field(default_factory=lambda: Jobs(at_once=16, kept_seconds=300, by_kind=True))
    """Requests of pages to the Hub, by topic, see `hub_questions`."""
    measurements: Jobs = field(default_factory=lambda: Jobs(at_once=64, waiting=2))
    """Measurements over many inputs, see `measurements`. They wait for a slot in `Runs.long_work`."""
    rooms: Rooms = field(default_factory=Rooms)
    """Rooms of classes."""

    def __post_init__(self) -> None:
        self.runs.on_start = lambda run: tries.started(self.rooms, run)
        self.runs.limit = lambda owner, config: tries.limit(self.rooms, owner, config)

    @classmethod
    def of(cls, host: Host) -> "Services":
        """New services of a host; no worker runs yet."""
        rooms = Rooms(host.private_folder / "rooms")
        return cls(host, Runs(host, recipes=PITFALLS), SignIns(host.private_folder), rooms=rooms)

    def not_kept(self) -> str:
        """Reason why new runs are not stored on disk, and advice; empty if they are."""
        owner = self.runs.data.folder_owner
        if owner is None:
            return ""
        which = f" (process {owner.pid}, started {datetime.fromtimestamp(owner.started):%H:%M})" if owner.pid else ""
        if self.host.shared:
            return (
                "Another server uses the same folder. Runs started here are lost when this server ends. "
                "Save what you want to keep."
            )
        return (
            f"Another server{which} uses the same checkpoints folder. Runs started here are lost when this server "
            "ends. Save what you want to keep, or restart with PLAYGROUND_CHECKPOINTS set to another folder."
        )


_begun: list[Services] = []


def begin(made: Services) -> Services:
    """Make these the services of this process; the server's start and tests call this."""
    _begun[:] = [made]
    return made


def services() -> Services:
    """The services of this process."""
    return _begun[0]
