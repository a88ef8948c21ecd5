"""The Export box of the Checkpoints page: every format comes as a file, and a refusal as one sentence."""

import io
import json
import os
import re
import time

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from playground import export
from playground.model.task_model import TaskModel
from playground.storage import checkpoint
from playground.storage.library import Library
from playground.training import train
from playground.ui import startup
from playground.ui.checkpoints import exports
from playground.ui.session import identity
from playground.ui.session.services import services
from tests.helpers import TINY, first, messages, small_config, until, written
from tests.pages import button, fine, host, page

__all__ = ["host"]  # a fixture that acts by itself

BEGINS = {"png": b"\x89PNG\r\n", "svg": b"<svg", "pdf": b"%PDF-", "npz": b"PK"}


@pytest.fixture
def library() -> Library:
    """One trained checkpoint besides those that ship with the app."""
    made, model = Library(services().host.checkpoints), TaskModel(TINY)
    made.save("mine", model, [each.record() for each in train(TINY, model)])
    return made


@pytest.fixture
def offered(monkeypatch) -> list[dict]:
    """The exported files that are offered for download."""
    found: list[dict] = []
    address = exports.address

    def note(file: str, name: str) -> str:
        (path,) = services().host.private_folder.glob(f"*/exports/{file}")
        found.append({"path": path, "file_name": name, "data": path.read_bytes()})
        return address(file, name)

    monkeypatch.setattr(exports, "address", note)
    return found


def opened(format: str, **seeded: str):
    """The page with the box open."""
    fields = {f"export {name}": value for name, value in {"mine": True, "format": format, **seeded}.items()}
    return fine(page("checkpoints.py", **fields))


def exported(app):
    """The page after Export was pressed and the file is there."""
    button(app, "Export").click().run()
    until(lambda: all(job.done for job in [*services().measurements._jobs.values()]))
    return fine(app.run())


CASES = [
    *((name, {}) for name in sorted(export.FORMATS, key="html".__eq__) if not name.startswith("transformer")),
    ("figure", {"figure": "architecture", "suffix": ".png"}),
    ("figure", {"figure": "attention", "suffix": ".pdf"}),
    ("figure", {"figure": "roles"}),
]


@pytest.mark.parametrize(("format", "seeded"), first(2, CASES, of=12))
def test_each_format_comes_as_the_file_of_the_command_line(library, offered, format, seeded):
    reads = export.reads(format, seeded.get("figure", "attention"))
    app = opened(format, **({"input": "1 2"} if reads else {}), **seeded)
    assert not offered
    app = exported(app)
    (file,) = offered[-1:]
    loaded = checkpoint.load(library.path("mine"))
    figure, suffix = seeded.get("figure", "attention"), seeded.get("suffix", export.FORMATS[format].suffixes[0])
    expected, _ = export.content(loaded, format, text="1 2", figure=figure, suffix=suffix)
    ending = {"figure": figure, "script": "training", "attention-json": "attention", "json": "operations"}.get(format)
    name = f"mine-{ending}{suffix}" if ending else f"mine{suffix}"
    assert file["file_name"] == name
    assert f"Download <code>{name}</code>" in written(app)
    if format == "onnx":
        assert "Compared with PyTorch" in written(app)
        assert len(file["data"]) == len(expected)
    elif format == "npz":
        assert np.load(io.BytesIO(file["data"])).files == np.load(io.BytesIO(expected)).files
    elif suffix in (".pdf", ".png"):
        assert file["data"].startswith(BEGINS[suffix[1:]])
    else:
        assert file["data"] == expected


def test_the_box_lists_each_figure_and_asks_for_an_input_where_one_is_read(library):
    for name, figure in export.FIGURES.items():
        app = opened("figure", figure=name)
        (box,) = (each for each in app.selectbox if each.label == "Figure")
        assert box.options == [each.title for each in export.FIGURES.values()]
        assert ("Input" in [each.label for each in app.text_input]) == figure.reads


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


def test_a_file_goes_to_the_visitor_who_exported_it_and_to_nobody_else(library, offered):
    exported(opened("attention-json", input="1 2"))
    cookie = identity.new_visitor()
    folder, _ = exports.make_room(identity.visitor_of(cookie))
    path = offered[-1]["path"].rename(folder / offered[-1]["path"].name)
    client = TestClient(Starlette(routes=startup.routes()))
    address = f"/exports/{path.name}/mine.json"
    assert client.get(address).status_code == 403
    client.cookies.set(identity.VISITOR_COOKIE, identity.new_visitor())
    assert client.get(address).status_code == 410
    client.cookies.set(identity.VISITOR_COOKIE, cookie)
    got = client.get(address)
    assert (got.status_code, got.content) == (200, offered[-1]["data"])
    assert got.headers["content-disposition"] == 'attachment; filename="mine.json"'
    for wrong in ("..", "%2e%2e%2fseen", ".", 32 * "x"):
        assert client.get(f"/exports/{wrong}/seen").status_code in (404, 410)


def test_a_file_that_has_expired_can_be_exported_again(library, offered):
    app = exported(opened("attention-json", input="1 2"))
    path = offered[-1]["path"]
    exports.expire()
    assert path.exists()
    old = time.time() - exports.KEPT_SECONDS - 1
    os.utime(path, (old, old))
    exports.expire()
    assert not path.exists()
    count = len(offered)
    app = fine(app.run())
    assert len(offered) == count
    exported(app)
    assert offered[-1]["path"] != path


def test_a_visitor_keeps_few_files():
    visitor = identity.visitor_of(identity.new_visitor())
    for number in range(exports.MAX_FILES + 2):
        folder, _ = exports.make_room(visitor)
        (folder / f"{number}").touch()
        os.utime(folder / f"{number}", (number, number))
    assert sorted(path.name for path in folder.iterdir()) == ["2", "3", "4"]


def test_too_large_a_file_is_refused_with_its_size_and_nothing_is_left(library, offered, monkeypatch):
    monkeypatch.setattr(exports, "make_room", lambda visitor: (exports._folder(visitor), 1_000))
    app = exported(opened("json", input="1 2"))
    (message,) = messages(app, "error", "wrong")
    assert re.search(r"The file has .* MB\. The limit on this server is 0 MB\.", message)
    assert not offered
    assert not [*services().host.private_folder.glob("*/exports/*")]
