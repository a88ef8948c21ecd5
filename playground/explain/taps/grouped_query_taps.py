"""The taps of grouped-query attention that differ from those of multi-head attention: Ainslie et al. 2023."""

from playground.explain.attention_finding import groups
from playground.explain.declaration import Declaration
from playground.explain.document import AINSLIE, MULTI_QUERY, Citation, Rule, TapDocument, TapEntry, lines
from playground.explain.latex import d
from playground.explain.taps.attention_taps import is_rotary, projection, rotated
from playground.settings.config import RunConfig

_GROUP = r"\left\lceil hG/H \right\rceil"
"""The key head of head h, both counted from 1."""


def _source(config: RunConfig) -> Citation:
    return MULTI_QUERY if config.model.n_kv_heads == 1 else AINSLIE


def _narrow(letter: str, what: str) -> TapEntry:
    def document(name: str, config: RunConfig) -> TapDocument:
        return projection(letter, what, "M", (_source(config),))(name, config)

    return document


def _shared(title: str, letter: str, name: str) -> TapEntry:
    """The key head of each head: keys after rotation, where there is one, and values."""

    def document(full: str, config: RunConfig) -> TapDocument:
        turned = is_rotary(full, config) and name == "key"
        head = rf"\left({d(letter + '_h')}\right)_{{sk}}"
        total = rf"\sum_{{h:\,{_GROUP} = g}} {head}"
        if turned:
            formula, read = rf"({letter}_h)_{{sk}} = {letter}^R_{{gsk}}", "rotated[b, g, s, k]"
            cell = f"{name}[b, h, s, k] = rotated[b, group, s, k]"
            back = rf"\left({d(f'{letter}^R')}\right)_{{gsk}} = {total}"
            rule = "sum(gradient[b, h, s, k] for h in H if (h - 1) * G // H + 1 == g)"
        else:
            formula, read = rf"({letter}_h)_{{sk}} = {letter}_{{s,\,(g-1)d_k+k}}", "projection[b, s, m]"
            cell = f"column = (group - 1) * K + k\n{name}[b, h, s, k] = projection[b, s, column]"
            back = rf"\left({d(letter)}\right)_{{s,\,(g-1)d_k+k}} = {total}"
            rule = """group = (m - 1) // K + 1
            k = (m - 1) % K + 1
            sum(gradient[b, h, s, k] for h in H if (h - 1) * G // H + 1 == group)"""
        return TapDocument(
            title,
            f"{title} of each head. Heads of one group share the same {title.lower()}, those of their key head.",
            lines(rf"g = {_GROUP}", formula),
            (_source(config),),
            Declaration(
                f"group = (h - 1) * G // H + 1\n{cell}",
                inputs=read,
                letters={f"{letter}_h": name, f"{letter}^R" if turned else letter: read.partition("[")[0]},
                other_symbols={"group": "g"},
            ),
            Rule(
                back,
                "Each key head gets the gradients of all heads of its group, added up.",
                {read.partition("[")[0]: rule},
            ),
            finding=groups,
        )

    return document


TAPS: dict[tuple[str, str], TapEntry] = {
    ("MultiHeadAttention", "key_projection"): _narrow("K", "Key"),
    ("MultiHeadAttention", "value_projection"): _narrow("V", "Value"),
    ("MultiHeadAttention", "rotated_key"): rotated("K", "Keys", "s", head="g"),
    ("ScaledDotProductAttention", "key"): _shared("Keys", "K", "key"),
    ("ScaledDotProductAttention", "value"): _shared("Values", "V", "value"),
}
"""Those that have another document."""
