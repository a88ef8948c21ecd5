"""Lesson "The feed-forward network"."""

import math
from collections.abc import Mapping
from functools import lru_cache

import torch
from torch import Tensor

from playground.lessons.live_parts import (
    Choice,
    Curves,
    Numbers,
    Output,
    Sentence,
    Slider,
    Table,
    TableInput,
    generator,
    live,
    own_randomness,
    pass_of,
    shipped,
    shown,
)
from playground.model.architecture import architecture
from playground.model.feed_forward import FeedForward
from playground.model.layers import EncoderLayer
from playground.settings.config import Activation, ModelConfig

MODEL = "reverse-1-16"
PATH = "encoder.layers.0.feed_forward"
LENGTH = 6
CHANGED = 3  # the position that the question is about


@lru_cache
def _small(seed: int, activation: Activation = "relu") -> FeedForward:
    """A network from 2 numbers over 3 hidden units to 2, its weights rounded to one decimal."""
    with own_randomness(seed):
        made = FeedForward(ModelConfig(d_model=2, n_heads=1, d_ff=3, activation=activation))
    draw = generator(seed)
    for parameter in made.parameters():
        parameter.requires_grad_(False).copy_(_rounded(torch.randn(parameter.shape, generator=draw)))
    return made


def _layer() -> EncoderLayer:
    layer = shipped(MODEL).get_submodule("encoder.layers.0")
    assert isinstance(layer, EncoderLayer)
    return layer


def _rounded(values: Tensor) -> Tensor:
    return values.mul(10).round().div(10)


def _vector(seed: int) -> Tensor:
    """The input of the small network, shape (1, 2)."""
    return _rounded(torch.randn(1, 2, generator=generator(seed + 1))) + 0.1


def _input(seed: int) -> str:
    """Six different symbols for the shipped model."""
    return " ".join(str(symbol) for symbol in torch.randperm(10, generator=generator(seed))[:LENGTH].tolist())


def _tap(seed: int, name: str) -> Tensor:
    return pass_of(MODEL, _input(seed))[name].value[0]


@torch.inference_mode()
def _after_change(seed: int, position: int) -> dict[str, Tensor]:
    """The change of each position's output, shape (T,), when the vector at one position (from 1) becomes zeros."""
    layer = _layer()
    read = {
        "Feed-forward": _tap(seed, f"{PATH}_add_norm.normalized"),
        "Self-attention": _tap(seed, "encoder.layers.0.self_attention_add_norm.normalized"),
    }
    everything = torch.ones(1, 1, 1, LENGTH, dtype=torch.bool)
    moved = {}
    for name, before in read.items():
        after = before.clone()
        after[position - 1] = 0
        if name == "Feed-forward":
            one, two = (layer.feed_forward(x[None]) for x in (before, after))
        else:
            one, two = (layer.self_attention(x[None], x[None], everything) for x in (before, after))
        moved[name] = (one - two)[0].norm(dim=-1)
    return moved


@torch.inference_mode()
def _permuted(seed: int) -> float:
    """Largest difference between the outputs of permuted positions and the permuted outputs."""
    network = _layer().feed_forward
    x = _tap(seed, f"{PATH}_add_norm.normalized")
    order = torch.randperm(LENGTH, generator=generator(seed))
    return float((network(x[order]) - network(x)[order]).abs().max())


@torch.inference_mode()
def _merged(seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Output of the shipped network, the same without its activation function, and of the two maps merged into one."""
    network = _layer().feed_forward
    x = _tap(seed, f"{PATH}_add_norm.normalized")
    weight = network.w_2.weight @ network.w_1.weight
    bias = network.w_2.weight @ network.w_1.bias + network.w_2.bias
    return network(x), network.w_2(network.w_1(x)), x @ weight.T + bias


def _point(seed: int) -> float:
    """The point at which GELU is computed by hand."""
    return -(4 + int(torch.randint(0, 12, (), generator=generator(seed)))) / 10


def _on(seed: int) -> Tensor:
    """(T, F) whether a hidden unit is on at a position."""
    return _tap(seed, f"{PATH}.activation") > 0


def _parameters(d_model: int, ratio: int, *, bias: bool = True) -> dict[str, int]:
    """Parameters of the two sublayers of an encoder layer, from the tree of parts."""
    config = ModelConfig.model_construct(d_model=d_model, n_heads=1, d_ff=ratio * d_model, bias=bias)
    sizes = {"D": d_model, "F": ratio * d_model}
    kinds = {"MultiHeadAttention": "Self-attention", "FeedForward": "Feed-forward"}
    first = {part.kind: part for part in reversed(architecture(config).find(*kinds))}
    return {
        kinds[kind]: sum(math.prod(shape) for shape in part.parameter_shapes(sizes).values())
        for kind, part in first.items()
    }


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    small, x, point = _small(seed), _vector(seed), _point(seed)
    hidden = small.w_1(x)[0]
    moved = {name: int((values > 1e-6).sum()) for name, values in _after_change(seed, CHANGED).items()}
    right, linear, merged = _merged(seed)
    on, config = _on(seed), shipped(MODEL).config.model
    chosen, ratio = 1 + (seed + 2) % LENGTH, (3, 4, 6, 8)[seed % 4]  # the slider begins at 2
    weights = _parameters(config.d_model, ratio, bias=False)
    gelu = _activation("gelu", torch.tensor(point))
    return {
        "hidden": float(hidden[0]),
        "hidden_on": float(hidden[0].relu()),
        "position": CHANGED,
        "length": LENGTH,
        "forward_moved": moved["Feed-forward"],
        "attention_moved": moved["Self-attention"],
        "permuted": _permuted(seed),
        "d_model": config.d_model,
        "d_ff": config.d_ff,
        "two_maps": 2 * config.d_model * config.d_ff,
        "one_map": config.d_model**2,
        "merged": float((linear - merged).abs().max()),
        "without": float((right - linear).abs().max()),
        "point": point,
        "below": float(torch.special.ndtr(torch.tensor(point))),
        "gelu": float(gelu),
        "input": _input(seed),
        "chosen_position": chosen,
        "off_there": int((~on[chosen - 1]).sum()),
        "on_there": int(on[chosen - 1].sum()),
        "share": float(on.float().mean()),
        "ratio": ratio,
        "times": weights["Feed-forward"] / weights["Self-attention"],
        "share_of_layer": weights["Feed-forward"] / sum(weights.values()),
    }


def _activation(name: Activation, x: Tensor) -> Tensor:
    """The activation function that the model's own class chooses for a setting."""
    return _small(0, name).activation_function(x)


@live()
def numbers(seed: int) -> list[Output]:
    """A vector and the first map."""
    small = _small(seed)
    return [
        Numbers("x", _vector(seed), ("", "D"), digits=1),
        Numbers("W₁", small.w_1.weight.T, ("D", "F"), digits=1),
        Numbers("b₁", small.w_1.bias, ("", "F"), digits=1),
    ]


@live(
    x=TableInput("x", _vector, ("x",), 10),
    activation=Choice("Activation function", ("ReLU", "GELU")),
)
def by_hand(seed: int, x: Tensor, activation: str) -> list[Output]:
    """The whole network, number by number."""
    small = _small(seed, "gelu" if activation == "GELU" else "relu")
    hidden = small.w_1(x)
    active = small.activation_function(hidden)
    return [
        Numbers("x W₁ + b₁", hidden, ("", "F")),
        Numbers(f"{activation}", active, ("", "F")),
        Numbers("W₂", small.w_2.weight.T, ("F", "D"), digits=1),
        Numbers("b₂", small.w_2.bias, ("", "D"), digits=1),
        Numbers("Output", small(x), ("", "D")),
    ]


@live(position=Slider("Position that becomes zeros", 1, LENGTH, CHANGED))
def changed(seed: int, position: int) -> list[Output]:
    """The change of each output when one position changes."""
    moved = _after_change(seed, position)
    names = [f"{symbol} ({position})" for position, symbol in enumerate(_input(seed).split(), 1)]
    table = torch.stack(list(moved.values()))
    return [Numbers("Length of the change in each output", table, rows=list(moved), columns=names)]


@live(x=Slider("x", -4.0, 4.0, -1.0, 0.1))
def functions(seed: int, x: float) -> list[Output]:
    """ReLU and GELU, and their values at one point."""
    points = torch.linspace(-4, 4, 81)
    both: dict[str, Activation] = {"ReLU": "relu", "GELU": "gelu"}
    lines = {name: _activation(kind, points).tolist() for name, kind in both.items()}
    point = torch.tensor(x)
    values = {name: float(_activation(kind, point)) for name, kind in both.items()}
    rows = [[name, shown(value)] for name, value in values.items()]
    return [
        Curves("Two activation functions", "x", "Value", points.tolist(), lines),
        Table(("Function", f"Value at {shown(x, 1)}"), rows),
    ]


@live(stack=Choice("Stack", ("Encoder", "Decoder")))
def on(seed: int, stack: str) -> list[Output]:
    """Number of hidden units of the shipped model that are on at each position, and at each two."""
    walk = pass_of(MODEL, _input(seed))
    name = f"{stack.lower()}.layers.0.feed_forward.activation"
    active = walk[name].value[0] > 0
    letter = "S" if stack == "Encoder" else "T"
    names = [f"{token} ({position})" for position, token in enumerate(walk.tokens[letter], 1)]
    both = active.float() @ active.float().T
    share = float(active.float().mean())
    return [
        Numbers("Hidden units that are on at both positions", both, (letter, letter), names, names, digits=0),
        Sentence(f"On average **{100 * share:.0f} %** of the hidden units are on."),
    ]


@live(
    width=Slider("d_model", 8, 512, 64, 8),
    ratio=Slider("d_ff / d_model", 1, 8, 2),
)
def parameters(seed: int, width: int, ratio: int) -> list[Output]:
    """Parameters of the sublayers of an encoder layer."""
    counts = _parameters(width, ratio)
    whole = sum(counts.values())
    return [
        Table(
            ("Sublayer", "Parameters with biases", "Percentage"),
            [[name, f"{count:,}", f"{100 * count / whole:.0f} %"] for name, count in counts.items()],
        )
    ]
