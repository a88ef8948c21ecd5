"""Sentences about attention weights, computed from their numbers."""

from itertools import pairwise

from torch import Tensor

from playground.explain.document import Reading
from playground.tasks import PAD, SPECIALS, decode, task_of
from playground.tasks.batches import first_source


def padded(reading: Reading, letter: str) -> int:
    """How many PAD end this axis."""
    return reading.tokens.get(letter, []).count(SPECIALS[PAD])


def predictions(reading: Reading) -> list[tuple[int, str]]:
    """Row and predicted token of each position that has a label."""
    rows = (reading.batch.labels[0] != PAD).nonzero()[:, 0].tolist()
    return list(zip(rows, decode(reading.predicted, reading.model.config.task), strict=True))


def attends(reading: Reading, name: str, weights: Tensor) -> str:
    """A sentence on whether heads attend to the position from which the predicted token is copied."""
    architecture, task = reading.model.config.model.architecture, reading.model.config.task
    if architecture == "encoder-decoder" and ".cross_attention." not in name:
        return ""
    source = first_source(reading.model.config, reading.batch).tolist()
    copied_from = task_of(task).copied_from(source)
    answer = [
        (index, row, token)
        for index, (row, token) in enumerate(predictions(reading)[: len(copied_from)])
        if token not in SPECIALS
    ]
    if not answer:
        return ""
    names = decode(source, task)
    # Where the prediction is wrong there is nothing that it could be copied from.
    right = {
        row: {position for position in copied_from[index] if names[position] == token} for index, row, token in answer
    }
    most = weights[0].argmax(-1)  # (H, T): the column each row attends to most
    hits = [sum(int(head[row]) in positions for row, positions in right.items()) for head in most]
    best, total = max(hits), len(answer)
    heads = [head for head, count in enumerate(hits) if count == best]
    one = "the" if all(len(positions) == 1 for positions in copied_from) else "a"
    where = f"{one} position to copy from"
    if 2 * best < total:
        sentence = f"No head attends most to {where} in half of the rows. The best head does in {best} of {total} rows."
    else:
        ways = {_direction(most[head], [row for _, row, _ in answer]) for head in heads}
        sentence = (
            f"{_heads(heads, len(hits))} most to {where} in {best} of {total} counted rows."
            f"{ways.pop() if len(ways) == 1 else ''}"
        )
    return f"{sentence} {_not_counted(reading, len(copied_from))}".strip()


def groups(reading: Reading, name: str, value: Tensor) -> str:
    """Which heads share a key head in grouped-query attention."""
    m = reading.model.config.model
    size = m.n_heads // m.n_kv_heads
    if m.n_kv_heads == 1:
        return f"All {size} heads share the one key head." if size > 1 else ""
    if size == 1:
        return "Each head has a key head of its own."
    shared = [range(first, first + size) for first in range(1, m.n_heads + 1, size)]
    return f"Heads that share a key head: {'; '.join(_listed([*map(str, each)]) for each in shared)}."


def _not_counted(reading: Reading, symbols: int) -> str:
    """Why fewer rows are counted than there are; `symbols` is the length of the right answer."""
    answer, rows = predictions(reading), reading.batch.labels.size(1)
    specials = [token for _, token in answer if token in SPECIALS]
    after = sum(token not in SPECIALS for _, token in answer[symbols:])
    padding = padded(reading, "S" if reading.batch.target is None else "T")
    input_alone = rows - len(answer) - padding  # of a decoder-only model, before SEP
    reasons = (
        _count(input_alone, "row before the answer", "rows before the answer"),
        *(
            _count(specials.count(name), f"row that predicts {name}", f"rows that predict {name}")
            for name in sorted({*specials})
        ),
        _count(after, "row after the right answer's end", "rows after the right answer's end"),
        _count(padding, "row of padding", "rows of padding"),
    )
    listed = _listed([reason for reason in reasons if reason])
    return f"Not counted: {listed}." if listed else ""


def _count(count: int, one: str, many: str) -> str:
    return "" if count == 0 else f"the {one}" if count == 1 else f"the {count} {many}"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _heads(heads: list[int], count: int) -> str:
    if count == 1:
        return "The one head attends"
    if len(heads) == count:
        return f"All {count} heads attend"
    names = [str(head + 1) for head in heads]
    return f"Head {names[0]} attends" if len(names) == 1 else f"Heads {_listed(names)} attend"


def _direction(most: Tensor, rows: list[int]) -> str:
    """Which diagonal the strongest cells of these rows form, if they form one."""
    columns = [int(most[row]) for row in rows]
    moves = {after - before for before, after in pairwise(columns)}
    if len(columns) < 3 or moves not in ({1}, {-1}):
        return ""
    return f" Their strongest cells form a diagonal down to the {'right' if moves == {1} else 'left'}."
