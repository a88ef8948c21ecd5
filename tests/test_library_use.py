"""The package in somebody's program: installed elsewhere, in a process and an account of its own."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import warnings
from pathlib import Path

import pytest
import torch
from huggingface_hub import close_session, constants
from typer.testing import CliRunner, Result

import playground
from playground import cli
from playground.common.errors import CheckpointError, HubError
from playground.hub import library_use
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY
from playground.settings.config import RunConfig
from playground.tasks.batches import make_batch
from tests.helpers import HANG
from tests.hub import Hub
from tests.saved import RECORDS, logits, refusal, tiny
from tests.test_export_gpt2 import GPT, SMALL

BITS = """
import torch
from playground.tasks.batches import make_batch
source = torch.tensor([[4, 5, 6, 7], [7, 4, 0, 0]])
batch = make_batch(checkpoint.config, source, source)
with torch.no_grad():
    print(checkpoint.model(*batch)[0].flatten().view(torch.int32).tolist())
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where `pip install .` has put the package, from a copy of what a clone holds."""
    clone = tmp_path_factory.mktemp("clone")
    shutil.copytree(REPOSITORY / "playground", clone / "playground", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "requirements.txt", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, clone)
    folder = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--target", str(folder), str(clone)], check=True, timeout=HANG)
    return folder


def run(installed: Path, home: Path, hub: Hub, *arguments: str, token: str = "") -> subprocess.CompletedProcess[str]:
    """Python with this package, outside of the repository and with nothing of this process's environment."""
    site = sysconfig.get_paths()["purelib"]
    environment = {
        "PATH": os.defpath,
        "HOME": str(home),
        "PYTHONPATH": f"{installed}{os.pathsep}{site}",
        "HF_ENDPOINT": hub.url,
        "HF_HUB_DISABLE_XET": "1",  # the small Hub has none
    }
    environment |= {"HF_TOKEN": hub.token(token)} if token else {}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, timeout=HANG, check=False)


def test_the_cards_snippet_runs_elsewhere_and_the_model_computes_the_same_bits(hub, installed, tmp_path):
    model = tiny(seed=3)
    playground.save(tmp_path / "tiny", model, RECORDS)
    done = playground.push(tmp_path / "tiny", "alice/tiny", private=True, token=hub.token("alice"))
    hub.commit("alice/tiny", {"model.safetensors": b"later, something else"})
    hub.repos["alice/tiny"].private = False
    card = hub.files("alice/tiny", done.commit)["README.md"].decode()
    snippet = re.search(r"```python\n(.*?)```", card, re.DOTALL)[1]
    expected = re.search(r"# (.*)$", snippet, re.MULTILINE)[1]
    (tmp_path / "snippet.py").write_text(snippet + BITS)
    ran = run(installed, tmp_path, hub, "-W", "error", "snippet.py", token="bob")
    assert ran.returncode == 0, ran.stderr
    answered, bits = ran.stdout.splitlines()
    assert answered == expected == playground.load(tmp_path / "tiny").answer("3 1 4 1")
    assert json.loads(bits) == logits(model).flatten().view(torch.int32).tolist()
    assert {request.user for request in hub.log if "alice/tiny" in request.path} == {"alice", "bob", ""}
    static = Path("playground", "ui", "server", "static")
    scripts = [{path.name for path in (folder / static).iterdir()} for folder in (installed, REPOSITORY)]
    assert scripts[0] == scripts[1] != set()


def test_a_push_can_carry_the_model_for_transformers(hub, installed, tmp_path):
    model = TaskModel(RunConfig().updated(GPT | SMALL)).eval()
    playground.save(tmp_path / "tiny", model, [])
    command = ["-m", "playground", "push", "tiny", "alice/tiny", "--with", "transformers"]
    pushed = run(installed, tmp_path, hub, *command, token="alice")
    assert pushed.returncode == 0, pushed.stderr
    files = hub.files("alice/tiny", "main")
    assert {"transformers/config.json", "transformers/model.safetensors", "transformers/tokens.json"} <= set(files)
    *_, snippet = re.findall(r"```python\n(.*?)```", files["README.md"].decode(), re.DOTALL)
    source = torch.tensor([[4, 5, 6, 7]])
    batch = make_batch(model.config, source, source)
    assert batch.target is not None
    compute = f"import torch\nprint(model(torch.tensor({batch.target.tolist()})).logits.tolist())\n"
    (tmp_path / "snippet.py").write_text(snippet + compute)
    ran = run(tmp_path / "nothing", tmp_path, hub, "snippet.py", token="bob")
    assert ran.returncode == 0, ran.stderr
    with torch.no_grad():
        right = model(*batch[:3])[0]
    torch.testing.assert_close(torch.tensor(json.loads(ran.stdout)), right, atol=1e-4, rtol=1e-4)
    pulled = run(installed, tmp_path, hub, "-m", "playground", "pull", "alice/tiny", "--out", "back")
    assert pulled.returncode == 0, pulled.stderr
    assert not (tmp_path / "back" / "transformers").exists()


def test_a_push_can_carry_a_circuit_and_describe_it_in_the_card(hub, tmp_path, monkeypatch):
    playground.save(tmp_path / "tiny", tiny(), [])
    part = "encoder.layers.0.self_attention.head.0"
    report = playground.circuit(tmp_path / "tiny", [part])
    for number, given in enumerate((report, [part])):
        playground.push(tmp_path / "tiny", f"alice/tiny{number}", token=hub.token("alice"), circuit=given)
    (tmp_path / "circuit.json").write_text(report.kept.to_json())
    monkeypatch.setenv("HF_TOKEN", hub.token("alice"))
    words = [str(tmp_path / "tiny"), "alice/tiny2", "--circuit", str(tmp_path / "circuit.json")]
    pushed = CliRunner().invoke(cli.app, ["push", *words])
    assert pushed.exit_code == 0, pushed.output
    for number in range(3):
        files = hub.files(f"alice/tiny{number}", "main")
        assert files["circuit.json"].decode() == report.kept.to_json()
        card = files["README.md"].decode()
        assert report.card_text.strip() in card
        assert "The folder" not in card
        assert f"| `{part}` | " in card


@pytest.mark.parametrize(
    ("format", "reason"),
    [("transformers", "It is decoder-only"), ("onnx", "can carry transformers and transformer-lens, not onnx")],
)
def test_a_format_that_a_push_cannot_carry_is_refused_before_anything_is_pushed(hub, tmp_path, format, reason):
    playground.save(tmp_path / "tiny", tiny(), [])
    with pytest.raises(playground.common.errors.PlaygroundError, match=reason):
        playground.push(tmp_path / "tiny", "alice/tiny", token=hub.token("alice"), formats=[format])
    assert "alice/tiny" not in hub.repos


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("ALL_PROXY", "socks5://secret@127.0.0.1:9", "For a SOCKS proxy, install socksio."),
        ("https_proxy", "socks://secret@127.0.0.1:9", "Begin it with http://, or unset the variable."),
        ("HF_ENDPOINT", "hub.example.org", "Write it like https://hub.example.org, or unset it."),
        ("HF_ENDPOINT", "htp://hub.example.org", "Write it like https://hub.example.org, or unset it."),
    ],
)
def test_a_setting_of_the_host_is_named_and_not_the_hub(tmp_path, monkeypatch, name: str, value: str, advice: str):
    for other in ("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "https_proxy", "http_proxy", "HF_TOKEN"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setitem(sys.modules, "socksio", None)  # not installed
    monkeypatch.setenv(name, value)
    if name == "HF_ENDPOINT":
        monkeypatch.setattr(constants, "ENDPOINT", value)
    close_session()
    monkeypatch.setattr(library_use, "HF_HUB_CACHE", str(tmp_path / "cache"))
    failed = CliRunner().invoke(cli.app, ["pull", "alice/tiny", "--out", str(tmp_path / "copy")])
    assert failed.exit_code == 2
    assert failed.stderr.startswith("Error: ")
    assert len(failed.stderr.splitlines()) == 1
    assert name in failed.stderr
    assert advice in failed.stderr
    assert "secret" not in failed.output
    assert not (tmp_path / "copy").exists()


def test_the_command_line_pushes_pulls_and_reports_errors_in_one_line(hub, installed, tmp_path, monkeypatch):
    playground.save(tmp_path / "tiny", tiny(), RECORDS)
    command = ["-m", "playground", "push", "tiny", "alice/tiny", "--private"]
    pushed = run(installed, tmp_path, hub, *command, token="alice")
    assert pushed.returncode == 0, pushed.stderr
    assert f"{hub.url}/alice/tiny/commit/" in pushed.stdout
    assert hub.repos["alice/tiny"].private
    nobody = run(installed, tmp_path, hub, *command)
    assert nobody.returncode == 2
    assert nobody.stderr.startswith("Error: No Hub login found on this machine. Run `hf auth login`, set HF_TOKEN")
    monkeypatch.setattr(library_use, "HF_HUB_CACHE", str(tmp_path / "cache"))

    def pull(repo: str, out: str, who: str) -> Result:
        monkeypatch.setenv("HF_TOKEN", hub.token(who))
        return CliRunner().invoke(cli.app, ["pull", repo, "--out", str(tmp_path / out)])

    failed = pull("alice/tiny", "bobs", "bob")
    assert failed.exit_code == 2
    assert failed.stderr.startswith("Error: alice/tiny does not exist on the Hub, or")
    assert len(failed.stderr.splitlines()) == 1
    assert not (tmp_path / "bobs").exists()
    with monkeypatch.context() as patch:
        patch.setattr(library_use, "HF_HUB_CACHE", str(tmp_path / "tiny" / "config.json"))
        failed = pull("alice/tiny", "copy", "alice")
    assert failed.exit_code == 2
    assert failed.stderr == (
        "Error: alice/tiny could not be saved: Not a directory. Downloads are kept in "
        f"{tmp_path / 'tiny' / 'config.json'}. Set HF_HOME to a folder that you can write to.\n"
    )
    assert pull(f"{hub.url}/alice/tiny", "copy", "alice").exit_code == 0
    copy = playground.load(tmp_path / "copy")
    assert logits(copy.model).equal(logits(tiny()))
    assert copy.origin is not None
    assert copy.origin.repo_id == "alice/tiny"
    playground.save(tmp_path / "again", copy)
    assert playground.load(tmp_path / "again").origin == copy.origin
    hub.down()
    offline = pull("alice/tiny", "offline", "alice")
    assert offline.exit_code == 0
    note = f"Warning: Can't reach the Hub. Loaded alice/tiny from the cache: commit {copy.origin.short}.\n"
    assert offline.stderr == note


@pytest.mark.skipif(sys.platform == "win32", reason="limits are Unix's")
def test_a_disk_that_fills_up_during_a_download_is_reported(hub, installed, tmp_path):
    playground.save(tmp_path / "tiny", tiny(), RECORDS)
    size = (tmp_path / "tiny" / "model.safetensors").stat().st_size
    playground.push(tmp_path / "tiny", "alice/tiny", token=hub.token("alice"))
    narrow = f"import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({size // 2}, -1)); "
    narrow += "sys.argv[0] = 'playground'; runpy.run_module('playground', run_name='__main__')"
    command = ["-B", "-c", narrow, "pull", "alice/tiny", "--out", "copy"]
    ran = run(installed, tmp_path, hub, *command)
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[-1].startswith("Error: The disk is full: alice/tiny could not be saved. ")
    assert ran.stderr.endswith("Free some space and try again.\n")
    assert not (tmp_path / "copy").exists()
    assert (
        max((file.stat().st_size for file in (tmp_path / ".cache").rglob("*") if file.is_file()), default=0) < size // 2
    )


def test_load_has_the_parameters_of_the_hub_library(hub, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", hub.token("alice"))
    playground.save(tmp_path / "tiny", tiny(seed=1), RECORDS)
    first = playground.push(playground.load(tmp_path / "tiny"), "alice/tiny", private=True)
    cache = tmp_path / "cache"
    loaded = playground.load("alice/tiny", cache_dir=cache)
    assert loaded.history == RECORDS
    hub.put_repo("alice/open", {"README.md": "for everybody"})
    with pytest.raises(HubError, match=r"already exists and is public\. Nothing was pushed\."):
        playground.push(tmp_path / "tiny", "alice/open", private=True)
    asked = len(hub.log)
    assert playground.load("alice/tiny", cache_dir=cache, local_files_only=True).history == RECORDS
    assert len(hub.log) == asked
    with pytest.raises(HubError) as caught:
        playground.load("alice/tiny", cache_dir=cache, token=False)
    assert caught.value.kind == "not_found"
    playground.save(tmp_path / "other", tiny(seed=2), RECORDS)
    playground.push(tmp_path / "other", "alice/tiny", commit_message="Second", branch="trial")
    second = playground.load("alice/tiny", revision="trial", cache_dir=cache)
    assert logits(second.model).equal(logits(tiny(seed=2)))
    for revision in (first.commit, first.tag, "main"):
        assert logits(playground.load("alice/tiny", revision=revision, cache_dir=cache).model).equal(
            logits(tiny(seed=1))
        )
    hub.down()
    with pytest.warns(
        UserWarning, match=f"Can't reach the Hub. Loaded alice/tiny from the cache: commit {first.commit[:7]}"
    ):
        playground.load("alice/tiny", cache_dir=cache)
    for options in ({"force_download": True}, {"cache_dir": tmp_path / "empty"}):
        with pytest.raises(HubError) as caught, warnings.catch_warnings():
            playground.load("alice/tiny", **{"cache_dir": cache} | options)
        assert caught.value.kind == "offline"
        assert str(caught.value).startswith("There is no folder alice/tiny. Can't reach the Hub. ")
    refusal(lambda: playground.load(tmp_path / "tiny", revision="main"), "has no revisions")
    refusal(lambda: playground.load("no-such-folder"), "There is no checkpoint at no-such-folder")


def test_importing_the_package_imports_nothing_else():
    code = "import sys, playground; print(len([name for name in sys.modules if name.split('.')[0] in "
    code += "{'torch', 'numpy', 'huggingface_hub', 'pydantic', 'streamlit'}]))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "0"


def test_a_loaded_checkpoint_can_be_saved_unchanged(tmp_path):
    playground.save(tmp_path / "one", tiny(), RECORDS)
    playground.save(tmp_path / "two", playground.load(tmp_path / "one"))
    assert (tmp_path / "one" / "model.safetensors").read_bytes() == (
        tmp_path / "two" / "model.safetensors"
    ).read_bytes()
    assert playground.load(tmp_path / "two").history == RECORDS
    with pytest.raises(CheckpointError):
        playground.save(tmp_path / "two", tiny())


def test_the_example_of_the_readme_saves_the_history_of_its_training(tmp_path):
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"## Python\n.*?```python\n(.*?)```", text, re.DOTALL)
    lines = [line for line in example.splitlines() if "ablate" not in line]
    code = "\n".join(lines).replace('"my-copy"', repr(str(tmp_path / "my-copy")))
    exec(code.replace('"training.steps": 60', '"training.steps": 7'), {})
    loaded = playground.load(tmp_path / "my-copy")
    assert [record["step"] for record in loaded.history] == list(range(8))
    assert loaded.history[-1]["exact_match"] is not None
    assert "It has not been evaluated" not in (tmp_path / "my-copy/README.md").read_text(encoding="utf-8")


def test_the_history_belongs_to_the_model_that_was_trained_and_to_its_last_training(tmp_path):
    config = playground.configure("quick-copy", {"training.steps": 3, "model.d_model": 16, "model.n_heads": 1})
    model = playground.new_model(config)
    for progress in playground.train(config, model):
        if progress.step == 2:
            break
    playground.save(tmp_path / "stopped", model)
    assert [record["step"] for record in playground.load(tmp_path / "stopped").history] == [0, 1, 2]
    list(playground.train(config, model))
    playground.save(tmp_path / "again", model)
    assert [record["step"] for record in playground.load(tmp_path / "again").history] == [0, 1, 2, 3]
    playground.save(tmp_path / "without", model, history=[])
    playground.save(tmp_path / "other", playground.new_model(config))
    assert playground.load(tmp_path / "without").history == playground.load(tmp_path / "other").history == []
