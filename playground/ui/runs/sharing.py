"""Links to watch a run or to open its settings, and their QR codes."""

from collections.abc import Mapping
from urllib.parse import quote, urlencode, urlsplit

import streamlit as st

from playground.runs import Run
from playground.settings.config import RunConfig
from playground.ui.parts import style
from playground.ui.parts.computed import LONGEST_CODE
from playground.ui.session import form_settings, paces, sources
from playground.ui.session.address import KEPT
from playground.ui.session.pages import Page
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

_BUTTONS = """<div class="plan-buttons"><button type="button" class="add-to-plan">Add to plan</button>
<button type="button" class="open-plan">Lesson plan</button>
<button type="button" class="open-room">Open a room</button>
<button type="button" class="join-room">Join a room</button></div>"""
"""Buttons of the lesson plan, which `shell/presenter.ts` handles, and of rooms, see `room/room.ts`."""

SHARED = Key[dict[str, str] | None]("shared", None, "Query parameters of the link that the page shares")


def popover(run: Run) -> None:
    """Draw the button with the links to the visitor's own run."""
    with st.popover("Share", icon=":material/share:", help="Links to this run, with a QR code.", key="share"):
        tell(
            "Watch link: anyone with this link can watch and step through this run. Only you can control it.",
            watch_link(run),
        )
        st.markdown("**Settings link**: shows these settings at step 0. **Train** or **Step** starts a new run.")
        _link(settings_link(run.config, paces.pace_name(run)))
        left_out = " The settings link has the initial settings, without later changes." if run.changes else ""
        style.caption(f"Earlier runs stay in the list of runs.{left_out}")


def tell(message: str, link: str) -> None:
    """Draw a link, its QR code and its purpose, and the buttons of the lesson plan and of rooms."""
    style.message(message, "plain")
    _link(link)
    st.html(_BUTTONS)


def _link(link: str) -> None:
    st.code(link, language=None, wrap_lines=True)
    draw_code(link)


def draw_code(link: str) -> None:
    """Draw the QR code of a link, if it is short enough for one."""
    if len(link) > LONGEST_CODE:
        style.caption("This link is too long for a QR code.")
    else:
        st.html(f'<img class="qr" src="./qr?text={quote(link, safe="")}" alt="QR code of this link">')


def view(page: Page, message: str, words: Mapping[str, str]) -> None:
    """Draw Share with a link to the page's current view, with these query parameters."""
    SHARED.set(dict(words))
    with st.popover("Share", icon=":material/share:", key="share"):
        tell(message, address({"view": page.shown} | {word: text for word, text in words.items() if text}))


def renew(words: Mapping[str, str]) -> None:
    """Rerun the page if the link of `view`, which is outside the fragment, is outdated."""
    if SHARED.get() != words:
        st.rerun()


def watch_link(run: Run) -> str:
    """Address of the current view of this run, which anyone can open."""
    words = {word: value for word, value in st.query_params.to_dict().items() if word not in KEPT}
    return address(words | {sources.RUN: run.id})


def settings_link(config: RunConfig, pace: str | None) -> str:
    """Address of a settings link with this pace, as `train/settings_link` reads it."""
    return address(form_settings.settings_link_words(config, pace))


def address(words: Mapping[str, str]) -> str:
    """The page's address with these query parameters."""
    page = (st.context.url or "").split("?")[0]
    return f"{page}?{urlencode(words, quote_via=quote)}" if words else page


def app_url() -> str:
    """Origin of this app: from the host's settings, or else from the visitor's browser."""
    parts = urlsplit(st.context.url or "")
    return services().host.url or (f"{parts.scheme}://{parts.netloc}" if parts.netloc else "")
