"""The history of a run on disk, one record per line. Partial lines of failed writes are skipped."""

import json
import math
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from io import BufferedIOBase, BufferedReader, FileIO
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator

from playground.common.files import open_regular
from playground.settings.config import SIZE_FACTOR, RunConfig, bounds, setting_paths
from playground.tasks import task_of
from playground.training import SHOWN_EXAMPLES
from playground.training.measure import GROUPED, MEASURES, Measure, groups_of

MAX_LINE_BYTES = 64_000 * SIZE_FACTOR**2
"""Limit of a line; a record of the largest model takes a tenth of it."""

_MAX_STEP = int(bounds(setting_paths()["training.steps"])[1])
_MAX_NAMED_GAPS = 3

_Count = Annotated[int, Field(ge=0, lt=2**31)]


class _Base(BaseModel):
    """The fields of all records; other fields of a line are ignored."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    step: Annotated[int, Field(ge=0, le=_MAX_STEP)]
    predictions: list[list[_Count]] = []

    @model_validator(mode="after")
    def _rules(self) -> Self:
        if "exact_match" in self.model_fields_set and "sequences" not in self.model_fields_set:
            raise ValueError("an evaluation without its number of sequences")
        return self

    def fits(self, config: RunConfig, groups: Mapping[str, Collection[str]]) -> bool:
        """A model with these settings and these groups of its measures can produce this record."""
        max_length = task_of(config.task).max_answer_length + 1  # EOS included
        return (
            len(self.predictions) <= SHOWN_EXAMPLES
            and all(len(row) <= max_length and max(row, default=0) < config.vocabulary_size for row in self.predictions)
            and all(
                measure.allows(getattr(self, measure.name), groups[measure.name])
                for measure in GROUPED
                if measure.name in self.model_fields_set
            )
        )


def _field(measure: Measure) -> Any:
    """The type and default of a measure in a record."""
    if measure.groups:
        return Any, None  # `fits` looks at it
    ends: Any = {name: end for name, end in (("ge", measure.low), ("le", measure.high)) if math.isfinite(end)}
    if measure.whole:
        return Annotated[int, Field(**ends)], 0
    return Annotated[float, Field(**ends, allow_inf_nan=measure.overflows)], 0


_Record = create_model("_Record", __base__=_Base, **{measure.name: _field(measure) for measure in MEASURES})
"""The fields of `Progress.record`."""


class Journal:
    """The records of one run in a file. One process appends; others may read meanwhile."""

    def __init__(self, path: Path, config: RunConfig) -> None:
        self.path, self.config = path, config
        self._until: float = math.inf
        self._end: int | None = None  # byte offset of the next record; None: not known yet
        self._before = 0  # `_end` before the last append

    def records(self) -> Iterator[dict[str, Any]]:
        """All complete records in ascending steps; none if there is no file. Raises OSError."""
        for record, _ in self._scan():
            yield record

    def resume(self, until: float) -> list[dict[str, Any]]:
        """The records up to step `until`; the next append replaces later ones. Raises OSError."""
        self._until = until
        records, self._end = [], 0
        try:
            for record, end in self._scan():
                if record["step"] > until:
                    break
                records.append(record)
                self._end = end
        except OSError:
            self._end = None  # determined before the next append
            raise
        return records

    def append(self, records: Iterable[dict[str, Any]]) -> None:
        """Write all records or none. Raises OSError.

        They are not synced to the disk: a power cut may lose the last ones.
        """
        if self._end is None:
            self.resume(self._until)
        assert self._end is not None
        content = "".join(json.dumps(record) + "\n" for record in records).encode()
        with open_regular(self.path, write=True) as file:
            end = min(self._end, os.fstat(file.fileno()).st_size)
            file.truncate(end)  # remove the rest of a failed append
            if end and _byte(file, end - 1) != b"\n":
                content = b"\n" + content
            file.seek(end)
            try:
                rest = memoryview(content)
                while rest:
                    rest = rest[file.write(rest) :]
            except OSError:
                with suppress(OSError):  # the next append tries again
                    file.truncate(end)
                raise
        self._before, self._end = end, end + len(content)

    def take_back(self) -> None:
        """Undo the last append."""
        self._end = self._before
        with suppress(OSError), open_regular(self.path, write=True) as file:  # or the next append does it
            file.truncate(self._end)

    def _scan(self) -> Iterator[tuple[dict[str, Any], int]]:
        """Each complete record and the byte offset of its line's end.

        Every step has one record. A record that skips steps is damaged if the next line has an earlier step.
        """
        last, waiting = -1, None
        for record, end in self._whole_records():
            if waiting is None or record.step > waiting[0].step:
                if waiting is not None:
                    last = waiting[0].step
                    yield waiting[0].model_dump(exclude_unset=True), waiting[1]
                waiting = record, end
            elif waiting[0].step > last + 1 and record.step > last:
                waiting = record, end
        if waiting is not None:
            yield waiting[0].model_dump(exclude_unset=True), waiting[1]

    def _whole_records(self) -> Iterator[tuple[_Base, int]]:
        groups = groups_of(self.config)
        try:
            with open_regular(self.path) as raw, BufferedReader(raw) as file:
                for line, end in _lines(file):
                    try:
                        record = _Record.model_validate_json(line)
                    except ValidationError:
                        continue
                    if record.fits(self.config, groups):
                        if "exact_match_low" not in record.model_fields_set:
                            record.predictions.clear()  # of an earlier version, which showed other inputs
                        yield record, end
        except FileNotFoundError:
            return


def missing(steps: Iterable[int], last: int) -> str:
    """A sentence naming the steps from 0 to `last` missing in the ascending `steps`; empty if none is missing."""
    gaps, expected = [], 0
    for step in (*steps, last + 1):
        if step > expected:
            gaps.append(f"{expected:,}" if step == expected + 1 else f"{expected:,} to {step - 1:,}")
        expected = step + 1
    if not gaps:
        return ""
    more = len(gaps) - _MAX_NAMED_GAPS
    listed = [*gaps[:_MAX_NAMED_GAPS], *([f"{more} other gaps"] if more > 1 else gaps[_MAX_NAMED_GAPS:])]
    named = " and ".join(filter(None, (", ".join(listed[:-1]), listed[-1])))
    one = len(gaps) == 1 and "to" not in gaps[0]
    return f"{'Step' if one else 'Steps'} {named} {'is' if one else 'are'} missing from the history on disk."


def _lines(file: BufferedIOBase) -> Iterator[tuple[bytes, int]]:
    """Each line of at most `MAX_LINE_BYTES` and its end offset."""
    end, too_long = 0, False
    while line := file.readline(MAX_LINE_BYTES):
        end += len(line)
        cut = len(line) == MAX_LINE_BYTES and not line.endswith(b"\n")
        if not (cut or too_long):
            yield line, end
        too_long = cut


def _byte(file: FileIO, offset: int) -> bytes:
    file.seek(offset)
    return file.read(1)
