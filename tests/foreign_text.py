"""Text of others that Markdown or HTML would make something of, and the words of addresses that can carry it."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from playground import ui
from playground.settings.config import setting_paths
from playground.ui.generate import generation_view
from playground.ui.hub import oauth, pull_form
from playground.ui.passes import subject
from playground.ui.runs import playback_control
from playground.ui.session import address, form_settings, sources
from playground.ui.session.pages import GENERATE, PAGES, STEP_THROUGH
from playground.ui.shell import views

MARK = "foreign"
SHORT = (
    *("http://foreign.io", "www.foreign.io", "a@foreign.io", "![](//foreign.io/p)", "[x](//foreign.io)"),
    *("$\\foreign{x}^2$", "<img src=//foreign>", ":red[foreign]", ":smile:foreign", "**foreign** `_x_`"),
)
"""Each short enough to stand whole in a sentence that quotes the beginning of a word."""
LONG = " ".join(SHORT)

MODULES = [importlib.import_module(found.name) for found in pkgutil.walk_packages(ui.__path__, "playground.ui.")]
_OF_PAGES = {
    GENERATE.name: (*subject.MODEL_AND_INPUT, *generation_view.PARAMS),
}


def _read_by() -> Iterator[tuple[tuple[str, dict[str, str]], list[str]]]:
    """All pages in all their views, each with what it reads from the address."""
    for page in PAGES.values():
        for view in page.views:
            address = {} if view is page.views[0] else {"view": view.name}
            look = subject.LOOK if page is STEP_THROUGH and not view.module else ()
            yield (f"{page.name}.py", address), [param.word for param in (*views.params(view), *look)]
        if not page.views:
            # What stands in the page's file, which hands it to the frame of pages about a forward pass.
            own = re.findall(r"\bQueryParam\(\s*[\"'](\w+)", Path(page.file).read_text(encoding="utf-8"))
            yield (f"{page.name}.py", {}), [*(param.word for param in _OF_PAGES.get(page.name, ())), *own]


READ_BY = tuple(_read_by())
ADDRESSED_VIEWS = tuple(address for address, _ in READ_BY)
"""All pages in all their views."""
WORDS = tuple(
    dict.fromkeys(
        [
            *(
                "view",
                sources.RUN,
                *address.KEPT,
                form_settings.SETTINGS_LINK,
                form_settings.PACE,
                pull_form.LINK,
                playback_control.WORD,
                oauth.PROBLEM_PARAMETER,
            ),
            *(word for _, words in READ_BY for word in words),
            *setting_paths(),
        ]
    )
)
"""Every word that an address may have."""
LEADING = (sources.RUN, form_settings.SETTINGS_LINK, pull_form.LINK, *address.KEPT)
"""Words that lead to something else, so that others on the same page are not looked at."""


def addresses(word: str) -> tuple[tuple[str, dict[str, str]], ...]:
    """Where a word is read: settings anywhere in the same way, words of a view there, all others on every page."""
    if word in setting_paths():
        return ADDRESSED_VIEWS[:1]
    return tuple(address for address, words in READ_BY if word in words) or ADDRESSED_VIEWS


def read_words() -> Iterator[tuple[str, object]]:
    """All words that the code asks an address for by a name of their own, and where; None for one that is computed."""
    for module in MODULES:
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            asked: list[ast.expr] = []
            match node:
                case ast.Call(func=ast.Attribute(value=value, attr="get" | "pop"), args=[first, *_]):
                    asked = [first] if ast.unparse(value) == "st.query_params" else []
                case ast.Subscript(value=value, slice=first) if ast.unparse(value) == "st.query_params":
                    asked = [first]
                case ast.Compare(left=first, ops=[ast.In()], comparators=[value]):
                    asked = [first] if ast.unparse(value) == "st.query_params" else []
            for each in asked:
                name = ast.unparse(each)
                known = {"sources.RUN": sources.RUN, **vars(module)}
                word = each.value if isinstance(each, ast.Constant) else known.get(name)
                yield f"{module.__name__}:{node.lineno} {name}", word


PLAIN = {
    *("Html.body", "BidiComponent.json", "BidiComponent.mixed", "Code.code_text", "Selectbox.options"),
    *("TextInput.default", "TextInput.value", "TextInput.placeholder", "Selectbox.raw_value"),
}
"""Where Streamlit shows text as it is, or hands it to scripts of this project."""


def markdown(app: AppTest) -> Iterator[str]:
    """Everything else that a page says, most of which is read as Markdown."""
    for node in app._tree:
        proto = getattr(node, "proto", None)
        if isinstance(proto, Message):
            yield from _strings(proto)


def _strings(proto: Message) -> Iterator[str]:
    for field, value in proto.ListFields():
        name = f"{type(proto).__name__}.{field.name}"
        if name in PLAIN or field.name in ("id", "element_id", "form_id"):
            continue
        for each in value if isinstance(value, list | tuple) or hasattr(value, "extend") else [value]:
            if isinstance(each, str):
                yield f"{name}: {each}"
            elif isinstance(each, Message):
                yield from _strings(each)


class Markup(HTMLParser):
    """What a piece of HTML would make of the text of others: names of tags and attributes, and addresses."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, Any]]) -> None:
        leads = [
            value
            for name, value in attributes
            if name in ("href", "src") and MARK in value and not value.startswith("./qr?")
        ]
        self.found += leads + [name for name, _ in attributes if MARK in name or name.startswith("on")]
        if MARK in tag or (tag == "img" and ("class", "qr") not in attributes):
            self.found.append(tag)


def markup(app: AppTest) -> list[str]:
    """Text of others that is something else than text on this page."""
    found = [each for each in markdown(app) if MARK in each]
    return found + [each for part in app.get("html") for each in Markup(part.proto.body).found]
