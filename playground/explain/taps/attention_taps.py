"""The taps of attention, section 3.2 of Vaswani et al. 2017."""

from collections.abc import Callable

from playground.explain.attention_finding import attends
from playground.explain.declaration import STABLE_SOFTMAX, Declaration
from playground.explain.document import (
    BELTAGY,
    DEEPSEEK_V2,
    HENRY,
    PADDING,
    PROJECT,
    SU,
    VASWANI,
    Citation,
    Rule,
    TapDocument,
    TapEntry,
    goes_past,
    handed,
    linear,
    lines,
)
from playground.explain.latex import d, word
from playground.settings.config import RunConfig

_HEADS = r"\mathrm{Concat}(\mathrm{head}_1,\dots,\mathrm{head}_H)"
_HEAD = r"\mathrm{head}_h"
_SCORES, _SCALED, _MASKED = word("scores"), word("scaled"), word("masked")


def _multi_head(bias: bool) -> tuple[Citation, ...]:
    return (VASWANI.at("3.2.2"), *[PROJECT.at("bias")] * bias)


def projection(
    letter: str, what: str, width: str = "D", sources: tuple[Citation, ...] = (VASWANI.at("3.2.2"),)
) -> Callable[[str, RunConfig], TapDocument]:
    """The document of the linear layer W^Q, W^K or W^V, by the letter, to so many numbers."""

    def document(name: str, config: RunConfig) -> TapDocument:
        cross = ".cross_attention." in name
        of_encoder = cross and letter != "Q"
        x = r"X_{\mathrm{enc}}" if of_encoder else "X"
        if of_encoder:
            others = ". The gradients from all other readers of the encoder's output are added"
        elif cross:
            others = ""
        else:
            two = "two " * (config.model.attention != "latent")
            others = f". The gradients from the other {two}projections are added"
        bias, heads = config.model.projection_bias, "all heads" if width == "D" else "all key heads"
        return TapDocument(
            f"{what} projection",
            f"{what} vectors of {heads} side by side" + (", from the encoder's output." if of_encoder else "."),
            rf"{x} W^{letter} {f'+ b^{letter}' if bias else ''}",
            (*sources, *[PROJECT.at("bias")] * bias),
            **linear(
                f"{what.lower()}_projection",
                f"{x} W^{letter} b^{letter} {letter}",
                f"Each input gets the gradients of its outputs, multiplied by the weights between them{others}.",
                bias=bias,
                width=width,
                at="t" if letter == "Q" else "s",
                shared=not cross or of_encoder or goes_past(config),
            ),
        )

    return document


def _concat_output(name: str, config: RunConfig) -> TapDocument:
    bias = config.model.projection_bias
    return TapDocument(
        "Attention output",
        "A linear layer combines the results of the heads.",
        rf"{_HEADS}\,W^O" + " + b^O" * bias,
        _multi_head(bias),
        **linear(
            "output",
            f"{word('concat')} W^O b^O {word('output')}",
            "Each input gets the gradients of its outputs, multiplied by the weights between them.",
            bias=bias,
        ),
    )


def rotated(
    letter: str, what: str, position: str, *, read: str = "", head: str = "h", width: str = "K"
) -> Callable[[str, RunConfig], TapDocument]:
    """The document of rotated queries or keys, by their letter and the index of their positions.

    They are made from the projection `read`, of the same letter unless given, and have the index `head`, or one head
    alone if it is "0". Each has `width` columns.
    """
    read, column, size = read or letter, width.lower(), {"K": "d_k", "P": "d_r"}[width]
    one_head = head == "0"
    first = "2i" if one_head else "c"
    angle = rf"\alpha = \frac{{{position}-1}}{{10000^{{2(i-1)/{size}}}}}"
    if not one_head:
        angle += rf",\quad c = ({head}-1){size}+2i"
    turned = [rf"{letter}^R_{{{position},{at}}}" for at in ("2i-1", "2i")]
    pair = [f"{position},{at}" for at in (f"{first}-1", first)]
    one, other = (f"{read}_{{{at}}}" for at in pair)
    to_one, to_other = (rf"\left({d(read)}\right)_{{{at}}} = " for at in pair)
    tap = {"Q": "rotated_query", "K": "rotated_key"}[letter]
    cell_column, own_axis = (column, column) if one_head else ("column", "d" if head == "h" else "m")
    own_axis = {("h", "P"): "u"}.get((head, width), own_axis)
    with_column = f"column = ({head} - 1) * {width} + {column}\n" * (not one_head)
    back = f"{head} = ({own_axis} - 1) // {width} + 1\n{column} = ({own_axis} - 1) % {width} + 1\n" * (not one_head)
    cell = f"i = ({column} + 1) // 2\nangle = ({position} - 1) / 10000 ** (2 * (i - 1) / {width})\n"
    at, gradient = f"projection[b, {position}, {cell_column}", f"gradient[b, {head}, {position}, {column}"
    turn = (
        f"own = {at}] * cos(angle)\n{tap}[b, {head}, {position}, {column}] = own - {at} + 1] * sin(angle) "
        f"if {column} % 2 == 1 else own + {at} - 1] * sin(angle)"
    )
    turn_back = (
        f"own = {gradient}] * cos(angle)\nown + {gradient} + 1] * sin(angle) "
        f"if {column} % 2 == 1 else own - {gradient} - 1] * sin(angle)"
    )
    heads = {"h": f"{what} of each head, every", "g": f"{what} of each key head, every", "0": "Every"}[head]

    def document(name: str, config: RunConfig) -> TapDocument:
        return TapDocument(
            f"Rotated {what.lower()}",
            f"{heads} pair of columns rotated by an angle that grows with the position. A score "
            "then depends on the distance of query and key.",
            lines(
                angle,
                rf"{turned[0]} = {one}\cos(\alpha) - {other}\sin(\alpha)",
                rf"{turned[1]} = {one}\sin(\alpha) + {other}\cos(\alpha)",
            ),
            (SU,),
            Declaration(
                with_column + cell + turn,
                inputs=f"projection[b, {position}, {own_axis}]",
                letters={f"{letter}^R": tap, read: "projection"},
            ),
            Rule(
                lines(
                    angle,
                    rf"{to_one}{d(turned[0])}\cos(\alpha) + {d(turned[1])}\sin(\alpha)",
                    rf"{to_other}{d(turned[1])}\cos(\alpha) - {d(turned[0])}\sin(\alpha)",
                ),
                "Each pair of gradients is rotated back by the same angle. Angles are computed, not trained.",
                {"projection": back + cell + turn_back},
            ),
            present=is_rotary(name, config),
        )

    return document


def is_rotary(name: str, config: RunConfig) -> bool:
    """Whether the attention at this path rotates queries and keys."""
    return config.model.positions == "rotary" and ".self_attention." in name


def _of_head(
    title: str, sentence: str, letter: str, name: str, position: str
) -> Callable[[str, RunConfig], TapDocument]:
    split = split_heads(title, sentence, letter, name, position)
    rotated = TapDocument(
        title,
        f"The rotated {title.lower()} of each head, which attention compares.",
        f"{letter} = {letter}^R",
        (SU,),
        Declaration(
            f"{name}[b, h, {position}, k] = rotated[b, h, {position}, k]",
            inputs=f"rotated[b, h, {position}, k]",
            letters={letter: name, f"{letter}^R": "rotated"},
        ),
        Rule(
            handed(f"{letter}^R", d(letter)),
            "Nothing is computed here, so the gradient passes unchanged.",
            {"rotated": f"gradient[b, h, {position}, k]"},
        ),
    )

    return lambda full, config: rotated if is_rotary(full, config) else split


def split_heads(title: str, sentence: str, letter: str, name: str, position: str) -> TapDocument:
    """The document of a projection split into heads."""
    back = rf"\left({d(letter)}\right)_{{{position},\,(h-1)d_k+k}} = \left({d(letter + '_h')}\right)_{{{position}k}}"
    return TapDocument(
        title,
        sentence,
        rf"{letter} = ({letter}_1,\dots,{letter}_H)",
        (VASWANI.at("3.2.2"),),
        Declaration(
            f"""column = (h - 1) * K + k
            {name}[b, h, {position}, k] = projection[b, {position}, column]""",
            inputs=f"projection[b, {position}, d]",
            letters={f"{letter}_h": name, letter: "projection"},
        ),
        Rule(
            back,
            "Splitting into heads computes nothing: each gradient goes back to its column.",
            {
                "projection": f"""h = (d - 1) // K + 1
                k = (d - 1) % K + 1
                gradient[b, h, {position}, k]"""
            },
        ),
    )


def compared(name: str, config: RunConfig) -> str:
    """The size of the vectors that the attention at this path compares: "K", or "Q" with a decoupled rotary part."""
    return "Q" if config.model.attention == "latent" and is_rotary(name, config) else "K"


def _scores(name: str, config: RunConfig) -> TapDocument:
    size = compared(name, config)
    column, (queries, keys) = size.lower(), _compared_letters(config)
    return TapDocument(
        "Scores",
        "How well each query matches each key: their dot product.",
        rf"{queries}{keys}^\top",
        (VASWANI.at("3.2.1, eq. 1"),),
        Declaration(
            f"scores[b, h, t, s] = sum(query[b, h, t, {column}] * key[b, h, s, {column}] for {column} in {size})",
            inputs=f"query[b, h, t, {column}] key[b, h, s, {column}]",
            letters={_SCORES: "scores", queries: "query", keys: "key"},
            other_symbols={"scores": word("score")},
        ),
        Rule(
            lines(
                handed(queries, rf"{d(_SCORES)}\,{keys}"),
                handed(keys, rf"\left({d(_SCORES)}\right)^{{\!\top}} {queries}"),
            ),
            "Each query gets the keys, and each key the queries, weighted by the gradient of their score.",
            {
                "query": f"sum(gradient[b, h, t, s] * key[b, h, s, {column}] for s in S)",
                "key": f"sum(gradient[b, h, t, s] * query[b, h, t, {column}] for t in T)",
            },
        ),
    )


def _compared_letters(config: RunConfig) -> tuple[str, str]:
    return (r"\hat{Q}", r"\hat{K}") if config.model.qk_norm else ("Q", "K")


def _scaled_scores(name: str, config: RunConfig) -> TapDocument:
    m, decoupled = config.model, compared(name, config) == "Q"
    if m.scale_scores and m.qk_norm:
        return _trained_scale(config)
    if m.scale_scores:
        title, source = "Scaled scores", DEEPSEEK_V2.at("2.1.3, eq. 18") if decoupled else VASWANI.at("3.2.1, eq. 1")
        width = "width d_k + d_r of what a head compares" if decoupled else "head width d_k"
        sentence = (
            f"The variance of a dot product grows with the {width}. Dividing by its square root keeps it near 1, "
            "so that the gradient of softmax does not vanish."
        )
        back = "The forward pass divides by a number, so the gradient is divided by the same number."
    else:
        title, source = "Scaled scores (off)", VASWANI.at("3.2.1")
        sentence = "Scaling is off: these are the scores."
        back = "Scaling is off, so the gradient passes unchanged."
    divided = " / sqrt(K + P)" if decoupled else " / sqrt(K)"
    return TapDocument(
        title,
        sentence,
        _scaled(name, config),
        (source,),
        Declaration(
            "scaled_scores[b, h, t, s] = scores[b, h, t, s]" + divided * m.scale_scores,
            inputs="scores[b, h, t, s]",
            letters={_SCALED: "scaled_scores", _SCORES: "scores"},
            other_symbols={"scores": word("score")},
        ),
        Rule(
            handed(_SCORES, rf"\frac{{1}}{{{_root(name, config)}}}\," * m.scale_scores + d(_SCALED)),
            back,
            {"scores": "gradient[b, h, t, s]" + divided * m.scale_scores},
        ),
    )


def _trained_scale(config: RunConfig) -> TapDocument:
    queries, keys = _compared_letters(config)
    to_scale = r"\sum_h \sum_t \sum_s " + rf"{d(_SCALED + '_{ts}')}\,{_SCORES}_{{ts}}"
    return TapDocument(
        "Scaled scores",
        "The scores of vectors of length 1 lie between -1 and 1. A trained number widens this range.",
        rf"\lambda\,{queries}{keys}^\top",
        (HENRY,),
        Declaration(
            "scaled_scores[b, h, t, s] = scale[0] * scores[b, h, t, s]",
            inputs="scores[b, h, t, s]",
            parameters="scale[0]",
            letters={_SCALED: "scaled_scores", _SCORES: "scores", r"\lambda": "scale"},
            other_symbols={"scores": word("score")},
        ),
        Rule(
            lines(handed(_SCORES, rf"\lambda\,{d(_SCALED)}"), handed(r"\lambda", to_scale)),
            "Each score gets its gradient times the trained number. That number gets the products of all scores and "
            "their gradients, added up.",
            {"scores": "scale[0] * gradient[b, h, t, s]"},
        ),
    )


def _root(name: str, config: RunConfig) -> str:
    return r"\sqrt{d_k+d_r}" if compared(name, config) == "Q" else r"\sqrt{d_k}"


def _scaled(name: str, config: RunConfig) -> str:
    queries, keys = _compared_letters(config)
    if not config.model.scale_scores:
        return rf"{queries}{keys}^\top"
    if config.model.qk_norm:
        return rf"\lambda\,{queries}{keys}^\top"
    return rf"\frac{{QK^\top}}{{{_root(name, config)}}}"


def _masked_scores(name: str, config: RunConfig) -> TapDocument:
    m = config.model
    own = ".cross_attention." not in name
    causal, window = name.startswith("decoder") and own and m.causal_mask, bool(m.window) and own
    hidden = "later positions and padding" if causal else "padding"
    if window:
        hidden = "later positions, padding and distant positions" if causal else "padding and distant positions"
    read, before = (word("capped"), word("capped")) if m.logit_cap else (_SCALED, _scaled(name, config))
    scores = "capped_scores" if m.logit_cap else "scaled_scores"
    inputs = [f"{scores}[b, h, t, s]", "mask[b, h, t, s]"]
    return TapDocument(
        "Masked scores",
        f"A score is set to minus infinity where a query must not attend ({hidden}). Softmax turns it into 0.",
        rf"{before} + M,\quad M_{{ts}} \in \{{0, -\infty\}}",
        (VASWANI.at("3.2.3" if causal else "figure 2"), PADDING, *[BELTAGY] * window),
        Declaration(
            f"masked_scores[b, h, t, s] = {scores}[b, h, t, s] if mask[b, h, t, s] else -inf",
            inputs=" ".join(inputs if window else inputs[::-1]),  # a window's mask is made last
            letters={_MASKED: "masked_scores", read: scores, "M": "mask"},
            other_symbols={
                "mask": word("window" if window else "mask")
            },  # true or false, where M is 0 or minus infinity
        ),
        Rule(
            handed(rf"{read}_{{ts}}", rf"[\,M_{{ts}} = 0\,]\,{d(_MASKED + '_{ts}')}"),
            "The gradient of a visible score passes unchanged, that of a hidden score is zero.",
            {scores: "gradient[b, h, t, s] if mask[b, h, t, s] else 0"},
        ),
    )


TAPS: dict[tuple[str, str], TapEntry] = {
    ("MultiHeadAttention", "query_projection"): projection("Q", "Query"),
    ("MultiHeadAttention", "key_projection"): projection("K", "Key"),
    ("MultiHeadAttention", "value_projection"): projection("V", "Value"),
    ("MultiHeadAttention", "rotated_query"): rotated("Q", "Queries", "t"),
    ("MultiHeadAttention", "rotated_key"): rotated("K", "Keys", "s"),
    ("ScaledDotProductAttention", "query"): _of_head(
        "Queries", "What each position looks for, split into heads of width d_k.", "Q", "query", "t"
    ),
    ("ScaledDotProductAttention", "key"): _of_head(
        "Keys", "What each position is compared with, split into heads of width d_k.", "K", "key", "s"
    ),
    ("ScaledDotProductAttention", "value"): split_heads(
        "Values", "What each position passes on, split into heads of width d_k.", "V", "value", "s"
    ),
    ("ScaledDotProductAttention", "scores"): _scores,
    ("ScaledDotProductAttention", "scaled_scores"): _scaled_scores,
    ("ScaledDotProductAttention", "masked_scores"): _masked_scores,
    ("ScaledDotProductAttention", "weights"): TapDocument(
        "Attention weights",
        "Softmax turns each query's scores into weights from 0 to 1 that add up to 1.",
        rf"A = \mathrm{{softmax}}({_MASKED}),\quad A_{{ts}} = \frac{{e^{{{_MASKED}_{{ts}}}}}}"
        rf"{{\sum_{{s'}} e^{{{_MASKED}_{{ts'}}}}}}",
        (VASWANI.at("3.2.1, eq. 1"),),
        Declaration(
            """largest = max(scores[b, h, t, j] for j in S)
            total = sum(exp(scores[b, h, t, j] - largest) for j in S)
            weights[b, h, t, s] = exp(scores[b, h, t, s] - largest) / total""",
            inputs="scores[b, h, t, s]",
            letters={"A": "weights", _MASKED: "scores"},
            remark=STABLE_SOFTMAX,
        ),
        Rule(
            handed(
                rf"{_MASKED}_{{ts}}",
                rf"A_{{ts}}\left({d('A_{ts}')} - \sum_{{s'}} A_{{ts'}}\," + d("A_{ts'}") + r"\right)",
            ),
            "The gradient of a score is its weight times a difference: the weight's gradient minus the weighted mean "
            "of its row's gradients. The weights of a row add up to 1, so the gradients of its scores add up to 0.",
            {
                "scores": """average = sum(weights[b, h, t, j] * gradient[b, h, t, j] for j in S)
                weights[b, h, t, s] * (gradient[b, h, t, s] - average)"""
            },
        ),
        finding=attends,
    ),
    ("ScaledDotProductAttention", "heads"): TapDocument(
        "Head outputs",
        "The mean of the values, weighted by the attention weights.",
        rf"{_HEAD} = A_h V_h",
        (VASWANI.at("3.2.1, eq. 1"),),
        Declaration(
            "heads[b, h, t, k] = sum(weights[b, h, t, s] * value[b, h, s, k] for s in S)",
            inputs="value[b, h, s, k] weights[b, h, t, s]",
            letters={_HEAD: "heads", "V_h": "value", "A_h": "weights"},
        ),
        Rule(
            lines(handed("A_h", rf"{d(_HEAD)}\,V_h^\top"), handed("V_h", rf"A_h^\top {d(_HEAD)}")),
            "Each weight gets the dot product of its value with the gradient. Each value gets the gradients of the "
            "positions that attend to it, multiplied by their weights.",
            {
                "weights": "sum(gradient[b, h, t, k] * value[b, h, s, k] for k in K)",
                "value": "sum(weights[b, h, t, s] * gradient[b, h, t, k] for t in T)",
            },
        ),
    ),
    ("MultiHeadAttention", "concat"): TapDocument(
        "Concatenation",
        "The outputs of all heads side by side.",
        _HEADS,
        (VASWANI.at("3.2.2"),),
        Declaration(
            """h = (d - 1) // K + 1
            k = (d - 1) % K + 1
            concat[b, t, d] = heads[b, h, t, k]""",
            inputs="heads[b, h, t, k]",
            letters={word("concat"): "concat", _HEAD: "heads"},
        ),
        Rule(
            rf"\left({d(_HEAD)}\right)_{{tk}} = \left({d(word('concat'))}\right)_{{t,\,(h-1)d_k+k}}",
            "Each head gets the gradient of its own columns.",
            {
                "heads": """column = (h - 1) * K + k
                gradient[b, t, column]"""
            },
        ),
    ),
    ("MultiHeadAttention", "output"): _concat_output,
}
