"""The rules of the way back: one for each tap, complete, and true when every gradient is recomputed by them."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from playground.explain import NOTHING, RULES, Rule, backward
from playground.inspection import Step, Walk, walk
from playground.model.taps import TAPS
from playground.task_model import TaskModel
from playground.tasks import PAD, SEP
from tests.helpers import ARCHITECTURES
from tests.test_explain import assert_typesets, every_config, names
from tests.test_gradients import MORE
from tests.test_inspection import INPUT, VARIANTS, tiny

ADDS = r"\mathrel{+}="


def rule_of(walked: Walk, step: Step) -> Rule:
    return backward(step.name, step.operation.owner, walked.model.config)


def test_every_tap_has_a_rule_and_every_rule_a_tap():
    assert RULES.keys() == {(spec.owner, spec.name) for spec in TAPS}


def test_every_rule_is_complete_in_every_model():
    rules: set[Rule] = set()
    for config in every_config():
        m = config.model
        for name, owner in names(m.architecture, m.positions, m.residual, m.layer_norm):
            rules.add(backward(name, owner, config))
    assert len(rules) > len(TAPS)
    for rule in rules:
        assert re.fullmatch(r"[A-Z].{10,}\.", rule.sentence)
        assert not re.search(r"[$\\]|\. |\.\.|  ", rule.sentence), "one sentence, plain words"
        assert_typesets(rule.formula)
        assert not re.search(r"(\^\w|')\^", rule.formula), "two superscripts need braces between them"
        assert (rule.formula == NOTHING) == rule.sentence.startswith("Nothing flows: ")


@pytest.mark.parametrize(("architecture", "changes"), [*VARIANTS, *MORE])
def test_nothing_flows_where_a_walk_has_no_gradient_and_only_there(architecture: str, changes: dict[str, Any]):
    walked = walk(tiny(architecture, **changes), INPUT)
    nothing = {step.name for step in walked.steps if rule_of(walked, step).formula == NOTHING}
    assert nothing == {step.name for step in walked.steps} - set(walked.gradients())


@pytest.mark.parametrize(("architecture", "changes"), [*VARIANTS, *MORE])
def test_a_formula_adds_where_an_input_is_read_by_others_too(architecture: str, changes: dict[str, Any]):
    walked = walk(tiny(architecture, **changes), INPUT)
    gradients, trained = walked.gradients(), dict(walked.model.named_parameters())
    readers = dict.fromkeys(gradients, 0)
    for name in gradients:
        for source in set(walked[name].operation.inputs) & set(gradients):
            readers[source] += 1
    for name in gradients:
        step = walked[name]
        shared = sum(readers.get(source, 0) > 1 for source in step.operation.inputs)
        if step.operation.tap in ("token_embedding", "position"):  # rows of tables are used many times
            shared = sum(parameter in trained for parameter in step.operation.parameters)
        assert rule_of(walked, step).formula.count(ADDS) == shared, name


def test_a_formula_has_a_bias_where_the_model_has_one():
    for bias in (True, False):
        walked = walk(tiny("encoder-decoder", bias=bias), INPUT)
        for step in walked.steps:
            biases = sum(name.endswith("bias") for name in step.operation.parameters)
            told = re.findall(r"\\frac\{\\partial L\}\{\\partial (?:b[}^_]|\\beta)", rule_of(walked, step).formula)
            assert len(told) == biases, step.name


# --- the rules, in numbers ------------------------------------------------------------------------

Numbers = dict[str, np.ndarray]


class Pass:
    """Values, parameters and gradients of a walk in 64 bits."""

    def __init__(self, walked: Walk) -> None:
        self.walked = walked
        self.value = {step.name: step.value.double().numpy() for step in walked.steps}
        self.gradient = {name: gradient.double().numpy() for name, gradient in walked.gradients().items()}
        self.weights = {name: each.detach().double().numpy() for name, each in walked.model.named_parameters()}
        self.config = walked.model.config.model

    def inputs(self, name: str) -> tuple[str, ...]:
        """Those of an operation that are real numbers, in order of execution."""
        return tuple(source for source in self.walked[name].operation.inputs if source in self.gradient)

    def parameters(self, name: str) -> dict[str, str]:
        """Names of the parameters an operation used, by their last word."""
        return {each.rpartition(".")[2]: each for each in self.walked[name].operation.parameters}


def linear(n: Pass, name: str, g: np.ndarray) -> Numbers:
    (x,), weight = n.inputs(name), n.parameters(name)["weight"]
    handed = {x: g @ n.weights[weight], weight: np.einsum("bti,btj->ij", g, n.value[x])}  # torch keeps W transposed
    if bias := n.parameters(name).get("bias"):
        handed[bias] = g.sum((0, 1))
    return handed


def layer_norm(n: Pass, name: str, g: np.ndarray) -> Numbers:
    (x,), weight = n.inputs(name), n.parameters(name)["weight"]
    z = n.value[x]
    spread = np.sqrt(z.var(-1, keepdims=True) + 1e-5)
    unit = (z - z.mean(-1, keepdims=True)) / spread
    scaled = g * n.weights[weight]
    mean, along = scaled.mean(-1, keepdims=True), (scaled * unit).mean(-1, keepdims=True)
    handed = {x: (scaled - mean - unit * along) / spread, weight: (g * unit).sum((0, 1))}
    if bias := n.parameters(name).get("bias"):
        handed[bias] = g.sum((0, 1))
    return handed


def stack_output(n: Pass, name: str, g: np.ndarray) -> Numbers:
    return layer_norm(n, name, g) if n.parameters(name) else same(n, name, g)


def same(n: Pass, name: str, g: np.ndarray) -> Numbers:
    return dict.fromkeys(n.inputs(name), g)


def split(n: Pass, name: str, g: np.ndarray) -> Numbers:
    (x,), (_, heads, _, width) = n.inputs(name), g.shape
    handed = np.zeros_like(n.value[x])
    for head in range(heads):
        handed[..., head * width : (head + 1) * width] = g[:, head]
    return {x: handed}


def concat(n: Pass, name: str, g: np.ndarray) -> Numbers:
    (x,) = n.inputs(name)
    width = n.value[x].shape[-1]
    return {x: np.stack([g[..., k : k + width] for k in range(0, g.shape[-1], width)], axis=1)}


def scores(n: Pass, name: str, g: np.ndarray) -> Numbers:
    query, key = n.inputs(name)
    return {query: g @ n.value[key], key: g.swapaxes(-1, -2) @ n.value[query]}


def scaled(n: Pass, name: str, g: np.ndarray) -> Numbers:
    (x,) = n.inputs(name)
    return {x: g / math.sqrt(n.config.d_head) if n.config.scale_scores else g}


def masked(n: Pass, name: str, g: np.ndarray) -> Numbers:
    (x,) = n.inputs(name)
    return {x: np.where(np.isfinite(n.value[name]), g, 0.0)}


def weights(n: Pass, name: str, g: np.ndarray) -> Numbers:
    (x,), a = n.inputs(name), n.value[name]
    return {x: a * (g - (a * g).sum(-1, keepdims=True))}


def heads(n: Pass, name: str, g: np.ndarray) -> Numbers:
    value, a = n.inputs(name)
    return {a: g @ n.value[value].swapaxes(-1, -2), value: n.value[a].swapaxes(-1, -2) @ g}


def activation(n: Pass, name: str, g: np.ndarray) -> Numbers:
    (x,) = n.inputs(name)
    z = n.value[x]
    if n.config.activation == "relu":
        return {x: g * (z > 0)}
    below = (1 + np.vectorize(math.erf)(z / math.sqrt(2))) / 2
    return {x: g * (below + z * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi))}


def token_embedding(n: Pass, name: str, g: np.ndarray) -> Numbers:
    (table,), (tokens,) = n.walked[name].operation.parameters, n.walked[name].operation.inputs
    handed = np.zeros_like(n.weights[table])
    for place, token in enumerate(n.value[tokens][0].astype(int)):
        handed[token] += math.sqrt(n.config.d_model) * g[0, place]
    return {table: handed}


def position(n: Pass, name: str, g: np.ndarray) -> Numbers:
    tables = n.parameters(name)
    if n.config.positions == "sinusoidal":
        return {}
    handed = {each: np.zeros_like(n.weights[each]) for each in tables.values()}
    tokens = n.value[name.split(".")[0] + ".tokens"][0].tolist()
    length = tokens.index(SEP) if SEP in tokens else sum(token != PAD for token in tokens)
    for pos in range(len(tokens)):
        if n.config.positions == "two_way" and (name.startswith("encoder") or n.config.architecture == "decoder-only"):
            counted = pos if pos < length else pos - length
            handed[tables["table"]][min(counted, len(handed[tables["table"]]) - 1)] += g[0, pos]
            if pos < length:
                handed[tables["table_from_end"]][length - 1 - pos] += g[0, pos]
        else:
            handed[tables["table"]][pos] += g[0, pos]
    return handed


def loss(n: Pass, name: str, g: np.ndarray) -> Numbers:
    labels = n.value["labels"].astype(int)
    right = np.eye(n.value["logits"].shape[-1])[labels]
    asked = (labels != PAD)[..., None]
    return {"logits": g * asked * (n.value["probabilities"] - right) / asked.sum()}


TRUE: dict[tuple[str, str], Callable[[Pass, str, np.ndarray], Numbers]] = {
    ("Encoder", "output"): stack_output,
    ("Decoder", "output"): stack_output,
    ("Embeddings", "token_embedding"): token_embedding,
    ("Embeddings", "position"): position,
    ("Embeddings", "sum"): same,
    ("AddNorm", "normalized"): layer_norm,
    ("AddNorm", "sum"): same,
    ("MultiHeadAttention", "query_projection"): linear,
    ("MultiHeadAttention", "key_projection"): linear,
    ("MultiHeadAttention", "value_projection"): linear,
    ("MultiHeadAttention", "concat"): concat,
    ("MultiHeadAttention", "output"): linear,
    ("ScaledDotProductAttention", "query"): split,
    ("ScaledDotProductAttention", "key"): split,
    ("ScaledDotProductAttention", "value"): split,
    ("ScaledDotProductAttention", "scores"): scores,
    ("ScaledDotProductAttention", "scaled_scores"): scaled,
    ("ScaledDotProductAttention", "masked_scores"): masked,
    ("ScaledDotProductAttention", "weights"): weights,
    ("ScaledDotProductAttention", "heads"): heads,
    ("FeedForward", "hidden"): linear,
    ("FeedForward", "activation"): activation,
    ("FeedForward", "output"): linear,
    ("Transformer", "logits"): linear,
    ("Transformer", "loss"): loss,
}


def agree(found: np.ndarray, expected: np.ndarray, what: str) -> None:
    # Some are zero by rights, and noise by arithmetic: what a key's bias adds to a whole row, softmax takes out again.
    atol = max(1e-5 * float(np.abs(expected).max()), 1e-15)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=atol, err_msg=what)


@pytest.mark.parametrize("reads", [{}, {"padding": 1}, {"said": 2}, {"target": "0 1 2"}], ids=str)
@pytest.mark.parametrize(("architecture", "changes"), [*VARIANTS, *MORE])
def test_every_gradient_is_the_sum_of_what_the_rules_hand_back(
    architecture: str, changes: dict[str, Any], reads: dict[str, Any]
):
    if architecture == "encoder-only" and "said" in reads:
        return
    model = tiny(architecture, **changes).double()
    walked = walk(model, INPUT, **reads)
    n = Pass(walked)
    handed: Numbers = {}
    for name in walked.backward_order():
        step = walked[name]
        for to, what in TRUE[step.operation.owner, step.operation.tap](n, name, n.gradient[name]).items():
            handed[to] = handed.get(to, 0.0) + what
    assert handed.keys() - n.weights.keys() == n.gradient.keys() - {"loss"}
    for name in handed.keys() & n.gradient.keys():
        agree(handed[name], n.gradient[name], name)

    trained = dict(model.named_parameters())
    expected = torch.autograd.grad(model(*walked.batch)[1], list(trained.values()), allow_unused=True)
    for name, gradient in zip(trained, expected, strict=True):
        assert (name in handed) == (gradient is not None)
        if gradient is not None:
            agree(handed[name], gradient.double().numpy(), name)


def test_a_rule_in_numbers_for_each_rule_in_words():
    assert TRUE.keys() == {key for key, rule in RULES.items() if not isinstance(rule, Rule) or rule.formula != NOTHING}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_wrong_rule_would_be_noticed(architecture: str, monkeypatch):
    """Shows that the test above can fail: softmax without the average of its row."""
    key = ("ScaledDotProductAttention", "weights")
    monkeypatch.setitem(TRUE, key, lambda n, name, g: {n.inputs(name)[0]: n.value[name] * g})
    with pytest.raises(AssertionError, match="masked_scores"):
        test_every_gradient_is_the_sum_of_what_the_rules_hand_back(architecture, {}, {})


# --- about this model -----------------------------------------------------------------------------


def rule(model: TaskModel, name: str) -> Rule:
    walked = walk(model, INPUT)
    return rule_of(walked, walked[name])


def test_switches_that_are_off_have_rules_without_them():
    attention = "encoder.layers.0.self_attention.attention"
    assert r"\sqrt{d_k}" in rule(tiny("encoder-only"), f"{attention}.scaled_scores").formula
    assert "sqrt" not in rule(tiny("encoder-only", scale_scores=False), f"{attention}.scaled_scores").formula
    activation = "encoder.layers.0.feed_forward.activation"
    assert "> 0" in rule(tiny("encoder-only", activation="relu"), activation).formula
    assert r"\phi(z)" in rule(tiny("encoder-only", activation="gelu"), activation).formula
    assert r"\sigma^2" in rule(tiny("encoder-only"), "encoder.output").formula
    assert r"\sigma" not in rule(tiny("encoder-only", norm_position="post"), "encoder.output").formula
    assert "never trained" in rule(tiny("encoder-only", positions="sinusoidal"), "encoder.embeddings.position").sentence
    assert "Q_{S-1-pos}" in rule(tiny("encoder-decoder"), "encoder.embeddings.position").formula
    assert "Q_{S-1-pos}" not in rule(tiny("encoder-decoder"), "decoder.embeddings.position").formula
    assert r"{\partial p}" not in rule(tiny("encoder-only", positions="none"), "encoder.embeddings.sum").formula
