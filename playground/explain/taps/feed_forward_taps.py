"""The taps of the feed-forward network, section 3.3 of Vaswani et al. 2017, with gates as in Shazeer 2020."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from playground.explain.declaration import ActivationCurve, Declaration
from playground.explain.document import (
    HENDRYCKS,
    SHAZEER_GLU,
    VASWANI,
    Citation,
    Rule,
    TapDocument,
    TapEntry,
    goes_past,
    handed,
    linear,
    lines,
)
from playground.explain.latex import d, word
from playground.settings.config import RunConfig

_HIDDEN, _ACTIVATION, _UP, _GATED = map(word, ("hidden", "activation", "up", "gated"))
_SWIGLU = SHAZEER_GLU.at("2, eq. 6 (there V is W_3)")


def _hidden_formula(config: RunConfig) -> str:
    return "xW_1" + " + b_1" * config.model.bias


def _up_formula(config: RunConfig) -> str:
    return "xW_3" + " + b_3" * config.model.bias


def _ffn(config: RunConfig) -> Citation:
    if config.model.activation == "swiglu":
        return _SWIGLU
    return VASWANI.at("3.3, eq. 2" if config.model.bias else "3.3, eq. 2 (there with biases)")


def _network(name: str) -> str:
    """Which network this is: "Feed-forward", or "Expert 2" of a mixture."""
    group, _, number = name.rpartition(".")[0].rpartition(".")
    kind = {"experts": "Expert", "shared_experts": "Shared expert"}.get(group.rpartition(".")[2])
    return f"{kind} {int(number) + 1}" if kind else "Feed-forward"


def _is_shared(config: RunConfig) -> bool:
    """Whether others read the input of the first linear layer too."""
    m = config.model
    return goes_past(config) or m.activation == "swiglu" or m.feed_forward == "mixture"


def _hidden(name: str, config: RunConfig) -> TapDocument:
    return TapDocument(
        f"{_network(name)}, hidden",
        "The same linear layer, from D to F numbers, for each position separately.",
        _hidden_formula(config),
        (_ffn(config),),
        **linear(
            "hidden",
            f"x W_1 b_1 {_HIDDEN}",
            "Each weight gets its input times the gradient of its output, summed over all positions.",
            bias=config.model.bias,
            width="F",
            shared=_is_shared(config),
        ),
    )


def _up(name: str, config: RunConfig) -> TapDocument:
    return TapDocument(
        f"{_network(name)}, up",
        "A second linear layer from D to F numbers, which the activation will scale.",
        _up_formula(config),
        (_SWIGLU,),
        **linear(
            "up",
            f"x W_3 b_3 {_UP}",
            "Each weight gets its input times the gradient of its output, summed over all positions.",
            bias=config.model.bias,
            width="F",
            shared=True,
        ),
        present=config.model.activation == "swiglu",
    )


def _gated(name: str, config: RunConfig) -> TapDocument:
    return TapDocument(
        f"{_network(name)}, gated",
        "Each number of the second layer times the activation beside it, which opens or closes it like a gate.",
        rf"\mathrm{{Swish}}({_hidden_formula(config)}) \odot ({_up_formula(config)})",
        (_SWIGLU,),
        Declaration(
            "gated[b, t, f] = activation[b, t, f] * up[b, t, f]",
            inputs="activation[b, t, f] up[b, t, f]",
            letters={_GATED: "gated", _ACTIVATION: "activation", _UP: "up"},
        ),
        Rule(
            lines(handed(_ACTIVATION, rf"{d(_GATED)} \odot {_UP}"), handed(_UP, rf"{d(_GATED)} \odot {_ACTIVATION}")),
            "Each of two factors gets the gradient of their product times the other factor.",
            {
                "activation": "gradient[b, t, f] * up[b, t, f]",
                "up": "gradient[b, t, f] * activation[b, t, f]",
            },
        ),
        present=config.model.activation == "swiglu",
    )


def _relu(z: str, config: RunConfig) -> dict[str, Any]:
    return {
        "title": "ReLU",
        "sentence": "Negative numbers become zero.",
        "formula": rf"\max(0,\; {z})",
        "sources": (_ffn(config),),
        "value": "max(0, input)",
        "backward": Rule(
            handed(_HIDDEN, rf"{d(_ACTIVATION)} \odot [\,{_HIDDEN} > 0\,]"),
            "The gradient passes unchanged where the input was positive, and is zero elsewhere.",
            {"hidden": "gradient[b, t, f] if hidden[b, t, f] > 0 else 0"},
        ),
    }


def _gelu(z: str, config: RunConfig) -> dict[str, Any]:
    return {
        "title": "GELU",
        "sentence": "A smooth ReLU: each number times the probability that a standard normal variable is below it.",
        "formula": rf"{_HIDDEN}\,\Phi({_HIDDEN}),\quad {_HIDDEN} = {z}",
        "sources": (HENDRYCKS,),
        "value": "input * Phi(input)",
        "backward": Rule(
            lines(
                handed(_HIDDEN, rf"{d(_ACTIVATION)} \odot \left(\Phi({_HIDDEN}) + {_HIDDEN}\,\phi({_HIDDEN})\right)"),
                rf"\phi({_HIDDEN}) = \frac{{1}}{{\sqrt{{2\pi}}}}\,e^{{-{_HIDDEN}^2/2}}",
            ),
            "The gradient is multiplied by the derivative of GELU at each number.",
            {
                "hidden": f"""density = exp(-(hidden[b, t, f] ** 2) / 2) / {math.sqrt(2 * math.pi)}
                gradient[b, t, f] * (Phi(hidden[b, t, f]) + hidden[b, t, f] * density)"""
            },
        ),
    }


def _swish(z: str, config: RunConfig) -> dict[str, Any]:
    slope = rf"\frac{{1 + {_ACTIVATION} \odot e^{{-{_HIDDEN}}}}}{{1 + e^{{-{_HIDDEN}}}}}"
    return {
        "title": "Swish",
        "sentence": "A smooth ReLU, the gate of SwiGLU: each number times its sigmoid. PyTorch calls it SiLU.",
        "formula": rf"\frac{{{_HIDDEN}}}{{1 + e^{{-{_HIDDEN}}}}},\quad {_HIDDEN} = {z}",
        "sources": (_SWIGLU,),
        "value": "input / (1 + exp(-input))",
        "backward": Rule(
            handed(_HIDDEN, rf"{d(_ACTIVATION)} \odot {slope}"),
            "The gradient is multiplied by the derivative of Swish at each number.",
            {
                "hidden": """sigmoid = 1 / (1 + exp(-hidden[b, t, f]))
                gradient[b, t, f] * (sigmoid + hidden[b, t, f] * sigmoid * (1 - sigmoid))"""
            },
        ),
    }


_ACTIVATIONS: Mapping[str, tuple[ActivationCurve, Callable[[str, RunConfig], dict[str, Any]]]] = {
    "relu": ("relu", _relu),
    "gelu": ("gelu", _gelu),
    "swiglu": ("swish", _swish),
}


def _activation(name: str, config: RunConfig) -> TapDocument:
    curve, about = _ACTIVATIONS[config.model.activation]
    parts = about(_hidden_formula(config), config)
    cell = Declaration(
        f"""input = hidden[b, t, f]
        activation[b, t, f] = {parts.pop("value")}""",
        inputs="hidden[b, t, f]",
        letters={_ACTIVATION: "activation", _HIDDEN: "hidden"},
        curve=(curve, "input"),
    )
    return TapDocument(cell=cell, **parts)


def _output(name: str, config: RunConfig) -> TapDocument:
    z, kind = _hidden_formula(config), config.model.activation
    inner = {
        "relu": rf"\max(0,\; {z})",
        "gelu": rf"\mathrm{{GELU}}({z})",
        "swiglu": rf"\left(\mathrm{{Swish}}({z}) \odot ({_up_formula(config)})\right)",
    }[kind]
    return TapDocument(
        f"{_network(name)}, output",
        f"A {'third' if kind == 'swiglu' else 'second'} linear layer, from F back to D numbers.",
        rf"{inner}\,W_2" + " + b_2" * config.model.bias,
        (_ffn(config), *[HENDRYCKS] * (kind == "gelu")),
        **linear(
            "output",
            f"{_GATED if kind == 'swiglu' else _ACTIVATION} W_2 b_2 {word('output')}",
            "Each input gets the gradients of its outputs, multiplied by the weights between them.",
            bias=config.model.bias,
            inner="F",
        ),
    )


TAPS: dict[tuple[str, str], TapEntry] = {
    ("FeedForward", "hidden"): _hidden,
    ("FeedForward", "activation"): _activation,
    ("FeedForward", "up"): _up,
    ("FeedForward", "gated"): _gated,
    ("FeedForward", "output"): _output,
}
