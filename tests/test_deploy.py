"""The app as a container and as a Space: the Dockerfile's own steps without Docker, and that all its words agree."""

import fnmatch
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from huggingface_hub import SpaceCard

from playground.settings.host import Host
from playground.storage.library import SHIPPED
from playground.ui.hub import oauth
from playground.ui.shell.navigation import _foot
from tests.browser.conftest import free_port
from tests.helpers import HANG, live, until
from tests.hub import environment
from tests.load.client import Visitor
from tests.load.scenarios import has_ended

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
SPACE = SpaceCard(README).data.to_dict()


def dockerfile() -> Iterator[tuple[str, str]]:
    """Instruction and words of each step."""
    text = re.sub(r"^\s*#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    for line in filter(None, text.replace("\\\n", " ").splitlines()):
        instruction, words = line.split(maxsplit=1)
        yield instruction, words


STEPS = list(dockerfile())


def words(instruction: str) -> list[str]:
    return [words for name, words in STEPS if name == instruction]


def variables() -> dict[str, str]:
    return dict(pair.split("=", 1) for line in words("ENV") for pair in line.split())


def ignored(path: str) -> bool:
    """Whether .dockerignore keeps a file out of the image; the last pattern that fits decides."""
    out = False
    for pattern in (ROOT / ".dockerignore").read_text().splitlines():
        if pattern and not pattern.startswith("#"):
            shape = pattern.lstrip("!").removeprefix("**/")
            parts = path.split("/")
            heads = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
            if any(fnmatch.fnmatch(head, shape) and head.count("/") == shape.count("/") for head in heads) or (
                pattern.startswith("**/") and shape in parts
            ):
                out = not pattern.startswith("!")
    return out


def tracked() -> list[str]:
    return subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="the linter has no program for Windows")
def test_the_linter_has_nothing_to_say():
    linter = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    linted = subprocess.run([linter, "--no-color", ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (linted.returncode, linted.stdout) == (0, ""), linted.stdout + linted.stderr


def test_one_port_one_python_one_user():
    port = variables()["STREAMLIT_SERVER_PORT"]
    assert words("EXPOSE") == [port]
    assert f"http://127.0.0.1:{port}/_stcore/health" in words("HEALTHCHECK")[0]
    assert SPACE["app_port"] == int(port)
    assert f"-p 127.0.0.1:{port}:{port}" in README
    (version,) = re.findall(r"^python:(\d\.\d+)-slim@", words("FROM")[0])
    assert f'python-version: "{version}"' in (ROOT / ".github" / "workflows" / "tests.yml").read_text()
    assert f"With Python {version}" in README
    assert words("USER") == ["1000"]
    assert "--uid 1000" in words("RUN")[0]


def test_torch_comes_from_the_cpu_index_in_the_version_of_the_requirements():
    (install,) = [run for run in words("RUN") if "pip install" in run]
    torch, packages = [part for part in install.split("&&") if "pip install" in part]
    assert "--require-hashes --index-url https://download.pytorch.org/whl/cpu" in torch
    assert "--require-hashes -r /tmp/requirements.txt" in packages
    (version,) = re.findall(r"torch==(\d+\.\d+\.\d+)\+cpu .*--hash=sha256:", install)
    assert f"\ntorch=={version}\n" in (ROOT / "requirements.txt").read_text()
    assert f"torch {version} first" in README


def test_nothing_that_builds_it_can_change_unseen():
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text()
    assert "\npermissions:\n  contents: read\n" in workflow
    jobs = yaml.safe_load(workflow)["jobs"].values()
    assert all(job["timeout-minutes"] for job in jobs)
    used = [step["uses"] for job in jobs for step in job["steps"] if "uses" in step]
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", each) for each in used), used
    assert re.search(r"@sha256:[0-9a-f]{64}$", words("FROM")[0])


def test_what_is_written_lies_below_the_home_and_not_in_the_code():
    home, (code,) = variables()["HOME"], words("WORKDIR")
    for name in ("HF_HOME", "PLAYGROUND_CHECKPOINTS"):
        assert Path(variables()[name]).is_relative_to(home)
    assert not Path(home).is_relative_to(code)
    assert "--chown" not in " ".join(words("COPY"))


def test_the_image_holds_what_the_app_runs_on_and_nothing_of_whoever_builds_it():
    inside = [path for path in tracked() if not ignored(path)]
    tops = {path.split("/")[0] for path in inside}
    assert tops >= {"app.py", "pages", "playground", "checkpoints", "requirements.txt", ".streamlit"}
    assert [path for path in inside if path.startswith(".github")] == [".github/requirements.txt"]
    assert not tops & {"tests", ".git", ".ci"}
    for name in SHIPPED:
        assert f"checkpoints/{name}/model.safetensors" in inside
    for own in (
        *("checkpoints/mine/model.safetensors", "checkpoints/.visitors/a/library/b/config.json", ".env"),
        *(".streamlit/secrets.toml", ".venv/bin/python", "playground/__pycache__/cli.pyc", ".git/config"),
    ):
        assert ignored(own), own


def test_the_readme_begins_as_the_hub_wants_it_of_a_space():
    assert SPACE["sdk"] == "docker"
    assert SPACE["license"] == "mit"
    assert {SPACE["colorFrom"], SPACE["colorTo"]} <= {
        "red",
        "yellow",
        "green",
        "blue",
        "indigo",
        "purple",
        "pink",
        "gray",
    }
    assert len(SPACE["short_description"]) <= 60
    assert "transformer-playground" in SPACE["tags"]
    assert SPACE["hf_oauth"] is True
    assert SPACE["hf_oauth_expiration_minutes"] == 480
    assert oauth.SCOPES.split() == ["openid", "profile", *SPACE["hf_oauth_scopes"]]


def test_the_three_lines_that_make_a_space_do(hub, tmp_path):
    (code,) = re.findall(r"```python\n(from huggingface_hub .*?)```", README, re.DOTALL)
    assert len(list(filter(None, code.splitlines()))) == 3
    clone = tmp_path / "clone"
    copy_tracked(clone)
    known = os.environ | environment(hub, str(tmp_path / "home"), hub.token("alice"))
    mine = code.replace("you/playground", "alice/playground")
    subprocess.run([sys.executable, "-c", mine], cwd=clone, env=known, check=True)
    repo = hub.store.find("spaces", "alice/playground")
    pushed = repo.head.files
    assert set(tracked()) <= set(pushed)
    assert SpaceCard(pushed["README.md"].content.decode()).data.to_dict() == SPACE


def copy_tracked(to: Path, without: Callable[[str], bool] = lambda _: False) -> None:
    for path in tracked():
        if not without(path):
            (to / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, to / path)


def test_a_space_says_at_the_foot_of_every_page_what_it_forgets_and_how_to_have_one():
    assert "Space" not in _foot(Host(), "")
    space = _foot(Host(mode="shared", expiry_days=7), "someone/playground")
    assert "deleted 7 days after your last visit. This Space loses everything when it restarts or sleeps" in space
    assert "https://huggingface.co/spaces/someone/playground?duplicate=true" in space
    kept = _foot(Host(mode="shared", checkpoints=Path("/data/library")), "someone/playground](javascript:x)")
    assert "loses" not in kept
    assert "javascript" not in kept


BECOME = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups"]
READ_ALL = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
"""For a Python that lies in root's own folder: may read everything, and write no more than any user."""


def as_other_user() -> list[str]:
    """What to put before a command to give it to user 1000; nothing where this process cannot."""
    for prefix in (BECOME, [*BECOME, *READ_ALL]):
        with suppress(OSError):
            command = [*prefix, "sh", "-c", f"{shlex.quote(sys.executable)} -c 'import streamlit'"]
            tried = subprocess.run(command, cwd="/", capture_output=True, check=False)
            if not tried.returncode:
                return prefix
    return []


@pytest.fixture
def open_folder():
    """A folder that other users may enter, unlike pytest's."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
        for path in filter(Path.is_dir, Path(folder).rglob("*")):
            path.chmod(0o755)  # or only root could remove it


@pytest.mark.skipif(sys.platform == "win32", reason="the steps are those of a Linux image")
def test_the_images_steps_make_a_space_that_trains_and_saves_and_writes_nothing_into_its_code(open_folder):
    code, home, port = open_folder / "app", open_folder / "home", str(free_port())
    copy_tracked(code, without=ignored)
    files = sorted(code.rglob("*"))
    for path in (*files, code):
        path.chmod(0o555 if path.is_dir() else 0o444)
    home.mkdir()
    user = as_other_user()
    if user:
        os.chown(home, 1000, 1000)

    def here(text: str) -> str:
        text = text.replace(variables()["HOME"], str(home))
        return text.replace(variables()["STREAMLIT_SERVER_PORT"], port)

    environment = {name: here(value) for name, value in variables().items()}
    environment |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    environment |= {"SPACE_ID": "someone/playground", "SPACE_HOST": "someone-playground.hf.space"}
    environment |= {"OAUTH_CLIENT_ID": "name", "OAUTH_CLIENT_SECRET": "hush-hush"}
    run = {"cwd": code, "env": environment}
    as_user = STEPS[STEPS.index(("USER", "1000")) :]
    for step in [words for name, words in as_user if name == "RUN"]:
        subprocess.run([*user, "sh", "-c", here(step)], **run, check=True)

    log = open_folder / "log"
    with log.open("w") as out:
        server = subprocess.Popen([*user, *json.loads(words("CMD")[0])], **run, stdout=out, stderr=out)
    healthy = json.loads(here(words("HEALTHCHECK")[0]).partition("CMD ")[2])
    try:
        health = [*user, *healthy]
        until(
            lambda: (
                server.poll() is not None
                or not subprocess.run(health, **run, capture_output=True, check=False).returncode
            ),
            log.read_text,
        )
        assert server.poll() is None, log.read_text()
        live(trains_and_saves(f"http://127.0.0.1:{port}"))
    finally:
        server.send_signal(signal.SIGTERM)
        ended = server.wait(HANG)
    assert ended in (0, -signal.SIGTERM)
    (saved,) = (home / "library" / ".visitors").glob("*/library/from-a-space/model.safetensors")
    assert not user or saved.stat().st_uid == 1000
    assert sorted(code.rglob("*")) == files
    for word in ("Traceback", "hush-hush", "Permission denied"):
        assert word not in log.read_text()


async def trains_and_saves(address: str) -> None:
    for path in ("/", "/_stcore/health"):
        with urllib.request.urlopen(address + path) as answer:
            cookies = {each.partition("=")[0]: each.lower() for each in answer.headers.get_all("Set-Cookie")}
        plain = {name: re.sub("_[0-9a-f]{8}$", "", name) for name in cookies}
        for name in [name for name in cookies if plain[name] != "playground_direct"]:
            assert "samesite=none; secure" in cookies[name] or "secure; samesite=none" in cookies[name], (
                "or it is not sent in the Space's frame"
            )
            assert ("partitioned" in cookies[name]) is plain[name].endswith("_framed")
        assert {*plain.values()} & {"playground_visitor_framed", "_streamlit_xsrf"}
    visitor = Visitor(address, "train")
    await visitor.open()
    await visitor.set("Pace", "Full speed")
    await visitor.click("Train")
    await visitor.until(lambda: has_ended(visitor))
    await visitor.page("checkpoints")
    assert set(SHIPPED) <= set(re.findall(r"[a-z]+-1-16", " ".join(visitor.texts())))
    await visitor.set("save_name", "from-a-space")
    await visitor.click("Save")
    assert not visitor.errors
    await visitor.close()
