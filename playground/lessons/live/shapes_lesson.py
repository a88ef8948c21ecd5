"""Lesson "Batches, heads and shapes"."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from playground.lessons.live_parts import Choice, Numbers, Output, Strip, Table, live
from playground.lessons.mistakes.classes import HeadsWithoutTranspose
from playground.model.attention import MultiHeadAttention
from playground.settings.config import ModelConfig

B, T, D, H, K = 2, 3, 4, 2, 2
STEPS: dict[str, tuple[str, Callable[[Tensor], Tensor]]] = {
    "x": ("x", lambda x: x),
    "Split": ("x.unflatten(2, (2, 2))", lambda x: x.unflatten(2, (H, K))),
    "Transpose": ("x.unflatten(2, (2, 2)).transpose(1, 2)", lambda x: _attention().split(x)),
    "Contiguous": (
        "x.unflatten(2, (2, 2)).transpose(1, 2).contiguous()",
        lambda x: _attention().split(x).contiguous(),
    ),
}
CALLS: dict[str, tuple[Callable[[Tensor], Tensor], str]] = {
    "h.view(4, 3, 2)": (
        lambda h: h.view(4, 3, 2),
        "Batch and heads can be joined only if the stride of the batch is 2 times that of the heads.",
    ),
    "h.view(2, 6, 2)": (
        lambda h: h.view(2, 6, 2),
        "Heads and tokens can be joined only if the stride of the heads is 3 times that of the tokens.",
    ),
    "h.view(2, 2, 6)": (
        lambda h: h.view(2, 2, 6),
        "A token has 2 numbers in a head; the next token is 4 numbers further, so they can't be joined.",
    ),
    "h.reshape(2, 2, 6)": (lambda h: h.reshape(2, 2, 6), ""),
    "h.contiguous().view(2, 2, 6)": (lambda h: h.contiguous().view(2, 2, 6), ""),
    "h.view(2, 2, 3, 2)": (lambda h: h.view(2, 2, 3, 2), ""),
    "h.transpose(1, 2).view(2, 3, 4)": (lambda h: h.transpose(1, 2).view(2, 3, 4), ""),
}
ASKED = (
    ("h.view(2, 6, 2)", "h.reshape(2, 2, 6)", "h.transpose(1, 2).view(2, 3, 4)"),
    ("h.contiguous().view(2, 2, 6)", "h.view(2, 2, 6)", "h.view(2, 2, 3, 2)"),
    ("h.transpose(1, 2).view(2, 3, 4)", "h.reshape(2, 2, 6)", "h.view(2, 2, 6)"),
    ("h.view(2, 6, 2)", "h.view(2, 2, 3, 2)", "h.contiguous().view(2, 2, 6)"),
)
"""Calls to choose from; which of them are refused is found by trying."""


def _x() -> Tensor:
    """Numbers that equal their addresses, shape (B, T, D)."""
    return torch.arange(B * T * D).view(B, T, D)


def _attention() -> MultiHeadAttention:
    """The model's attention without weights, for the way in which it splits."""
    with torch.device("meta"):
        return MultiHeadAttention(ModelConfig(d_model=D, n_heads=H, d_ff=1))


def _wrong() -> MultiHeadAttention:
    wrong = _attention()
    wrong.__class__ = HeadsWithoutTranspose
    return wrong


def _error(call: str) -> str:
    """PyTorch's error message for a call on the transposed tensor; empty if it works."""
    try:
        CALLS[call][0](_attention().split(_x()))
    except RuntimeError as error:
        return str(error)
    return ""


def _shape(shape: tuple[int, ...] | torch.Size) -> str:
    return f"({', '.join(map(str, shape))})"


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    x, heads, wrong = _x(), _attention().split(_x()), _wrong().split(_x())
    b, t, d = 1, seed % T, (seed + 1) % D
    nth = 3 + seed % 3  # where the reading order has jumped, in the first head
    asked = ASKED[seed % len(ASKED)]
    (refused,) = (call for call in asked if _error(call))
    h, position = [(0, 1), (0, 2), (1, 0), (1, 1)][seed % 4]
    key = torch.empty(B, H, 3 + seed % 3, 8)
    rotated = key.permute(1, 2, 3, 0).shape
    joined = heads.transpose(1, 2).flatten(2)
    return {
        "b": b,
        "t": t,
        "d": d,
        "address": int(x[b, t, d]),
        "stride_b": x.stride(0),
        "stride_t": x.stride(1),
        "stride_d": x.stride(2),
        "strides": _shape(x.stride()),
        "nth": nth,
        "read": int(heads.flatten()[nth - 1]),
        "swapped_strides": _shape(heads.stride()),
        "call_1": asked[0],
        "call_2": asked[1],
        "call_3": asked[2],
        "refused": refused,
        "message": _error(refused),
        "refused_why": CALLS[refused][1],
        "wrong_h": h + 1,
        "wrong_t": position + 1,
        "wrong_from": f"Token {int(wrong[0, h, position, 0]) // D + 1}",
        "half": T * K,
        "tokens_seen": len({int(number) // D for number in wrong[0, 0].flatten()}),
        "key_shape": _shape(key.shape),
        "swapped": _shape(key.transpose(-2, -1).shape),
        "reversed": _shape(key.permute(3, 2, 1, 0).shape),
        "rotated": _shape(rotated),
        "joined": "The numbers of x in the same order"
        if torch.equal(joined, x)
        else "The numbers of x in the order of h",
    }


def _by_token(title: str, numbers: Tensor, name: str = "{sequence}, {token}") -> Strip:
    """A colour for each token of x; `name` is that of a box."""
    addresses = numbers.flatten().tolist()
    names = [
        name.format(
            sequence=f"b = {address // (T * D)}", token=f"token {address // D % T + 1}", position=index // K + 1
        )
        for index, address in enumerate(addresses)
    ]
    return Strip(title, [str(address) for address in addresses], names, [address // D for address in addresses])


def _by_head(title: str, numbers: Tensor) -> Strip:
    """A box and a colour for each head of a token of x."""
    addresses = numbers.flatten().tolist()
    names = [f"token {address // D % T + 1}, head {address % D // K + 1}" for address in addresses]
    return Strip(title, [str(address) for address in addresses], names, [address // K for address in addresses])


@live()
def memory(seed: int) -> list[Output]:
    """x and its memory."""
    names = [f"t = {position}" for position in range(T)]
    numbers = Numbers(
        "x", _x(), ("B", "T", "D"), names, "0123", digits=0, names=[f"b = {sequence}" for sequence in range(B)]
    )
    return [numbers, _by_token("Memory: a box for each token", _x())]


@live(step=Choice("Step", tuple(STEPS)))
def steps(seed: int, step: str) -> list[Output]:
    """Memory and reading order after a step."""
    code, make = STEPS[step]
    x = _x()
    made = make(x)
    shared = made.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    # What stands in memory, whatever shape and strides read it.
    stored = torch.as_strided(made, (made.numel(),), (1,), 0)
    axes = "(B, T, D)" if made.dim() == 3 else "(B, T, H, K)" if made.shape[1] == T else "(B, H, T, K)"
    rows = [
        ("Code", code),
        ("Shape", f"{axes} = {_shape(made.shape)}"),
        ("Strides", _shape(made.stride())),
        ("Contiguous", "yes" if made.is_contiguous() else "no"),
        ("Memory", "shared with x" if shared else "a copy"),
    ]
    return [
        Table(("Step", step), rows),
        _by_head("In memory: a box for each head of a token", stored),
        _by_head("In the order of the indices", made),
    ]


@live()
def calls(seed: int) -> list[Output]:
    """The result of each call on the transposed tensor."""
    heads = _attention().split(_x())
    rows = []
    for call, (function, _) in CALLS.items():
        if _error(call):
            rows.append((call, "error", ""))
        else:
            made = function(heads)
            copied = made.untyped_storage().data_ptr() != heads.untyped_storage().data_ptr()
            rows.append((call, _shape(made.shape), "a copy" if copied else "no copy"))
    return [Table(("Call", "Shape", "Memory"), rows)]


@live(sequence=Choice("Sequence", ("b = 0", "b = 1")))
def splits(seed: int, sequence: str) -> list[Output]:
    """The right and the wrong split, head by head."""
    chosen = int(sequence[-1])
    return [
        output
        for title, made in (("With transpose", _attention().split(_x())), ("Without transpose", _wrong().split(_x())))
        for output in (
            _by_token(f"{title}, head {head + 1}", made[chosen, head], "position {position}: {token}")
            for head in range(H)
        )
    ]


@live()
def transposes(seed: int) -> list[Output]:
    """Shapes and scores of both."""
    query, key = torch.empty(B, H, 5, 8), torch.empty(B, H, 3 + seed % 3, 8)
    rows = []
    # The permutation is what `.T` does; `.T` itself would warn.
    for name, other in (("k.transpose(-2, -1)", key.transpose(-2, -1)), ("k.T", key.permute(3, 2, 1, 0))):
        try:
            result = f"scores of shape {_shape((query @ other).shape)}"
        except RuntimeError:
            result = "error: the shapes don't fit"
        rows.append((name, _shape(other.shape), result))
    return [Table(("Code", "Shape", f"q @ it, with q of shape {_shape(query.shape)}"), rows)]


@live()
def joins(seed: int) -> list[Output]:
    """Three ways to join heads."""
    heads = _attention().split(_x())
    ways = {
        "h.transpose(1, 2).flatten(2)": heads.transpose(1, 2).flatten(2),
        "torch.cat([h[:, 0], h[:, 1]], -1)": torch.cat([heads[:, 0], heads[:, 1]], -1),
        "h.reshape(2, 3, 4), without transpose": heads.reshape(B, T, D),
    }
    return [
        _by_head(f"{way} {'equals' if torch.equal(made, _x()) else 'differs from'} x. Sequence b = 0:", made[0])
        for way, made in ways.items()
    ]
