"""Dock in the corner of every page: progress and results of the pushes and pulls that no form shows."""

from html import escape

import streamlit as st

from playground.hub.jobs import Job
from playground.hub.pull import Pulled
from playground.ui.hub import hub_questions, pull_form, push_form, transfers
from playground.ui.parts.live import changes, job_channel
from playground.ui.session import identity
from playground.ui.session.session_keys import Key

ENDED = Key[set[str]]("transfers ended", set, "Ids of ended pushes and pulls that the page has taken into account")

_SHOWN = 3  # transfers shown at once


def show() -> None:
    """Draw the dock, and open the result of a pull that was requested on this page."""
    with st.container(key="docked"):  # takes no space in the page
        st.fragment(_show)()


def _show() -> None:
    own = job_channel.jobs(identity.visitor())
    outline = job_channel.outline(own)  # before drawing, which takes a while
    for job in own:
        pull_form.open_awaited(job)
    ended = {job.id for job in own if job.done}
    if ended - ENDED.get():
        ENDED.set(ended)
        hub_questions.forget("gallery", "destination", "commits", "branches")
        st.rerun()  # the library and the Hub have changed
    with st.container(key="dock"):
        for job in [job for job in own if job is not push_form.shown()][-_SHOWN:]:
            _draw(job)
    changes.redraw(job_channel.CHANNEL, {"jobs": outline or None}, key="dock")


def _draw(job: Job) -> None:
    with st.container(key=f"transfer-{job.id}", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
            st.html(f'<div class="transfer-title"><b>{escape(transfers.name(job))}</b></div>')
            # A push is not aborted: its result would be unknown.
            if job.done or job.kind != "push":
                label, icon = "Dismiss" if job.done else "Cancel", ":material/close:"
                st.button(label, icon=icon, type="tertiary", key=f"drop {job.id}", on_click=transfers.drop, args=[job])
        transfers.draw(job, section="dock")
        if job.error is not None and (checkpoint := push_form.checkpoint_of(job)):
            if st.button("Back to the form", icon=":material/edit_note:", key=f"back {job.id}"):
                push_form.begin(checkpoint)
                st.rerun()
        elif isinstance(job.result, Pulled):
            label, icon = ("Push a copy", "fork_right") if job.kind == "fork" else ("Step through", "footprint")
            if st.button(label, icon=f":material/{icon}:", key=f"on {job.id}"):
                pull_form.go_on(job)
