"""The pages as Streamlit runs them, without a browser: a host for each test, ways to open a page and to look at it."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from playground.explain.inspection import Walk
from playground.runs import Run, Runs
from playground.settings.host import Host
from playground.ui.session import walks
from playground.ui.session.pages import Page, Slide
from playground.ui.session.services import Services, begin, services
from tests.helpers import HANG

ROOT = Path(__file__).parent.parent


class Example(Page):
    """The row of a page that stands in tests/."""

    file = str(ROOT / "tests" / "new_page.py")


ROW = Example(
    "tokens",
    "Tokens",
    "token",
    "Tokens of an input.",
    forward=True,
    own_slides=(Slide("lengths", "Lengths of vectors", ("token-lengths",)),),
)


@contextmanager
def hosted(folder: Path) -> Iterator[Callable[..., Runs]]:
    """Makes the host that the pages belong to; a second call is the same host after a new start, or with new limits."""
    made = []
    usual = PagesManager.__init__

    def begin_as_served(self, *args, **options) -> None:
        usual(self, *args, **options)
        PagesManager.uses_pages_directory = False  # as the server's start does; else reruns would leave app.py out

    with pytest.MonkeyPatch.context() as patch:

        def make(**limits) -> Runs:
            made.append(begin(Services.of(Host(checkpoints=folder, **limits))).runs)
            return made[-1]

        patch.setattr(PagesManager, "__init__", begin_as_served)
        make()
        yield make
        for runs in made:
            runs.close()


@pytest.fixture(autouse=True)
def host(tmp_path) -> Iterator[Callable[..., Runs]]:
    """A host for each test, see `hosted`."""
    with hosted(tmp_path) as make:
        yield make


def page(name: str, **seeded) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=HANG)
    for key, value in seeded.items():
        app.session_state[key] = value
    app.run()
    return fine(app.switch_page(f"pages/{name}").run())


QUICK = {
    **{"task.name": "copy", "task.min_length": 4, "task.max_length": 4, "task.vocab_size": 4, "model.d_model": 32},
    **{"training.learning_rate": 0.01, "training.eval_every": 10, "pace": "Full speed"},
}
"""Settings with which a run is solved within 40 steps, a fraction of a second."""


def with_settings(name: str, settings: Mapping[str, object]) -> AppTest:
    """A page in a tab in which these settings have been made on Build."""
    app = page("build.py")
    for path, value in settings.items():
        app.session_state[path] = value
    return fine(app.switch_page(f"pages/{name}").run())


def solved(**settings: object) -> AppTest:
    """Train, with a run that has just been solved: with `QUICK`, or these settings instead."""
    app = with_settings("train.py", QUICK | settings)
    button(app, "Train").click().run()
    return wait_for(app, "solved")


def visitor(app: AppTest) -> str:
    return hashlib.sha256(app.session_state["visitor"].encode()).hexdigest()[:32]


def run_of(app: AppTest) -> Run:
    return services().runs.current(visitor(app))


def charted(app: AppTest) -> list[str]:
    """Ids of the runs whose charts are on the page."""
    (drawn,) = (each for each in app.get("bidi_component") if each.proto.component_name.endswith("playground_charts"))
    return [run["id"] for run in json.loads(drawn.proto.json)["runs"]]


def last_walk() -> Walk:
    _, (_, walk) = walks._walks.items()[-1]
    return walk


def fine(app: AppTest) -> AppTest:
    assert not app.exception, app.exception[0].value
    assert not app.get("help_info"), "Streamlit explains a value that a statement of the page has left over."
    return app


def button(app: AppTest, label: str):
    return next(each for each in app.button if each.label == label)


def wait_for(app: AppTest, status: str) -> AppTest:
    run = run_of(app)
    assert run.wait(status), run.status
    return fine(app.run())


def notice(app: AppTest) -> str:
    return text(next(each.proto.body for each in app.get("html") if 'class="notice' in each.proto.body))


def text(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


def link_to(name: str, **query: str) -> AppTest:
    """A visitor who arrives by a link."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=HANG)
    app.run()
    app.switch_page(f"pages/{name}")
    for word, value in query.items():
        app.query_params[word.replace("__", ".")] = value
    return fine(app.run())


def new_tab(name: str, **query: str) -> AppTest:
    """A visitor who opens a link in a new tab."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=HANG)
    app.switch_page(f"pages/{name}")
    for word, value in query.items():
        app.query_params[word.replace("__", ".")] = value
    return fine(app.run())
