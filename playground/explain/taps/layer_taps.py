"""The taps around each sublayer: section 3.1 of Vaswani et al. 2017, pre-norm as in Xiong et al. 2020."""

from playground.explain.declaration import Declaration
from playground.explain.document import (
    BA,
    PROJECT,
    VASWANI,
    XIONG,
    Rule,
    TapDocument,
    TapEntry,
    handed,
    layer_norm,
    lines,
)
from playground.explain.document import normalized as norm_of
from playground.explain.latex import d, word
from playground.settings.config import RunConfig

_SUM, _SUBLAYER = word("sum"), word("sublayer")


def _sublayer(name: str) -> str:
    return "FFN" if ".feed_forward_" in name else r"\mathrm{MultiHead}"


def _normalized(name: str, config: RunConfig) -> TapDocument:
    m = config.model
    pre = m.norm_position == "pre"
    what = "Each vector" if pre else "Each vector of the sum" if m.residual else "Each vector of the sublayer's output"
    inner = "x" if pre else f"{'x + ' * m.residual}{_sublayer(name)}(x)"
    return TapDocument(
        "LayerNorm",
        f"{what} is normalized to mean 0 and variance 1, then scaled{' and shifted' * m.bias} by trained numbers.",
        norm_of(inner, config),
        (XIONG if pre else VASWANI.at("3.1") if m.residual else PROJECT.at("no residual connections"), BA),
        **layer_norm("normalized", config, of_x=pre, shared=pre and m.residual),  # the residual sum reads x too
        present=m.layer_norm,
    )


def _sum(name: str, config: RunConfig) -> TapDocument:
    m = config.model
    pre = m.norm_position == "pre" and m.layer_norm
    inner = r"\mathrm{LayerNorm}(x)" if pre else "x"
    return TapDocument(
        "Residual sum",
        "The output of the sublayer is added to its input, which passes by on the residual path.",
        f"x + {_sublayer(name)}({inner})",
        (XIONG if pre else VASWANI.at("3.1"),),
        Declaration(
            "sum[b, t, d] = x[b, t, d] + sublayer[b, t, d]",
            inputs="x[b, t, d] sublayer[b, t, d]",
            letters={_SUM: "sum", "x": "x", _SUBLAYER: "sublayer"},
        ),
        Rule(
            lines(handed("x", d(_SUM), shared=True), handed(_SUBLAYER, d(_SUM))),
            "A sum passes its whole gradient to each of its parts: the sublayer and the residual path.",
            {"x": "gradient[b, t, d]", "sublayer": "gradient[b, t, d]"},
        ),
        present=m.residual,
    )


TAPS: dict[tuple[str, str], TapEntry] = {("AddNorm", "normalized"): _normalized, ("AddNorm", "sum"): _sum}
