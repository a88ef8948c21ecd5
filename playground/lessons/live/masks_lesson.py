"""Lesson "Masks"."""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache

import torch
from torch import Tensor

from playground.lessons.live.one_head import attend
from playground.lessons.live.reversing_model import CROSS, batch_of, input_of, read
from playground.lessons.live_parts import Choice, Numbers, Output, Sentence, Slider, Table, generator, live, shown
from playground.lessons.mistakes.classes import MaskAfterSoftmax
from playground.model.attention import ScaledDotProductAttention

SIZE, PADDED = 4, 3
KEYS = tuple(f"Key {key + 1}" for key in range(SIZE))
QUERIES = tuple(f"Query {query + 1}" for query in range(SIZE))
ENCODER, DECODER = "encoder.layers.0.self_attention", "decoder.layers.0.self_attention"
CAUSAL: dict[str, Callable[[Tensor], Tensor]] = {
    "Right": lambda mask: mask,
    "Off": torch.ones_like,
    "One ahead": lambda mask: torch.ones_like(mask).tril(1),
    "Transposed": lambda mask: mask.mT,
    "Without itself": lambda mask: mask.tril(-1),
}
WAYS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "scores.masked_fill(~mask, -math.inf)": lambda scores, mask: scores.masked_fill(~mask, -math.inf),
    "scores + (~mask) * -math.inf": lambda scores, mask: scores + (~mask) * -math.inf,
    "scores.masked_fill(~mask, -1e9)": lambda scores, mask: scores.masked_fill(~mask, -1e9),
    "scores + (~mask) * -1e9": lambda scores, mask: scores + (~mask) * -1e9,
    "scores + mask": lambda scores, mask: scores + mask,
    "scores * mask": lambda scores, mask: scores * mask,
}
ORDERS = ("Mask, then softmax", "Softmax, then mask", "Softmax, mask, divide by the sum")


@lru_cache(maxsize=32)
def _causal(text: str, name: str) -> tuple[Tensor, Tensor, Tensor, int]:
    """Mask (T, T), weights (H, T, T) of the decoder's self-attention, logits (T, V), number of wrong predictions."""
    batch = batch_of(text)
    seen = read(batch, {"decoder.causal_mask": CAUSAL[name]})
    wrong = int((seen["logits"].argmax(-1) != batch.labels).sum())
    return seen["decoder.causal_mask"][0, 0], seen[f"{DECODER}.attention.weights"][0], seen["logits"][0], wrong


@lru_cache(maxsize=16)
def _padded(text: str, masked: bool) -> tuple[Tensor, Tensor]:
    """Weights of encoder and cross-attention, mean over heads, (S, S) and (T, S)."""
    seen = read(batch_of(text, PADDED), {} if masked else {"encoder.padding_mask": torch.ones_like})
    encoder, cross = (seen[f"{name}.attention.weights"][0].mean(0) for name in (ENCODER, CROSS))
    return encoder, cross


def _later(weights: Tensor) -> float:
    """Weight on later positions, mean over heads and over queries that have any."""
    return float(weights.triu(1).sum(-1)[..., :-1].mean())


def _vectors(seed: int, size: int = SIZE) -> Tensor:
    """Queries, keys and values of `size` tokens, shape (3, size, 4)."""
    return torch.randn(3, size, 4, generator=generator(seed))


def _mask(size: int = SIZE) -> Tensor:
    return torch.ones(size, size, dtype=torch.bool).tril()


def _weights(order: str, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Weights of a causal attention, shape (T, S)."""
    kind = ScaledDotProductAttention() if order == ORDERS[0] else MaskAfterSoftmax()
    weights = attend(query, key, value, _mask(), kind)["weights"]
    return weights / weights.sum(1, keepdim=True) if order == ORDERS[2] else weights


def _leaked(order: str, query: Tensor, key: Tensor, value: Tensor) -> float:
    """The largest change of earlier outputs if only the last token's key and value change."""
    other_key, other_value = key.clone(), value.clone()
    other_key[-1, : value.size(1)] *= -3  # what raises all scores of the last key stays
    other_value[-1] *= -1
    before = _weights(order, query, key, value) @ value
    after = _weights(order, query, other_key, other_value) @ other_value
    return float((before - after)[:-1].abs().max())


def _scores(seed: int) -> Tensor:
    """Four scores with one decimal; the first is not 0."""
    scores = torch.randn(SIZE, generator=generator(seed)).mul(10).round().div(10)
    scores[0] += 3
    return scores


def _listed(values: Tensor, digits: int = 2) -> str:
    return ", ".join(shown(value, digits) for value in values.tolist())


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    text = input_of(seed)
    mask, *_ = _causal(text, "Right")
    _, off, _, wrong = _causal(text, "Off")
    encoder, cross = _padded(text, masked=False)
    encoder_leak, cross_leak = (float(weights[:, -PADDED:].sum(-1).mean()) for weights in (encoder[:-PADDED], cross))
    scores = _scores(seed)
    visible = torch.tensor([True])
    given = float(WAYS["scores + (~mask) * -math.inf"](scores[:1], visible))
    hidden_row = WAYS["scores + (~mask) * -1e9"](scores, torch.zeros(SIZE, dtype=torch.bool))
    sums = _weights(ORDERS[1], *_vectors(seed)).sum(1)
    query = 1 + int(sums[1:-1].argmax())  # neither the first nor the last, which misses nothing
    left = sums[query]
    size = _asked_size(seed)
    (blind,) = _mask(size).all(1).nonzero()[:, 0].tolist()
    return {
        "length": len(mask),
        "hidden": int((~mask).sum()),
        "future": _later(off),
        "wrong_tokens": wrong,
        "text": text,
        "padded_keys": encoder.shape[-1],
        "leak": "Less than 10 %" if encoder_leak < 0.1 else "10 % to 50 %" if encoder_leak <= 0.5 else "More than 50 %",
        "encoder_leak": encoder_leak,
        "cross_leak": cross_leak,
        "score": float(scores[0]),
        "sum": "not a number" if math.isnan(given) else shown(given, 1),
        "four_scores": _listed(scores, 1),
        "rounded": _listed(hidden_row.unique(), 0),
        "even": float(hidden_row.softmax(-1)[0]),
        "query": query + 1,
        "left": float(left),
        "lost": 1 - float(left),
        "leaked": _leaked(ORDERS[1], *_vectors(seed)),
        "kept": _leaked(ORDERS[0], *_vectors(seed)),
        "size": size,
        "middle": 2,
        "blind": f"Query {blind + 1}",
        "inverted_future": _later(_inverted(seed).nan_to_num(0)),
    }


def _asked_size(seed: int) -> int:
    """The number of tokens in the question about the inverted mask."""
    return SIZE + seed % 3


def _inverted(seed: int) -> Tensor:
    """Weights with the causal mask inverted, (T, S): the row without keys is nan."""
    query, key, value = _vectors(seed, _asked_size(seed))
    return attend(query, key, value, ~_mask(_asked_size(seed)))["weights"]


@live(name=Choice("Mask", tuple(CAUSAL)))
def causal(seed: int, name: str) -> list[Output]:
    """A causal mask and what the trained model does with it."""
    mask, weights, logits, wrong = _causal(input_of(seed), name)
    names = [str(position + 1) for position in range(len(mask))]
    later = f"{100 * _later(weights):.0f} %"
    sentence = f"Weight on later positions: {later}. Wrong predictions: {wrong} of {len(mask)} tokens."
    if bool(weights.isnan().any()):
        query, lost = (_listed(tensor.isnan().any(-1).nonzero()[:, 0] + 1, 0) for tensor in (weights[0], logits))
        sentence = (
            f"Query {query} sees no key: softmax divides 0 by 0, so its weights are nan. The logits of position {lost} "
            "become nan, too. In a second layer nan would spread: later queries read position 1."
        )
    return [
        Numbers("Mask", mask.float(), ("T", "T"), names, names, "mask"),
        Numbers("Weights of head 1", weights[0], ("T", "T"), names, names, "probability"),
        Sentence(sentence),
    ]


@live(masked=Choice("Padding mask", ("On", "Off")))
def padding(seed: int, masked: str) -> list[Output]:
    """Weights of encoder and cross-attention with PAD."""
    text = input_of(seed)
    encoder, cross = _padded(text, masked == "On")
    keys = [*text.split(), *["PAD"] * PADDED]
    rows = [str(position + 1) for position in range(len(cross))]
    return [
        Numbers("Encoder, mean of the heads", encoder, ("S", "S"), keys, keys, "probability"),
        Numbers("Cross-attention, mean of the heads", cross, ("T", "S"), rows, keys, "probability"),
    ]


@live(hidden=Slider("Hidden keys", 1, SIZE - 1, 2))
def ways(seed: int, hidden: int) -> list[Output]:
    """Weights of one query with the last keys hidden, in every way."""
    scores, mask = _scores(seed), torch.arange(SIZE) < SIZE - hidden
    rows = []
    for code, apply in WAYS.items():
        weights = apply(scores, mask).softmax(-1)
        rows.append((code, *(shown(weight, 3) for weight in weights.tolist()), shown(float(weights[~mask].sum()), 3)))
    return [
        Table(("Scores", *KEYS), [("", *(shown(score, 1) for score in scores.tolist()))]),
        Table(("Weights after softmax", *KEYS, "Weight on hidden keys"), rows),
    ]


@live()
def empty_row(seed: int) -> list[Output]:
    """Weights and gradients of a row with every key hidden."""
    mask, value = torch.zeros(SIZE, dtype=torch.bool), torch.arange(float(SIZE))
    rows = []
    for code in list(WAYS)[:1] + list(WAYS)[2:4]:
        scores = _scores(seed).requires_grad_()
        weights = WAYS[code](scores, mask).softmax(-1)
        (gradient,) = torch.autograd.grad((weights * value).sum(), scores)
        rows.append((code, _listed(weights.detach()), _listed(gradient)))
    return [Table(("All keys hidden", "Weights", "Gradient of the output by each score"), rows)]


@live()
def unmasked(seed: int) -> list[Output]:
    """Softmax over all keys."""
    weights = attend(*_vectors(seed))["weights"]
    return [Numbers("softmax over all keys", weights, ("T", "S"), QUERIES, KEYS, "probability", 3)]


@live(
    order=Choice("Order", ORDERS),
    raised=Slider("Added to the scores of key 4", 0, 150, 0, 5, help="Queries 1 to 3 must not see this key."),
)
def orders(seed: int, order: str, raised: int) -> list[Output]:
    """Weights in each order, and what leaks; the last key's scores can be raised."""
    query, key, value = _vectors(seed)
    # One more number in each vector raises every score of the last key by the same amount.
    query = torch.cat([query, torch.ones(SIZE, 1)], 1)
    key = torch.cat([key, torch.zeros(SIZE, 1)], 1)
    key[-1, -1] = raised * math.sqrt(query.size(1))
    query[:, :-1] *= math.sqrt(query.size(1) / (query.size(1) - 1))
    weights = _weights(order, query, key, value)
    undefined = " In the rows with nan, 0 is divided by 0." if bool(weights.isnan().any()) else ""
    leaked = shown(_leaked(order, query, key, value), 3)
    return [
        Numbers("Weights", weights, ("T", "S"), QUERIES, KEYS, "probability", 3),
        Sentence(f"Sums of the rows: {_listed(weights.sum(1))}.{undefined}"),
        Sentence(f"Change of earlier outputs if only the last token changes: {leaked}."),
    ]


@live()
def inverted(seed: int) -> list[Output]:
    """The inverted mask and its weights."""
    mask = _mask(_asked_size(seed))
    queries, keys = (tuple(f"{what} {position + 1}" for position in range(len(mask))) for what in ("Query", "Key"))
    return [
        Numbers("Causal mask", mask.float(), ("T", "S"), queries, keys, "mask"),
        Numbers("Inverted", (~mask).float(), ("T", "S"), queries, keys, "mask"),
        Numbers("Weights", _inverted(seed), ("T", "S"), queries, keys, "probability"),
    ]
