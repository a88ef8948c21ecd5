"""Route for a run's attention weights on an example at a training step, requested when a person points at that step."""

import asyncio
from functools import partial

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

PACKED = "application/octet-stream"
"""Media type of `heatmap.message`."""


@visitor_route("runs/{name}/attention")
async def _serve(request: Request, _visitor: str) -> Response:
    run = await asyncio.to_thread(services().runs.watched, request.path_params["name"])
    if run is None:
        raise Refused(410, "This run no longer exists.")
    asked = request.query_params
    step, example, tap = (asked.get(name, "") for name in ("step", "example", "tap"))
    if tap not in (taps := attention_weights(run.config.model)):
        raise Refused(404, f"Unknown attention name. Available: {', '.join(taps)}.")
    if not (example.isascii() and example.isdigit() and len(example) < 4 and int(example) < _count(run.config)):
        raise Refused(400, f"The examples are numbered from 0 to {_count(run.config) - 1}.")
    if step and not (step.isascii() and step.isdigit() and len(step) < 12):
        raise Refused(400, "Invalid step. Use a whole number of at least 0.")
    nearest = run.nearest(int(step) if step else None)
    looked = partial(_looked_at, run, nearest, int(example))
    packed = await work.COMPUTING.ask(request, ("attention", run.id, nearest, int(example)), looked)
    return Response(packed[tap], media_type=PACKED)


def _looked_at(run: Run, step: int, example: int) -> dict[str, bytes]:
    nearest, weights = run.store.snapshots.near(step)  # the step itself may have been thinned out
    return work.computed(attention_of_run, run.store.recipe, run.config, weights, nearest, example)


def _count(config: RunConfig) -> int:
    return len(examples(config, [()] * SHOWN_EXAMPLES))
