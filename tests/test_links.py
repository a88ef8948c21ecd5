"""Opening an address changes nothing that lasts: no run, no library, and nothing that another tab shows."""

import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from playground.runs import Run
from playground.ui.session import form_settings, identity, sources
from playground.ui.session.services import services
from tests.foreign_text import ADDRESSED_VIEWS, LEADING, WORDS
from tests.helpers import HANG, LONG, TINY, until
from tests.pages import ROOT, fine, hosted, page


@pytest.fixture(scope="module", autouse=True)
def host(tmp_path_factory) -> Iterator[None]:
    """One host for all tests: what they share is what must stay as it is."""
    with hosted(tmp_path_factory.mktemp("host")):
        yield


@pytest.fixture(scope="module")
def visitor(host) -> Iterator[str]:
    """One visitor for all tabs."""
    name = secrets.token_hex(16)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identity, "visitor", lambda: name)
        yield name


@pytest.fixture(scope="module")
def runs(visitor) -> list[Run]:
    """Runs of this visitor: ended, at work, paused on the way, paused at step 0; two have one colour."""
    ended = services().runs.start(visitor, TINY)
    assert ended.wait("finished")
    running = services().runs.start(visitor, LONG, 1.0)
    paused = services().runs.start(visitor, LONG, 1.0, paused=True)
    paused.step_once()
    until(lambda: paused.step == 1 and paused.status == "paused")
    fresh = services().runs.start(visitor, LONG, 1.0, paused=True)
    until(lambda: fresh.status == "paused" and running.status == "running")
    fresh.set_colour(paused.metadata.colour)
    services().runs.choose(visitor, paused.id)
    form = page("build.py", form="Model")  # another tab, in which the form is filled in
    next(each for each in form.number_input if each.key == "model.d_model").set_value(32).run()
    fine(form)
    return [ended, running, paused, fresh]


def opened(name: str, **query: str) -> AppTest:
    """A new tab in which a link to this page is opened."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=HANG)
    if name != "build.py":
        app.switch_page(f"pages/{name}")
    for word, value in query.items():
        app.query_params[word.replace("__", ".")] = value
    return fine(app.run())


def lasting(visitor: str) -> dict[str, Any]:
    """All that the server keeps of a visitor, as far as a link could reach it."""
    runs, form = services().runs.of(visitor), page("build.py").session_state
    return {
        "runs": [
            (run.id, run.metadata.name, run.metadata.note, run.metadata.colour, run.config, run.changes, run.pace)
            for run in runs
        ],
        "states": [(run.id, run.status, run.has_worker, run.until) for run in runs],
        "deleted": [run.id for run in services().runs.deleted(visitor)],
        "current": services().runs.current(visitor).id,
        "library": [entry.name for entry in sources.library().entries()],
        "form": dict(form_settings._remembered.get(visitor)),
        "form of a new tab": {path: form[path] for path in ("model.d_model", "task.name")},
    }


def test_21_settings_links_leave_everything_as_it_is(visitor, runs):
    before = lasting(visitor)
    for seed in range(21):
        opened("train.py", lesson="1", task__name="copy", seed=str(seed), pace="Fast")
    assert lasting(visitor) == before


LINKS: list[tuple[str, dict[str, str]]] = [
    ("build.py", {"task__name": "copy", "model__d_model": "48", "seed": "9"}),
    ("build.py", {"lesson": "1", "seed": "3"}),
    ("build.py", {"present": "model", "training__steps": "20"}),
    ("build.py", {"sign_in": "failed", "task__name": "copy"}),
    ("train.py", {"run": "{ended}"}),
    ("train.py", {"run": "{fresh}", "playback": "1"}),
    ("train.py", {"run": "{ended}", "playback": "1", "present": "loss"}),
    ("train.py", {"run": "of nobody", "model__n_heads": "2"}),
    ("train.py", {"lesson": "1", "run": "{fresh}", "present": "1"}),
    ("train.py", {"lesson": "1", "training__steps": "x", "pace": "Warp"}),
    ("train.py", {"view": "compare"}),
    ("train.py", {"view": "compare", "with": "{paused},{fresh},of nobody", "sorted": "loss", "charts": "True"}),
    (
        "train.py",
        {"view": "sweep", "vary": "model.n_heads", "values": "1, 2", "vary2": "seed", "values2": "1", "seeds": "9"},
    ),
    ("train.py", {"view": "sweep", "sweep": "{running}", "measure": "loss"}),
    ("step_through.py", {"run": "{fresh}", "step": "0", "operation": "logits", "cell": "0.0", "gradient": "True"}),
    ("step_through.py", {"model": "quick-copy", "input": "1 2", "target": "3", "said": "1", "padding": "2"}),
    ("step_through.py", {"hub": "no address"}),
    ("generate.py", {"tokens": "9999", "forced": "0:5,1:x", "decoding": "beams", "beams": "3", "attention": "none"}),
    ("checkpoints.py", {"view": "hub"}),
    ("checkpoints.py", {"view": "library", "find": "quick", "sort": "name", "pair": "quick-copy,quick-reverse"}),
]


def test_no_word_of_any_page_s_address_changes_what_lasts(visitor, runs, hub):
    before = lasting(visitor)
    for name, fixed in ADDRESSED_VIEWS:
        opened(name, **{word.replace(".", "__"): "1" for word in WORDS if word not in LEADING} | fixed)
    assert lasting(visitor) == before


@pytest.mark.parametrize(("name", "query"), LINKS, ids=lambda each: each if isinstance(each, str) else "&".join(each))
def test_a_link_leaves_everything_as_it_is(visitor, runs, hub, name, query):
    ids = {kind: run.id for kind, run in zip(("ended", "running", "paused", "fresh"), runs, strict=True)}
    words = {word: value.format(**ids) for word, value in query.items()}
    before = lasting(visitor)
    app = opened(name, **words)
    fine(app.run())
    assert lasting(visitor) == before


def test_a_model_of_the_hub_is_not_pulled_by_a_link(visitor, runs, hub):
    before = lasting(visitor)
    for name in ("build.py", "step_through.py"):
        fine(opened(name, hub="ada/reverse").run())
        assert not services().jobs.jobs(visitor)
    assert lasting(visitor) == before


def remembered(visitor: str) -> dict[str, object]:
    return {key.name: value for key, value in form_settings._remembered.get(visitor)}


def test_the_form_of_a_link_is_remembered_once_a_person_changes_it(visitor, runs):
    app: AppTest = opened("build.py", task__name="copy", model__d_model="48")
    assert remembered(visitor)["model.d_model"] == 32
    next(each for each in app.number_input if each.key == "model.d_ff").set_value(64).run()
    assert fine(app).session_state["task.name"] == "copy"
    assert {path: remembered(visitor)[path] for path in ("model.d_model", "model.d_ff")} == {
        "model.d_model": 48,
        "model.d_ff": 64,
    }
