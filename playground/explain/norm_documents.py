"""What the documents of norms share: LayerNorm or RMSNorm, as the settings say."""

from typing import Any

from playground.explain.declaration import Declaration
from playground.explain.document import BA, ZHANG, Citation, Rule, handed, lines
from playground.explain.latex import d, word
from playground.settings.config import ModelConfig, RunConfig

TITLES = {"layer_norm": "LayerNorm", "rms_norm": "RMSNorm"}
_SOURCES = {"layer_norm": BA, "rms_norm": ZHANG}
_ROOTS = {"layer_norm": r"\sqrt{\sigma^2+\epsilon}", "rms_norm": r"\sqrt{\frac{1}{D}\sum_j u_j^2+\epsilon}"}
"""What a vector u is divided by."""


def norm_title(model: ModelConfig) -> str:
    """The name of the norm."""
    return TITLES[model.norm]


def norm_source(model: ModelConfig) -> Citation:
    """The paper of the norm."""
    return _SOURCES[model.norm]


def norm_sentence(what: str, model: ModelConfig) -> str:
    """What the norm does with `what`, the subject of the sentence."""
    if model.norm == "rms_norm":
        return f"{what} is divided by its root mean square, then scaled by trained numbers. No mean is subtracted."
    shifted = " and shifted" * model.bias
    return f"{what} is normalized to mean 0 and variance 1, then scaled{shifted} by trained numbers."


def norm_formula(inner: str, model: ModelConfig) -> str:
    """The norm of `inner` and its definition, as LaTeX."""
    called, centre = word(norm_title(model)), r"-\mu" * (model.norm == "layer_norm")
    definition = rf"\frac{{u{centre}}}{{{_ROOTS[model.norm]}}}\odot\gamma" + r"+\beta" * _has_bias(model)
    return rf"{called}({inner}),\quad {called}(u) = {definition}"


def norm_parts(name: str, config: RunConfig, *, of_x: bool, shared: bool = False) -> dict[str, Any]:
    """Cell and backward rule of the tap `name`, the norm of u, where u is x or else a sum.

    The rule is `shared` if other operations read u too.
    """
    model, out = config.model, word(name)
    bias, root = _has_bias(model), _ROOTS[model.norm]
    centred = model.norm == "layer_norm"
    mean = r" - \frac{1}{D}\sum_j g_j" * centred
    back = rf"\frac{{1}}{{{root}}}\left(g{mean} - \hat{{u}}\,\frac{{1}}{{D}}\sum_j g_j \hat{{u}}_j\right)"
    centre = r"-\mu" * centred
    terms = rf"g = {d(out)} \odot \gamma,\quad \hat{{u}} = \frac{{u{centre}}}{{{root}}}"
    trained = handed(r"\gamma", rf"\sum_t {d(out + '_t')} \odot \hat{{u}}_t")
    if bias:
        trained += r",\quad " + handed(r"\beta", rf"\sum_t {d(out + '_t')}")
    return {
        "cell": Declaration(
            (_LAYER_NORM if centred else _RMS_NORM).format(name=name) + " + bias[d]" * bias,
            inputs="x[b, t, d]",
            parameters="weight[d]" + " bias[d]" * bias,
            letters={out: name, "u": "x", r"\gamma": "weight", r"\beta": "bias"} | ({"x": "x"} if of_x else {}),
        ),
        "backward": Rule(
            lines(handed("u", back, shared=shared), terms, trained),
            _LAYER_NORM_BACK if centred else _RMS_NORM_BACK,
            {"x": _LAYER_NORM_RULE if centred else _RMS_NORM_RULE},
        ),
    }


def _has_bias(model: ModelConfig) -> bool:
    return model.bias and model.norm == "layer_norm"


_LAYER_NORM = """mean = mean(x[b, t, j] for j in D)
variance = mean((x[b, t, j] - mean) ** 2 for j in D)
{name}[b, t, d] = (x[b, t, d] - mean) / sqrt(variance + eps) * weight[d]"""
_LAYER_NORM_BACK = (
    "The parts of the gradient that would only shift or stretch the vector are removed, since the norm undoes "
    "them. The rest is divided by the standard deviation."
)
_LAYER_NORM_RULE = """mean = mean(x[b, t, j] for j in D)
deviation = sqrt(mean((x[b, t, j] - mean) ** 2 for j in D) + eps)
shift = mean(gradient[b, t, j] * weight[j] for j in D)
stretch = mean(gradient[b, t, j] * weight[j] * (x[b, t, j] - mean) / deviation for j in D)
(gradient[b, t, d] * weight[d] - shift - (x[b, t, d] - mean) / deviation * stretch) / deviation"""

_RMS_NORM = """squares = mean(x[b, t, j] ** 2 for j in D)
{name}[b, t, d] = x[b, t, d] / sqrt(squares + eps) * weight[d]"""
_RMS_NORM_BACK = (
    "The part of the gradient that would only stretch the vector is removed, since the norm undoes it. The rest is "
    "divided by the root mean square."
)
_RMS_NORM_RULE = """root = sqrt(mean(x[b, t, j] ** 2 for j in D) + eps)
stretch = mean(gradient[b, t, j] * weight[j] * x[b, t, j] / root for j in D)
(gradient[b, t, d] * weight[d] - x[b, t, d] / root * stretch) / root"""
