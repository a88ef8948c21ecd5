"""Lesson "Multi-head attention"."""

from collections.abc import Mapping
from functools import lru_cache

import torch
from torch import Tensor

from playground.lessons.formula_table import head
from playground.lessons.live.reversing_model import CROSS, HEADS, INPUTS, MODEL, batch_of, input_of, read
from playground.lessons.live_parts import Numbers, OperationLink, Output, Slider, Table, live, pass_of, shipped, shown
from playground.tasks import decode, task_of

SELF = "encoder.layers.0.self_attention"
KINDS = ("queries", "keys", "values")


@lru_cache(maxsize=len(INPUTS))
def _seen(text: str) -> dict[str, Tensor]:
    return read(batch_of(text))


def _sizes() -> tuple[int, int, int]:
    """D, H and K of the model."""
    model = shipped(MODEL).config.model
    return model.d_model, model.n_heads, model.d_model // model.n_heads


def _copied_from(text: str) -> list[int]:
    """The input position, from 0, that each symbol of the answer is copied from."""
    task = task_of(shipped(MODEL).config.task)
    return [positions.copy().pop() for positions in task.copied_from(task.encode(text))]


def _on_copied(text: str) -> Tensor:
    """Weight of each head on the position to copy from, for each symbol of the answer, shape (H, symbols)."""
    copied = _copied_from(text)
    return _seen(text)[f"{CROSS}.attention.weights"][0][:, range(len(copied)), copied]


@lru_cache(maxsize=len(INPUTS))
def _wrong(text: str) -> tuple[list[int], list[int], int]:
    """Wrong tokens with each head alone, wrong tokens without each head, and the number of tokens."""
    batch = batch_of(text)
    heads = _sizes()[1]
    kept = torch.cat([torch.eye(heads), 1 - torch.eye(heads)])  # one row of a batch for each trial
    many = batch._replace(
        **{
            name: tensor.expand(2 * heads, -1)
            for name, tensor in batch._asdict().items()
            if tensor is not None and tensor.dim() == 2
        }
    )
    logits = read(many, {f"{CROSS}.attention.heads": lambda result: result * kept[:, :, None, None]})["logits"]
    wrong = (logits.argmax(-1) != _seen(text)["logits"].argmax(-1)).sum(1).tolist()
    return wrong[:heads], wrong[heads:], logits.size(1)


def _parts(text: str) -> tuple[Tensor, Tensor]:
    """Each head times its rows of W^O, shape (H, T, D), and the bias (D)."""
    results = _seen(text)[f"{CROSS}.attention.heads"][0]
    weight = shipped(MODEL).get_parameter(f"{CROSS}.w_o.weight").detach()  # a Linear keeps the transpose
    rows = weight.T.unflatten(0, (len(results), -1))
    return results @ rows, shipped(MODEL).get_parameter(f"{CROSS}.w_o.bias").detach()


def _number(text: str, row: int) -> int:
    """The largest number of the output in a row, from 0."""
    return int(_seen(text)[f"{CROSS}.output"][0, row].abs().argmax())


def _row(seed: int) -> int:
    """A row of the answer, from 0, away from the middle, where both directions give the same position."""
    return (0, 1, 3)[seed % 3]


def _combined(text: str) -> tuple[Tensor, Tensor]:
    """Queries, keys and values of self-attention side by side: of the model, and of one combined matrix."""
    seen, model = _seen(text), shipped(MODEL)
    names = [f"{SELF}.w_{letter}" for letter in "qkv"]
    weight = torch.cat([model.get_parameter(f"{name}.weight") for name in names]).detach()
    bias = torch.cat([model.get_parameter(f"{name}.bias") for name in names]).detach()
    x = seen["encoder.layers.0.self_attention_add_norm.normalized"][0]
    separate = [seen[f"{SELF}.{kind}_projection"][0] for kind in ("query", "key", "value")]
    return torch.cat(separate, -1), torch.nn.functional.linear(x, weight, bias)


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    d_model, heads, width = _sizes()
    text, row, asked, kind = input_of(seed), _row(seed), 2 + seed % 3, 1 + seed % 2
    seen = _seen(text)
    weights = seen[f"{CROSS}.attention.weights"][0]
    on_copied = _on_copied(text)
    alone, missing, tokens = _wrong(text)
    worst = alone.index(max(alone))
    parts, bias = _parts(text)
    output = seen[f"{CROSS}.output"][0]
    number = _number(text, row)
    copied = _copied_from(text)
    return {
        "d_model": d_model,
        "heads": heads,
        "width": width,
        "asked": asked,
        "begins": (asked - 1) * width,
        "ends": asked * width - 1,
        "text": text,
        "row": row + 1,
        "position": int(weights[0, row].argmax()) + 1,
        "hits": sum(int(weights[0, query].argmax()) == position for query, position in enumerate(copied)),
        "rows": len(copied),
        "row_sums": ", ".join(f"{total:.2f}" for total in weights[:, row].sum(-1).tolist()),
        "worst": HEADS[worst],
        "most_wrong": alone[worst],
        "tokens": tokens,
        "worst_weight": float(on_copied[worst].mean()),
        "missing_wrong": max(missing),
        "combined": 3 * d_model,
        "kind": KINDS[kind],
        "kind_offset": kind * d_model,
        "combined_begins": kind * d_model + (asked - 1) * width,
        "number": number,
        "output": float(output[row, number]),
        "sum": float(parts[:, row, number].sum() + bias[number]),
        "difference": float((parts.sum(0) + bias - output).abs().max()),
    }


@live(index=Slider("Head", 1, len(HEADS), 1))
def one_head(seed: int, index: int) -> list[Output]:
    """A head's columns of the weights, and its result."""
    tensors = head(pass_of(MODEL, input_of(seed)), CROSS, index - 1)
    matrices = [
        Numbers(f"Head {index}: W^{letter}", part.weights, ("D", "K")) for letter, part in tensors.projections.items()
    ]
    tokens, width = tensors.output.shape
    rows, columns = [str(row + 1) for row in range(tokens)], [str(column) for column in range(width)]
    return [*matrices, Numbers(f"Head {index}: result", tensors.output, ("T", "K"), rows, columns)]


@live()
def weights(seed: int) -> list[Output]:
    """Cross-attention weights of all heads."""
    text = input_of(seed)
    task = shipped(MODEL).config.task
    batch = batch_of(text)
    assert batch.target is not None
    rows = [f"{position + 1}: {token}" for position, token in enumerate(decode(batch.target[0].tolist(), task))]
    columns = [f"{position + 1}: {token}" for position, token in enumerate(text.split())]
    by_head = _seen(text)[f"{CROSS}.attention.weights"][0]
    return [
        Numbers("Weights", by_head, ("H", "T", "S"), rows, columns, "probability", names=HEADS),
        OperationLink(MODEL, text, f"{CROSS}.attention.weights"),
    ]


@live()
def mirror(seed: int) -> list[Output]:
    """Mean weight of each head on the position to copy from."""
    rows = [
        (name, f"{float(weight.mean()):.2f}") for name, weight in zip(HEADS, _on_copied(input_of(seed)), strict=True)
    ]
    return [Table(("Head", "Mean weight on the position to copy"), rows)]


@live()
def alone(seed: int) -> list[Output]:
    """Wrong tokens with one head alone and without one head."""
    only, missing, tokens = _wrong(input_of(seed))
    rows = [(name, str(one), str(other)) for name, one, other in zip(HEADS, only, missing, strict=True)]
    return [Table(("Head", f"Wrong of {tokens} tokens with this head alone", "Wrong without this head"), rows)]


@live()
def combined(seed: int) -> list[Output]:
    """Both ways to project, and how much they differ."""
    separate, together = _combined(input_of(seed))
    _, heads, width = _sizes()
    starts = [
        (f"Head {head + 1}", *(str(kind * heads * width + head * width) for kind in range(len(KINDS))))
        for head in range(heads)
    ]
    return [
        Table(("First column", "Queries", "Keys", "Values"), starts),
        Numbers("Three multiplications", separate, ("S", "3D")),
        Numbers("One multiplication", together, ("S", "3D")),
        Table(("", "Largest difference"), [("both results", f"{float((separate - together).abs().max()):.0e}")]),
    ]


def _table_of_parts(text: str, row: int, number: int) -> Table:
    parts, bias = _parts(text)
    values = [*parts[:, row, number].tolist(), float(bias[number])]
    return Table(("Part", "Value"), list(zip((*HEADS, "Bias"), map(shown, values), strict=True)))


@live()
def parts(seed: int) -> list[Output]:
    """The parts of one number."""
    text, row = input_of(seed), _row(seed)
    return [_table_of_parts(text, row, _number(text, row))]


@live(
    row=Slider("Row", 1, 6, lambda seed: _row(seed) + 1),
    number=Slider("Column of the output", 0, 63, lambda seed: _number(input_of(seed), _row(seed))),
)
def sum_of_parts(seed: int, row: int, number: int) -> list[Output]:
    """Parts of any number, and all parts as pictures."""
    text = input_of(seed)
    parts, bias = _parts(text)
    output = _seen(text)[f"{CROSS}.output"][0]
    total = float(parts[:, row - 1, number].sum() + bias[number])
    row_of_sums = [shown(value, 4) for value in (total, float(output[row - 1, number]))]
    return [
        _table_of_parts(text, row - 1, number),
        Table(("Sum of the parts", "Output of the model"), [row_of_sums]),
        Numbers("Parts", parts, ("H", "T", "D"), names=HEADS),
        Numbers("Output", output, ("T", "D")),
    ]
