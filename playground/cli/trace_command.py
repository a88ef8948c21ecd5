"""`python -m playground trace`."""

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from torch import Tensor, nn
from torch.nn import functional as F

from playground.cli.commands import UsageError, app, path, plain_errors
from playground.common.errors import PlaygroundError, one_line
from playground.export.drawn_trace import trace as drawn_trace
from playground.lessons.check.student_code import Sizes, construct, load, theirs
from playground.lessons.check.verdict import NotJudgedError


@app.command()
def trace(
    file: Annotated[Path, typer.Argument(parser=path, metavar="FILE.py", help="Your code.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", parser=path, help="NAME.html for a page, NAME.json for the graph.")],
    build: Annotated[
        str, typer.Option(help='How to build the module, for example "GPT(Config())". Default: the last class.')
    ] = "",
    call: Annotated[
        str, typer.Option(help='How to call it, for example "model(torch.rand(2, 5, 16))". Default: by its arguments.')
    ] = "",
    gradients: Annotated[bool, typer.Option(help="Also the gradients of the sum of the first output.")] = False,
) -> None:
    """Step through your own PyTorch code: every operation of one forward pass with its statement and numbers.

    The code runs in this process and can do what you can. Modules run in evaluation mode.
    """
    with plain_errors():
        if out.suffix not in (".html", ".json"):
            raise UsageError(f"--out {out} is neither a page nor JSON.", "Choose a name that ends with .html or .json.")
        names = {"torch": torch, "nn": nn, "F": F} | vars(load(file))
        torch.manual_seed(0)
        model: Any = None
        if build:
            model = _evaluated("--build", build, names, file)
        elif not (call and _called_by_name(call, names)):
            model = _built(names, file)
        if isinstance(model, nn.Module):
            model.eval()
        function, arguments, named = _call(call, names | {"model": model}, file) if call else _usual_call(model, file)
        with _errors_of(f"--call {call}" if call else "The pass", file):
            graph = drawn_trace(function, *arguments, gradients=gradients, **named)
        graph.title = f"{file.name}: {graph.title}"
        graph.save(out)
        print(f"{len(graph):,} operations in {out}")


@contextmanager
def _errors_of(what: str, file: Path) -> Iterator[None]:
    """Show what the code raises with its line in the file or, if it has none there, as raised by `what`."""
    try:
        with theirs(str(file.resolve())):
            yield
    except NotJudgedError as error:
        cause = error.__cause__ or error
        raise UsageError(f"{what} raised {type(cause).__name__}: {one_line(cause, 300)}.") from None


def _parsed(option: str, expression: str) -> ast.expr:
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except SyntaxError:
        raise UsageError(f"{option} {expression} is not a Python expression.") from None


def _evaluated(option: str, expression: str | ast.expr, names: Mapping[str, Any], file: Path) -> Any:
    node = _parsed(option, expression) if isinstance(expression, str) else expression
    with _errors_of(f"{option} {ast.unparse(node)}", file):
        return eval(compile(ast.Expression(node), option, "eval"), dict(names))


def _called_by_name(call: str, names: Mapping[str, Any]) -> bool:
    """True if a call needs no model that is built first."""
    used = {node.id for node in ast.walk(_parsed("--call", call)) if isinstance(node, ast.Name)}
    return "model" not in used or "model" in names


def _built(names: Mapping[str, Any], file: Path) -> Any:
    """The last module class of the file, or else its last function, with arguments by their usual names."""
    own = [
        thing
        for name, thing in names.items()
        if getattr(thing, "__module__", "") == "checked_code" and not name.startswith("_")
    ]
    classes = [thing for thing in own if inspect.isclass(thing) and issubclass(thing, nn.Module)]
    if classes:
        with _errors_of(f"{classes[-1].__name__}(...)", file):
            return construct(classes[-1], "transformer", Sizes())
    functions = [thing for thing in own if inspect.isfunction(thing)]
    if not functions:
        raise UsageError(f"{file.name} has no module and no function.")
    return functions[-1]


_Call = tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any]]


def _call(expression: str, names: Mapping[str, Any], file: Path) -> _Call:
    """The function and the arguments of a call, which are evaluated before the pass is traced."""
    node = _parsed("--call", expression)
    if not isinstance(node, ast.Call):
        raise UsageError(f"--call {expression} calls nothing.", 'Write it like "model(torch.rand(2, 5, 16))".')
    function, *arguments = (_evaluated("--call", part, names, file) for part in (node.func, *node.args))
    named = {word.arg: _evaluated("--call", word.value, names, file) for word in node.keywords if word.arg}
    return function, arguments, named


def _usual_call(model: Callable[..., Any], file: Path) -> _Call:
    """Tokens or vectors for the arguments that must be given, whichever the model takes."""
    function = model.forward if isinstance(model, nn.Module) else model
    required = [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    problem = ""
    for made in _inputs(len(required)):
        try:
            with _errors_of("", file), torch.no_grad():
                model(*made)
            return model, made, {}
        except PlaygroundError as error:
            problem = problem or error.problem
    raise UsageError(
        f"The usual inputs for ({', '.join(required)}) don't fit. {problem}", 'Say how to call it: --call "model(...)".'
    )


def _inputs(count: int) -> Iterator[list[Tensor]]:
    sizes, generator = Sizes(), torch.Generator().manual_seed(0)
    yield [torch.randint(sizes.V, (sizes.B, sizes.T), generator=generator) for _ in range(count)]
    for shape in ((sizes.B, sizes.T, sizes.D), (sizes.B, sizes.H, sizes.T, sizes.K), (sizes.T, sizes.D), (sizes.T,)):
        yield [torch.randn(shape, generator=generator) for _ in range(count)]
