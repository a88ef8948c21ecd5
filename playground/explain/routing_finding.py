"""Sentences about the experts that a mixture chooses, computed from its choices."""

from collections import Counter

from torch import Tensor

from playground.common.numbers import percent
from playground.explain.document import Reading
from playground.tasks import PAD, SPECIALS


def _read(reading: Reading, name: str) -> list[str]:
    """The tokens at the rows of a tap, padding left out: it ends them."""
    side = "T" if name.startswith("decoder") else "S"
    return [token for token in reading.tokens[side] if token != SPECIALS[PAD]]


def chosen_by_tokens(reading: Reading, name: str, chosen: Tensor) -> str:
    """The load of each expert in this pass, and the token that each gets most often."""
    tokens = _read(reading, name)
    rows = chosen[0, : len(tokens)]
    count = rows.sum(0).tolist()
    sentences = [f"In this pass, {_loads([number / max(1, sum(count)) for number in count])}."]
    whole = Counter(tokens)
    for expert in range(rows.size(1)):
        own = Counter(token for token, here in zip(tokens, rows[:, expert].tolist(), strict=True) if here)
        always = [token for token, times in own.items() if times == whole[token] > 1]
        if always and len(own) < len(whole):
            listed = ", ".join(f"“{token}”" for token in always[:3])
            sentences.append(f"Expert {expert + 1} gets every {listed}.")
    return " ".join(sentences)


def loads(reading: Reading, name: str, load: Tensor) -> str:
    """The load of each expert in this pass, and what would be equal."""
    return f"In this pass, {_loads(load.tolist())}. Equal loads are {percent(1 / len(load))} each."


def _loads(load: list[float]) -> str:
    parts = [f"expert {number} gets {percent(part)}" for number, part in enumerate(load, 1)]
    return f"{', '.join(parts)} of the choices"
