"""Route for a run's greedy answer to a person's own input at a training step, asked for while it trains."""

import asyncio
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from playground.tasks import encode
from playground.ui.parts.charts.attention_route import at_step, run_of, step_of
from playground.ui.parts.computed import answer_of_run
from playground.ui.server import work
from playground.ui.server.routing import visitor_route


@visitor_route("runs/{name}/answer")
async def _serve(request: Request, _visitor: str) -> Response:
    run = await run_of(request)
    text, nearest = request.query_params.get("input", ""), step_of(request, run)
    source = tuple(await asyncio.to_thread(encode, text, run.config.task))  # refused here, a wrong input waits for none
    answered = partial(at_step, answer_of_run, run, nearest, source)
    content = await work.COMPUTING.ask(request, ("answer", run.id, nearest, source), answered)
    return Response(content, media_type="application/json")
