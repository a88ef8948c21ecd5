"""What is under way for a visitor, as the event stream tells it to their tabs: pushes, pulls, questions to the Hub.

Nothing here names a repository or a person: a tab whose session has signed out still listens.
"""

from collections.abc import Iterable
from typing import Any

from playground.hub.jobs import Job
from playground.ui.session import state

NAME = "visitor/jobs"
"""Of the channel."""


def jobs(visitor: str) -> list[Job]:
    """Pushes and pulls of a visitor, the oldest first; without those that were cancelled and have ended."""
    return [job for job in reversed(state.JOBS.jobs(visitor)) if not (job.cancelled and job.done)]


def outline(listed: Iterable[Job]) -> list[tuple[str, bool]]:
    """Which jobs there are and which of them have ended: the field "jobs"."""
    return [(job.id, job.done) for job in listed]


def progress(job: Job) -> dict[str, Any]:
    """How far a job is: the field "job ID", as `progress_bar` draws it."""
    return {"text": f"{job.stage} …", "done": None if job.share is None else round(job.share, 3)}


def question(job: Job) -> str:
    """The name of the field that says that a question is unanswered."""
    return f"question {job.id}"


def moving(visitor: str) -> bool:
    """Whether anything of this visitor is unfinished."""
    return any(not job.done for jobs in (state.JOBS, state.QUESTIONS) for job in jobs.jobs(visitor))


def fields(visitor: str) -> dict[str, Any]:
    """Everything of this visitor that is unfinished, and the list of jobs; empty where there is nothing."""
    listed = jobs(visitor)
    fields: dict[str, Any] = {"jobs": outline(listed)} if listed else {}
    fields |= {f"job {job.id}": progress(job) for job in listed if not job.done}
    return fields | {question(job): True for job in state.QUESTIONS.jobs(visitor) if not job.done}
