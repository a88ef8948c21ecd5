"""The taps of the embeddings, sections 3.4 and 3.5 of Vaswani et al. 2017."""

from playground.config import RunConfig
from playground.explain.declaration import Declaration
from playground.explain.document import GEHRING, PROJECT, VASWANI, Entry, Rule, TapDocument, d, handed, lines
from playground.explain.mathml import Symbol


def _position(name: str, config: RunConfig) -> TapDocument:
    kind, architecture = config.model.positions, config.model.architecture
    from_start = handed("P_{pos}", d("p_{pos}"), shared=True)
    if kind == "sinusoidal":
        return TapDocument(
            "Positions",
            "A sine and a cosine of another wavelength for each pair of columns; nothing here is trained.",
            r"PE_{(pos,2i)} = \sin\!\left(\frac{pos}{10000^{2i/D}}\right),\quad "
            r"PE_{(pos,2i+1)} = \cos\!\left(\frac{pos}{10000^{2i/D}}\right)",
            (VASWANI.at("3.5"),),
            Declaration(
                """i = d // 2
                angle = t / 10000 ** (2 * i / D)
                position[b, t, d] = sin(angle) if d % 2 == 0 else cos(angle)""",
                symbol="PE",
            ),
            Rule(
                r"\text{nothing to train}",
                "The gradient ends here: sines and cosines are computed once and never trained.",
            ),
            {"PE": "position"},
        )
    counts_answer_alone = architecture == "encoder-decoder" and name.startswith("decoder")
    if kind == "learned" or (kind == "two_way" and counts_answer_alone):
        text, back = "One trained vector for each position", "gets the gradient of the place it was used at"
        if kind == "two_way":
            text += "; the answer's end is not known yet, so it is counted from the start"
            back = "that counts from the start gets the gradient of its place"
        return TapDocument(
            "Positions",
            f"{text}.",
            "P_{pos}",
            (GEHRING,),
            Declaration("position[b, t, d] = table[t, d]", parameters="table[l, d]", symbol="PE"),
            Rule(from_start, f"Each row of the table {back}."),
            {"p": "position", "P": "table"},
        )
    in_row = architecture == "decoder-only"
    source_length = "source_lengths[b, 0]" if in_row else "sum(1 for j in T if tokens[b, j] != PAD)"
    back = "Each place gives its gradient to both rows it was made of: the one from the start and the one from the end"
    return TapDocument(
        "Positions",
        "Trained vectors counted from both ends of the source, so the model finds the n-th token from either.",
        "P_{pos} + Q_{S-1-pos}",
        (PROJECT,),
        Declaration(
            f"""n = {source_length}
            start = t if t < n else min(t - n, L - 1)
            end = n - 1 - t
            position[b, t, d] = table[start, d] + table_from_end[end, d] if end >= 0 else table[start, d]""",
            inputs="" if in_row else "tokens[b, t]",
            given="source_lengths[b, 0]" if in_row else "",
            parameters="table[l, d] table_from_end[l, d]",
            symbol="PE",
        ),
        Rule(
            lines(from_start, handed("Q_{S-1-pos}", d("p_{pos}"), shared=True)),
            f"{back}{'; behind the source, where pos counts anew, there is only the first' * in_row}.",
        ),
        {"p": "position", "P": "table", "Q": "table_from_end"},
        present=kind != "none",
    )


def _sum(name: str, config: RunConfig) -> TapDocument:
    to_token = handed("e", d("X"))
    if config.model.positions == "none":
        return TapDocument(
            "Embedding",
            "Nothing is added: this model does not know the order of its tokens.",
            r"X = \sqrt{D}\,E_{x}",
            (VASWANI.at("3.4"),),
            Declaration("sum[b, t, d] = token_embedding[b, t, d]", inputs="token_embedding[b, t, d]", symbol="X"),
            Rule(to_token, "Nothing was added, so the token embedding gets the gradient as it is."),
            {"X": "sum", "e": "token_embedding"},
        )
    return TapDocument(
        "Embedding plus position",
        "Token and position in one vector: what the first layer reads.",
        r"X = \sqrt{D}\,E_{x} + \mathrm{position}",
        (VASWANI.at("3.5"),),
        Declaration(
            "sum[b, t, d] = token_embedding[b, t, d] + position[b, t, d]",
            inputs="token_embedding[b, t, d] position[b, t, d]",
            symbol="X",
        ),
        Rule(
            lines(to_token, handed("p", d("X"))),
            "A sum gives each of its parts, token and position, the whole gradient.",
        ),
        {"X": "sum", "e": "token_embedding", "p": "position"},
    )


TAPS: dict[tuple[str, str], Entry] = {
    ("Embeddings", "token_embedding"): TapDocument(
        "Token embedding",
        "Each token's row of the embedding table, times the square root of D.",
        r"\sqrt{D}\,E_{x}",
        (VASWANI.at("3.4"),),
        Declaration(
            "token_embedding[b, t, d] = sqrt(D) * weight[tokens[b, t], d]",
            inputs="tokens[b, t]",
            parameters="weight[v, d]",
            symbol="embedding",
            symbols={"weight": Symbol("E")},
        ),
        Rule(
            handed("E_v", rf"\sqrt{{D}} \sum_{{t:\,x_t = v}} {d('e_t')}", shared=True),
            "A token's row adds up the gradients of all places where the token stands, times the square root of D.",
        ),
        {"e": "token_embedding", "x": "tokens", "E": "weight"},
    ),
    ("Embeddings", "position"): _position,
    ("Embeddings", "sum"): _sum,
}
