"""`playground.check(module, part, inputs=...)`: the module is judged on the pass of these inputs."""

import math

import pytest
import torch
from torch import Tensor, nn

import playground


class Strange(nn.Module):
    """Multi-head attention whose arguments have unusual names and which takes one length alone."""

    def __init__(self, width: int = 24, many: int = 4, *, scaled: bool = True) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.n_heads, self.scaled = many, scaled

    def forward(self, stuff: Tensor, who: Tensor | None = None) -> Tensor:
        assert stuff.shape[1] == 9
        q, k, v = (y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for y in self.first(stuff).chunk(3, -1))
        scores = q @ k.mT / (math.sqrt(q.size(-1)) if self.scaled else 1)
        if who is not None:
            scores = scores.masked_fill(~who, -math.inf)
        return self.last((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


def numbers(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0))


PART = "multi-head-attention"


def test_a_module_is_judged_on_the_inputs_that_are_given():
    x = numbers(2, 9, 24)
    assert playground.check(Strange(), PART).verdict != "right"
    assert playground.check(Strange(), PART, inputs=(x,)).verdict == "right"
    wrong = playground.check(Strange(scaled=False), PART, inputs=(x,))
    assert (wrong.verdict, wrong.cause) == ("wrong", "no-scaling")


def test_attention_as_a_function_with_a_mask():
    def mix(a: Tensor, b: Tensor, c: Tensor, mask: Tensor, width: int) -> Tensor:
        weights = (a @ b.mT / width**0.5).masked_fill(~mask, -math.inf).softmax(-1)
        return weights @ c

    q, k, v = numbers(2, 3, 4, 8), numbers(2, 3, 6, 8), numbers(2, 3, 6, 8)
    mask = torch.rand(4, 6, generator=torch.Generator().manual_seed(1)) < 0.6
    mask[:, 0] = True
    assert playground.check(mix, "attention", "keep", inputs=(q, k, v, mask, 8)).verdict == "right"
    assert playground.check(mix, "attention", "hide", inputs=(q, k, v, mask, 8)).verdict == "wrong"


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ((), "inputs has 0 values, and Strange takes (stuff, who)."),
        ((numbers(2, 9, 24), None, 3), "inputs has 3 values"),
        ((numbers(9),), "has shape (9,), which is none that the check reads"),
        ((3,), "No tensor in inputs"),
    ],
)
def test_inputs_that_dont_fit_are_one_sentence(inputs: tuple, says: str):
    verdict = playground.check(Strange(), PART, inputs=inputs)
    assert verdict.verdict in ("unknown", "error")
    assert says in verdict.message


def test_inputs_are_for_objects_and_for_parts_with_one_call():
    with pytest.raises(playground.PlaygroundError, match="For a file, use call"):
        playground.check("mine.py", PART, inputs=(numbers(2),))
    with pytest.raises(playground.PlaygroundError, match="inputs is not for the part masks"):
        playground.check(torch.tril, "masks", inputs=(numbers(2),))
