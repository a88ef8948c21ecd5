"""`playground.tokens`, `text`, `answer`, `record` and `run_with_cache`: one input or many, a model or a checkpoint."""

import math
import warnings

import pytest
import torch
from torch.nn import functional as F

import playground
from playground.interpret.sites import named
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.storage.checkpoint import save
from playground.tasks import PAD, TASKS, InputError
from playground.tasks.batches import Batch, Sequences, make_batch
from playground.training import train
from tests.helpers import ARCHITECTURES, small_config

HEAD = "decoder.layers.0.cross_attention.head.1"
WEIGHTS = "decoder.layers.0.cross_attention.attention.weights"
TEXTS = ["3 1 4 1", "2 0", "6 5 4"]


def model_of(architecture: str = "encoder-decoder", **settings: object) -> TaskModel:
    config = small_config(architecture).updated({path.replace("__", "."): value for path, value in settings.items()})
    return TaskModel(config).eval()


@pytest.fixture(scope="module")
def model() -> TaskModel:
    config = small_config("encoder-decoder").updated({"training.steps": 30})
    trained = TaskModel(config)
    for _ in train(config, trained):
        pass
    return trained.eval()


@pytest.fixture(scope="module")
def forms(model, tmp_path_factory):
    """The same model in every form in which a function takes it."""
    folder = tmp_path_factory.mktemp("forms") / "model"
    save(folder, model, [])
    return [model, playground.load(folder), folder, str(folder)]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_tokens_are_the_batch_that_training_reads_and_text_is_the_way_back(architecture):
    model = model_of(architecture, task__name="copy")
    batch = playground.tokens(model, TEXTS)
    source = torch.tensor([[7, 5, 8, 5], [6, 4, 0, 0], [10, 9, 8, 0]])
    expected = make_batch(model.config, source)
    for part, wanted in zip(batch, expected, strict=True):
        assert (part is None) == (wanted is None)
        assert part is None or torch.equal(part, wanted)
    assert playground.text(model, batch) == TEXTS
    assert playground.text(model, source) == TEXTS
    assert playground.text(model, source[0]) == TEXTS[0]
    assert playground.text(model, [7, 5, 2, 5]) == "3 1", "up to EOS"
    assert playground.text(model, playground.tokens(model, "2 0")) == ["2 0"]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_targets_replace_the_right_answers(architecture):
    model = model_of(architecture, task__name="copy")
    batch = playground.tokens(model, ["3 1", "2 0"], ["1 1", "0 6"])
    wanted = make_batch(model.config, torch.tensor([[7, 5], [6, 4]]), torch.tensor([[5, 5], [4, 10]]))
    assert torch.equal(batch.labels, wanted.labels)
    assert batch.target is None or torch.equal(batch.target, wanted.target)


def test_every_form_of_a_model_and_of_inputs_gives_the_same(model, forms):
    ids = playground.tokens(model, TEXTS).source
    for form in forms:
        for inputs in (TEXTS, tuple(TEXTS), ids, playground.tokens(form, TEXTS)):
            assert playground.answer(form, inputs) == [playground.answer(model, text) for text in TEXTS]
            logits, cache = playground.run_with_cache(form, inputs, WEIGHTS)
            assert torch.equal(logits, playground.run_with_cache(model, TEXTS)[0])
            assert list(cache) == [WEIGHTS]
        assert playground.answer(form, ids[0]) == playground.answer(model, TEXTS[0])
        one, other = playground.record(form, TEXTS[:2])
        assert torch.equal(other["logits"].value, playground.record(model, TEXTS[1])["logits"].value)
        assert torch.equal(one["logits"].value, playground.record(model, TEXTS[0])["logits"].value)


def test_answers_to_many_inputs_are_those_to_each(model):
    source = Sequences.of(model.config.task).held_out(50)
    assert playground.answer(model, source) == [
        playground.answer(model, text) for text in playground.text(model, source)
    ]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_logits_and_tensors_are_those_of_the_model(architecture):
    model = model_of(architecture)
    batch = playground.tokens(model, TEXTS)
    logits, cache = playground.run_with_cache(model, TEXTS)
    with torch.no_grad():
        expected, loss = model(*batch)
    assert torch.equal(logits, expected)
    assert torch.equal(cache["logits"], expected)
    assert torch.equal(cache["loss"], loss)
    assert not cache.gradients
    assert not logits.requires_grad
    weights = [value for name, value in cache.items() if name.endswith(".weights")]
    assert weights
    for value in weights:
        assert value.shape[:2] == (3, 3)
        assert torch.allclose(value.sum(-1), torch.ones(()))
    assert list(playground.run_with_cache(model, TEXTS, "*.weights")[1]) == [n for n in cache if n.endswith(".weights")]


def test_a_head_is_its_part_of_what_all_heads_add_up(model):
    _, cache = playground.run_with_cache(model, TEXTS, [HEAD, "decoder.*.heads"], gradients=True)
    every = "decoder.layers.0.cross_attention.attention.heads"
    assert torch.equal(cache[HEAD], cache[every][:, 1])
    assert torch.equal(cache.gradients[HEAD], cache.gradients[every][:, 1])
    heads = playground.run_with_cache(model, TEXTS, "*.head.?")[1]
    assert set(heads) == {site.name for site in named(model.config, "head")}
    logits, cache = playground.run_with_cache(model, TEXTS, "logits[0,2]")
    assert torch.equal(cache["logits[0,2]"], logits[:, 0, 2])


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_gradients_are_those_of_autograd_in_closed_form(architecture):
    model = model_of(architecture)
    logits, cache = playground.run_with_cache(model, TEXTS, "logits", gradients=True)
    labels = playground.tokens(model, TEXTS).labels
    asked = labels != PAD
    # d loss / d logits = (softmax - one-hot) / number of scored tokens
    expected = (logits.softmax(-1) - F.one_hot(labels, logits.size(-1))) * asked[..., None] / asked.sum()
    assert torch.allclose(cache.gradients["logits"], expected, atol=1e-7)
    _, cache = playground.run_with_cache(model, TEXTS, "*", gradients=lambda logits: logits[:, 0, 5].sum())
    one = torch.zeros_like(logits)
    one[:, 0, 5] = 1
    assert torch.equal(cache.gradients["logits"], one)


def test_gradients_agree_with_finite_differences(model):
    def probe(logits: torch.Tensor) -> torch.Tensor:
        return (logits[:, 1, 4] - logits[:, 1, 5]).sum()

    double = TaskModel(model.config).double().eval()
    double.load_state_dict(model.state_dict())
    _, cache = playground.run_with_cache(double, TEXTS, HEAD, gradients=probe)
    gradient = cache.gradients[HEAD]
    direction = torch.randn(gradient.shape, generator=torch.Generator().manual_seed(1), dtype=torch.double)
    found = []
    for sign in (1, -1):
        with playground.intervene(double, {HEAD: lambda head, sign=sign: head + sign * 1e-5 * direction}) as changed:
            found.append(probe(playground.run_with_cache(changed, TEXTS)[0]))
    difference = float(found[0] - found[1]) / 2e-5
    assert math.isclose(difference, float((gradient * direction).sum()), rel_tol=1e-5)


def test_an_input_longer_than_those_of_training_is_answered_with_a_warning():
    model = model_of(model__positions="none", task__name="copy")
    with pytest.warns(UserWarning, match="was trained on inputs of 1 to 6 symbols. Its answer for 8 is unreliable"):
        one = playground.answer(model, "1 2 3 4 5 6 1 2")
    with pytest.warns(UserWarning, match="unreliable"):
        assert playground.answer(model, ["1 2 3 4 5 6 1 2", "1"])[0] == one
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        playground.answer(model, "1 2 3")


@pytest.mark.parametrize("name", TASKS)
def test_every_task_is_read_by_its_own_texts(name):
    config = RunConfig().updated({"task.name": name, "model.d_model": 8, "model.n_heads": 2, "task.max_length": 8})
    model = TaskModel(config)
    example = TASKS[name](config.task).example()
    batch = playground.tokens(model, [example, example])
    assert playground.text(model, batch) == [example, example]
    logits, _ = playground.run_with_cache(model, [example], "logits")
    assert logits.shape[:2] == batch.labels[:1].shape
    assert isinstance(playground.answer(model, example), str)


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ([], 'Give a text, such as "3 1 4 1 5", a list of texts, or a tensor of token ids.'),
        (5, 'Give a text, such as "3 1 4 1 5", a list'),
        ([5], 'Give a text, such as "3 1 4 1 5", a list'),
        ("9", "“9” at position 1 of the input is not a symbol"),
        (
            torch.tensor([[4.0]]),
            "Token ids are whole numbers in shape (S,) or (B, S), not torch.float32 in shape (1, 1).",
        ),
        (torch.zeros(1, 1, 1, dtype=torch.long), "not torch.int64 in shape (1, 1, 1)."),
        (torch.tensor([[4, 11]]), "Token ids of this model are 0 to 10; these are 4 to 11."),
        (
            torch.tensor([[4], [1]]),
            "Row 1 of the token ids, counted from 0, is not an input. BOS can't stand in an input.",
        ),
        (torch.tensor([[4, 0, 4]]), "is not an input. PAD can stand only at the end."),
        (torch.tensor([[0, 0]]), "is not an input. It is empty."),
        (torch.tensor([[4] * 7]), "is not an input. It has 7 tokens; this model reads at most 6."),
        (torch.zeros(0, 3, dtype=torch.long), "There is no input in a tensor of shape (0, S)."),
    ],
)
def test_what_is_no_input_is_named(model, inputs, says):
    for function in (playground.answer, playground.run_with_cache):
        with pytest.raises(InputError) as error:
            function(model, inputs)
        assert says in str(error.value)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"names": "decoder.layers.0.cross_attention.weights"}, f"Did you mean {WEIGHTS}?"),
        ({"names": "*.weight_tensor"}, "No part of this model fits *.weight_tensor. Names of parts are, for example, "),
        ({"names": "head.weight"}, "head.weight is a weight. Read it with model.get_parameter('head.weight')."),
        (
            {"gradients": lambda logits: logits},
            "to a tensor with one number that depends on them, not a tensor of shape",
        ),
        ({"gradients": lambda logits: 1.0}, "that depends on them, not float."),
    ],
)
def test_a_wrong_name_or_function_is_answered_with_what_to_write(model, given, says):
    with pytest.raises(playground.PlaygroundError) as error:
        playground.run_with_cache(model, "3 1", **given)
    assert says in str(error.value)


def test_what_is_no_model_and_no_token_ids_is_named(model, tmp_path):
    with pytest.raises(
        playground.CheckpointError, match=r"Give a model, a checkpoint or the path of its folder, not int\."
    ):
        playground.answer(5, "3 1")
    with pytest.raises(playground.CheckpointError, match="There is no checkpoint at"):
        playground.evaluate(tmp_path / "none")
    for wrong in ("3 1", [[4, 5], [4]]):
        with pytest.raises(InputError, match="Token ids are whole numbers, all rows of the same length"):
            playground.text(model, wrong)


def test_other_numbers_of_targets_are_refused(model):
    with pytest.raises(InputError, match="There are 2 inputs and 1 target"):
        playground.tokens(model, ["1", "2"], "1")
    with pytest.raises(InputError, match="There are 2 inputs and 1 target"):
        playground.record(model, ["1", "2"], ["1"])
    assert isinstance(playground.tokens(model, "1"), Batch)
