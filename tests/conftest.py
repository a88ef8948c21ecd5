"""What holds for every test: one thread, the same examples each time, and the limits of a shared host."""

import functools
import gc
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.pop("PLAYGROUND_SIZE_FACTOR", None)  # read when playground.settings.config is imported
os.environ["HF_HUB_DISABLE_XET"] = "1"  # read when the Hub's client is imported: its large files go by git-lfs
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"  # the same; it would ask for more than a test does
os.environ["OMP_NUM_THREADS"] = "1"  # read when torch is imported, here and in the processes that tests start
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # a cluster of the tests listens on loopback alone

import pytest
import torch
from hypothesis import HealthCheck, settings
from streamlit.components.v2 import manifest_scanner

from playground.processes.child import USUAL_NICENESS
from playground.runs import Runs
from playground.runs.backends import SHARED
from playground.settings.host import Host
from playground.ui.session.services import Services, begin
from tests import helpers, thorough
from tests.helpers import until
from tests.hub import Hub, running_hub

torch.set_num_threads(1)
SHARED.niceness = USUAL_NICENESS  # on cores that other tests want, runs of a shared host would hardly advance
# Each AppTest reads the metadata of all installed packages, which takes longer than its page: here they are read once.
manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)

_LISTED_FILES = 10
_seconds: Counter[str] = Counter()  # of each test file


begin(Services.of(Host.from_environment()))  # as the server's start does; `hosted` of pages.py gives a test its own


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="also the cases that take long and rarely tell more")


def pytest_configure(config: pytest.Config) -> None:
    helpers.THOROUGH = config.getoption("--thorough")
    settings.register_profile(
        "playground",
        max_examples=helpers.examples(15),
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("playground")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is for --thorough alone, unless it is asked for: see thorough.py."""
    if not helpers.THOROUGH:
        few = thorough.few([item.nodeid for item in items if not item.get_closest_marker("thorough")])
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in few])
        items[:] = [item for item in items if item.nodeid in few]


def pytest_collection_finish() -> None:
    """What has been imported and collected stays to the end, so garbage collections need not look at it."""
    gc.collect()
    gc.freeze()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.location[0]] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # a process of pytest-xdist
        session.config.workeroutput["outdated"] = sorted(helpers.OUTDATED)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    helpers.OUTDATED.update(getattr(node, "workeroutput", {}).get("outdated", ()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if helpers.OUTDATED and not helpers.THOROUGH:
        terminalreporter.section("all cases ran, until the number of cases is right again")
        for line in sorted(helpers.OUTDATED):
            terminalreporter.write_line(line)
    if len(_seconds) > _LISTED_FILES:
        terminalreporter.section(f"the {_LISTED_FILES} slowest files, of {sum(_seconds.values()):,.0f} s")
        for name, seconds in _seconds.most_common(_LISTED_FILES):
            terminalreporter.write_line(f"{seconds:7.1f} s  {name}")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Callable[..., Runs]]:
    """Makes the runs of a host; a second call is the same host after a restart."""
    made: list[Runs] = []

    def make(**limits: Any) -> Runs:
        for runs in made:  # a run says that it has ended a moment before its description is on disk
            until(functools.partial(_described, runs))
        made.append(Runs(Host(checkpoints=tmp_path, **limits)))
        return made[-1]

    yield make
    for runs in made:
        runs.close()


def _described(runs: Runs) -> bool:
    return not any(run.ended and run.has_worker for run in list(runs._all()))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A small Hub of its own for this test, and the client of the app's server in this process."""
    from tests.hub.client import use

    with running_hub() as hub:
        use(hub.url, monkeypatch)
        yield hub
