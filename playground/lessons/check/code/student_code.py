"""The code that is checked: load its file, find the thing in it, and make an object of a class."""

import ast
import inspect
import io
import linecache
import re
import sys
import tokenize
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, is_dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.parameter import is_lazy

from playground.common.errors import one_line, reason
from playground.common.files import why_no_file
from playground.lessons.check.verdict import CheckError, NotJudgedError, part_in_words
from playground.recording import notebook_cells
from playground.recording.notebook_cells import line_in_words

PATTERNS = {
    "attention": [r"(scaled)?dotproductattention", "sdpa|attention|attn", ".*att(entio)?n.*"],
    "multi-head-attention": [
        "multihead(ed)?(self|cross)?att(entio)?n.*|mha|gqa|mqa|mla",
        ".*multihead.*",
        ".*att(entio)?n.*",
    ],
    "positional-encoding": [
        "(sinusoidal)?position(al|s)?(encoding|embedding)s?",
        ".*posi?t?(ition)?.*|.*sinusoid.*|pe",
        ".*(timing|signal).*",
    ],
    "masks": ["(?!apply|masked).*mask.*", "(?!.*(att|block|layer|model)).*(subsequent|causal|lookahead).*"],
    "layer-norm": ["layernorm(alization)?|ln", ".*norm.*"],
    "feed-forward": [
        "(positionwise)?(feedfor?ward|ffn|ff)(network|layer|block)?|mlp",
        ".*(feedfor?ward|ffn|mlp).*",
        ".*(moe|mixture).*",
        ".*glu|.*expert.*",
    ],
    "encoder-layer": ["(transformer)?encoder(layer|block)", ".*encoder(layer|block).*", ".*block.*|.*layer"],
    "decoder-layer": ["(transformer)?decoder(layer|block)", ".*decoder(layer|block).*", ".*block.*|.*layer"],
    "loss": [
        "(compute|calc(ulate)?|training|lm|masked)?loss(fn|function)?",
        ".*loss.*|.*criterion.*",
        ".*crossentropy.*",
    ],
    "transformer": [
        "(make|build|create)(model|transformer)",
        ".*transformer|.*(gpt|bert|llama|mistral|gemma|qwen|deepseek|lm)|encoderdecoder|seq2seq",
        ".*model|encoder",
        "(?!.*(block|layer|embed|config|output|attention))(.*(transformer|gpt|bert|seq2seq|model).*|.*decoder)",
    ],
}
"""Names that each part usually has, lower case and without underscores, the most telling ones first."""


@dataclass(frozen=True)
class Sizes:
    """Axes of the inputs, each of another size, so that no two can be confused."""

    B: int = 2
    H: int = 4
    G: int = 2  # heads of keys and values, where queries share them
    T: int = 5
    S: int = 7
    K: int = 6
    R: int = 8  # numbers of a latent vector of keys and values
    F: int = 10
    V: int = 17
    N: int = 2
    L: int = 23
    C: int = 9  # numbers of a position that is no token, or channels of an image
    X: int = 8  # pixels of a side of it

    @property
    def D(self) -> int:
        return self.H * self.K


START = r"start(pos(ition)?|idx|index)?|(pos(ition)?)?offset"
"""Arguments that are the number of positions in a cache."""

NO_SIZES: list[tuple[Callable[[Sizes], Any], str]] = [
    (lambda s: s.K**0.5, r"temperature|temp"),
    (lambda s: 1e-5, r"((layer)?norm)?eps(ilon)?"),
    (lambda s: True, r"(qkv)?bias|usebias"),
    (lambda s: 10_000.0, r"(rope|rotary)?(theta|base)"),
    (lambda s: 50.0, r"(attn|attention|logit)*(soft)?cap(ping)?"),
    (lambda s: 1, r"multipleof"),
]
"""Constructor arguments that say what is computed, by their usual names: a default that the code has stays."""

CONSTRUCTOR: list[tuple[Callable[[Sizes], Any], str]] = [
    *NO_SIZES,
    (lambda s: 2, r"(forward|ffn?|mlp)?(expansion|ratio|mult)(factor)?|typevocabsize"),
    (lambda s: s.F, r"ffn?(num|n)?hiddens?|pf(dim)?"),
    (lambda s: s.F, r"d?ffn?(dim|size|hidden)?|dimff|dimfeedforward|(d|dim|n)inner|intermediate(size|dim)?|mlpdim"),
    (lambda s: s.F, r"(d|n|num)?hidden(dim|size|s|layerdim)?|dhid"),
    (lambda s: s.D, r"(d|dim)(model|embed|emb)?|(embed(ding)?|emb|model)(dim|size|s)?|nembd|features|(in|out)?size"),
    (lambda s: s.D, r"hid(dim)?|ndim"),
    (lambda s: (s.D,), r"(parameters?)?shape"),
    (lambda s: s.D, r"normalizedshape|width|numhiddens|(d|dim)(in|out)|(q|k|v|key|value)dim"),
    (lambda s: s.D, r"(in|out)(put)?(dim|features)|ffn?num(in|out)puts?"),
    (lambda s: s.H, r"(n|num|numberof)?(attention)?heads?|h"),
    (lambda s: s.G, r"(n|num|numberof)?(kv|keyvalue)heads?|(n|num|numberof)?(kv|keyvalue|query)?groups"),
    (lambda s: s.K, r"d(k|v|q)|dim(k|v|q)|(d|head|k|v|q)(head|dim|size)|dimhead|(qknope|v|qk)headdim|d?nope"),
    (lambda s: s.R, r"(q|kv)?(lora)?rank|(d|dim)?(q|kv)?(latent|compress(ed|ion))(q|kv)?(dim|size)?|d(im)?(c|ckv|cq)"),
    (lambda s: s.K - 2, r"(qk|d|dim)?(rope|rotary|rot)(head)?(dim|size)?|drope|dr"),
    (lambda s: 3, r"(sliding|attn|attention|local)?window(size|length)?"),
    (lambda s: 4, r"(n|num)?(routed|local)?experts"),
    (lambda s: 2, r"(n|num)?(activated|active|selected)?experts(per(tok(en)?))|(n|num)?(activated|active)experts|topk"),
    (lambda s: 1, r"(n|num)?sharedexperts"),
    (lambda s: s.N, r"(n|num)?(encoder|decoder|enc|dec)?(layers?|blocks?)|n|depth"),
    (lambda s: 0.5, r"(attn|attention|resid|embd|ff)?(p|drop(out)?)(rate|out|prob|p)?|pdrop(out)?"),
    (lambda s: s.V, r"ntokens?|n(src|tgt|trg)(vocab|words|tokens)?|(enc|dec)voc(ab)?size"),
    (lambda s: s.V, r"(src|tgt|trg|source|target|(in|out)put)?(n|num)?(vocab(ulary)?|tokens)(size|len)?"),
    (lambda s: s.L, r"max(imum)?(seq(uence)?|src|tgt|position(s|al)?)?(len(gth)?|positions?|embeddings)?"),
    (lambda s: s.L, r"(src|tgt|trg|source|target)seq(uence)?(len|length)|sequencelength|max(words|tokens|time)"),
    (lambda s: s.L, r"(seq|context)(len|length)|length|l|n?ctx|npositions|(block|context)(size|length)"),
    (lambda s: 0, r".*pad.*|i|idx|(layer|block)(i|idx|index|id)"),
    (lambda s: 1, r"(src|tgt|trg)?(sos|bos|eos|cls|sep)(idx|id|index|token)?"),
    (lambda s: s.X, r"(img|image)size"),
    (lambda s: s.X // 4, r"patch(size)?"),
    (lambda s: s.C, r"(in)?chan(nel)?s|(n|num)(features|vars|channels)|inputchannels"),
    (lambda s: s.B, r"(max)?batch(size)?|bsz?"),
    (lambda s: 0, START),
    (lambda s: torch.device("cpu"), r"device"),
]  # fmt: skip
"""Constructor arguments by their usual names, lower case and without underscores.

Sizes replace the defaults of the code: small ones are fast, and if no two are equal, each axis tells what it is.
"""


def plain(name: str) -> str:
    """A name as the tables here have it."""
    return name.replace("_", "").lower()


class TheirError(CheckError):
    """An exception in the code that is checked, or by a limit that it has reached."""

    def __init__(self, problem: str, line: int | None = None, advice: str = "") -> None:
        super().__init__(problem, advice)
        self.line = line


def their_error(error: BaseException, file: str) -> CheckError:
    """The error for an exception; one that no line of the code has raised comes from how the check called it."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    line = lines[-1] if lines else error.lineno if isinstance(error, SyntaxError) else None
    text = one_line(error.msg if isinstance(error, SyntaxError) else error, 300)
    what = f"{type(error).__name__}{f': {text}' if text else ''}"
    if line is None and file:
        return NotJudgedError(
            f"The check could not call your code, so it was not judged ({what}).",
            'Say how to call it, for example --call "model(x)".',
        )
    where = f" ({Path(file).name}, {line_in_words(file, line)})" if line else ""
    return TheirError(f"Your code raised {what}{where}.", line)


@contextmanager
def theirs(file: str) -> Iterator[None]:
    """Code that somebody else wrote: whatever it raises becomes a `CheckError`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except CheckError:
        raise
    except (Exception, SystemExit) as error:
        raise their_error(error, file) from error


def load(file: Path) -> ModuleType:
    """Runs a Python file, or the code cells of a notebook, as a module; it can import what stands beside it.

    A file in a package, or with relative imports, runs as a module of that package.
    """
    if problem := why_no_file(file):
        raise CheckError(problem)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise CheckError(f"{file} could not be read: {reason(error)}.") from None
    path = str(file.resolve())
    if file.suffix == notebook_cells.ENDING:
        try:
            content = notebook_cells.code_of(content, file.resolve())
        except ValueError:
            raise CheckError(f"{file} is not a notebook.", "Save it in Jupyter again, or give a Python file.") from None
    module = ModuleType("checked_code")
    module.__file__ = path
    with theirs(path):
        # Bytes: Python reads a byte order mark and a coding cookie, whatever the locale.
        code = compile(content, path, "exec")
        folders, module.__package__ = _where_imports_look(content, file.resolve().parent)
        text = io.TextIOWrapper(io.BytesIO(content), tokenize.detect_encoding(io.BytesIO(content).readline)[0])
        linecache.cache[path] = len(content), None, text.readlines(), path
        sys.path[:0] = folders
        sys.modules[module.__name__] = module
        try:
            exec(code, vars(module))
        finally:
            for folder in folders:
                sys.path.remove(folder)
    return module


def _where_imports_look(content: bytes, folder: Path) -> tuple[list[str], str]:
    """The folders that a file imports from, and the package that it belongs to; "" if to none."""
    relative = [node.level for node in ast.walk(ast.parse(content)) if isinstance(node, ast.ImportFrom)]
    package, root = list[str](), folder
    while (root / "__init__.py").is_file() or len(package) < max(relative, default=0):
        package.insert(0, root.name)
        root = root.parent
    return [str(folder), *([str(root)] if package else [])], ".".join(package)


def find(module: ModuleType, part: str) -> list[Any]:
    """The things in a file that have a usual name of this part, the best first; else its only thing."""
    own: dict[str, Any] = {
        name: thing
        for name, thing in vars(module).items()
        if (inspect.isfunction(thing) or inspect.isclass(thing))
        and thing.__module__ == module.__name__
        and not is_dataclass(thing)
    }
    functions_first = part in ("attention", "masks", "loss")
    asking = [thing for thing in own.values() if inspect.isfunction(thing) and _takes_queries(thing)]
    if part == "masks":
        own |= {
            name: thing.__func__ for each in own.values() for name, thing in vars(each).items() if _is_static(thing)
        }
    for pattern in PATTERNS[part]:
        things = [thing for name, thing in own.items() if re.fullmatch(pattern, plain(name))]
        if part == "attention" and asking and not any(map(inspect.isclass, things)):
            things = [thing for thing in things if thing in asking]
        if things:
            return sorted(things, key=lambda thing: inspect.isclass(thing) is functions_first)
    if part == "attention" and asking:
        return asking[-1:]
    public = [thing for name, thing in own.items() if not name.startswith("_")]
    if len(public) == 1 and not _part_named(public[0].__name__):
        return public
    # A file with other names, such as those of another language, usually ends with what it is about.
    modules = [thing for thing in public if inspect.isclass(thing) and issubclass(thing, nn.Module)]
    if modules and part not in ("masks", "loss") and not _part_named(modules[-1].__name__):
        return modules[-1:]
    raise not_found(module, list(own), part)


def _is_static(thing: Any) -> bool:
    return isinstance(thing, staticmethod)


def _part_named(name: str) -> str:
    """The part of which this is one of the most telling names; empty if there is none."""
    parts = (part for part in PATTERNS if any(re.fullmatch(each, plain(name)) for each in PATTERNS[part][:2]))
    return next(parts, "")


def not_found(module: ModuleType, own: list[str], part: str) -> NotJudgedError:
    """The error for a file in which nothing has a usual name of this part."""
    if not any(not name.startswith("_") for name in vars(module)):
        raise CheckError(f"{Path(str(module.__file__)).name} defines nothing.", "Give a file with your code.")
    names = ", ".join(own) or "no function and no class"
    other = next(((name, found) for name in reversed(own) if (found := _part_named(name))), None)
    if other and other[1] != part:
        return NotJudgedError(
            f"{Path(str(module.__file__)).name} has no {part_in_words(part)}; it has {names}.",
            f"To check {other[0]}, choose the part {other[1]}.",
        )
    return NotJudgedError(
        f"{Path(str(module.__file__)).name} has no {part_in_words(part)}; it has {names}.",
        f'Say what to check: --build "{EXAMPLES[part]}(...)". Or give the function or class a usual name, such as '
        f"{EXAMPLES[part]}.",
    )


def _parameters(function: Any) -> list[str]:
    return list(inspect.signature(function).parameters)


def _takes_queries(function: Any) -> bool:
    return [name[:1].lower() for name in _parameters(function)][:3] == ["q", "k", "v"]


def checked_things(file: Path, part: str) -> list[Any]:
    """The code that is checked in a file: its first thing, or all functions that make masks."""
    things = find(load(file), part)
    if part != "masks":
        return things[:1]
    functions = [thing for thing in things if inspect.isroutine(thing)]
    makers = [thing for thing in functions if not re.search("mask|score|logit", " ".join(_parameters(thing)).lower())]
    return makers or functions or things[:1]


EXAMPLES = {
    "attention": "attention",
    "multi-head-attention": "MultiHeadAttention",
    "positional-encoding": "PositionalEncoding",
    "masks": "causal_mask",
    "layer-norm": "LayerNorm",
    "feed-forward": "FeedForward",
    "encoder-layer": "EncoderLayer",
    "decoder-layer": "DecoderLayer",
    "transformer": "Transformer",
    "loss": "loss",
}


_SECTIONS = frozenset(
    ["model", "attention", "attn", "encoder", "decoder", "transformer", "network", "net", "arch", "data", "train"]
)
"""Settings that hold others."""


class Settings:
    """Stands for a config object: each attribute that is read has the value that its name tells."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes

    def __getattr__(self, name: str) -> Any:
        if plain(name) in _SECTIONS:
            return self
        bare = re.sub("^(encoder|decoder|enc|dec)_", "", name)
        if re.fullmatch("hidden_?(dim|size)?", bare):  # of a config it is the width of the model
            return self._sizes.D
        for known in (name, bare):
            if (value := value_of(known, self._sizes)) is not None:
                return value
        value = guessed(bare, self._sizes)
        if value is None:
            raise AttributeError(f"the check does not know the setting {name!r}")
        return value

    def __getitem__(self, name: str) -> Any:
        try:
            return getattr(self, name)
        except AttributeError as error:
            raise KeyError(*error.args) from None

    def get(self, name: str, default: Any = None) -> Any:
        """As of a dict; a setting that has a default keeps it if its name isn't known."""
        return getattr(self, name, default)


def value_of(name: str, sizes: Sizes) -> Any:
    """The value for a constructor argument of this name; None for an unknown name."""
    if re.fullmatch(r"\w*(config|cfg|args|hparams|conf|params?)", plain(name)):
        return Settings(sizes)
    return next((make(sizes) for make, pattern in CONSTRUCTOR if re.fullmatch(pattern, plain(name))), None)


_ROUGHLY: list[tuple[str, Callable[[Sizes], Any]]] = [
    ("drop|prob", lambda s: 0.5),
    ("class|label|categor", lambda s: 11),
    ("eps", lambda s: 1e-5),
    ("vocab", lambda s: s.V),
    ("head(s|$)", lambda s: s.H),
    ("layers?$|blocks?$", lambda s: s.N),
    ("ffn|ff|inner|intermediate|mlp", lambda s: s.F),
    ("max|len|ctx|context", lambda s: s.L),
    ("dim|size|hid|embed|width|feature|unit", lambda s: s.D),
    ("before|first|^is|^use|^has|^tie|^return|^flash", lambda s: False),
]
"""Parts of names that no pattern of `CONSTRUCTOR` has, and the value that they hint at."""


def guessed(name: str, sizes: Sizes) -> Any:
    """The value that a part of an unknown name hints at; None for none."""
    return next((make(sizes) for part, make in _ROUGHLY if re.search(part, plain(name))), None)


def construct(thing: Any, part: str, sizes: Sizes) -> Any:
    """An object of a class, or what a factory function makes, with arguments by their usual names."""
    arguments, unknown = dict[str, Any](), list[str]()
    for name, parameter in inspect.signature(thing).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        required = parameter.default is parameter.empty
        if not required and any(re.fullmatch(pattern, plain(name)) for _, pattern in NO_SIZES):
            continue
        value = _argument(thing, part, name, sizes, required)
        if value is None and required:
            value = guessed(name, sizes)
        if value is not None:
            arguments[name] = value
        elif required:
            unknown.append(name)
    # Names in another language come in the usual order; the built module tells its sizes.
    usual = [size for size in (sizes.V, sizes.D, sizes.H, sizes.F, sizes.N) if part == "transformer" or size != sizes.V]
    arguments |= zip(unknown, [size for size in usual if size not in arguments.values()])
    if missing := [name for name in unknown if name not in arguments]:
        raise NotJudgedError(
            f"{thing.__name__} needs an argument {missing[0]!r}, which the check does not know.",
            f'Say how to build it: --build "{thing.__name__}(...)". Or give it a default value, or a usual name '
            "such as d_model, n_heads, d_ff, dropout or max_len.",
        )
    return thing(**arguments)


_FACTORY = "(make|build|create|get|new)_.*"
_CONFIG = ".*(config|settings|hparams|args|arguments|params)"


def made(thing: Any, part: str, sizes: Sizes) -> Any:
    """What a class or a factory function makes, by the first way that works: see `construct`.

    Where the sizes of the check don't fit, it is made with its own defaults. A name such as `hidden` may mean d_model
    or d_ff; a config may be one of the file's own classes, and an object may come from a function beside its class.
    """
    try:
        return construct(thing, part, sizes)
    except Exception:
        for construct_it in (_as_it_is, _with_one_width, _with_own_config, _with_own_object, _by_factory):
            with suppress(Exception):
                return construct_it(thing, part, sizes)
        if not any(re.fullmatch(pattern, plain(thing.__name__)) for pattern in PATTERNS[part]):
            raise not_found(sys.modules[thing.__module__], [thing.__name__], part) from None
        raise


def _as_it_is(thing: Any, _part: str, _sizes: Sizes) -> Any:
    return thing()


def _with_one_width(thing: Any, part: str, sizes: Sizes) -> Any:
    return construct(thing, part, replace(sizes, F=sizes.D))


def _with_own_object(thing: Any, part: str, sizes: Sizes) -> Any:
    home = vars(sys.modules[thing.__module__])
    names = [name for name in inspect.signature(thing).parameters if name in home]
    if not names:
        raise LookupError
    return thing(**{name: home[name] for name in names})


def _with_own_config(thing: Any, part: str, sizes: Sizes) -> Any:
    home = vars(sys.modules[thing.__module__])
    configs = [each for name, each in home.items() if inspect.isclass(each) and re.fullmatch(_CONFIG, plain(name))]
    (name,) = (
        name for name in inspect.signature(thing).parameters if re.fullmatch(_CONFIG + "|c|cfg|conf", plain(name))
    )
    return thing(**{name: construct(configs[0], part, sizes)})


def _by_factory(thing: Any, part: str, sizes: Sizes) -> Any:
    home = vars(sys.modules[thing.__module__])
    for name, factory in home.items():
        if inspect.isfunction(factory) and re.fullmatch(_FACTORY, name):
            with suppress(Exception):
                made_by_it = construct(factory, part, sizes)
                if isinstance(made_by_it, thing):
                    return made_by_it
    raise LookupError


def sizes_of(module: nn.Module) -> Sizes:
    """The sizes of a module that somebody has made: attributes by their names, else the shapes of its weights."""
    usual = Sizes()
    sizes: dict[str, int] = {}
    axes = {usual.D: "D", usual.H: "H", usual.V: "V", usual.L: "L", usual.N: "N", usual.X: "X"}
    for owner in module.modules():
        for name, value in vars(owner).items():
            if type(value) is int and value > 0 and value_of(name, usual) in axes:
                sizes.setdefault(axes[value_of(name, usual)], value)
    tables = [part for part in module.modules() if isinstance(part, nn.Embedding)]
    if tables:  # tokens and positions below the size of the smallest one have a row in each
        sizes["V"] = sizes["L"] = min(table.num_embeddings for table in tables)
        sizes["D"] = tables[0].embedding_dim
    elif norms := [part for part in module.modules() if isinstance(part, nn.LayerNorm)]:
        sizes["D"] = norms[0].normalized_shape[-1]
    shapes = [tuple(parameter.shape) for parameter in module.parameters() if not is_lazy(parameter)]
    matrices = [shape[:2] for shape in shapes if len(shape) == 2 or shape[2:] == (1,)]
    vectors = [shape[0] for shape in shapes if len(shape) == 1 and shape[0] > 1]
    width = matrices[0][1] if matrices else vectors[0] if vectors else usual.D
    d, h = sizes.get("D", width), sizes.get("H", 1)
    rows = [side for shape in matrices for side in shape if d in shape and side not in (d, 2 * d, 3 * d, d // h)]
    fixed = [shape[1] for shape in shapes if len(shape) == 3 and shape[0] == 1 and shape[2] == d]
    rest = {axis: sizes[axis] for axis in "VLNX" if axis in sizes} | ({"L": fixed[0]} if fixed else {})
    first = next((part for part in module.modules() if isinstance(part, (nn.Linear, nn.Conv1d, nn.Conv2d))), None)
    if first is not None and not is_lazy(first.weight):
        rest["C"] = first.weight.shape[1]
    if isinstance(first, nn.Conv2d) and "X" not in sizes:
        rest["X"] = 4 * first.kernel_size[0]
    return Sizes(H=h, K=d // h, F=rows[0] if rows else usual.F, **rest)


_WEIGHTS = "params?|p|weights|parameters|theta|w"
"""Arguments of a function that are all of its weights."""


def initial(function: Any, part: str, sizes: Sizes) -> dict[str, Any]:
    """The weights that a function takes in one argument, as a function beside it makes them; nothing if none does."""
    names = [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is parameter.empty and re.fullmatch(_WEIGHTS, plain(name))
    ]
    home = sys.modules.get(function.__module__)
    if len(names) != 1 or home is None:
        return {}
    makers = {
        match[2]: maker
        for name, maker in vars(home).items()
        if inspect.isfunction(maker)
        and (match := re.fullmatch("(init|random|make|create|new|build|get)(.*)", plain(name)))
    }
    for _, maker in sorted(
        makers.items(), key=lambda made: not any(re.fullmatch(one, made[0]) for one in PATTERNS[part])
    ):
        with suppress(Exception):
            made = construct(maker, part, sizes)
            if isinstance(made, (dict, list, tuple)) and len(made) > 1:
                return {names[0]: _randomized(made, torch.Generator().manual_seed(2))}
    return {}


def _randomized(made: Any, generator: torch.Generator) -> Any:
    """The same with random numbers in all arrays and tensors of floats, also in gains and biases."""
    if isinstance(made, dict):
        return {name: _randomized(part, generator) for name, part in made.items()}
    if isinstance(made, (list, tuple)):
        return type(made)(_randomized(part, generator) for part in made)
    as_tensor = torch.as_tensor(made) if isinstance(made, (torch.Tensor, np.ndarray)) else None
    if as_tensor is None or not as_tensor.is_floating_point():
        return made
    drawn = random_weights(as_tensor.shape, generator).to(as_tensor.dtype)
    return nn.Parameter(drawn, requires_grad=False) if isinstance(made, torch.Tensor) else drawn.numpy()


def random_weights(shape: Sequence[int], generator: torch.Generator) -> torch.Tensor:
    """Random numbers for a weight; those of gains and biases are not around 0."""
    drawn = torch.randn(tuple(shape), generator=generator) * 0.4
    return drawn + 0.7 if drawn.squeeze().ndim < 2 else drawn


_BLOCK = r"((self|src|cross|encdec|memory)?(multihead)?att(entio)?n|feedforward|ffn?|mlp)(block|layer|module)?"
"""Names of parts that a layer takes ready made."""


def _argument(thing: Any, part: str, name: str, sizes: Sizes, required: bool) -> Any:
    module = sys.modules.get(thing.__module__)
    inner = "multi-head-attention" if re.search("att", plain(name)) else "feed-forward"
    if required and module and re.fullmatch(_BLOCK, plain(name)):
        return construct(find(module, inner)[0], inner, sizes)
    value = value_of(name, sizes)
    if value == sizes.F and part in ("attention", "positional-encoding", "layer-norm"):
        return sizes.D
    if value == sizes.C and part != "transformer":
        return sizes.D
    if part == "positional-encoding" and re.fullmatch("depth|d|dims?|channels|size|n", plain(name)):
        return sizes.D
    if not re.fullmatch("(d|n|num)?hidden(dim|size|s)?", plain(name)):
        return value
    others = [other for other in inspect.signature(thing).parameters if other != name]
    return value if any(value_of(other, sizes) == sizes.D for other in others) else sizes.D
