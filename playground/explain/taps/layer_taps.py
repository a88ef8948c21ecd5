"""The taps around each sublayer, section 3.1 of Vaswani et al. 2017, and where the norm stands in Xiong et al. 2020."""

from playground.config import RunConfig
from playground.explain.declaration import Declaration
from playground.explain.document import BA, VASWANI, XIONG, Entry, Rule, TapDocument, d, handed, layer_norm, lines
from playground.explain.document import normalized as norm_of


def _sublayer(name: str) -> str:
    return "FFN" if ".feed_forward_" in name else r"\mathrm{MultiHead}"


def _normalized(name: str, config: RunConfig) -> TapDocument:
    m = config.model
    pre = m.norm_position == "pre"
    what = "Each vector" if pre else "Each vector of the sum" if m.residual else "Each vector of the sublayer's output"
    inner = "x" if pre else f"{'x + ' * m.residual}{_sublayer(name)}(x)"
    parts = layer_norm("normalized", config, shared=pre and m.residual)  # x goes past norm and sublayer
    if pre:
        parts["letters"]["x"] = "x"
    return TapDocument(
        "LayerNorm",
        f"{what} is brought to mean 0 and variance 1, then scaled{' and shifted' * m.bias}"
        f"{', before the sublayer reads it' if pre else ', as in the paper' if m.residual else ''}.",
        norm_of(inner, config),
        (XIONG if pre else VASWANI.at("3.1"), BA),
        **parts,
        present=m.layer_norm,
    )


def _sum(name: str, config: RunConfig) -> TapDocument:
    m = config.model
    pre = m.norm_position == "pre" and m.layer_norm
    inner = r"\mathrm{LayerNorm}(x)" if pre else "x"
    return TapDocument(
        "Residual sum",
        "What the sublayer made is added to what came in: the residual path that carries every token upwards.",
        f"x + {_sublayer(name)}({inner})",
        (XIONG if pre else VASWANI.at("3.1"),),
        Declaration(
            "sum[b, t, d] = x[b, t, d] + sublayer[b, t, d]", inputs="x[b, t, d] sublayer[b, t, d]", symbol="sum"
        ),
        Rule(
            lines(handed("x", d("(x+y)"), shared=True), handed("y", d("(x+y)"))),
            "A sum gives each of its parts the whole gradient: the sublayer y, and x, which goes past it.",
        ),
        {"(x+y)": "sum", "x": "x", "y": "sublayer"},
        present=m.residual,
    )


TAPS: dict[tuple[str, str], Entry] = {("AddNorm", "normalized"): _normalized, ("AddNorm", "sum"): _sum}
