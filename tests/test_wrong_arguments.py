"""What the Python API says to wrong arguments: one sentence each, in an error that is a `PlaygroundError`."""

import inspect
import warnings
from functools import partial

import numpy as np
import pytest
import torch

import playground
from playground import configure, fit, new_model
from playground.settings.arguments import ArgumentError, ArgumentTypeError, checked
from tests.small_training import SOLVABLE

CONFIG = SOLVABLE.updated({"training.steps": 3})
MODEL = new_model(SOLVABLE).eval()
OTHER = new_model(configure("quick-copy"))
TEXT = "3 1 2"
LONG, LONG_OTHER = "3 1 2 0 1 2 3 1", "2 1 2 0 1 2 3 1"

attribute, circuit = partial(playground.attribute, MODEL), partial(playground.circuit, MODEL)
evaluate, development = partial(playground.evaluate, MODEL), playground.development
influence = partial(playground.influence, CONFIG)


def changed(replacement):
    with playground.intervene(MODEL, {"logits": replacement}) as model:
        return playground.answer(model, TEXT)


def long_changed():
    model = new_model(SOLVABLE.updated({"model.positions": "rotary"}))
    with playground.intervene(model, {"logits": torch.zeros_like}) as changed:
        return playground.answer(changed, LONG)


WRONG = [
    (lambda: configure("sort", ["seed"]), "settings can't be ['seed']. Give a dict of settings by path, for example"),
    (lambda: configure("quick-copy", {1: 2}), "settings can't be {1: 2}. Give a dict of settings by path"),
    (lambda: configure(["a"]), "preset can't be ['a']. Give the name of a preset."),
    (lambda: new_model("sort"), "config can't be 'sort'. Give what playground.configure returns."),
    (lambda: new_model(None), "config can't be None. Give what playground.configure returns."),
    (lambda: playground.train("sort"), "config can't be sort. Give what playground.configure returns."),
    (lambda: fit(CONFIG, save_at=5), "save_at can't be 5. Give a list of steps, for example [0, 500]."),
    (lambda: fit(CONFIG, watch=[len]), "watch can't be of type list. Give a dict of functions by name"),
    (lambda: fit(CONFIG, watch={"x": lambda model: None}), "The function for x in watch returned NoneType."),
    (
        lambda: fit(CONFIG, watch={"x": lambda model: model.head.weight.data.zero_().sum()}),
        "The function for x changed the weights. Change a copy.",
    ),
    (lambda: fit(CONFIG, model="adder"), "model can't be adder. Give what playground.new_model returns."),
    (lambda: fit("quick-copy", model=MODEL), "The settings and the model don't belong together: task.vocab_size (10"),
    (lambda: evaluate(lengths=3), "lengths can't be 3. Give whole numbers, as in [8, 16], or usual."),
    (lambda: evaluate(["3 1"], by=lambda source: None), "by gave NoneType. It must give one number or text for each"),
    (lambda: evaluate(["3 1"], by=lambda source: source), "by gave shape (1, 2). It must give one number or text"),
    (lambda: playground.ablate(MODEL, 3), "off can't be 3. Give the name of a part, or a list of names."),
    (lambda: playground.ablate(MODEL, [3]), "off can't be [3]. Give the name of a part, or a list of names."),
    (lambda: playground.intervene(MODEL, ["logits"]), "changes can't be ['logits']. Give a dict of tensors or functi"),
    (lambda: changed(0), "changes can't be {'logits': 0}. Give a dict of tensors or functions by part"),
    (lambda: changed("zero"), "changes can't be {'logits': 'zero'}. Give a dict of tensors or functions by part"),
    (lambda: changed(lambda part: part * float("nan")), "The replacement of logits has numbers that are NaN."),
    (long_changed, "A changed model can't read inputs longer than those of training."),
    (lambda: playground.patch(MODEL, TEXT, "2 1 0", []), "parts can't be []. Give the name of a part, or a list of"),
    (
        lambda: playground.patch(MODEL, 3, "2 1 0", "logits"),
        'text can\'t be 3. Give a text, such as "3 1 4", or a list',
    ),
    (
        lambda: playground.run_with_cache(MODEL, TEXT, 3),
        "names can't be 3. Give the name of a part, or a list of names.",
    ),
    (lambda: playground.run_with_cache(MODEL, TEXT, [3]), "names can't be 3. Give the name of a part, or a list of na"),
    (
        lambda: playground.run_with_cache(MODEL, TEXT, "logits", "loss"),
        "gradients can't be loss. Use True, False, or a",
    ),
    (lambda: playground.record(MODEL, TEXT, padding=-1), "padding can't be -1. Use a whole number from 0."),
    (lambda: playground.save("new", None), "model can't be None. Give a model or a checkpoint."),
    (lambda: playground.save("new", CONFIG), "model can't be of type RunConfig. Give a model or a checkpoint."),
    (lambda: playground.save(3, MODEL), "folder can't be 3. Give the path of a folder, then the model."),
    (
        lambda: playground.save(MODEL, "new"),
        "folder can't be of type TaskModel. Give the path of a folder, then the mo",
    ),
    (lambda: playground.save("new", MODEL, [3]), "history can't be [3]. Give a list of records"),
    (lambda: playground.load(3), 'dir_or_repo can\'t be 3. Give a folder, or "owner/name" on the Hub.'),
    (lambda: playground.roles(MODEL, 0), "sequences can't be 0. Use a whole number from 1 to 1,000."),
    (lambda: playground.roles(MODEL, "a"), "sequences can't be a. Use a whole number from 1 to 1,000."),
    (
        lambda: playground.roles(MODEL, 10).role("foo"),
        "head can't be foo. Use one of encoder.layers.0.self_attention.h",
    ),
    (lambda: development(MODEL), "models can't be of type TaskModel. Give pairs of a step and a model, or what"),
    (lambda: development("adder"), "models can't be adder. Give pairs of a step and a model, or what"),
    (
        lambda: development([MODEL, MODEL]),
        "One of the models can't be of type TaskModel. Give pairs of a step and a mo",
    ),
    (lambda: development([(0, MODEL)], sequences=0), "sequences can't be 0. Use a whole number from 1 to 1,000."),
    (lambda: development([(0, MODEL)], 10**6), "sequences can't be 1000000. Use a whole number from 1 to 1,000."),
    (lambda: development([(5, MODEL), (1, MODEL)], 10), "A step can't be 1 after 5. Use whole numbers from 0, rising."),
    (lambda: development([(5, MODEL), (5, MODEL)], 10), "A step can't be 5 after 5. Use whole numbers from 0, rising."),
    (lambda: development([("a", MODEL)]), "A step can't be a. Use whole numbers from 0, rising."),
    (
        lambda: development([(0, MODEL), (1, OTHER)], 10),
        "The models are not of one training: task.vocab_size (4 and 10)",
    ),
    (lambda: attribute(pairs=-1), "pairs can't be -1. Use a whole number from 1 to 1,000."),
    (lambda: attribute(pairs=0), "pairs can't be 0. Use a whole number from 1 to 1,000."),
    (lambda: attribute(pairs=10**6), "pairs can't be 1000000. Use a whole number from 1 to 1,000."),
    (lambda: attribute(pairs="a"), "pairs can't be a. Use a whole number from 1 to 1,000."),
    (lambda: attribute(pairs=1.5), "pairs can't be 1.5. Use a whole number from 1 to 1,000."),
    (lambda: attribute(integrated_steps=2.5), "integrated_steps can't be 2.5. Use a whole number from 0 to 100."),
    (lambda: attribute(integrated_steps=True), "integrated_steps can't be True. Use a whole number from 0 to 100."),
    (lambda: attribute(exact="yes"), "exact can't be yes. Use True or False."),
    (lambda: attribute([], []), "inputs can't be []. Give a text, such as"),
    (lambda: attribute(playground.tokens(MODEL, TEXT), TEXT), "inputs can't be of type Batch. Give a text, such as"),
    (lambda: attribute(torch.tensor([4]), TEXT), "inputs can't be of type Tensor. Give a text, such as"),
    (
        lambda: circuit(3),
        "kept can't be 3. Give an attribution, a circuit, the path of its file, or a list of names of pa",
    ),
    (
        lambda: circuit([3]),
        "kept can't be [3]. Give an attribution, a circuit, the path of its file, or a list of names",
    ),
    (lambda: circuit(attribute(TEXT, "2 1 0")), "Of an attribution, keep or threshold chooses the parts. Give one of"),
    (lambda: circuit(["x"], keep=2.5), "keep can't be 2.5. Use a whole number from 0."),
    (lambda: circuit(["x"], threshold="a"), "threshold can't be a. Use a number from 0."),
    (lambda: circuit(["x"], threshold=float("nan")), "threshold can't be nan. Use a number from 0."),
    (lambda: circuit(["x"], threshold=-1), "threshold can't be -1. Use a number from 0."),
    (lambda: circuit(["x"], every_input="a"), "every_input can't be a. Use a whole number from 1."),
    (lambda: circuit(["x"], every_input=2.5), "every_input can't be 2.5. Use a whole number from 1."),
    (lambda: influence(every="a"), "every can't be a. Use a whole number from 1."),
    (lambda: influence(every=2.5), "every can't be 2.5. Use a whole number from 1."),
    (lambda: influence(after=10**6), "after can't be 1000000. This run has 3 steps."),
    (lambda: influence("input", text=["3"]), "text can't be ['3']. Give a text."),
    (
        lambda: playground.influence(3),
        "run can't be 3. Give a checkpoint, its path, or what playground.configure retur",
    ),
    (lambda: playground.influence(MODEL), "run can't be of type TaskModel. Give a checkpoint, its path, or what"),
    (lambda: playground.data("quick-copy").batches("a"), "steps can't be a. Use a whole number from 0."),
    (lambda: playground.data("quick-copy").batches(-1), "steps can't be -1. Use a whole number from 0."),
]


@pytest.mark.parametrize(("call", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
def test_a_wrong_argument_gets_one_clear_sentence(call, sentence, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(playground.PlaygroundError) as error:
        call()
    assert str(error.value).startswith(sentence)
    assert isinstance(error.value, ValueError | TypeError)
    assert str(error.value).isprintable()
    assert not any(tmp_path.iterdir())


def test_an_unknown_option_is_refused_by_the_function_that_was_called():
    with pytest.raises(TypeError, match=r"^record\(\) got an unexpected keyword argument 'foo'"):
        playground.record(MODEL, TEXT, foo=3)


def test_numbers_of_numpy_are_numbers():
    assert playground.roles(MODEL, np.int64(10)).sequences == 10
    assert len([*playground.data(CONFIG).batches(np.int32(2))]) == 2


def test_help_shows_the_types_without_the_checks():
    for name in playground.__all__:
        if inspect.isfunction(member := getattr(playground, name)):
            assert "FieldInfo" not in str(inspect.signature(member)), name
            assert "InstanceOf" not in str(inspect.signature(member)), name


def test_a_check_tells_a_wrong_value_from_a_wrong_type():
    call = checked(playground.roles.__wrapped__)
    with pytest.raises(ArgumentError):
        call(MODEL, -1)
    with pytest.raises(ArgumentTypeError):
        call(MODEL, "1")


@pytest.mark.parametrize("positions", ["rotary", "none", "sinusoidal"])
@pytest.mark.parametrize("architecture", ["encoder-decoder", "decoder-only"])
def test_whatever_reads_inputs_reads_the_long_ones_that_answer_reads(positions, architecture):
    model = new_model(SOLVABLE.updated({"model.positions": positions, "model.architecture": architecture}))
    with pytest.warns(UserWarning, match="Its answer for 8 is unreliable") as warned:
        answer = playground.answer(model, LONG)
    assert [warning.filename for warning in warned] == [__file__]
    with pytest.warns(UserWarning, match="Its answer for 8 is unreliable") as warned:
        logits, _ = playground.run_with_cache(model, LONG, "logits")
    assert [warning.filename for warning in warned] == [__file__]
    batch = playground.tokens(model, [LONG, "3 1"])
    torch.testing.assert_close(playground.run_with_cache(model, batch, "logits")[0][:1], logits)
    assert playground.text(model, batch) == [LONG, "3 1"]
    assert playground.text(model, playground.tokens(model, [LONG], [LONG])) == [LONG]
    steps = playground.record(model, LONG).steps
    assert steps
    patched = playground.patch(model, LONG, LONG_OTHER, "decoder.layers.0.self_attention")
    assert patched.intact.text == answer
    assert (
        patched.other.text == playground.patch(model, LONG_OTHER, LONG, "decoder.layers.0.self_attention").intact.text
    )
    assert playground.attribute(model, LONG, LONG_OTHER).rows


def test_one_other_input_serves_all_inputs():
    texts, other = [TEXT, "0 1 2"], "2 1 0"
    assert attribute(texts, other) == attribute(texts, [other, other])


def test_lengths_that_training_never_had_are_marked():
    model = new_model(SOLVABLE.updated({"model.positions": "rotary"}))
    with pytest.warns(UserWarning, match="unreliable") as warned:
        table = playground.evaluate(model, [LONG, "3 1"], by="length")
    assert [warning.filename for warning in warned] == [__file__]
    assert [(row.group, row.trained) for row in table.rows] == [(2, True), (8, False)]
    assert not table.total.trained
    assert playground.evaluate(model, ["3 1"]).total.trained


def test_steps_after_an_early_stop_are_named():
    config = SOLVABLE.updated({"training.steps": 2000})
    with pytest.warns(UserWarning, match=r"so no model was kept at 1,999, 2,000\. Set training\.stop_when_solved"):
        history = fit(config, save_at=[0, 1999, 2000])
    assert [step for step, _ in history.models()] == [0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit(CONFIG, save_at=[0, 3])


def test_changed_logits_change_the_answer():
    for architecture in ("encoder-decoder", "decoder-only", "encoder-only"):
        model = new_model(SOLVABLE.updated({"model.architecture": architecture}))

        def prefer(logits):
            logits[..., 5] += 1000
            return logits

        with playground.intervene(model, {"logits": prefer}) as changed_model:
            assert set(playground.answer(changed_model, TEXT).split()) == {"1"}, architecture
