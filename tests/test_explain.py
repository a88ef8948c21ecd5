"""The document of each tap: of all of them, in full, and about the model at hand rather than about any."""

import itertools
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import pytest

from playground.explain import PROJECT, TAPS, TapDocument, bind, explain, tap_path
from playground.explain.glossary import DIMENSIONS
from playground.explain.inspection import Step, walk
from playground.explain.latex import symbol
from playground.model.task_model import TaskModel
from playground.recording import owner as owner_of
from playground.recording import taps
from playground.settings.config import Architecture, ConfigError, NormPosition, Positions, RunConfig
from tests.helpers import MODERN

ARCHITECTURES: tuple[Architecture, ...] = get_args(Architecture)
TINY = RunConfig().updated(
    {
        "task.vocab_size": 4,
        "task.max_length": 4,
        "model.d_model": 8,
        "model.n_heads": 2,
        "model.n_layers": 2,
        "model.d_ff": 16,
    }
)
SWITCHES = {
    "architecture": ARCHITECTURES,
    "norm_position": get_args(NormPosition),
    "activation": ("relu", "gelu"),
    "positions": get_args(Positions),
    "bias": (True, False),
    "attention_bias": (True, False),
    "tie_embeddings": (True, False),
    "scale_scores": (True, False),
    "causal_mask": (True, False),
    "residual": (True, False),
    "layer_norm": (True, False),
}


TapNames = tuple[tuple[str, str], ...]


def tiny(**model: Any) -> RunConfig:
    return TINY.updated({f"model.{name}": value for name, value in model.items()})


SAME = {"bias", "attention_bias", "tie_embeddings", "scale_scores", "causal_mask", "norm_position"}
"""Settings that change no name of a tap."""


def names(config: RunConfig) -> TapNames:
    """Full name and owner of every tap in a model of this config."""
    return _names(tuple((name, value) for name, value in config.model.model_dump().items() if name not in SAME))


@cache
def _names(settings: tuple[tuple[str, Any], ...]) -> TapNames:
    model = TaskModel(tiny(**dict(settings)))
    return tuple((name, owner_of(model, name)) for name in taps(model))


def configs(every: int) -> Iterator[RunConfig]:
    """One of so many of all settings; 29 divides no number of choices, so that each choice meets the others."""
    for values in itertools.islice(itertools.product(*SWITCHES.values()), 0, None, every):
        try:
            yield tiny(**dict(zip(SWITCHES, values, strict=True)))
        except ConfigError:
            assert "encoder-only" in values, "encoder-only has no causal mask to switch off"
    around = ("architecture", "norm_position", "bias", "attention_bias", "residual")
    for changes, *values in itertools.product(MODERN.values(), *(SWITCHES[name] for name in around)):
        yield tiny(**dict(zip(around, values, strict=True)) | changes)


def document(name: str, **model: Any) -> TapDocument:
    """The document of the one tap that ends like this."""
    config = tiny(**model)
    (owner,) = {owner for full, owner in names(config) if full == name}
    return explain(name, owner, config)


@cache
def every_document(every: int = 29) -> tuple[TapDocument, ...]:
    """Every document of these models, those with the same words once."""
    found: dict[tuple[Any, ...], TapDocument] = {}
    for config in configs(every):
        for name, owner in names(config):
            made = explain(name, owner, config)
            found[made.title, made.sentence, made.formula, made.sources, made.backward] = made
    return tuple(found.values())


def test_no_other_settings_have_other_documents():
    def words(documents: tuple[TapDocument, ...]) -> set[tuple[Any, ...]]:
        return {(each.title, each.sentence, each.formula, each.sources, each.backward) for each in documents}

    assert words(every_document(1)) == words(every_document())


def test_every_tap_has_a_document_and_every_document_a_tap():
    every = itertools.product(ARCHITECTURES, [{"positions": each} for each in get_args(Positions)] + [*MODERN.values()])
    assert TAPS.keys() == {
        (owner, name.rpartition(".")[2])
        for architecture, changes in every
        for name, owner in names(tiny(architecture=architecture, **changes))
    }


def test_every_document_is_complete_in_every_model():
    assert len(every_document()) > len(TAPS)
    for each in every_document():
        assert re.fullmatch(r"[A-Z][\w ,&()-]+", each.title)
        assert re.fullmatch(r"[A-Z].{10,}\.", each.sentence)
        assert not re.search(r"[$\\]|\.\.|  ", each.sentence), "plain words"
        assert_typesets(each.formula)


PARTS = {  # of each paper that is cited: those that say what is cited
    "Vaswani et al. 2017": r"3|3\.[145]|3\.4 \(there W is the embedding table\)|3\.2\.[123]|3\.2\.1, eq\. 1"
    r"|3\.3, eq\. 2( \(there with biases\))?|figure 2",
    "Ba et al. 2016": r"3 \(there without ε\)",
    "Hendrycks & Gimpel 2016": "2",
    "Szegedy et al. 2016": "7",
    "Gehring et al. 2017": r"3\.1",
    "Su et al. 2021": r"3\.4\.2, eq\. 34",
    "Liu et al. 2018": r"4\.2\.3",
    "Xiong et al. 2020": "table 1",
    "Zhang & Sennrich 2019": r"4, eq\. 4 \(there without ε\)",
    "Shazeer 2019": "3",
    "Shazeer 2020": r"2, eq\. 6 \(there V is W_3\)",
    "Ainslie et al. 2023": r"2\.2",
    "DeepSeek-AI 2024 (V2)": r"2\.1\.2, eq\. 9-11|2\.1\.3, eq\. 1[48](-17)?",
    "DeepSeek-AI 2024 (V3)": r"2\.1\.2, eq\. 12",
    "Henry et al. 2020": "abstract",
    "Beltagy et al. 2020": r"3\.1",
    "Gemma Team 2024": "2",
    "Shazeer et al. 2017": r"2, eq\. 1|2\.1, eq\. [35]",
    "Fedus et al. 2021": r"2\.1(, eq\. [12])?|2\.2, eq\. (5|4-6)",
    PROJECT.paper: "(bias|padding mask|positions from both ends|no residual connections)?",
}


def test_every_formula_cites_a_part_of_a_paper_or_this_project():
    cited = {source for each in every_document() for source in each.sources}
    assert all(each.sources for each in every_document())
    assert {source.paper for source in cited} == PARTS.keys()
    for source in cited:
        assert re.fullmatch(PARTS[source.paper], source.section), source
        assert bool(re.fullmatch(r"https://arxiv.org/abs/\d{4}\.\d{5}", source.url)) == (source.paper != PROJECT.paper)


@pytest.mark.parametrize(
    ("name", "changes", "cited"),
    [
        ("encoder.layers.0.self_attention.attention.scores", {}, "Vaswani et al. 2017, § 3.2.1, eq. 1"),
        ("encoder.layers.0.feed_forward.activation", {"activation": "gelu"}, "Hendrycks & Gimpel 2016, § 2"),
        ("encoder.layers.0.feed_forward_add_norm.sum", {"norm_position": "pre"}, "Xiong et al. 2020, table 1"),
        ("encoder.layers.0.feed_forward_add_norm.sum", {"norm_position": "post"}, "Vaswani et al. 2017, § 3.1"),
        ("encoder.embeddings.position", {"positions": "learned"}, "Gehring et al. 2017, § 3.1"),
        ("encoder.embeddings.position", {"positions": "two_way"}, "This project, positions from both ends"),
        ("encoder.padding_mask", {}, "This project, padding mask"),
        ("decoder.mask", {}, "This project, padding mask"),
        ("decoder.causal_mask", {"causal_mask": False}, "This project"),
        ("loss", {}, "Szegedy et al. 2016, § 7"),
    ],
)
def test_the_paper_follows_the_settings(name: str, changes: dict[str, Any], cited: str):
    assert str(document(name, **changes).sources[0]) == cited


def assert_typesets(formula: str) -> None:
    """LaTeX that a renderer can read: balanced, one line, known words."""
    assert formula.strip()
    assert not set("$\n%#") & set(formula)
    assert formula.count(r"\left") == formula.count(r"\right")
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", formula):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    bare = re.sub(r"\\[{}]", "", formula)
    for opening, closing in ("()", "[]"):
        assert bare.count(opening) == bare.count(closing)
    commands = set(re.findall(r"\\([A-Za-z]+)", formula))
    assert commands <= KNOWN, "a word of LaTeX that this test does not know: look at it on the page, then add it"
    assert not re.search(r"[_^]\s*($|[_^}])", formula), "an index without content"


KNOWN = {
    *("mathrm", "text", "frac", "sqrt", "sum", "left", "right", "dots", "quad", "ldots", "cdot", "mathbb"),
    *("partial", "mathrel", "hat", "begin", "end", "phi"),
    *("sin", "cos", "log", "max", "min", "exp", "tanh"),
    *("le", "ge", "ne", "in", "wedge", "vee", "infty", "top", "odot", "times", "lceil", "rceil"),
    *("lambda", "rho", "sigma", "mu", "epsilon", "gamma", "alpha", "beta", "Phi", "pi", "theta"),
}


# --- where a tap stands ---------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{}, MODERN["deepseek"]], ids=["2017", "deepseek"])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_path_of_every_tap_is_readable_and_unique(architecture: str, changes: dict[str, Any]):
    paths = {name: tap_path(name) for name, _ in names(tiny(architecture=architecture, **changes))}
    assert len(set(paths.values())) == len(paths)
    for name, words in paths.items():
        for word in words:
            assert re.fullmatch(r"[a-z][a-z &-]*( \d+)?", word), f"{word} in {name}"
        assert len(set(words)) == len(words), "no word occurs twice"
        assert len(words) <= 5


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("encoder.tokens", ("encoder", "tokens")),
        ("encoder.embeddings.token_embedding", ("encoder", "embeddings", "token embedding")),
        (
            "decoder.layers.0.cross_attention.attention.scaled_scores",
            ("decoder", "layer 1", "cross-attention", "scaled scores"),
        ),
        ("decoder.layers.11.self_attention.w", ("decoder", "layer 12", "self-attention", "w")),
        ("encoder.layers.0.self_attention_add_norm.sum", ("encoder", "layer 1", "self-attention", "add & norm", "sum")),
        ("encoder.layers.1.feed_forward.hidden", ("encoder", "layer 2", "feed-forward", "hidden")),
        (
            "decoder.layers.1.feed_forward.shared_experts.0.up",
            ("decoder", "layer 2", "feed-forward", "shared expert 1", "up"),
        ),
        ("loss", ("loss",)),
    ],
)
def test_the_path_of_a_tap_starts_with_its_outermost_part(name: str, words: tuple[str, ...]):
    assert tap_path(name) == words


# --- about this model -----------------------------------------------------------------------------

SCORES = "decoder.layers.0.self_attention.attention"
NORM = "encoder.layers.0.self_attention_add_norm"
FEED_FORWARD = "encoder.layers.0.feed_forward"


def test_documents_differ_between_pre_norm_and_post_norm():
    before, after = (document(f"{NORM}.normalized", norm_position=position) for position in ("pre", "post"))
    assert r"\mathrm{LayerNorm}(x)," in before.formula
    assert r"\mathrm{LayerNorm}(x + \mathrm{MultiHead}(x))" in after.formula
    before, after = (document(f"{NORM}.sum", norm_position=position) for position in ("pre", "post"))
    assert before.formula == r"x + \mathrm{MultiHead}(\mathrm{LayerNorm}(x))"
    assert after.formula == r"x + \mathrm{MultiHead}(x)"
    assert "FFN" in document("encoder.layers.0.feed_forward_add_norm.sum").formula
    before, after = (document("encoder.output", norm_position=position) for position in ("pre", "post"))
    assert "LayerNorm" in before.formula
    assert "LayerNorm" not in after.formula


def test_without_norm_or_residual_path_the_formulas_do_without_them():
    assert document(f"{NORM}.sum", layer_norm=False).formula == r"x + \mathrm{MultiHead}(x)"
    assert "x +" not in document(f"{NORM}.normalized", norm_position="post", residual=False).formula
    assert "LayerNorm" not in document("encoder.output", layer_norm=False).formula


def test_unscaled_attention_says_so():
    on, off = document(f"{SCORES}.scaled_scores"), document(f"{SCORES}.scaled_scores", scale_scores=False)
    assert "sqrt" in on.formula
    assert "sqrt" not in off.formula
    assert "off" in off.title
    assert "sqrt" in document(f"{SCORES}.masked_scores").formula
    assert "sqrt" not in document(f"{SCORES}.masked_scores", scale_scores=False).formula


def test_documents_differ_between_relu_and_gelu():
    assert document(f"{FEED_FORWARD}.activation").title == "ReLU"
    assert document(f"{FEED_FORWARD}.activation", activation="gelu").title == "GELU"
    for tap in ("activation", "output"):
        assert r"\max" in document(f"{FEED_FORWARD}.{tap}").formula
        assert r"\max" not in document(f"{FEED_FORWARD}.{tap}", activation="gelu").formula


def test_a_causal_mask_that_is_off_says_so():
    on, off = document("decoder.causal_mask"), document("decoder.causal_mask", causal_mask=False)
    assert "off" in off.title
    assert r"\le" in on.formula
    assert r"\le" not in off.formula
    assert "later positions" in document(f"{SCORES}.masked_scores").sentence
    assert "later positions" not in document(f"{SCORES}.masked_scores", causal_mask=False).sentence
    for open_to_all in ("encoder.layers.0.self_attention", "decoder.layers.0.cross_attention"):
        assert "later positions" not in document(f"{open_to_all}.attention.masked_scores").sentence


def test_every_kind_of_positions_has_its_own_formula():
    formulas = {
        kind: document("encoder.embeddings.position", positions=kind).formula for kind in ("learned", "two_way")
    }
    assert r"\sin" in document("encoder.embeddings.position", positions="sinusoidal").formula
    assert "S+1" in formulas["two_way"]
    assert "S+1" not in formulas["learned"]
    assert "S+1" not in document("decoder.embeddings.position").formula, "the answer's end is not known"
    assert "S+1" in document("decoder.embeddings.position", architecture="decoder-only").formula
    assert "position" not in document("encoder.embeddings.sum", positions="none").formula


def test_cross_attention_takes_keys_and_values_from_the_encoder():
    for letter, from_encoder in (("query", False), ("key", True), ("value", True)):
        cross = document(f"decoder.layers.0.cross_attention.{letter}_projection")
        own = document(f"decoder.layers.0.self_attention.{letter}_projection")
        assert ("enc" in cross.formula) == from_encoder
        assert "enc" not in own.formula


@pytest.mark.parametrize("bias", [True, False])
def test_a_formula_adds_a_bias_where_the_model_does_and_nowhere_else(bias: bool):
    for tap in (
        "logits",
        f"{FEED_FORWARD}.hidden",
        f"{FEED_FORWARD}.activation",
        f"{FEED_FORWARD}.output",
        "encoder.layers.0.self_attention.query_projection",
        "encoder.layers.0.self_attention.output",
    ):
        assert bool(re.search(r"\+ *b", document(tap, bias=bias).formula)) == bias, tap
    assert (r"\beta" in document(f"{NORM}.normalized", bias=bias).formula) == bias


def test_each_architecture_documents_what_its_decoder_reads():
    assert "BOS" in document("decoder.tokens").formula
    assert "SEP" in document("decoder.tokens", architecture="decoder-only").formula
    assert document("encoder.tokens").title == "Source tokens"


# --- one symbol, one meaning ----------------------------------------------------------------------

INPUTS = {"x", "X", "u"}  # what the operation reads, of whatever kind
MASKS = {
    "mask",
    "padding_mask",
    "window_mask",
}  # M is the mask of this attention; an encoder has padding to mask and nothing else
PAPER = {"Q", "K", "V", "M", "C", "P", "E"}
"""In formulas queries, keys, values, masks, positions and embeddings, as in the paper; in shapes sizes, which formulas
write as d_k, d_r and N_E."""


def meaning(name: str) -> str:
    """What a tap or a parameter is, wherever it stands in the model."""
    *_, module, last = f".{name}".split(".")
    if module in ("query", "key", "value") or last.removesuffix("_projection") in ("query", "key", "value"):
        return last.removesuffix("_projection")
    return f"{module}.{last}" if last in ("weight", "bias") else last


def symbols(step: Step) -> Iterator[tuple[str, str]]:
    """Every symbol of a document's formulas, rule and cell, and what it stands for."""
    yield from ((letter, meaning(name)) for letter, name in step.letters.items())
    cell = step.document.cell
    for role, name in (bind(cell, step.operation) | {cell.formula.name: step.name}).items():
        yield symbol(role, cell.symbols), meaning(name)
    yield from ((symbol(line, cell.symbols), f"{line} (line)") for line in cell.formula.lines)


@cache
def every_symbol() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for architecture, changes in itertools.product(ARCHITECTURES, VARIED):
        walked = walk(TaskModel(tiny(architecture=architecture, **changes)).eval(), "3 1 2")
        for letter, what in itertools.chain.from_iterable(map(symbols, walked.steps)):
            found.setdefault(letter, set()).add(what)
    return found


VARIED = [
    {},
    {"norm_position": "post", "positions": "learned", "activation": "gelu"},
    {"positions": "sinusoidal"},
    {"positions": "none", "residual": False, "scale_scores": False},
    *MODERN.values(),
]


def test_no_symbol_has_two_meanings_over_all_documents():
    assert len(every_symbol()) > 40
    masks = ("M", r"\mathrm{mask}")
    one = {letter: what - MASKS if letter in masks else what for letter, what in every_symbol().items()}
    assert {letter: what for letter, what in one.items() if len(what) > 1 and letter not in INPUTS} == {}


def test_a_symbol_that_is_a_letter_of_shapes_means_the_same_there():
    assert every_symbol().keys() & DIMENSIONS.keys() == {"S"} | PAPER
    assert every_symbol()["S"] == {"length (line)"}
    assert not every_symbol().keys() & set("htskdfvjr") - {"h", "k"}, "indices"
    assert every_symbol()["h"] == {"h (line)"}, "which head: the index itself"


def test_two_meanings_of_a_symbol_would_be_noticed():
    assert meaning("encoder.embeddings.positions.table_from_end") != meaning(
        "decoder.layers.0.self_attention.w_q.weight"
    )
    assert meaning("logits") != meaning("encoder.layers.0.self_attention.attention.masked_scores")
    assert meaning("encoder.layers.1.feed_forward.hidden") == meaning("decoder.layers.0.feed_forward.hidden")
