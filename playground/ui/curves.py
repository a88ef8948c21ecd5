"""What a run has measured, for the browsers that draw it: over HTTP, and only what is new to each of them."""

import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from playground.runs import Run
from playground.tasks import EOS, decode
from playground.ui import state
from playground.ui.assets import below_base

TABLES: dict[str, tuple[str, ...]] = {
    "steps": ("loss", "learning_rate", "gradient_norm"),
    "tests": (
        "validation_loss",
        "exact_match",
        "token_accuracy",
        "teacher_forced_exact_match",
        "teacher_forced_token_accuracy",
    ),
}
"""What is measured at each step, and at each test; a row has its step first and null where nothing was measured."""

VERSIONS = 60
"""How many earlier states of a run's tables are remembered: who has an older one gets everything again."""

Row = list[Any]


class Curves:
    """The tables of one run as browsers get them; made once for all who look, from any thread."""

    def __init__(self) -> None:
        self.version = secrets.randbelow(2**40)  # of another server's version nothing must be taken for known
        self._tables: dict[str, list[Row]] = {}
        self._same: OrderedDict[int, dict[str, int]] = OrderedDict()  # version -> rows of each table that still hold
        self._seen: object = None
        self._lock = threading.Lock()

    def told(self, run: Run, have: int) -> dict[str, Any]:
        """What is new since version `have` of this run: for each table how many rows stay, and those that follow."""
        with self._lock:
            self._refresh(run)
            same = self._same.get(have, {})
            return {
                "version": self.version,
                "tables": {
                    name: {"keep": same.get(name, 0), "rows": rows[same.get(name, 0) :]}
                    for name, rows in self._tables.items()
                },
                "examples": examples(run),
            }

    def _refresh(self, run: Run) -> None:
        seen = (run.step, run.status)
        if seen == self._seen:
            return
        self._seen = seen
        self.version += 1
        for name, rows in tables(run).items():
            stays = _common(self._tables.get(name, []), rows)
            for lengths in self._same.values():
                lengths[name] = min(lengths.get(name, 0), stays)
            self._tables[name] = rows
        self._same[self.version] = {name: len(rows) for name, rows in self._tables.items()}
        while len(self._same) > VERSIONS:
            self._same.popitem(last=False)


def tables(run: Run) -> dict[str, list[Row]]:
    """All that is drawn of a run, by table; each row has its step first."""
    made = {}
    for name, measures in TABLES.items():
        rows = run.points(measures)
        made[name] = [[row["step"], *(_number(row.get(measure)) for measure in measures)] for row in rows]
    return made


def examples(run: Run) -> list[dict[str, Any]]:
    """Held-out inputs, their right answers and what the model says to them now, in the names of tokens."""
    return [
        {"reads": _names(run, each.source), "right": _names(run, each.answer), "says": _names(run, each.prediction)}
        for each in run.examples
    ]


def routes() -> list[Route]:
    """Where the browser asks for what a run has measured."""
    return [
        Route(below_base("runs/{name}/curves"), _serve, methods=["GET"]),
        Route(below_base("runs/{name}/metrics.csv"), _serve_csv, methods=["GET"]),
    ]


_kept: WeakKeyDictionary[Run, Curves] = WeakKeyDictionary()
_keeping = threading.Lock()


def curves_of(run: Run) -> Curves:
    """The tables of this run, the same for all who look."""
    with _keeping:
        return _kept.setdefault(run, Curves())


def _serve(request: Request) -> Response:
    run = state.RUNS.watched(request.path_params["name"])
    if run is None:
        return refused("This run is not here any more.", 410)
    have = request.query_params.get("have", "")
    told = curves_of(run).told(run, int(have) if have.isascii() and have.isdigit() and len(have) < 16 else 0)
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Response(text, media_type="application/json", headers=_FRESH)


def _serve_csv(request: Request) -> Response:
    run = state.RUNS.watched(request.path_params["name"])
    if run is None:
        return refused("This run is not here any more.", 410)
    headers = _FRESH | {"Content-Disposition": f'attachment; filename="{run.name}.csv"'}
    return Response(as_csv(run.records()), media_type="text/csv", headers=headers)


def as_csv(records: Sequence[dict[str, Any]]) -> str:
    """A line a record, a column a measure: every number as exact as it was measured, nothing thinned."""
    columns = list(dict.fromkeys(name for record in records for name in record))
    lines = [",".join(repr(record[name]) if name in record else "" for name in columns) for record in records]
    return "\n".join([",".join(columns), *lines]) + "\n"


def refused(sentence: str, status: int) -> Response:
    """An answer that says why there is none."""
    return PlainTextResponse(sentence, status, headers={"Cache-Control": "no-store"})


_FRESH = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


def _names(run: Run, tokens: Sequence[int]) -> list[str]:
    return decode([token for token in tokens if token != EOS], run.config.task)


def _common(before: list[Row], after: list[Row]) -> int:
    """How many rows at the beginning are the same."""
    if before == after[: len(before)]:
        return len(before)
    return next(at for at, (a, b) in enumerate(zip(before, [*after, None])) if a != b)


def _number(value: float | None) -> float | None:
    """Short enough to travel often, exact enough for every digit that is shown."""
    return None if value is None else float(f"{value:.7g}")
