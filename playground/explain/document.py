"""The document of a tap: everything that is told about one operation, in one place."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from torch import Tensor

from playground.batches import Batch
from playground.config import RunConfig
from playground.explain.declaration import Declaration
from playground.explain.mathml import Symbol
from playground.task_model import TaskModel


@dataclass(frozen=True)
class Source:
    """Where a formula comes from."""

    paper: str  # authors and year
    arxiv: str = ""
    section: str = ""

    def at(self, section: str) -> "Source":
        """A part of this paper: a section, and the equation or table there."""
        return replace(self, section=section)

    @property
    def url(self) -> str:
        """The paper on arXiv; "" where there is none."""
        return f"https://arxiv.org/abs/{self.arxiv}" if self.arxiv else ""

    def __str__(self) -> str:
        part = f"§ {self.section}" if self.section[:1].isdigit() else self.section
        return ", ".join(filter(None, (self.paper, part)))


VASWANI = Source("Vaswani et al. 2017", "1706.03762")
BA = Source("Ba et al. 2016", "1607.06450").at("3")
HENDRYCKS = Source("Hendrycks & Gimpel 2016", "1606.08415").at("2")
SZEGEDY = Source("Szegedy et al. 2016", "1512.00567").at("7")
GEHRING = Source("Gehring et al. 2017", "1705.03122").at("3.1")
LIU = Source("Liu et al. 2018", "1801.10198").at("4.2.3")
XIONG = Source("Xiong et al. 2020", "2002.04745").at("table 1")
PROJECT = Source("This project")


@dataclass(frozen=True)
class Rule:
    """How the gradient passes backwards through one operation, by the letters of its formula.

    What is read by several operations gets the sum of what they all hand back: a formula then has += instead of =.
    """

    formula: str  # LaTeX
    sentence: str


NOTHING = r"\text{nothing flows}"
"""Formula of the taps that no gradient reaches; their sentence says why."""


class Reading(Protocol):
    """What a finding may ask of a forward pass, which is an `inspection.Walk`."""

    @property
    def model(self) -> TaskModel: ...
    @property
    def batch(self) -> Batch: ...
    @property
    def tokens(self) -> Mapping[str, list[str]]: ...
    @property
    def said(self) -> list[int]: ...
    @property
    def next_token(self) -> int | None: ...
    @property
    def next_probability(self) -> float | None: ...


@dataclass(frozen=True)
class TapDocument:
    """What one tap means, in a model of given settings.

    Indices in formulas: t (queries), s (keys), h (heads) and k (columns of a head) count from 1, pos from 0.
    """

    title: str
    sentence: str
    formula: str  # LaTeX
    sources: tuple[Source, ...]  # of the formula
    cell: Declaration
    backward: Rule
    letters: Mapping[str, str]
    """What the letters of both formulas stand for: this tap, or something that `cell` reads, by its name there.

    A letter that is not listed means what it means in the nearest document before.
    """
    finding: Callable[[Reading, str, Tensor], str] | None = None  # of the pass, the full name and the value
    present: bool = True  # whether such a model has the tap


Entry = TapDocument | Callable[[str, RunConfig], TapDocument]
"""A document, or what makes it for the full name of a tap and the settings."""


# --- parts of formulas ----------------------------------------------------------------------------


def d(of: str) -> str:
    """The gradient of the loss at `of`, as LaTeX."""
    return rf"\frac{{\partial L}}{{\partial {of}}}"


def handed(to: str, what: str, *, shared: bool = False) -> str:
    """One gradient that an operation hands back, as LaTeX; `shared` where others add to it."""
    sign = r"\mathrel{+}=" if shared else "="
    return f"{d(to)} {sign} {what}"


def lines(*clauses: str) -> str:
    """LaTeX formulas, one below the other."""
    return clauses[0] if len(clauses) == 1 else r"\begin{gathered} " + r" \\[4pt] ".join(clauses) + r" \end{gathered}"


def goes_past(config: RunConfig) -> bool:
    """Whether what a sublayer reads also goes past it, to the residual sum."""
    m = config.model
    return m.residual and not (m.layer_norm and m.norm_position == "pre")


# --- operations that occur several times ----------------------------------------------------------


def linear(
    name: str,
    letters: str,
    config: RunConfig,
    sentence: str,
    *,
    width: str = "D",
    inner: str = "D",
    at: str = "t",
    x: str = "",
    symbol: str = "",
    shared: bool = False,
) -> dict[str, Any]:
    """Cell, backward rule and letters of the linear layer `letters`: "X W^Q b^Q Q" for Q = X W^Q + b^Q.

    `at` counts its positions; `x` and `symbol` are other names of input and output, for single cells. The rule has
    the `sentence`, and is `shared` if others read the input, too.
    """
    bias, j = config.model.bias, width.lower()
    read, w, b, y = letters.split()
    above = w[2:] if w.startswith("W^") else f"({w[2:]})" if w[2:] else ""
    trained = handed(w, rf"{{{read}}}^\top {d(y)}")
    if bias:
        trained += r",\quad " + handed(b, rf"\sum_t {d(y + '_t')}")
    return {
        "cell": Declaration(
            f"{name}[b, {at}, {j}] = sum(x[b, {at}, i] * weight[{j}, i] for i in {inner})" + f" + bias[{j}]" * bias,
            inputs=f"x[b, {at}, {inner.lower()}]",
            parameters=f"weight[{j}, {inner.lower()}]" + f" bias[{j}]" * bias,
            symbol=symbol or y,
            symbols={"x": Symbol(x or read), "weight": Symbol("W", above, flipped=True), "bias": Symbol("b", above)},
        ),
        "backward": Rule(lines(handed(read, rf"{d(y)}\,{{{w}}}^\top", shared=shared), trained), sentence),
        "letters": {y: name, read: "x", w: "weight", b: "bias"},
    }


def layer_norm(name: str, config: RunConfig, *, shared: bool = False) -> dict[str, Any]:
    """Cell, backward rule and letters of y = LayerNorm(z); the rule is `shared` if others read z, too."""
    bias = config.model.bias
    back = (
        r"\frac{1}{\sqrt{\sigma^2+\epsilon}}\left(g - \frac{1}{D}\sum_i g_i"
        r" - \hat{z}\,\frac{1}{D}\sum_i g_i \hat{z}_i\right)"
    )
    terms = rf"g = {d('y')} \odot \gamma,\quad \hat{{z}} = \frac{{z-\mu}}{{\sqrt{{\sigma^2+\epsilon}}}}"
    trained = handed(r"\gamma", rf"\sum_t {d('y_t')} \odot \hat{{z}}_t")
    if bias:
        trained += r",\quad " + handed(r"\beta", rf"\sum_t {d('y_t')}")
    return {
        "cell": Declaration(
            f"""mean = mean(x[b, t, i] for i in D)
            variance = mean((x[b, t, i] - mean) ** 2 for i in D)
            {name}[b, t, d] = (x[b, t, d] - mean) / sqrt(variance + eps) * weight[d]"""
            + " + bias[d]" * bias,
            inputs="x[b, t, d]",
            parameters="weight[d]" + " bias[d]" * bias,
            symbol="y",
            symbols={"weight": Symbol("γ"), "bias": Symbol("β")},
        ),
        "backward": Rule(
            lines(handed("z", back, shared=shared), terms, trained),
            "What would only shift or stretch a vector is taken out, since the norm undoes it, and the rest is divided "
            "by the vector's spread.",
        ),
        "letters": {"y": name, "z": "x", r"\gamma": "weight", r"\beta": "bias"},
    }


def normalized(inner: str, config: RunConfig) -> str:
    """LayerNorm of `inner` and its definition, as LaTeX."""
    definition = r"\frac{z-\mu}{\sqrt{\sigma^2+\epsilon}}\odot\gamma" + r"+\beta" * config.model.bias
    return rf"\mathrm{{LayerNorm}}({inner}),\quad \mathrm{{LayerNorm}}(z) = {definition}"
