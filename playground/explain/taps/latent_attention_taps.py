"""The taps of latent attention that differ from those of multi-head attention: DeepSeek-V2 2024, section 2.1."""

from playground.explain.declaration import Declaration
from playground.explain.document import (
    DEEPSEEK_V2,
    PROJECT,
    Rule,
    TapDocument,
    TapEntry,
    linear,
    lines,
)
from playground.explain.latex import d
from playground.explain.taps.attention_taps import is_rotary, rotated, split_heads
from playground.settings.config import RunConfig

_JOINT, _DECOUPLED = DEEPSEEK_V2.at("2.1.2, eq. 9-11"), DEEPSEEK_V2.at("2.1.3, eq. 14-17")
_LATENT = "c^{KV}"
_WEIGHTED = "Each input gets the gradients of its outputs, multiplied by the weights between them"


def _latent(name: str, config: RunConfig) -> TapDocument:
    cross, bias = ".cross_attention." in name, config.model.projection_bias
    x = r"X_{\mathrm{enc}}" if cross else "X"
    shared = not cross or config.model.n_layers > 1  # the encoder's output is read once in each layer
    if cross:
        others = ". The gradients from all other readers of the encoder's output are added" * shared
    else:
        others = ". The gradients from the other projections are added"
    return TapDocument(
        "Compressed latent",
        "A short vector of each position, from which the keys and values of all heads are made. A cache keeps it in "
        "their place.",
        rf"{x} W^{{DKV}}" + " + b^{DKV}" * bias,
        (_JOINT, *[PROJECT.at("bias")] * bias),
        **linear(
            "latent",
            f"{x} W^{{DKV}} b^{{DKV}} {_LATENT}",
            f"{_WEIGHTED}{others}.",
            bias=bias,
            width="C",
            at="s",
            shared=shared,
        ),
        present=config.model.attention == "latent",
    )


def _from_latent(letter: str, what: str) -> TapEntry:
    def document(name: str, config: RunConfig) -> TapDocument:
        bias, up = config.model.projection_bias, f"{{U{letter}}}"
        return TapDocument(
            f"{what} projection",
            f"{what} vectors of all heads side by side, made from the latent.",
            rf"{_LATENT} W^{up}" + f" + b^{up}" * bias,
            (_JOINT, *[PROJECT.at("bias")] * bias),
            **linear(
                f"{what.lower()}_projection",
                f"{_LATENT} W^{up} b^{up} {letter}",
                f"{_WEIGHTED}. Keys and values both read the latent, so their gradients are added.",
                bias=bias,
                inner="C",
                at="s",
                shared=True,
            ),
        )

    return document


def _rotary_projection(letter: str, what: str, width: str, at: str) -> TapEntry:
    tap, weight = f"{what.lower()}_rotary_projection", f"{{{letter}R}}"

    def document(name: str, config: RunConfig) -> TapDocument:
        bias = config.model.projection_bias
        owner = "each head" if width == "U" else "one key for all heads"
        return TapDocument(
            f"{what} rotary projection",
            f"More columns for {owner}, for positions alone. The latent cannot be rotated, since keys and values "
            "share it.",
            rf"X W^{weight}" + f" + b^{weight}" * bias,
            (_DECOUPLED, *[PROJECT.at("bias")] * bias),
            **linear(
                tap,
                f"X W^{weight} b^{weight} {letter}^P",
                f"{_WEIGHTED}. The gradients from the other projections are added.",
                bias=bias,
                width=width,
                at=at,
                shared=True,
            ),
            present=config.model.attention == "latent" and is_rotary(name, config),
        )

    return document


def _compared(title: str, sentence: str, letter: str, name: str, position: str) -> TapEntry:
    """Queries or keys: the columns of the projection and, with rotary positions, the rotated ones behind them."""
    split, one_head = split_heads(title, sentence, letter, name, position), letter == "K"
    part, turned, whole = f"{letter}^C", f"{letter}^R", d(f"{letter}_h")
    rotated_read = f"rotated[b, {'0' if one_head else 'h'}, {position}, p]"
    columns = rf"\left({d(letter)}\right)_{{{position},\,(h-1)d_k+k}} = \left({whole}\right)_{{{position}k}}"
    behind = rf"\left({whole}\right)_{{{position},\,d_k+p}}"
    if one_head:
        to_rotated = rf"\left({d(turned)}\right)_{{{position}p}} = \sum_h {behind}"
        gathered = f"sum(gradient[b, h, {position}, K + p] for h in H)"
        ends = "The one rotated key gets those of all heads, added up."
    else:
        to_rotated = rf"\left({d(turned)}\right)_{{h{position}p}} = {behind}"
        gathered, ends = f"gradient[b, h, {position}, K + p]", "The last d_r columns go back to the rotated part."
    document = TapDocument(
        title,
        f"{sentence.rstrip('.')}, with the rotated columns behind them.",
        lines(
            rf"({part}_h)_{{{position}k}} = {letter}_{{{position},\,(h-1)d_k+k}}",
            rf"{letter}_h = \left({part}_h,\,{turned}{'' if one_head else '_h'}\right)",
        ),
        (_DECOUPLED,),
        Declaration(
            f"""column = (h - 1) * K + q
            {name}[b, h, {position}, q] = projection[b, {position}, column] if q <= K else """
            + rotated_read.replace("p]", "q - K]"),
            inputs=f"projection[b, {position}, d] {rotated_read}",
            letters={f"{letter}_h": name, letter: "projection", turned: "rotated"},
        ),
        Rule(
            lines(columns, to_rotated),
            f"The first d_k columns of each head's gradient go back to the projection. {ends}",
            {
                "projection": f"""h = (d - 1) // K + 1
                k = (d - 1) % K + 1
                gradient[b, h, {position}, k]""",
                "rotated": gathered,
            },
        ),
    )
    return lambda full, config: document if is_rotary(full, config) else split


TAPS: dict[tuple[str, str], TapEntry] = {
    ("MultiHeadAttention", "latent"): _latent,
    ("MultiHeadAttention", "key_projection"): _from_latent("K", "Key"),
    ("MultiHeadAttention", "value_projection"): _from_latent("V", "Value"),
    ("MultiHeadAttention", "query_rotary_projection"): _rotary_projection("Q", "Query", "U", "t"),
    ("MultiHeadAttention", "key_rotary_projection"): _rotary_projection("K", "Key", "P", "s"),
    ("MultiHeadAttention", "rotated_query"): rotated("Q", "Queries", "t", read="Q^P", width="P"),
    ("MultiHeadAttention", "rotated_key"): rotated("K", "Keys", "s", read="K^P", head="0", width="P"),
    ("ScaledDotProductAttention", "query"): _compared(
        "Queries", "What each position looks for, split into heads of width d_k.", "Q", "query", "t"
    ),
    ("ScaledDotProductAttention", "key"): _compared(
        "Keys", "What each position is compared with, split into heads of width d_k.", "K", "key", "s"
    ),
}
"""Those that have another document, and those that other attentions do not have."""
