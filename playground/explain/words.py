"""What each tap means: a title, a sentence, the formula and where the paper has it.

One entry a row of the tap table; a test holds the two sets equal.
"""

from collections.abc import Callable
from dataclasses import dataclass

from playground.architecture import label
from playground.config import RunConfig
from playground.tasks import SPECIALS, task_of


@dataclass(frozen=True)
class Explanation:
    """How an operation is told to a person."""

    title: str
    sentence: str
    formula: str  # LaTeX
    section: str  # of "Attention Is All You Need"


Entry = Explanation | Callable[[str, RunConfig], Explanation]


def explain(name: str, owner: str, config: RunConfig) -> Explanation:
    """The explanation of the tap `name`, owned by the class `owner`, in a model of this config."""
    entry = EXPLANATIONS[owner, name.rpartition(".")[2]]
    return entry if isinstance(entry, Explanation) else entry(name, config)


def place(name: str) -> tuple[str, ...]:
    """Where a tap stands, outermost first: ("decoder", "layer 1", "cross-attention", "scaled scores")."""
    words: list[str] = []
    for part in name.split("."):
        if part.isdigit():
            words[-1] = f"layer {int(part) + 1}"
        elif part.endswith("_add_norm"):
            words += [label(part.removesuffix("_add_norm")), "add & norm"]
        elif part != "attention":
            words.append(label(part))
    return tuple(words)


def _side(name: str, config: RunConfig) -> str:
    """The letter of the length that queries have at this place."""
    return "S" if name.startswith("encoder") or config.model.architecture == "encoder-only" else "T"


def _ids(config: RunConfig) -> str:
    first, special = task_of(config.task).symbols[0], len(SPECIALS)
    return f"the first {special} ids are special tokens, so the symbol {first} has the id {special}"


def _tokens(name: str, config: RunConfig) -> Explanation:
    if name.startswith("encoder"):
        return Explanation(
            "Source tokens", f"The input, one token id a position: {_ids(config)}.", r"x = (x_1, \dots, x_S)", "3.1"
        )
    if config.model.architecture == "decoder-only":
        text = f"Input, SEP and the answer so far, in one row: all that this model reads, as ids ({_ids(config)})."
        return Explanation("Tokens read", text, r"x = (x_1, \dots, x_S, \text{SEP}, y_1, \dots)", "3.1")
    text = f"BOS, then the answer, so that each position predicts the token after it, as ids ({_ids(config)})."
    return Explanation("Target tokens", text, r"y = (\text{BOS}, y_1, \dots, y_{T-1})", "3.1")


def _position(name: str, config: RunConfig) -> Explanation:
    kind = config.model.positions
    if kind == "sinusoidal":
        text = "A sine and a cosine of another wavelength for each pair of columns; nothing here is trained."
        formula = (
            r"PE_{(pos,2i)} = \sin\!\left(\frac{pos}{10000^{2i/D}}\right),\quad "
            r"PE_{(pos,2i+1)} = \cos\!\left(\frac{pos}{10000^{2i/D}}\right)"
        )
        return Explanation("Positions", text, formula, "3.5")
    if kind == "learned":
        return Explanation("Positions", "One trained vector for each position.", r"P_{pos}", "3.5")
    source_is_read = name.startswith("encoder") or config.model.architecture == "decoder-only"
    if source_is_read:
        text = "Trained vectors counted from both ends of the source, so the model finds the n-th token from either."
        return Explanation("Positions", text, r"P_{pos} + Q_{S-1-pos}", "3.5")
    text = "One trained vector for each position; the answer's end is not known yet, so it is counted from the start."
    return Explanation("Positions", text, r"P_{pos}", "3.5")


def _embedding_sum(name: str, config: RunConfig) -> Explanation:
    if config.model.positions == "none":
        text = "Nothing is added: this model does not know the order of its tokens."
        return Explanation("Embedding", text, r"X = \sqrt{D}\,E_{x}", "3.5")
    text = "Token and position in one vector, the start of the residual path."
    return Explanation("Embedding plus position", text, r"X = \sqrt{D}\,E_{x} + \mathrm{position}", "3.5")


def _causal_mask(name: str, config: RunConfig) -> Explanation:
    if config.model.causal_mask:
        text = "A position may look at itself and at those before it, never at what it has to predict."
        return Explanation("Causal mask", text, r"C_{ts} = [\,s \le t\,]", "3.2.3")
    text = "Switched off: every position sees every other, also the answer it has to predict."
    return Explanation("Causal mask (off)", text, r"C_{ts} = 1", "3.2.3")


def _stack_output(name: str, config: RunConfig) -> Explanation:
    stack = name.partition(".")[0].capitalize()
    if config.model.layer_norm and config.model.norm_position == "pre":
        text = "Pre-norm layers leave their last sum as it is, so the stack ends with one LayerNorm more."
        return Explanation(f"{stack} output", text, r"\mathrm{LayerNorm}(x)", "3.1")
    return Explanation(f"{stack} output", "What the last layer hands on.", "x", "3.1")


def _sublayer(name: str) -> str:
    words = place(name)
    return "FFN" if "feed-forward" in words else r"\mathrm{MultiHead}"


def _add(name: str, config: RunConfig) -> Explanation:
    inner = r"\mathrm{LayerNorm}(x)" if config.model.norm_position == "pre" and config.model.layer_norm else "x"
    text = "The sublayer's output is added to its input: the residual path that carries every token upwards."
    return Explanation("Residual sum", text, rf"x + {_sublayer(name)}({inner})", "3.1")


def _normalized(name: str, config: RunConfig) -> Explanation:
    if config.model.norm_position == "pre":
        text = "Each vector is brought to mean 0 and variance 1, then scaled and shifted, before the sublayer reads it."
        inner = "x"
    else:
        text = "Each vector of the sum is brought to mean 0 and variance 1, then scaled and shifted, as in the paper."
        inner = rf"x + {_sublayer(name)}(x)" if config.model.residual else rf"{_sublayer(name)}(x)"
    formula = (
        rf"\mathrm{{LayerNorm}}({inner}),\quad \mathrm{{LayerNorm}}(z) = \frac{{z-\mu}}{{\sqrt{{\sigma^2+\epsilon}}}}"
    )
    return Explanation("LayerNorm", text, formula + r"\odot\gamma" + (r"+\beta" if config.model.bias else ""), "3.1")


def _projection(letter: str, what: str) -> Callable[[str, RunConfig], Explanation]:
    def entry(name: str, config: RunConfig) -> Explanation:
        cross = ".cross_attention." in name and letter != "Q"
        origin = r"X_{\mathrm{enc}}" if cross else "X"
        text = f"{what}, all heads side by side" + (", from the encoder's output." if cross else ".")
        bias = f"+ b^{letter}" if config.model.bias else ""
        return Explanation(f"{what} projection", text, rf"{origin} W^{letter} {bias}", "3.2.2")

    return entry


def _scaled(name: str, config: RunConfig) -> Explanation:
    if config.model.scale_scores:
        text = "Divided by the square root of the head width, so that wide heads do not push softmax to its edge."
        return Explanation("Scaled scores", text, r"\frac{QK^\top}{\sqrt{d_k}}", "3.2.1, eq. 1")
    return Explanation("Scaled scores (off)", "Scaling is switched off: the scores as they are.", r"QK^\top", "3.2.1")


def _masked(name: str, config: RunConfig) -> Explanation:
    cross = ".cross_attention." in name
    causal = _side(name, config) == "T" and not cross and config.model.causal_mask
    hidden = "later positions and padding" if causal else "padding"
    text = f"Minus infinity wherever a query may not look ({hidden}); softmax makes zero of it."
    scaled = r"\frac{QK^\top}{\sqrt{d_k}}" if config.model.scale_scores else r"QK^\top"
    return Explanation("Masked scores", text, rf"{scaled} + M,\quad M_{{ts}} \in \{{0, -\infty\}}", "3.2.3")


def _hidden(config: RunConfig) -> str:
    return "xW_1 + b_1" if config.model.bias else "xW_1"


def _activation(name: str, config: RunConfig) -> Explanation:
    z = _hidden(config)
    if config.model.activation == "relu":
        return Explanation("ReLU", "Negative numbers become zero.", rf"\max(0,\; {z})", "3.3, eq. 2")
    text = "A smooth ReLU: each number times the share of a standard normal below it."
    return Explanation("GELU", text, rf"z\,\Phi(z),\quad z = {z}", "3.3 (GELU came later)")


def _feed_forward_output(name: str, config: RunConfig) -> Explanation:
    z = _hidden(config)
    inner = rf"\max(0,\; {z})" if config.model.activation == "relu" else rf"\mathrm{{GELU}}({z})"
    bias = " + b_2" if config.model.bias else ""
    return Explanation("Feed-forward, output", "Back from F to D.", rf"{inner}\,W_2{bias}", "3.3, eq. 2")


EXPLANATIONS: dict[tuple[str, str], Entry] = {
    ("Encoder", "tokens"): _tokens,
    ("Encoder", "padding_mask"): Explanation(
        "Padding mask",
        "Which positions hold a token; padding is looked at by nobody.",
        r"m_s = [\,x_s \ne \text{PAD}\,]",
        "3.2.3",
    ),
    ("Encoder", "output"): _stack_output,
    ("Decoder", "tokens"): _tokens,
    ("Decoder", "padding_mask"): Explanation(
        "Padding mask",
        "Which positions hold a token; padding is looked at by nobody.",
        r"m_t = [\,y_t \ne \text{PAD}\,]",
        "3.2.3",
    ),
    ("Decoder", "causal_mask"): _causal_mask,
    ("Decoder", "mask"): Explanation(
        "Decoder mask", "Both masks together: where the decoder's self-attention may look.", r"C \wedge m", "3.2.3"
    ),
    ("Decoder", "output"): _stack_output,
    ("Embeddings", "token_embedding"): Explanation(
        "Token embedding",
        "Each token's row of the embedding table, times the square root of D.",
        r"\sqrt{D}\,E_{x}",
        "3.4",
    ),
    ("Embeddings", "position"): _position,
    ("Embeddings", "sum"): _embedding_sum,
    ("AddNorm", "normalized"): _normalized,
    ("AddNorm", "sum"): _add,
    ("MultiHeadAttention", "query_projection"): _projection("Q", "Query"),
    ("MultiHeadAttention", "key_projection"): _projection("K", "Key"),
    ("MultiHeadAttention", "value_projection"): _projection("V", "Value"),
    ("MultiHeadAttention", "concat"): Explanation(
        "Concatenation",
        "The heads' results side by side again.",
        r"\mathrm{Concat}(\mathrm{head}_1,\dots,\mathrm{head}_H)",
        "3.2.2",
    ),
    ("MultiHeadAttention", "output"): lambda name, config: Explanation(
        "Attention output",
        "One more linear layer mixes what the heads found.",
        r"\mathrm{Concat}(\mathrm{head}_1,\dots,\mathrm{head}_H)\,W^O" + (" + b^O" if config.model.bias else ""),
        "3.2.2",
    ),
    ("ScaledDotProductAttention", "query"): Explanation(
        "Queries", "What each position looks for, cut into heads of width d_k.", r"Q = (Q_1,\dots,Q_H)", "3.2.2"
    ),
    ("ScaledDotProductAttention", "key"): Explanation(
        "Keys", "What each position offers to be found by, cut into heads.", r"K = (K_1,\dots,K_H)", "3.2.2"
    ),
    ("ScaledDotProductAttention", "value"): Explanation(
        "Values", "What each position hands over when found, cut into heads.", r"V = (V_1,\dots,V_H)", "3.2.2"
    ),
    ("ScaledDotProductAttention", "scores"): Explanation(
        "Scores", "How well each query fits each key: their dot product.", r"QK^\top", "3.2.1, eq. 1"
    ),
    ("ScaledDotProductAttention", "scaled_scores"): _scaled,
    ("ScaledDotProductAttention", "masked_scores"): _masked,
    ("ScaledDotProductAttention", "weights"): Explanation(
        "Attention weights",
        "Each query's scores as shares that add up to 1: where it looks.",
        r"A = \mathrm{softmax}(\text{masked scores}),\quad A_{ts} = \frac{e^{z_{ts}}}{\sum_{s'} e^{z_{ts'}}}",
        "3.2.1, eq. 1",
    ),
    ("ScaledDotProductAttention", "heads"): Explanation(
        "Head outputs", "The values, averaged by those shares.", r"\mathrm{head}_h = A_h V_h", "3.2.1, eq. 1"
    ),
    ("FeedForward", "hidden"): lambda name, config: Explanation(
        "Feed-forward, hidden", "Every position on its own, widened from D to F.", _hidden(config), "3.3, eq. 2"
    ),
    ("FeedForward", "activation"): _activation,
    ("FeedForward", "output"): _feed_forward_output,
    ("Transformer", "logits"): lambda name, config: Explanation(
        "Logits",
        "A score for every token of the vocabulary at every position.",
        "xW + b" if config.model.bias else "xW",
        "3.4",
    ),
    ("Transformer", "probabilities"): Explanation(
        "Probabilities",
        "The scores as shares that add up to 1: the model's prediction.",
        r"p = \mathrm{softmax}(\text{logits})",
        "3.4",
    ),
    ("Transformer", "labels"): Explanation(
        "Labels", "The token each position is asked for; PAD is not asked for.", r"y = (y_1, \dots, \text{EOS})", "3.1"
    ),
    ("Transformer", "loss"): Explanation(
        "Loss",
        "Cross-entropy: how surprised the model is by the labels, on average over tokens.",
        r"-\frac{1}{n}\sum_{t} \log p_t(y_t)",
        "5.4",
    ),
}


_SYMBOLS = {
    "token_table.weight": "E",
    "positions.table": "P",
    "positions.table_from_end": "Q",
    "norm.weight": "γ",
    "norm.bias": "β",
    "head.weight": "W",
    "head.bias": "b",
}


def parameter_symbol(parameter: str) -> str:
    """How formulas call a parameter or a constant table: "W_Q" for "decoder.layers.0.self_attention.w_q.weight"."""
    *_, module, kind = parameter.split(".")
    if name := _SYMBOLS.get(f"{module}.{kind}"):
        return name
    letter = module.removeprefix("w_").upper()
    return f"{'b' if kind == 'bias' else 'W'}_{letter}"
