"""The taps of the feed-forward network, section 3.3 of Vaswani et al. 2017."""

from playground.config import RunConfig
from playground.explain.declaration import Declaration
from playground.explain.document import (
    HENDRYCKS,
    VASWANI,
    Entry,
    Rule,
    Source,
    TapDocument,
    d,
    goes_past,
    handed,
    linear,
    lines,
)


def _hidden_formula(config: RunConfig) -> str:
    return "xW_1" + " + b_1" * config.model.bias


def _ffn(config: RunConfig) -> Source:
    return VASWANI.at("3.3, eq. 2" if config.model.bias else "3.3, eq. 2 (there with biases)")


def _hidden(name: str, config: RunConfig) -> TapDocument:
    return TapDocument(
        "Feed-forward, hidden",
        "Every position on its own, from D numbers to F.",
        _hidden_formula(config),
        (_ffn(config),),
        **linear(
            "hidden",
            "x W_1 b_1 z",
            config,
            "Each weight gets its input times the gradient of its output, added up over all places that it serves.",
            width="F",
            symbol="hidden",
            shared=goes_past(config),
        ),
    )


def _activation(name: str, config: RunConfig) -> TapDocument:
    z = _hidden_formula(config)
    if config.model.activation == "relu":
        title, sentence, formula, source = "ReLU", "Negative numbers become zero.", rf"\max(0,\; {z})", _ffn(config)
        value = "max(0, z)"
        rule = Rule(
            handed("z", rf"{d('a')} \odot [\,z > 0\,]"),
            "What was positive passes as it is, what was cut off gets zero.",
        )
    else:
        title, formula, source = "GELU", rf"z\,\Phi(z),\quad z = {z}", HENDRYCKS
        sentence = "A smooth ReLU: each number times the share of a standard normal below it."
        value = "z * Phi(z)"
        rule = Rule(
            lines(
                handed("z", rf"{d('a')} \odot \left(\Phi(z) + z\,\phi(z)\right)"),
                r"\phi(z) = \frac{1}{\sqrt{2\pi}}\,e^{-z^2/2}",
            ),
            "The gradient is multiplied by the slope of the curve at each number.",
        )
    cell = Declaration(
        f"""z = hidden[b, t, f]
        activation[b, t, f] = {value}""",
        inputs="hidden[b, t, f]",
        symbol="activation",
        curve=(config.model.activation, "z"),
    )
    return TapDocument(title, sentence, formula, (source,), cell, rule, {"a": "activation", "z": "hidden"})


def _output(name: str, config: RunConfig) -> TapDocument:
    z, relu = _hidden_formula(config), config.model.activation == "relu"
    inner = rf"\max(0,\; {z})" if relu else rf"\mathrm{{GELU}}({z})"
    return TapDocument(
        "Feed-forward, output",
        "Back from F to D.",
        rf"{inner}\,W_2" + " + b_2" * config.model.bias,
        (_ffn(config), *[HENDRYCKS] * (not relu)),
        **linear(
            "output",
            "a W_2 b_2 y",
            config,
            "Each hidden number gets the gradients of all outputs it went into, times the weights between.",
            inner="F",
            x="activation",
            symbol="output",
        ),
    )


TAPS: dict[tuple[str, str], Entry] = {
    ("FeedForward", "hidden"): _hidden,
    ("FeedForward", "activation"): _activation,
    ("FeedForward", "output"): _output,
}
