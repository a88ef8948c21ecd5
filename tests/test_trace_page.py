"""The page and the JSON of a traced pass: what they hold is what was traced, and the page works out the same cells."""

import json
import math
import random
import re
from pathlib import Path

import pytest
import torch
from torch import Tensor

from playground.explain.traced_cells import is_opaque
from playground.explain.traced_moves import MOVES
from playground.export import trace_json, trace_page
from playground.recording import Trace, trace
from tests.__main__ import NODE
from tests.test_scripts import node as run_node
from tests.test_traced_gradients import CASES, model_with_gradients, passed_to, traced_case
from tests.traced_models import MODELS


def page_data(graph: Trace, title: str = "mine") -> dict:
    page = trace_page.content(graph, title).decode()
    return json.loads(re.search(r'<script type="application/json" id="pass">(.*?)</script>', page, re.DOTALL)[1])


def graph_of(name: str) -> Trace:
    model, given = MODELS[name]()
    return trace(model, *given)


@pytest.mark.skipif(not NODE.is_dir(), reason="the Node packages are not installed")
def test_the_page_works_out_cells_as_they_were_computed(tmp_path: Path):
    draw, pages, expected = random.Random(0), [], []
    for graph in [traced_case(name) for name in CASES] + [graph_of(name) for name in MODELS]:
        asked = []
        for node in graph:
            for output, value in enumerate(node.outputs):
                if math.prod(value.shape) and not is_opaque(node) and (not output or node.function in MOVES):
                    index = [draw.randrange(size) for size in value.shape]
                    asked.append([node.index, output, index])
                    expected.append((float(value.tensor[tuple(index)]), node.expression))
        pages.append([page_data(graph), asked])
    (tmp_path / "asked.json").write_text(json.dumps(pages))
    script = f"""
      import {{ readFileSync }} from "node:fs";
      import {{ Numbers, cellOf }} from "./playground/export/traced_pass.ts";
      const pages = JSON.parse(readFileSync({json.dumps(str(tmp_path / "asked.json"))}));
      const cells = pages.flatMap(([pass, asked]) => {{
        const numbers = new Numbers(pass);
        return asked.map(([at, output, index]) => cellOf(numbers, pass.operations[at], output, index));
      }});
      console.log(JSON.stringify(cells.map((cell) => cell && String(cell.value))));
    """
    ran = run_node("--input-type=module", "--eval", script)
    cells = json.loads(ran.stdout or ran.stderr)
    assert len(cells) == len(expected) > 500
    for cell, (number, expression) in zip(cells, expected):
        assert cell is not None, expression
        value = float(cell.replace("Infinity", "inf"))
        assert value == pytest.approx(number, rel=1e-4, abs=1e-5, nan_ok=True), expression


@pytest.mark.skipif(not NODE.is_dir(), reason="the Node packages are not installed")
def test_the_page_works_out_gradients_as_they_were_computed(tmp_path: Path):
    draw, pages, expected = random.Random(0), [], []
    graphs = [traced_case(name) for name in CASES] + [model_with_gradients(name) for name in MODELS]
    for graph in graphs:
        asked = []
        for value, found in passed_to(graph):
            if math.prod(value.shape) and not any(each.is_opaque for each in found):
                index = [draw.randrange(size) for size in value.shape]
                asked.append([value.index, index])
                expected.append((float(value.gradient[tuple(index)]), [each.name for each in found]))
        pages.append([page_data(graph), asked])
    (tmp_path / "asked.json").write_text(json.dumps(pages))
    script = f"""
      import {{ readFileSync }} from "node:fs";
      import {{ Numbers, gradientCellOf }} from "./playground/export/traced_pass.ts";
      const pages = JSON.parse(readFileSync({json.dumps(str(tmp_path / "asked.json"))}));
      const cells = pages.flatMap(([pass, asked]) => {{
        const numbers = new Numbers(pass);
        return asked.map(([tensor, index]) => gradientCellOf(numbers, tensor, index));
      }});
      const sum = ({{ parts }}) => parts.reduce((total, {{ cell }}) => total + cell.value, 0);
      console.log(JSON.stringify(cells.map((cell) => [String(sum(cell)), cell.parts.length, cell.rest])));
    """
    ran = run_node("--input-type=module", "--eval", script)
    cells = json.loads(ran.stdout or ran.stderr)
    assert len(cells) == len(expected) > 300
    for (total, parts, rest), (gradient, names) in zip(cells, expected):
        assert float(total) == pytest.approx(gradient, rel=1e-4, abs=1e-5, nan_ok=True), names
        assert (parts, rest) == (len(names), None), names


@pytest.mark.skipif(not NODE.is_dir(), reason="the Node packages are not installed")
def test_the_page_tells_what_no_rule_explains(tmp_path: Path):
    def mine(x: Tensor) -> tuple[Tensor, Tensor]:
        y = x * 2
        return y, torch.nn.functional.hardtanh(y, -9, 9)

    graph = trace(mine, torch.ones(1, 2, 3), gradients_of=lambda result: (result[0] + result[1]).sum())
    (tmp_path / "pass.json").write_text(json.dumps(page_data(graph)))
    script = f"""
      import {{ readFileSync }} from "node:fs";
      import {{ Numbers, gradientCellOf }} from "./playground/export/traced_pass.ts";
      const numbers = new Numbers(JSON.parse(readFileSync({json.dumps(str(tmp_path / "pass.json"))})));
      const tensors = {json.dumps([value.index for value in (*graph.outputs.values(), graph.inputs["x"])])};
      console.log(JSON.stringify(tensors.map((tensor) => gradientCellOf(numbers, tensor, [0, 0, 0]))));
    """
    ran = run_node("--input-type=module", "--eval", script)
    both, output, given = json.loads(ran.stdout or ran.stderr)
    assert (both["value"], both["rest"]["from"]) == (2, "from 2 hardtanh and given by the loss")
    assert (output["parts"], output["rest"]) == ([], {"from": "given by the loss", "value": 1})
    assert (given["value"], given["rest"], given["parts"][0]["cell"]["value"]) == (4, None, 4)


def test_the_page_is_whole_and_safe():
    def mine(x: Tensor) -> Tensor:
        return x + 1  # </script><script>alert(1)</script>

    page = trace_page.content(trace(mine, torch.ones(2)), "<b>mine</b>").decode()
    assert page.count("<script") == 2
    assert "default-src 'none'" in page
    assert "&lt;b&gt;mine&lt;/b&gt;" in page
    assert "http://" not in page
    assert "https://" not in page


def test_the_page_names_modules_that_are_not_registered_or_shared():
    class Stack(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.plain, layer = [torch.nn.ReLU()], torch.nn.Linear(2, 2)
            self.one, self.other = layer, layer

        def forward(self, x: Tensor) -> Tensor:
            return self.other(self.plain[0](self.one(x)))

    assert page_data(trace(Stack(), torch.ones(1, 2)))["notes"] == [
        "Not registered, because they stand in a plain list or dict: plain[0].",
        "Registered more than once, so these share their weights: other is one.",
    ]


def test_numbers_beyond_the_limit_are_left_out(monkeypatch):
    monkeypatch.setattr(trace_page, "MAX_BYTES", 30)
    data = page_data(trace(lambda x: (x + 1) * 2, torch.ones(3)))
    assert [tensor["values"] is not None for tensor in data["tensors"]] == [True, True, False]
    assert data["notes"] == ["The pass has too many numbers, so some were left out."]


@pytest.mark.parametrize("name", MODELS)
def test_json_holds_the_graph(name):
    graph = graph_of(name)
    held = json.loads(trace_json.content(graph))
    assert [operation["function"] for operation in held["operations"]] == [node.function for node in graph]
    assert len(held["tensors"]) == len(graph.values)
    for operation, node in zip(held["operations"], graph):
        assert operation["source"]["line"] == node.source.line
        assert [tuple(held["tensors"][at]["shape"]) for at in operation["outputs"]] == [v.shape for v in node.outputs]


def test_opaque_calls_are_marked():
    q, attention = torch.ones(1, 3, 4), torch.nn.MultiheadAttention(4, 2, batch_first=True).eval()

    def both(x: Tensor) -> Tensor:
        return attention(x, x, x)[0] + torch.nn.functional.hardtanh(x)

    operations = json.loads(trace_json.content(trace(both, q)))["operations"]
    opaque = {operation["function"] for operation in operations if operation["opaque"]}
    assert opaque == {"multi_head_attention_forward", "hardtanh"}
    drawn, known = page_data(trace(both, q))["operations"], ("declared", "copied", "passesOn")
    assert {each["function"] for each in drawn if not any(map(each.get, known))} == opaque


def test_json_of_numbers_that_are_not_finite():
    held = json.loads(trace_json.content(trace(lambda x: x.log(), torch.tensor([0.0, -1.0, math.inf, 1.0]))))
    assert held["tensors"][-1]["values"] == [None, "nan", "inf", 0.0]


def test_sparse_tensors_are_shown_as_dense_ones():
    table = torch.nn.Embedding(4, 2, sparse=True)
    graph = trace(
        lambda tokens: (table(tokens), torch.eye(3).to_sparse()),
        torch.tensor([1, 1]),
        gradients_of=lambda r: r[0].sum(),
    )
    assert json.loads(trace_json.content(graph))["tensors"][graph.outputs["1"].index]["values"] == torch.eye(3).tolist()
    gradients = [tensor["gradient"] for tensor in json.loads(trace_json.content(graph))["tensors"]]
    assert [[0, 0], [2, 2], [0, 0], [0, 0]] in gradients
    assert page_data(graph)["notes"] == []
