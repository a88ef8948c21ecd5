"""The program that draws charts is made once on a machine, by a process of its own, and served to be kept."""

import gzip
import subprocess
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from playground.pictures import charts
from playground.ui import startup
from playground.ui.parts.charts import vega


@pytest.fixture
def program(tmp_path, monkeypatch):
    """As on a machine where nothing was made yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = vega._Program()
    monkeypatch.setattr(vega, "program", made)
    return made


@pytest.fixture
def client():
    return TestClient(Starlette(routes=startup.routes()))


def test_it_is_made_once_and_then_read(program, client, monkeypatch, tmp_path):
    answer = client.get(f"/{vega.PROGRAM}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    assert "private" in answer.headers["cache-control"]
    assert answer.text.rstrip().endswith("as vegaEmbed};")
    assert client.get(f"/{vega.PROGRAM}", headers={"accept-encoding": ""}).text == answer.text
    assert [path.stat().st_mode & 0o077 for path in tmp_path.iterdir()] == [0]
    monkeypatch.setattr(subprocess, "run", lambda *_args, **_options: pytest.fail("it was made again"))
    other = vega._Program()
    other.make()
    assert gzip.decompress(other.packed).decode() == answer.text


@pytest.mark.parametrize(
    "damage", [b"", b"\x1f\x8b no zip", gzip.compress(b"x" * 5000)[:-20]], ids=["empty", "no zip", "cut off"]
)
def test_what_was_kept_and_is_damaged_is_made_again(program, monkeypatch, damage, tmp_path):
    kept = tmp_path / "transformer-playground" / f"{vega._NAME}.js.gz"
    kept.parent.mkdir()
    kept.write_bytes(damage)
    done = subprocess.CompletedProcess([], 0, b"made")
    monkeypatch.setattr(subprocess, "run", lambda *_args, **_options: done)
    program.make()
    assert gzip.decompress(program.packed) == b"made"
    assert gzip.decompress(kept.read_bytes()) == b"made"


@pytest.mark.parametrize(
    "error",
    [subprocess.CalledProcessError(1, "python"), RuntimeError("no home directory")],
    ids=lambda error: str(error),
)
def test_a_failure_is_answered_at_once_for_a_minute_and_then_it_is_tried_again(program, client, monkeypatch, error):
    tried = []
    now = 1000.0
    monkeypatch.setattr(vega, "time", SimpleNamespace(monotonic=lambda: now))

    def fails(*_args, **_options):
        tried.append(1)
        raise error

    with monkeypatch.context() as broken:
        broken.setattr(subprocess, "run", fails)
        for wait in (60, 48, 36, 24, 12):
            answer = client.get(f"/{vega.PROGRAM}")
            assert answer.status_code == 503
            assert answer.headers["retry-after"] == str(wait)
            assert answer.headers["cache-control"] == "no-store"
            assert answer.text == f"The server couldn't build the chart program. It tries again in {wait} s."
            broken.setattr(program, "make", lambda: pytest.fail("a thread for each request"))
            now += 12
    assert tried == [1], "a failure is remembered"
    done = subprocess.CompletedProcess([], 0, b"made")
    monkeypatch.setattr(subprocess, "run", lambda *_args, **_options: done)
    assert client.get(f"/{vega.PROGRAM}").text == "made"


def test_specifications_may_be_kept_too(client):
    answer = client.get(f"/{vega.SPECS}")
    assert answer.content == charts.everything()
    assert "immutable" in answer.headers["cache-control"]
