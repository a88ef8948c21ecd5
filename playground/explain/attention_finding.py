"""What there is to see in attention weights: sentences computed from the numbers, never made up."""

from itertools import pairwise

from torch import Tensor

from playground.explain.document import Reading
from playground.tasks import PAD, SPECIALS, decode, task_of


def padded(reading: Reading, letter: str) -> int:
    """How many PAD end this axis."""
    return reading.tokens.get(letter, []).count(SPECIALS[PAD])


def asked(reading: Reading) -> list[tuple[int, str]]:
    """Row and what is said there, for each place that is asked for."""
    rows = (reading.batch.labels[0] != PAD).nonzero()[:, 0].tolist()
    return list(zip(rows, decode(reading.said, reading.model.config.task), strict=True))


def looks(reading: Reading, name: str, weights: Tensor) -> str:
    """Whether the heads that read the input look at the very token that is said."""
    architecture = reading.model.config.model.architecture
    if not task_of(reading.model.config.task).answers_from_source:
        return ""
    if architecture == "encoder-decoder" and ".cross_attention." not in name:
        return ""
    read = reading.tokens["T" if architecture == "decoder-only" else "S"]
    answer = [(row, token) for row, token in asked(reading) if token not in SPECIALS]
    if not answer:
        return ""
    most = weights[0].argmax(-1)  # (H, T): the column each row looks at most
    hits = [sum(read[int(head[row])] == said for row, said in answer) for head in most]
    best, total = max(hits), len(answer)
    heads = [head for head, count in enumerate(hits) if count == best]
    if 2 * best < total:
        told = f"No head by itself looks at what is said: the best does so in {best} of {total} rows."
    else:
        ways = {_direction(most[head], answer) for head in heads}
        told = (
            f"{_heads(heads, len(hits))} most at the very token that is said there, in {best} of {total} rows"
            f"{ways.pop() if len(ways) == 1 else ''}."
        )
    return f"{told} {_not_counted(reading)}".strip()


def _not_counted(reading: Reading) -> str:
    """Why fewer rows are counted than there are."""
    answer, rows = asked(reading), reading.batch.labels.size(1)
    specials = [token for _, token in answer if token in SPECIALS]
    padding = padded(reading, "S" if reading.batch.target is None else "T")
    input_alone = rows - len(answer) - padding  # of a decoder-only model, before SEP
    reasons = (
        _count(input_alone, "row that only reads the input", "rows that only read the input"),
        *(
            _count(specials.count(name), f"row that says {name}", f"rows that say {name}")
            for name in sorted({*specials})
        ),
        _count(padding, "row of padding", "rows of padding"),
    )
    told = _listed([reason for reason in reasons if reason])
    return f"Not counted: {told}." if told else ""


def _count(count: int, one: str, many: str) -> str:
    return "" if count == 0 else f"the {one}" if count == 1 else f"the {count} {many}"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _heads(heads: list[int], count: int) -> str:
    if count == 1:
        return "The one head looks"
    if len(heads) == count:
        return f"All {count} heads look"
    names = [str(head + 1) for head in heads]
    return f"Head {names[0]} looks" if len(names) == 1 else f"Heads {_listed(names)} look"


def _direction(most: Tensor, answer: list[tuple[int, str]]) -> str:
    """Where the strongest cells go from row to row, if they go evenly."""
    columns = [int(most[row]) for row, _ in answer]
    moves = {after - before for before, after in pairwise(columns)}
    if len(columns) < 3 or moves not in ({1}, {-1}):
        return ""
    return ": a diagonal that falls to the right" if moves == {1} else ": a diagonal that falls to the left, backwards"
