"""Functions of torch, written out: in a traced check these take the place of calls that would be opaque."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """What `F.scaled_dot_product_attention` computes: True in a mask keeps a key, numbers are added."""
    if enable_gqa:
        repeats = query.size(-3) // key.size(-3)
        key, value = key.repeat_interleave(repeats, -3), value.repeat_interleave(repeats, -3)
    factor = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    scores = query @ key.transpose(-2, -1) * factor
    if is_causal:
        seen = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool, device=query.device).tril()
        scores = scores.masked_fill(~seen, -math.inf)
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask, -math.inf) if attn_mask.dtype == torch.bool else scores + attn_mask
    weights = F.dropout(scores.softmax(-1), dropout_p)
    return weights @ value


def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """What `torch.addcmul` computes."""
    return input + value * tensor1 * tensor2 if value != 1 else input + tensor1 * tensor2


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """What `nn.MultiheadAttention` computes, positions first: True in a mask hides a key, numbers are added."""
    without_batch = query.ndim == 2
    if without_batch:
        query, key, value = (each[:, None] for each in (query, key, value))
        key_padding_mask = None if key_padding_mask is None else key_padding_mask[None]
    width, (length, batch, _) = embed_dim_to_check, query.shape
    matrices: Any = (q_proj_weight, k_proj_weight, v_proj_weight)
    if not use_separate_proj_weight:
        assert in_proj_weight is not None
        matrices = in_proj_weight.chunk(3)
    biases = (None, None, None) if in_proj_bias is None else in_proj_bias.chunk(3)
    q, k, v = (F.linear(x, weight, bias) for x, weight, bias in zip((query, key, value), matrices, biases))
    q, k, v = (x.reshape(x.size(0), batch, num_heads, width // num_heads).permute(1, 2, 0, 3) for x in (q, k, v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(width // num_heads)
    if attn_mask is not None:
        if attn_mask.ndim not in (2, 3):
            raise RuntimeError(f"attn_mask has {attn_mask.ndim} axes where 2 or 3 are expected")
        mask = attn_mask.reshape(batch, num_heads, length, -1) if attn_mask.ndim == 3 else attn_mask
        scores = scores.masked_fill(mask, -math.inf) if mask.dtype == torch.bool else scores + mask
    if key_padding_mask is not None:
        mask = key_padding_mask[:, None, None, :]
        scores = scores.masked_fill(mask, -math.inf) if mask.dtype == torch.bool else scores + mask
    weights = F.dropout(scores.softmax(-1), dropout_p, training)
    joined = (weights @ v).permute(2, 0, 1, 3).reshape(length, batch, width)
    output = F.linear(joined, out_proj_weight, out_proj_bias)
    weights = weights.mean(1) if average_attn_weights else weights
    if without_batch:
        output, weights = output[:, 0], weights[0]
    return output, weights if need_weights else None


def einsum(equation: str, *operands: Any) -> Tensor:
    """What `torch.einsum` computes, by products of two operands, with a letter for each axis."""
    values = list(operands[0]) if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else list(operands)
    before, arrow, after = equation.replace(" ", "").partition("->")
    terms = before.split(",")
    if "." in before:
        unused = [letter for letter in "abcdefghijklmnopqrstuvwxyz" if letter not in equation]
        spread = [value.ndim - len(term.replace("...", "")) for value, term in zip(values, terms)]
        letters = "".join(unused[: max(spread)])
        if any("..." in term and count != len(letters) for term, count in zip(terms, spread)):
            return torch.einsum(equation, *values)
        terms = [term.replace("...", letters) for term in terms]
        after = after.replace("...", letters) if arrow else letters
    if not arrow:
        every = "".join(terms)
        after += "".join(sorted(letter for letter in {*every} - {*after} if every.count(letter) == 1))
    while len(terms) > 2:
        kept = {*after, *"".join(terms[2:])}
        joined = "".join(letter for letter in dict.fromkeys(terms[0] + terms[1]) if letter in kept)
        values[:2] = [torch.einsum(f"{terms[0]},{terms[1]}->{joined}", *values[:2])]
        terms[:2] = [joined]
    return torch.einsum(f"{','.join(terms)}->{after}", *values)


def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, *rest: Any, **named: Any) -> Tensor:
    """What `torch.conv1d` computes: with a kernel of one position, a linear layer."""
    output = torch.conv1d(input, weight, bias, *rest, **named)
    if weight.size(-1) != 1 or weight.size(1) != input.size(-2) or output.size(-1) != input.size(-1):
        return output
    return F.linear(input.transpose(-2, -1), weight[..., 0], bias).transpose(-2, -1)


def addmm(input: Tensor, one: Tensor, other: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """What `torch.addmm` and `torch.baddbmm` compute: a product and a sum."""
    product = one @ other if alpha == 1 else (one @ other) * alpha
    if beta == 0:
        return product
    return product + (input if beta == 1 else input * beta)


def norm(x: Tensor, p: Any = 2, dim: Any = None, keepdim: bool = False, **named: Any) -> Tensor:
    """What `torch.norm` computes along an axis: the root of a sum of squares."""
    if p not in (2, "fro", None) or dim is None or any(named.values()):
        return torch.norm(x, p, dim, keepdim, **named)
    return x.pow(2).sum(dim, keepdim=keepdim).sqrt()


def vector_norm(x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, **named: Any) -> Tensor:
    """What `torch.linalg.vector_norm` computes along an axis."""
    if ord not in (2, None) or dim is None or any(named.values()):
        return torch.linalg.norm(x, ord, dim, keepdim, **named)
    return x.pow(2).sum(dim, keepdim=keepdim).sqrt()


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """What `F.normalize` computes: vectors of length 1 along an axis."""
    return input / norm(input, p, dim, keepdim=True).clamp_min(eps)


def index_add(x: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1) -> Tensor:
    """What `Tensor.index_add_` computes for rows of which each is added to once."""
    if dim or alpha != 1 or len(index.unique()) != len(index):
        return x.index_add_(dim, index, source, alpha=alpha)
    x[index] = x[index] + source
    return x


OPENED: dict[Callable[..., Any], Callable[..., Any]] = {
    F.scaled_dot_product_attention: scaled_dot_product_attention,
    torch.addcmul: addcmul,
    Tensor.addcmul: addcmul,
    F.multi_head_attention_forward: multi_head_attention_forward,
    torch.einsum: einsum,
    torch.conv1d: conv1d,
    **dict.fromkeys([torch.norm, Tensor.norm], norm),
    **dict.fromkeys([torch.linalg.norm, torch.linalg.vector_norm], vector_norm),
    F.normalize: normalize,
    Tensor.index_add_: index_add,
    **dict.fromkeys([torch.addmm, Tensor.addmm, torch.baddbmm, Tensor.baddbmm], addmm),
}
"""By the function that they write out. Its `bias_k`, `add_zero_attn` and `static_k` are not among what is checked."""
