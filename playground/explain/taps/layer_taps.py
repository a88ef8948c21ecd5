"""The taps around each sublayer: section 3.1 of Vaswani et al. 2017, pre-norm as in Xiong et al. 2020."""

from playground.explain.declaration import Declaration
from playground.explain.document import PROJECT, VASWANI, XIONG, Rule, TapDocument, TapEntry, handed, lines
from playground.explain.latex import d, word
from playground.explain.norm_documents import norm_formula, norm_parts, norm_sentence, norm_source, norm_title
from playground.settings.config import RunConfig

_SUM, _SUBLAYER = word("sum"), word("sublayer")


def _sublayer(name: str, config: RunConfig) -> str:
    if ".feed_forward_" not in name:
        return r"\mathrm{MultiHead}"
    return "FFN" if config.model.feed_forward == "dense" else r"\mathrm{MoE}"


def _normalized(name: str, config: RunConfig) -> TapDocument:
    m = config.model
    pre = m.norm_position == "pre"
    what = "Each vector" if pre else "Each vector of the sum" if m.residual else "Each vector of the sublayer's output"
    inner = "x" if pre else f"{'x + ' * m.residual}{_sublayer(name, config)}(x)"
    return TapDocument(
        norm_title(m),
        norm_sentence(what, m),
        norm_formula(inner, m),
        (XIONG if pre else VASWANI.at("3.1") if m.residual else PROJECT.at("no residual connections"), norm_source(m)),
        **norm_parts("normalized", config, of_x=pre, shared=pre and m.residual),  # the residual sum reads x too
        present=m.layer_norm,
    )


def _sum(name: str, config: RunConfig) -> TapDocument:
    m = config.model
    pre = m.norm_position == "pre" and m.layer_norm
    inner = f"{word(norm_title(m))}(x)" if pre else "x"
    return TapDocument(
        "Residual sum",
        "The output of the sublayer is added to its input, which passes by on the residual path.",
        f"x + {_sublayer(name, config)}({inner})",
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
