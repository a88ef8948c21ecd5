"""Scores of a model on held-out or given inputs, by length, position, class, or groups that its task knows."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal

import torch
from torch import Tensor
from torch.nn import functional as F

from playground.common.errors import PlaygroundError, one_line
from playground.common.numbers import interval, percent, wilson
from playground.common.tables import data_frame
from playground.decoding.long_inputs import untrained
from playground.experiments.lengths import at_length, checked, groups
from playground.laboratory.model_inputs import AnyInputs, AnyModel, readable
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.settings.estimate import pass_size
from playground.storage.checkpoint import model_of
from playground.tasks import PAD, task_of
from playground.tasks.batches import HELD_OUT_SEQUENCES, MAX_ENUMERATED, Sequences
from playground.training.evaluation import Marks, by_length, marks

if TYPE_CHECKING:
    import pandas as pd

Split = Callable[[Tensor], Sequence[int | str]]
"""From (N, S) token ids of inputs to the group of each."""

_OF_CLASS = ("n", "exact_match", "low", "high")


class EvaluationError(PlaygroundError, ValueError):
    """Inputs or groups that a model can't be tested by."""


@dataclass(frozen=True)
class GroupScore:
    """Scores on one group of inputs. The model reads its own predictions, except for the loss."""

    group: int | str
    n: int  # inputs
    exact_match: float | None  # fraction of answers right in every token; None by position and for a text
    token_accuracy: float | None  # fraction of right tokens; of a text after the right ones
    loss: float | None = None  # nats per token, under teacher forcing; None by position
    classes: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    """Inputs and exact match by class of the right answer; empty for a task without classes."""
    length: int | None = None  # of these inputs, where lengths were asked for
    trained: bool = True  # whether training had this length

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval (Wilson 1927) of `exact_match` or, where that is None, of `token_accuracy`.

        That of a text's token accuracy counts inputs, because the tokens of one input depend on each other.
        """
        return wilson(self._fraction or 0.0, self.n)

    @property
    def baseline(self) -> float | None:
        """Exact match of always answering the most frequent class; None for a task without classes."""
        return max(n for n, _ in self.classes.values()) / self.n if self.classes else None

    @property
    def _fraction(self) -> float | None:
        return self.token_accuracy if self.exact_match is None else self.exact_match

    def as_json(self) -> dict[str, Any]:
        """Plain data; None for what was not measured."""
        low, high = self.interval
        at = {} if self.length is None else {"length": self.length, "trained": self.trained}
        scores = {"n": self.n, "exact_match": self.exact_match, "low": low, "high": high}
        scores |= {"token_accuracy": self.token_accuracy, "loss": self.loss}
        if not self.classes:
            return at | {"group": self.group} | scores
        by_class = {
            name: dict(zip(_OF_CLASS, (n, exact, *wilson(exact, n)), strict=True))
            for name, (n, exact) in self.classes.items()
        }
        return at | {"group": self.group} | scores | {"baseline": self.baseline, "classes": by_class}


@dataclass(frozen=True, repr=False)
class ScoreTable:
    """What `playground.evaluate` measured: a row for each group."""

    by: str  # what the groups are; "" for all inputs together
    rows: tuple[GroupScore, ...]
    total: GroupScore | None  # all inputs together; None where lengths were asked for

    def as_json(self) -> dict[str, Any]:
        """Plain data: the total, `by` and the `rows`."""
        whole = {name: value for name, value in (self.total.as_json() if self.total else {}).items() if name != "group"}
        return whole | {"by": self.by or None, "rows": [row.as_json() for row in self.rows]}

    def frame(self) -> "pd.DataFrame":
        """A row for each group, with `n`, `exact_match`, its 95 % interval `low` to `high`, and the other scores.

        Per class, the columns are `CLASS.n` and so on. Raises `playground.PlaygroundError` without pandas.
        """
        return data_frame([self._flat(row) for row in self.rows])

    def _flat(self, row: GroupScore) -> dict[str, Any]:
        found = row.as_json()
        classes = found.pop("classes", {})
        group = found.pop("group")
        named = {self.by: group} if self.by and not (self.by == "length" and row.length is not None) else {}
        per_class = {f"{name}.{key}": value for name, scores in classes.items() for key, value in scores.items()}
        at = {key: found.pop(key) for key in ("length", "trained") if key in found}
        return at | named | found | per_class

    def __repr__(self) -> str:
        rows = [*self.rows, *([self.total] if self.total and self.by else [])]
        lines = [self._header, *map(self._line, rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        cells = ([cell.rjust(width) for cell, width in zip(line, widths, strict=True)] for line in lines)
        return "\n".join("  ".join(line).rstrip() for line in cells)

    @property
    def _columns(self) -> list[str]:
        """Names of the columns that are printed; without what no row has."""
        flat = [self._flat(row) for row in self.rows]
        hidden = {"low", "high", "trained", *(f"{name}.{key}" for name in self._classes for key in _OF_CLASS)}
        names = dict.fromkeys(name for row in flat for name in row if name not in hidden)
        return [name for name in names if any(row.get(name) is not None for row in flat)]

    @property
    def _classes(self) -> list[str]:
        return sorted({name for row in self.rows for name in row.classes})

    @property
    def _measured(self) -> str:
        """The fraction whose interval is printed."""
        return "exact_match" if "exact_match" in self._columns else "token_accuracy"

    @property
    def _header(self) -> list[str]:
        shown = {"n": "inputs", "exact_match": "exact match", "token_accuracy": "token accuracy"}
        cells = [shown.get(name, name) for name in self._columns]
        at = self._columns.index(self._measured) + 1 if self._measured in self._columns else len(cells)
        return [*cells[:at], "95 % interval", *cells[at:], *self._classes, ""]

    def _line(self, row: GroupScore) -> list[str]:
        flat, cells = self._flat(row), []
        for name in self._columns:
            value = flat.get(name)
            if value is None:
                cells.append("-")
            elif name in ("exact_match", "token_accuracy", "baseline"):
                cells.append(percent(value))
            else:
                cells.append(f"{value:.4f}" if name == "loss" else f"{value:,}" if name == "n" else str(value))
            if name == self._measured:
                cells.append(interval(flat[name], row.n) if row.n and flat[name] is not None else "-")
        cells += [percent(row.classes[name][1]) if name in row.classes else "-" for name in self._classes]
        return [*cells, "" if row.trained else "not in training"]


def evaluate(
    model: AnyModel,
    sequences: int | Literal["all"] | AnyInputs = HELD_OUT_SEQUENCES,
    by: str | Split | None = None,
    lengths: Sequence[int] | Literal["usual"] | None = None,
) -> ScoreTable:
    """Test a model on inputs that it was not trained on, together or in groups.

        playground.evaluate(model)  # 1,000 held-out inputs
        playground.evaluate(model, by="carries").frame()  # addition: by the number of carries
        playground.evaluate(model, lengths=[32, 64, 128, 256])  # also beyond training, as far as positions allow
        playground.evaluate(model, ["3 1 4", "1 5 9"])  # your own inputs

    `sequences` is the number of held-out inputs (with `lengths`, of each length), at most 65,536; "all" held-out
    inputs of a task that has at most 65,536 different ones; or your own: typed, token ids (N, S), or what
    `playground.tokens` returns.

    `by` is "position" of the answer's tokens, from 1, EOS included; "length" of the input in tokens; "class" of the
    right answer, where the task has classes; a split of the task, such as "carries"; or a function from (N, S) token
    ids to N groups. `lengths` are as the settings min_length and max_length, or "usual" ones.

    Each row has the number of inputs `n`, `exact_match` with its 95 % interval, `token_accuracy` and the `loss` in nats
    per token; where the task has classes, also exact match per class, and the `baseline` of always answering the most
    frequent one. The answers are greedy. Of a text, token accuracy and loss count the next token after the right ones.

    Raises `playground.PlaygroundError` for groups, lengths and numbers of inputs that this model doesn't have, and
    `playground.InputError` for invalid inputs.
    """
    return scored(model_of(model), sequences, by, lengths)


def scored(
    model: TaskModel,
    sequences: int | Literal["all"] | AnyInputs,
    by: str | Split | None = None,
    lengths: Sequence[int] | Literal["usual"] | None = None,
    on_progress: Callable[[float], None] = lambda share: None,
) -> ScoreTable:
    """`evaluate`, with the fraction of all tests that is done after each pass."""
    own = model.eval()
    split = _split(own.config, by)
    name = by if isinstance(by, str) else getattr(by, "__name__", "group").strip("<>") if by else ""
    if lengths is None:
        reader, source = _inputs(own, sequences)
        found = _tested(reader, source, split, own.config, on_progress)
        return ScoreTable(name, tuple(found.rows()) if by else (found.score("all"),), found.score("all"))
    if isinstance(sequences, bool) or not isinstance(sequences, int) or not 1 <= sequences <= MAX_ENUMERATED:
        raise EvaluationError(
            f"With lengths, sequences is the number of inputs of each length: 1 to {MAX_ENUMERATED:,}."
        )
    if lengths != "usual" and (
        isinstance(lengths, str)
        or not isinstance(lengths, Iterable)
        or not (lengths := [*lengths])
        or not all(isinstance(each, Integral) for each in lengths)
    ):
        raise EvaluationError(f"lengths can't be {one_line(lengths, 40)}. Give whole numbers, as in [8, 16], or usual.")
    rows, every = list[GroupScore](), checked(own.config, [] if lengths == "usual" else [int(each) for each in lengths])
    for index, length in enumerate(every):

        def passed(share: float, index: int = index) -> None:
            on_progress((index + share) / len(every))

        found = _tested(*at_length(own, length, sequences), split, own.config, passed, length)
        rows += found.rows() if by and by != "length" else [found.score("all")]
    return ScoreTable(name, tuple(rows), None)


def splits_of(config: RunConfig) -> list[str]:
    """What `by` can be for a model with these settings."""
    task = task_of(config.task)
    has_classes = bool(task.classes(Sequences.of(config.task).held_out(1)))
    return ["position", "length", *["class"] * has_classes, *task.splits]


def _split(config: RunConfig, by: str | Split | None) -> Split | None:
    """The function for `by`; None for all inputs together and for positions, which are groups of tokens."""
    if by is None or callable(by):
        return by
    if by not in (known := splits_of(config)):
        raise EvaluationError(f"by can't be {one_line(by, 40)}. Use one of {', '.join(known)}, or a function.")
    task = task_of(config.task)
    own: dict[str, Split] = {"length": _lengths, "class": task.classes}
    return own.get(by) or (partial(task.splits[by], task) if by in task.splits else None)


def _lengths(source: Tensor) -> list[int]:
    lengths: list[int] = (source != PAD).sum(1).tolist()
    return lengths


def _inputs(model: TaskModel, sequences: int | str | AnyInputs) -> tuple[TaskModel, Tensor]:
    """The inputs to test, (N, S), and the model as it reads them."""
    task, count = task_of(model.config.task), HELD_OUT_SEQUENCES
    if isinstance(sequences, int):
        if isinstance(sequences, bool) or not 1 <= sequences <= MAX_ENUMERATED:
            raise EvaluationError(f"sequences can't be {sequences}. Use 1 to {MAX_ENUMERATED:,}, or all.")
        count = sequences
    elif sequences == "all":
        count = task.count_sources()
        if count > MAX_ENUMERATED:
            raise EvaluationError(
                f"The task {task.name} has {count:,} inputs with these settings; all can be tested up to "
                f"{MAX_ENUMERATED:,}. Give a number."
            )
    else:
        return readable(model, sequences)
    return model, Sequences.of(model.config.task).held_out(count)


@dataclass(frozen=True)
class _Tested:
    """Inputs with the marks of their answers, row by row."""

    marks: Marks
    classes: Sequence[str]  # of each input, or none
    names: Sequence[int | str] | None  # the group of each input; None: groups are positions
    continues: bool
    length: int | None
    trained: Sequence[bool]  # of each input: training had its length

    def score(self, group: int | str, chosen: Tensor | None = None) -> GroupScore:
        """The scores on the inputs where `chosen`, (N,) of bool, is True, by default on all."""
        rows = torch.ones_like(self.marks.labels, dtype=torch.bool) if chosen is None else chosen
        right, forced, scored, nats, labels = (part[rows] for part in self.marks)
        trained = all(self.trained[row] for row in rows.nonzero()[:, 0].tolist())
        if not (n := len(right)):
            return GroupScore(group, 0, None, None, length=self.length, trained=trained)
        exact, classes = (right == scored).all(1).double(), {}
        of_class = [self.classes[row] for row in rows.nonzero()[:, 0].tolist()] if self.classes else []
        for name, count in sorted(Counter(of_class).items()):
            classes[name] = count, float(exact[torch.tensor([each == name for each in of_class])].mean())
        return GroupScore(
            group,
            n,
            None if self.continues else float(exact.mean()),
            _fraction(forced if self.continues else right, scored),
            float(nats.double().sum()) / int(labels.sum()) if labels.any() else None,
            classes,
            self.length,
            trained,
        )

    def rows(self) -> Iterator[GroupScore]:
        """The scores of each group, in order."""
        if self.names is None:
            marked = self.marks.forced if self.continues else self.marks.right
            for position, (right, scored) in enumerate(zip(marked.T, self.marks.scored.T, strict=True), start=1):
                n, accuracy = int(scored.sum()), _fraction(right, scored)
                trained = all(self.trained[row] for row in self.marks.scored[:, position - 1].nonzero()[:, 0].tolist())
                yield GroupScore(position, n, None, accuracy, length=self.length, trained=trained)
            return
        for name in sorted(set(self.names), key=lambda name: (isinstance(name, str), name)):
            yield self.score(name, torch.tensor([each == name for each in self.names]))


def _tested(
    model: TaskModel,
    source: Tensor,
    split: Split | None,
    training: RunConfig,
    on_progress: Callable[[float], None],
    length: int | None = None,
) -> _Tested:
    """Test inputs; `training` are the settings with the lengths of training."""
    config = model.config
    task = task_of(config.task)
    if not len(source):
        none = torch.zeros(0, 0, dtype=torch.bool)
        return _Tested(Marks(none, none, none, none.sum(1), none.sum(1)), [], [], task.continues, length, [])
    source = source[(source != PAD).sum(1).argsort(stable=True, descending=True)]  # as `by_length` groups them
    grouped = by_length(source, pass_size(config)) if length is None else groups(model, source)
    parts = list[Marks]()
    for group in grouped:
        parts.append(marks(model, group))
        on_progress(sum(len(part.labels) for part in parts) / len(source))
    names = None if split is None else _groups_of(split(source))
    if names is not None and len(names) != len(source):
        raise EvaluationError(f"by gave {len(names)} groups for {len(source)} inputs. It must give one for each input.")
    trained = [not untrained(training, [token for token in row if token != PAD]) for row in source.tolist()]
    return _Tested(_joined(parts), task.classes(source), names, task.continues, length, trained)


def _groups_of(found: object) -> list[int | str]:
    """What a function returned, as keys."""
    if isinstance(found, Iterable) and not isinstance(found, str | Mapping) and getattr(found, "ndim", 1) == 1:
        return [_name(name) for name in found]
    kind = f"shape {tuple(found.shape)}" if hasattr(found, "shape") else type(found).__name__
    raise EvaluationError(f"by gave {kind}. It must give one number or text for each input.")


def _joined(parts: Sequence[Marks]) -> Marks:
    width = max(part.right.size(1) for part in parts)
    right, forced, scored = (
        torch.cat([F.pad(part[at], (0, width - part[at].size(1))) for part in parts]) for at in range(3)
    )
    return Marks(right, forced, scored, torch.cat([part.nats for part in parts]), torch.cat([p.labels for p in parts]))


def _name(name: object) -> int | str:
    """A group as a key: of a tensor's or NumPy's numbers the plain one."""
    plain = name.item() if hasattr(name, "item") else name
    return plain if isinstance(plain, int | str) and not isinstance(plain, bool) else str(plain)


def _fraction(right: Tensor, scored: Tensor) -> float | None:
    return int(right.sum()) / int(scored.sum()) if scored.any() else None
