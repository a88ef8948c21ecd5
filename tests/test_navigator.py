"""The way around a pass, as Python tells it to the browser: what is lit, which moves keys ask for, the source."""

import html
import json
import re
import tomllib
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from playground.pictures import charts
from playground.recording import REPOSITORY, function_around, record
from playground.ui.passes.statement import highlighted, shown
from playground.ui.session import acts
from playground.ui.session.pages import PAGES, STEP_THROUGH, TRAIN
from playground.ui.session.session_keys import TENSOR
from playground.ui.shell import keys
from playground.ui.step import navigator
from playground.ui.step.navigator import Moves
from tests.helpers import ARCHITECTURES, script, small_batch, small_model


def operations(architecture: str, **changes: object):
    model = small_model(architecture, **changes)
    with record(model) as recording:
        recording.model(*small_batch(model.config))
    return list(recording)


# --- keys -----------------------------------------------------------------------------------------


def test_the_window_of_keys_tells_what_generate_listens_to():
    heard = re.search(r"const KEYS[^=]* = \{(.*?)\n\};", script("generation.ts").read_text(), re.DOTALL)[1]
    rows = [row for rows in keys.table("generate").values() for row in rows if row.script == "generation.ts"]
    assert {key for row in rows for key in row.keys} == set(re.findall(r"(\w+): \"", heard))


def listened_to(name: str) -> dict[str, str]:
    """The keys that follow.ts knows, and what each asks for."""
    table = re.search(r"const KEYS[^=]* = \{(.*?)\n\};", script(name).read_text(), re.DOTALL)[1]
    return {
        (quoted or bare): f"{action} {by}"
        for quoted, bare, action, by in re.findall(r'(?:"([^"]+)"|(\w+)): \["(\w+)", (-?1)\]', table)
    }


def test_the_window_of_keys_tells_what_the_script_listens_to():
    listed = {
        key: row.does
        for rows in keys.table("step_through").values()
        for row in rows
        if row.script == "follow.ts"
        for key in row.keys
    }
    heard = listened_to("follow.ts")
    assert listed.keys() == heard.keys()
    words = {
        "operation 1": "next operation",
        "operation -1": "previous operation",
        "sublayer 1": "next sublayer",
        "sublayer -1": "previous sublayer",
        "time 1": "later training step",
        "time -1": "earlier training step",
        "gradient 1": "gradient on or off",
    }
    assert listed == {key: words[action] for key, action in heard.items()}
    assert 'event.key !== "?"' in script("keys.ts").read_text()


@pytest.mark.parametrize("path", PAGES)
def test_every_key_is_listed_once_with_an_existing_script(path):
    rows = [row for rows in keys.table(path).values() for row in rows]
    shared = ("move in a focused heatmap", "stop presenting")
    free = [key for row in rows for key in row.keys if not row.focused and row.does not in shared]
    assert len(set(free)) == len(free)
    assert all(script(row.script) and row.keys for row in rows)


def test_the_window_of_keys_tells_what_the_presenter_view_listens_to():
    heard = re.search(r"const KEYS[^=]* = \{(.*?)\n\};", script("presenter.ts").read_text(), re.DOTALL)[1]
    heard = {quoted or bare for quoted, bare in re.findall(r'^  (?:"([^"]+)"|(\w+)): "\w+",$', heard, re.MULTILINE)}
    listed = {key for row in keys.table("train")["Present"] if row.script == "presenter.ts" for key in row.keys}
    assert listed == heard


def test_every_chart_has_a_slide():
    for part, panels in (("charts", charts.PANELS), ("compared-charts", charts.COMPARED)):
        shown = [name for slide in TRAIN.slides if slide.parts[-1] == part for name in slide.panels]
        assert {panel.name for panel in panels} <= set(shown)


def test_the_keys_of_a_view_are_those_that_act_there(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(type(STEP_THROUGH), "shown", "own")
    listed = {title: [row.does for row in rows] for title, rows in keys.table("step_through").items()}
    assert listed["Navigate"] == ["next operation", "previous operation", "gradient on or off"]
    assert listed["View"] == ["move in a focused heatmap"]
    assert {*listed} == {"Navigate", "View", "Present", "Room"}
    heard = set(re.findall(r'key === "(\w+)"', script("own_pass.ts").read_text()))
    rows = [row for rows in STEP_THROUGH.views[1].shortcuts.values() for row in rows if row.script == "own_pass.ts"]
    assert {key for row in rows for key in row.keys} == heard


def test_keys_are_written_as_on_a_keyboard():
    written = {"ArrowRight": "→", "Shift+ArrowLeft": "Shift ←", "g": "G", ".": ".", "Escape": "Esc", " ": "Space"}
    written |= {"PageDown": "Page down", "+": "+", "-": "-", "Shift++": "Shift +"}
    assert {key: keys.shown(key) for key in written} == written


@pytest.fixture
def moves(monkeypatch):
    """The moves that a message of the browser makes; its session is "s"."""
    session: dict[str, Any] = {"tensor": {}, "tensor heard": {"session": "s", "serial": 0}}
    monkeypatch.setattr(st, "session_state", session)

    def tell(message: object) -> Moves:
        session["tensor"] = {"acts": message}
        return Moves(**acts.presses(TENSOR, navigator._MOVES))

    return tell


def test_moves_add_up_and_each_is_done_once(moves):
    one, two, three = [1, "operation", "", 1], [2, "operation", "", 1], [3, "sublayer", "", -1]
    assert moves({"session": "s", "acts": [one]}) == Moves(operation=1)
    assert moves({"session": "s", "acts": [one, two, three]}) == Moves(operation=1, sublayer=-1)
    assert moves({"session": "s", "acts": [one, two, three]}) == Moves(), "the same message again"
    assert moves({"session": "s", "acts": [one]}) == Moves(), "an older one that comes late"
    assert moves({"session": "s", "acts": [[4, "gradient", "", 1], [5, "time", "", 2]]}) == Moves(gradient=1, time=2)


@pytest.mark.parametrize(
    "message",
    [
        *(None, 7, {}, {"session": "s"}, {"session": "s", "acts": 3}),
        {"session": "other", "acts": [[9, "operation", "", 9]]},
        {"session": "s", "acts": [["9", "operation", "", 9], [1.5, "operation", "", 9], [9, "operation"], 9]},
        {"session": "s", "acts": [[9, "operation", "", "9"], [10, "sublayer", "", 1.5], [11, "time", "", None]]},
        {"session": "s", "acts": [[9, "nonsense", "", 9]]},
    ],
)
def test_what_a_browser_says_is_not_trusted(moves, message):
    assert moves(message) == Moves()


def test_a_browser_cannot_ask_for_more_than_anyone_presses(moves):
    assert moves({"session": "s", "acts": [[1, "operation", "", -(10**30)]]}) == Moves(operation=-acts._MOST)


# --- what the browser gets --------------------------------------------------------------------------


@pytest.fixture
def mounts(monkeypatch):
    """What the components were given, instead of a page."""
    made = SimpleNamespace(state={})
    monkeypatch.setattr(st, "session_state", made.state)
    monkeypatch.setattr(navigator, "_outline", lambda **given: setattr(made, "outline", given))
    return made


def ignore(_: object) -> None:
    pass


def test_the_data_of_a_step_is_small_also_for_the_deepest_model(mounts):
    names = [operation.name for operation in operations("encoder-decoder", n_layers=6)]
    for name in names:
        for order in (None, names[::-1]):
            way = navigator.follow(name, names, on_go=ignore, on_keys=ignore, order=order)
            assert len(json.dumps(way.data)) < 1_200
    navigator.outline(names)
    assert len(json.dumps(mounts.outline["data"])) < 40_000


def test_a_step_lights_its_operation_its_layer_and_its_residual_path(mounts):
    names = [operation.name for operation in operations("encoder-decoder", n_layers=2)]
    data = navigator.follow("decoder.layers.1.feed_forward_add_norm.sum", names, on_go=ignore, on_keys=ignore).data
    assert (data["part"], data["along"]) == ("decoder.layers.0.feed_forward_add_norm", "decoder.layers.0.feed_forward")
    assert (data["stack"], data["layer"], data["joined"]) == ("decoder", "2", True)
    assert [words for words, _ in data["crumbs"]] == ["decoder", "layer 2", "feed-forward", "residual sum"]
    assert "without" not in data
    data = navigator.follow("encoder.embeddings.sum", names, on_go=ignore, on_keys=ignore).data
    assert (data["part"], data["stack"], data["layer"], data["joined"]) == ("encoder.embeddings", None, None, False)


def test_clicks_lead_only_to_operations_that_one_walks(mounts):
    names = [operation.name for operation in operations("encoder-decoder")]
    order = [name for name in reversed(names) if not name.endswith(("mask", "tokens", "labels"))]
    gone: list[str] = []
    way = navigator.follow("loss", names, on_go=gone.append, on_keys=ignore, order=order)
    assert [names[at] for at in way.data["without"]] == [name for name in names if name not in order]
    for serial, request in enumerate(
        (
            *({"name": "decoder.output"}, {"name": "decoder.mask"}, {"name": "../etc"}, {}),
            *({"part": "encoder.layers.0.feed_forward"}, {"part": "nonsense"}, ["no"]),
        )
    ):
        acts = [[serial + 1, "go", "", request]]
        mounts.state["tensor"] = {"acts": {"session": way.data["session"], "acts": acts}}
        way.on_acts()
    assert gone == ["decoder.output", "encoder.layers.0.feed_forward.output"]  # backward the last comes first


# --- the statement ----------------------------------------------------------------------------------


def plain(marked: str) -> str:
    return html.unescape(re.sub(r"</?i[^>]*>", "", marked))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_source_shown_is_the_file_s_with_the_statement_lit(architecture):
    for operation in operations(architecture):
        source = shown(operation.source, operation.tap, operation.named_by)
        lines = (REPOSITORY / operation.source.file).read_text().splitlines()
        marked = source["html"].split("\n")
        text = [plain(line) for line in marked]
        for at, line in enumerate(text):
            assert lines[source["first"] - 1 + at].strip() == line.strip()
        first, last = (at - source["first"] for at in source["lit"])
        assert 0 <= first <= last < len(text)
        if operation.named_by:
            assert source["named"] == [f"self.{operation.tap}(...)", operation.named_by.where]
        else:
            assert source["named"] is None
            assert f"self.{operation.tap}(" in "".join(text[first : last + 1])
        assert all(line.count("<i ") == line.count("</i>") for line in marked), "an element goes over the end of a line"
        assert source["where"] == f"{operation.source.file}:{operation.source.line}"
        assert len(json.dumps(source)) < 12_000


def test_nothing_in_the_source_becomes_markup():
    code = 'def f(self):\n    return "<b onclick=x>&amp;</b>"  # <script>\n'
    assert plain(highlighted(code)) == code
    assert re.findall(r"<(?!/?i\b)", highlighted(code)) == []


def test_tokens_of_the_source_are_distinguished():
    marked = highlighted('def f(self):\n    """Two\n\n    lines."""\n    return not None  # why\n')
    for piece in (
        *('<i class="keyword">def</i>', '<i class="defined">f</i>', '<i class="self">self</i>'),
        *('<i class="string">"""Two</i>', '<i class="string">    lines."""</i>', '<i class="keyword">not</i>'),
        *('<i class="number">None</i>', '<i class="comment"># why</i>'),
    ):
        assert piece in marked


def luminance(colour: tuple[float, ...]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def rgb(text: str) -> tuple[float, ...]:
    return tuple(int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colours_of_the_source_can_be_read(theme):
    themes = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text())["theme"]
    css = script("map.css").read_text()
    share = (
        int(re.search(r"\.line\.lit \{\s*background: color-mix\(in srgb, var\(--st-primary-color\) (\d+)%", css)[1])
        / 100
    )
    ground, primary = (rgb(themes[theme][name]) for name in ("secondaryBackgroundColor", "primaryColor"))
    band = tuple(share * p + (1 - share) * g for p, g in zip(primary, ground, strict=True))
    colours = {
        name: pair[theme == "dark"]
        for name, *pair in re.findall(r"\.(\w+) \{\s*color: light-dark\((#\w+), (#\w+)\)", css)
    }
    assert set(colours) == {"keyword", "string", "number", "comment", "defined", "self"}
    kinds = set(
        re.findall(r'class="(\w+)"', "".join(shown(each.source)["html"] for each in operations("decoder-only")))
    )
    assert kinds <= set(colours)
    for name, colour in colours.items():
        for behind in (ground, band):
            light, dark = sorted((luminance(rgb(colour)), luminance(behind)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, name


def test_a_statement_without_a_function_is_shown_alone():
    source = SimpleNamespace(file="no/such.py", line=4, code="x = 1\ny = 2", function="", where="no/such.py:4")
    assert function_around(source) == (4, "x = 1\ny = 2")
    assert shown(source)["lit"] == [4, 5]


def test_the_window_of_keys_tells_what_the_tensors_listen_to():
    text, moves = script("tensors.ts").read_text(), script("tile.ts").read_text()
    assert "stepped(event" in text
    rows = [row for rows in keys.table("step_through").values() for row in rows]
    listed = {key for row in rows if row.script == "tensors.ts" for key in row.keys}
    heard = {*re.findall(r'event\.key === "(\w+)"', text), *re.findall(r"(Arrow\w+): \[", moves)}
    if 'event.key >= "1" && event.key <= "9"' in text:
        heard |= {*"123456789"}
    assert listed == heard
