"""Lesson "Parameters and cost"."""

import math
from collections.abc import Mapping

from playground.lessons.live_parts import Curves, Output, Sentence, Slider, Table, Toggle, live
from playground.model.architecture import Part, Sizes, architecture
from playground.settings.config import ModelConfig
from playground.settings.cost import PRODUCTS, by_part

VOCABULARY = 14  # of the shipped models: ten symbols and four special tokens
PAPER_PARAMETERS = 65_000_000
"""The base model in Vaswani et al. 2017, table 3."""
PAPER = {"n_layers": 6, "d_model": 512, "d_ff": 2048, "n_heads": 8}
PAPER_VOCABULARY = 37_000  # "about 37000 tokens", section 5.1
LENGTH = 16


def _tree(**settings: object) -> Part:
    """The tree of a model of any size: these settings are not checked against the bounds of a run."""
    fixed = {"positions": "sinusoidal", "norm_position": "post"}
    return architecture(ModelConfig.model_construct(**(ModelConfig().model_dump() | fixed | settings)))


def _sizes(d_model: int, d_ff: int, length: int, vocabulary: int = VOCABULARY) -> Sizes:
    return {"B": 1, "S": length, "T": length, "D": d_model, "H": 1, "K": d_model, "F": d_ff, "V": vocabulary}


def _parameters(part: Part, sizes: Sizes) -> int:
    return sum(math.prod(shape) for shape in part.parameter_shapes(sizes).values())


def _encoder_layer(d_model: int, d_ff: int, length: int) -> tuple[int, int]:
    """Multiplications of an encoder layer at a length: linear maps, and the products of attention."""
    (layer,) = _tree(n_layers=1, architecture="encoder-only").find("EncoderLayer")
    counts = by_part(layer, _sizes(d_model, d_ff, length))
    products = counts[PRODUCTS].multiplications
    return sum(count.multiplications for count in counts.values()) - products, products


def _overtaking(d_model: int, d_ff: int) -> int:
    """The longest sequence for which the products of attention take no more multiplications than the linear maps."""
    low, high = 1, 1_000_000
    while low < high:
        middle = (low + high + 1) // 2
        linear, products = _encoder_layer(d_model, d_ff, middle)
        low, high = (middle, high) if products <= linear else (low, middle - 1)
    return low


def _attention(d_model: int) -> int:
    """Parameters of one multi-head attention."""
    return _parameters(_tree(n_layers=1).find("MultiHeadAttention")[0], _sizes(d_model, 1, 1))


def _feed_forward(d_model: int, d_ff: int, length: int) -> int:
    """Multiplications of one feed-forward network."""
    return _tree(n_layers=1).find("FeedForward")[0].multiplications(_sizes(d_model, d_ff, length))


def _paper() -> dict[str, int]:
    """Parameters of the paper's base model, with a matrix of its own for the output layer."""
    sizes = _sizes(PAPER["d_model"], PAPER["d_ff"], 1, PAPER_VOCABULARY)
    tree = _tree(**PAPER)
    parameters = {part.kind: _parameters(part, sizes) for part in tree.parts}
    embedding = _parameters(tree.find("Embedding")[0], sizes)
    return {
        "Token embedding": embedding,
        "Encoder, 6 layers": parameters["Encoder"] - embedding,
        "Decoder, 6 layers": parameters["Decoder"],
        "Output layer": parameters["Linear"],
    }


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    width = (16, 32, 64, 128)[seed % 4]
    length, hidden = (5, 10, 20)[seed % 3], 4 * width
    times = 2 + seed % 4
    one, longer = (_encoder_layer(width, hidden, length) for length in (LENGTH, times * LENGTH))
    paper, saved = _paper(), PAPER_VOCABULARY * PAPER["d_model"]
    assert saved == paper["Token embedding"]
    whole = sum(paper.values())
    return {
        "width": width,
        "attention": _attention(width),
        "hidden": hidden,
        "length": length,
        "multiplications": _feed_forward(width, hidden, length),
        "flops": 2 * _feed_forward(width, hidden, length),
        "times": times,
        "linear_times": longer[0] / one[0],
        "products_times": longer[1] / one[1],
        "overtaking": _overtaking(width, hidden),
        "paper_width": PAPER["d_model"],
        "paper_vocabulary": PAPER_VOCABULARY,
        "saved": saved / 1e6,
        "separate": whole / 1e6,
        "shared": (whole - saved) / 1e6,
        "published": PAPER_PARAMETERS / 1e6,
        "near": (whole - saved) / PAPER_PARAMETERS,
    }


@live(
    d_model=Slider("d_model", 16, 512, 64, 16),
    ratio=Slider("d_ff / d_model", 1, 8, 4),
    layers=Slider("Layers", 1, 12, 1),
)
def parameters(seed: int, d_model: int, ratio: int, layers: int) -> list[Output]:
    """Parameters by part."""
    tree, sizes = _tree(n_layers=layers), _sizes(d_model, ratio * d_model, 1)
    counts = {name: cost.parameters for name, cost in by_part(tree, sizes).items() if cost.parameters}
    whole = sum(counts.values())
    rows = [[name, f"{count:,}", f"{100 * count / whole:.0f} %"] for name, count in counts.items()]
    number = len(tree.find("MultiHeadAttention"))
    return [
        Table(("Part", "Parameters", "Percentage"), rows),
        Sentence(
            f"{whole:,} parameters in {layers} + {layers} layers. Each of the {number} attentions has "
            f"**{_attention(d_model):,}**, biases included."
        ),
    ]


@live(
    d_model=Slider("d_model", 16, 512, 64, 16),
    ratio=Slider("d_ff / d_model", 1, 8, 4),
    length=Slider("Length n", 1, 512, LENGTH),
)
def flops(seed: int, d_model: int, ratio: int, length: int) -> list[Output]:
    """Multiplications and FLOPs by part, for one input and one answer of the same length."""
    costs = by_part(_tree(n_layers=1), _sizes(d_model, ratio * d_model, length))
    products = {name: cost.multiplications for name, cost in costs.items() if cost.multiplications}
    whole = sum(products.values())
    rows = [[name, f"{count:,}", f"{2 * count:,}", f"{100 * count / whole:.0f} %"] for name, count in products.items()]
    return [
        Table(("Part", "Multiplications", "FLOPs", "Percentage"), rows),
        Sentence(
            f"One encoder layer and one decoder layer: **{2 * whole:,}** FLOPs. Softmax and LayerNorm are not counted."
        ),
    ]


@live(d_model=Slider("d_model", 16, 512, 64, 16), ratio=Slider("d_ff / d_model", 1, 8, 4))
def growth(seed: int, d_model: int, ratio: int) -> list[Output]:
    """Multiplications of an encoder layer against the length."""
    lengths = [2**power for power in range(14)]
    pairs = [_encoder_layer(d_model, ratio * d_model, length) for length in lengths]
    linear, products = zip(*pairs, strict=True)
    rows = [
        [f"{n:,}", f"{one:,}", f"{two:,}"] for n, (one, two) in zip(lengths, pairs, strict=True) if n in (16, 32, 64)
    ]
    return [
        Curves(
            "Multiplications of an encoder layer",
            "Length n",
            "Multiplications",
            lengths,
            {"Linear maps": linear, "Products of attention": products},
            log_x=True,
            log_y=True,
            marks=True,
        ),
        Table(("Length n", "Linear maps", "Products of attention"), rows),
        Sentence(f"Both are equal at length **{_overtaking(d_model, ratio * d_model):,}**."),
    ]


@live(shared=Toggle("Share the token embedding with the output layer", True))
def base_model(seed: int, shared: bool) -> list[Output]:
    """The paper's base model in the same tree."""
    counts = _paper()
    if shared:
        counts["Output layer"] -= counts["Token embedding"]
    whole = sum(counts.values())
    rows = [[name, f"{count:,}", f"{100 * count / whole:.0f} %"] for name, count in counts.items()]
    return [
        Table(("Part", "Parameters", "Percentage"), rows),
        Sentence(
            f"**{whole / 1e6:.1f} million** parameters, "
            f"{100 * whole / PAPER_PARAMETERS:.0f} % of the paper's 65 million."
        ),
    ]
