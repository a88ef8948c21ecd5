"""The Export box of the Checkpoints page: every format comes as a file, and a refusal as one sentence."""

import io
import json

import numpy as np
import pytest
import streamlit as st

from playground import export
from playground.storage import checkpoint
from playground.storage.library import Library
from playground.task_model import TaskModel
from playground.training import train
from playground.ui.session import state
from tests.helpers import TINY, first, messages, small_config, until, written
from tests.pages import button, fine, host, page

__all__ = ["host"]  # a fixture that acts by itself

BEGINS = {"png": b"\x89PNG\r\n", "svg": b"<svg", "pdf": b"%PDF-", "npz": b"PK"}


@pytest.fixture
def library() -> Library:
    """One trained checkpoint besides those that ship with the app."""
    made, model = Library(state.HOST.checkpoints), TaskModel(TINY)
    made.save("mine", model, [each.record() for each in train(TINY, model)])
    return made


@pytest.fixture
def offered(monkeypatch) -> list[dict]:
    """What is offered for download, except the checkpoint itself and the settings on Build."""
    found: list[dict] = []
    offer = st.download_button

    def note(label, *args, **options):
        if label not in ("Download", "Download settings.json"):
            found.append({"label": label, **options})
        return offer(label, *args, **options)

    monkeypatch.setattr(st, "download_button", note)
    return found


def opened(format: str, **seeded: str):
    """The page with the box open."""
    fields = {f"export {name}": value for name, value in {"mine": True, "format": format, **seeded}.items()}
    return fine(page("checkpoints.py", **fields))


def exported(app):
    """The page after Export was pressed and the file is there."""
    button(app, "Export").click().run()
    until(lambda: all(job.done for jobs in state.MEASUREMENTS._jobs.values() for job in jobs.values()))
    return fine(app.run())


CASES = [
    *((name, {}) for name in export.FORMATS if not name.startswith("transformer")),  # for decoders alone
    ("figure", {"figure": "architecture", "suffix": ".png"}),
    ("figure", {"figure": "attention", "suffix": ".pdf"}),
]


@pytest.mark.parametrize(("format", "seeded"), first(4, CASES))
def test_each_format_comes_as_the_file_of_the_command_line(library, offered, format, seeded):
    app = opened(format, **({"input": "1 2"} if export.FORMATS[format].reads else {}), **seeded)
    assert not offered
    exported(app)
    (file,) = offered[-1:]
    loaded = checkpoint.load(library.path("mine"))
    figure, suffix = seeded.get("figure", "attention"), seeded.get("suffix", export.FORMATS[format].suffixes[0])
    expected, _ = export.content(loaded, format, text="1 2", figure=figure, suffix=suffix)
    ending = {"figure": figure, "script": "training", "attention-json": "attention", "json": "operations"}.get(format)
    name = f"mine-{ending}{suffix}" if ending else f"mine{suffix}"
    assert (file["label"], file["file_name"]) == (f"Download `{name}`", name)
    if format == "onnx":
        assert "Compared with PyTorch" in written(app)
        assert len(file["data"]) == len(expected)
    elif format == "npz":
        assert np.load(io.BytesIO(file["data"])).files == np.load(io.BytesIO(expected)).files
    elif suffix in (".pdf", ".png"):
        assert file["data"].startswith(BEGINS[suffix[1:]])
    else:
        assert file["data"] == expected


def test_another_input_is_another_file(library, offered):
    app = exported(opened("attention-json", input="1 2"))
    assert json.loads(offered[-1]["data"])["tokens"]["source"] == ["1", "2"]
    count = len(offered)
    app.text_input(key="export input").set_value("2 1 1").run()
    assert len(offered) == count, "the old file is not offered for the new input"
    exported(fine(app))
    assert json.loads(offered[-1]["data"])["tokens"]["source"] == ["2", "1", "1"]


def test_spaces_are_part_of_an_input(library, offered):
    config = small_config("decoder-only").updated({"task.name": "text", "task.max_length": 8})
    library.save("mine", TaskModel(config), [], overwrite=True)
    exported(opened("attention-json", input="One "))
    assert json.loads(offered[-1]["data"])["tokens"]["target"][:5] == ["BOS", "O", "n", "e", "␣"]


def test_a_problem_is_one_sentence_without_a_folder(library, offered):
    app = exported(opened("json", input="x"))
    (message,) = messages(app, "error", "wrong")
    assert "“x” at position 1 of the input is not a symbol" in message
    library.save("mine", TaskModel(TINY), [], overwrite=True)
    app = exported(opened("script"))
    (message,) = messages(app, "error", "wrong")
    assert "has no training records" in message
    assert str(library.root) not in written(app)
    assert not offered


@pytest.mark.parametrize("format", ["transformers", "transformer-lens"])
def test_a_format_that_a_model_cannot_have_is_refused_before_export(library, offered, monkeypatch, format):
    monkeypatch.setattr(export.Format, "missing", "")
    app = opened(format)
    assert "It is decoder-only, and this model is encoder-decoder." in written(app)
    assert all(each.label != "Export" for each in app.button)


def test_a_format_whose_packages_are_missing_says_so(library, offered, monkeypatch):
    monkeypatch.setattr(export.Format, "missing", property(lambda self: "Run: pip" if self.packages else ""))
    app = opened("onnx")
    assert "It needs: onnx, onnxruntime, onnxscript." in written(app)
    assert all(each.label != "Export" for each in app.button)
