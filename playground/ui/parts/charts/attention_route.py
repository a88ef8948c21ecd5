"""Route for a run's attention weights on an example at a training step, requested when a person points at that step."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from playground.model.architecture import attention_weights
from playground.runs import Run
from playground.settings.config import RunConfig
from playground.training import SHOWN_EXAMPLES, examples
from playground.ui.parts.computed import attention_of_run
from playground.ui.server import work
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import visitor_route
from playground.ui.session.services import services

_Result = TypeVar("_Result")

PACKED = "application/octet-stream"
"""Media type of `heatmap.message`."""


@visitor_route("runs/{name}/attention")
async def _serve(request: Request, _visitor: str) -> Response:
    run = await run_of(request)
    example, tap = (request.query_params.get(name, "") for name in ("example", "tap"))
    if tap not in (taps := attention_weights(run.config.model)):
        raise Refused(404, f"Unknown attention name. Available: {', '.join(taps)}.")
    if not (example.isascii() and example.isdigit() and len(example) < 4 and int(example) < _count(run.config)):
        raise Refused(400, f"The examples are numbered from 0 to {_count(run.config) - 1}.")
    nearest = step_of(request, run)
    looked = partial(at_step, attention_of_run, run, nearest, int(example))
    packed = await work.COMPUTING.ask(request, ("attention", run.id, nearest, int(example)), looked)
    return Response(packed[tap], media_type=PACKED)


async def run_of(request: Request) -> Run:
    """The run that the address names; raises `Refused`."""
    run = await asyncio.to_thread(services().runs.watched, request.path_params["name"])
    if run is None:
        raise Refused(410, "This run no longer exists.")
    return run


def step_of(request: Request, run: Run) -> int:
    """The step with kept weights that is nearest to the one asked for, the newest without one; raises `Refused`."""
    step = request.query_params.get("step", "")
    if step and not (step.isascii() and step.isdigit() and len(step) < 12):
        raise Refused(400, "Invalid step. Use a whole number of at least 0.")
    return run.nearest(int(step) if step else None)


def at_step(function: Callable[..., _Result], run: Run, step: int, asked: object) -> _Result:
    """The result of a function of `computed` with the weights of a run, in another process."""
    nearest, weights = run.store.snapshots.near(step)  # the step itself may have been thinned out
    return work.computed(function, run.store.recipe, run.config, weights, nearest, asked)


def _count(config: RunConfig) -> int:
    return len(examples(config, [()] * SHOWN_EXAMPLES))
