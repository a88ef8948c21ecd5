"""`playground.trace`: the graph of a pass, which draws itself in a notebook and can be saved."""

import os
from collections.abc import Callable
from html import escape
from typing import Any

from torch import Tensor

from playground import recording
from playground.common.errors import PlaygroundError
from playground.common.files import write_whole
from playground.common.paths import user_path
from playground.export import trace_json, trace_page

HEIGHT = 720
"""Of the page in a notebook, in pixels."""


class DrawnTrace(recording.Trace):
    """A graph that notebooks show as a page: operations, statements, tensors, and how each cell was computed."""

    title = ""

    def save(self, file: "str | os.PathLike[str]") -> None:
        """Write the page to NAME.html, or the graph to NAME.json.

        Raises `playground.PlaygroundError` for another ending, and if the file can't be written.
        """
        path = user_path(file)
        if path.suffix not in (".html", ".json"):
            raise PlaygroundError(f"{path} is neither a page nor JSON.", "Choose a name that ends with .html or .json.")
        try:
            write_whole(path, trace_json.content(self) if path.suffix == ".json" else self._page())
        except OSError as error:
            raise PlaygroundError(f"{path} could not be written: {error.strerror}.") from None

    def _page(self) -> bytes:
        return trace_page.content(self, self.title)

    def _repr_html_(self) -> str:
        page = escape(self._page().decode())
        return f'<iframe srcdoc="{page}" style="width: 100%; height: {HEIGHT}px; border: 0"></iframe>'


def trace(
    module: Callable[..., Any],
    *inputs: Any,
    gradients: bool | Callable[[Any], Tensor] = False,
    **named: Any,
) -> DrawnTrace:
    """Record every torch function of `module(*inputs, **named)`, any module or function, as a graph.

        graph = playground.trace(model, tokens)
        for node in graph:
            print(node.source.where, node.expression, node.output.shape)
        graph.save("pass.html")  # a notebook shows this page if `graph` stands last in a cell

    A node has its arguments, its tensors with their numbers, the statement and the expression that ran, and the module
    call around it. The module stays in its mode, training or evaluation, and on its device.

    `gradients` is a function from what the pass returns to a scalar, such as a loss; True takes the sum of its first
    tensor. Each value then has its gradient, and the page shows what that was computed from.

    An exception of the pass is raised as it is. Raises `playground.PlaygroundError` after 20,000 operations.
    """
    chosen = _sum_of_first if gradients is True else gradients or None
    graph = recording.trace(module, *inputs, gradients_of=chosen, **named)
    drawn = DrawnTrace(**vars(graph))
    drawn.title = getattr(module, "__name__", type(module).__name__)
    return drawn


def _sum_of_first(result: Any) -> Tensor:
    if isinstance(result, Tensor):
        return result.sum()
    parts = result.values() if isinstance(result, dict) else result if isinstance(result, (tuple, list)) else ()
    for part in parts:
        if isinstance(part, Tensor) and part.requires_grad:
            return part.sum()
    raise PlaygroundError(
        "The pass returned no tensor with a gradient.", "Give a function: gradients=lambda result: ..."
    )
