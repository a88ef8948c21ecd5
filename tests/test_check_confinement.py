"""The check of a file from somebody else: it can't write its verdict, and nothing of it outlives its limits."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from playground import cli
from playground.lessons.check.checking import check_file
from playground.lessons.check.code.opened_code import OpenedCode
from playground.lessons.check.code.student_code import load
from playground.lessons.check.process.code_messages import MessageError, packed, receive
from playground.lessons.check.verdict import as_json, failed
from tests.helpers import is_alive, until

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")

RIGHT = """
def attention(query, key, value):
    return (query @ key.transpose(-2, -1) / query.size(-1) ** 0.5).softmax(-1) @ value
"""
WRONG = RIGHT.replace(" / query.size(-1) ** 0.5", "")


def run(*words: object) -> Result:
    return CliRunner().invoke(cli.app, ["check", *map(str, words)])


def written(folder: Path, code: str) -> Path:
    file = folder / "handed_in.py"
    file.write_text(code, "utf-8")
    return file


def notebook(folder: Path, *cells: str) -> Path:
    file = folder / "lesson.ipynb"
    file.write_text(json.dumps({"cells": [{"cell_type": "code", "source": source} for source in cells]}))
    return file


FORGED = {**json.loads(as_json(failed("attention", "Right: \x1b[2Jeverything"))), "verdict": "right"}

FORGERIES = {
    "an answer on every descriptor": f"""
import json, os
forged = {json.dumps(FORGED)!r}
ends = [*range(256), *(f"/proc/{{pid}}/fd/1" for pid in (os.getppid(), "self"))]
for each in ends:
    try:
        end = os.open(each, os.O_WRONLY) if isinstance(each, str) else each
        os.write(end, (forged + chr(10)).encode())
    except OSError:
        pass
os._exit(0)
""",
    "another answer of the check": """
import sys
from playground.lessons.check import checking, verdict
right = verdict.Verdict("attention", "right", None, None, 0.0, "Right: \\x1b[2Jeverything")
for module in [each for each in sys.modules.values() if getattr(each, "__name__", "").startswith("playground")]:
    for name, value in list(vars(module).items()):
        if callable(value) and name in ("failed", "judged", "check_code", "judge", "as_json"):
            setattr(module, name, lambda *_, **__: right)
"""
    + WRONG,
    "weights and outputs of nothing": """
import torch
from playground.lessons.check.code import opened_code
opened_code.OpenedCode.call = lambda *_, **__: opened_code.Returned([torch.zeros(2, 3, 5, 4)], 0.0)
"""
    + WRONG,
    "equal to everything": """
import torch
from playground.lessons.check.judges import judged_leaves
judged_leaves.are_equal = lambda *_: True
torch.allclose = lambda *_, **__: True
"""
    + WRONG,
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_file_cannot_write_its_own_verdict(name: str, tmp_path: Path):
    result = run(written(tmp_path, FORGERIES[name]))
    assert result.exit_code in (1, 2, 3), result.output
    assert "Right" not in result.output
    assert "\x1b" not in result.output


def test_what_a_file_says_has_no_control_characters(tmp_path: Path):
    names = "attention.__name__ = 'at\\x1b[31mtention\\u202e'\n"
    result = run(written(tmp_path, f"{RIGHT}\n{names}"))
    assert result.exit_code == 0, result.output
    raised = "def attention(query, key, value):\n    raise ValueError('\\x1b]0;title\\x07\\x1b[2J\\u202e')\n"
    again = run(written(tmp_path, raised))
    assert again.exit_code == 2
    for each in (result, again):
        assert all(sign.isprintable() for line in each.output.splitlines() for sign in line)


def test_code_that_is_checked_sees_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("HF_TOKEN", "OAUTH_CLIENT_SECRET", "AWS_SECRET_ACCESS_KEY", "MY_PASSWORD"):
        monkeypatch.setenv(name, "hush-hush")
    seen = tmp_path / "seen"
    look = f"""
import os, pathlib
found = repr(dict(os.environ))
try:
    found += pathlib.Path(f"/proc/{{os.getppid()}}/environ").read_text()
except OSError:
    pass
pathlib.Path({str(seen)!r}).write_text(found)
"""
    assert run(written(tmp_path, look + RIGHT)).exit_code == 0
    assert "PATH" in seen.read_text("utf-8")
    assert "hush-hush" not in seen.read_text("utf-8")


@linux
def test_what_a_file_has_started_ends_with_the_check_in_any_session(tmp_path: Path):
    pids = tmp_path / "pids"
    starts = f"""
import os, pathlib, subprocess, time
def leave():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open({str(pids)!r}, "a") as file:
                file.write(f"{{os.getpid()}}\\n")
            time.sleep(600)
        os._exit(0)
    os.wait()
leave()
child = subprocess.Popen(["setsid", "sleep", "600"])
with open({str(pids)!r}, "a") as file:
    file.write(f"{{child.pid}}\\n")
while len(open({str(pids)!r}).read().split()) < 2:
    time.sleep(0.01)
"""
    assert run(written(tmp_path, starts + RIGHT)).exit_code == 0
    for pid in map(int, pids.read_text("utf-8").split()):
        until(lambda pid=pid: not is_alive(pid))


STUBBORN = """
import signal, resource
for each in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(each, signal.SIG_IGN)
signal.setitimer(signal.ITIMER_REAL, 0)
while True:
    pass
"""
GREEDY = {
    "alone": "blocks = [bytearray(2**20) for _ in range(1500)]\n",
    "with a higher limit": """
import resource
for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
    try:
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (ValueError, OSError):
        pass
import time
blocks = []
for _ in range(30):
    blocks.append(bytearray(b"x") * 50_000_000)
    time.sleep(0.1)
""",
    "with others": """
import os, time
for _ in range(3):
    if os.fork() == 0:
        block = bytearray(b"x") * 500_000_000
        time.sleep(600)
time.sleep(600)
""",
}


@linux
def test_no_code_takes_more_time_than_it_has(tmp_path: Path):
    verdict = check_file(written(tmp_path, STUBBORN), "attention", seconds=2)
    assert verdict.verdict == "error"
    assert "stopped after 2 seconds" in verdict.message


@linux
@pytest.mark.parametrize("name", GREEDY)
def test_no_code_takes_more_memory_than_it_has(name: str, tmp_path: Path):
    verdict = check_file(written(tmp_path, GREEDY[name] + RIGHT), "attention")
    assert verdict.verdict == "error"
    assert "MemoryError" in verdict.message or "more than 1,000 MB" in verdict.message


# --- not judged -----------------------------------------------------------------------------------


def test_an_error_of_the_check_is_not_the_codes(tmp_path: Path):
    over_batch = RIGHT.replace("softmax(-1)", "softmax(0)")
    result = run(written(tmp_path, over_batch), "--json")
    verdict = json.loads(result.stdout)
    assert (result.exit_code, verdict["verdict"]) in ((1, "wrong"), (3, "unknown"))
    assert "Your code" not in verdict["message"]


@pytest.mark.parametrize(
    ("code", "part", "says"),
    [
        ("def first(): ...\ndef second(): ...\n", "attention", "has no attention"),
        ("class LayerNorm:\n    def __init__(self, what): ...\n", "layer-norm", "could not call your code"),
        ("def attention(q, k, v, odd):\n    return q[odd[0, 0, 0, 0, 0]]\n", "attention", "does not know 'odd'"),
        ("def feed_forward(x):\n    return x.sinh()\n", "feed-forward", "not judged"),
        ("def causal_mask(n):\n    import torch\n    return torch.ones(n, n).tril(-2).bool()\n", "masks", "not judged"),
    ],
)
def test_what_the_check_cannot_interpret_is_not_judged(code: str, part: str, says: str, tmp_path: Path):
    result = run(written(tmp_path, code), "--part", part, "--json")
    verdict = json.loads(result.stdout)
    assert (result.exit_code, verdict["verdict"]) == (3, "unknown"), verdict
    assert says in verdict["message"]


@pytest.mark.parametrize(
    ("name", "content"),
    {
        "mark.py": b"\xef\xbb\xbf# \xc3\xa9\n" + RIGHT.encode(),
        "cookie.py": b"# -*- coding: latin-1 -*-\n# \xe9\n" + RIGHT.encode(),
        "lesson.ipynb": json.dumps(
            {
                "cells": [
                    {"cell_type": "markdown", "source": ["def attention(:"]},
                    {"cell_type": "code", "source": ["%matplotlib inline\n", "!ls\n", "import math\n"]},
                    {"cell_type": "code", "source": RIGHT},
                ]
            }
        ).encode(),
    }.items(),
)
def test_files_are_read_as_python_reads_them(name: str, content: bytes, tmp_path: Path):
    file = tmp_path / name
    file.write_bytes(content)
    code = OpenedCode(load(file).attention, "attention")
    assert list(code.parameters) == ["query", "key", "value"]
    assert code.line > 1


def test_lines_of_a_notebook_are_counted_in_their_code_cell(tmp_path: Path):
    cells = ["%matplotlib inline\nimport torch", WRONG]
    wrong = run(notebook(tmp_path, *cells), "--json")
    verdict = json.loads(wrong.stdout)
    assert verdict["cause"] == "no-scaling"
    assert verdict["where"].startswith("code cell 2, line ")
    line = int(verdict["where"].partition("line ")[2].partition(":")[0])
    assert "@" in cells[1].splitlines()[line - 1]
    assert "Found: function attention, code cell 2, line " in verdict["message"]
    raised = run(notebook(tmp_path, "import torch\n\n", "\ndef attention(q, k, v):\n    raise ValueError"))
    assert "(lesson.ipynb, code cell 2, line 3)" in raised.stderr


# --- messages -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        b"%16d%16d" % (2, 10**12) + b"{}",
        b"%16d%16d" % (2, 0) + b"{}",
        packed({}, {})[:-1],
        packed({}, {}).replace(b"[]", b'[["x","object",[1]]]'),
    ],
)
def test_bytes_that_are_no_message_are_refused(content: bytes, tmp_path: Path):
    (tmp_path / "message").write_bytes(content)
    with (tmp_path / "message").open("rb") as stream, pytest.raises(MessageError):
        receive(stream)
