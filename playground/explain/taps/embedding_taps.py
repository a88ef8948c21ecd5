"""The taps of the embeddings, sections 3.4 and 3.5 of Vaswani et al. 2017."""

from playground.explain.declaration import Declaration
from playground.explain.document import GEHRING, PROJECT, VASWANI, Rule, TapDocument, TapEntry, handed, lines
from playground.explain.latex import d, word
from playground.settings.config import RunConfig

_TOKEN, _EMBEDDING = word("id"), word("emb")


def _position(name: str, config: RunConfig) -> TapDocument:
    kind, architecture = config.model.positions, config.model.architecture
    from_start = handed("P_t", d("PE_t"), shared=True)
    if kind == "sinusoidal":
        return TapDocument(
            "Positional encoding",
            "A sine and a cosine per pair of columns, each pair with its own wavelength. Here pos and columns count "
            "from 0.",
            r"PE_{(pos,2i)} = \sin\!\left(\frac{pos}{10000^{2i/D}}\right),\quad "
            r"PE_{(pos,2i+1)} = \cos\!\left(\frac{pos}{10000^{2i/D}}\right)",
            (VASWANI.at("3.5"),),
            Declaration(
                """pos = t - 1
                i = (d - 1) // 2
                angle = pos / 10000 ** (2 * i / D)
                position[b, t, d] = sin(angle) if d % 2 == 1 else cos(angle)""",
                letters={"PE": "position"},
            ),
            Rule(
                r"\text{nothing to train}",
                "The gradient ends here: sines and cosines are computed once and never trained.",
            ),
        )
    answer_alone = architecture == "encoder-decoder" and name.startswith("decoder")
    if kind == "learned" or (kind == "two_way" and answer_alone):
        text = "One trained vector for each position"
        if kind == "two_way":
            text += "; the decoder does not know the answer's length, so it counts from the start alone"
        return TapDocument(
            "Positional encoding",
            f"{text}.",
            "P_t",
            (GEHRING, *[PROJECT.at("positions from both ends")] * (kind == "two_way")),
            Declaration(
                "position[b, t, d] = table[t, d]",
                parameters="table[r, d]",
                letters={"PE": "position", "P": "table"},
            ),
            Rule(from_start, "Each row of the table gets the gradient of the position that used it."),
        )
    in_row = architecture == "decoder-only"
    source_length = "source_lengths[b, 0]" if in_row else "sum(1 for j in T if tokens[b, j] != PAD)"
    return TapDocument(
        "Positional encoding",
        "Two trained vectors for each position of the source: one counted from its start, one from its end.",
        "P_t + P'_{S+1-t}",
        (PROJECT.at("positions from both ends"),),
        Declaration(
            f"""length = {source_length}
            start = t if t <= length else min(t - length, R)
            end = length + 1 - t
            position[b, t, d] = table[start, d] + table_from_end[end, d] if end >= 1 else table[start, d]""",
            inputs="" if in_row else "tokens[b, t]",
            given="source_lengths[b, 0]" if in_row else "",
            parameters="table[r, d] table_from_end[r, d]",
            letters={"PE": "position", "P": "table", "P'": "table_from_end"},
            other_symbols={"length": "S"},
        ),
        Rule(
            lines(from_start, handed("P'_{S+1-t}", d("PE_t"), shared=True)),
            "Both rows that a position used get its gradient: the row from the start and the row from the end"
            f"{'. After the source, t counts from 1 again and uses the first alone' * in_row}.",
        ),
        present=config.model.adds_positions,
    )


def _sum(name: str, config: RunConfig) -> TapDocument:
    to_token = handed(_EMBEDDING, d("X"))
    if not config.model.adds_positions:
        if config.model.positions == "rotary":
            order = "self-attention rotates queries and keys by their positions instead"
        elif name.startswith("decoder") and config.model.causal_mask:
            order = "only the causal mask tells this stack the order of its tokens"
        else:
            order = "attention alone cannot tell the order of the tokens"
        return TapDocument(
            "Embedding",
            f"No positional encoding is added: {order}.",
            rf"X = \sqrt{{D}}\,E_{{{_TOKEN}}}",
            (VASWANI.at("3.4"),),
            Declaration(
                "sum[b, t, d] = token_embedding[b, t, d]",
                inputs="token_embedding[b, t, d]",
                letters={"X": "sum", _EMBEDDING: "token_embedding"},
            ),
            Rule(
                to_token,
                "Nothing was added, so the gradient passes unchanged.",
                {"token_embedding": "gradient[b, t, d]"},
            ),
        )
    return TapDocument(
        "Embedding plus position",
        "Token and position in one vector: the input of the first layer.",
        rf"X = \sqrt{{D}}\,E_{{{_TOKEN}}} + PE",
        (VASWANI.at("3.5"),),
        Declaration(
            "sum[b, t, d] = token_embedding[b, t, d] + position[b, t, d]",
            inputs="token_embedding[b, t, d] position[b, t, d]",
            letters={"X": "sum", _EMBEDDING: "token_embedding", "PE": "position"},
        ),
        Rule(
            lines(to_token, handed("PE", d("X"))),
            "A sum passes its whole gradient to each of its parts, token and position.",
            {"token_embedding": "gradient[b, t, d]", "position": "gradient[b, t, d]"},
        ),
    )


TAPS: dict[tuple[str, str], TapEntry] = {
    ("Embeddings", "token_embedding"): TapDocument(
        "Token embedding",
        "Each token's row of the embedding table, times the square root of D.",
        rf"\sqrt{{D}}\,E_{{{_TOKEN}}}",
        (VASWANI.at("3.4"),),
        Declaration(
            "token_embedding[b, t, d] = sqrt(D) * weight[tokens[b, t], d]",
            inputs="tokens[b, t]",
            parameters="weight[v, d]",
            letters={_EMBEDDING: "token_embedding", _TOKEN: "tokens", "E": "weight"},
        ),
        Rule(
            handed("E_v", rf"\sqrt{{D}} \sum_{{t:\,{_TOKEN}_t = v}} {d(_EMBEDDING + '_t')}", shared=True),
            "The row of a token gets the gradients of all positions that hold it, times the square root of D.",
        ),
    ),
    ("Embeddings", "position"): _position,
    ("Embeddings", "sum"): _sum,
}
