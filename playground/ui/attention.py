"""What a run's attention looked at in an example, at a training step: for the browser that points at that step."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import torch
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from playground.config import RunConfig
from playground.decoding import batch_to_read
from playground.model import Transformer
from playground.runs import Run
from playground.tasks import EOS, decode
from playground.training import SHOWN_EXAMPLES, examples
from playground.ui import state
from playground.ui.assets import below_base
from playground.ui.folding import Span
from playground.ui.heatmap import Heatmap, Side, message, pack

PACKED = "application/octet-stream"
"""Media type of what `heatmap.message` makes."""

ROOM = 16_000_000
"""For weights that were asked for, of all runs together, in bytes."""


def routes() -> list[Route]:
    """Where the browser asks for attention."""
    return [Route(below_base("runs/{name}/attention"), _serve, methods=["GET"])]


@lru_cache(maxsize=64)
def attention_taps(config: RunConfig) -> tuple[str, ...]:
    """Names of the taps that hold attention weights, in the order of the pass."""
    return tuple(name for name, _ in Transformer(config).named_modules() if name.endswith(".attention.weights"))


class Passes:
    """Attention weights of passes over examples, the least used ones go; from any thread."""

    def __init__(self, room: int) -> None:
        self._room, self._size = room, 0
        self._kept: OrderedDict[tuple[str, int, int], dict[str, np.ndarray]] = OrderedDict()
        self._lock = threading.Lock()

    def weights(self, run: Run, step: int | None, example: int) -> tuple[int, dict[str, np.ndarray]]:
        """The step at hand that is nearest, and by tap the (heads, rows, columns) weights of the pass there."""
        key = (run.id, run.nearest(step), example)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return key[1], self._kept[key]
        at, model = run.model_near(step)  # an instance of our own: it may carry hooks
        made = looked_at(model, _source(model.config, example), attention_taps(model.config))
        with self._lock:
            if self._kept.setdefault((run.id, at, example), made) is made:
                self._size += _bytes(made)
            while self._size > self._room and len(self._kept) > 1:
                self._size -= _bytes(self._kept.popitem(last=False)[1])
        return at, made


def _bytes(made: dict[str, np.ndarray]) -> int:
    return sum(each.nbytes for each in made.values())


_passes = Passes(ROOM)


@torch.inference_mode()
def looked_at(model: Transformer, text: str, taps: Sequence[str]) -> dict[str, np.ndarray]:
    """By tap the (heads, rows, columns) weights, and under "S" and "T" the token ids that are read.

    The decoder reads the answer that the model itself gives, as in Step through. Puts hooks on the model, so it must
    be the caller's own; raises `InputError` for a text that it cannot read.
    """
    batch = batch_to_read(model, text)
    found: dict[str, np.ndarray] = {}
    handles = []
    for tap in taps:

        def keep(_module: object, _inputs: object, weights: torch.Tensor, tap: str = tap) -> None:
            found[tap] = weights[0].numpy().copy()

        handles.append(model.get_submodule(tap).register_forward_hook(keep))
    model(batch.source, batch.target)
    for handle in handles:
        handle.remove()
    names = {"S": batch.source, "T": batch.target}
    read = {letter: ids[0].numpy() for letter, ids in names.items() if ids is not None}
    return found | read


def _source(config: RunConfig, example: int) -> str:
    shown = examples(config, [()] * SHOWN_EXAMPLES)[example]
    return " ".join(decode([token for token in shown.source if token != EOS], config.task))


def _serve(request: Request) -> Response:
    run = state.RUNS.watched(request.path_params["name"])
    if run is None:
        return _refused("This run is not here any more.", 410)
    asked = request.query_params
    step, example, tap = (asked.get(name, "") for name in ("step", "example", "tap"))
    if tap not in attention_taps(run.config):
        return _refused(f"There is no attention of this name; there are {', '.join(attention_taps(run.config))}.", 404)
    if not (example.isascii() and example.isdigit() and len(example) < 4 and int(example) < _count(run.config)):
        return _refused(f"The examples are numbered from 0 to {_count(run.config) - 1}.", 400)
    if step and not (step.isascii() and step.isdigit() and len(step) < 12):
        return _refused("A step is a whole number from 0; without one the newest is shown.", 400)
    at, found = _passes.weights(run, int(step) if step else None, int(example))
    return Response(message(pack(*drawn(run.config, tap, found)), {"step": at}), media_type=PACKED, headers=_FRESH)


def _count(config: RunConfig) -> int:
    return len(examples(config, [()] * SHOWN_EXAMPLES))


def drawn(
    config: RunConfig, tap: str, found: dict[str, np.ndarray], most_heads: int | None = None
) -> tuple[list[Heatmap], dict[str, tuple[int, list[str]]]]:
    """What `looked_at` has found of a tap, as `heatmap.pack` takes it; `most_heads` leaves out those behind."""
    weights = found[tap][:most_heads]
    heads, rows, columns = weights.shape
    encoder = tap.startswith("encoder")
    row = "S" if encoder else "T"
    column = "S" if encoder or ".cross_attention." in tap else "T"
    hidden = None
    if not encoder and column == "T" and config.model.causal_mask:
        hidden = np.triu(np.ones((1, rows, columns), dtype=np.uint8), 1)
    heatmap = Heatmap(
        name=tap,
        title="",
        values=weights,
        axes=("", "head", "row", "column"),
        heads=Span(0, heads, len(found[tap])),
        rows=Side(row, Span(0, rows, rows), row),
        columns=Side(column, Span(0, columns, columns), column),
        kind="probability",
        output=True,
        hidden=hidden,
    )
    return [heatmap], {letter: (0, decode(found[letter].tolist(), config.task)) for letter in {row, column}}


def _refused(sentence: str, status: int) -> Response:
    return PlainTextResponse(sentence, status, headers={"Cache-Control": "no-store"})


# Which step is nearest changes while a run goes on.
_FRESH = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
