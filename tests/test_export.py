"""Exports: the numbers in each file are those of the pass, and what can't be written leaves nothing behind."""

import csv
import io
import json
import re
import subprocess
import sys
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import playground
from playground import export
from playground.common.errors import PlaygroundError
from playground.explain.inspection import Walk, as_json, walk
from playground.export import FORMATS, Export, figure, write
from playground.export.attention_json import READS, Attention
from playground.export.attention_json import of as attention_of
from playground.model.task_model import TaskModel
from playground.pictures.diagram import architecture_diagram, standalone
from playground.recording import REPOSITORY
from playground.settings.config import RunConfig
from playground.storage import checkpoint
from playground.training import train
from playground.ui.parts.computed import csv_of_checkpoint
from tests.helpers import first
from tests.test_cli import TINY, done, refused, run

INPUT = "3 1 4 1"
KINDS = {
    "encoder-decoder": ["encoder_self", "decoder_self", "decoder_cross"],
    "decoder-only": ["decoder_self"],
    "encoder-only": ["encoder_self"],
}


@pytest.fixture(scope="module", params=KINDS)
def folder(request, tmp_path_factory) -> Path:
    config = RunConfig().updated({
        "model.architecture": request.param, "model.d_model": 8, "model.n_heads": 2, "model.n_layers": 2,
        "model.d_ff": 12, "task.max_length": 5,
    })  # fmt: skip
    folder = tmp_path_factory.mktemp("exported") / "model"
    checkpoint.save(folder, TaskModel(config), [{"step": 0, "loss": 2.5, "seconds": 0.0}, {"step": 1, "loss": 2.0}])
    return folder


@pytest.fixture(scope="module")
def loaded(folder) -> checkpoint.Checkpoint:
    return checkpoint.load(folder)


@pytest.fixture(scope="module")
def recorded(loaded) -> Walk:
    return walk(loaded.model, INPUT)


def exported(folder: Path, format: str, out: Path, *options: str) -> bytes:
    done("export", folder, "--format", format, "--out", str(out), "--input", INPUT, *options)
    assert [each.name for each in out.parent.iterdir()] == [out.name]
    return out.read_bytes()


def test_attention_json_has_the_weights_of_the_pass(folder, loaded, recorded, tmp_path):
    data = json.loads(exported(folder, "attention-json", tmp_path / "a.json"))
    assert list(data["attentions"]) == KINDS[loaded.config.model.architecture]
    for kind, layers in data["attentions"].items():
        stack, sublayer = kind.replace("cross", "cross_attention").replace("self", "self_attention").split("_", 1)
        for layer, heads in enumerate(layers):
            value = recorded[f"{stack}.layers.{layer}.{sublayer}.attention.weights"].value[0]
            assert torch.equal(torch.tensor(heads), value)
    names = {"source": recorded.tokens.get("S"), "target": recorded.tokens.get("T")}
    assert data["tokens"] == {side: each for side, each in names.items() if each}


def test_attention_is_read_again_and_drawn(folder, recorded, tmp_path):
    exported(folder, "attention-json", tmp_path / "a.json")
    found = playground.load_attention(tmp_path / "a.json")
    drawn = playground.plot_attention(found).to_dict()
    assert len(drawn["vconcat"]) == len(found.attentions)
    for (kind, weights), part in zip(found.attentions.items(), drawn["vconcat"], strict=True):
        assert weights.shape == (2, 2, len(found.queries(kind)), len(found.keys(kind)))
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))
        cells = part.get("data", drawn.get("data"))["values"]
        assert len(cells) == weights.numel()
        for cell in cells:
            layer, head = int(cell["layer"].split()[1]) - 1, int(cell["head"].split()[1]) - 1
            weight = float(weights[layer, head, cell["row"], cell["column"]])
            assert (cell["value"] or 0.0) == weight  # see the next test for None


def test_what_a_causal_mask_hides_is_blank_in_a_figure(recorded):
    found = attention_of(recorded).attentions
    drawn = figure.heads(attention_of(recorded)).to_dict()
    for kind, part in zip(found, drawn["vconcat"], strict=True):
        cells = part.get("data", drawn.get("data"))["values"]  # of one part alone, Altair puts them outside
        hidden = {(each["row"], each["column"]) for each in cells if each["value"] is None}
        size = found[kind].size(-1)
        later = {(row, column) for row in range(size) for column in range(row + 1, size)}
        assert hidden == (later if kind == "decoder_self" else set())


def test_npz_has_every_tensor_and_parameter_of_the_pass(folder, loaded, recorded, tmp_path):
    arrays = np.load(io.BytesIO(exported(folder, "npz", tmp_path / "a.npz")), allow_pickle=False)
    for step in recorded.steps:
        assert np.array_equal(arrays[step.name], step.value.numpy(), equal_nan=step.value.is_floating_point())
    parameters = dict(loaded.model.named_parameters()) | dict(loaded.model.named_buffers())
    used = {name for step in recorded.steps for name in step.operation.parameters}
    assert {name for name in arrays.files if name.startswith("parameters/")} == {f"parameters/{name}" for name in used}
    for name in used:
        assert np.array_equal(arrays[f"parameters/{name}"], parameters[name].detach().numpy())


def test_json_is_what_inspect_writes(folder, recorded, tmp_path):
    assert json.loads(exported(folder, "json", tmp_path / "a.json")) == as_json(recorded)


SUFFIXES = [("svg", b"<svg"), ("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-")]


@pytest.mark.parametrize(("suffix", "begin"), first(1, SUFFIXES, of=3))
def test_figures_are_files_of_their_kind(folder, tmp_path, suffix, begin):
    assert exported(folder, "figure", tmp_path / f"a.{suffix}").startswith(begin)


def test_a_figure_of_a_tensor_has_one_cell_for_each_number(folder, recorded, tmp_path):
    masks = [step for step in recorded.steps if step.operation.tap in ("padding_mask", "causal_mask")]
    # The last step is the loss, one number.
    for step in (recorded.steps[0], *masks[-2:], recorded["logits"], recorded.steps[-2]):
        drawn = exported(folder, "figure", tmp_path / "a.svg", "--figure", step.name).decode()
        assert step.name in drawn
    name = next(each.name for each in recorded.steps if each.name.endswith("attention.scores"))
    drawn = exported(folder, "figure", tmp_path / "a.svg", "--figure", name).decode()
    assert drawn.count('aria-roledescription="rect mark"') in (0, recorded[name].value.numel())
    assert len(re.findall(r"head \d", drawn)) >= recorded[name].value.shape[1]


@pytest.mark.parametrize(("suffix", "begin"), SUFFIXES)
def test_the_architecture_is_a_file_of_its_kind(folder, tmp_path, suffix, begin):
    drawn = exported(folder, "figure", tmp_path / f"a.{suffix}", "--figure", "architecture")
    assert drawn.startswith(begin)
    assert len(drawn) > 5_000
    if suffix == "svg":
        assert b'data-part="' in drawn
        assert not re.search(rb"<style|var\(|color-mix|currentColor", drawn)


def test_a_picture_for_a_file_has_its_own_size_on_white_and_plain_colours():
    root = ElementTree.fromstring(standalone(architecture_diagram(RunConfig())))
    left, top, width, height = root.attrib["viewBox"].split()
    assert (root.get("width"), root.get("height"), root.get("style")) == (width, height, None)
    ground = next(each for each in root.iter() if each.tag.endswith("rect"))
    assert ground.attrib == {"x": left, "y": top, "width": width, "height": height, "fill": "#ffffff", "stroke": "none"}
    colours = {each.get(name) for each in root.iter() for name in ("fill", "stroke")} - {None, "none"}
    assert all(re.fullmatch(r"#(\w{3}|\w{6})", colour) for colour in colours)
    assert {"#8a4fe0", "#7244b9"} <= colours, "lines of attention have more of the ink"
    assert {each.get("font-size") for each in root.iter() if each.text == "LayerNorm"} == {"9.936"}


def test_the_report_needs_no_network_and_runs_nothing(folder, loaded, tmp_path):
    page = exported(folder, "html", tmp_path / "a.html").decode()
    assert not re.search(r'<script|<link|<img|(?:src|href)=["\'](?!#)|@import|url\((?!#)', page)
    assert "default-src 'none'" in page
    for words in ("3 1 4 1", "d_model", "label_smoothing", "Seed 0.", loaded.config.task.name):
        assert words in page
    assert page.count("<svg") >= 6  # curves, parts, lengths, roles, heads, architecture
    for title in ("Training", "Each part switched off", "Exact match by length", "Roles of heads", "Attention weights"):
        assert f"<h2>{title}</h2>" in page


REFUSED = {
    "format": (["--format", "onyx", "--out", "a.json"], "There is no format onyx. Choose one of html, attention-json"),
    "suffix": (["--format", "npz", "--out", "a.txt"], "format npz must end with .npz, not 'a.txt'"),
    "name": (["--format", "script", "--out", "copy.py"], "import copy.py in place of its own module copy"),
    "input": (["--format", "json", "--out", "a.json", "--input", "x"], "x"),
    "no figure": (
        ["--format", "json", "--out", "a.json", "--figure", "logits"],
        "The format json draws no figure logits.",
    ),
    "one number": (["--format", "figure", "--out", "a.svg", "--figure", "loss"], "loss is one number, "),
    "figure": (["--format", "figure", "--out", "a.svg", "--figure", "nothing"], "no figure 'nothing'"),
    "folder": (["--format", "json", "--out", "none/a.json"], "could not be written: No such file"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_is_one_sentence_and_writes_nothing(folder, tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    options, complaint = REFUSED[case]
    refused(tmp_path, "export", folder, *options, says=complaint)


@pytest.mark.parametrize(
    ("options", "warnings"),
    [
        (["--format", "csv", "--out", "a.csv", "--input", "1 2"], ["format csv reads no input. --input is"]),
        (
            ["--format", "figure", "--out", "a.svg", "--figure", "architecture", "--input", "x", "--target", "1"],
            ["figure architecture reads no input. --input is", "figure architecture reads no target. --target is"],
        ),
    ],
)
def test_an_input_that_is_not_read_is_ignored_with_a_warning(folder, loaded, tmp_path, monkeypatch, options, warnings):
    monkeypatch.chdir(tmp_path)
    result = run("export", folder, *options)
    assert result.exit_code == 0, result.output
    assert result.stderr == "".join(f"Note: The {warning} ignored.\n" for warning in warnings)
    (file,) = tmp_path.iterdir()
    figure = {"figure": "architecture"} if options[1] == "figure" else {}
    with pytest.raises(PlaygroundError, match=re.escape(warnings[0].partition(" --")[0])):
        write(loaded, options[1], file, text="1 2", **figure)


def test_an_input_beyond_training_is_exported_with_a_warning(tmp_path):
    config = RunConfig().updated(TINY | {"model.positions": "sinusoidal", "task.min_length": 2})
    checkpoint.save(tmp_path / "model", TaskModel(config), [])
    for text in ("3 1 2 0", "1"):
        words = ["export", tmp_path / "model", "--format", "attention-json", "--input", text]
        result = run(*words, "--out", tmp_path / "a.json")
        note = f"This model was trained on inputs of 2 to 3 symbols. Its answer for {len(text.split())} is unreliable."
        assert (result.exit_code, result.stderr) == (0, f"Note: {note}\n")
        assert json.loads((tmp_path / "a.json").read_text())["tokens"]["source"] == text.split()
        *_, (_, _, (_, about)) = export.made(tmp_path, 0, tmp_path / "model", "attention-json", text, "", "")
        assert about == note
    checkpoint.save(tmp_path / "learned", TaskModel(config.updated({"model.positions": "learned"})), [])
    words = ["export", tmp_path / "learned", "--format", "json", "--input", "3 1 2 0", "--out", tmp_path / "b.json"]
    refused(tmp_path, *words, says="4 symbols")


def test_a_failure_while_writing_keeps_the_old_file(loaded, tmp_path, monkeypatch):
    out = tmp_path / "a.json"
    out.write_text("old")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("playground.common.files.create", full)
    with pytest.raises(PlaygroundError, match="No space left on device"):
        write(loaded, "json", out, text=INPUT)
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_too_many_cells_are_refused(loaded, tmp_path, monkeypatch):
    monkeypatch.setattr("playground.export.figure.MAX_CELLS", 3)
    with pytest.raises(PlaygroundError, match=r"At most 3 are drawn\. Use a shorter input\."):
        write(loaded, "figure", tmp_path / "a.svg", text=INPUT)


@pytest.mark.parametrize(
    ("heads", "title"), [(2, ", layer 1 of 2"), (3, ", layer 1 of 2"), (1, ", layer 1 of 2, head 1 of 2")]
)
def test_a_figure_has_the_first_heads_that_there_is_room_for(recorded, monkeypatch, heads, title):
    found = attention_of(recorded)
    kind, weights = next(iter(found.attentions.items()))
    monkeypatch.setattr("playground.export.figure.MAX_CELLS", heads * weights[0, 0].numel())
    drawn = figure.heads(Attention(found.tokens, {kind: weights})).to_dict()
    (part,) = drawn["vconcat"]
    assert part["title"].endswith(title)
    cells = part.get("data", drawn.get("data"))["values"]
    assert len(cells) == min(heads, 2) * weights[0, 0].numel()


def test_help_and_readme_name_all_formats():
    shown = " ".join(done("export", "--help").split())
    (line,) = (
        each
        for each in (REPOSITORY / "README.md").read_text().splitlines()
        if each.startswith("python -m playground export")
    )
    for name in FORMATS:
        assert f"{name} (" in shown
        assert name in re.findall(r"[\w-]+", line), "the README's line about export"


def test_the_table_of_a_history_is_that_of_the_page(folder, tmp_path):
    records = [progress.record() for progress in train(checkpoint.load(folder).config.updated({"training.steps": 3}))]
    checkpoint.save(tmp_path / "model", checkpoint.load(folder).model, records)
    done("export", tmp_path / "model", "--format", "csv", "--out", str(tmp_path / "a.csv"))
    made = (tmp_path / "a.csv").read_bytes()
    assert made == csv_of_checkpoint(tmp_path / "model")
    rows = list(csv.DictReader(io.StringIO(made.decode())))
    assert [int(row["step"]) for row in rows] == [0, 1, 2, 3]
    assert float(rows[-1]["loss"]) == records[-1]["loss"]
    assert float(rows[0]["weight_norm.output layer"]) == records[0]["weight_norm"]["output layer"]
    checkpoint.save(tmp_path / "bare", checkpoint.load(folder).model, [])
    refused(
        tmp_path,
        "export",
        tmp_path / "bare",
        "--format",
        "csv",
        "--out",
        str(tmp_path / "b.csv"),
        says="no training records",
    )


def test_a_format_names_its_module_and_what_it_gets():
    for name, each in FORMATS.items():
        assert each.suffixes, name
        assert {*each.of} <= {field.name for field in fields(Export)} | {"walk", "whole"}
        assert find_spec(f"playground.export.{each.module}"), name
        assert each.reads == bool({"walk", "whole"} & {*each.of})


def test_other_formats_need_no_package_of_a_figure(folder, tmp_path):
    program = (
        "import sys; sys.modules |= dict.fromkeys(('altair', 'pandas', 'nbformat', 'onnx', 'transformers'))\n"
        "from playground.cli import app; app()"
    )
    out = tmp_path / "a.npz"
    command = [sys.executable, "-c", program, "export", str(folder), "--format", "npz", "--out", str(out)]
    subprocess.run(command, check=True, cwd=REPOSITORY)
    assert out.exists()


DAMAGED = [
    b"", b"\xff", b"[]", b"{}", b'{"format": "transformer-playground attention"}', b"[" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_attention_file_is_refused_in_one_sentence(tmp_path, content):
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(PlaygroundError) as found:
        playground.load_attention(tmp_path / "a.json")
    assert str(found.value).count("\n") == 0
    with pytest.raises(PlaygroundError, match="could not be read"):
        playground.load_attention(tmp_path / "none.json")


plain = st.recursive(st.none() | st.integers() | st.text() | st.floats(), lambda it: st.lists(it), max_leaves=6)


@given(st.sampled_from([*READS, "else"]), plain, plain)
def test_any_content_is_read_or_refused(tmp_path_factory, kind, tokens, weights):
    file = tmp_path_factory.mktemp("read") / "a.json"
    data = {"format": "transformer-playground attention", "tokens": {"source": tokens}, "attentions": {kind: weights}}
    file.write_text(json.dumps(data))
    try:
        found = playground.load_attention(file)
    except PlaygroundError:
        return
    assert found.attentions[kind].shape[2:] == (len(found.queries(kind)), len(found.keys(kind)))
