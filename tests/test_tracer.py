"""Tracing any module or function: nothing changes, and the graph tells what happened."""

import threading
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.recording import Node, Trace, TraceError, trace, tracing
from playground.recording import tracer as tracer_module
from tests.traced_models import MODELS, Gpt, Head, LoopOverHeads


@pytest.mark.parametrize("name", MODELS)
def test_a_trace_changes_no_bit_of_the_outputs(name):
    model, given = MODELS[name]()
    traced = tensors(trace(model, *given).result)
    plain = tensors(model(*given))
    assert len(traced) == len(plain) > 0
    assert all(torch.equal(one, other) for one, other in zip(traced, plain))


@pytest.mark.parametrize("name", MODELS)
def test_a_trace_leaves_no_trace(name):
    model, given = MODELS[name]()
    before = {key: tensor.clone() for key, tensor in model.state_dict().items()}
    copies = [value.clone() if isinstance(value, Tensor) else value for value in given]
    trace(model, *given, gradients_of=lambda result: sum(part.sum() for part in tensors(result) if part.requires_grad))
    assert all(torch.equal(tensor, before[key]) for key, tensor in model.state_dict().items())
    assert all(torch.equal(one, other) for one, other in zip(tensors(given), tensors(copies)))
    assert not any(module._forward_hooks for module in model.modules())
    assert all(parameter.grad is None for parameter in model.parameters())


@pytest.mark.parametrize("name", MODELS)
def test_every_value_comes_from_somewhere(name):
    model, given = MODELS[name]()
    graph, known = trace(model, *given), set()
    for node in graph:
        for value in node.inputs:
            assert value.origin != "operation" or value in known
        known |= {*node.outputs}
    assert {value.node for value in graph.outputs.values()} <= {*graph.nodes}


def test_a_node_has_its_statement_its_expression_and_its_module():
    graph = trace(*seeded(Gpt), torch.zeros(1, 3, dtype=torch.long))
    node = find(graph, "softmax")[1]
    assert node.source.file == "tests/traced_models.py"
    assert node.source.code == "att = F.softmax(att, dim=-1)"
    assert node.source.function == "CausalSelfAttention.forward"
    assert node.expression == "F.softmax(att, dim=-1)"
    assert [(scope.path, scope.kind) for scope in node.module_call.chain] == [
        ("", "Gpt"),
        ("h.1", "Block"),
        ("h.1.attn", "CausalSelfAttention"),
    ]
    linear = find(graph, "linear")[0]
    assert (linear.module_call.path, linear.expression) == ("h.0.attn.c_attn", "self.c_attn(x)")


def test_inside_of_torch_the_statement_is_that_of_its_module():
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0, batch_first=True).eval()
    relu = find(trace(layer, torch.zeros(1, 3, 8)), "relu")[0]
    assert relu.source.file.endswith("torch/nn/modules/transformer.py")
    assert relu.expression == "self.activation(self.linear1(x))"


def test_parameters_that_took_part_have_their_names():
    graph = trace(*seeded(Gpt), torch.zeros(1, 3, dtype=torch.long))
    assert [value.name for value in find(graph, "linear")[0].inputs[1:]] == [
        "h.0.attn.c_attn.weight",
        "h.0.attn.c_attn.bias",
    ]
    assert graph.outputs["0"].parameters >= {"wte.weight", "wpe.weight", "ln_f.bias"}
    assert graph.repeated == {}


def test_names_of_arguments_and_outputs():
    graph = trace(*seeded(LoopOverHeads), torch.zeros(1, 3, 12), mask=torch.ones(3, 3, dtype=torch.bool))
    assert {name: value.shape for name, value in graph.inputs.items()} == {"x": (1, 3, 12), "mask": (3, 3)}
    assert {name: value.inputs for name, value in graph.outputs.items()} == {"states": frozenset(("x", "mask"))}


@dataclass
class Output:
    logits: Tensor
    hidden: tuple[Tensor, ...]


def test_tuples_dicts_and_dataclasses():
    graph = trace(lambda batch: Output(batch["x"] + 1, (batch["y"][0],)), {"x": torch.zeros(2), "y": [torch.ones(3)]})
    assert {name: value.shape for name, value in graph.inputs.items()} == {"batch.x": (2,), "batch.y.0": (3,)}
    assert {name: value.origin for name, value in graph.outputs.items()} == {"logits": "operation", "hidden.0": "input"}


def test_in_place_operations_make_new_values():
    def shifted(x: Tensor) -> Tensor:
        first = x[0]
        first += 1
        x[1] = 5
        return x

    graph = trace(shifted, torch.zeros(2, 2))
    add = find(graph, "add")[0]
    assert add.in_place
    assert [value.tensor.tolist() for value in add.outputs] == [[1, 1], [[1, 1], [0, 0]]]
    assert graph.inputs["x"].tensor.tolist() == [[0, 0], [0, 0]]
    assert graph.outputs[""].tensor.tolist() == [[1, 1], [5, 5]]
    assert graph.outputs[""].node.function == "setitem"


def test_what_returns_its_input_passes_it_on():
    graph = trace(nn.Sequential(nn.Dropout(0.5), nn.ReLU()).eval(), torch.ones(2))
    dropout, relu = graph.nodes
    assert dropout.passes_on
    assert relu.inputs == (graph.inputs["0" if "0" in graph.inputs else "input"],)


def test_iterating_over_a_tensor():
    graph = trace(lambda x: sum(row * 2 for row in x), torch.ones(3, 2))
    assert [node.function for node in graph] == ["unbind", *["mul", "add"] * 3]
    assert graph.outputs[""].inputs == {"x"}


def test_calls_of_a_shared_module_are_counted():
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(2, 2)

        def forward(self, x: Tensor) -> Tensor:
            return self.layer(self.layer(x))

    assert [(node.module_call.path, node.module_call.number) for node in trace(Twice(), torch.ones(1, 2))] == [
        ("layer", 0),
        ("layer", 1),
    ]


def test_layers_that_are_not_registered_or_registered_twice():
    class Stack(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.plain = [nn.Linear(2, 2), nn.ReLU()]
            self.same = nn.ModuleList([nn.Sequential(nn.Linear(2, 2))] * 3)

        def forward(self, x: Tensor) -> Tensor:
            for layer in [*self.plain, *self.same]:
                x = layer(x)
            return x

    graph = trace(Stack(), torch.ones(1, 2))
    assert graph.unregistered == ("plain[0]", "plain[1]")
    assert graph.repeated == {"same.1": "same.0", "same.2": "same.0"}
    assert [node.module_call.path for node in graph] == ["plain[0]", "plain[1]", *["same.0.0"] * 3]


def test_gradients_are_those_of_autograd():
    model, given = MODELS["a loop over heads"]()
    graph = trace(model, *given, gradients_of=lambda result: result["states"].square().sum())
    x = given[0].clone().requires_grad_()
    loss = model(x, given[1])["states"].square().sum()
    loss.backward()
    assert torch.allclose(graph.inputs["x"].gradient, x.grad, atol=1e-6)
    by_name = {value.name: value for value in graph.values if value.origin == "parameter"}
    assert all(torch.allclose(by_name[name].gradient, p.grad, atol=1e-5) for name, p in model.named_parameters())
    weights = find(graph, "softmax")[0].output
    assert weights.gradient.shape == weights.shape
    # Scores are divided in place: before and after it they have different gradients.
    divided = find(graph, "div")[0]
    assert torch.allclose(divided.output.gradient / 2, divided.inputs[0].gradient)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_compiled_module_runs_as_it_was_written():
    model = torch.compile(Head(4, 2), backend="eager")
    functions = [node.function for node in trace(model, torch.ones(1, 3, 4), None)]
    assert functions == ["linear", "linear", "transpose", "bmm", "div", "softmax", "linear", "matmul"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_compiled_parts_are_traced_as_they_were_written():
    head, halve = torch.compile(Head(4, 2), backend="eager"), torch.compile(lambda x: x / 2, backend="eager")
    parts, x = nn.ModuleList([head]), torch.ones(1, 3, 4)

    class Outer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.parts = parts

        def forward(self, x: Tensor) -> Tensor:
            return halve(self.parts[0](x, None))

    model = Outer().eval()
    graph = trace(model, x)
    assert torch.equal(graph.result, head._orig_mod(x, None) / 2)
    assert [node.function for node in graph][-3:] == ["linear", "matmul", "div"]
    assert find(graph, "bmm")[0].calls[-1].kind == "Head"


def test_what_is_written_into_a_view_changes_its_base():
    def causal(x: Tensor) -> Tensor:
        scores = x.clone()
        scores.view(2, 2, 2)[:, 0].flatten()[1::2].fill_(-1)  # a copy: it changes nothing
        scores.view(4, 2).t()[1, ::2].mul_(3)
        return scores

    graph = trace(causal, torch.ones(2, 4))
    assert graph.outputs[""].tensor.tolist() == [[1, 3, 1, 1], [1, 3, 1, 1]]
    assert torch.equal(graph.result, graph.outputs[""].tensor)
    assert graph.outputs[""].node.function == "mul"


def test_an_opaque_call_is_one_node():
    q = torch.ones(1, 2, 3, 4)
    assert [node.function for node in trace(F.scaled_dot_product_attention, q, q, q)] == [
        "scaled_dot_product_attention"
    ]
    attention = nn.MultiheadAttention(4, 2, batch_first=True).eval()
    assert len(find(trace(attention, *[torch.ones(1, 3, 4)] * 3), "multi_head_attention_forward")) == 1


def test_inputs_given_twice_are_two_inputs():
    x = torch.ones(1, 3)
    graph = trace(lambda query, key: query @ key.T, x, x)
    assert find(graph, "matmul")[0].output.inputs == {"query", "key"}


def test_a_failed_pass_is_traced_up_to_its_exception():
    with tracing(lambda x: x.exp() @ x) as run, pytest.raises(RuntimeError, match="mat1 and mat2"):
        run.run(torch.ones(2, 3))
    assert [node.function for node in run.trace] == ["exp"]


def test_numbers_are_bounded():
    graph = trace(lambda x: x + x.sum() + 1, torch.ones(100), max_bytes=1_000)
    assert graph.truncated
    assert [value.tensor is not None for value in graph.values] == [True, True, True, False]


def test_operations_are_bounded(monkeypatch):
    monkeypatch.setattr(tracer_module, "MAX_NODES", 3)
    with pytest.raises(TraceError, match="more than 3 operations"):
        trace(lambda x: x + x + x + x + x, torch.ones(1))


def test_two_threads_trace_the_same_model():
    model, given = MODELS["nanoGPT"]()
    graphs: list[Trace] = []
    threads = [threading.Thread(target=lambda: graphs.append(trace(model, *given))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({len(graph) for graph in graphs}) == 1
    assert all(torch.equal(graphs[0].result[0], graph.result[0]) for graph in graphs)


def seeded(made) -> tuple[nn.Module]:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return (made().eval(),)


def find(graph: Trace, function: str) -> list[Node]:
    return [node for node in graph if node.function == function]


def tensors(thing: object) -> list[Tensor]:
    if isinstance(thing, Tensor):
        return [thing]
    if isinstance(thing, dict):
        thing = list(thing.values())
    return [part for inner in thing for part in tensors(inner)] if isinstance(thing, (tuple, list)) else []
