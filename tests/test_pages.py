"""Every page, run as Streamlit runs it but without a browser; pages are found by listing, state is seeded."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from playground.runs.disk import Owner
from playground.ui.session import state
from tests.helpers import TINY, messages, until
from tests.pages import ROOT, button, fine, page, solved, visitor, wait_for
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
def test_a_run_that_is_damaged_on_disk_is_told_on_the_pages_and_breaks_none(host, damage):
    app = page("train.py")
    run = state.RUNS.start(visitor(app), TINY)
    assert run.wait("finished")
    until(lambda: json.loads((run.store.folder.path / "run.json").read_text())["status"])
    content = (run.store.folder.path / damage).read_bytes()
    (run.store.folder.path / damage).write_bytes(content[: len(content) // 2])
    host()
    app.run()
    told = messages(fine(app))
    assert any("damaged on disk" in each or "missing from the history on disk" in each for each in told)
    app.session_state["train view"] = "compare"
    app.run()
    assert not app.exception
    fine(app.switch_page("pages/step_through.py").run())
    fine(app.switch_page("pages/checkpoints.py").run())


def test_a_server_that_does_not_own_its_folder_says_so_on_every_page(host):
    host().folder_owner = Owner(123, 0.0)
    for name in PAGES:
        told = messages(page(name), "care")
        assert any("Another server (process 123, started" in each for each in told)
