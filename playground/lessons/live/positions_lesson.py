"""Lesson "Positions"."""

import math
from collections.abc import Mapping
from functools import lru_cache

import torch
from torch import Tensor

from playground.lessons.live.reversing_model import CROSS, HEADS, MODEL, batch_of, input_of, read
from playground.lessons.live_parts import (
    Choice,
    Curves,
    Numbers,
    Output,
    Slider,
    Table,
    generator,
    live,
    own_randomness,
    shipped,
    shown,
)
from playground.lessons.mistakes.classes import PositionsAddedTwice, apply
from playground.lessons.mistakes.pitfall import BASE
from playground.lessons.mistakes.table import MISTAKES
from playground.model.embeddings import PositionalEncoding, rotate
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.tasks import SPECIALS

D, LONGEST, WIDE = 16, 64, 64
PAIRS = D // 2
SHOWN = 24
"""Positions whose scores are shown."""
POSITION = "encoder.embeddings.position"
REMOVED = ("Nothing", "The one from the start", "The one from the end")
WRONG = {"Right": "", "Swapped": "sin-cos-swapped", "Frequency": "wrong-frequency", "From 1": "positions-from-one"}
"""Tables to compare, and the mistakes that make them."""


@lru_cache(maxsize=8)
def _table(mistake: str = "") -> Tensor:
    """Sinusoidal positions, shape (LONGEST, D)."""
    positions = PositionalEncoding("sinusoidal", LONGEST, D)
    if mistake:
        MISTAKES[mistake].ways[0].put_into(positions)
    return positions(LONGEST, None)[0]


def _frequency(pair: int) -> float:
    """Radians from one position to the next."""
    return 10000 ** (-2 * pair / D)


def _rotation(shift: int) -> Tensor:
    """The matrix R with PE[p + shift] = R PE[p], shape (D, D)."""
    angles = [torch.tensor(shift * _frequency(pair), dtype=torch.float64) for pair in range(PAIRS)]
    turns = [torch.stack([angle.cos(), angle.sin(), -angle.sin(), angle.cos()]).view(2, 2) for angle in angles]
    return torch.block_diag(*turns).float()


def _error(shift: int) -> float:
    table = _table()
    return float((table[shift:] - table[: LONGEST - shift] @ _rotation(shift).T).abs().max())


def _scores(seed: int, positions: str) -> Tensor:
    """Scores of one query and one key at all pairs of positions, shape (SHOWN, SHOWN)."""
    query, key = torch.randn(2, 1, 1, 1, D, generator=generator(seed)).expand(-1, -1, -1, SHOWN, -1)
    if positions == "Rotary":
        return (rotate(query) @ rotate(key).mT)[0, 0]
    table = _table()[:SHOWN]
    return ((query + table) @ (key + table).mT)[0, 0]


def _at_one_distance(scores: Tensor) -> float:
    """The largest difference of two scores at the same distance."""
    diagonals = [scores.diagonal(distance) for distance in range(1 - SHOWN, SHOWN)]
    return max(float(diagonal.max() - diagonal.min()) for diagonal in diagonals)


def _asked_column_pair(seed: int) -> int:
    return 1 + seed % 3


def _asked_shift(seed: int) -> int:
    return 3 + seed % 3


def _swap(seed: int) -> tuple[int, int]:
    """Two positions, from 0, with different symbols."""
    return 0, 2 + seed % 2


@lru_cache(maxsize=16)
def _both(text: str, swap: tuple[int, int], positions: bool) -> tuple[Tensor, Tensor, Tensor]:
    """Encoder outputs (S, D) of an input and of the input with two tokens swapped, and the difference of the logits."""
    batch, order = batch_of(text), _order(text, swap)
    assert batch.source is not None
    assert batch.target is not None
    many = batch._replace(
        source=torch.cat([batch.source, batch.source[:, order]]),
        target=batch.target.expand(2, -1),
        labels=batch.labels.expand(2, -1),
    )
    seen = read(many, {} if positions else {POSITION: torch.zeros_like})
    one, two = seen["encoder.output"]
    return one, two, (seen["logits"][0] - seen["logits"][1]).abs().max()


def _order(text: str, swap: tuple[int, int]) -> list[int]:
    order = list(range(len(text.split())))
    order[swap[0]], order[swap[1]] = swap[1], swap[0]
    return order


@lru_cache(maxsize=16)
def _without(text: str, removed: str) -> tuple[Tensor, int]:
    """Cross-attention weights (H, T, S) without one of the two tables, and the number of wrong tokens."""
    batch, length = batch_of(text), len(text.split())
    encoder = shipped(MODEL).encoder
    assert encoder is not None
    positions = encoder.embeddings.positions
    assert positions is not None
    from_start, from_end = positions.table[:length].detach(), positions.table_from_end[:length].detach().flip(0)
    changes = {
        "Nothing": {},
        "The one from the start": {POSITION: lambda both: both - from_start},
        "The one from the end": {POSITION: lambda both: both - from_end},
    }
    seen = read(batch, changes[removed])
    return seen[f"{CROSS}.attention.weights"][0], int((seen["logits"].argmax(-1) != batch.labels).sum())


@lru_cache(maxsize=1)
def _lengths() -> tuple[float, float, float]:
    """In an untrained model with D = WIDE: length of tokens, and of positions by tokens, added once and twice."""
    config = BASE.updated({"model.d_model": WIDE, "model.positions": "sinusoidal"})
    source = torch.randint(len(SPECIALS), config.vocabulary_size, (64, 6), generator=generator(0))
    lengths = []
    for twice in (False, True):
        with own_randomness(0):
            encoder = TaskModel(config).encoder
        assert encoder is not None
        if twice:
            apply(PositionsAddedTwice, encoder)
        _, cache = run_with_cache(encoder, (source,), "embeddings.*")
        token = cache["embeddings.token_embedding"]
        lengths.append(float((cache["embeddings.sum"] - token).norm(dim=-1).mean() / token.norm(dim=-1).mean()))
    return float(token.norm(dim=-1).mean()), lengths[0], lengths[1]


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    text, swap = input_of(seed), _swap(seed)
    order = _order(text, swap)
    one, two, logits = _both(text, swap, positions=False)
    same, swapped_rows = (float((one - other).abs().max()) < 1e-3 for other in (two, two[order]))
    seen, other, _ = _both(text, swap, positions=True)
    rows = f"Rows {swap[0] + 1} and {swap[1] + 1} swap"
    pair, turned, shift = _asked_column_pair(seed), seed % 2, _asked_shift(seed)
    table = _table()
    products = table @ table.T
    a, b, distance = _pair(seed)
    others = [(a + 4, b + 4), (a + 4, b + 5 + seed % 3), (a, b + 4)]
    others = others[seed % 3 :] + others[: seed % 3]
    (match,) = (pair for pair in others if math.isclose(products[pair], products[a, b], abs_tol=1e-3))
    names = [f"{x} and {y}" for x, y in others]
    wrong = {name: _without(text, name)[1] for name in REMOVED}
    spare = [name for name in REMOVED[1:] if wrong[name] == 0]
    rotary, query, beside, steps = _scores(seed, "Rotary"), 2 + seed % 2, 6 + seed % 3, 4 + seed % 5
    score, moved = float(rotary[query, beside]), float(rotary[query + steps, beside + steps])
    change = "It rises" if moved > score else "It falls"
    token_length, once, twice = _lengths()
    wide = PositionalEncoding("sinusoidal", 4, WIDE)(4, None)[0]
    return {
        "text": text,
        "first": swap[0] + 1,
        "second": swap[1] + 1,
        "swapped": " ".join(text.split()[old] for old in order),
        "effect": rows if swapped_rows else "It stays the same" if same else "All rows get other numbers",
        "without": float((one - two[order]).abs().max()),
        "with_positions": float((seen - other[order]).abs().max()),
        "logits": float(logits),
        "d_model": D,
        "column": 2 * pair,
        "pair": pair,
        "wavelength": 2 * math.pi / _frequency(pair),
        "a": a,
        "b": b,
        "product": float(products[a, b]),
        "pair_1": names[0],
        "pair_2": names[1],
        "pair_3": names[2],
        "same": f"{match[0]} and {match[1]}",
        "distance": distance,
        "turned": turned,
        "shift": shift,
        "period": 1 / _frequency(turned),
        "angle": shift * _frequency(turned),
        "error": _error(shift),
        "at": query,
        "beside": beside,
        "steps": steps,
        "score": score,
        "moved": moved,
        "change": "It stays the same" if math.isclose(score, moved, abs_tol=1e-3) else change,
        "added": _at_one_distance(_scores(seed, "Sinusoidal")),
        "wide": WIDE,
        "length": float(wide.norm(dim=1).mean()),
        "short": float(table.norm(dim=1).mean()),
        "token_length": token_length,
        "once": once,
        "twice": twice,
        "spare": spare[0] if len(spare) == 1 else "Neither",
        "wrong_start": wrong[REMOVED[1]],
        "wrong_end": wrong[REMOVED[2]],
    }


def _pair(seed: int) -> tuple[int, int, int]:
    """Two positions and their distance."""
    return 2 + seed % 3, 5 + seed % 3 + seed % 2, 3 + seed % 2


@live(positions=Choice("Position vectors", ("Without", "With")))
def permuted(seed: int, positions: str) -> list[Output]:
    """The encoder's output for an input and for the input with two tokens swapped."""
    text, swap = input_of(seed), _swap(seed)
    one, two, logits = _both(text, swap, positions == "With")
    order = _order(text, swap)
    symbols = text.split()
    names = [f"{position + 1}: {symbol}" for position, symbol in enumerate(symbols)]
    other = [f"{position + 1}: {symbols[old]}" for position, old in enumerate(order)]
    width = 8  # of 64 columns, enough to compare
    return [
        Numbers(f"Output, first {width} columns", one[:, :width], rows=names, columns="01234567"),
        Numbers("After the swap", two[:, :width], rows=other, columns="01234567"),
        Table(
            ("Largest difference", "Value"),
            [
                ("Outputs, rows swapped back", f"{float((one - two[order]).abs().max()):.1e}"),
                ("Logits of the decoder", f"{float(logits):.1e}"),
            ],
        ),
    ]


@live(pair=Slider("Pair i", 0, PAIRS - 1, _asked_column_pair))
def waves(seed: int, pair: int) -> list[Output]:
    """The table, and one pair of its columns."""
    table = _table()
    lines = {
        f"column {2 * pair} (sin)": table[:, 2 * pair].tolist(),
        f"column {2 * pair + 1} (cos)": table[:, 2 * pair + 1].tolist(),
    }
    title = f"Pair {pair}: repeats after {2 * math.pi / _frequency(pair):,.1f} positions"
    return [
        Curves(title, "position", "PE", range(LONGEST), lines),
        Numbers("PE: a row for each position", table, ("position", "D")),
    ]


@live()
def some_products(seed: int) -> list[Output]:
    """Dot products with two positions, without those that are asked for."""
    table, (a, _, _) = _table(), _pair(seed)
    positions = (a, a + 1, a + 2)
    names = [str(position) for position in positions]
    return [Numbers("Dot products", (table @ table.T)[list(positions)][:, list(positions)], ("", ""), names, names)]


@live(position=Slider("Position", 0, 31, lambda seed: _pair(seed)[0]))
def products(seed: int, position: int) -> list[Output]:
    """All dot products, and those of one position."""
    table = _table()[:32]
    dots = table @ table.T
    lines = {f"with position {position}": dots[position].tolist()}
    return [
        Numbers("PE PEᵀ", dots, ("position", "position")),
        Curves("Dot products of one row", "position", "dot product", range(32), lines, marks=True),
    ]


@live(shift=Slider("Shift k", 1, 32, _asked_shift))
def shift(seed: int, shift: int) -> list[Output]:
    """The matrix of a shift, and what it gives."""
    table, matrix = _table(), _rotation(shift)
    rows = []
    for position in (0, 5, 17):
        values = (table[position, 0], table[position + shift, 0], (matrix @ table[position])[0])
        rows.append((f"{position} → {position + shift}", *(shown(float(value)) for value in values)))
    return [
        Numbers(f"R for k = {shift}, first 8 rows and columns", matrix[:8, :8], rows="01234567", columns="01234567"),
        Table(("Positions", "PE[p], column 0", f"PE[p + {shift}]", "R PE[p]"), rows),
        Table(("Over the whole table", "Value"), [("Largest error", f"{_error(shift):.0e}")]),
    ]


@live(positions=Choice("Positions", ("Rotary", "Sinusoidal")))
def scores(seed: int, positions: str) -> list[Output]:
    """Scores of one query and one key at all positions."""
    scores = _scores(seed, positions)
    lines = {f"distance {distance}": scores.diagonal(distance)[: SHOWN - 8].tolist() for distance in (0, 3, 8)}
    return [
        Numbers("Score of the query (row) and the key (column)", scores, ("position", "position")),
        Curves("Scores at one distance", "position of the query", "score", range(SHOWN - 8), lines),
        Table(("At one distance", "Value"), [("Largest difference", shown(_at_one_distance(scores)))]),
    ]


@live(kind=Choice("Table", tuple(WRONG)))
def tables(seed: int, kind: str) -> list[Output]:
    """The first rows of a table, and the lengths of its vectors."""
    table = _table(WRONG[kind])
    names = [str(position) for position in range(6)]
    length = table.norm(dim=1)
    return [
        Numbers("PE, first 6 positions and 8 columns", table[:6, :8], rows=names, columns="01234567"),
        Numbers(f"Length, all {D} columns", length[:6, None], rows=names, columns=("length",)),
    ]


@live(removed=Choice("Removed table", REMOVED))
def ends(seed: int, removed: str) -> list[Output]:
    """Cross-attention of the trained model without one of its tables."""
    text = input_of(seed)
    weights, wrong = _without(text, removed)
    rows = [str(position + 1) for position in range(weights.size(1))]
    return [
        Numbers("Weights", weights, ("H", "T", "S"), rows, text.split(), "probability", names=HEADS),
        Table(("Removed", "Wrong tokens"), [(removed, f"{wrong} of {weights.size(1)}")]),
    ]
