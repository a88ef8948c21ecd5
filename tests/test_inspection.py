"""The walk through one forward pass: its numbers, recomputed from its own JSON alone, and what else it says."""

import inspect
import json
import math
import signal
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from playground.decoding import generate
from playground.explain.inspection import NotFiniteError, as_json, walk
from playground.model.feed_forward import FeedForward
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY
from playground.settings.config import RunConfig
from playground.tasks import BOS, EOS, PAD, SEP, InputError, encode, example_text
from tests.helpers import ARCHITECTURES, WITH_DECODER, small_model

TINY = RunConfig().updated(
    {
        "task.vocab_size": 5,
        "task.max_length": 4,
        "model.d_model": 8,
        "model.n_heads": 2,
        "model.n_layers": 2,
        "model.d_ff": 16,
    }
)
INPUT = "3 1 4"
SEES_EVERYTHING = {"causal_mask": False, "positions": "two_way", "bias": False}
VARIANTS = [
    pytest.param(architecture, changes, id=f"{architecture} {name}")
    for architecture in ARCHITECTURES
    for name, changes in {
        "pre": {"positions": "two_way"},
        "post": {"norm_position": "post", "positions": "sinusoidal", "activation": "gelu"},
        "unscaled": {"scale_scores": False, "positions": "none"},
        "rotary": {"positions": "rotary"},
        "bare": {"residual": False, "layer_norm": False, "positions": "learned"},
        "not causal": SEES_EVERYTHING,
    }.items()
    if architecture in WITH_DECODER or changes is not SEES_EVERYTHING
]


def tiny(architecture: str, *, seed: int = 0, **model: Any) -> TaskModel:
    """A model whose biases and norms are random too, as if it had been trained, and that says no special token.

    An untrained one has zeros there, and a mistake would not show.
    """
    changes = {f"model.{name}": value for name, value in model.items()}
    made = TaskModel(TINY.updated({"model.architecture": architecture, "seed": seed} | changes)).eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in made.parameters():
            if parameter.dim() == 1:
                parameter += 0.3 * torch.randn(parameter.shape, generator=generator)
            if parameter is made.head.weight:
                parameter[: EOS + 2] = 0.01 * parameter[: EOS + 2]
        if made.head.bias is not None:
            made.head.bias[: EOS + 2] = -20.0
    return made


def written(model: TaskModel, text: str = INPUT, target: str | None = None) -> dict[str, Any]:
    """The walk as it reads back from strict JSON."""
    return json.loads(json.dumps(as_json(walk(model, text, target)), allow_nan=False))


class Numbers:
    """Values and parameters of a walk as arrays, null as minus infinity."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.steps = {step["name"]: step for step in data["steps"]}
        self.values = {name: self.array(step) for name, step in self.steps.items()}
        self.parameters = {name: self.array(each) for name, each in data["parameters"].items()}

    @staticmethod
    def array(entry: dict[str, Any]) -> np.ndarray:
        array = np.array(entry["values"], dtype=object)
        array = np.where(array == None, -np.inf, array).astype(float)  # noqa: E711
        assert list(array.shape) == entry["shape"]
        return array

    def __getitem__(self, name: str) -> np.ndarray:
        return self.values[name]

    def input(self, name: str) -> np.ndarray:
        """The one tensor that this step was computed from."""
        (source,) = self.steps[name]["inputs"]
        return self.values[source]

    def linear(self, step: str, layer: str, x: np.ndarray) -> np.ndarray:
        """x W^T + b with the parameters that the step names."""
        named = {f"{layer}.weight", f"{layer}.bias"} & self.parameters.keys()
        assert set(self.steps[step]["parameters"]) == named
        return x @ self.parameters[f"{layer}.weight"].T + self.parameters.get(f"{layer}.bias", 0.0)


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def rotated(x: np.ndarray) -> np.ndarray:
    """(..., L, K): each pair of columns is a complex number, which is multiplied by one of length 1."""
    angles = np.arange(x.shape[-2])[:, None] * 10000.0 ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    turned = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)
    return np.stack([turned.real, turned.imag], -1).reshape(x.shape)


def close(actual: np.ndarray, expected: np.ndarray) -> None:
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize(("architecture", "changes"), VARIANTS)
def test_attention_recomputed_from_the_json_agrees(architecture: str, changes: dict[str, Any]):
    numbers = Numbers(written(tiny(architecture, **changes)))
    attentions = [name.removesuffix(".attention.scores") for name in numbers.values if name.endswith(".scores")]
    assert len(attentions) == {"encoder-decoder": 6, "decoder-only": 2, "encoder-only": 2}[architecture]
    for attention in attentions:
        n, heads = numbers, 2
        for letter, what in zip("qkv", ("query", "key", "value"), strict=True):
            projection = f"{attention}.{what}_projection"
            close(n[projection], n.linear(projection, f"{attention}.w_{letter}", n.input(projection)))
            b, length, d = n[projection].shape
            split = n[projection].reshape(b, length, heads, d // heads).swapaxes(1, 2)
            if changes.get("positions") == "rotary" and what != "value" and "self_attention" in attention:
                split = rotated(split)
                close(n[f"{attention}.rotated_{what}"], split)
            close(n[f"{attention}.attention.{what}"], split)
        if "cross_attention" in attention:
            assert n.steps[f"{attention}.key_projection"]["inputs"] == ["encoder.output"]
        query, key, value = (n[f"{attention}.attention.{what}"] for what in ("query", "key", "value"))
        scores = query @ key.swapaxes(-2, -1)
        close(n[f"{attention}.attention.scores"], scores)
        scaled = scores / math.sqrt(query.shape[-1]) if changes.get("scale_scores", True) else scores
        close(n[f"{attention}.attention.scaled_scores"], scaled)
        may_look = np.ones(scores.shape, dtype=bool)
        if attention.startswith("decoder") and "self_attention" in attention and changes.get("causal_mask", True):
            may_look = np.tril(may_look)
        masked = np.where(may_look, scaled, -np.inf)
        close(n[f"{attention}.attention.masked_scores"], masked)
        close(n[f"{attention}.attention.weights"], softmax(masked))
        close(n[f"{attention}.attention.heads"], softmax(masked) @ value)
        concat = (softmax(masked) @ value).swapaxes(1, 2).reshape(1, query.shape[2], -1)
        close(n[f"{attention}.concat"], concat)
        close(n[f"{attention}.output"], n.linear(f"{attention}.output", f"{attention}.w_o", concat))


@pytest.mark.parametrize(("architecture", "changes"), VARIANTS)
def test_everything_around_attention_agrees_too(architecture: str, changes: dict[str, Any]):
    n = Numbers(written(tiny(architecture, **changes)))
    gelu = np.vectorize(lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2)
    for name, step in n.steps.items():
        module, _, tap = name.rpartition(".")
        inputs = [n[source] for source in step["inputs"]]
        if tap == "token_embedding":
            (table,) = (n.parameters[parameter] for parameter in step["parameters"])
            close(n[name], table[inputs[0].astype(int)] * math.sqrt(8))
        elif tap == "sum":
            close(n[name], sum(inputs))
            assert len(inputs) == 1 if changes.get("positions") in ("rotary", "none") and "embeddings" in name else 2
        elif tap == "hidden":
            close(n[name], n.linear(name, f"{module}.w_1", inputs[0]))
        elif tap == "activation":
            close(n[name], gelu(inputs[0]) if changes.get("activation") == "gelu" else np.maximum(inputs[0], 0))
        elif name.endswith("feed_forward.output"):
            close(n[name], n.linear(name, f"{module}.w_2", inputs[0]))
        elif tap == "normalized" or (tap == "output" and step["parameters"] and "norm" in step["parameters"][0]):
            x = inputs[0]
            z = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
            parameters = {path.rpartition(".")[2]: n.parameters[path] for path in step["parameters"]}
            close(n[name], z * parameters["weight"] + parameters.get("bias", 0.0))
    close(n["logits"], n.linear("logits", "head", n.input("logits")))
    close(n["probabilities"], softmax(n["logits"]))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_loss_is_the_surprise_at_the_labels(architecture: str):
    model = tiny(architecture)
    batch = walk(model, INPUT, "0 1 2").batch
    with torch.no_grad():
        _, loss = model(*batch)
    n = Numbers(written(model, INPUT, "0 1 2"))
    labels = n["labels"][0].astype(int)
    surprise = [-math.log(row[label]) for row, label in zip(n["probabilities"][0], labels, strict=True) if label]
    assert n["loss"] == pytest.approx(sum(surprise) / len(surprise), rel=1e-4)
    assert n["loss"] == pytest.approx(float(loss), rel=1e-6)
    assert labels[labels > 0].tolist() == [4, 5, 6] + [EOS] * (architecture != "encoder-only")


@pytest.mark.parametrize(("architecture", "changes"), VARIANTS)
def test_the_walk_fits_together(architecture: str, changes: dict[str, Any]):
    model = tiny(architecture, **changes)
    data = written(model)
    letters = {"B": 1, "H": 2, "K": 4, "D": 8, "F": 16, "V": 9, "S": 3, "1": 1}
    answer = generate(model, encode(INPUT, model.config.task))[:4]
    before = {"encoder-decoder": 1, "decoder-only": 4, "encoder-only": 0}[architecture]
    letters["T"] = before + len(answer)
    earlier: set[str] = set()
    for step in data["steps"]:
        assert step["name"] not in earlier
        assert set(step["inputs"]) <= earlier, "a step is computed from what came before it"
        earlier.add(step["name"])
        assert set(step["parameters"]) <= data["parameters"].keys()
        assert step["shape"] == [letters[letter] for letter in step["dims"]]
        assert step["title"]
        assert step["formula"]
        assert step["section"] == step["sources"][0]["section"]
        assert {"paper", "arxiv", "section"} == step["sources"][0].keys()
        known = {step["name"], *step["inputs"], *step["parameters"], "source", "target", "labels"}
        assert set(step["letters"].values()) <= known
    assert all(step["inputs"] or step["name"].split(".")[-1] in SOURCES for step in data["steps"])
    used = {name for step in data["steps"] for name in step["parameters"]}
    assert used == data["parameters"].keys()
    trained = dict(model.named_parameters())
    assert trained.keys() <= used, "every trained number takes part"
    for name in trained:
        assert data["parameters"][name]["values"] == trained[name].tolist()


SOURCES = {"tokens", "position", "causal_mask", "labels"}
"""Taps of what comes from outside the pass: tokens, and what is counted or looked up by position."""


@pytest.mark.parametrize(("architecture", "changes"), VARIANTS)
def test_the_statement_shown_stands_in_the_file_at_that_line(architecture: str, changes: dict[str, Any]):
    for step in written(tiny(architecture, **changes))["steps"]:
        source = step["source"]
        assert not Path(source["file"]).is_absolute()
        assert source["file"].startswith("playground/model/")
        lines = (REPOSITORY / source["file"]).read_text().splitlines()[source["line"] - 1 :]
        shown = source["code"].splitlines()
        indent = len(lines[0]) - len(lines[0].lstrip())
        assert shown == [line[indent:] for line in lines[: len(shown)]]
        assert f"self.{step['name'].rpartition('.')[2]}(" in (step["named_by"] or source)["code"]
        compile("def whole():\n" + textwrap.indent(source["code"], "    "), source["file"], "exec")


def test_the_statement_is_the_one_that_ran():
    def code(name: str, **changes: Any) -> str:
        return Numbers(written(tiny("encoder-only", **changes))).steps[name]["source"]["code"]

    scaled = "encoder.layers.0.self_attention.attention.scaled_scores"
    assert "sqrt" in code(scaled)
    assert "sqrt" not in code(scaled, scale_scores=False)
    lines = inspect.getsource(FeedForward.forward)
    assert code("encoder.layers.0.feed_forward.hidden") in lines


# --- what the decoder reads -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_the_decoder_reads_the_models_own_greedy_answer(architecture: str, seed: int):
    model = tiny(architecture, seed=seed)
    source = encode(INPUT, model.config.task)
    answer = generate(model, source)[:4]
    n = Numbers(written(model))
    before = [*source, SEP] if architecture == "decoder-only" else [BOS]
    assert n["decoder.tokens"][0].tolist() == before + answer
    assert n["labels"][0, len(before) - 1 :].tolist() == [*answer, EOS]
    assert n["logits"][0, len(before) - 1 :].argmax(-1)[: len(answer)].tolist() == answer


def test_a_given_target_is_read_instead():
    n = Numbers(written(tiny("encoder-decoder"), INPUT, "0 2"))
    assert n["decoder.tokens"][0].tolist() == [BOS, 4, 6]
    assert n["labels"][0].tolist() == [4, 6, EOS]


def test_encoder_only_has_no_decoder_and_is_measured_against_the_right_answer():
    model = tiny("encoder-only")
    n = Numbers(written(model))
    assert not any(name.startswith("decoder") for name in n.values)
    assert n["labels"][0].tolist() == [8, 5, 7], "3 1 4 backwards"
    assert Numbers(written(model, INPUT, "0 1 2"))["labels"][0].tolist() == [4, 5, 6]


@pytest.mark.parametrize("target", ["0", "0 1", "0 1 2 3"])
def test_an_encoder_only_target_must_have_as_many_symbols_as_the_input(target: str):
    with pytest.raises(InputError, match=rf"The target has {len(target.split())} symbols? and the input 3"):
        walk(tiny("encoder-only"), INPUT, target)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_an_untrained_model_can_be_walked_whatever_it_says(architecture: str, seed: int):
    model = TaskModel(TINY.updated({"model.architecture": architecture, "seed": seed}))
    assert written(model)["steps"]


@pytest.mark.parametrize(("text", "target"), [("", None), ("9", None), ("1 1 1 1 1", None), ("1", ""), ("1", "x")])
def test_an_input_or_target_that_does_not_fit_is_refused(text: str, target: str | None):
    with pytest.raises(InputError):
        walk(tiny("encoder-decoder"), text, target)


# --- in the middle of an answer, and what masks hide ----------------------------------------------


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_token_by_token_each_walk_says_what_the_next_one_reads(architecture: str):
    model = tiny(architecture)
    answer = generate(model, encode(INPUT, model.config.task))[:4]
    read: list[int] = []
    for n in range(len(answer) + 1):
        walked = walk(model, INPUT, prefix_length=n)
        row = walked.batch.target[0].tolist()
        assert row[len(row) - n :] == read
        assert walked.predicted == [*read, walked.next_token]
        shown = walked["probabilities"].value[0, -1]
        assert walked.next_token == int(shown.argmax())
        assert walked.next_probability == float(shown.max())
        read.append(walked.next_token)
    assert read[: len(answer)] == answer


def test_the_next_prediction_follows_the_last_token_read_not_padding_and_needs_a_decoder():
    plain, padded = (walk(tiny("decoder-only"), INPUT, prefix_length=2, padding=padding) for padding in (0, 2))
    assert padded.tokens["T"] == [*plain.tokens["T"], "PAD", "PAD"]
    assert padded.next_token == plain.next_token
    assert padded.next_probability == pytest.approx(plain.next_probability, rel=1e-5)
    for walked in (walk(tiny("encoder-only"), INPUT), walk(tiny("encoder-only"), INPUT, padding=1)):
        assert walked.next_token is None
        assert walked.next_probability is None


HIDES = ("masked_scores", "weights", "window_mask", "mask", "padding_mask", "causal_mask")
WINDOWS = [pytest.param(made, {"window": 2, "positions": "none"}, id=f"{made} window") for made in ARCHITECTURES]


@pytest.mark.parametrize("padding", [0, 1])
@pytest.mark.parametrize(("architecture", "changes"), [*VARIANTS, *WINDOWS])
def test_hidden_cells_are_those_without_weight_and_each_has_its_cause(
    architecture: str, changes: dict[str, Any], padding: int
):
    walked = walk(tiny(architecture, **changes), INPUT, padding=padding)
    compared = dict.fromkeys(HIDES, 0)
    for step in walked.steps:
        hidden, tap = walked.hidden(step.name), step.operation.tap
        if tap not in HIDES:
            assert hidden is None
            continue
        compared[tap] += 1
        value = step.value[0]
        no_weight = value.isneginf() if tap == "masked_scores" else value == 0
        rows, columns = step.value.shape[-2:]
        assert hidden.dtype == torch.int8
        assert hidden.shape == (1, rows, columns)
        assert torch.equal((hidden > 0).expand_as(no_weight), no_weight)
        cross = ".cross_attention." in step.name
        causal = step.name.startswith("decoder") and not cross and changes.get("causal_mask", True)
        window = changes.get("window", 99) if ".self_attention." in step.name else 99
        read = walked.tokens["S" if cross or step.name.startswith("encoder") else "T"]
        for row in range(rows):
            for column in range(columns):
                later, pad = causal and column > row and tap != "padding_mask", read[column] == "PAD"
                cause = later + 2 * (pad and tap != "causal_mask")
                if window < 99:
                    cause = 0 if row == column else cause or 4 * (abs(row - column) >= window)
                assert int(hidden[0, row, column]) == cause
    attentions = 2 * (3 if architecture == "encoder-decoder" else 1)
    assert compared["weights"] == compared["masked_scores"] == attentions
    assert compared["window_mask"] == ("window" in changes) * attentions // (
        1 + (architecture == "encoder-decoder") / 2
    )


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("task", ["copy", "text"])
def test_a_pass_with_an_empty_answer_has_a_label(architecture: str, task: str):
    config = TINY.updated({"model.architecture": architecture, "task.name": task, "task.max_length": 8})
    model = TaskModel(config).eval()
    with torch.no_grad():
        model.head.weight.zero_()
        model.head.bias[EOS] = 9
    walked = walk(model, example_text(config.task))
    if (task, architecture) != ("text", "decoder-only"):  # there all of the text has labels
        assert walked.batch.labels[0][walked.batch.labels[0] != PAD].tolist() == [EOS]
    assert math.isfinite(float(walked["loss"].value))
    assert walked.gradients()


def test_hidden_asks_for_an_operation_that_there_is():
    walked = walk(tiny("encoder-only"), INPUT)
    with pytest.raises(KeyError, match="decoder"):
        walked.hidden("decoder.layers.0.self_attention.attention.weights")


# --- numbers that are none ------------------------------------------------------------------------


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fails what takes longer, also if it would never end."""

    def ring(*_: object) -> None:
        pytest.fail(f"still at it after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def not_finite(model: TaskModel) -> str:
    """The one line with which the model is refused."""
    with within(5), pytest.raises(NotFiniteError) as caught:
        as_json(walk(model, INPUT))
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


@pytest.mark.parametrize("value", [torch.nan, torch.inf, -torch.inf])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_model_with_weights_that_are_not_finite_is_refused(architecture: str, value: float):
    model = tiny(architecture)
    stack = model.encoder or model.decoder
    assert stack is not None
    with torch.no_grad():
        stack.layers[1].self_attention.w_v.weight[3, 2] = value
    assert "layers.1.self_attention" in not_finite(model)


def test_a_walk_can_end_before_the_operation_that_overflows():
    model = tiny("encoder-decoder")
    whole = [step.name for step in walk(model, INPUT).steps]
    assert not walk(model, INPUT, until_overflow=True).overflow
    assert model.decoder is not None
    with torch.no_grad():
        model.decoder.layers[0].cross_attention.w_q.bias[0] = torch.nan
    found = walk(model, INPUT, until_overflow=True)
    first = "decoder.layers.0.cross_attention.query_projection"
    assert [step.name for step in found.steps] == whole[: whole.index(first)]
    assert found.overflow.startswith(f"{first} overflowed")
    assert found.predicted == []
    assert found.next_token is found.next_probability is None
    with pytest.raises(NotFiniteError):
        found.gradients()


@pytest.mark.parametrize("value", [torch.nan, torch.inf])
def test_a_weight_that_is_not_finite_is_refused_also_where_this_input_does_not_touch_it(value: float):
    model = tiny("encoder-only")
    assert model.encoder is not None
    with torch.no_grad():
        model.encoder.embeddings.token_table.weight[encode("0", model.config.task)[0], 0] = value
    assert "token_table" in not_finite(model)


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_a_walk_ends_also_where_the_model_says_a_token_that_is_not_finite(architecture: str):
    """Zero times NaN is NaN: here a later token does change an earlier answer, in spite of the causal mask."""
    for seed in range(24):
        model = TaskModel(TINY.updated({"model.architecture": architecture, "seed": seed}))
        assert model.decoder is not None
        with torch.no_grad():
            model.decoder.embeddings.token_table.weight[4 + seed % 5, seed % 8] = torch.nan
        with within(5), suppress(NotFiniteError):
            walk(model, INPUT)


def test_only_masked_scores_hold_nulls():
    data = written(tiny("decoder-only"))
    with_nulls = {step["name"].rpartition(".")[2] for step in data["steps"] if "null" in json.dumps(step["values"])}
    assert with_nulls == {"masked_scores"}


def test_a_walk_changes_nothing_in_the_model_and_runs_it_as_in_use():
    model = TaskModel(TINY.updated({"model.dropout": 0.5}))
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    first, second = written(model), written(model)
    assert first == second, "no dropout"
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())
    assert not any(module._forward_hooks for module in model.modules())
    walked = walk(model, INPUT, "0 1")
    assert walked.tokens == {"S": INPUT.split(), "T": ["BOS", "0", "1"]}
    with torch.no_grad():
        assert walked.predicted == model(*walked.batch)[0][0].argmax(-1).tolist()


def test_minus_infinity_is_shown_where_a_mask_has_put_it_and_nowhere_else():
    model = small_model("encoder-decoder")
    assert any(bool(step.value.isneginf().any()) for step in walk(model, "3 1 4").steps)
    with torch.no_grad():
        model.get_parameter("head.weight").fill_(-3e38)
        model.get_parameter("decoder.norm.bias").fill_(10.0)
        model.get_parameter("decoder.norm.weight").zero_()
    with pytest.raises(NotFiniteError, match="logits holds a number that is not finite"):
        walk(model, "3 1 4")
