"""Rows as a DataFrame, where pandas is installed."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from playground.common.errors import PlaygroundError

if TYPE_CHECKING:
    import pandas as pd


def data_frame(rows: Sequence[Mapping[str, Any]]) -> "pd.DataFrame":
    """A column for each key, in their order; raises `PlaygroundError` without pandas."""
    try:
        import pandas as pd
    except ImportError:
        raise PlaygroundError("A frame needs pandas.", "Run: python -m pip install pandas") from None
    return pd.DataFrame(rows)
