"""Event stream channel of a visitor's active jobs and sign-ins: pushes, pulls, questions to the Hub.

It names no repository and no person, because a tab whose session has signed out still listens.
"""

from collections.abc import Iterable
from typing import Any

from playground.hub.jobs import Job
from playground.hub.sign_ins import SignIn
from playground.ui.session.services import services

CHANNEL = "visitor/jobs"
"""Event stream channel of a visitor's jobs."""


def jobs(visitor: str) -> list[Job]:
    """A visitor's pushes and pulls, oldest first, except cancelled ones that have ended."""
    return [job for job in reversed(services().jobs.jobs(visitor)) if not (job.cancelled and job.done)]


def outline(listed: Iterable[Job]) -> list[tuple[str, bool]]:
    """Value of the field "jobs": all jobs, and which of them have ended."""
    return [(job.id, job.done) for job in listed]


def progress(job: Job) -> dict[str, Any]:
    """Value of the field "job ID": progress of a job, as `progress_bar` draws it."""
    return {"text": f"{job.stage} …", "done": None if job.share is None else round(job.share, 3)}


def question(job: Job) -> str:
    """Name of the field that exists while a question is pending."""
    return f"question {job.id}"


def sign_in(held: SignIn) -> str:
    """Name of the field that exists until a sign-in ends."""
    return f"sign-in {held.name}"


def moving(visitor: str) -> bool:
    """True if this visitor has unfinished jobs or questions."""
    return any(not job.done for jobs in (services().jobs, services().questions) for job in jobs.jobs(visitor))


def fields(visitor: str) -> dict[str, Any]:
    """All fields: unfinished jobs and questions, the list of jobs, and sign-ins; empty if there is none."""
    listed = jobs(visitor)
    fields: dict[str, Any] = {"jobs": outline(listed)} if listed else {}
    fields |= {f"job {job.id}": progress(job) for job in listed if not job.done}
    fields |= {question(job): True for job in services().questions.jobs(visitor) if not job.done}
    return fields | {sign_in(held): True for held in services().sign_ins.active(visitor)}
