"""A recorded tensor as heatmaps: which axis goes where, and what stands beside it."""

import numpy as np

from playground.inspection import Step, Walk
from playground.tasks import decode, token_names
from playground.ui.heatmap import Grid, Kind

_KINDS: dict[str, Kind] = {
    "tokens": "tokens",
    "labels": "tokens",
    "padding_mask": "mask",
    "causal_mask": "mask",
    "mask": "mask",
    "weights": "probability",
    "probabilities": "probability",
}


def grids(walk: Walk, step: Step) -> list[Grid]:
    """One grid for a matrix, one a head for what has heads. The batch is the one input a person typed."""
    values, dims = step.value.numpy(), list(step.dims)
    if not dims:
        return [Grid("", values.reshape(1, 1), ("",), ("",), "", "")]
    if dims[0] in ("B", "1"):
        values, dims = values[0], dims[1:]
    if len(dims) == 3 and dims[0] == "1":
        values, dims = values[0], dims[1:]
    if len(dims) == 1:
        values, dims = values[None], ["1", *dims]
    if dims[0] == "H":
        return [_grid(walk, step, f"head {head + 1}", matrix, dims[1:]) for head, matrix in enumerate(values)]
    return [_grid(walk, step, "", values, dims)]


def _grid(walk: Walk, step: Step, title: str, matrix: np.ndarray, dims: list[str]) -> Grid:
    rows, columns = (_labels(walk, letter, size) for letter, size in zip(dims, matrix.shape, strict=True))
    if step.operation.tap == "labels":  # they stand where the tokens read stand, but are others
        columns = tuple(decode([int(token) for token in matrix[0]], walk.model.config.task))
    row_axis, column_axis = dims
    return Grid(title, matrix, rows, columns, row_axis, column_axis, kind=_KINDS.get(step.operation.tap, "signed"))


def _labels(walk: Walk, letter: str, size: int) -> tuple[str, ...]:
    """Tokens along a sequence or the vocabulary, plain numbers along anything else."""
    task = walk.model.config.task
    if letter == "V":
        return token_names(task)
    return tuple(walk.tokens.get(letter, map(str, range(size))))
