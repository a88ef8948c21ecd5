"""The taps of attention, section 3.2 of Vaswani et al. 2017."""

from collections.abc import Callable

from playground.explain.attention_finding import attends
from playground.explain.declaration import STABLE_SOFTMAX, Declaration
from playground.explain.document import (
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


def _projection(letter: str, what: str) -> Callable[[str, RunConfig], TapDocument]:
    def document(name: str, config: RunConfig) -> TapDocument:
        cross = ".cross_attention." in name
        of_encoder = cross and letter != "Q"
        x = r"X_{\mathrm{enc}}" if of_encoder else "X"
        if of_encoder:
            others = ". The gradients from all other readers of the encoder's output are added"
        else:
            others = "" if cross else ". The gradients from the other two projections are added"
        bias = config.model.projection_bias
        return TapDocument(
            f"{what} projection",
            f"{what} vectors of all heads side by side" + (", from the encoder's output." if of_encoder else "."),
            rf"{x} W^{letter} {f'+ b^{letter}' if bias else ''}",
            _multi_head(bias),
            **linear(
                f"{what.lower()}_projection",
                f"{x} W^{letter} b^{letter} {letter}",
                f"Each input gets the gradients of its outputs, multiplied by the weights between them{others}.",
                bias=bias,
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


def _rotated(letter: str, what: str, position: str) -> Callable[[str, RunConfig], TapDocument]:
    angle = rf"\alpha = \frac{{{position}-1}}{{10000^{{2(i-1)/d_k}}}},\quad c = (h-1)d_k+2i"
    turned = [rf"{letter}^R_{{{position},{column}}}" for column in ("2i-1", "2i")]
    read = [f"{position},{column}" for column in ("c-1", "c")]
    one, other = (f"{letter}_{{{column}}}" for column in read)
    to_one, to_other = (rf"\left({d(letter)}\right)_{{{column}}} = " for column in read)

    def document(name: str, config: RunConfig) -> TapDocument:
        tap = name.rpartition(".")[2]
        return TapDocument(
            f"Rotated {what.lower()}",
            f"{what} of each head, every pair of columns rotated by an angle that grows with the position. A score "
            "then depends on the distance of query and key.",
            lines(
                angle,
                rf"{turned[0]} = {one}\cos(\alpha) - {other}\sin(\alpha)",
                rf"{turned[1]} = {one}\sin(\alpha) + {other}\cos(\alpha)",
            ),
            (SU,),
            Declaration(
                f"""column = (h - 1) * K + k
                i = (k + 1) // 2
                angle = ({position} - 1) / 10000 ** (2 * (i - 1) / K)
                own = projection[b, {position}, column] * cos(angle)
                {tap}[b, h, {position}, k] = own - projection[b, {position}, column + 1] * sin(angle) """
                f"if k % 2 == 1 else own + projection[b, {position}, column - 1] * sin(angle)",
                inputs=f"projection[b, {position}, d]",
                letters={f"{letter}^R": tap, letter: "projection"},
            ),
            Rule(
                lines(
                    angle,
                    rf"{to_one}{d(turned[0])}\cos(\alpha) + {d(turned[1])}\sin(\alpha)",
                    rf"{to_other}{d(turned[1])}\cos(\alpha) - {d(turned[0])}\sin(\alpha)",
                ),
                "Each pair of gradients is rotated back by the same angle. Angles are computed, not trained.",
                {
                    "projection": f"""h = (d - 1) // K + 1
                    k = (d - 1) % K + 1
                    i = (k + 1) // 2
                    angle = ({position} - 1) / 10000 ** (2 * (i - 1) / K)
                    own = gradient[b, h, {position}, k] * cos(angle)
                    own + gradient[b, h, {position}, k + 1] * sin(angle) """
                    f"if k % 2 == 1 else own - gradient[b, h, {position}, k - 1] * sin(angle)"
                },
            ),
            present=config.model.positions == "rotary" and ".self_attention." in name,
        )

    return document


def _of_head(
    title: str, sentence: str, letter: str, name: str, position: str
) -> Callable[[str, RunConfig], TapDocument]:
    split = _split(title, sentence, letter, name, position)
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

    def document(full: str, config: RunConfig) -> TapDocument:
        return rotated if config.model.positions == "rotary" and ".cross_attention." not in full else split

    return document


def _split(title: str, sentence: str, letter: str, name: str, position: str) -> TapDocument:
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


def _scaled_scores(name: str, config: RunConfig) -> TapDocument:
    scaled = config.model.scale_scores
    if scaled:
        title, source = "Scaled scores", "3.2.1, eq. 1"
        sentence = (
            "The variance of a dot product grows with the head width d_k. Dividing by its square root keeps it near 1, "
            "so that the gradient of softmax does not vanish."
        )
        back = "The forward pass divides by a number, so the gradient is divided by the same number."
    else:
        title, source = "Scaled scores (off)", "3.2.1"
        sentence = "Scaling is off: these are the scores."
        back = "Scaling is off, so the gradient passes unchanged."
    return TapDocument(
        title,
        sentence,
        _scaled(config),
        (VASWANI.at(source),),
        Declaration(
            "scaled_scores[b, h, t, s] = scores[b, h, t, s]" + " / sqrt(K)" * scaled,
            inputs="scores[b, h, t, s]",
            letters={_SCALED: "scaled_scores", _SCORES: "scores"},
            other_symbols={"scores": word("score")},
        ),
        Rule(
            handed(_SCORES, r"\frac{1}{\sqrt{d_k}}\," * scaled + d(_SCALED)),
            back,
            {"scores": "gradient[b, h, t, s]" + " / sqrt(K)" * scaled},
        ),
    )


def _scaled(config: RunConfig) -> str:
    return r"\frac{QK^\top}{\sqrt{d_k}}" if config.model.scale_scores else r"QK^\top"


def _masked_scores(name: str, config: RunConfig) -> TapDocument:
    causal = name.startswith("decoder") and ".cross_attention." not in name and config.model.causal_mask
    hidden = "later positions and padding" if causal else "padding"
    return TapDocument(
        "Masked scores",
        f"A score is set to minus infinity where a query must not attend ({hidden}). Softmax turns it into 0.",
        rf"{_scaled(config)} + M,\quad M_{{ts}} \in \{{0, -\infty\}}",
        (VASWANI.at("3.2.3"), PADDING) if causal else (VASWANI.at("figure 2"), PADDING),
        Declaration(
            "masked_scores[b, h, t, s] = scaled_scores[b, h, t, s] if mask[b, h, t, s] else -inf",
            inputs="mask[b, h, t, s] scaled_scores[b, h, t, s]",
            letters={_MASKED: "masked_scores", _SCALED: "scaled_scores", "M": "mask"},
            other_symbols={"mask": word("mask")},  # true or false, where M is 0 or minus infinity
        ),
        Rule(
            handed(rf"{_SCALED}_{{ts}}", rf"[\,M_{{ts}} = 0\,]\,{d(_MASKED + '_{ts}')}"),
            "The gradient of a visible score passes unchanged, that of a hidden score is zero.",
            {"scaled_scores": "gradient[b, h, t, s] if mask[b, h, t, s] else 0"},
        ),
    )


TAPS: dict[tuple[str, str], TapEntry] = {
    ("MultiHeadAttention", "query_projection"): _projection("Q", "Query"),
    ("MultiHeadAttention", "key_projection"): _projection("K", "Key"),
    ("MultiHeadAttention", "value_projection"): _projection("V", "Value"),
    ("MultiHeadAttention", "rotated_query"): _rotated("Q", "Queries", "t"),
    ("MultiHeadAttention", "rotated_key"): _rotated("K", "Keys", "s"),
    ("ScaledDotProductAttention", "query"): _of_head(
        "Queries", "What each position looks for, split into heads of width d_k.", "Q", "query", "t"
    ),
    ("ScaledDotProductAttention", "key"): _of_head(
        "Keys", "What each position is compared with, split into heads of width d_k.", "K", "key", "s"
    ),
    ("ScaledDotProductAttention", "value"): _split(
        "Values", "What each position passes on, split into heads of width d_k.", "V", "value", "s"
    ),
    ("ScaledDotProductAttention", "scores"): TapDocument(
        "Scores",
        "How well each query matches each key: their dot product.",
        r"QK^\top",
        (VASWANI.at("3.2.1, eq. 1"),),
        Declaration(
            "scores[b, h, t, s] = sum(query[b, h, t, k] * key[b, h, s, k] for k in K)",
            inputs="query[b, h, t, k] key[b, h, s, k]",
            letters={_SCORES: "scores", "Q": "query", "K": "key"},
            other_symbols={"scores": word("score")},
        ),
        Rule(
            lines(handed("Q", rf"{d(_SCORES)}\,K"), handed("K", rf"\left({d(_SCORES)}\right)^{{\!\top}} Q")),
            "Each query gets the keys, and each key the queries, weighted by the gradient of their score.",
            {
                "query": "sum(gradient[b, h, t, s] * key[b, h, s, k] for s in S)",
                "key": "sum(gradient[b, h, t, s] * query[b, h, t, k] for t in T)",
            },
        ),
    ),
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
