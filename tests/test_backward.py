"""The backward rules of all taps, complete in every model. That they are true is tested in test_formulas.py."""

import re
from typing import Any

import pytest

from playground.explain import NOTHING, TAPS, Rule
from playground.explain.inspection import Step, walk
from playground.model.task_model import TaskModel
from tests.test_explain import assert_typesets, every_document
from tests.test_gradients import MORE
from tests.test_inspection import INPUT, VARIANTS, tiny

ADDS = r"\mathrel{+}="


def rule_of(step: Step) -> Rule:
    return step.document.backward


def test_every_rule_is_complete_in_every_model():
    rules = {document.backward for document in every_document()}
    assert len(rules) > len(TAPS)
    for rule in rules:
        assert re.fullmatch(r"[A-Z].{10,}\.", rule.sentence)
        assert not re.search(r"[$\\]|\.\.|  ", rule.sentence), "plain words"
        assert all(len(sentence.split()) <= 22 for sentence in rule.sentence.split(". ")), rule.sentence
        assert_typesets(rule.formula)
        assert not re.search(r"(\^\w|')\^", rule.formula), "two superscripts need braces between them"
        assert (rule.formula == NOTHING) == rule.sentence.startswith("No gradient: ")


@pytest.mark.parametrize(("architecture", "changes"), [*VARIANTS, *MORE])
def test_no_gradient_rule_where_a_walk_has_no_gradient_and_only_there(architecture: str, changes: dict[str, Any]):
    walked = walk(tiny(architecture, **changes), INPUT)
    nothing = {step.name for step in walked.steps if rule_of(step).formula == NOTHING}
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
        if name == "logits":
            shared += walked.model.config.model.tie_embeddings
        assert rule_of(step).formula.count(ADDS) == shared, name


def test_a_formula_has_a_bias_where_the_model_has_one():
    for bias in (True, False):
        walked = walk(tiny("encoder-decoder", bias=bias), INPUT)
        for step in walked.steps:
            biases = sum(name.endswith("bias") for name in step.operation.parameters)
            terms = re.findall(r"\\frac\{\\partial L\}\{\\partial (?:b[}^_]|\\beta)", rule_of(step).formula)
            assert len(terms) == biases, step.name


# --- about this model -----------------------------------------------------------------------------


def rule(model: TaskModel, name: str) -> Rule:
    walked = walk(model, INPUT)
    return rule_of(walked[name])


def test_switches_that_are_off_have_rules_without_them():
    attention = "encoder.layers.0.self_attention.attention"
    assert r"\sqrt{d_k}" in rule(tiny("encoder-only"), f"{attention}.scaled_scores").formula
    assert "sqrt" not in rule(tiny("encoder-only", scale_scores=False), f"{attention}.scaled_scores").formula
    activation = "encoder.layers.0.feed_forward.activation"
    assert "> 0" in rule(tiny("encoder-only", activation="relu"), activation).formula
    assert r"\phi(" in rule(tiny("encoder-only", activation="gelu"), activation).formula
    assert r"\sigma^2" in rule(tiny("encoder-only"), "encoder.output").formula
    assert r"\sigma" not in rule(tiny("encoder-only", norm_position="post"), "encoder.output").formula
    assert "never trained" in rule(tiny("encoder-only", positions="sinusoidal"), "encoder.embeddings.position").sentence
    assert "P'_{S+1-t}" in rule(tiny("encoder-decoder"), "encoder.embeddings.position").formula
    assert "P'_{S+1-t}" not in rule(tiny("encoder-decoder"), "decoder.embeddings.position").formula
    assert r"{\partial PE}" not in rule(tiny("encoder-only", positions="none"), "encoder.embeddings.sum").formula
