"""The history of a training as a table: a line for each record, a column for each number."""

from playground.common.errors import PlaygroundError
from playground.common.numbers import as_csv
from playground.storage.checkpoint import Checkpoint
from playground.training.measure import table


class HistoryError(PlaygroundError, ValueError):
    """A checkpoint without a history."""


def content(checkpoint: Checkpoint) -> bytes:
    """The table as CSV, as a download of the Train page has it; raises `HistoryError` if there are no records."""
    if not checkpoint.history:
        raise HistoryError("This checkpoint has no training records.", "Export a model that was trained here.")
    return as_csv(table(checkpoint.history)).encode()
