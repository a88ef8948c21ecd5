"""`python -m playground trace` and `playground.trace`: one's own code as a page, as JSON and in a notebook."""

import json
import re
from pathlib import Path

import pytest
import torch
from torch import nn

import playground
from tests.test_check_corpus import CORPUS
from tests.test_cli import done, refused
from tests.test_trace_page import page_data
from tests.traced_models import LoopOverHeads

MINE = """
import torch
from torch import nn

WIDTH = 16

class Small(nn.Module):
    def __init__(self, d_model=WIDTH):
        super().__init__()
        self.inner = nn.Linear(d_model, d_model)

    def forward(self, x):
        return torch.relu(self.inner(x))

class Mine(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.table, self.small = nn.Embedding(vocab_size, d_model), Small(d_model)

    def forward(self, tokens):
        return self.small(self.table(tokens))

def double(x, by=2):
    return x * by
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def graph(folder: Path) -> dict:
    return json.loads((folder / "pass.json").read_text())


def functions(folder: Path) -> list[str]:
    return [operation["function"] for operation in graph(folder)["operations"]]


def test_rotary_tables_and_the_start_of_a_cache_are_usual_inputs(tmp_path: Path):
    done("trace", CORPUS / "modern" / "llama_attention.py", "--out", tmp_path / "pass.json")
    assert {"view_as_complex", "view_as_real", "softmax"} <= {*functions(tmp_path)}


def test_the_last_module_of_a_file_is_built_and_called(file: Path, tmp_path: Path):
    assert done("trace", file, "--out", tmp_path / "pass.json") == f"3 operations in {tmp_path / 'pass.json'}\n"
    assert functions(tmp_path) == ["embedding", "linear", "relu"]
    relu = graph(tmp_path)["operations"][-1]
    assert (relu["source"]["file"], relu["source"]["line"]) == (str(file), 13)
    assert relu["expression"] == "torch.relu(self.inner(x))"
    assert [call["path"] for call in relu["modules"]] == ["", "small"]


def test_another_one_is_built_and_called_as_the_options_say(file: Path, tmp_path: Path):
    words = ["--build", "Small(4)", "--call", "model(torch.ones(1, 3, 4))"]
    done("trace", file, *words, "--out", tmp_path / "pass.json", "--gradients")
    assert functions(tmp_path) == ["linear", "relu"]
    assert graph(tmp_path)["tensors"][-1]["gradient"] == [[[1.0] * 4] * 3]


def test_a_function_is_traced(file: Path, tmp_path: Path):
    done("trace", file, "--call", "double(torch.ones(2), by=3)", "--out", tmp_path / "pass.json")
    assert functions(tmp_path) == ["mul"]
    assert graph(tmp_path)["tensors"][-1]["values"] == [3, 3]


def test_the_page_of_a_file(file: Path, tmp_path: Path):
    done("trace", file, "--out", tmp_path / "pass.html")
    page = (tmp_path / "pass.html").read_text()
    assert "<title>mine.py: Mine</title>" in page


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--out", "pass.txt"], "Choose a name that ends with .html or .json."),
        (["--out", "pass.json", "--build", "Mine("], "--build Mine( is not a Python expression."),
        (["--out", "pass.json", "--build", "Nobody()"], "--build Nobody() raised NameError"),
        (["--out", "pass.json", "--call", "3"], "--call 3 is not a call."),
        (["--out", "pass.json", "--call", "model(torch.ones(2))"], "Your code raised"),
        (["--out", "no/such/folder/pass.json"], "could not be written"),
    ],
)
def test_what_cant_be_traced_is_one_line_of_error(file: Path, tmp_path: Path, words: list[str], says: str):
    words = [str(tmp_path / word) if word.endswith((".json", ".txt")) else word for word in words]
    refused(tmp_path, "trace", file, *words, says=says)


def test_inputs_that_dont_fit_are_asked_for(tmp_path: Path):
    (tmp_path / "odd.py").write_text(
        MINE.replace("self.table(tokens)", "self.table(tokens['ids'])").partition("def double")[0]
    )
    refused(tmp_path, "trace", tmp_path / "odd.py", "--out", tmp_path / "pass.json", says='--call "model(...)"')


def test_a_model_with_defaults_is_built_and_called_with_them(tmp_path: Path):
    (tmp_path / "small.py").write_text(MINE.partition("class Mine")[0])
    done("trace", tmp_path / "small.py", "--out", tmp_path / "pass.json")
    assert graph(tmp_path)["tensors"][-1]["shape"][-1] == 16


def test_tokens_and_positions_stay_in_the_tables_of_the_model(tmp_path: Path):
    (tmp_path / "few.py").write_text(
        "import torch\nfrom torch import nn\n\nclass Few(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n        self.table = nn.Embedding(3, 4)\n\n"
        "    def forward(self, tokens):\n"
        "        return self.table(tokens) + self.table(torch.arange(tokens.shape[1]))\n"
    )
    done("trace", tmp_path / "few.py", "--out", tmp_path / "pass.json")
    assert functions(tmp_path)[-1] == "add"


def test_the_error_is_that_of_the_inputs_that_got_farthest(tmp_path: Path):
    code = MINE.partition("class Mine")[0].replace("self.inner(x))", "self.inner(x)) @ torch.ones(3, 3)")
    (tmp_path / "small.py").write_text(code)
    words = ["trace", tmp_path / "small.py", "--out", tmp_path / "pass.json"]
    refused(tmp_path, *words, says="cannot be multiplied (10x16 and 3x3) (small.py, line 13)")


def test_a_page_tells_the_name_of_a_file_and_not_its_folder(file: Path, tmp_path: Path):
    done("trace", file, "--out", tmp_path / "pass.html")
    page = (tmp_path / "pass.html").read_text()
    assert '"file": "mine.py"' in page
    assert str(tmp_path) not in page


def test_a_trace_draws_itself_in_a_notebook():
    drawn = playground.trace(LoopOverHeads().eval(), torch.rand(1, 3, 12), gradients=True)
    assert drawn._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert page_data(drawn)["tensors"][0]["gradient"] is not None


def test_a_trace_is_saved(tmp_path: Path):
    drawn = playground.trace(nn.ReLU(), torch.ones(2))
    drawn.save(tmp_path / "pass.html")
    assert "<title>ReLU</title>" in (tmp_path / "pass.html").read_text()
    with pytest.raises(playground.PlaygroundError, match=r"ends with \.html or \.json"):
        drawn.save(tmp_path / "pass.svg")


def test_gradients_need_a_tensor():
    with pytest.raises(playground.PlaygroundError, match="returned no tensor with a gradient"):
        playground.trace(lambda x: {"top": x.argmax()}, torch.ones(2), gradients=True)


def test_a_notebook_is_traced_with_lines_counted_in_their_code_cell(tmp_path: Path):
    cells = ("import torch\n\n", "# twice\ndef double(x):\n    return x * 2")
    file = tmp_path / "lesson.ipynb"
    file.write_text(json.dumps({"cells": [{"cell_type": "code", "source": source} for source in cells]}))
    for name in ("pass.json", "pass.html"):
        done("trace", file, "--call", "double(torch.ones(2))", "--out", tmp_path / name)
    (operation,) = json.loads((tmp_path / "pass.json").read_text())["operations"]
    assert (operation["source"]["cell"], operation["source"]["line"]) == (2, 3)
    page = (tmp_path / "pass.html").read_text()
    data = json.loads(re.search(r'<script type="application/json" id="pass">(.*?)</script>', page, re.DOTALL)[1])
    (shown,), (source,) = data["operations"], data["sources"]
    assert (source["file"], source["first"], shown["line"], shown["last"]) == ("lesson.ipynb, code cell 2", 2, 3, 3)
