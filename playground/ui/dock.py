"""A corner of every page that tells how pushes and pulls go, and what became of them."""

from html import escape

import streamlit as st

from playground.hub.client import HubError
from playground.hub.pull import Pulled
from playground.hub.push import Pushed
from playground.ui import account, asking, errands, listing, pull, push, style
from playground.ui.errands import Errand

_AGAIN = 0.3  # seconds between two drawings while something is under way
_SHOWN = 3  # errands at once


def show(path: str) -> None:
    """Draws it on the page with this path, and goes where what has ended there leads."""
    st.session_state["page"] = path
    polling = _moving()

    def drawn() -> None:
        account.signed_out()  # then errands are no longer shown by name
        for errand in errands.own():
            _lead_on(errand)
        with st.container(key="dock"):
            for errand in errands.own()[-_SHOWN:]:
                _draw(errand)
        if _moving() != polling:
            asking.forget("gallery", "destination", "commits", "branches")
            st.rerun()  # the timer of this fragment starts or ends, and what is here and there has changed

    with st.container(key="docked"):  # takes no room of the page
        st.fragment(drawn, run_every=_AGAIN if polling else None)()


def _moving() -> bool:
    return any(not errand.job.done for errand in errands.own())


def _lead_on(errand: Errand) -> None:
    """Who waits where they have asked for a model is led to it."""
    pulled = errand.job.result
    if errand.job.done and isinstance(pulled, Pulled) and errand.then and errand.page == st.session_state["page"]:
        errands.drop(errand)
        pull.go_on(pulled.name, errand.then, pulled.told if pulled.cached else "")


def _draw(errand: Errand) -> None:
    job = errand.job
    with st.container(key=f"errand-{job.id}", gap="xsmall"):
        what = job.kind.capitalize()
        if errand.title:
            what += f" {'to' if job.kind == 'push' else 'of'} {errand.title}"
        with st.container(horizontal=True, vertical_alignment="center", wrap=False, gap="small"):
            st.html(f'<div class="errand-title"><b>{escape(what)}</b></div>')
            # A push is not broken off: nobody could tell whether it has landed.
            if job.done or job.kind == "pull":
                label = "Dismiss" if job.done else "Cancel"
                if st.button(label, icon=":material/close:", type="tertiary", key=f"drop {job.id}"):
                    errands.drop(errand)
                    st.rerun()
        if not job.done:
            width = f'style="width:{job.share:.0%}"' if job.share is not None else 'class="unknown"'
            now = f' aria-valuenow="{job.share * 100:.0f}"' if job.share is not None else ""
            bar = f'<div class="errand-bar" role="progressbar" aria-label="{escape(what)}"{now}><i {width}></i></div>'
            st.html(f'<div class="small soft">{escape(job.stage)} …</div>{bar}')
        elif job.error is not None:
            _failed(errand, job.error)
        elif isinstance(job.result, Pushed):
            _pushed(job.result)
        elif isinstance(job.result, Pulled):
            _pulled(errand, job.result)


def _failed(errand: Errand, error: HubError) -> None:
    heeded = st.session_state.setdefault("errands heeded", set())
    if error.kind == "signed_out" and errand.title and errand.job.id not in heeded:
        heeded.add(errand.job.id)  # once: the token of now may be another one
        account.expire()
        st.rerun()
    unknown = error.landed is None  # it may have gone well
    style.told(str(error), "care" if error.kind == "stale" or unknown else "wrong")
    if errand.job.kind == "push" and isinstance(errand.form, push.Draft):
        label = "Choose what to do" if error.kind == "stale" else "Back to the form"
        if st.button(label, icon=":material/edit_note:", key=f"back {errand.job.id}"):
            errands.drop(errand)
            push.back(errand.form, error)
            st.rerun()


def _pushed(pushed: Pushed) -> None:
    style.told(pushed.told, "good")
    links = [("The model", pushed.url), (f"Commit {pushed.commit[: listing.SHORT]}", pushed.commit_url)]
    if pushed.pr_url:
        links.insert(0, ("Pull request", pushed.pr_url))
    st.html(f'<div class="small errand-links">{"".join(style.link(*link) for link in links)}</div>')


def _pulled(errand: Errand, pulled: Pulled) -> None:
    style.told(pulled.told, "good")
    way, icon = ("Push it on", "fork_right") if errand.then == "push" else ("Step through", "footprint")
    if st.button(way, icon=f":material/{icon}:", key=f"on {errand.job.id}"):
        errands.drop(errand)
        pull.go_on(pulled.name, errand.then or "open")
