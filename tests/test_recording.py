"""Recording and changing a forward pass: nothing else changes, nothing is left behind, nobody's numbers mix."""

import ast
import copy
import importlib
import inspect
import math
import sys
import textwrap
import threading
from typing import get_args

import pytest
import torch
from torch import Tensor, nn

from playground.model.task_model import TaskModel
from playground.recording import (
    REPOSITORY,
    Recording,
    Statement,
    Tap,
    function_around,
    intervene,
    record,
    with_shared_weights,
)
from playground.settings.config import Positions
from playground.tasks import PAD
from playground.tasks.batches import make_batch
from tests.helpers import (
    ARCHITECTURES,
    HANG,
    MODEL_CLASSES,
    WITH_DECODER,
    small_batch,
    small_config,
    small_model,
)

EXACT = {"atol": 0.0, "rtol": 0.0, "equal_nan": False}


def hooks(model: nn.Module) -> list[str]:
    """Modules that carry a hook of any kind."""
    kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    return [name for name, module in model.named_modules() if any(getattr(module, kind) for kind in kinds)]


def recorded(model: TaskModel) -> Recording:
    with record(model) as recording:
        recording.model(*small_batch(model.config))
    return recording


# --- a recording changes nothing ------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_recording_changes_no_bit_of_the_outputs(architecture):
    model = small_model(architecture, n_layers=2)
    batch = small_batch(model.config)
    logits, loss = model(*batch)
    with record(model) as recording:
        watched_logits, watched_loss = recording.model(*batch)
    assert torch.equal(watched_logits, logits)
    assert torch.equal(watched_loss, loss)
    assert torch.equal(recording["logits"].value, logits)
    assert not watched_loss.requires_grad
    assert not recording["logits"].value.requires_grad
    again, _ = model(*batch)
    assert torch.equal(again, logits)


@pytest.mark.parametrize("training", [True, False])
def test_a_recording_keeps_the_mode_and_leaves_the_model_alone(training):
    model = small_model("encoder-decoder").train(training)
    before = copy.deepcopy(model.state_dict())
    with record(model) as recording:
        assert recording.model is not model
        assert recording.model.training == training
        assert not hooks(model)
        recording.model(*small_batch(model.config))
    assert not hooks(model)
    assert not hooks(recording.model)
    assert model.training == training
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert all(parameter.grad is None for parameter in model.parameters())


def test_an_error_inside_the_block_leaves_no_hook_and_no_setting_behind():
    model = small_model("encoder-decoder")
    grad_enabled = torch.is_grad_enabled()
    with pytest.raises(ZeroDivisionError), record(model) as recording:
        len(recording) / len(hooks(model))  # the copy carries the hooks, the model none
    assert not hooks(model)
    assert not hooks(recording.model)
    assert torch.is_grad_enabled() == grad_enabled
    logits, _ = model(*small_batch(model.config))
    assert torch.equal(recorded(model)["logits"].value, logits)


def test_operations_come_in_the_order_in_which_they_ran():
    recording = recorded(small_model("decoder-only"))
    in_order = [
        "decoder.tokens",
        "decoder.padding_mask",
        "decoder.causal_mask",
        "decoder.mask",
        "decoder.embeddings.token_embedding",
        "decoder.embeddings.position",
        "decoder.embeddings.sum",
        "decoder.layers.0.self_attention_add_norm.normalized",
        "decoder.layers.0.self_attention.query_projection",
        "decoder.layers.0.self_attention.key_projection",
        "decoder.layers.0.self_attention.value_projection",
        "decoder.layers.0.self_attention.attention.query",
        "decoder.layers.0.self_attention.attention.key",
        "decoder.layers.0.self_attention.attention.value",
        "decoder.layers.0.self_attention.attention.scores",
        "decoder.layers.0.self_attention.attention.scaled_scores",
        "decoder.layers.0.self_attention.attention.masked_scores",
        "decoder.layers.0.self_attention.attention.weights",
        "decoder.layers.0.self_attention.attention.heads",
        "decoder.layers.0.self_attention.concat",
        "decoder.layers.0.self_attention.output",
        "decoder.layers.0.self_attention_add_norm.sum",
        "decoder.layers.0.feed_forward_add_norm.normalized",
        "decoder.layers.0.feed_forward.hidden",
        "decoder.layers.0.feed_forward.activation",
        "decoder.layers.0.feed_forward.output",
        "decoder.layers.0.feed_forward_add_norm.sum",
        "decoder.output",
        "logits",
        "probabilities",
        "labels",
        "loss",
    ]
    assert [name for name in recording.operations if name in in_order] == in_order
    assert [operation.name for operation in recording] == list(recording.operations)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm_position", ["pre", "post"])
def test_inputs_were_recorded_before_what_was_computed_from_them(architecture, norm_position):
    recording = recorded(small_model(architecture, norm_position=norm_position, n_layers=2))
    known = set(dict(recording.model.named_parameters())) | set(dict(recording.model.named_buffers()))
    seen: set[str] = set()
    for operation in recording:
        assert set(operation.inputs) <= seen
        assert set(operation.parameters) <= known
        seen.add(operation.name)
    starts = {operation.tap for operation in recording if not operation.inputs and not operation.parameters}
    assert starts <= {"tokens", "causal_mask", "labels"}


def test_a_tap_called_twice_is_refused():
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.tap = Tap()

        def forward(self, x: Tensor) -> Tensor:
            return self.tap(x) + self.tap(x)

    with pytest.raises(RuntimeError, match="Tap tap was called twice"), record(Twice()) as recording:
        recording.model(torch.ones(1))
    model = small_model("encoder-only")
    with record(model) as recording:
        recording.model(*small_batch(model.config))
        with pytest.raises(RuntimeError, match="called twice; one recording holds one forward pass"):
            recording.model(*small_batch(model.config))


# --- inputs and parameters ------------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm_position", ["pre", "post"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("scale_scores", [True, False])
def test_attention_can_be_recomputed_from_what_it_says_it_was_computed_from(
    architecture, norm_position, bias, scale_scores
):
    model = small_model(architecture, norm_position=norm_position, bias=bias, scale_scores=scale_scores)
    recording = recorded(model)
    parameters = dict(model.named_parameters())
    attentions = [name.removesuffix(".attention.scores") for name in recording.operations if name.endswith(".scores")]
    attentions = [name for name in attentions if not name.endswith("attention.attention")]
    assert len(attentions) == (3 if architecture == "encoder-decoder" else 1)

    for attention in attentions:
        operations = {
            tap: recording[f"{attention}.attention.{tap}"]
            for tap in ("query", "key", "value", "scores", "scaled_scores", "masked_scores", "weights", "heads")
        }
        concat, output = recording[f"{attention}.concat"], recording[f"{attention}.output"]

        def inputs(operation, *expected: str) -> list[Tensor]:
            """Values of the declared inputs, which must end in the expected names."""
            declared = sorted(operation.inputs, key=lambda name: [name.endswith(tail) for tail in expected].index(True))
            assert len(declared) == len(expected), operation
            return [recording[name].value for name in declared]

        def linear(operation, x: Tensor) -> Tensor:
            """The declared matrix and, where there is one, bias applied to x."""
            named = {name.rpartition(".")[2]: parameters[name] for name in operation.parameters}
            assert set(named) == ({"weight", "bias"} if bias else {"weight"})
            return nn.functional.linear(x, named["weight"], named.get("bias"))

        mask_name = "padding_mask" if "encoder." in attention or "cross" in attention else ".mask"
        for side in ("query", "key", "value"):
            projection = recording[f"{attention}.{side}_projection"]
            (name,) = projection.inputs
            torch.testing.assert_close(projection.value, linear(projection, recording[name].value), **EXACT)
            (whole,) = inputs(operations[side], f".{side}_projection")
            heads = torch.stack(whole.chunk(model.config.model.n_heads, dim=-1), dim=1)
            torch.testing.assert_close(operations[side].value, heads, **EXACT)

        query, key = inputs(operations["scores"], ".query", ".key")
        close = {"atol": 1e-6, "rtol": 1e-6}
        torch.testing.assert_close(operations["scores"].value, torch.einsum("bhtk,bhsk->bhts", query, key), **close)
        (scores,) = inputs(operations["scaled_scores"], ".scores")
        scaled = scores / math.sqrt(model.config.model.d_head) if scale_scores else scores
        torch.testing.assert_close(operations["scaled_scores"].value, scaled, **EXACT)
        scores, mask = inputs(operations["masked_scores"], ".scaled_scores", mask_name)
        torch.testing.assert_close(operations["masked_scores"].value, torch.where(mask, scores, -math.inf), **EXACT)
        (scores,) = inputs(operations["weights"], ".masked_scores")
        powers = scores.exp()
        torch.testing.assert_close(operations["weights"].value, powers / powers.sum(-1, keepdim=True), **close)
        weights, value = inputs(operations["heads"], ".weights", ".value")
        torch.testing.assert_close(operations["heads"].value, torch.einsum("bhts,bhsk->bhtk", weights, value), **close)
        (heads,) = inputs(concat, ".heads")
        torch.testing.assert_close(concat.value, torch.cat(heads.unbind(1), dim=-1), **EXACT)
        (joined,) = inputs(output, ".concat")
        torch.testing.assert_close(output.value, linear(output, joined), **EXACT)
        assert not any(operation.parameters for operation in (*operations.values(), concat))


@pytest.mark.parametrize("positions", get_args(Positions))
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_embeddings_logits_and_loss_name_their_tables_and_inputs(architecture, positions):
    model = small_model(architecture, positions=positions)
    recording = recorded(model)
    stack = "decoder" if model.decoder else "encoder"
    module = f"{stack}.embeddings"
    first = "encoder" if model.encoder else "decoder"  # a table shared by both sides has the name it has there
    token_embedding = recording[f"{module}.token_embedding"]
    assert token_embedding.inputs == (f"{stack}.tokens",)
    assert token_embedding.parameters == (f"{first}.embeddings.token_table.weight",)
    if positions not in ("rotary", "none"):
        tables = ["table", "table_from_end"] if positions == "two_way" else ["table"]
        if architecture == "encoder-decoder" and positions == "two_way":
            tables = ["table"]  # what the decoder says is counted from the start alone
        position = recording[f"{module}.position"]
        assert position.parameters == tuple(f"{first}.embeddings.positions.{table}" for table in tables)
        by_source = positions == "two_way" and architecture == "encoder-only"  # decoder-only is given the length
        assert position.inputs == ((f"{stack}.tokens",) if by_source else ())
        assert recording[f"{module}.sum"].inputs == (f"{module}.token_embedding", f"{module}.position")
    assert recording["logits"].inputs == (f"{stack}.output",)
    assert recording["logits"].parameters == ("head.weight", "head.bias")
    assert recording["loss"].inputs == ("logits", "labels")
    assert recording["labels"].inputs == ()


def test_labels_of_the_copy_task_are_not_taken_for_computed_from_what_the_encoder_reads():
    model = small_model("encoder-only")
    config = model.config.updated({"task.name": "copy"})
    source = small_batch(config).source
    with record(model) as recording:
        recording.model(*make_batch(config, source))
    assert recording["labels"].inputs == ()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm_position", ["pre", "post"])
def test_what_a_change_reaches_is_what_the_inputs_say(architecture, norm_position):
    model = small_model(architecture, norm_position=norm_position)
    batch = small_batch(model.config)
    before = recorded(model)
    for name, operation in before.operations.items():
        if not operation.value.is_floating_point() or name == "loss":
            continue
        reached = {name}
        for later in before:
            if reached & set(later.inputs):
                reached.add(later.name)
        with intervene(model, {name: lambda value: value * 1.5 + 0.25}) as changed, record(changed) as after:
            after.model(*batch)
        differs = {other.name for other in after if not torch.equal(other.value, before[other.name].value)}
        assert differs <= reached
        assert name in differs
        assert ("logits" in differs) == ("logits" in reached), name


# --- the statement that ran -----------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm_position", ["pre", "post"])
def test_every_operation_names_the_statement_that_ran(architecture, norm_position):
    for operation in recorded(small_model(architecture, norm_position=norm_position)):
        source = operation.named_by or operation.source
        owner = MODEL_CLASSES[operation.owner]
        assert (REPOSITORY / source.file).samefile(inspect.getsourcefile(owner))
        lines = (REPOSITORY / source.file).read_text(encoding="utf-8").splitlines()
        code = source.code.splitlines()
        assert lines[source.line - 1].strip() == code[0]
        assert [line.strip() for line in lines[source.line - 1 :][: len(code)]] == [line.strip() for line in code]
        assert f"self.{operation.tap}(" in source.code
        assert len(ast.parse(source.code).body) == 1
        first, last = (
            inspect.getsourcelines(owner)[1],
            inspect.getsourcelines(owner)[1] + len(inspect.getsourcelines(owner)[0]),
        )
        assert first <= source.line < last


def line_of(operation_name: str, **settings: object) -> tuple[int, str]:
    operation = recorded(small_model("encoder-decoder", **settings))[operation_name]
    source = operation.named_by or operation.source
    return source.line, source.code


def test_each_setting_shows_its_own_line():
    norm = "decoder.layers.0.self_attention_add_norm.normalized"
    assert line_of(norm, norm_position="pre") != line_of(norm, norm_position="post")
    assert line_of(norm, norm_position="pre")[0] < line_of(norm, norm_position="post")[0]
    scaled = "encoder.layers.0.self_attention.attention.scaled_scores"
    assert line_of(scaled, scale_scores=True)[1] == "scores = self.scaled_scores(scores / math.sqrt(query.size(-1)))"
    assert line_of(scaled, scale_scores=False)[1] == "scores = self.scaled_scores(scores)"
    assert line_of("decoder.causal_mask", causal_mask=True) != line_of("decoder.causal_mask", causal_mask=False)


def test_a_tensor_has_the_statement_that_computed_it_also_where_another_one_names_it():
    attention = "decoder.layers.0.self_attention.attention"
    for positions, code in (("learned", "return x.unflatten("), ("rotary", "return torch.stack([even * cos - odd")):
        recording = recorded(small_model("decoder-only", positions=positions))
        query = recording[f"{attention}.query"]
        assert query.source.code.startswith(code)
        assert query.named_by.code == "query = self.query(query)  # (B, H, T, K)"
        named = {operation.tap for operation in recording if operation.named_by}
        assert named == {"query", "key", "value"} | (
            {"sum", "rotated_query", "rotated_key"} if positions == "rotary" else set()
        )
    assert recording["decoder.tokens"].source.code == "target = self.tokens(target)", "given, and computed by nobody"


def test_a_statement_of_several_lines_is_shown_whole():
    recording = recorded(small_model("decoder-only"))
    code = recording["loss"].source.code
    assert code.startswith("loss = self.loss(\n    F.cross_entropy(")
    assert code.endswith("\n)")


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm_position", ["pre", "post"])
def test_the_function_around_a_statement_is_the_one_that_ran(architecture, norm_position):
    for operation in recorded(small_model(architecture, norm_position=norm_position)):
        owner = MODEL_CLASSES[operation.owner]
        lines, first = inspect.getsourcelines(owner.forward)
        source = operation.named_by or operation.source
        assert source.function == f"{operation.owner}.forward"
        assert function_around(source) == (first, textwrap.dedent("".join(lines)).rstrip())


NESTED = """from playground.recording import Tap
from torch import nn


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.outer, self.by_lambda = Tap(), Tap(), Tap()

    def forward(self, x):
        @staticmethod
        def double(y):
            return self.inner(2 * y)

        return self.outer(double(x)) + (lambda y: self.by_lambda(3 * y))(x)
"""


def test_the_function_is_the_innermost_def(tmp_path, monkeypatch):
    (tmp_path / "nested.py").write_text(NESTED)
    monkeypatch.syspath_prepend(tmp_path)
    with record(importlib.import_module("nested").Nested()) as recording:
        recording.model(torch.ones(2))
    sources = {operation.tap: operation.named_by or operation.source for operation in recording}
    assert {tap: source.function for tap, source in sources.items()} == {
        "inner": "Nested.forward.double",
        "outer": "Nested.forward",
        "by_lambda": "Nested.forward",
    }
    first, text = function_around(sources["inner"])
    assert first == 11
    assert text == "@staticmethod\ndef double(y):\n    return self.inner(2 * y)"
    assert function_around(sources["by_lambda"])[1].startswith("def forward(self, x):\n    @staticmethod")
    monkeypatch.delitem(sys.modules, "nested")


def test_a_statement_outside_of_any_function_stands_alone():
    source = Statement("no/such/file.py", 7, "x = self.tap(x)", "")
    assert function_around(source) == (7, "x = self.tap(x)")


# --- changing a pass ------------------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_an_intervention_changes_what_follows_and_nothing_before(architecture):
    model = small_model(architecture, n_layers=2)
    stack = "decoder" if model.decoder else "encoder"
    name = f"{stack}.layers.1.self_attention.attention.weights"
    before = recorded(model)
    without_first_head = before[name].value.clone()
    without_first_head[:, 0] = 0
    for replacement in (without_first_head, lambda value: value * (torch.arange(3) > 0)[:, None, None]):
        with intervene(model, {name: replacement}) as changed, record(changed) as after:
            after.model(*small_batch(model.config))
        assert torch.equal(after[name].value, without_first_head)
        heads = f"{stack}.layers.1.self_attention.attention.heads"
        assert not after[heads].value[:, 0].any()
        assert torch.equal(after[heads].value[:, 1:], before[heads].value[:, 1:])
        assert not torch.equal(after["logits"].value, before["logits"].value)
        names = list(before.operations)
        for earlier in names[: names.index(name)]:
            assert torch.equal(after[earlier].value, before[earlier].value), earlier


def test_an_intervention_leaves_the_model_itself_alone_also_after_an_error():
    model = small_model("encoder-decoder")
    batch = small_batch(model.config)
    expected, _ = model(*batch)
    with intervene(model, {"logits": lambda value: value * 0}) as changed:
        assert not changed(*batch)[0].any()
        assert torch.equal(model(*batch)[0], expected)
        assert not hooks(model)
    with pytest.raises(ZeroDivisionError), intervene(model, {"logits": lambda value: value / (1 // 0)}) as changed:
        changed(*batch)
    assert not hooks(model)
    assert not hooks(changed)
    assert torch.equal(model(*batch)[0], expected)
    assert torch.equal(changed(*batch)[0], expected)


def test_no_change_gives_the_same_and_several_changes_work_at_once():
    model = small_model("decoder-only")
    batch = small_batch(model.config)
    expected, _ = model(*batch)
    with intervene(model, {}) as same:
        assert torch.equal(same(*batch)[0], expected)
    changes = {"decoder.output": torch.zeros_like, "logits": lambda value: value + 1}
    with intervene(model, changes) as changed:
        bias = model.head.bias + 1
        torch.testing.assert_close(changed(*batch)[0], bias.expand_as(expected))


def test_an_unknown_tap_is_refused_with_the_known_ones():
    model = small_model("encoder-only")
    sentence = r"decoder\.output is no tap of this model; its taps are encoder\.embeddings\.token_embedding, "
    with pytest.raises(KeyError, match=sentence), intervene(model, {"decoder.output": torch.zeros(1)}):
        pass
    with pytest.raises(KeyError, match="encoder is no tap"), intervene(model, {"encoder": torch.zeros(1)}):
        pass


@pytest.mark.parametrize("replacement", [torch.zeros(2, 5, 11, 1), lambda value: value[:1]], ids=["tensor", "function"])
def test_a_replacement_of_another_shape_is_refused(replacement):
    model = small_model("encoder-only")
    sentence = r"logits has shape \(2, 5, 11\); its replacement has \("
    with pytest.raises(ValueError, match=sentence), intervene(model, {"logits": replacement}) as changed:
        changed(*small_batch(model.config))
    assert not hooks(model)
    assert not hooks(changed)


# --- two visitors at once -------------------------------------------------------------------------


def record_side_by_side(model: TaskModel, rounds: int) -> list[list[dict[str, Tensor] | Exception]]:
    """What two threads record of one model, round by round, each with inputs of its own.

    In every round both have begun to record before either runs the model.
    """
    found: list[list[dict[str, Tensor] | Exception]] = [[], []]
    ready = threading.Barrier(2, timeout=HANG)

    def visit(visitor: int) -> None:
        for turn in range(rounds):
            try:
                with record(model) as recording:
                    ready.wait()
                    recording.model(*small_batch(model.config, seed=1000 * visitor + turn))
                    ready.wait()
                found[visitor].append({operation.name: operation.value for operation in recording})
            except RuntimeError as error:
                found[visitor].append(error)
                ready.wait()

    threads = [threading.Thread(target=visit, args=(visitor,)) for visitor in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
        assert not thread.is_alive()
    return found


def right(model: TaskModel, visitor: int, turn: int, found: dict[str, Tensor] | Exception) -> bool:
    with record(model) as alone:
        alone.model(*small_batch(model.config, seed=1000 * visitor + turn))
    return (
        isinstance(found, dict)
        and list(found) == list(alone.operations)
        and all(torch.equal(found[operation.name], operation.value) for operation in alone)
    )


def test_two_threads_that_record_one_model_never_mix():
    model = small_model("encoder-decoder")
    found = record_side_by_side(model, rounds=20)
    for visitor in (0, 1):
        assert len(found[visitor]) == 20
        for turn, recording in enumerate(found[visitor]):
            assert right(model, visitor, turn, recording), (visitor, turn)
    assert not hooks(model)


def test_the_same_two_threads_would_mix_if_they_shared_the_model(monkeypatch):
    """Shows that the test above can fail: without a copy of its own, each recording sees both passes."""
    model = small_model("encoder-decoder")
    with monkeypatch.context() as patch:
        patch.setattr("playground.recording.recorder.copy.deepcopy", lambda shared: shared)
        found = record_side_by_side(model, rounds=3)
    assert not all(right(model, visitor, turn, found[visitor][turn]) for visitor in (0, 1) for turn in range(3))


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_two_recordings_open_at_once_hold_their_own_pass_each(architecture):
    model = small_model(architecture)
    one, other = (small_batch(small_config(architecture), seed=seed) for seed in (1, 2))
    with record(model) as first, record(model) as second:
        second.model(*other)
        first.model(*one)
    for recording, batch in ((first, one), (second, other)):
        assert torch.equal(recording["decoder.tokens"].value, batch.target)
        assert torch.equal(recording["logits"].value, model(*batch)[0])
        assert (batch.target == PAD).any()


# --- copies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tied", [False, True])
def test_a_copy_has_its_own_modules_hooks_and_mode_and_the_same_weights(tied):
    model = small_model("encoder-decoder", tie_embeddings=tied).eval()
    batch = small_batch(model.config)
    expected, _ = model(*batch)
    copy = with_shared_weights(model)
    originals, copies = dict(model.named_modules()), dict(copy.named_modules())
    assert copies.keys() == originals.keys()
    assert not {id(each) for each in copies.values()} & {id(each) for each in originals.values()}
    assert copy.encoder.embeddings.positions is copy.decoder.embeddings.positions
    assert [*map(id, copy.parameters())] == [*map(id, model.parameters())]
    copy.train()
    handle = copy.get_submodule("logits").register_forward_hook(lambda *_: torch.zeros(1))
    assert not model.training
    assert not hooks(model)
    assert torch.equal(model(*batch)[0], expected)
    handle.remove()
    assert torch.equal(copy.eval()(*batch)[0], expected)
