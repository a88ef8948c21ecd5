"""The table of formulas: one row for each operation of the model at hand, and what the paper's symbols are in it."""

from collections.abc import Iterator
from dataclasses import dataclass

from torch import Tensor

from playground.explain.inspection import Step, Walk
from playground.model.architecture import label, locate
from playground.model.task_model import TaskModel


@dataclass(frozen=True)
class Row:
    """One formula: an operation of the pass, and how often the pass has it."""

    step: Step
    repeated: int

    @property
    def owner(self) -> str:
        """Class and name of the tap: "ScaledDotProductAttention.weights"."""
        return f"{self.step.operation.owner}.{self.step.operation.tap}"


@dataclass(frozen=True)
class Symbol:
    """A symbol of the paper in the model at hand."""

    formula: str  # LaTeX
    meaning: str
    dims: str  # letters of its shape, with spaces; empty for a number
    value: tuple[int, ...]  # its shape, or the number itself
    where: str  # in the code


@dataclass(frozen=True)
class HeadTensors:
    """One head of an attention: head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)."""

    attention: str  # path of its MultiHeadAttention
    head: int  # from 0
    columns: slice  # of the weights
    projections: dict[str, Tensor]  # by letter Q, K, V: the head's columns of the weights, shape (D, K)
    output: Tensor  # shape (T, K)


def rows(walk: Walk) -> list[Row]:
    """Every formula once, at the operation that has it first; the same formula in other layers is counted."""
    by_formula: dict[tuple[str, str, str], list[Step]] = {}
    for step in walk.steps:
        operation = step.operation
        by_formula.setdefault((operation.owner, operation.tap, step.document.formula), []).append(step)
    return [Row(steps[0], len(steps)) for steps in by_formula.values()]


def attentions(walk: Walk) -> list[str]:
    """Paths of all multi-head attentions, in order of execution."""
    ending = ".attention.heads"
    return [step.name.removesuffix(ending) for step in walk.steps if step.name.endswith(ending)]


def head(walk: Walk, attention: str, index: int) -> HeadTensors:
    """Head `index`, from 0, of an attention. Raises KeyError and IndexError for one that the model does not have."""
    output = walk[f"{attention}.attention.heads"].value[0]
    if not 0 <= index < len(output):
        raise IndexError(f"Attention {attention} has {len(output)} heads.")
    width = output.size(-1)
    part = slice(index * width, (index + 1) * width)
    # A Linear keeps the transpose of the matrix in the formula.
    weights = {letter: walk.model.get_parameter(f"{attention}.w_{letter.lower()}.weight") for letter in "QKV"}
    return HeadTensors(
        attention, index, part, {name: weight.detach()[part].T for name, weight in weights.items()}, output[index]
    )


def symbols(walk: Walk) -> Iterator[Symbol]:
    """The symbols of the paper in the order in which it introduces them."""
    model, config = walk.model, walk.model.config.model
    attention = attentions(walk)[-1]
    width = config.d_model // config.n_heads
    yield Symbol("N", "Number of layers in each stack", "", (config.n_layers,), "ModelConfig.n_layers")
    yield Symbol(r"d_{\text{model}}", "Width of the vectors; D in shapes", "", (config.d_model,), "ModelConfig.d_model")
    for letter, tap in (("Q", "query"), ("K", "key"), ("V", "value")):
        step = walk[f"{attention}.attention.{tap}"]
        what = {"Q": "Queries", "K": "Keys", "V": "Values"}[letter]
        meaning = f"{what} of all heads, in the last {label(locate(attention).sublayer)}"
        yield Symbol(letter, meaning, " ".join(step.dims), tuple(step.value.shape), f"ScaledDotProductAttention.{tap}")
    yield Symbol("h", "Number of heads; H in shapes", "", (config.n_heads,), "ModelConfig.n_heads")
    yield Symbol("d_k = d_v", "Width of one head; K in shapes", "", (width,), "ModelConfig.d_model // n_heads")
    for letter, word in (("Q", "queries"), ("K", "keys"), ("V", "values")):
        yield Symbol(
            f"W_i^{letter}",
            f"Projection to the {word} of head i: its rows of the weight, transposed",
            "D K",
            (config.d_model, width),
            f"MultiHeadAttention.w_{letter.lower()}.weight",
        )
    step = walk[f"{attention}.attention.heads"]
    yield Symbol(
        r"\mathrm{head}_i",
        "Output of head i",
        " ".join(step.dims[2:]),
        tuple(step.value.shape[2:]),
        "ScaledDotProductAttention.heads",
    )
    d = config.d_model
    yield Symbol("W^O", "Output projection", "D D", (d, d), "MultiHeadAttention.w_o.weight")
    yield Symbol(
        r"d_{ff}", "Hidden width of the feed-forward network; F in shapes", "", (config.d_ff,), "ModelConfig.d_ff"
    )
    if (table := position_table(model)) is not None:
        yield Symbol(
            r"\mathit{PE}",
            "Vector for each position",
            "position D",
            tuple(table.shape),
            "PositionalEncoding.table",
        )
    masked = walk[f"{attention}.attention.masked_scores"]
    yield Symbol(
        "M",
        "Mask, 0 or minus infinity; instead of adding it, the code sets masked scores to minus infinity",
        " ".join(masked.dims[2:]),
        tuple(masked.value.shape[2:]),
        "ScaledDotProductAttention.masked_scores",
    )


def position_table(model: TaskModel) -> Tensor | None:
    """The table of position vectors, shape (longest, D); None for a model without."""
    stack = model.encoder or model.decoder
    assert stack
    positions = stack.embeddings.positions
    return None if positions is None else positions.table
