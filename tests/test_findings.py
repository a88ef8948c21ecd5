"""What is said about a tensor is recomputed from it, and is not said where it is not so."""

import re

import pytest
import torch

from playground.checkpoints import load
from playground.findings import finding
from playground.inspection import Step, Walk, walk
from playground.recording import REPOSITORY
from playground.tasks import PAD, decode
from tests.helpers import ARCHITECTURES, small_model

WEIGHTS = {
    "encoder-decoder": "decoder.layers.0.cross_attention.attention.weights",
    "decoder-only": "decoder.layers.0.self_attention.attention.weights",
    "encoder-only": "encoder.layers.0.self_attention.attention.weights",
}


def step(walked: Walk, name: str) -> Step:
    return next(each for each in walked.steps if each.name == name)


def with_weights(walked: Walk, name: str, columns: list[list[int]]) -> str:
    """The finding if each head looked, row by row, at these columns alone."""
    looked = step(walked, name)
    weights = torch.zeros_like(looked.operation.value)
    for head, rows in enumerate(columns):
        for row, column in enumerate(rows):
            weights[0, head, row, column] = 1
    looked.operation.value = weights
    return finding(walked, looked)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_operation_is_told_how_to_be_read(architecture):
    walked = walk(small_model(architecture), "3 1 4")
    for each in walked.steps:
        text = finding(walked, each)
        assert re.match(r"Row = .*, column = .*\.|One cell for each .*\.|On average .*\.", text), each.name
        assert text.endswith(".")


@pytest.mark.parametrize("name", ["copy-1-16", "reverse-1-16"])
def test_the_shipped_models_look_at_what_they_say(name):
    """Recomputed here by another road: names instead of ids, every head by itself."""
    model = load(REPOSITORY / "checkpoints" / name).model
    walked = walk(model, "3 1 4 5 9")
    text = finding(walked, step(walked, WEIGHTS["encoder-decoder"]))
    told = re.search(r"in (\d) of 5 rows", text)
    said = decode(walked.said, model.config.task)[:5]
    weights = step(walked, WEIGHTS["encoder-decoder"]).value[0]
    hits = [sum(walked.tokens["S"][int(row.argmax())] == token for row, token in zip(head, said, strict=False))
            for head in weights[:, :5]]  # fmt: skip
    assert int(told[1]) == max(hits)
    assert ("to the left" in text) == (name.startswith("reverse") and max(hits) == 5)
    assert ("to the right" in text) == (name.startswith("copy") and max(hits) == 5)


def test_heads_are_named_and_counted():
    def told(columns):
        walked = walk(small_model("encoder-decoder"), "3 1 4", "4 1 3")
        logits = torch.zeros_like(step(walked, "logits").operation.value)
        for row, token in enumerate(walked.batch.labels[0].tolist()):
            logits[0, row, token] = 1  # a model that says 4 1 3 EOS
        step(walked, "logits").operation.value = logits
        return with_weights(walked, WEIGHTS["encoder-decoder"], columns)

    backwards, forwards, nowhere = [2, 1, 0, 0], [0, 1, 2, 2], [1, 2, 1, 1]
    assert "Head 2 looks most at the very token that is said there, in 3 of 3 rows: a diagonal" in told(
        [forwards, backwards, nowhere]
    )
    assert "Heads 1 and 3 look" in told([backwards, nowhere, backwards])
    assert "All 3 heads look" in told([backwards] * 3)
    assert "to the left, backwards" in told([backwards] * 3)
    assert "diagonal" not in told([[2, 1, 1, 0], nowhere, nowhere])
    assert "in 2 of 3 rows" in told([[2, 1, 1, 0], nowhere, nowhere])
    for columns, hits in ((nowhere, 0), ([2, 2, 2, 0], 1)):
        text = f"No head by itself looks at what is said: the best does so in {hits} of 3 rows."
        assert text in told([columns, nowhere, nowhere])


def test_attention_that_does_not_read_the_input_is_not_said_to():
    walked = walk(small_model("encoder-decoder"), "3 1 4")
    for name in ("encoder.layers.0.self_attention", "decoder.layers.0.self_attention"):
        assert "very token" not in finding(walked, step(walked, f"{name}.attention.weights"))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_certainty_and_loss_are_those_of_the_asked_places(architecture):
    walked = walk(small_model(architecture), "3 1 4")
    asked = walked.batch.labels[0] != PAD
    probabilities = step(walked, "probabilities").value[0][asked]
    assert f"holds {float(probabilities.max(-1).values.min()):.1%}" in finding(walked, step(walked, "probabilities"))
    right = probabilities.gather(1, walked.batch.labels[0][asked][:, None]).log().mean().exp()
    assert f"given {float(right):.1%}" in finding(walked, step(walked, "loss"))
