"""The taps of the stacks and of the whole model: tokens, masks, logits, loss."""

from math import exp

from torch import Tensor

from playground.config import RunConfig
from playground.explain.attention_finding import asked
from playground.explain.declaration import Declaration
from playground.explain.document import (
    BA,
    LIU,
    NOTHING,
    PROJECT,
    SZEGEDY,
    VASWANI,
    XIONG,
    Entry,
    Reading,
    Rule,
    TapDocument,
    d,
    handed,
    layer_norm,
    linear,
    normalized,
)
from playground.figures import percent
from playground.tasks import SPECIALS, task_of, token_names

_MASK = Rule(NOTHING, "Nothing flows: a mask says yes or no, and there is nothing in between that could change a bit.")


def _tokens(name: str, config: RunConfig) -> TapDocument:
    given, at = ("source", "s") if name.startswith("encoder") else ("target", "t")
    first, special = task_of(config.task).symbols[0], len(SPECIALS)
    ids = f"the first {special} ids are special tokens, so the symbol {first} has the id {special}"
    if given == "source":
        title, text, source = "Source tokens", f"The input, one token id a position: {ids}.", VASWANI.at("3")
        formula = r"x = (x_1, \dots, x_S)"
    elif config.model.architecture == "decoder-only":
        title, source = "Tokens read", LIU
        text = f"Input, SEP and the answer so far, in one row: all that this model reads, as ids ({ids})."
        formula = r"x = (x_1, \dots, x_S, \text{SEP}, y_1, \dots)"
    else:
        title, source = "Target tokens", VASWANI.at("3.1")
        text = f"BOS, then the answer, so that each position predicts the token after it, as ids ({ids})."
        formula = r"y = (\text{BOS}, y_1, \dots, y_{T-1})"
    return TapDocument(
        title,
        text,
        formula,
        (source,),
        Declaration(f"tokens[b, {at}] = {given}[b, {at}]", given=f"{given}[b, {at}]"),
        Rule(NOTHING, "Nothing flows: a token id picks rows of a table, and there is no id that is a little larger."),
        {_letter(name, config): "tokens"},
    )


def _letter(name: str, config: RunConfig) -> str:
    """Of the tokens that are read."""
    return "y" if name.startswith("decoder") and config.model.architecture == "encoder-decoder" else "x"


def _padding_mask(name: str, config: RunConfig) -> TapDocument:
    x, at = _letter(name, config), "s" if name.startswith("encoder") else "t"
    return TapDocument(
        "Padding mask",
        "Which positions hold a token; padding is looked at by nobody.",
        rf"m_{at} = [\,{x}_{at} \ne \text{{PAD}}\,]",
        (PROJECT,),
        Declaration("padding_mask[b, 0, 0, s] = tokens[b, s] != PAD", inputs="tokens[b, s]", symbol="m"),
        _MASK,
        {"m": "padding_mask", x: "tokens"},
    )


def _causal_mask(name: str, config: RunConfig) -> TapDocument:
    on = config.model.causal_mask
    return TapDocument(
        "Causal mask" if on else "Causal mask (off)",
        "A position may look at itself and at those before it, never at what it has to predict."
        if on
        else "Switched off: every position sees every other, also the answer it has to predict.",
        r"C_{ts} = [\,s \le t\,]" if on else "C_{ts} = 1",
        (VASWANI.at("3.2.3") if on else PROJECT,),
        Declaration(f"causal_mask[0, 0, t, s] = {'s <= t' if on else '1'}", symbol="C"),
        _MASK,
        {"C": "causal_mask"},
    )


def _stack_output(name: str, config: RunConfig) -> TapDocument:
    title = f"{name.partition('.')[0].capitalize()} output"
    if config.model.layer_norm and config.model.norm_position == "pre":
        parts = layer_norm("output", config)
        parts["letters"]["x"] = "x"
        text = "Pre-norm layers do not normalise what they hand on, so the stack ends with one LayerNorm more."
        return TapDocument(title, text, normalized("x", config), (XIONG, BA), **parts)
    return TapDocument(
        title,
        "What the last layer hands on.",
        "x",
        (VASWANI.at("3.1"),),
        Declaration("output[b, t, d] = x[b, t, d]", inputs="x[b, t, d]", symbol="y"),
        Rule(handed("x", d("y")), "Nothing is computed here, so the gradient passes as it is."),
        {"y": "output", "x": "x"},
    )


def _logits(name: str, config: RunConfig) -> TapDocument:
    return TapDocument(
        "Logits",
        "A score for every token of the vocabulary at every position.",
        "xW" + " + b" * config.model.bias,
        (VASWANI.at("3.4"),),
        **linear(
            "logits",
            "x W b z",
            config,
            "Each vector gets the columns of W, one for each token, times the gradients of their logits.",
            width="V",
        ),
    )


def _certainty(reading: Reading, name: str, probabilities: Tensor) -> str:
    rows = [row for row, _ in asked(reading)]
    least = float(probabilities[0][rows].max(-1).values.min())
    told = (
        "What is said is the strongest cell of its row; where the model is least sure, that cell holds "
        f"{percent(least)}."
    )
    if reading.next_token is None or reading.next_probability is None:
        return told
    token = token_names(reading.model.config.task)[reading.next_token]
    return f"{told} After the last token it says {token}, with {percent(reading.next_probability)}."


def _labels(name: str, config: RunConfig) -> TapDocument:
    before, last = {
        "encoder-decoder": ("", r"\text{EOS}"),
        "decoder-only": (r"\text{PAD}, \dots, \text{PAD}, ", r"\text{EOS}"),
        "encoder-only": ("", "y_S"),
    }[config.model.architecture]
    return TapDocument(
        "Labels",
        "The token each position is asked for; PAD is not asked for.",
        rf"y = ({before}y_1, \dots, {last})",
        (PROJECT,),
        Declaration("labels[b, t] = labels[b, t]", given="labels[b, t]", symbol="y"),
        Rule(NOTHING, "Nothing flows: labels are given, and say which token should have been the most probable."),
        {"y": "labels"},
    )


def _surprise(reading: Reading, name: str, loss: Tensor) -> str:
    return (
        f"The geometric mean of the right tokens' probabilities is {percent(exp(-float(loss)))}: e to the minus loss."
    )


TAPS: dict[tuple[str, str], Entry] = {
    ("Encoder", "tokens"): _tokens,
    ("Encoder", "padding_mask"): _padding_mask,
    ("Encoder", "output"): _stack_output,
    ("Decoder", "tokens"): _tokens,
    ("Decoder", "padding_mask"): _padding_mask,
    ("Decoder", "causal_mask"): _causal_mask,
    ("Decoder", "mask"): TapDocument(
        "Decoder mask",
        "Both masks together: where the decoder's self-attention may look.",
        r"C \wedge m",
        (PROJECT,),
        Declaration(
            "mask[b, 0, t, s] = causal_mask[0, 0, t, s] and padding_mask[b, 0, 0, s]",
            inputs="padding_mask[b, 0, 0, s] causal_mask[0, 0, t, s]",
            symbol="mask",
        ),
        _MASK,
        {"m": "padding_mask", "C": "causal_mask"},
    ),
    ("Decoder", "output"): _stack_output,
    ("Transformer", "logits"): _logits,
    ("Transformer", "probabilities"): TapDocument(
        "Probabilities",
        "The scores as shares that add up to 1: the model's prediction.",
        r"p = \mathrm{softmax}(\text{logits})",
        (VASWANI.at("3.4"),),
        Declaration(
            """largest = max(logits[b, t, j] for j in V)
            total = sum(exp(logits[b, t, j] - largest) for j in V)
            probabilities[b, t, v] = exp(logits[b, t, v] - largest) / total""",
            inputs="logits[b, t, v]",
            symbol="p",
        ),
        Rule(
            NOTHING, "Nothing flows: these shares are there to be looked at, and the loss is computed from the logits."
        ),
        {"p": "probabilities"},
        finding=_certainty,
    ),
    ("Transformer", "labels"): _labels,
    ("Transformer", "loss"): TapDocument(
        "Loss",
        "Cross-entropy: how surprised the model is by the labels, on average over tokens.",
        r"-\frac{1}{n}\sum_{t:\,y_t \ne \text{PAD}} \log p_{t,y_t}",
        (SZEGEDY,),
        Declaration(
            """n = sum(1 for t in T if labels[0, t] != PAD)
            loss = sum(
                logsumexp(logits[0, t, v] for v in V) - logits[0, t, labels[0, t]] for t in T if labels[0, t] != PAD
            ) / n""",
            inputs="logits[b, t, v] labels[b, t]",
            symbol="loss",
        ),
        Rule(
            handed("z_{tv}", r"\frac{[\,y_t \ne \text{PAD}\,]}{n}\left(p_{tv} - [\,y_t = v\,]\right)"),
            "Backward begins: each logit gets its probability, less 1 at the label, divided by the number of labels n; "
            "where nothing is asked for it gets zero.",
        ),
        {"L": "loss", "z": "logits", "y": "labels"},
        finding=_surprise,
    ),
}
