"""NOTEBOOK.md: its blocks run, in their order, as a person copies them, and its commands after them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import playground
from tests.test_cli import done

ROOT = Path(__file__).parent.parent
NOTEBOOK = (ROOT / ".github" / "NOTEBOOK.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", NOTEBOOK, re.DOTALL)
COMMANDS = re.findall(r"^python -m playground (.*)$", NOTEBOOK, re.MULTILINE)


def test_every_block_runs_and_every_command_writes_its_file(tmp_path, monkeypatch):
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(BLOCKS)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert {"adders", "adder", "inductor", "circuit.json"} <= {path.name for path in tmp_path.iterdir()}
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        done(*command.split())
        if out := re.search(r"--out (\S+)", command):
            assert (tmp_path / out[1]).exists(), command


def test_it_names_only_what_everybody_can_call():
    named = set(re.findall(r"playground\.(\w+)\(", NOTEBOOK))
    assert named <= set(playground.__all__)
    studied = (
        "ablate answer attribute circuit configure data development evaluate fit influence intervene load patch push"
    )
    assert {*studied.split(), "record", "roles", "run_with_cache", "save", "text", "tokens"} <= named
    assert not re.search(r"playground\._|from playground", NOTEBOOK)
    assert len(BLOCKS) > 12
    assert len(COMMANDS) > 8
