"""Hub view of the Checkpoints page: public models with the app's tag, and one's own. All content is untrusted."""

import streamlit as st

from playground.hub import gallery as hub_gallery
from playground.hub.account import Account
from playground.hub.gallery import GalleryPage, HubSort
from playground.hub.pull import Listing
from playground.ui.hub import hub_questions, listing, pull_form, sign_in
from playground.ui.parts import style
from playground.ui.session.address import QueryParam, QueryParams, number, one_of
from playground.ui.session.session_keys import Key

GALLERY_PAGE = Key[int]("gallery page", 0, "Page of the Hub's models")
GALLERY_SEARCH = Key[str]("gallery search", "", "Widget: search text of the Hub view")
GALLERY_SORT = Key[HubSort]("gallery sort", "modified", "Widget: order of the Hub's models")
GALLERY_WHOSE = Key[str]("gallery whose", "public", "Widget: public or own models")

_SORTS: dict[HubSort, str] = {"modified": "Newest", "downloads": "Most downloaded", "likes": "Most liked"}
ADDRESS = QueryParams(
    "gallery",
    QueryParam("models", GALLERY_WHOSE, one_of(("public", "mine"))),
    QueryParam("find", GALLERY_SEARCH),
    QueryParam("sort", GALLERY_SORT, one_of(_SORTS)),
    QueryParam("page", GALLERY_PAGE, number(3)),
    *pull_form.ADDRESS.params,
)
_COLUMNS = 3
_PAGE = 12


def show() -> None:
    """Draw the view."""
    pull_form.show()
    with st.container(key="gallery"):
        hub_questions.watch(_draw, key="gallery")


def _draw() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Models",
            ("public", "mine"),
            required=True,
            format_func=str.capitalize,
            label_visibility="collapsed",
            on_change=_begin_again,
            **GALLERY_WHOSE.widget,
        )
        if not (mine := GALLERY_WHOSE.get() == "mine"):
            st.text_input(
                "Search",
                type="search",
                live="400ms",
                placeholder="Search by name",
                label_visibility="collapsed",
                on_change=_begin_again,
                **GALLERY_SEARCH.text,
            )
            st.selectbox(
                "Order",
                _SORTS,
                format_func=lambda sort: _SORTS[sort],
                label_visibility="collapsed",
                width=190,
                on_change=_begin_again,
                **GALLERY_SORT.widget,
            )
    ADDRESS.keep()
    who = sign_in.account() if mine else None
    if mine and who is None:
        sign_in.sign_in_form("mine", "Sign in to see your own models, including private ones.")
        return
    answer = _ask(who)
    if answer.error is not None:
        sign_in.trouble(answer.error, "gallery", section="gallery")
        return
    _grid(answer.result, "You have no models made with this app on the Hub." if mine else "No models found.")
    _paging(answer.result, mine)


def _begin_again() -> None:
    GALLERY_PAGE.set(0)


def _ask(who: Account | None) -> hub_questions.HubAnswer[GalleryPage]:
    """A page of this account's models; None: of all public ones."""
    page = GALLERY_PAGE.get()
    if who is not None:
        find = sign_in.bound(lambda token: hub_gallery.mine(who.name, token, page, _PAGE))
        return hub_questions.ask(("gallery", "mine", str(page)), find)
    search, sort = GALLERY_SEARCH.get().strip(), GALLERY_SORT.get()
    return hub_questions.ask(
        ("gallery", "public", search, sort, str(page)), lambda: hub_gallery.gallery(search, sort, page, _PAGE)
    )


def _grid(gallery: GalleryPage | None, empty: str) -> None:
    if gallery is not None and not gallery.listings:
        style.message(empty, "plain")
        return
    listings: list[Listing | None] = list(gallery.listings) if gallery is not None else [None] * 6
    for start in range(0, len(listings), _COLUMNS):
        for column, model in zip(st.columns(_COLUMNS), listings[start : start + _COLUMNS], strict=False):
            with column.container(border=True, height="stretch"):
                if model is None:
                    st.html(listing.waiting_card())
                else:
                    _card(model)


def _card(model: Listing) -> None:
    st.html(listing.card(model))
    key = listing.mark(model.repo_id, model.commit)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if not model.problem:
            if st.button(
                "Open", icon=":material/footprint:", key=f"open {key}", help="Download it and open it in Step through."
            ):
                pull_form.begin(model)
            if st.button(
                "Fork",
                icon=":material/fork_right:",
                key=f"fork {key}",
                help="Download it, then push a copy to your account.",
            ):
                pull_form.begin(model, "fork")
        st.html(f'<div class="small">{style.link("On the Hub", model.url)}</div>', width="content")


def _paging(gallery: GalleryPage | None, mine: bool) -> None:
    page = GALLERY_PAGE.get()
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, icon, to, there in (
            ("Back", "chevron_left", page - 1, page > 0),
            ("More", "chevron_right", page + 1, gallery is not None and gallery.more),
        ):
            if page > 0 or (gallery is not None and gallery.more):
                st.button(
                    label,
                    icon=f":material/{icon}:",
                    disabled=not there,
                    key=f"gallery {label}",
                    on_click=_turn,
                    args=(to,),
                )
        if gallery is not None and not mine:
            when = listing.ago(gallery.fetched_at)
            style.caption(
                f"As of {when}. Anyone can give a model this tag. The app checks each one before it lists it, and all "
                "of its files before it loads them. The owners report the scores."
            )


def _turn(page: int) -> None:
    GALLERY_PAGE.set(page)
