"""Limits of a host: from environment variables, documented in the README, and expiry of what nobody comes back for."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from playground.runs import Runs
from playground.settings.host import Host, HostError, cores, variables
from tests.helpers import HANG, LONG

ROOT = Path(__file__).parent.parent


def test_an_own_machine_limits_only_the_number_of_workers():
    host = Host.from_environment({})
    assert not host.shared
    assert (host.workers, host.run_mb, host.run_minutes, host.idle_minutes, host.quota_mb) == (8, 0, 0, 0, 0)
    assert host.checkpoints == ROOT / "checkpoints"


@pytest.mark.parametrize("environment", [{"SPACE_ID": "someone/space"}, {"PLAYGROUND_MODE": "shared"}])
def test_a_shared_host_has_limits(environment):
    host = Host.from_environment(environment)
    assert host.shared
    assert 0 < host.workers_per_visitor < host.workers
    assert min(host.run_mb, host.run_minutes, host.idle_minutes, host.quota_mb, host.expiry_days) > 0


def test_every_limit_can_be_set_and_an_empty_variable_is_ignored():
    host = Host.from_environment(
        {"SPACE_ID": "x", "PLAYGROUND_MODE": "own", "PLAYGROUND_WORKERS": "3", "PLAYGROUND_QUOTA_MB": ""}
    )
    assert (host.mode, host.workers, host.quota_mb) == ("own", 3, 0)
    host = Host.from_environment({"PLAYGROUND_MODE": "shared", "PLAYGROUND_QUOTA_MB": "7"})
    assert host.quota_mb == 7
    assert host.private_folder == host.checkpoints / ".visitors"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("MODE", "public"), ("WORKERS", "0"), ("WORKERS", "many"), ("RUN_MB", "-1"), ("IDLE_MINUTES", "nan")],
        *[("SIZE_FACTOR", "17"), ("SIZE_FACTOR", "large")],
        *[("URL", "playground.test"), ("URL", "https://playground.test/app"), ("URL", "javascript://x")],
        *[("URL", "https://a.test,b.test"), ("ALLOWED_HOSTS", "a b"), ("ALLOWED_HOSTS", "a,http://b")],
        *[("ALLOWED_HOSTS", "*"), ("ALLOWED_HOSTS", "[::1")],
    ],
)
def test_an_invalid_value_is_refused_with_the_variable_name(name, value):
    with pytest.raises(HostError) as caught:
        Host.from_environment({f"PLAYGROUND_{name}": value})
    assert str(caught.value).startswith(f"PLAYGROUND_{name} is '{value}', which is not allowed: ")


def test_the_machines_own_login_is_used_only_if_allowed_and_never_on_a_shared_host():
    assert not Host.from_environment({}).hub_login
    assert Host.from_environment({"PLAYGROUND_HUB_LOGIN": "1"}).hub_login
    for shared in ({"SPACE_ID": "a/b"}, {"PLAYGROUND_MODE": "shared"}):
        with pytest.raises(HostError, match="for all visitors"):
            Host.from_environment({"PLAYGROUND_HUB_LOGIN": "1", **shared})


def test_larger_models_need_an_own_machine():
    assert Host.from_environment({"PLAYGROUND_SIZE_FACTOR": "4"}).size_factor == 4
    with pytest.raises(HostError, match="for all visitors"):
        Host.from_environment({"PLAYGROUND_SIZE_FACTOR": "4", "SPACE_ID": "a/b"})
    tried = "from playground.settings.config import SIZE_FACTOR; print(SIZE_FACTOR)"
    for given, factor in (("4", "4"), ("99", "16"), ("large", "1"), ("", "1")):
        environment = os.environ | {"PLAYGROUND_SIZE_FACTOR": given}
        output = subprocess.run(
            [sys.executable, "-c", tried], env=environment, capture_output=True, text=True, cwd=ROOT
        )
        assert output.stdout.strip() == factor, output.stderr


def test_the_url_comes_from_a_space_or_a_variable():
    assert Host.from_environment({}).url == ""
    assert Host.from_environment({"SPACE_HOST": "a-b.hf.space"}).url == "https://a-b.hf.space"
    variables = {"SPACE_HOST": "a-b.hf.space", "PLAYGROUND_URL": "http://127.0.0.1:8501"}
    assert Host.from_environment(variables).url == "http://127.0.0.1:8501"


def test_a_space_with_a_custom_domain_has_several_names():
    host = Host.from_environment({"SPACE_HOST": "a-b.hf.space, Model.test", "PLAYGROUND_ALLOWED_HOSTS": "c.test"})
    assert host.url == "https://a-b.hf.space"
    assert all(map(host.is_own_name, ("a-b.hf.space", "model.test", "c.test")))


LOOPBACK = ["localhost", "LocalHost:8501", "localhost.", "a.localhost:1", "127.0.0.1", "127.9.9.9:80", "[::1]:8501"]


@pytest.mark.parametrize("name", [*LOOPBACK, "[0:0:0:0:0:0:0:1]"])
def test_loopback_is_always_an_own_name(name):
    assert Host().is_own_name(name)


@pytest.mark.parametrize("name", ["play.test", "PLAY.test.:80", "192.168.1.5:8501", "[FD00:0::1]", "lecture.local"])
def test_listed_names_are_own_names_with_any_port(name):
    variables = {
        "PLAYGROUND_URL": "https://Play.test:8443",
        "PLAYGROUND_ALLOWED_HOSTS": "192.168.1.5,[fd00::1]:80,lecture.local.",
    }
    assert Host.from_environment(variables).is_own_name(name)
    assert not Host().is_own_name(name)


STRANGE = [
    "",
    " localhost",
    "127.1",
    "0.0.0.0",
    "[::]",
    "::1",
    "[::1",
    ".",
    ":",
    "localhost:x",
    "a@localhost",
    "localhost/",
]


@pytest.mark.parametrize(
    "name", [*STRANGE, "evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "xlocalhost", "localhost,evil.test"]
)
def test_other_names_are_not_own_names(name):
    assert not Host().is_own_name(name)


def test_a_containers_quota_counts_as_cores(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    process, group = tmp_path / "cgroup", tmp_path / "groups" / "pod" / "app"
    assert cores(tmp_path / "groups", process) == 8
    group.mkdir(parents=True)
    process.write_text("1:cpu:/elsewhere\n0::/pod/app\n")
    for own, above, found in [
        ("max", "max", 8),
        ("200000", "max", 2),
        ("350000", "400000", 3),
        ("900000", "100000", 1),
        ("50000", "max", 1),
    ]:
        (group / "cpu.max").write_text(f"{own} 100000\n")
        (group.parent / "cpu.max").write_text(f"{above} 100000\n")
        assert cores(tmp_path / "groups", process) == found, (own, above)


def test_the_table_in_the_readme_is_true():
    readme = (ROOT / "README.md").read_text()
    for row in variables():
        name, meaning, own, shared = row
        assert f"| `{name}` | {meaning} | {own} | {shared} |" in readme, row
    documented = set(re.findall(r"^\| `(PLAYGROUND_\w+)`", readme, re.MULTILINE))
    assert documented == {name for name, *_ in variables()} | {"PLAYGROUND_SOURCE_URL"}


@pytest.fixture
def visited(tmp_path):
    """A host that has not seen one visitor for eight days and another for one."""
    for owner, days in (("old", 8), ("new", 1)):
        folder = tmp_path / ".visitors" / owner
        (folder / "library" / "model").mkdir(parents=True)
        (folder / "seen").touch()
        then = time.time() - days * 86400
        os.utime(folder / "seen", (then, then))
    return Host(mode="shared", checkpoints=tmp_path, expiry_days=7)


def left(host: Host) -> set[str]:
    return {path.name for path in host.private_folder.iterdir() if path.is_dir()}


def test_data_of_absent_visitors_expires(visited):
    runs = Runs(visited)
    runs.tick()
    assert left(visited) == {"new"}
    assert (visited.private_folder / "new" / "library" / "model").is_dir()


def test_a_visit_restarts_the_expiry(visited):
    Runs(visited).current("old")
    Runs(visited).tick()
    assert left(visited) == {"old", "new"}


def test_a_visit_of_several_days_does_not_expire(visited):
    runs, seen = Runs(visited), visited.private_folder / "old" / "seen"
    runs.start("old", LONG, paused=True)
    os.utime(seen, (1, 1))
    runs.tick()
    assert time.time() - seen.stat().st_mtime < HANG
    runs.close()


def test_nothing_expires_after_the_system_clock_was_set(visited, monkeypatch):
    runs, now = Runs(visited), time.time
    monkeypatch.setattr(time, "time", lambda: now() + 30 * 86400)
    runs.tick()
    assert left(visited) == {"old", "new"}


def ran_up_to(host: Host, days: float) -> None:
    """A server last ran this many days ago."""
    then = time.time() - days * 86400
    (host.private_folder / "clock").touch()
    os.utime(host.private_folder / "clock", (then, then))


def started(host: Host) -> None:
    runs = Runs(host)
    runs.data.claim()
    runs.tick()
    runs.close()


@pytest.mark.parametrize("known", [True, False])
def test_a_start_with_a_clock_far_ahead_deletes_nobodys_data(visited, known):
    os.utime(visited.private_folder / "old" / "seen", (time.time() - 9 * 86400,) * 2)
    os.utime(visited.private_folder / "new" / "seen", (time.time() - 8 * 86400,) * 2)
    if known:
        ran_up_to(visited, 8)
    started(visited)
    assert left(visited) == {"old", "new"}
    away = {name: time.time() - (visited.private_folder / name / "seen").stat().st_mtime for name in left(visited)}
    assert 86300 < away["old"] - away["new"] < 86500, "who was away longer still is"
    assert away["new"] < HANG
    started(visited)
    assert left(visited) == {"old", "new"}


def test_days_on_which_a_server_ran_count_across_its_restarts(visited):
    ran_up_to(visited, 0.01)
    started(visited)
    assert left(visited) == {"new"}
    assert time.time() - (visited.private_folder / "clock").stat().st_mtime < HANG


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="Only Linux has this clock.")
def test_expiry_continues_after_sleep(visited, monkeypatch):
    """Asleep, time and the time since the start go on; what a process takes for monotonic stands still."""
    runs, now, clock = Runs(visited), time.time, time.clock_gettime
    slept = 2 * 3600
    monkeypatch.setattr(time, "time", lambda: now() + slept)
    monkeypatch.setattr(time, "clock_gettime", lambda which: clock(which) + slept * (which == time.CLOCK_BOOTTIME))
    runs.tick()
    assert left(visited) == {"new"}


def test_without_expiry_nothing_is_deleted(visited):
    Runs(visited.model_copy(update={"expiry_days": 0})).tick()
    assert left(visited) == {"old", "new"}
