"""Exported code and models: they stand alone, and what they compute is what the run and the model computed."""

import ast
import importlib
import inspect
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.common.errors import PlaygroundError
from playground.export import FORMATS, bundle, notebook, onnx_model, script, write
from playground.model.task_model import TaskModel
from playground.optimization.optimizers import OPTIMIZERS
from playground.recording import REPOSITORY, Tap
from playground.settings.config import Change, ConfigError, RunConfig
from playground.settings.presets import PRESETS
from playground.storage import checkpoint
from playground.tasks import PAD, TASKS, task_of
from playground.training import Training, train
from tests.helpers import MODEL_CLASSES, first
from tests.test_cli import done, refused

TINY = {
    "model.d_model": 8, "model.n_heads": 2, "model.d_ff": 12, "task.max_length": 5, "training.batch_size": 3,
    "training.steps": 6, "training.eval_every": 4, "training.stop_when_solved": False,
}  # fmt: skip


def trained(folder: Path, updates: dict, changes: tuple[Change, ...] = (), **more: str) -> checkpoint.Checkpoint:
    training = Training(RunConfig().updated(TINY | updates), changes=changes)
    records = [each.record() for each in training.progress()]
    checkpoint.save(folder, training.model, records, training.changes, **more)
    return checkpoint.load(folder)


LLAMA = {
    "model.architecture": "decoder-only", "model.norm": "rms_norm", "model.activation": "swiglu",
    "model.attention": "grouped_query", "model.n_kv_heads": 1, "model.positions": "rotary", "model.bias": False,
}  # fmt: skip
MIXTURE = {
    "model.attention": "latent", "model.positions": "rotary", "model.d_latent": 3, "model.d_rope": 2,
    "model.feed_forward": "mixture", "model.n_experts": 3, "model.n_shared_experts": 1, "model.qk_norm": True,
}  # fmt: skip
LIMITS = {"model.window": 3, "model.logit_cap": 2.0, "model.activation": "gelu", "model.n_layers": 2}
PARTS = {"llama": LLAMA, "mixture": MIXTURE, "limits": LIMITS}
"""Settings that have every part of modern models between them."""
CASES = {
    "plain": ({}, ()),
    "llama": (LLAMA, ()),
    "mixture": (MIXTURE, ()),
    "dropout": ({"model.dropout": 0.2, "training.label_smoothing": 0.1, "model.n_layers": 2}, ()),
    "clipped": ({"training.clip_grad_norm": 0.5, "training.optimizer": "sgd", "training.learning_rate": 0.1}, ()),
    "changed": (
        {"training.schedule": "cosine"},
        (
            Change(0, {"training.batch_size": 7}),
            Change(2, {"model.dropout": 0.3, "training.steps": 8}),
            Change(5, {"training.learning_rate": 1e-3}),
        ),
    ),
    "decoder-only": ({"model.architecture": "decoder-only", "seed": 7, "training.warmup_steps": 3}, ()),
    "reads ahead": ({"model.causal_mask": False, "model.positions": "sinusoidal"}, ()),
    "encoder-only": ({"model.architecture": "encoder-only", "training.optimizer": "adam", "model.bias": False}, ()),
    **{name: ({"training.optimizer": name}, ()) for name in OPTIMIZERS},
    "limits": (LIMITS, ()),
    "rotary, tied": ({"model.positions": "rotary", "model.tie_embeddings": True, "model.attention_bias": False}, ()),
}


@pytest.mark.parametrize("case", first(6, CASES, of=14))
def test_the_code_repeats_the_history_bit_for_bit(tmp_path, capsys, case):
    updates, changes = CASES[case]
    found = trained(tmp_path / "model", updates, changes)
    names = run(script.content(found))
    assert names["repeat"](names["TaskModel"](names["SETTINGS"]), names["CHANGES"], names["HISTORY"])
    assert "The history is the same, bit for bit" in capsys.readouterr().out
    assert names["HISTORY"] == repeated(found.history)


def repeated(history: list[dict]) -> list[dict]:
    """What exported code measures, too."""
    return [{name: line[name] for name in script.REPEATED if name in line} for line in history]


def run(code: bytes) -> dict:
    names: dict = {"__name__": "exported"}
    exec(compile(code, "exported.py", "exec"), names)
    return names


def test_the_script_runs_in_an_empty_folder_without_the_project(tmp_path):
    found = trained(tmp_path / "model", {})
    write(found, "script", tmp_path / "again.py")
    (empty := tmp_path / "empty").mkdir()
    code, out = outcome(tmp_path / "again.py", empty)
    assert code == 0
    assert out.splitlines()[-1].startswith("The history is the same, bit for bit: ")
    assert not list(empty.iterdir())
    text = (tmp_path / "again.py").read_text()
    at = next(line for line in text.splitlines() if '"step": 3,' in line)
    loss = json.loads(at.strip().rstrip(","))["loss"]
    (tmp_path / "other.py").write_text(text.replace(repr(loss), repr(loss + 1)))
    code, out = outcome(tmp_path / "other.py", empty)
    assert code == 1
    assert out.splitlines()[-1] == (f"The history differs. First at step 3: loss is {loss}, and it was {loss + 1}.")


def outcome(file: Path, folder: Path) -> tuple[int, str]:
    """Exit code and output in isolated mode: no environment variables, no user site, no folder of the script."""
    done = subprocess.run([sys.executable, "-I", str(file)], cwd=folder, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def settings_of(task: str) -> RunConfig:
    """Those of the task's preset, if it has one."""
    preset = TASKS[task].preset
    return PRESETS[preset.name].config if preset else RunConfig().updated({"task.name": task})


def settings_of_tasks() -> list[RunConfig]:
    """Each task in each architecture that it has."""
    found = []
    for name in TASKS:
        for kind in ("encoder-decoder", "decoder-only", "encoder-only"):
            try:
                found.append(settings_of(name).updated({"model.architecture": kind}))
            except ConfigError:
                pass
    return found


def recorded(config: RunConfig) -> checkpoint.Checkpoint:
    """A stand-in for a checkpoint with one record."""
    model = SimpleNamespace(config=config)
    return SimpleNamespace(config=config, model=model, changes=(), begun_from="", history=[{"step": 0}])


@pytest.mark.parametrize("config", settings_of_tasks(), ids=lambda it: f"{it.task.name}-{it.model.architecture}")
def test_every_task_stands_alone(config, tmp_path):
    code = script.content(recorded(config)).decode()
    for node in ast.walk(ast.parse(code)):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert all(name.partition(".")[0] in {*sys.stdlib_module_names, "torch"} for name in names)
    (tmp_path / "a.py").write_text(code)
    lint = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F", str(tmp_path / "a.py")]
    found = subprocess.run(lint, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout
    names = run(code.encode())
    assert [*names["TASKS"]] == [config.task.name]
    mine, source = names["task_of"](names["SETTINGS"].task), torch.Generator().manual_seed(1)
    drawn = mine.sample(source, 5)
    theirs = task_of(config.task)
    assert torch.equal(drawn, theirs.sample(torch.Generator().manual_seed(1), 5))
    assert torch.equal(mine.answers(drawn), theirs.answers(drawn))
    initial = names["TaskModel"](names["SETTINGS"]).state_dict()
    assert all(torch.equal(initial[name], value) for name, value in TaskModel(config).state_dict().items())


LAYERS = {"ENCODER_LAYERS": "EncoderLayer", "DECODER_LAYERS": "DecoderLayer"}
"""What stands for a look-up in a table."""


def test_the_classes_of_the_model_are_verbatim():
    code = script.content(recorded(RunConfig())).decode()
    for kind in [Tap, TaskModel, *MODEL_CLASSES.values()]:
        source = inspect.getsource(kind)
        for table, of in LAYERS.items():
            source = source.replace(f"{table}[config.feed_forward]", of)
        assert source in code + "\n"


def test_the_code_has_only_the_classes_of_its_model():
    found = {name: script.content(recorded(RunConfig().updated(TINY | of))).decode() for name, of in PARTS.items()}
    found["plain"] = script.content(recorded(RunConfig())).decode()
    classes = {name: {node.name for node in ast.parse(code).body if isinstance(node, ast.ClassDef)}
               for name, code in found.items()}  # fmt: skip
    parts = {name: kinds - classes["plain"] for name, kinds in classes.items()}
    assert parts == {
        "plain": set(),
        "llama": {"GroupedQueryAttention", "GatedFeedForward"},
        "mixture": {"LatentAttention", "LimitedDotProductAttention", "Mixture", "AlsoMinimized",
                    "MixtureEncoderLayer", "MixtureDecoderLayer"},
        "limits": {"LimitedDotProductAttention"},
    }  # fmt: skip
    for code in found.values():
        assert not [table for table in script.TABLES if table in code]
        assert "def architecture(" not in code  # which knows all parts of all models
    settings = [line.split(":")[0].strip() for line in found["plain"].splitlines() if line.startswith("    ")]
    assert not {"d_latent", "n_experts", "window", "digit_order"}.intersection(settings)
    assert "    d_latent: int = 3  # Latent width" in found["mixture"]


@pytest.mark.parametrize("preset", ["quick-reverse", "paper", "gpt"])
def test_a_preset_repeats_its_history(preset, tmp_path):
    torch.set_num_threads(1)
    training = Training(PRESETS[preset].config)
    checkpoint.save(tmp_path / "model", training.model, [each.record() for each in training.progress()])
    write(checkpoint.load(tmp_path / "model"), "script", tmp_path / "again.py")
    code, out = outcome(tmp_path / "again.py", tmp_path)
    assert (code, "The history is the same, bit for bit" in out) == (0, True)


def test_a_long_history_is_thinned_and_keeps_its_last_record(monkeypatch):
    monkeypatch.setattr(script, "MAX_RECORDS", 4)
    found = recorded(RunConfig())
    found.history = [{"step": step} for step in range(11)]
    names = run(script.content(found))
    assert [each["step"] for each in names["HISTORY"]] == [0, 3, 6, 9, 10]


def test_the_cells_of_a_notebook_repeat_the_history(tmp_path, capsys):
    found = trained(tmp_path / "model", {"task.name": "dates"})
    done("export", found.folder, "--format", "notebook", "--out", str(tmp_path / "a.ipynb"))
    cells = json.loads((tmp_path / "a.ipynb").read_bytes())["cells"]
    names: dict = {}
    for before, cell in zip([None, *cells], cells):
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
        else:
            assert before is None or before["cell_type"] == "code"
            assert "".join(cell["source"]).endswith(".")
    assert names["same"]
    assert "bit for bit" in capsys.readouterr().out


def test_a_run_that_code_alone_cannot_repeat_is_refused(tmp_path):
    begun = trained(tmp_path / "begun", {}, begun_from="other")
    checkpoint.save(tmp_path / "bare", TaskModel(RunConfig().updated(TINY)), [])
    (empty := tmp_path / "empty").mkdir()
    for format in ("script", "notebook"):
        out = ["--format", format, "--out", str(empty / f"a{FORMATS[format].suffixes[0]}")]
        refused(empty, "export", begun.folder, *out, says="began with the weights of other")
        refused(empty, "export", tmp_path / "bare", *out, says="has no training records")


def test_a_missing_package_is_named_with_the_command_that_installs_it(tmp_path, monkeypatch):
    found = trained(tmp_path / "model", {})
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for format in ("notebook", "onnx"):
        with pytest.raises(PlaygroundError) as error:
            write(found, format, tmp_path / f"a{FORMATS[format].suffixes[0]}")
        assert str(error.value) == (
            f"The format {format} needs packages that are not installed. "
            f"Run: python -m pip install {' '.join(FORMATS[format].packages)}"
        )
    assert [each.name for each in tmp_path.iterdir()] == ["model"]


WITHOUT_CHARTS = """
import sys
from pathlib import Path

sys.modules["altair"] = None
from playground.cli import app
from playground.export import FORMATS

folder = Path(sys.argv[1])
for name, format in FORMATS.items():
    if not set(format.packages) - {"altair"}:
        command = ["export", str(folder / "model"), "--format", name, "--out", str(folder / f"a{format.suffixes[0]}")]
        try:
            app(command)
        except SystemExit as ended:
            print(name, ended.code)
"""


def test_without_altair_all_formats_without_a_chart_are_written(tmp_path):
    trained(tmp_path / "model", {})
    command = [sys.executable, "-c", WITHOUT_CHARTS, str(tmp_path)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    codes = dict(line.split() for line in done.stdout.splitlines() if line.count(" ") == 1)
    assert {"attention-json", "npz", "json", "script"} <= codes.keys(), done.stderr
    assert codes == {name: "2" if "altair" in FORMATS[name].packages else "0" for name in codes}, done.stderr
    for name in ("figure", "html"):
        assert f"The format {name} needs packages that are not installed. Run: python -m pip install altair" in (
            " ".join(done.stderr.split())
        )


HOUSE = {
    "collision": ({"a": "from house.b import other\n\n\ndef one():\n    return other() + _help()\n\n\ndef _help():\n"
                   "    return 1\n",
                   "b": "def other():\n    return _help()\n\n\ndef _help():\n    return 2\n"}, "both define _help"),
    "inner": ({"a": "def one():\n    from house.b import other\n    return other\n", "b": ""}, "inside a function"),
    "renamed": ({"a": "from house.b import other as another\n\n\ndef one():\n    return another\n",
                 "b": "other = 1\n"}, "imports other as another"),
    "whole": ({"a": "from house import b\n\n\ndef one():\n    return b\n", "b": ""}, "needs house.b as a whole"),
    "none": ({"a": "two = 1\n"}, "does not define one"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOUSE)
def test_what_cannot_stand_alone_is_refused(tmp_path, monkeypatch, case):
    files, complaint = HOUSE[case]
    house(tmp_path, monkeypatch, files)
    with pytest.raises(PlaygroundError, match=complaint):
        bundle.bundle([("house.a", "one")], {})


def house(folder: Path, monkeypatch, files: dict[str, str]) -> None:
    """A project of another name."""
    (folder / "house").mkdir()
    for name, text in ({"__init__": ""} | files).items():
        (folder / "house" / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(bundle, "PACKAGE", "house")
    for name in [name for name in sys.modules if name.partition(".")[0] == "house"]:
        monkeypatch.delitem(sys.modules, name)
    bundle._module.cache_clear()


def test_only_what_is_needed_is_taken_in_an_order_that_runs(tmp_path, monkeypatch):
    house(tmp_path, monkeypatch, {
        "a": '"""First."""\n\nimport math\nimport json\n\nfrom house.b import TWO, Kind\n\n\n# A comment.\n'
             "@Kind\ndef one() -> float:\n    math_ = math.pi\n    return math_ * TWO\n\n\ndef unused():\n"
             "    return json\n",
        "b": '"""Second. More."""\n\nimport abc\n\nTWO = 1\nTHREE = TWO\n"""Why."""\nTWO = TWO + 1\n\n\n'
             "def Kind(function):\n    return function\n",
    })  # fmt: skip
    found = bundle.bundle([("house.a", "one")], {})
    assert found.imports == ["import math"]
    assert [each.module for each in found.sections] == ["house.b", "house.a"]
    assert found.sections[0].text == "TWO = 1\nTWO = TWO + 1\n\n\ndef Kind(function):\n    return function"
    assert found.sections[1].text.startswith("# A comment.\n@Kind\ndef one()")
    names = run("\n".join([*found.imports, *(each.text for each in found.sections)]).encode())
    assert names["one"]() == pytest.approx(6.283185307179586)


THOROUGH = pytest.mark.thorough
ARCHITECTURES = [
    ("encoder-decoder", {"model.n_layers": 2, "model.norm_position": "post", "model.positions": "sinusoidal"}),
    ("encoder-decoder", MIXTURE | {"model.window": 2, "model.logit_cap": 2.0}),
    ("decoder-only", LLAMA),
    pytest.param("decoder-only", {"model.positions": "two_way", "model.activation": "gelu"}, marks=THOROUGH),
    ("decoder-only", {"model.positions": "learned", "model.bias": False, "task.name": "addition"}),
    ("encoder-only", {"model.positions": "none", "model.residual": False}),
    ("encoder-decoder", {"model.positions": "rotary", "model.tie_embeddings": True, "model.attention_bias": False}),
    pytest.param("decoder-only", {"model.positions": "rotary"}, marks=THOROUGH),
]


@pytest.mark.parametrize(("architecture", "updates"), first(2, ARCHITECTURES, of=8))
def test_onnx_gives_the_logits_of_the_model_at_any_size(tmp_path, architecture, updates):
    import onnx
    import onnxruntime

    config = RunConfig().updated(TINY | updates | {"model.architecture": architecture})
    model = TaskModel(config).eval()
    checkpoint.save(tmp_path / "model", model, [])
    output = done("export", tmp_path / "model", "--format", "onnx", "--out", str(tmp_path / "a.onnx"))
    assert "the largest difference of a logit is" in output
    session = onnxruntime.InferenceSession(tmp_path / "a.onnx", providers=["CPUExecutionProvider"])
    generator = torch.Generator().manual_seed(5)
    for batch, source, target in ((1, 1, 1), (1, 5, 2), (4, 2, 6), (7, 3, 3)):
        drawn = {
            "source": torch.randint(4, config.vocabulary_size, (batch, source), generator=generator),
            "target": torch.randint(4, config.vocabulary_size, (batch, target), generator=generator),
            "source_lengths": torch.full((batch, 1), min(source, target)),
        }
        drawn["source"][batch // 2, 1:] = PAD
        inputs = {each.name: drawn[each.name] for each in session.get_inputs()}
        order = ("source", "target", "source_lengths")
        right = model(*(inputs.get(name) for name in order))[0]
        (found,) = session.run(["logits"], {name: each.numpy() for name, each in inputs.items()})
        torch.testing.assert_close(torch.tensor(found), right, atol=1e-5, rtol=1e-5)
    metadata = {each.key: each.value for each in onnx.load(tmp_path / "a.onnx").metadata_props}
    assert json.loads(metadata["settings"]) == config.model_dump()
    assert json.loads(metadata["tokens"])[:4] == ["PAD", "BOS", "EOS", "SEP"]
    assert str(REPOSITORY).encode() not in (tmp_path / "a.onnx").read_bytes()


def test_a_model_that_differs_from_pytorch_is_not_written(tmp_path, monkeypatch):
    checkpoint.save(tmp_path / "model", TaskModel(RunConfig().updated(TINY)), [])
    monkeypatch.setattr(onnx_model, "MAX_DIFFERENCE", 0.0)
    with pytest.raises(PlaygroundError, match="differs from PyTorch's by"):
        write(checkpoint.load(tmp_path / "model"), "onnx", tmp_path / "a.onnx")
    assert [each.name for each in tmp_path.iterdir()] == ["model"]


@settings(max_examples=20)
@given(st.sampled_from([*TASKS]), st.integers(0, 2**31 - 1), st.floats(0, 0.9), st.booleans())
def test_settings_in_the_code_are_those_of_the_run(name, seed, dropout, switch):
    config = settings_of(name).updated({"seed": seed, "model.dropout": dropout, "training.stop_when_solved": switch})
    names: dict = {}
    exec("from playground.tasks import SPECIALS, task_of\n", names)
    for (module, _), text in script._instead(config, set()).items():
        if module == script.CONFIG:
            exec(text, names)
    mine = names["RunConfig"]()
    usual = RunConfig()
    for group in ("task", "model", "training"):
        written, given = vars(getattr(mine, group)), dict(getattr(config, group))
        assert written == {key: value for key, value in given.items() if key in written}
        assert all(given[key] == getattr(getattr(usual, group), key) for key in given.keys() - written.keys())
    assert mine.seed == seed
    assert notebook.content(recorded(config)).startswith(b"{")


def test_the_loop_measures_what_the_app_measures(tmp_path):
    config = RunConfig().updated(TINY | {"training.clip_grad_norm": 1.0})
    from playground.export import repeat

    for mine, theirs in zip(repeat.train(TaskModel(config), {}, 6), train(config), strict=True):
        assert repeated([theirs.record()])[0].items() <= mine.items()


def test_a_statement_defines_what_its_module_has_and_no_variable_of_a_comprehension():
    for name in ("playground.optimization.optimizers", "playground.training.measure", "playground.tasks.batches"):
        defined = {each for statement in bundle._module(name).statements for each in statement.names}
        assert defined <= set(vars(importlib.import_module(name)))
        assert len(defined) > 4
