"""What goes between here and the Hub for a visitor, begun on any page; `dock` shows it on all of them."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from playground.hub.jobs import Job
from playground.ui.checkpoints import job_channel
from playground.ui.session import session_keys as keys
from playground.ui.session import state

Then = Literal["open", "push", ""]
"""What the end of a pull leads to: the model in Step through, the form that pushes it, or nothing."""

_KEPT = 20  # transfers that a session remembers
_MAX_FORMS = 1000
_forms: OrderedDict[str, Any] = OrderedDict()  # by visitor, the newest last


@dataclass(frozen=True)
class Transfer:
    """A job, and what this session knows of it."""

    job: Job
    title: str
    """The repository; empty where this session does not know it."""
    page: str = ""
    """Where it was asked for: there its end leads on by itself, on other pages it waits for a click."""
    then: Then = ""
    form: Any = None
    """What was filled in, to go back to."""


def start(
    kind: Literal["push", "pull"], title: str, work: Callable[..., Any], then: Then = "", form: Any = None
) -> None:
    """Begins a job, which is given `tell`; the page is to be drawn again, so that the dock shows it.

    Raises `HubError` if the visitor has too many under way.
    """
    job = state.JOBS.start(state.visitor(), kind, work)
    known = _known()
    known[job.id] = Transfer(job, title, keys.PAGE.get(), then, form)
    for old in list(known)[:-_KEPT]:
        del known[old]


def own() -> list[Transfer]:
    """Errands of this visitor, the oldest first; also those begun before a reload, or in another tab."""
    known = _known()
    return [known.get(job.id) or Transfer(job, "") for job in job_channel.jobs(state.visitor())]


def drop(transfer: Transfer) -> None:
    """Cancel the transfer if it is active, and stop showing it."""
    state.JOBS.cancel(state.visitor(), transfer.job.id)
    state.JOBS.forget(state.visitor(), transfer.job.id)


def keep_form(form: Any) -> None:
    """Keeps what this visitor has filled in, so that signing in, or a reload, does not lose it."""
    _forms[state.visitor()] = form
    _forms.move_to_end(state.visitor())
    while len(_forms) > _MAX_FORMS:
        _forms.popitem(last=False)


def kept_form() -> Any:
    """What this visitor filled in last; None if that is nothing."""
    return _forms.get(state.visitor())


def forget() -> None:
    """Forgets what belonged to somebody who has signed out: what was filled in, and the repository of each transfer."""
    _known().clear()
    _forms.pop(state.visitor(), None)


def _known() -> dict[str, Transfer]:
    return keys.TRANSFERS.get()
