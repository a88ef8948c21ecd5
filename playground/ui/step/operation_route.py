"""Route for one operation of a forward pass: what a page shows of it, without a script run, for those who follow."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from playground.explain.inspection import Step, Walk
from playground.ui.parts.charts.attention_route import PACKED
from playground.ui.parts.mathml import mathml
from playground.ui.passes import subject, tensors
from playground.ui.passes.tensors import Look
from playground.ui.server import work
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import visitor_route
from playground.ui.session import walks
from playground.ui.step import explanation
from playground.ui.step.navigator import marks


@visitor_route("walk/{name}/operation")
async def _serve(request: Request, _visitor: str) -> Response:
    name, words = request.path_params["name"], request.query_params
    walk = walks.kept(name)
    if walk is None:
        raise Refused(410, "This forward pass has expired. Reload the page.")
    step = next((step for step in walk.steps if step.name == words.get("operation")), None)
    if step is None:
        raise Refused(404, "Unknown operation.")

    def number(word: str) -> int | None:
        text = words.get(word, "")
        return int(text) if text.isdecimal() and len(text) <= 4 else None

    look = Look(
        cell=subject.cell_of(words.get("cell", ""))[0],
        head=number("head"),
        heads=number("heads") or 0,
        columns=number("columns") or 0,
        marked_row=number("place"),
        table=words.get("table") == "True",
    )
    encode = partial(_encoded, walk, step, tensors.fitted(walk, step, look)[0])
    content = await work.READING.ask(request, ("operation", name, step.name, look), encode)
    return Response(content, media_type=PACKED)


def _encoded(walk: Walk, step: Step, look: Look) -> bytes:
    names = [recorded.name for recorded in walk.steps]
    words = {
        "head": explanation.head(step, names),
        "prose": explanation.prose(walk, step),
        "formula": mathml(step.document.formula, display=True),
    }
    more = {"marks": marks(step.name, names), "explanation": words}
    return tensors.operation_message(walk, step, look, more)
