"""The taps of the feed-forward network, section 3.3 of Vaswani et al. 2017."""

import math

from playground.explain.declaration import Declaration
from playground.explain.document import (
    HENDRYCKS,
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

_ACTIVATION = word("activation")


def _hidden_formula(config: RunConfig) -> str:
    return "xW_1" + " + b_1" * config.model.bias


def _ffn(config: RunConfig) -> Citation:
    return VASWANI.at("3.3, eq. 2" if config.model.bias else "3.3, eq. 2 (there with biases)")


def _hidden(name: str, config: RunConfig) -> TapDocument:
    return TapDocument(
        "Feed-forward, hidden",
        "The same linear layer, from D to F numbers, for each position separately.",
        _hidden_formula(config),
        (_ffn(config),),
        **linear(
            "hidden",
            rf"x W_1 b_1 {word('hidden')}",
            "Each weight gets its input times the gradient of its output, summed over all positions.",
            bias=config.model.bias,
            width="F",
            shared=goes_past(config),
        ),
    )


def _activation(name: str, config: RunConfig) -> TapDocument:
    z, hidden = _hidden_formula(config), word("hidden")
    if config.model.activation == "relu":
        title, sentence, formula, source = "ReLU", "Negative numbers become zero.", rf"\max(0,\; {z})", _ffn(config)
        value = "max(0, input)"
        rule = Rule(
            handed(hidden, rf"{d(_ACTIVATION)} \odot [\,{hidden} > 0\,]"),
            "The gradient passes unchanged where the input was positive, and is zero elsewhere.",
            {"hidden": "gradient[b, t, f] if hidden[b, t, f] > 0 else 0"},
        )
    else:
        title, source = "GELU", HENDRYCKS
        formula = rf"{hidden}\,\Phi({hidden}),\quad {hidden} = {z}"
        sentence = "A smooth ReLU: each number times the probability that a standard normal variable is below it."
        value = "input * Phi(input)"
        rule = Rule(
            lines(
                handed(hidden, rf"{d(_ACTIVATION)} \odot \left(\Phi({hidden}) + {hidden}\,\phi({hidden})\right)"),
                rf"\phi({hidden}) = \frac{{1}}{{\sqrt{{2\pi}}}}\,e^{{-{hidden}^2/2}}",
            ),
            "The gradient is multiplied by the derivative of GELU at each number.",
            {
                "hidden": f"""density = exp(-(hidden[b, t, f] ** 2) / 2) / {math.sqrt(2 * math.pi)}
                gradient[b, t, f] * (Phi(hidden[b, t, f]) + hidden[b, t, f] * density)"""
            },
        )
    cell = Declaration(
        f"""input = hidden[b, t, f]
        activation[b, t, f] = {value}""",
        inputs="hidden[b, t, f]",
        letters={_ACTIVATION: "activation", hidden: "hidden"},
        curve=("relu" if config.model.activation == "relu" else "gelu", "input"),
    )
    return TapDocument(title, sentence, formula, (source,), cell, rule)


def _output(name: str, config: RunConfig) -> TapDocument:
    z, relu = _hidden_formula(config), config.model.activation == "relu"
    inner = rf"\max(0,\; {z})" if relu else rf"\mathrm{{GELU}}({z})"
    return TapDocument(
        "Feed-forward, output",
        "A second linear layer, from F back to D numbers.",
        rf"{inner}\,W_2" + " + b_2" * config.model.bias,
        (_ffn(config), *[HENDRYCKS] * (not relu)),
        **linear(
            "output",
            f"{_ACTIVATION} W_2 b_2 {word('output')}",
            "Each input gets the gradients of its outputs, multiplied by the weights between them.",
            bias=config.model.bias,
            inner="F",
        ),
    )


TAPS: dict[tuple[str, str], TapEntry] = {
    ("FeedForward", "hidden"): _hidden,
    ("FeedForward", "activation"): _activation,
    ("FeedForward", "output"): _output,
}
