"""The taps of attention, section 3.2 of Vaswani et al. 2017."""

from collections.abc import Callable

from playground.config import RunConfig
from playground.explain.attention_finding import attends
from playground.explain.declaration import Declaration
from playground.explain.document import (
    PROJECT,
    VASWANI,
    Entry,
    Rule,
    Source,
    TapDocument,
    d,
    goes_past,
    handed,
    linear,
    lines,
)
from playground.explain.mathml import Symbol

_HEADS = r"\mathrm{Concat}(\mathrm{head}_1,\dots,\mathrm{head}_H)"
_HEAD = r"\mathrm{head}_h"


def _multi_head(bias: bool) -> tuple[Source, ...]:
    return (VASWANI.at("3.2.2"), *[PROJECT.at("bias")] * bias)


def _projection(letter: str, what: str) -> Callable[[str, RunConfig], TapDocument]:
    def document(name: str, config: RunConfig) -> TapDocument:
        cross = ".cross_attention." in name
        of_encoder = cross and letter != "Q"
        x = r"X_{\mathrm{enc}}" if of_encoder else "X"
        if of_encoder:
            others = ", added to what every other reader of the encoder's output hands back"
        else:
            others = "" if cross else ", added to what the other two projections hand back"
        bias = config.model.bias
        return TapDocument(
            f"{what} projection",
            f"{what}, all heads side by side" + (", from the encoder's output." if of_encoder else "."),
            rf"{x} W^{letter} {f'+ b^{letter}' if bias else ''}",
            _multi_head(bias),
            **linear(
                f"{what.lower()}_projection",
                f"{x} W^{letter} b^{letter} {letter}",
                config,
                f"Each number read gets the gradients of all it went into, times the weights between{others}.",
                at="t" if letter == "Q" else "s",
                x="X",
                shared=not cross or of_encoder or goes_past(config),
            ),
        )

    return document


def _concat_output(name: str, config: RunConfig) -> TapDocument:
    bias = config.model.bias
    return TapDocument(
        "Attention output",
        "One more linear layer mixes what the heads found.",
        rf"{_HEADS}\,W^O" + " + b^O" * bias,
        _multi_head(bias),
        **linear(
            "output",
            "C W^O b^O Y",
            config,
            "Each number of the heads gets the gradients of all outputs it went into, times the weights between.",
            x="concat",
            symbol="output",
        ),
    )


def _split(title: str, sentence: str, letter: str, name: str, position: str) -> TapDocument:
    back = rf"\left({d(letter)}\right)_{{{position},\,(h-1)d_k+k}} = \left({d(letter + '_h')}\right)_{{{position}k}}"
    return TapDocument(
        title,
        sentence,
        rf"{letter} = ({letter}_1,\dots,{letter}_H)",
        (VASWANI.at("3.2.2"),),
        Declaration(
            f"""column = h * K + k
            {name}[b, h, {position}, k] = projection[b, {position}, column]""",
            inputs=f"projection[b, {position}, d]",
            symbol=letter,
            symbols={"projection": Symbol(letter)},
        ),
        Rule(back, "Cutting into heads computes nothing: each number's gradient goes back to its column."),
        {f"{letter}_h": name, letter: "projection"},
    )


def _scaled_scores(name: str, config: RunConfig) -> TapDocument:
    scaled = config.model.scale_scores
    if scaled:
        title, source = "Scaled scores", "3.2.1, eq. 1"
        sentence = "Divided by the square root of the head width, so that wide heads do not push softmax to its edge."
        back = "Divided on the way there, divided by the same number on the way back."
    else:
        title, source = "Scaled scores (off)", "3.2.1"
        sentence = "Scaling is switched off: the scores as they are."
        back = "Scaling is switched off, so the gradient passes as it is."
    return TapDocument(
        title,
        sentence,
        _scaled(config),
        (VASWANI.at(source),),
        Declaration(
            "scaled_scores[b, h, t, s] = scores[b, h, t, s]" + " / sqrt(K)" * scaled,
            inputs="scores[b, h, t, s]",
            symbol="scaled",
        ),
        Rule(handed("S", r"\frac{1}{\sqrt{d_k}}\," * scaled + d("S'")), back),
        {"S'": "scaled_scores", "S": "scores"},
    )


def _scaled(config: RunConfig) -> str:
    return r"\frac{QK^\top}{\sqrt{d_k}}" if config.model.scale_scores else r"QK^\top"


def _masked_scores(name: str, config: RunConfig) -> TapDocument:
    causal = name.startswith("decoder") and ".cross_attention." not in name and config.model.causal_mask
    hidden = "later positions and padding" if causal else "padding"
    return TapDocument(
        "Masked scores",
        f"Minus infinity wherever a query may not look ({hidden}); softmax makes zero of it.",
        rf"{_scaled(config)} + M,\quad M_{{ts}} \in \{{0, -\infty\}}",
        (VASWANI.at("3.2.3" if causal else "figure 2"),),
        Declaration(
            "masked_scores[b, h, t, s] = scaled_scores[b, h, t, s] if mask[b, h, t, s] else -inf",
            inputs="mask[b, h, t, s] scaled_scores[b, h, t, s]",
            symbol="z",
        ),
        Rule(
            handed("S'_{ts}", rf"[\,M_{{ts}} = 0\,]\,{d('z_{ts}')}"),
            "Visible scores get their gradient as it is, hidden ones zero.",
        ),
        {"z": "masked_scores", "S'": "scaled_scores", "M": "mask"},
    )


TAPS: dict[tuple[str, str], Entry] = {
    ("MultiHeadAttention", "query_projection"): _projection("Q", "Query"),
    ("MultiHeadAttention", "key_projection"): _projection("K", "Key"),
    ("MultiHeadAttention", "value_projection"): _projection("V", "Value"),
    ("ScaledDotProductAttention", "query"): _split(
        "Queries", "What each position looks for, cut into heads of width d_k.", "Q", "query", "t"
    ),
    ("ScaledDotProductAttention", "key"): _split(
        "Keys", "What each position offers to be found by, cut into heads.", "K", "key", "s"
    ),
    ("ScaledDotProductAttention", "value"): _split(
        "Values", "What each position hands over when found, cut into heads.", "V", "value", "s"
    ),
    ("ScaledDotProductAttention", "scores"): TapDocument(
        "Scores",
        "How well each query fits each key: their dot product.",
        r"QK^\top",
        (VASWANI.at("3.2.1, eq. 1"),),
        Declaration(
            "scores[b, h, t, s] = sum(query[b, h, t, k] * key[b, h, s, k] for k in K)",
            inputs="query[b, h, t, k] key[b, h, s, k]",
            symbol="score",
        ),
        Rule(
            lines(handed("Q", rf"{d('S')}\,K"), handed("K", rf"\left({d('S')}\right)^{{\!\top}} Q")),
            "Each query gets the keys, and each key the queries, weighted by the gradient of their score.",
        ),
        {"S": "scores", "Q": "query", "K": "key"},
    ),
    ("ScaledDotProductAttention", "scaled_scores"): _scaled_scores,
    ("ScaledDotProductAttention", "masked_scores"): _masked_scores,
    ("ScaledDotProductAttention", "weights"): TapDocument(
        "Attention weights",
        "Each query's scores as shares that add up to 1: where it looks.",
        r"A = \mathrm{softmax}(\text{masked scores}),\quad A_{ts} = \frac{e^{z_{ts}}}{\sum_{s'} e^{z_{ts'}}}",
        (VASWANI.at("3.2.1, eq. 1"),),
        Declaration(
            """largest = max(scores[b, h, t, j] for j in S)
            total = sum(exp(scores[b, h, t, j] - largest) for j in S)
            weights[b, h, t, s] = exp(scores[b, h, t, s] - largest) / total""",
            inputs="scores[b, h, t, s]",
            symbol="A",
            symbols={"scores": Symbol("z")},
        ),
        Rule(
            handed("z_{ts}", rf"A_{{ts}}\left({d('A_{ts}')} - \sum_{{s'}} A_{{ts'}}\," + d("A_{ts'}") + r"\right)"),
            "Only what sets a weight apart from the weighted average of its row counts, since shares always add up "
            "to 1.",
        ),
        {"A": "weights", "z": "scores"},
        finding=attends,
    ),
    ("ScaledDotProductAttention", "heads"): TapDocument(
        "Head outputs",
        "The values, averaged by those shares.",
        rf"{_HEAD} = A_h V_h",
        (VASWANI.at("3.2.1, eq. 1"),),
        Declaration(
            "heads[b, h, t, k] = sum(weights[b, h, t, s] * value[b, h, s, k] for s in S)",
            inputs="value[b, h, s, k] weights[b, h, t, s]",
            symbol="head",
        ),
        Rule(
            lines(handed("A_h", rf"{d(_HEAD)}\,V_h^\top"), handed("V_h", rf"A_h^\top {d(_HEAD)}")),
            "A weight gets its value times the gradient; a value gets the gradients of all who looked at it, by "
            "weight.",
        ),
        {_HEAD: "heads", "V_h": "value", "A_h": "weights"},
    ),
    ("MultiHeadAttention", "concat"): TapDocument(
        "Concatenation",
        "The heads' results side by side again.",
        _HEADS,
        (VASWANI.at("3.2.2"),),
        Declaration(
            """head = d // K + 1
            column = d % K
            concat[b, t, d] = heads[b, head - 1, t, column]""",
            inputs="heads[b, h, t, k]",
            symbol="concat",
        ),
        Rule(
            rf"\left({d(_HEAD)}\right)_{{tk}} = \left({d('C')}\right)_{{t,\,(h-1)d_k+k}}",
            "Each head gets the gradient of its own columns.",
        ),
        {"C": "concat", _HEAD: "heads"},
    ),
    ("MultiHeadAttention", "output"): _concat_output,
}
