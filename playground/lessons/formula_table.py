"""The table of formulas: one row for each operation of the model at hand, and what the paper's symbols are in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from torch import Tensor

from playground.explain.inspection import Step, Walk
from playground.model.architecture import architecture, label, locate
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
class Projection:
    """What a head uses of a linear layer of its attention."""

    letters: str  # above the W of the papers: "Q", "UK"
    of: int | None  # head of queries, or of keys, whose columns these are, from 0; None: all heads use the whole weight
    index: str  # symbol of this head
    weights: Tensor  # the columns, in the letters of `dims`
    dims: str

    @property
    def symbol(self) -> str:
        """LaTeX of any head's: head i of the queries, head g of the keys of grouped-query attention."""
        letters = self.letters if len(self.letters) == 1 else f"{{{self.letters}}}"
        return f"W^{letters}" if self.of is None else f"W_{self.index}^{letters}"

    @property
    def formula(self) -> str:
        """LaTeX of this head's."""
        return self.symbol if self.of is None else self.symbol.replace(f"_{self.index}", f"_{{{self.of + 1}}}")


@dataclass(frozen=True)
class HeadTensors:
    """One head of an attention: head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V), or that of a newer kind of attention."""

    attention: str  # path of its MultiHeadAttention
    head: int  # from 0
    formula: str  # LaTeX
    columns: slice  # of the queries' weights
    projections: dict[str, Projection]  # by letters
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
    projections = {each.letters: each for each in _projections(walk, attention, index)}
    formula = _head_formula(projections)
    return HeadTensors(attention, index, formula, slice(index * width, (index + 1) * width), projections, output[index])


_OF_A_HEAD = {"D": ("n_heads", "i", "K"), "M": ("n_kv_heads", "g", "K"), "U": ("n_heads", "i", "P")}
"""For the width of a result that is split into heads: the setting that counts them, its index, and a head's width."""


def _projections(walk: Walk, attention: str, index: int) -> Iterator[Projection]:
    """Of each linear layer before the scores, what head `index` uses."""
    config = walk.model.config.model
    (part,) = (part for part in architecture(config).find("MultiHeadAttention") if part.path == attention)
    for linear in part.parts:
        letters = linear.path.rpartition(".w_")[2].upper()
        if linear.kind == "Linear" and letters != "O":
            axes = linear.parameters["weight"]
            made, read = axes[0], axes[1]
            # A Linear keeps the transpose of the matrix in the formula.
            weights = walk.model.get_parameter(f"{linear.path}.weight").detach().T
            if made not in _OF_A_HEAD:
                yield Projection(letters, None, "", weights, read + made)
                continue
            counted, index_letter, letter = _OF_A_HEAD[made]
            heads = getattr(config, counted)
            of = index * heads // config.n_heads
            yield Projection(letters, of, index_letter, weights.chunk(heads, 1)[of], read + letter)


def _head_formula(projections: Mapping[str, Projection]) -> str:
    """The formula of a head with these projections."""
    if "DKV" not in projections:
        query, key, value = (projections[letter].symbol for letter in "QKV")
        return rf"\mathrm{{head}}_i = \mathrm{{Attention}}(Q {query}, K {key}, V {value})"
    query, key = "Q W_i^Q", "c\\,W_i^{UK}"
    if "QR" in projections:
        query, key = rf"[{query};\,\mathrm{{RoPE}}(Q W_i^{{QR}})]", rf"[{key};\,\mathrm{{RoPE}}(K W^{{KR}})]"
    return rf"\mathrm{{head}}_i = \mathrm{{Attention}}({query},\, {key},\, c\,W_i^{{UV}}),\quad c = K W^{{DKV}}"


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
    if config.attention == "grouped_query":
        yield Symbol("G", "Number of heads of keys and values", "", (config.n_kv_heads,), "ModelConfig.n_kv_heads")
    yield Symbol("d_k = d_v", "Width of one head; K in shapes", "", (width,), "ModelConfig.d_model // n_heads")
    owner = type(model.get_submodule(attention)).__name__
    for each in _projections(walk, attention, 0):
        whose = "all heads: the" if each.of is None else f"head {each.index}: its rows of the"
        meaning = f"Projection to {_MADE[each.letters]} of {whose} weight, transposed"
        yield Symbol(
            each.symbol,
            meaning,
            " ".join(each.dims),
            tuple(each.weights.shape),
            f"{owner}.w_{each.letters.lower()}.weight",
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


_MADE = {
    "Q": "the queries",
    "K": "the keys",
    "V": "the values",
    "DKV": "the compressed latent",
    "UK": "the keys from the latent",
    "UV": "the values from the latent",
    "QR": "the rotary part of the queries",
    "KR": "the rotary part of the keys",
}
"""What each linear layer of an attention makes, by its letters."""


def position_table(model: TaskModel) -> Tensor | None:
    """The table of position vectors, shape (longest, D); None for a model without."""
    stack = model.encoder or model.decoder
    assert stack
    positions = stack.embeddings.positions
    return None if positions is None else positions.table
