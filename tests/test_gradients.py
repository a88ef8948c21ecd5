"""Gradients of a walk: those of the pass that is shown, of all that the loss depends on, and true."""

import math
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

from playground.explain import inspection
from playground.explain.inspection import NotFiniteError, Walk, walk
from playground.recording import intervene, run_with_cache
from tests.helpers import ARCHITECTURES, HANG, WITH_DECODER, backward_order, behind, first, modern
from tests.test_inspection import INPUT, VARIANTS, tiny

NO_REAL_NUMBERS = {"tokens", "labels", "mask", "padding_mask", "causal_mask", "window_mask", "chosen"}

MORE = [  # with VARIANTS: every setting of the model in every architecture
    pytest.param(architecture, changes, id=f"{architecture} {' '.join(map(str, changes.values()))}")
    for architecture in ARCHITECTURES
    for changes in (
        {"norm_position": "post", "positions": "learned", "activation": "relu", "bias": False},
        {"norm_position": "pre", "positions": "sinusoidal", "activation": "gelu", "scale_scores": False},
        {"norm_position": "post", "positions": "two_way", "residual": False, "activation": "gelu"},
        {"norm_position": "post", "positions": "learned", "tie_embeddings": True, "attention_bias": False},
        {"norm_position": "pre", "positions": "none", "residual": False, "bias": False},
        {"norm_position": "post", "positions": "rotary", "scale_scores": False},
        {"layer_norm": False, "positions": "two_way", "activation": "gelu"},
    )
] + modern()


def floats(walked: Walk) -> set[str]:
    return {step.name for step in walked.steps if step.operation.tap not in NO_REAL_NUMBERS}


@pytest.mark.parametrize(("architecture", "changes"), [*VARIANTS, *MORE])
def test_everything_that_the_loss_depends_on_has_a_gradient_and_nothing_else(
    architecture: str, changes: dict[str, Any]
):
    walked = walk(tiny(architecture, **changes), INPUT)
    gradients = walked.gradients()
    assert "probabilities" not in gradients
    assert set(gradients) == floats(walked) & behind("loss", [step.operation for step in walked.steps])
    for name, gradient in gradients.items():
        value = walked[name].value
        assert (gradient.shape, gradient.dtype) == (value.shape, torch.float32), name
        assert not gradient.requires_grad
    assert gradients["loss"] == 1


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_pass_with_gradients_is_the_very_same_pass(architecture: str):
    walked = walk(tiny(architecture, dropout=0.5), INPUT, padding=1)
    _, again = run_with_cache(walked.model, walked.batch, gradients_of=lambda output: output[1])
    assert list(again) == [step.name for step in walked.steps]
    assert all(torch.equal(again[step.name], step.value) for step in walked.steps)


def test_backward_meets_the_operations_from_the_last_to_the_first():
    walked = walk(tiny("encoder-decoder"), INPUT)
    order = backward_order(walked)
    assert order[:2] == ("loss", "logits")
    assert order[-1] == "encoder.embeddings.token_embedding"
    assert set(order) == set(walked.gradients())
    seen: set[str] = set()
    for name in order:
        assert not seen & set(walked[name].operation.inputs), "what it was computed from comes later"
        seen.add(name)


# --- finite differences ---------------------------------------------------------------------------


class Nudged:
    """The loss of a walk's pass when one entry of one tap is moved by hand."""

    def __init__(self, walked: Walk) -> None:
        self.walked = walked
        self.name, self.by = "", torch.zeros(())

    def change(self, name: str, value: Tensor) -> Tensor:
        return value + self.by if name == self.name else value

    def slope(self, model: Callable[..., tuple[Tensor, Tensor]], name: str, entry: int, small: float = 1e-6) -> float:
        """The difference quotient at one entry, by number."""
        shape = self.walked[name].value.shape
        self.name, ends = name, []
        for sign in (1, -1):
            self.by = torch.zeros(shape.numel(), dtype=torch.float64)
            self.by[entry] = sign * small
            self.by = self.by.view(shape)
            ends.append(model(*self.walked.batch)[1].item())
        return (ends[0] - ends[1]) / (2 * small)


@pytest.mark.parametrize(("architecture", "changes"), first(2, [*VARIANTS, *MORE], of=71))
def test_gradients_agree_with_finite_differences_at_every_tap(architecture: str, changes: dict[str, Any]):
    """In 64 bits, at the largest entry and two others of each, with padding behind the source.

    One layer where more would leave next to nothing of the gradient.
    """
    n_layers = 2 if changes == {"positions": "two_way"} else 1
    walked = walk(tiny(architecture, **{"n_layers": n_layers} | changes).double(), INPUT, "4 1 3", padding=1)
    gradients = walked.gradients()
    nudged = Nudged(walked)
    generator = torch.Generator().manual_seed(0)
    changing = {name: partial(nudged.change, name) for name in gradients}
    with intervene(walked.model, changing) as model, torch.no_grad():
        for name, gradient in gradients.items():
            entries = torch.randint(gradient.numel(), (2,), generator=generator).tolist()
            for entry in {int(gradient.abs().argmax()), *entries}:
                expected = nudged.slope(model, name, entry)
                assert gradient.flatten()[entry].item() == pytest.approx(expected, rel=1e-5, abs=1e-8), (name, entry)
    sure = [gradient for name, gradient in gradients.items() if ".experts." not in name]  # an expert may be idle
    large = [gradient for gradient in sure if float(gradient.abs().max()) > 1e-5]
    assert len(large) > len(sure) - 3, "there is something to agree about"


# --- asked for at any time, by anyone -------------------------------------------------------------


def test_gradients_are_computed_once_when_first_asked_for_and_counted(monkeypatch):
    passes = []

    def run_and_count(*args: Any, **options: Any) -> Any:
        passes.append(options)
        return run_with_cache(*args, **options)

    monkeypatch.setattr(inspection, "run_with_cache", run_and_count)
    walked = walk(tiny("decoder-only"), INPUT)
    values = sum(step.value.nbytes for step in walked.steps)
    assert not passes
    assert walked.nbytes == values
    found: list[dict[str, Tensor]] = []
    threads = [threading.Thread(target=lambda: found.append(walked.gradients())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert len(passes) == 1
    assert len(found) == 8
    assert all(each is found[0] for each in found)
    assert walked.nbytes == values + sum(each.nbytes for each in found[0].values())


@pytest.mark.parametrize("mode", [torch.no_grad, torch.enable_grad, torch.inference_mode])
def test_no_mode_of_the_caller_matters_and_none_leaks(mode):
    model = tiny("encoder-decoder")
    expected = walk(model, INPUT).gradients()
    before = torch.is_grad_enabled()
    with mode():
        inside = torch.is_grad_enabled(), torch.is_inference_mode_enabled()
        gradients = walk(model, INPUT).gradients()
        assert (torch.is_grad_enabled(), torch.is_inference_mode_enabled()) == inside
    assert torch.is_grad_enabled() == before
    assert all(torch.equal(gradients[name], expected[name]) for name in expected)
    assert all(parameter.grad is None for parameter in model.parameters())
    assert not any(module._forward_hooks for module in model.modules())


def test_a_model_in_training_is_looked_at_as_in_use():
    model = tiny("encoder-only", dropout=0.5)
    walked = walk(model, INPUT)
    model.train()
    gradients = walked.gradients()
    assert model.training, "the model that was passed in stays as it is"
    expected = walk(model.eval(), INPUT).gradients()
    assert all(torch.equal(gradients[name], expected[name]) for name in expected)


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("prefix_length", [0, 2])
def test_in_the_middle_of_an_answer_the_loss_is_that_of_the_tokens_read_and_the_next(
    architecture: str, prefix_length: int
):
    model = tiny(architecture)
    walked = walk(model, INPUT, prefix_length=prefix_length)
    asked = walked.batch.labels[0][walked.batch.labels[0] > 0]
    assert len(asked) == prefix_length + 1
    assert math.isfinite(float(walked["loss"].value))
    assert bool(walked.gradients()["logits"].any())


def test_gradients_that_are_not_finite_are_refused_in_a_sentence():
    """The pass itself can be shown: very small numbers times very large ones."""
    model = tiny("encoder-only", n_layers=1, positions="none", layer_norm=False, residual=False, bias=False)
    assert model.encoder is not None
    with torch.no_grad():
        model.encoder.embeddings.token_table.weight *= 1e-40
        model.encoder.layers[0].self_attention.w_v.weight *= 1e21
        model.encoder.layers[0].self_attention.w_o.weight *= 1e21
    walked = walk(model, INPUT)
    with pytest.raises(NotFiniteError, match=r"^The gradient at .* is not finite; it cannot be shown\.$"):
        walked.gradients()
