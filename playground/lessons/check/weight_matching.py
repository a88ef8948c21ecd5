"""Give the reference the student's weights, whatever the student calls them and however they are laid out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from playground.lessons.check.student_code import Sizes
from playground.model.attention import MultiHeadAttention
from playground.model.embeddings import PositionalEncoding
from playground.model.feed_forward import FeedForward
from playground.model.layers import DecoderLayer, EncoderLayer

KINDS = ("projection", "w_1", "w_2", "norm", "tokens", "positions", "head")


@dataclass(frozen=True)
class Leaf:
    """A weight with its bias, from the student's code."""

    name: str
    weight: Tensor
    bias: Tensor | None = None
    oriented: bool = False  # known to be (out, in), as in nn.Linear
    kind: str = ""
    role: str | None = None  # of a projection: q, k, v or o, where the name tells


@dataclass(frozen=True)
class Plan:
    """The choices that names and shapes leave open."""

    transposed: bool  # matrices that stand by themselves are (in, out), as in x @ W
    by_head: bool  # a combined matrix holds q, k, v of the first head first
    roles: tuple[int, ...]  # order of the projections of an attention
    norms: tuple[tuple[int, ...], tuple[int, ...]]  # order of the norms in a layer with two, and with three
    attentions: tuple[int, ...]  # order of self-attention and cross-attention


def collect(thing: Any) -> list[Leaf]:
    """Everything trainable of a module, or every array of an object without torch, in the order of declaration."""
    if not isinstance(thing, nn.Module):
        owners: dict[str, dict[str, Tensor]] = {}
        for path, value in _arrays(thing):
            owner, _, name = path.rpartition(".")
            owners.setdefault(owner, {})[name] = torch.as_tensor(value)
        return [leaf for owner, own in owners.items() for leaf in _pairs(owner, own)]
    leaves = []
    for path, owner in thing.named_modules(remove_duplicate=False):
        own = {name: value for name, value in owner.named_parameters(recurse=False) if value.requires_grad}
        if isinstance(owner, nn.MultiheadAttention):
            leaves.append(Leaf(f"{path}.in_proj", own["in_proj_weight"], own.get("in_proj_bias"), oriented=True))
        elif isinstance(owner, (nn.Linear, nn.Conv1d, nn.LayerNorm, nn.Embedding)):
            kind = "tokens" if isinstance(owner, nn.Embedding) else ""
            if "weight" in own:
                leaves.append(Leaf(path, own["weight"], own.get("bias"), oriented=True, kind=kind))
        else:
            leaves += _pairs(path, own)
    return leaves


def _arrays(thing: Any, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    items = enumerate(thing) if isinstance(thing, (list, tuple)) else vars(thing).items()
    for name, value in items:
        if isinstance(value, np.ndarray):
            yield f"{path}{name}", value
        elif isinstance(value, (list, tuple)) or hasattr(value, "__dict__"):
            yield from _arrays(value, f"{path}{name}.")


def _pairs(path: str, own: dict[str, Tensor]) -> list[Leaf]:
    """Matrices with their biases, and gains with theirs, of tensors that stand by themselves."""
    matrices = {name: value for name, value in own.items() if value.squeeze().ndim > 1}
    vectors = {name: value for name, value in own.items() if name not in matrices}
    leaves = []
    for name, value in matrices.items():
        partner = re.sub(r"weight|w", lambda match: {"w": "b"}.get(match[0], "bias"), name.lower())
        bias = next((other for other in vectors if other.lower() in (partner, f"{name.lower()}_bias")), None)
        leaves.append(Leaf(f"{path}.{name}", value, vectors.pop(bias) if bias else None))
    rest = sorted(vectors, key=lambda name: _trailing(name))
    for gain, shift in zip(rest[: len(rest) // 2], rest[len(rest) // 2 :]):
        leaves.append(Leaf(f"{path}.{gain}", vectors[gain].reshape(-1), vectors[shift].reshape(-1)))
    if len(rest) == 1:
        leaves.append(Leaf(f"{path}.{rest[0]}", vectors[rest[0]].reshape(-1)))
    return leaves


def _trailing(name: str) -> bool:
    return bool(re.search(r"(^|[_.\d])(b|bias|beta|shift|offset)", name.lower()))


def role(name: str) -> str | None:
    """The projection that a name means: q, k, v or o."""
    words = [word for word in re.split(r"[._\d]+", name.lower()) if word not in ("weight", "")]
    for word in reversed(words[-3:]):
        match = re.fullmatch(
            r"(?:w|to|fc|lin|linear|proj|in)?(q|k|v|o)(?:uery|ueries|eys?|alues?|ut|utput)?(?:proj|s)?", word
        )
        if match:
            return match[1]
    return None  # fmt: skip


def plans(leaves: list[Leaf], sizes: Sizes, whole: bool) -> Iterator[tuple[Plan, dict[str, list[Any]]]]:
    """Ways to understand the student's weights, the most likely first: by kind, projections grouped by attention."""
    raw = any(not leaf.oriented and leaf.weight.squeeze().ndim > 1 for leaf in leaves)
    combined = any(
        sizes.D in leaf.weight.shape and {2 * sizes.D, 3 * sizes.D} & {*leaf.weight.shape} for leaf in leaves
    )
    for transposed, by_head in product([True, False] if raw else [True], [False, True] if combined else [False]):
        by_kind = _by_kind(leaves, sizes, transposed, by_head, whole)
        if by_kind is None:
            continue
        named = 4 * sum(leaf.role is None for leaf in by_kind["projection"]) <= len(by_kind["projection"])
        orders: Any = [(0, 1, 2, 3)] if named or not by_kind["projection"] else permutations(range(4))
        many = len(by_kind["norm"]) > 1 and not whole  # the order of declaration, where there are many
        twos = list(permutations(range(2))) if many else [(0, 1)]
        threes = list(permutations(range(3))) if many else [(0, 1, 2)]
        pairs = [(0, 1), (1, 0)] if len(by_kind["projection"]) > 4 and not whole else [(0, 1)]
        for order, two, three, pair in product(orders, twos, threes, pairs):
            yield Plan(transposed, by_head, order, (two, three), pair), by_kind


def _by_kind(
    leaves: list[Leaf], sizes: Sizes, transposed: bool, by_head: bool, whole: bool
) -> dict[str, list[Leaf]] | None:
    """Leaves by kind, with matrices as (out, in) and combined ones taken apart; None if one fits no parameter."""
    by_kind: dict[str, list[Leaf]] = {kind: [] for kind in KINDS}
    if whole:  # the encoder comes first, wherever it is declared
        leaves = sorted(leaves, key=lambda leaf: bool(re.match(r"dec|(\w+\.)?decoder|tgt|trg|target", leaf.name)))
    pieces: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        parts = _taken_apart(leaf, sizes, transposed, by_head)
        if parts is None:
            return None
        for part in parts:
            if part.kind == "piece":
                pieces.setdefault(part.role or "?", []).append(part)
                ready = len(pieces.get(part.role or "?", [])) == sizes.H
                if ready:
                    by_kind["projection"].append(_joined(pieces.pop(part.role or "?")))
            else:
                by_kind[part.kind].append(part)
    return None if pieces else by_kind


def _joined(pieces: list[Leaf]) -> Leaf:
    """Matrices of single heads as one."""
    bias = torch.cat([piece.bias for piece in pieces if piece.bias is not None]) if pieces[0].bias is not None else None
    return replace(pieces[0], weight=torch.cat([piece.weight for piece in pieces]), bias=bias, kind="projection")


def _taken_apart(leaf: Leaf, sizes: Sizes, transposed: bool, by_head: bool) -> list[Leaf] | None:
    """A leaf with its kind or, for a combined matrix, one for each projection."""
    d, h, k, w = sizes.D, sizes.H, sizes.K, leaf.weight.squeeze()
    bias = None if leaf.bias is None else leaf.bias.reshape(-1)
    which = leaf.role or role(leaf.name)
    if w.ndim == 4 and w.size(0) == 3:  # those of queries, keys and values on an axis of their own
        thirds = [replace(leaf, weight=w[index], bias=None, role="qkv"[index]) for index in range(3)]
        parts = [_taken_apart(part, sizes, transposed, by_head) for part in thirds]
        return None if None in parts or bias is not None else [piece for part in parts for piece in part or ()]
    if w.ndim == 3:  # heads on an axis of their own
        shape = tuple(w.shape)
        if shape == (h, k, d):
            w = w.flatten(0, 1).T if which == "o" else w.flatten(0, 1)
        elif shape == (h, d, k):
            w = w.transpose(1, 2).flatten(0, 1)
        elif shape == (d, h, k):
            w = w.flatten(1).T
        else:
            return None
    elif w.ndim == 2 and not leaf.oriented and transposed and {*w.shape}.isdisjoint((sizes.V, sizes.L)):
        w = w.T
    shape = tuple(w.shape)
    if shape in ((3 * d, d), (2 * d, d)):
        count = shape[0] // d
        return [
            Leaf(leaf.name, matrix, None if bias is None else shift, True, "projection", letter)
            for letter, matrix, shift in zip(
                "qkv"[-count:],
                _blocks(w, count, h, by_head),
                [None] * count if bias is None else _blocks(bias, count, h, by_head),
                strict=True,
            )
        ]
    kinds = {
        (d, d): "projection",
        (k, d): "piece",
        (sizes.F, d): "w_1",
        (d, sizes.F): "w_2",
        (d,): "norm",
        (sizes.V, d): leaf.kind or ("head" if leaf.oriented else "tokens"),
        (sizes.L, d): "positions",
        (d, sizes.V): "head",
    }
    if shape not in kinds:
        return None
    weight = w.T if shape == (d, sizes.V) else w
    if bias is not None and len(bias) != len(weight):
        return None
    return [Leaf(leaf.name, weight, bias, True, kinds[shape], which)]


def _blocks(x: Tensor, count: int, heads: int, by_head: bool) -> list[Tensor]:
    if not by_head:
        return list(x.chunk(count))
    parts = x.unflatten(0, (heads, count, -1))
    return [parts[:, index].flatten(0, 1) for index in range(count)]


class Slots:
    """The modules of a reference that hold weights."""

    def __init__(self, reference: nn.Module) -> None:
        self.attentions: list[list[list[nn.Linear]]] = []  # by layer
        self.norms: list[list[nn.Module]] = []  # by layer; final norms by themselves
        self.single: dict[str, list[Any]] = {kind: [] for kind in ("w_1", "w_2", "tokens", "positions", "head")}
        owned: set[nn.Module] = set()
        for module in reference.modules():
            if isinstance(module, (EncoderLayer, DecoderLayer)):
                inside = list(module.modules())
                self.attentions.append(
                    [_projections(module) for module in inside if isinstance(module, MultiHeadAttention)]
                )
                self.norms.append([module for module in inside if isinstance(module, nn.LayerNorm)])
                owned.update(inside)
            elif isinstance(module, MultiHeadAttention) and module not in owned:
                self.attentions.append([_projections(module)])
            elif isinstance(module, nn.LayerNorm) and module not in owned:
                self.norms.append([module])
            elif isinstance(module, nn.Embedding):
                self.single["tokens"].append(module)
            elif isinstance(module, PositionalEncoding) and isinstance(module.table, nn.Parameter):
                self.single["positions"].append(module)
            if isinstance(module, FeedForward):
                self.single["w_1"].append(module.w_1)
                self.single["w_2"].append(module.w_2)
        head = getattr(reference, "head", None)
        if isinstance(head, nn.Linear):
            self.single["head"].append(head)

    @torch.no_grad()
    def fill(self, plan: Plan, by_kind: dict[str, list[Leaf]]) -> bool:
        """Copies the student's weights in; False if they do not fit."""
        groups = [group for layer in self.attentions for group in layer]
        width = len(groups[0]) if groups else 0
        if len(by_kind["projection"]) != sum(map(len, groups)):
            return False
        if len(by_kind["norm"]) != sum(map(len, self.norms)):
            return False
        given = iter(by_kind["projection"])
        for layer in self.attentions:
            order = plan.attentions if len(layer) == 2 else (0,)
            of_student = [_in_order([next(given) for _ in range(width)], plan.roles) for _ in layer]
            for index, group in zip(order, of_student):
                for linear, leaf in zip(layer[index], group, strict=True):
                    _copy(linear, leaf)
        norms = iter(by_kind["norm"])
        for layer_norms in self.norms:
            permutation = {2: plan.norms[0], 3: plan.norms[1]}.get(len(layer_norms), (0,))
            for index in permutation:
                _copy(layer_norms[index], next(norms))
        return all(self._fill_single(kind, by_kind) for kind in self.single)

    def _fill_single(self, kind: str, by_kind: dict[str, list[Leaf]]) -> bool:
        modules, leaves = self.single[kind], by_kind[kind]
        if kind == "head" and not leaves:  # tied to the embedding
            leaves = [replace(leaf, bias=None) for leaf in by_kind["tokens"][-1:]]
        if len(leaves) == 1 and kind in ("tokens", "positions"):
            leaves = leaves * len(modules)
        if len(leaves) != len(modules):
            return False
        for module, leaf in zip(modules, leaves):
            if kind == "positions":
                module.table.copy_(leaf.weight)
            else:
                _copy(module, leaf)
        return True


def _projections(attention: MultiHeadAttention) -> list[nn.Linear]:
    every = (attention.w_q, attention.w_k, attention.w_v, attention.w_o)
    return [linear for linear in every if isinstance(linear, nn.Linear)]


def _in_order(leaves: list[Leaf], permutation: tuple[int, ...]) -> list[Leaf]:
    """The projections of one attention as q, k, v, o: by name where all names tell, else by the plan."""
    letters = [leaf.role for leaf in leaves]
    if len(leaves) == 4 and letters.count(None) == 1 and {*"qkv"} <= {*letters}:
        letters[letters.index(None)] = "o"
    if sorted(filter(None, letters)) == sorted("qkvo"[: len(leaves)]) and permutation == (0, 1, 2, 3):
        return [leaves[letters.index(letter)] for letter in "qkvo"[: len(leaves)]]
    return [leaves[index] for index in permutation if index < len(leaves)]


def _copy(module: Any, leaf: Leaf) -> None:
    module.weight.copy_(leaf.weight)
    if getattr(module, "bias", None) is not None:
        if leaf.bias is None:
            module.bias.zero_()
        else:
            module.bias.copy_(leaf.bias)
