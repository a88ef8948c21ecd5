"""Event stream channel of a visitor's active jobs and sign-ins: pushes, pulls, questions to the Hub, measurements.

It names no repository and no person, because a tab whose session has signed out still listens.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from playground.hub.jobs import Job
from playground.hub.sign_ins import SignIn
from playground.ui.parts.live import changes, progress_bar
from playground.ui.server import channels
from playground.ui.session.services import services

CHANNEL = "visitor/jobs"
"""Event stream channel of a visitor's jobs."""


def draw_progress(job: Job, *, key: str, label: str) -> None:
    """Draw the progress of a job; `label` is the name of the bar, `key` is unique on the page."""
    progress_bar.show(CHANNEL, partial(_progress, job), field=f"job {job.id}", key=key, label=label)


def redraw_when_done(jobs: Iterable[Job], *, key: str) -> None:
    """Redraw the calling fragment once one of these jobs has ended; `key` is unique on the page."""
    changes.redraw(CHANNEL, {_runs(job): True for job in jobs}, key=key)


def jobs(visitor: str) -> list[Job]:
    """A visitor's pushes and pulls, oldest first, except cancelled ones."""
    return [job for job in reversed(services().jobs.jobs(visitor)) if not job.cancelled]


def outline(listed: Iterable[Job]) -> list[tuple[str, bool]]:
    """Value of the field "jobs": all jobs, and which of them have ended."""
    return [(job.id, job.done) for job in listed]


def sign_in(held: SignIn) -> str:
    """Name of the field that exists until a sign-in ends."""
    return f"sign-in {held.name}"


def moving(visitor: str) -> bool:
    """True if this visitor has unfinished jobs."""
    return bool(_unfinished(visitor))


def fields(visitor: str) -> dict[str, Any]:
    """All fields: progress of unfinished jobs, the list of pushes and pulls, and sign-ins; empty if there is none."""
    listed, unfinished = jobs(visitor), _unfinished(visitor)
    fields: dict[str, Any] = {"jobs": outline(listed)} if listed else {}
    fields |= {f"job {job.id}": _progress(job) for job in unfinished} | {_runs(job): True for job in unfinished}
    return fields | {sign_in(held): True for held in services().sign_ins.active(visitor)}


channels.own_channel("jobs", fields, moving)


def _unfinished(visitor: str) -> list[Job]:
    known = services()
    tables = known.jobs, known.questions, known.measurements
    return [job for table in tables for job in table.jobs(visitor) if not job.done]


def _progress(job: Job) -> dict[str, Any]:
    """Value of the field "job ID", as `progress_bar` draws it."""
    return {"text": f"{job.stage} …", "done": None if job.share is None else round(job.share, 3)}


def _runs(job: Job) -> str:
    """Name of the field that exists until a job ends."""
    return f"{job.id} runs"
