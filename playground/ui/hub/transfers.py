"""A visitor's pushes and pulls: jobs with the visitor's token, drawn where they were requested and in the dock."""

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from playground.common.errors import HubError
from playground.hub.calls import Token
from playground.hub.jobs import Job, OnProgress
from playground.hub.push import Pushed
from playground.ui.hub import listing, sign_in
from playground.ui.parts import style
from playground.ui.parts.live import job_channel
from playground.ui.session import identity, sources
from playground.ui.session.services import services

TransferKind = Literal["push", "pull", "fork"]
"""A fork is a pull after which the push form opens."""


def start(kind: TransferKind, repo_id: str, work: Callable[[OnProgress, Token], Any]) -> Job | None:
    """Start `work(on_progress, token)`; None, with a message, if it can't start."""
    try:
        return services().jobs.start(identity.visitor(), kind, sign_in.bound(work), title=repo_id)
    except HubError as error:
        style.message(str(error), "wrong")
        return None


def drop(job: Job) -> None:
    """Cancel a job if it is active, and stop showing it."""
    services().jobs.forget(identity.visitor(), job.id)


def name(job: Job) -> str:
    """Such as "Push to alice/copy"."""
    return f"{job.kind.capitalize()} {'to' if job.kind == 'push' else 'of'} {job.title}"


def draw(job: Job, *, section: str) -> None:
    """Draw the progress of a job, or its outcome; each part of a page that shows it has its own `section`."""
    if not job.done:
        job_channel.draw_progress(job, key=f"progress {section} {job.id}", label=name(job))
    elif job.error is not None:
        unknown = job.error.landed is None  # the push may have succeeded
        style.message(sources.plain(job.error), "care" if job.error.kind == "stale" or unknown else "wrong")
    elif job.result is not None:
        style.message(job.result.message, "good")
        if isinstance(pushed := job.result, Pushed):
            links = [("The model", pushed.url), (f"Commit {pushed.commit[: listing.SHORT]}", pushed.commit_url)]
            if pushed.pr_url:
                links.insert(0, ("Pull request", pushed.pr_url))
            st.html(f'<div class="small transfer-links">{"".join(style.link(*link) for link in links)}</div>')
