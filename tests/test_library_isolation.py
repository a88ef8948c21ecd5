"""`playground.load` and `push` in somebody's program: its client makes the requests, and is the same afterwards.

Each story is a program of its own, with the Hub's client as that program has set it up.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import playground
from playground.recording import REPOSITORY
from tests.helpers import HANG
from tests.hub import Hub
from tests.saved import RECORDS, tiny

PROGRAM = """
import json, multiprocessing, os, subprocess, sys, threading
import httpx2, huggingface_hub
from huggingface_hub import constants, get_session
from huggingface_hub.utils import _http

asked = []

def factory():
    hooks = {"request": [lambda request: asked.append(request.url.path)]}
    return httpx2.Client(timeout=77, headers={"X-Program": "mine"}, event_hooks=hooks)

huggingface_hub.set_client_factory(factory)
session = get_session()
CHILD = [sys.executable, "-c", "import json, os; print(json.dumps(dict(os.environ)))"]

def state():
    return {
        "environment": dict(os.environ),
        "environment of a child": json.loads(subprocess.check_output(CHILD)),
        "constants": {name: repr(value) for name, value in vars(constants).items() if name.isupper()},
        "factory": _http._GLOBAL_CLIENT_FACTORY is factory,
        "asynchronous factory": _http._GLOBAL_ASYNC_CLIENT_FACTORY is _http.default_async_client_factory,
        "session": get_session() is session and not session.is_closed,
        "timeout": get_session().timeout.read,
        "headers": dict(get_session().headers),
        "hooks": [len(hooks) for hooks in get_session().event_hooks.values()],
    }

def download():
    url = f"{os.environ['HF_ENDPOINT']}/alice/other/resolve/main/large.bin"
    with get_session().stream("GET", url, follow_redirects=True) as answer:
        received.append(b"".join(answer.iter_bytes()))

before, received = state(), []
thread = threading.Thread(target=download)
thread.start()
print("began", flush=True)
sys.stdin.readline()

import playground

playground.load("alice/tiny", token=os.environ["ALICE"])
playground.push("tiny", "alice/pushed", token=os.environ["ALICE"])
get_session().get(os.environ["HF_ENDPOINT"])
print("done", flush=True)
thread.join()
after = state()
print(json.dumps({
    "changed": [name for name in before if before[name] != after[name]],
    "received": [len(content) for content in received],
    "by this client": {"/api/models/alice/tiny", "/api/models/alice/pushed/commit/main"} <= {*asked},
}))
"""


@contextmanager
def program(hub: Hub, home: Path, text: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """Python with this package and nothing of this process's environment."""
    environment = {"PATH": os.defpath, "HOME": str(home), "PYTHONPATH": str(REPOSITORY), "HF_ENDPOINT": hub.url}
    environment |= {"ALICE": hub.token("alice"), "HF_HUB_DISABLE_XET": "1"} | variables
    pipe = subprocess.PIPE
    command = [sys.executable, "-B", "-c", text]
    with subprocess.Popen(command, cwd=home, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def home(hub: Hub, tmp_path: Path) -> Path:
    """A folder with a checkpoint, of which the Hub has a copy."""
    playground.save(tmp_path / "tiny", tiny(), RECORDS)
    hub.put_repo("alice/tiny", {path.name: path.read_bytes() for path in (tmp_path / "tiny").iterdir()}, private=True)
    return tmp_path


def test_a_users_program_and_its_downloads_are_unaffected(hub, home):
    size = 500_000
    hub.put_repo("alice/other", {"large.bin": bytes(size)})
    slow = hub.hold("large.bin", after_bytes=1000, skip=1)  # after the redirection
    with program(hub, home, PROGRAM) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "began\n"
        assert slow.held.wait(HANG)
        process.stdin.write("go on\n")
        process.stdin.flush()
        assert process.stdout.readline() == "done\n"
        slow.release.set()
        result = json.loads(process.stdout.readline())
    assert result == {"changed": [], "received": [size], "by this client": True}
    assert hub.commits("alice/pushed")[0].authors == ("alice",)


SERVER = """
import os
from pathlib import Path
from pydantic import SecretStr
from playground.hub.preparation import prepare
from playground.hub.pull import pull
from playground.hub.push import push
from playground.hub.reference import Reference
from playground.storage.library import Library
from playground.ui.server import hub_client

hub_client.configure()
alice = SecretStr(os.environ["ALICE"])
pull(Reference("alice/tiny"), Library(Path("library")), alice)
push(prepare(Path("tiny"), "alice/pushed"), "alice/pushed", alice, message="Mine", parent=None)
"""


def test_the_server_uses_no_xet_and_tells_nothing_of_its_machine(hub, home):
    """Neither for a download nor for a push, although the Hub offers Xet, whose token endpoint never answers."""
    asked = hub.offer_xet()
    with program(hub, home, SERVER, HF_HUB_DISABLE_XET="0") as process:
        assert process.wait(HANG) == 0
    assert asked.hits == 0
    assert hub.commits("alice/pushed")[0].authors == ("alice",)
    assert not [request.path for request in hub.log if "agent" in request.path]
    assert not [request.agent for request in hub.log if "torch" in request.agent]
