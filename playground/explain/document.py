"""The document of a tap: title, sentence, formula, source, cell, backward rule and finding of one operation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from torch import Tensor

from playground.explain.declaration import Declaration
from playground.explain.latex import d
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.tasks.batches import Batch


@dataclass(frozen=True)
class Citation:
    """Where a formula comes from."""

    paper: str  # authors and year
    arxiv: str = ""
    section: str = ""

    def at(self, section: str) -> "Citation":
        """A part of this paper: a section, and the equation or table there."""
        return replace(self, section=section)

    @property
    def url(self) -> str:
        """The paper on arXiv; "" where there is none."""
        return f"https://arxiv.org/abs/{self.arxiv}" if self.arxiv else ""

    def __str__(self) -> str:
        part = f"§ {self.section}" if self.section[:1].isdigit() else self.section
        return ", ".join(filter(None, (self.paper, part)))


VASWANI = Citation("Vaswani et al. 2017", "1706.03762")
BA = Citation("Ba et al. 2016", "1607.06450").at("3 (there without ε)")
HENDRYCKS = Citation("Hendrycks & Gimpel 2016", "1606.08415").at("2")
SZEGEDY = Citation("Szegedy et al. 2016", "1512.00567").at("7")
SU = Citation("Su et al. 2021", "2104.09864").at("3.4.2, eq. 34")
GEHRING = Citation("Gehring et al. 2017", "1705.03122").at("3.1")
LIU = Citation("Liu et al. 2018", "1801.10198").at("4.2.3")
XIONG = Citation("Xiong et al. 2020", "2002.04745").at("table 1")
ZHANG = Citation("Zhang & Sennrich 2019", "1910.07467").at("4, eq. 4 (there without ε)")
SHAZEER_GLU = Citation("Shazeer 2020", "2002.05202")
MULTI_QUERY = Citation("Shazeer 2019", "1911.02150").at("3")
AINSLIE = Citation("Ainslie et al. 2023", "2305.13245").at("2.2")
DEEPSEEK_V2 = Citation("DeepSeek-AI 2024 (V2)", "2405.04434")
DEEPSEEK_V3 = Citation("DeepSeek-AI 2024 (V3)", "2412.19437")
HENRY = Citation("Henry et al. 2020", "2010.04245").at("abstract")
GEMMA_2 = Citation("Gemma Team 2024", "2408.00118").at("2")
BELTAGY = Citation("Beltagy et al. 2020", "2004.05150").at("3.1")
SHAZEER_MOE = Citation("Shazeer et al. 2017", "1701.06538")
FEDUS = Citation("Fedus et al. 2021", "2101.03961")
PROJECT = Citation("This project")
PADDING = PROJECT.at("padding mask")


@dataclass(frozen=True)
class Rule:
    """How the gradient passes backwards through one operation, in the symbols of its formula.

    A tensor that several operations read gets the sum of their gradients: its formula has += instead of =.
    """

    formula: str  # LaTeX
    sentence: str
    cells: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What something that is read gets, by its name in `TapDocument.cell`: the right side of `Declaration.backward`."""


NOTHING = r"\text{no gradient}"
"""Formula of the taps that no gradient reaches."""


def no_gradient(why: str) -> Rule:
    """The rule of a tap that no gradient reaches; `why` is a clause that ends the sentence."""
    return Rule(NOTHING, f"No gradient: {why}")


class Reading(Protocol):
    """The part of a forward pass (`inspection.Walk`) that findings read."""

    @property
    def model(self) -> TaskModel: ...
    @property
    def batch(self) -> Batch: ...
    @property
    def tokens(self) -> Mapping[str, list[str]]: ...
    @property
    def predicted(self) -> list[int]: ...
    @property
    def next_token(self) -> int | None: ...
    @property
    def next_probability(self) -> float | None: ...


@dataclass(frozen=True)
class TapDocument:
    """The meaning of one tap in a model of given settings.

    Indices in formulas count from 1: t (queries), s (keys), h (heads), k (columns of a head). Token ids and, as in the
    paper, the pos and 2i of sinusoidal positions count from 0. No symbol has two meanings; x is what the operation
    reads, and a word such as "masked" or "output" is the tap of this name.
    """

    title: str
    sentence: str
    formula: str  # LaTeX
    sources: tuple[Citation, ...]  # of the formula
    cell: Declaration
    backward: Rule
    finding: Callable[[Reading, str, Tensor], str] | None = None  # of the pass, the full name and the value
    present: bool = True  # whether such a model has the tap

    @property
    def letters(self) -> Mapping[str, str]:
        """Names by their symbols in both formulas: this tap, or something that `cell` reads, by its name there.

        A symbol that is not listed has its meaning from the nearest document before.
        """
        return self.cell.letters


TapEntry = TapDocument | Callable[[str, RunConfig], TapDocument]
"""A document, or what makes it for the full name of a tap and the settings."""


# --- parts of formulas ----------------------------------------------------------------------------


def handed(to: str, what: str, *, shared: bool = False) -> str:
    """One gradient that an operation hands back, as LaTeX; `shared` where others add to it."""
    sign = r"\mathrel{+}=" if shared else "="
    return f"{d(to)} {sign} {what}"


def lines(*clauses: str) -> str:
    """LaTeX formulas, one below the other."""
    return clauses[0] if len(clauses) == 1 else r"\begin{gathered} " + r" \\[4pt] ".join(clauses) + r" \end{gathered}"


def goes_past(config: RunConfig) -> bool:
    """True if the residual sum reads the input of the sublayer too."""
    m = config.model
    return m.residual and not (m.layer_norm and m.norm_position == "pre")


# --- operations that occur several times ----------------------------------------------------------


def linear(
    name: str,
    letters: str,
    sentence: str,
    *,
    bias: bool,
    width: str = "D",
    inner: str = "D",
    at: str = "t",
    shared: bool = False,
    table: bool = False,
) -> dict[str, Any]:
    """Cell and backward rule of the linear layer `letters`: "X W^Q b^Q Q" for Q = X W^Q + b^Q.

    `at` is the index of its positions. The rule has the `sentence`, and is `shared` if other operations read the input
    too. If the weight is a `table` that others read, with a row for each output, the layer is Q = X W^T.
    """
    column = width.lower()
    read, w, b, y = letters.split()
    if table:
        to_input, trained = rf"{d(y)}\,{w}", handed(w, rf"\left({d(y)}\right)^{{\!\top}} {read}", shared=True)
    else:
        to_input, trained = rf"{d(y)}\,{{{w}}}^\top", handed(w, rf"{{{read}}}^\top {d(y)}")
    if bias:
        trained += r",\quad " + handed(b, rf"\sum_t {d(y + '_t')}")
    return {
        "cell": Declaration(
            f"{name}[b, {at}, {column}] = sum(x[b, {at}, j] * weight[{column}, j] for j in {inner})"
            + f" + bias[{column}]" * bias,
            inputs=f"x[b, {at}, {inner.lower()}]",
            parameters=f"weight[{column}, {inner.lower()}]" + f" bias[{column}]" * bias,
            letters={y: name, read: "x", w: "weight", b: "bias"},
            transposed="" if table else "weight",  # torch keeps as weight[d, i] what x W has in row i, column d
        ),
        "backward": Rule(
            lines(handed(read, to_input, shared=shared), trained),
            sentence,
            {"x": f"sum(gradient[b, {at}, j] * weight[j, {inner.lower()}] for j in {width})"},
        ),
    }
