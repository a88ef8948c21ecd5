"""The parts of a transformer, known from its settings alone: whatever lists parts walks the tree made here.

Sizes are written in letters, as everywhere: S and T are the maximum source and target length, R the rows of a
position table. Of grouped-query attention, G are the heads of keys, and M = G K is their width; of latent attention, C
is the width of the latent, P that of the rotary part of a head, U = H P and Q = K + P; E are the experts of a mixture.
A test compares the tree with a real `Transformer`: paths, names and shapes of parameters, and multiplications.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple, Protocol

STACKS = ("encoder", "decoder")
SUBLAYERS = ("MultiHeadAttention", "FeedForward", "Mixture")
"""Kinds of what stands between the norms of a layer."""

NORMS = {"layer_norm": "LayerNorm", "rms_norm": "RMSNorm"}
"""Kind of a norm by its setting."""

Sizes = Mapping[str, int]
"""A number for each letter."""


class ModelSettings(Protocol):
    """The settings of a model; `config.ModelConfig` has them."""

    @property
    def architecture(self) -> str: ...
    @property
    def n_heads(self) -> int: ...
    @property
    def n_layers(self) -> int: ...
    @property
    def positions(self) -> str: ...
    @property
    def adds_positions(self) -> bool: ...
    @property
    def norm_position(self) -> str: ...
    @property
    def layer_norm(self) -> bool: ...
    @property
    def bias(self) -> bool: ...
    @property
    def tie_embeddings(self) -> bool: ...
    @property
    def projection_bias(self) -> bool: ...
    @property
    def output_bias(self) -> bool: ...
    @property
    def norm(self) -> str: ...
    @property
    def activation(self) -> str: ...
    @property
    def scale_scores(self) -> bool: ...
    @property
    def attention(self) -> str: ...
    @property
    def qk_norm(self) -> bool: ...
    @property
    def feed_forward(self) -> str: ...
    @property
    def n_experts(self) -> int: ...
    @property
    def n_shared_experts(self) -> int: ...
    def __hash__(self) -> int: ...


def shape(axes: str, sizes: Sizes) -> tuple[int, ...]:
    """The numbers for some letters."""
    return tuple(sizes[letter] for letter in axes)


@dataclass(frozen=True)
class Part:
    """A module of a `Transformer`, with the modules inside it in their order."""

    path: str  # "decoder.layers.0.cross_attention"; "" for the whole
    kind: str  # the name of its class, or of the class of 2017 that this one is derived from
    makes: str  # the axes of its result, in letters
    parameters: Mapping[str, str] = field(default_factory=dict)  # axes in letters, by the last part of the name
    products: tuple[str, ...] = ()  # multiplications of matrices of one sequence; the letters of each are multiplied
    parts: tuple["Part", ...] = ()

    def __iter__(self) -> Iterator["Part"]:
        """This part and all below."""
        yield self
        for part in self.parts:
            yield from part

    def find(self, *kinds: str) -> list["Part"]:
        """All parts of these kinds, without those inside of one of them."""
        return [self] if self.kind in kinds else [found for part in self.parts for found in part.find(*kinds)]

    def parameter_shapes(self, sizes: Sizes) -> dict[str, tuple[int, ...]]:
        """Shapes of all parameters by name, in the order of `named_parameters`."""
        return {f"{part.path}.{name}": shape(axes, sizes) for part in self for name, axes in part.parameters.items()}

    def multiplications(self, sizes: Sizes) -> int:
        """Of matrices, in the forward pass of one batch; a FLOP counter counts a multiplication and its sum as two.

        What is done to each number by itself (embeddings, norms, softmax, masks, sums) is not counted.
        """
        return sum(math.prod(shape("B" + product, sizes)) for part in self for product in part.products)


class Location(NamedTuple):
    """Where a module or tap stands in a `Transformer`."""

    stack: str  # "encoder", "decoder" or, outside of both, ""
    layer: int | None  # from 0
    names: tuple[str, ...]  # below the layer, or below the stack where it is in no layer

    @property
    def sublayer(self) -> str:
        """ "cross_attention", also for the AddNorm around it; "" outside of the layers."""
        return self.names[0].removesuffix("_add_norm") if self.layer is not None and self.names else ""


def locate(path: str) -> Location:
    """The location of the module, tap or parameter at `path`."""
    stack, *names = path.split(".")
    if stack not in STACKS:
        return Location("", None, (stack, *names))
    if len(names) > 1 and names[0] == "layers" and names[1].isdecimal():
        return Location(stack, int(names[1]), tuple(names[2:]))
    return Location(stack, None, tuple(names))


def label(name: str) -> str:
    """The last part of a path in words: "cross-attention"."""
    return name.replace("_attention", "-attention").replace("feed_forward", "feed-forward").replace("_", " ")


def section(parameter: str) -> str:
    """The section of the model that a parameter belongs to: "token embedding", "encoder layer 1"."""
    stack, layer, names = locate(parameter)
    if not stack:
        return "output layer"
    if names[0] == "embeddings":
        return "token embedding" if names[1] == "token_table" else "positions"
    return f"{stack} norm" if layer is None else f"{stack} layer {layer + 1}"


@lru_cache(maxsize=32)
def architecture(settings: ModelSettings) -> Part:
    """The tree of a model with these settings."""
    rows = "S" if settings.architecture == "encoder-only" else "T"
    stacks = settings.architecture.removesuffix("-only").split("-")
    parts = [_stack(settings, name, with_tables=name == stacks[0]) for name in stacks]
    head = _linear("head", rows, "D", "V", bias=settings.output_bias)
    if settings.tie_embeddings:  # the token table belongs to the first stack
        head = replace(head, parameters={})
    return Part("", "Transformer", f"B{rows}V", parts=(*parts, head))


def sublayers(settings: ModelSettings, stack: str = "") -> list[Part]:
    """Attentions and feed-forward networks in the order of execution: of one stack, or of all."""
    return [part for part in architecture(settings).find(*SUBLAYERS) if part.path.startswith(stack)]


def attention_weights(settings: ModelSettings) -> list[str]:
    """Names of the taps with attention weights, (B, H, T, S), in execution order."""
    return [f"{part.path}.weights" for part in architecture(settings).find("ScaledDotProductAttention")]


@lru_cache(maxsize=256)
def parameter_axes(settings: ModelSettings) -> Counter[tuple[str, str]]:
    """How many parameters there are by axes, and by stack or, outside of the layers, by section."""
    counts: Counter[tuple[str, str]] = Counter()
    for part in architecture(settings):
        for name, axes in part.parameters.items():
            whole = section(f"{part.path}.{name}")
            counts[whole.partition(" ")[0] if whole.startswith(STACKS) else whole, axes] += 1
    return counts


def _stack(settings: ModelSettings, name: str, *, with_tables: bool) -> Part:
    """An encoder or a decoder; tables that two stacks share belong to the first."""
    rows = "S" if name == "encoder" else "T"
    columns = {"self_attention": rows}  # the length of what each attention looks at
    if name == "decoder" and settings.architecture == "encoder-decoder":
        columns["cross_attention"] = "S"
    layers = []
    for path in (f"{name}.layers.{number}" for number in range(settings.n_layers)):
        sublayers = [_attention(settings, f"{path}.{kind}", rows, columns[kind]) for kind in columns]
        sublayers.append(_FEED_FORWARDS[settings.feed_forward](settings, f"{path}.feed_forward", rows))
        parts: list[Part] = []
        for sublayer in sublayers:
            around = f"{sublayer.path}_add_norm"
            parts += sublayer, Part(around, "AddNorm", f"B{rows}D", parts=_norm(settings, f"{around}.norm", rows))
        layers.append(Part(path, f"{name.capitalize()}Layer", f"B{rows}D", parts=tuple(parts)))
    norm = _norm(settings, f"{name}.norm", rows) if settings.norm_position == "pre" else ()
    tables = _tables(settings, f"{name}.embeddings", rows) if with_tables else ()
    embeddings = Part(f"{name}.embeddings", "Embeddings", f"B{rows}D", parts=tables)
    return Part(name, name.capitalize(), f"B{rows}D", parts=(embeddings, *layers, *norm))


def _tables(settings: ModelSettings, path: str, rows: str) -> tuple[Part, ...]:
    tokens = Part(f"{path}.token_table", "Embedding", f"B{rows}D", {"weight": "VD"})
    if not settings.adds_positions:
        return (tokens,)
    trained = {"learned": ("table",), "two_way": ("table", "table_from_end")}.get(settings.positions, ())
    return tokens, Part(f"{path}.positions", "PositionalEncoding", f"B{rows}D", dict.fromkeys(trained, "RD"))


def _attention(settings: ModelSettings, path: str, rows: str, columns: str) -> Part:
    rotary = settings.positions == "rotary" and not path.endswith("cross_attention")
    projections = (
        _linear(f"{path}.w_{name}", columns if of_keys else rows, *axes, bias=settings.projection_bias)
        for name, axes, of_keys in _PROJECTIONS[settings.attention]
        if rotary or not name.endswith("r")
    )
    compared = "Q" if rotary and settings.attention == "latent" else "K"
    products = (f"H{rows}{columns}{compared}", f"H{rows}{columns}K")  # of queries and keys, and of weights and values
    scale = {"scale": ""} if settings.qk_norm and settings.scale_scores else {}
    inner = Part(f"{path}.attention", "ScaledDotProductAttention", f"BH{rows}K", scale, products)
    return Part(path, "MultiHeadAttention", f"B{rows}D", parts=(*projections, inner))


_PROJECTIONS = {
    "multi_head": (("q", "DD", False), ("k", "DD", True), ("v", "DD", True), ("o", "DD", False)),
    "grouped_query": (("q", "DD", False), ("k", "DM", True), ("v", "DM", True), ("o", "DD", False)),
    "latent": (
        ("q", "DD", False), ("dkv", "DC", True), ("uk", "CD", True), ("uv", "CD", True),
        ("qr", "DU", False), ("kr", "DP", True), ("o", "DD", False),
    ),
}  # fmt: skip
"""Name of each linear layer, what it reads and makes, and whether it reads what the keys are made from."""


def _network(settings: ModelSettings, path: str, rows: str) -> Part:
    axes = {"w_1": "DF", "w_2": "FD"} | ({"w_3": "DF"} if settings.activation == "swiglu" else {})
    linear = (_linear(f"{path}.{name}", rows, *letters, bias=settings.bias) for name, letters in axes.items())
    return Part(path, "FeedForward", f"B{rows}D", parts=tuple(linear))


def _mixture(settings: ModelSettings, path: str, rows: str) -> Part:
    groups = {"experts": settings.n_experts, "shared_experts": settings.n_shared_experts}
    experts = (
        _network(settings, f"{path}.{group}.{index}", rows)
        for group, number in groups.items()
        for index in range(number)
    )
    router = _linear(f"{path}.router", rows, "D", "E", bias=False)
    return Part(path, "Mixture", f"B{rows}D", parts=(router, *experts))


_FEED_FORWARDS = {"dense": _network, "mixture": _mixture}


def _norm(settings: ModelSettings, path: str, rows: str) -> tuple[Part, ...]:
    kind = NORMS[settings.norm]
    parameters = dict.fromkeys(("weight", "bias") if settings.bias and kind == "LayerNorm" else ("weight",), "D")
    return (Part(path, kind, f"B{rows}D", parameters),) if settings.layer_norm else ()


def _linear(path: str, rows: str, reads: str, makes: str, *, bias: bool) -> Part:
    parameters = {"weight": makes + reads} | ({"bias": makes} if bias else {})
    return Part(path, "Linear", f"B{rows}{makes}", parameters, (rows + reads + makes,))
