"""Reading tensors and gradients of one pass: the named ones and no others, exactly those of the pass."""

import copy
import gc
from collections.abc import Callable
from functools import partial

import pytest
import torch
from torch import Tensor, nn
from torch.multiprocessing.reductions import StorageWeakRef

from playground.model.task_model import TaskModel
from playground.recording import Tap, caching, intervene, record, run_with_cache, taps
from tests.helpers import ARCHITECTURES, behind, small_batch, small_model


class Squares(nn.Module):
    """y = (2x)^2 + c, of which the last number is negative; the scalar is its sum."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.outer, self.constant, self.sign = Tap(), Tap(), Tap(), Tap()
        self.both = Both()

    def forward(self, x: Tensor) -> Tensor:
        y = self.outer(self.inner(2 * x).square() + self.constant(torch.ones(2)))
        self.sign(y > 0)
        return self.both(y)[0].sum()


class Both(nn.Module):
    def forward(self, y: Tensor) -> tuple[Tensor, Tensor]:
        return y, -y


def loss_of(output: tuple[Tensor, Tensor]) -> Tensor:
    return output[1]


# --- tensors --------------------------------------------------------------------------------------


def test_a_pass_computed_by_hand():
    x = torch.tensor([[1.0, -3.0]])
    output, cache = run_with_cache(Squares(), (x,), gradients_of=lambda scalar: scalar)
    assert output == 42
    expected = {"inner": [[2, -6]], "constant": [1, 1], "outer": [[5, 37]], "sign": [[True, True]]}
    assert {name: tensor.tolist() for name, tensor in cache.items()} == expected
    slopes = {"inner": [[4, -12]], "constant": [1, 1], "outer": [[1, 1]]}
    assert {name: tensor.tolist() for name, tensor in cache.gradients.items()} == slopes
    assert not x.requires_grad


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_tensors_are_those_of_a_recording_in_its_order(architecture):
    model = small_model(architecture, n_layers=2)
    batch = small_batch(model.config)
    with record(model) as recording:
        expected = recording.model(*batch)
    (logits, loss), cache = run_with_cache(model, batch)
    assert list(cache) == list(recording.operations)
    assert all(torch.equal(cache[each.name], each.value) for each in recording)
    assert torch.equal(logits, expected[0])
    assert torch.equal(loss, expected[1])
    assert not any(tensor.requires_grad for tensor in (logits, loss, *cache.values()))
    assert cache.gradients == {}


@pytest.mark.parametrize("rows", [1, 2, 6])
def test_the_batch_axis_is_kept_and_each_row_is_the_pass_of_that_row(rows):
    model = small_model("encoder-decoder").double()
    batch = small_batch(model.config)
    many = batch._replace(**{name: getattr(batch, name)[[0] * rows] for name in ("source", "target", "labels")})
    _, cache = run_with_cache(model, many, ["*.weights", "logits"])
    _, first = run_with_cache(model, batch, ["*.weights", "logits"])
    assert len(cache) == 4
    for name, tensor in cache.items():
        assert len(tensor) == rows
        assert all(torch.allclose(row, first[name][0]) for row in tensor)


def test_names_patterns_and_modules():
    model = small_model("encoder-decoder", n_layers=2)
    batch = small_batch(model.config)

    def read(names) -> list[str]:
        return list(run_with_cache(model, batch, names)[1])

    assert read("logits") == ["logits"]
    assert read(["logits", "encoder.tokens", "logits"]) == ["encoder.tokens", "logits"], "in order of execution, once"
    assert read("*.weights") == [name for name in taps(model) if name.endswith(".weights")]
    assert read("decoder.layers.[01].cross_attention.attention.weights") == [
        f"decoder.layers.{layer}.cross_attention.attention.weights" for layer in (0, 1)
    ]
    assert read(iter(["encoder.layers.0", "encoder.layers.*.output"])) == [
        *("encoder.layers.0.self_attention.output", "encoder.layers.0.feed_forward.output", "encoder.layers.0"),
        *("encoder.layers.1.self_attention.output", "encoder.layers.1.feed_forward.output"),
    ]
    assert read([]) == []
    assert set(read("*")) == set(taps(model))


def test_of_several_outputs_the_first_is_kept():
    _, cache = run_with_cache(Squares(), (torch.ones(1, 2),), ["both", "outer"])
    assert torch.equal(cache["both"], cache["outer"])
    model = small_model("encoder-decoder")
    _, cache = run_with_cache(model, small_batch(model.config), ["encoder", "encoder.output"])
    assert torch.equal(cache["encoder"], cache["encoder.output"])


@pytest.mark.parametrize("name", ["decoder.outputs", "*.weight"])
def test_a_name_that_fits_nothing_is_refused_with_the_taps(name):
    model = small_model("decoder-only")
    with pytest.raises(KeyError, match=r"is no tap of this model; its taps are decoder\.embeddings"):
        run_with_cache(model, small_batch(model.config), ["logits", name])


def test_a_module_that_the_pass_does_not_call_has_no_tensor():
    model = small_model("encoder-only")
    assert "loss" not in run_with_cache(model, small_batch(model.config)[:3])[1]


def test_the_tensors_are_those_of_a_changed_model():
    model = small_model("encoder-only")
    with intervene(model, {"encoder.output": torch.zeros_like}) as changed:
        _, cache = run_with_cache(changed, small_batch(model.config), ["encoder.output", "logits"])
    assert not cache["encoder.output"].any()
    assert torch.equal(cache["logits"], model.head.bias.detach().expand_as(cache["logits"]))


# --- the model and the caller ---------------------------------------------------------------------


@pytest.mark.parametrize("gradients_of", [None, loss_of])
def test_the_model_is_read_in_evaluation_mode_and_left_as_it_was(gradients_of):
    model = small_model("encoder-decoder", dropout=0.5)
    batch = small_batch(model.config)
    _, expected = run_with_cache(model, batch, gradients_of=gradients_of)
    model.train()
    before = copy.deepcopy(model.state_dict())
    _, cache = run_with_cache(model, batch, gradients_of=gradients_of)
    assert model.training
    assert all(torch.equal(cache[name], expected[name]) for name in expected)
    assert all(torch.equal(cache.gradients[name], expected.gradients[name]) for name in expected.gradients)
    assert not any(module._forward_hooks for module in model.modules())
    assert all(parameter.grad is None for parameter in model.parameters())
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


@pytest.mark.parametrize("mode", [torch.no_grad, torch.enable_grad, torch.inference_mode])
def test_no_mode_of_the_caller_matters_and_what_is_read_can_be_learned_from(mode):
    model = small_model("decoder-only")
    with mode():
        batch = small_batch(model.config)
        _, cache = run_with_cache(model, batch, "decoder.output", gradients_of=loss_of)
    probe = nn.Linear(cache["decoder.output"].size(-1), 2)
    probe(cache["decoder.output"]).sum().backward()
    assert probe.weight.grad is not None
    _, expected = run_with_cache(model, batch, "decoder.output", gradients_of=loss_of)
    assert torch.equal(cache.gradients["decoder.output"], expected.gradients["decoder.output"])


def test_an_error_of_the_pass_leaves_no_hook_behind():
    model = small_model("encoder-only")
    with pytest.raises(IndexError), caching(model):
        model(torch.full((1, 2), 10_000), None)
    assert not any(module._forward_hooks for module in model.modules())


def test_caching_keeps_the_pass_of_the_model_itself_in_its_mode():
    model = small_model("encoder-only", dropout=0.5).train()
    with caching(model, ["encoder.output", "loss"]) as cache:
        _, loss = model(*small_batch(model.config))
    loss.backward()
    assert list(cache) == ["encoder.output", "loss"]
    assert cache["loss"] == loss
    assert not cache["loss"].requires_grad
    assert not torch.equal(
        cache["encoder.output"], run_with_cache(model, small_batch(model.config))[1]["encoder.output"]
    )


# --- memory ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("gradients_of", [None, loss_of])
def test_only_the_tensors_asked_for_are_kept(gradients_of):
    model, memory = small_model("encoder-decoder", positions="none"), dict[str, StorageWeakRef]()

    def see(name: str, value: Tensor) -> Tensor:
        memory[name] = StorageWeakRef(value.untyped_storage())
        return value

    with intervene(model, {name: partial(see, name) for name in taps(model)}) as seen:
        cache = run_with_cache(seen, small_batch(model.config), "*.weights", gradients_of=gradients_of)[1]
    gc.collect()
    assert memory.keys() == set(taps(model))
    assert {name for name, storage in memory.items() if not storage.expired()} == cache.keys()
    assert len(cache) == 3
    assert len(cache.gradients) == (3 if gradients_of else 0)


# --- gradients ------------------------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_gradients_are_those_of_autograd(architecture, positions):
    """Of the loss, and of one logit, with respect to every tensor that a change by zeros can be given to."""
    model = small_model(architecture, positions=positions)
    batch = small_batch(model.config)
    names = [name for name, tensor in run_with_cache(model, batch)[1].items() if tensor.is_floating_point()]
    for scalar in (loss_of, lambda output: output[0][1, 0, 7]):
        _, cache = run_with_cache(model, batch, gradients_of=scalar)
        zeros = {name: torch.zeros_like(cache[name], requires_grad=True) for name in names}
        with intervene(model, {name: zeros[name].add for name in names}) as changed:
            expected = torch.autograd.grad(scalar(changed(*batch)), list(zeros.values()), allow_unused=True)
        needed = {name: slope for name, slope in zip(names, expected, strict=True) if slope is not None}
        assert cache.gradients.keys() == needed.keys()
        assert all(torch.allclose(cache.gradients[name], slope, atol=1e-6) for name, slope in needed.items())
        assert any(slope.any() for slope in needed.values())


def test_a_gradient_is_the_same_whatever_else_is_asked_for():
    model = small_model("encoder-decoder")
    batch = small_batch(model.config)
    _, every = run_with_cache(model, batch, gradients_of=loss_of)
    for names in ("*.heads", "decoder.embeddings.position", ["encoder", "encoder.output"], "loss"):
        _, cache = run_with_cache(model, batch, names, gradients_of=loss_of)
        assert cache.gradients.keys() == cache.keys()
        for name, slope in cache.gradients.items():
            torch.testing.assert_close(slope, every.gradients["encoder.output" if name == "encoder" else name])
    assert run_with_cache(model, batch, "*.tokens", gradients_of=loss_of)[1].gradients == {}


def loss_after(model: TaskModel, name: str, change: Callable[[Tensor], Tensor]) -> float:
    with intervene(model, {name: change}) as changed, torch.no_grad():
        return changed(*small_batch(model.config))[1].item()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm_position", ["pre", "post"])
def test_gradients_agree_with_finite_differences(architecture, norm_position):
    model = small_model(architecture, norm_position=norm_position, activation="gelu").double()
    stack = "decoder" if model.decoder else "encoder"
    last = "cross_attention" if architecture == "encoder-decoder" else "self_attention"
    names = [
        f"{stack}.embeddings.sum",
        f"{stack}.layers.0.self_attention_add_norm.normalized",
        *(
            f"{stack}.layers.0.{last}.attention.{tap}"
            for tap in ("query", "scores", "masked_scores", "weights", "value")
        ),
        f"{stack}.layers.0.{last}.output",
        f"{stack}.layers.0.feed_forward.activation",
        "logits",
    ]
    _, cache = run_with_cache(model, small_batch(model.config), names, gradients_of=loss_of)
    small = 1e-5
    for name in names:
        gradient, value = cache.gradients[name], cache[name]
        assert gradient.shape == value.shape
        entries = torch.randperm(value.numel(), generator=torch.Generator().manual_seed(0))[:3].tolist()
        entries.append(int(gradient.abs().argmax()))
        assert gradient.abs().max() > 1e-4, name
        for entry in entries:
            step = torch.zeros(value.numel(), dtype=torch.float64)
            step[entry] = small
            step = step.view(value.shape)
            up, down = (loss_after(model, name, lambda x, by=by: x + by) for by in (step, -step))
            assert gradient.flatten()[entry].item() == pytest.approx((up - down) / (2 * small), abs=1e-8), name


def test_masks_and_tokens_have_no_gradient_and_the_loss_has_one():
    model = small_model("encoder-decoder")
    with record(model) as recording:
        recording.model(*small_batch(model.config))
    _, cache = run_with_cache(model, small_batch(model.config), gradients_of=loss_of)
    without = cache.keys() - cache.gradients.keys()
    masks = {f"decoder.{mask}" for mask in ("padding_mask", "causal_mask", "mask")} | {"encoder.padding_mask"}
    assert without >= {"encoder.tokens", "decoder.tokens", *masks, "labels", "probabilities"}
    needed = behind("loss", recording)
    assert without == {each.name for each in recording if not (each.name in needed and each.value.is_floating_point())}
    assert cache.gradients["loss"] == 1
