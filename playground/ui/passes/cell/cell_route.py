"""Route for the computation of one cell, requested when a person points at it: plain HTTP, without a script run."""

import json
import math
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from torch import Tensor

from playground.explain.cells import Cell, Line
from playground.explain.inspection import NotFiniteError, Walk
from playground.explain.words import parameter_symbol, title_beside
from playground.ui.parts.mathml import mathml
from playground.ui.server import work
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import visitor_route
from playground.ui.session import walks

MAX_NUMBERS = 4096
"""Maximum number of parameter values sent with a cell: more than the longest row."""

_DAY = 24 * 3600


@visitor_route("walk/{name}/cell")
async def _serve(request: Request, _visitor: str) -> Response:
    name, gradient = request.path_params["name"], "gradient" in request.query_params
    walk = walks.kept(name)
    if walk is None:
        raise Refused(410, "This forward pass has expired. Reload the page.")
    operation, numbers = request.query_params.get("operation", ""), request.query_params.get("at", "")
    step = next((step for step in walk.steps if step.name == operation), None)
    if step is None:
        raise Refused(404, "Unknown operation.")
    shape = tuple(step.value.shape)
    try:
        index = tuple(int(number) for number in numbers.split(",")) if numbers and len(numbers) <= 100 else ()
    except ValueError:
        index = (-1,)
    if len(index) != len(shape) or not all(0 <= i < size for i, size in zip(index, shape, strict=True)):
        raise Refused(400, f"A cell of {operation} has one number for each axis of {shape}, counted from 0.")
    encode = partial(_encoded, walk, operation, index, gradient)
    content = await work.READING.ask(request, ("cell", name, operation, index, gradient), encode)
    # A cell never changes while its walk is cached. Private, as it may show a visitor's input.
    headers = {"Cache-Control": f"private, max-age={_DAY}, immutable"}
    return Response(content, media_type="application/json", headers=headers)


def _encoded(walk: Walk, operation: str, index: tuple[int, ...], gradient: bool) -> bytes:
    try:
        cell = cell_fields(walk, operation, (walk.gradient_cell if gradient else walk.cell)(operation, index))
    except KeyError as error:
        raise Refused(404, "This number has no gradient.") from error
    except NotFiniteError as error:
        raise Refused(409, str(error)) from error
    except ValueError as error:  # a model with a mistake
        raise Refused(409, "This model doesn't compute this number as the formula says.") from error
    return json.dumps(cell, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def cell_fields(walk: Walk, operation: str, cell: Cell) -> dict[str, Any]:
    """A cell as JSON data; None is minus infinity, `strips` are the rows of parameters that it depends on."""
    parameters = dict(walk.model.named_parameters()) | dict(walk.model.named_buffers())
    return {
        "value": _number(cell.value),
        "lines": [
            {
                "name": line.name,
                "symbolic": mathml(line.symbolic, display=True),
                "numbers": mathml(line.numbers, display=True),
                "value": _number(line.value),
                "over": line.over,
                "terms": [[*map(_number, term.factors), _number(term.value)] for term in line.terms],
                "indices": _indices(line),
            }
            for line in cell.lines
        ],
        "reads": [vars(read) for read in cell.reads],
        "readers": [(title_beside(name, operation), name) for name in cell.readers],
        "curve": cell.curve,
        "remark": cell.remark,
        "strips": [
            _strip(read.tensor, read.region, parameters[read.tensor])
            for read in cell.reads
            if read.tensor in parameters
        ],
    }


def _strip(name: str, region: tuple[tuple[int, int], ...], parameter: Tensor) -> dict[str, Any]:
    part = parameter.detach()[tuple(slice(first, end) for first, end in region)]
    kept = [first if end - first == 1 else None for first, end in region]
    where = ""
    if kept.count(None) == 1 and len(kept) == 2:
        # A linear layer stores its matrix transposed: its rows are the columns of the formula's W.
        as_row = (kept[0] is not None) != _is_linear(name)
        where = f", {'row' if as_row else 'column'} {_counted(name, kept)}"
    code = f"{'.'.join(name.split('.')[-2:])}[{', '.join(':' if index is None else str(index) for index in kept)}]"
    values = part.flatten()[:MAX_NUMBERS].tolist()
    return {"tensor": name, "title": f"{parameter_symbol(name)}{where} = {code}", "values": list(map(_number, values))}


def _counted(name: str, kept: list[int | None]) -> int:
    """The constant index, as formulas count it: from 1, token ids from 0."""
    index = kept[0] if kept[1] is None else kept[1]
    assert index is not None
    by_token = kept[1] is None and name.split(".")[-2] in ("head", "token_table")
    return index + (not by_token)


def _is_linear(name: str) -> bool:
    module = name.split(".")[-2]
    return module.startswith("w_") or module == "head"


def _indices(line: Line) -> list[int] | None:
    """The index of each term, as the formula counts it; None if they are 1, 2, 3 and so on."""
    indices = [term.at for term in line.terms]
    return None if indices == list(range(1, len(indices) + 1)) else indices


def _number(value: float) -> float | None:
    """A number rounded so that it is short to send and exact in every digit shown."""
    return None if value == -math.inf else float(f"{value:.9g}")
