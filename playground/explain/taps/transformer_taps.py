"""The taps of the stacks and of the whole model: tokens, masks, logits, loss."""

from math import exp

from torch import Tensor

from playground.common.numbers import percent
from playground.explain.attention_finding import predictions
from playground.explain.declaration import STABLE_SOFTMAX, Declaration
from playground.explain.document import (
    LIU,
    PADDING,
    PROJECT,
    SZEGEDY,
    VASWANI,
    XIONG,
    Reading,
    Rule,
    TapDocument,
    TapEntry,
    handed,
    linear,
    no_gradient,
)
from playground.explain.latex import d, word
from playground.explain.norm_documents import norm_formula, norm_parts, norm_source, norm_title
from playground.settings.config import RunConfig
from playground.tasks import SPECIALS, task_of, token_names

_MASK = no_gradient("a mask is true or false and cannot change by a small amount.")
_TOKEN = word("id")


def _tokens(name: str, config: RunConfig) -> TapDocument:
    given, axis = ("source", "s") if name.startswith("encoder") else ("target", "t")
    first, special = task_of(config.task).symbols[0], len(SPECIALS)
    ids = f"the first {special} ids are special tokens, so the symbol {first} has the id {special}"
    if given == "source":
        title, text, source = "Source tokens", f"The input, one token id per position: {ids}.", VASWANI.at("3")
        formula = rf"{_TOKEN} = ({_TOKEN}_1, \dots, {_TOKEN}_S)"
    elif config.model.architecture == "decoder-only":
        title, source = "Tokens read", LIU
        if task_of(config.task).continues:
            text = f"BOS, the input and the answer so far in one sequence, as token ids: {ids}."
            formula = rf"{_TOKEN} = (\text{{BOS}}, {_TOKEN}_1, \dots, {_TOKEN}_S, a_1, \dots)"
        else:
            text = f"Input, SEP and the answer so far in one sequence, as token ids: {ids}."
            formula = rf"{_TOKEN} = ({_TOKEN}_1, \dots, {_TOKEN}_S, \text{{SEP}}, a_1, \dots)"
    else:
        title, source = "Target tokens", VASWANI.at("3.1")
        text = f"BOS, then the answer: each position predicts the token after it. Token ids: {ids}."
        formula = rf"{_TOKEN} = (\text{{BOS}}, a_1, \dots, a_{{T-1}})"
    return TapDocument(
        title,
        text,
        formula,
        (source,),
        Declaration(f"tokens[b, {axis}] = {given}[b, {axis}]", given=f"{given}[b, {axis}]", letters={_TOKEN: "tokens"}),
        no_gradient("a token id selects a row of a table and cannot change by a small amount."),
    )


def _padding_mask(name: str, config: RunConfig) -> TapDocument:
    axis = "s" if name.startswith("encoder") else "t"
    return TapDocument(
        "Padding mask",
        "True at positions with a token. No position attends to padding.",
        rf"m_{axis} = [\,{_TOKEN}_{axis} \ne \text{{PAD}}\,]",
        (PADDING,),
        Declaration(
            "padding_mask[b, 0, 0, s] = tokens[b, s] != PAD",
            inputs="tokens[b, s]",
            letters={"m": "padding_mask", _TOKEN: "tokens"},
        ),
        _MASK,
    )


def _causal_mask(name: str, config: RunConfig) -> TapDocument:
    on = config.model.causal_mask
    return TapDocument(
        "Causal mask" if on else "Causal mask (off)",
        "Each position attends to itself and to earlier positions, never to the tokens it has to predict."
        if on
        else "The causal mask is off: each position attends to all others, the answer it has to predict included.",
        r"C_{ts} = [\,s \le t\,]" if on else "C_{ts} = 1",
        (VASWANI.at("3.2.3") if on else PROJECT,),
        Declaration(f"causal_mask[0, 0, t, s] = {'s <= t' if on else '1'}", letters={"C": "causal_mask"}),
        _MASK,
    )


def _stack_output(name: str, config: RunConfig) -> TapDocument:
    title = f"{name.partition('.')[0].capitalize()} output"
    if config.model.layer_norm and config.model.norm_position == "pre":
        text = f"Pre-norm layers do not normalize their sum, so one more {norm_title(config.model)} ends the stack."
        parts, sources = norm_parts("output", config, of_x=True), (XIONG, norm_source(config.model))
        return TapDocument(title, text, norm_formula("x", config.model), sources, **parts)
    return TapDocument(
        title,
        "The output of the last layer.",
        "x",
        (VASWANI.at("3.1"),),
        Declaration("output[b, t, d] = x[b, t, d]", inputs="x[b, t, d]", letters={word("output"): "output", "x": "x"}),
        Rule(
            handed("x", d(word("output"))),
            "Nothing is computed here, so the gradient passes unchanged.",
            {"x": "gradient[b, t, d]"},
        ),
    )


def _logits(name: str, config: RunConfig) -> TapDocument:
    tied, bias = config.model.tie_embeddings, config.model.output_bias
    table = ": its dot product with the token's row of the embedding table" * tied
    return TapDocument(
        "Logits",
        f"A raw score for each token of the vocabulary, at every position{table}.",
        r"xE^\top" if tied else "xW" + " + b" * bias,
        (VASWANI.at("3.4" if tied else "3.4 (there W is the embedding table)"),),
        **linear(
            "logits",
            "x E b z" if tied else "x W b z",
            "Each vector gets the rows of E, one per token, times the gradients of their logits. The table is also the "
            "input's, so the gradients of both uses are added."
            if tied
            else "Each vector gets the columns of W, one per token, times the gradients of their logits.",
            bias=bias,
            width="V",
            table=tied,
        ),
    )


def _certainty(reading: Reading, name: str, probabilities: Tensor) -> str:
    rows = [row for row, _ in predictions(reading)]
    least = float(probabilities[0][rows].max(-1).values.min())
    sentence = (
        f"The highest probability of each row is the prediction. At the least certain position it is {percent(least)}."
    )
    if reading.next_token is None or reading.next_probability is None:
        return sentence
    token = token_names(reading.model.config.task)[reading.next_token]
    return f"{sentence} The next token is {token}, with probability {percent(reading.next_probability)}."


def _labels(name: str, config: RunConfig) -> TapDocument:
    before, last, end = {
        "encoder-decoder": ("", r"\text{EOS}", ", then EOS"),
        "decoder-only": (r"\text{PAD}, \dots, \text{PAD}, ", r"\text{EOS}", ", then EOS"),
        "encoder-only": ("", "a_S", ", without EOS: it is as long as the input"),
    }[config.model.architecture]
    return TapDocument(
        "Labels",
        f"The token that each position should predict: the answer{end}. Positions with PAD are not scored.",
        rf"y = ({before}a_1, \dots, {last})",
        (PROJECT,),
        Declaration("labels[b, t] = labels[b, t]", given="labels[b, t]", letters={"y": "labels"}),
        no_gradient("labels are given, not computed."),
    )


def _surprise(reading: Reading, name: str, loss: Tensor) -> str:
    mean = percent(exp(-float(loss)))
    return f"exp(-loss), the geometric mean of the right tokens' probabilities, is {mean}."


TAPS: dict[tuple[str, str], TapEntry] = {
    ("Encoder", "tokens"): _tokens,
    ("Encoder", "padding_mask"): _padding_mask,
    ("Encoder", "output"): _stack_output,
    ("Decoder", "tokens"): _tokens,
    ("Decoder", "padding_mask"): _padding_mask,
    ("Decoder", "causal_mask"): _causal_mask,
    ("Decoder", "mask"): TapDocument(
        "Decoder mask",
        "Causal mask and padding mask together: what the decoder's self-attention may attend to.",
        r"C \wedge m",
        (PADDING,),
        Declaration(
            "mask[b, 0, t, s] = causal_mask[0, 0, t, s] and padding_mask[b, 0, 0, s]",
            inputs="padding_mask[b, 0, 0, s] causal_mask[0, 0, t, s]",
            letters={"m": "padding_mask", "C": "causal_mask"},
        ),
        _MASK,
    ),
    ("Decoder", "output"): _stack_output,
    ("Transformer", "logits"): _logits,
    ("Transformer", "probabilities"): TapDocument(
        "Probabilities",
        "Softmax turns the logits into probabilities that add up to 1.",
        r"p = \mathrm{softmax}(z)",
        (VASWANI.at("3.4"),),
        Declaration(
            """largest = max(logits[b, t, j] for j in V)
            total = sum(exp(logits[b, t, j] - largest) for j in V)
            probabilities[b, t, v] = exp(logits[b, t, v] - largest) / total""",
            inputs="logits[b, t, v]",
            letters={"p": "probabilities", "z": "logits"},
            remark=STABLE_SOFTMAX,
        ),
        no_gradient("the loss is computed from the logits, not from these probabilities."),
        finding=_certainty,
    ),
    ("Transformer", "labels"): _labels,
    ("Transformer", "loss"): TapDocument(
        "Loss",
        "Cross-entropy: minus the logarithm of the right token's probability, averaged over all labels except PAD.",
        r"-\frac{1}{n}\sum_{t:\,y_t \ne \text{PAD}} \log p_{t,y_t}",
        (SZEGEDY,),
        Declaration(
            """n = sum(1 for t in T if labels[0, t] != PAD)
            loss = sum(
                logsumexp(logits[0, t, v] for v in V) - logits[0, t, labels[0, t]] for t in T if labels[0, t] != PAD
            ) / n""",
            inputs="logits[b, t, v] labels[b, t]",
            letters={"L": "loss", "z": "logits", "y": "labels"},
            other_symbols={"loss": word("loss")},
            remark="−log p of the right token is log Σ e^z minus its logit z. Here p itself could round to 0.",
        ),
        Rule(
            handed("z_{tv}", r"\frac{[\,y_t \ne \text{PAD}\,]}{n}\left(p_{tv} - [\,y_t = v\,]\right)"),
            "Backward starts here: each logit gets its probability, minus 1 at the label, divided by the number n of "
            "labels. Positions without a label get zero.",
            {
                "logits": """n = sum(1 for i in T if labels[b, i] != PAD)
                largest = max(logits[b, t, j] for j in V)
                total = sum(exp(logits[b, t, j] - largest) for j in V)
                p = exp(logits[b, t, v] - largest) / total
                (p - (labels[b, t] == v)) / n if labels[b, t] != PAD else 0"""
            },
        ),
        finding=_surprise,
    ),
}
