"""The frame around every page."""

import os

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from playground.settings.host import Host
from playground.storage.validation import REPO_ID
from playground.ui.checkpoints import upload
from playground.ui.hub import oauth, pull_form, push_form
from playground.ui.parts import confirmation, style
from playground.ui.server import unforeseen
from playground.ui.session import at_step, form_settings, tab_run
from playground.ui.session import session_keys as keys
from playground.ui.session.pages import PAGES, Page
from playground.ui.session.services import services
from playground.ui.shell import dock, presenter
from playground.ui.train import settings_link

# Inline: a named icon would be fetched from the network.
_ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<rect width="16" height="16" rx="4" fill="#4f46b8"/>
<g fill="#fff"><path d="M3 3h4v4H3zM9 9h4v4H9z"/><path d="M9 3h4v4H9zM3 9h4v4H3z" opacity=".5"/></g></svg>"""


def _foot(host: Host, space: str) -> str:
    """Footer of every page as HTML; `space` is the Space that runs the app, as owner/name, or empty."""
    sentence = (
        "A cookie with a random number links your runs, checkpoints, answers, assignments and checked code to this "
        "browser. The app stores nothing else about you unless you sign in to the Hugging Face Hub."
    )
    if host.shared and host.expiry_days:
        sentence += f" Your runs and checkpoints are deleted {host.expiry_days:g} days after your last visit."
    if not space:
        return sentence
    if not host.checkpoints.is_relative_to("/data"):  # where a Space mounts its storage
        sentence += " This Space loses everything when it restarts or sleeps. Push or download what you want to keep."
    if REPO_ID.fullmatch(space):
        copy = style.link("Duplicate this Space", f"https://huggingface.co/spaces/{space}?duplicate=true")
        sentence += f" {copy} to get your own copy."
    return sentence


def _disk_warning() -> str:
    """Warning in the footer, as HTML, while the host's disk is nearly full."""
    disk = services().runs.data
    if not disk.nearly_full:
        return ""
    return (
        f" <b>This host's disk is nearly full ({disk.used / 1e6:,.0f} of {disk.limit / 1e6:,.0f} MB).</b> When it is "
        "full, data of the visitors who were away longest is deleted. Download what you want to keep."
    )


def _entry(page: Page) -> StreamlitPage:
    return st.Page(
        page.file,
        title=page.title,
        icon=f":material/{page.icon}:",
        default=not page.path,
        url_path=page.path or None,
    )


def show_page() -> None:
    """Draw the menu and the requested page."""
    st.set_page_config(page_icon=_ICON, layout="wide")  # first: else the icon of the menu is fetched
    page = st.navigation([_entry(page) for page in PAGES.values()], position="top")
    st.set_page_config(page_title=f"{page.title} · Transformer Playground")
    if keys.PAGE.get() != page.url_path:
        left = PAGES[keys.PAGE.get()]
        if not left.keeps_view:
            left.turn(left.views[0].name)
        keys.PAGE.set(page.url_path)
        at_step.let_go()
    presenter.show(page.url_path)
    unforeseen.tell_kept()
    pull_form.take_link(page.url_path)
    dock.show()
    if sentence := services().not_kept():
        style.message(sentence, "care", "hard_drive")
    if not confirmation.show():
        push_form.show()  # a page can have one dialog at a time
    with st.container(key="drop"):
        upload.dropped(page.url_path)
    form_settings.begin(tab_run.with_own_settings)
    settings_link.open_link(page.url_path)
    style.flashed("link")
    if problem := oauth.problem():
        style.message(problem, "care")
    page.run()
    form_settings.remember()
    if page.url_path == "":
        form_settings.write_address()
    foot = _foot(services().host, os.environ.get("SPACE_ID", ""))
    st.html(f'<div class="page-foot small soft">{foot}{_disk_warning()}</div>')
