"""Every page, run as Streamlit runs it but without a browser; pages are found by listing, state is seeded."""

import json
import re
from collections.abc import Iterator
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from playground.experiments.sweeps import Sweep
from playground.runs.folder_lock import Owner
from playground.settings.config import setting_paths
from playground.ui.session import pages
from playground.ui.session.services import services
from playground.ui.session.session_keys import VIEW
from playground.ui.shell import views
from tests.helpers import TINY, messages, mounts, until
from tests.pages import ROOT, ROW, button, fine, last_walk, link_to, new_tab, page, solved, visitor, wait_for
from tests.pages import host as host  # for every test here too

PAGES = sorted(path.name for path in (ROOT / "pages").glob("*.py"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_by_itself_and_survives_reruns(name):
    app = page(name)
    assert app.title
    fine(app.run())
    fine(app.run())


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_with_a_finished_run(name):
    app = solved()
    fine(app.switch_page(f"pages/{name}").run())
    fine(app.run())


@pytest.fixture
def example(monkeypatch) -> str:
    """The page of tests/new_page.py, as its row in session/pages.py makes it one."""
    monkeypatch.setitem(pages.PAGES, ROW.path, ROW)
    monkeypatch.setattr(pages, "TOKENS", ROW, raising=False)
    return "../tests/new_page.py"


@pytest.mark.parametrize("vector", ["token_embedding", "sum"])
def test_a_page_is_one_file_and_one_row(example, vector):
    app = link_to(example, model="reverse-1-16", input="1 2 3", vector=vector)
    assert app.title[0].value == ROW.title
    table = next(each.proto.body for each in app.get("html") if "<table" in each.proto.body)
    for stack in ("encoder", "decoder"):
        lengths = last_walk()[f"{stack}.embeddings.{vector}"].value[0].norm(dim=-1)
        assert len(lengths) > 2
        assert all(f"<td>{length:.3f}</td>" in table for length in lengths.tolist())


def test_a_control_of_a_page_stands_in_the_address_which_can_hold_no_other_value(example):
    app = link_to(example, vector="nonsense")
    assert "vector" not in app.query_params
    (control,) = (each for each in app.get("button_group") if each.key == "tokens vector")
    assert control.value == "token_embedding"
    fine(control.set_value("sum").run())
    assert app.query_params["vector"] == "sum"


VIEWS = [(row, view) for row in pages.PAGES.values() for view in row.views]


@pytest.mark.parametrize(("row", "view"), VIEWS, ids=lambda each: each.name)
def test_a_view_is_one_module_and_one_row(row, view):
    """Its address opens it, its switch shows its label, and its module has what the row says."""
    app = new_tab(f"{row.name}.py", view=view.name)
    (switch,) = (each for each in app.get("button_group") if each.label == "View")
    assert switch.value == view.name
    assert [each.content for each in switch.proto.options] == [each.label for each in row.views]
    assert ("view" in app.query_params) == (view is not row.views[0])
    if view.module:
        drawn = views.module(view)
        assert hasattr(drawn, "draw" if view.forward else "show")
        assert view.forward <= row.forward


@pytest.mark.wcag("3.3.2")
def test_every_setting_has_its_help():
    fields = ("number_input", "text_input", "selectbox", "toggle", "slider", "button_group", "checkbox")

    def mute(app: AppTest) -> list[str]:
        found = [field for kind in fields for field in app.get(kind)]
        assert len(found) > 3
        return [field.label for field in found if not field.proto.help and field.label != "View"]

    assert mute(page("build.py")) == []
    assert mute(page("train.py", **{"train view": "sweep", "sweep setting 2": "model.d_ff"})) == []
    app = page("train.py")
    button(app, "Step").click().run()
    assert mute(wait_for(app, "paused")) == []


@pytest.mark.parametrize("damage", ["run.json", "history.jsonl", "state.safetensors"])
def test_a_run_damaged_on_disk_is_reported_on_the_pages_and_breaks_none(host, damage):
    app = page("train.py")
    run = services().runs.start(visitor(app), TINY)
    assert run.wait("finished")
    until(lambda: json.loads((run.store.folder.path / "run.json").read_text())["status"])
    content = (run.store.folder.path / damage).read_bytes()
    (run.store.folder.path / damage).write_bytes(content[: len(content) // 2])
    host()
    app.run()
    shown = messages(fine(app))
    assert any("damaged on disk" in each or "missing from the history on disk" in each for each in shown)
    app.session_state["train view"] = "compare"
    app.run()
    assert not app.exception
    fine(app.switch_page("pages/step_through.py").run())
    fine(app.switch_page("pages/checkpoints.py").run())


def test_a_server_that_does_not_own_its_folder_says_so_on_every_page(host):
    host().data.folder_owner = Owner(123, 0.0)
    for name in PAGES:
        shown = messages(page(name), "care")
        assert any("Another server (process 123, started" in each for each in shown)


CODE_NAMES = re.compile(
    rf"(?<![\w.])(?:{'|'.join(sorted({path.rpartition('.')[2] for path in setting_paths()}))})(?!\w)"
)


def shown_words(app: AppTest) -> Iterator[str]:
    """What a person reads on the page, without code, mathematics, help and addresses."""
    for each in app.main:
        yield from filter(None, (getattr(each, "label", ""), *getattr(each, "options", ())))
    for kind in ("markdown", "caption", "info", "warning", "error", "success"):
        yield from (re.sub(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)", "", each.value) for each in app.get(kind))
    for each in app.get("html"):
        text = re.sub(r"<(code|pre|math|style|svg)\b.*?</\1>", "", each.proto.body, flags=re.DOTALL)
        yield unescape(re.sub(r"<[^>]*>", " ", text))
    for _, data in mounts(app, "rows"):
        yield json.dumps(data["rows"])
    for _, data in mounts(app, "draws"):
        yield json.dumps(data["now"])


def test_no_page_calls_a_setting_by_its_name_in_code():
    app = solved()
    compared = TINY.updated({"training.steps": 4, "model.d_ff": 8, "model.norm_position": "post"})
    run = services().runs.start_many(visitor(app), [compared], sweep=Sweep(TINY, {"model.d_ff": (4, 8)}, 1).title)[0]
    assert run.wait("finished", "solved", "failed")
    found = []
    for row in pages.PAGES.values():
        for view in row.views or [None]:
            if view is not None:
                app.session_state[VIEW.of(row.name).name] = view.name
            fine(app.switch_page(f"pages/{row.name}.py").run())
            where = (row.name, view and view.name)
            names = (name for text in shown_words(app) for name in CODE_NAMES.findall(text) if "_" in name)
            found += [(*where, name) for name in names if row.name != "learn"]  # lessons use the paper's d_model
    assert not found
