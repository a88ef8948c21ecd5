"""A visitor's pushes and pulls, started on any page; `dock` shows them on all pages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from playground.common.errors import HubError
from playground.hub.jobs import Job
from playground.ui.parts import style
from playground.ui.parts.live import job_channel
from playground.ui.session import identity
from playground.ui.session import session_keys as keys
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

TRANSFERS = Key[dict[str, Any]]("transfers", dict, "Pushes and pulls of this session by job id")

Then = Literal["open", "push", ""]
"""The action after a pull: open the model in Step through, open the push form, or nothing."""

_KEPT = 20  # transfers kept per session


@dataclass(frozen=True)
class Transfer:
    """A job and this session's data about it."""

    job: Job
    title: str
    """The repository; empty if this session doesn't know it."""
    page: str = ""
    """Page that requested it: there its result opens by itself, on other pages after a click."""
    then: Then = ""
    form: Any = None
    """The draft of the push form, to return to."""


def start(
    kind: Literal["push", "pull"], title: str, work: Callable[..., Any], then: Then = "", form: Any = None
) -> bool:
    """Start a job; rerun the page afterwards, so that the dock shows it. False, with a message, if it can't start."""
    try:
        job = services().jobs.start(identity.visitor(), kind, work)
    except HubError as error:
        style.message(str(error), "wrong")
        return False
    known = _known()
    known[job.id] = Transfer(job, title, keys.PAGE.get(), then, form)
    for old in list(known)[:-_KEPT]:
        del known[old]
    return True


def own() -> list[Transfer]:
    """This visitor's transfers, oldest first, also those started before a reload or in another tab."""
    known = _known()
    return [known.get(job.id) or Transfer(job, "") for job in job_channel.jobs(identity.visitor())]


def drop(transfer: Transfer) -> None:
    """Cancel the transfer if it is active, and stop showing it."""
    services().jobs.cancel(identity.visitor(), transfer.job.id)
    services().jobs.forget(identity.visitor(), transfer.job.id)


def forget() -> None:
    """Drop private data after a sign-out: the repository of each transfer, and its draft."""
    _known().clear()


def _known() -> dict[str, Transfer]:
    return TRANSFERS.get()
