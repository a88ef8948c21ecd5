"""Dock in the corner of every page: progress and results of pushes and pulls."""

from html import escape

import streamlit as st

from playground.common.errors import HubError
from playground.hub.pull import Pulled
from playground.hub.push import Pushed
from playground.ui.hub import hub_questions, listing, pull_form, push_form, sign_in, transfers
from playground.ui.hub.transfers import Transfer
from playground.ui.parts import style
from playground.ui.parts.live import changes, job_channel
from playground.ui.session import session_keys as keys
from playground.ui.session.session_keys import Key

TRANSFERS_HEEDED = Key[set[str]]("transfers heeded", set, "Ids of transfers whose sign-in has ended")

_SHOWN = 3  # transfers shown at once


def show() -> None:
    """Draw the dock, and open the result of a transfer that was requested on this page."""
    known = _ended()

    def drawn() -> None:
        sign_in.signed_out()  # after a sign-out, transfers are not shown by name
        own = transfers.own()
        shown = job_channel.outline(transfer.job for transfer in own)  # before drawing, which takes a while
        for transfer in own:
            _open_pulled(transfer)
        if _ended() - known:
            hub_questions.forget("gallery", "destination", "commits", "branches")
            st.rerun()  # the library and the Hub have changed
        with st.container(key="dock"):
            for transfer in own[-_SHOWN:]:
                _draw(transfer)
        changes.redraw(job_channel.CHANNEL, {"jobs": shown or None}, key="dock")

    with st.container(key="docked"):  # takes no space in the page
        st.fragment(drawn)()


def _ended() -> set[str]:
    return {transfer.job.id for transfer in transfers.own() if transfer.job.done}


def _open_pulled(transfer: Transfer) -> None:
    """Open the result of a transfer if its page is still open."""
    pulled = transfer.job.result
    if transfer.job.done and isinstance(pulled, Pulled) and transfer.then and transfer.page == keys.PAGE.get():
        transfers.drop(transfer)
        pull_form.go_on(pulled.name, transfer.then, pulled.message if pulled.cached else "")


def _draw(transfer: Transfer) -> None:
    job = transfer.job
    with st.container(key=f"transfer-{job.id}", gap="xsmall"):
        what = job.kind.capitalize()
        if transfer.title:
            what += f" {'to' if job.kind == 'push' else 'of'} {transfer.title}"
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
            st.html(f'<div class="transfer-title"><b>{escape(what)}</b></div>')
            # A push is not aborted: its result would be unknown.
            if job.done or job.kind == "pull":
                label = "Dismiss" if job.done else "Cancel"
                icon = ":material/close:"
                st.button(
                    label, icon=icon, type="tertiary", key=f"drop {job.id}", on_click=transfers.drop, args=[transfer]
                )
        if not job.done:
            job_channel.draw_progress(job, key=f"progress {job.id}", label=what)
        elif job.error is not None:
            _failed(transfer, job.error)
        elif isinstance(job.result, Pushed):
            _pushed(job.result)
        elif isinstance(job.result, Pulled):
            _pulled(transfer, job.result)


def _failed(transfer: Transfer, error: HubError) -> None:
    heeded = TRANSFERS_HEEDED.get()
    if error.kind == "signed_out" and transfer.title and transfer.job.id not in heeded:
        heeded.add(transfer.job.id)  # once: the current token may be another one
        sign_in.expire()
        st.rerun()
    unknown = error.landed is None  # the push may have succeeded
    style.message(str(error), "care" if error.kind == "stale" or unknown else "wrong")
    if transfer.job.kind == "push" and isinstance(transfer.form, push_form.Draft):
        label = "Choose what to do" if error.kind == "stale" else "Back to the form"
        if st.button(label, icon=":material/edit_note:", key=f"back {transfer.job.id}"):
            transfers.drop(transfer)
            push_form.back(transfer.form, error)
            st.rerun()


def _pushed(pushed: Pushed) -> None:
    style.message(pushed.message, "good")
    links = [("The model", pushed.url), (f"Commit {pushed.commit[: listing.SHORT]}", pushed.commit_url)]
    if pushed.pr_url:
        links.insert(0, ("Pull request", pushed.pr_url))
    st.html(f'<div class="small transfer-links">{"".join(style.link(*link) for link in links)}</div>')


def _pulled(transfer: Transfer, pulled: Pulled) -> None:
    style.message(pulled.message, "good")
    way, icon = ("Push a copy", "fork_right") if transfer.then == "push" else ("Step through", "footprint")
    if st.button(way, icon=f":material/{icon}:", key=f"on {transfer.job.id}"):
        transfers.drop(transfer)
        pull_form.go_on(pulled.name, transfer.then or "open")
