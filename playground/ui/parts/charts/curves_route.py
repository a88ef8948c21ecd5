"""A run's measures for the charts: sent by the event stream, only the new rows to each browser."""

import asyncio
import json
import math
import secrets
import threading
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import Response

from playground.explain import tap_path
from playground.model.architecture import attention_weights
from playground.optimization.schedules import SCHEDULES
from playground.pictures.charts import TABLES
from playground.runs import Run
from playground.runs.frames import Frame
from playground.settings.config import value_at
from playground.tasks import EOS, PAD, task_of, token_names
from playground.training import SHOWN_EXAMPLES, examples
from playground.training.measure import EXAMPLES, GROUPED, groups_of
from playground.ui.parts.computed import csv_of_run, why
from playground.ui.server import channels, work
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import visitor_route
from playground.ui.server.stream import Channel
from playground.ui.session import setting_words
from playground.ui.session.services import services

VERSIONS = 60
"""Versions of a growing run's tables that are remembered; a browser with an older one gets everything again."""

Row = list[Any]


class RunCurves:
    """The tables of one run as browsers get them; built once for all listeners. Thread-safe."""

    def __init__(self) -> None:
        self.version = secrets.randbelow(2**40)  # versions of a restarted server must not be mistaken for known ones
        self._tables: dict[str, dict[int, Row]] = {}  # by step
        self._versions: OrderedDict[int, dict[str, array]] = OrderedDict()  # steps of each table
        self._points: dict[str, dict[int, tuple[dict[str, Any], Row]]] = {}  # as measured, and as sent
        self._frames: dict[int, tuple[Frame, dict[str, Row]]] = {}
        self._seen: object = None
        self._lock = threading.Lock()

    def refresh(self, run: Run) -> None:
        """Read what the run has measured."""
        with self._lock:
            self._refresh(run)

    def fields(self, run: Run, have: int) -> dict[str, Any]:
        """The changes since version `have` of this run, as of the last `look`.

        For each table: the indices of removed rows, and the rows to append.
        """
        with self._lock:
            return self._news(run, have)

    def _news(self, run: Run, have: int) -> dict[str, Any]:
        before = self._versions.get(have)
        news = {name: _news(None if before is None else before[name], rows) for name, rows in self._tables.items()}
        return {"version": self.version, "tables": news, **_beside(run, full=before is None)}

    def _refresh(self, run: Run) -> None:
        seen = (run.step, run.status, len(run.changes), run.metadata.origin)
        if seen == self._seen:
            return
        self._seen = seen
        tables = {name: {row[0]: row for row in rows} for name, rows in self._measured(run).items()}
        for name, rows in tables.items():
            before = self._tables.get(name, {})
            if any(row is not (old := before.get(step, row)) and row != old for step, row in rows.items()):
                self._versions.clear()  # steps repeated with other settings
        self._tables = tables
        self.version += 1
        newest = next(reversed(self._versions.values()), {})
        steps = {name: array("q", rows) for name, rows in tables.items()}
        self._versions[self.version] = {
            name: known if (known := newest.get(name)) == now else now for name, now in steps.items()
        }
        while len(self._versions) > (2 if run.ended else VERSIONS):
            self._versions.popitem(last=False)

    def _measured(self, run: Run) -> dict[str, list[Row]]:
        """All tables of a run; each row starts with its step. Known rows are reused."""
        tables = {}
        for name, measures in TABLES.items():
            before, points = self._points.get(name, {}), {}
            for point in run.points(measures):
                known = before.get(point["step"])
                if known is None or known[0] != point:
                    known = point, [point["step"], *(_number(point.get(measure)) for measure in measures)]
                points[point["step"]] = known
            self._points[name] = points
            tables[name] = [row for _, row in points.values()]
        frames = {}
        for step, frame in run.kept_frames():
            kept = self._frames.get(step)
            frames[step] = kept if kept and kept[0] is frame else (frame, _frame_rows(step, frame))
        self._frames = frames
        names = (*(measure.name for measure in GROUPED), EXAMPLES)
        return tables | {name: [rows[name] for _, rows in frames.values()] for name in names}


def _frame_rows(step: int, frame: Frame) -> dict[str, Row]:
    """Rows of the tables of evaluated steps: each grouped measure, and token ids predicted for each shown example."""
    rows: dict[str, Row] = {name: [step, *map(_number, values.tolist())] for name, values in frame.values.items()}
    return rows | {EXAMPLES: [step, [row[row != PAD].tolist() for row in frame.predictions]]}


def _news(before: Sequence[int] | None, rows: dict[int, Row]) -> dict[str, Any]:
    if before is None:
        return {"all": True, "rows": list(rows.values())}
    gone = [index for index, step in enumerate(before) if step not in rows]
    stays = len(before) - len(gone)
    steps = list(rows)
    if steps[:stays] != [step for step in before if step in rows]:
        return {"all": True, "rows": list(rows.values())}
    return {"gone": gone, "rows": [rows[step] for step in steps[stays:]]}


def _beside(run: Run, *, full: bool) -> dict[str, Any]:
    """Other fields: those that can change, and with `full` also the constant ones."""
    fields: dict[str, Any] = {
        "changes": _changes(run),
        "kept": run.snapshot_steps(),
        "step": run.step,
        "ended": run.ended,
    }
    if full:
        shown, taps = examples(run.config, [()] * SHOWN_EXAMPLES), attention_weights(run.config.model)
        fields |= {
            "groups": {
                measure: [_group(name, taps) for name in names] for measure, names in groups_of(run.config).items()
            },
            "tokens": token_names(run.config.task),
            "end": EOS,
            "open": task_of(run.config.task).continues,
            "examples": [{"reads": example.source, "right": example.answer} for example in shown],
            "attentions": [
                {"tap": tap, "title": ", ".join(tap_path(tap)[:-1]), "heads": run.config.model.n_heads} for tap in taps
            ],
            "attention": why(run.config),
        }
    return fields


def _group(name: str, attentions: Sequence[str]) -> tuple[str, str]:
    """The attention that a group belongs to, "" for none, and what the legend calls it."""
    tap = next((tap for tap in attentions if name.startswith(f"{tap}.")), "")
    if not tap:
        return "", name
    role, _, head = name.removeprefix(f"{tap}.").rpartition(".")
    return tap, f"head {head}" + f": {role}" * bool(role)


def _changes(run: Run) -> list[dict[str, Any]]:
    """Steps of changes and of the branch point, with the labels in the charts.

    A change of the last step is listed only if the learning rate schedule depends on it.
    """
    marks = []
    if origin := run.metadata.origin:
        marks.append({"step": origin.step, "label": f"from {origin.name}"})
    for change in run.changes:
        before, now = (run.config.after(run.changes, step) for step in (change.step - 1, change.step))
        ends = ["training.stop_when_solved"]
        if not SCHEDULES[now.training.schedule].reads_steps:
            ends.append("training.steps")
        course = {path: value_at(before, path) for path in ends}
        if change.step <= run.step and (label := setting_words.change_words(before, now.updated(course))):
            marks.append({"step": change.step, "label": label})
    return marks


_kept: WeakKeyDictionary[Run, RunCurves] = WeakKeyDictionary()
_keeping = threading.Lock()


def curves_of(run: Run) -> RunCurves:
    """The tables of this run, shared by all listeners."""
    with _keeping:
        return _kept.setdefault(run, RunCurves())


class CurvesChannel(Channel):
    """Event stream channel of a run's tables."""

    def __init__(self, name: str, run: Run) -> None:
        super().__init__(name)
        self._run, self._curves = run, curves_of(run)
        self._events: dict[int, bytes] = {}  # update to the newest version, by the listener's version

    def refresh(self) -> bool:
        self.moving = not self._run.ended  # before reading: later changes are read next time
        self._curves.refresh(self._run)
        if self.version == self._curves.version:
            return False
        self.version, self._events = self._curves.version, {}
        return True

    def since(self, version: int) -> bytes:
        if version == self.version:
            return b""
        if version not in self._events:
            fields = self._curves.fields(self._run, version)
            self._events[version] = self.event({name: _json(value) for name, value in fields.items()})
        return self._events[version]


@channels.channel("curves")
def _of_run(name: str, run_id: str, _visitor: str) -> CurvesChannel:
    return CurvesChannel(name, channels.watched(name, run_id))


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


@visitor_route("runs/{name}/metrics.csv")
async def _serve_csv(request: Request, _visitor: str) -> Response:
    run = await asyncio.to_thread(services().runs.watched, request.path_params["name"])
    if run is None:
        raise Refused(410, "This run no longer exists.")
    key = "metrics", run.id, run.step, run.status
    content = await work.COMPUTING.ask(request, key, lambda: work.computed(csv_of_run, run.deferred_records()))
    headers = {"Content-Disposition": attachment(f"{run.metadata.name}.csv")}
    return Response(content, media_type="text/csv", headers=headers)


def attachment(name: str) -> str:
    """Content-Disposition header with a file name in any script, because owners choose run names."""
    return f"attachment; filename*=UTF-8''{quote(name, safe='')}"


def _number(value: float | None) -> float | None:
    """A number rounded so that it is short to send and exact in every digit shown."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.7g}")
