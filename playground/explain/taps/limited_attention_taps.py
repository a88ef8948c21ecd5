"""The taps of attention with limits: normed queries and keys, capped scores, and the mask of a window."""

from playground.explain.declaration import Declaration
from playground.explain.document import BELTAGY, GEMMA_2, HENRY, Rule, TapDocument, TapEntry, handed, no_gradient
from playground.explain.latex import d, exactly, word
from playground.explain.taps.attention_taps import compared
from playground.settings.config import RunConfig


def _normed(letter: str, title: str, read: str, position: str) -> TapEntry:
    def document(name: str, config: RunConfig) -> TapDocument:
        size = compared(name, config)
        column, tap = size.lower(), f"normed_{read}"
        entry, out = f"{letter}_{{{position}{column}}}", rf"\hat{{{letter}}}"
        length = rf"\sqrt{{\sum_j {letter}_{{{position}j}}^2}}"
        unit, slope = rf"{out}_{{{position}{column}}}", d(rf"{out}_{{{position}{column}}}")
        shrink = rf"\sum_j {d(rf'{out}_{{{position}j}}')}\,{out}_{{{position}j}}"
        at = f"b, h, {position}"
        root = f"length = max(sqrt(sum({read}[{at}, j] ** 2 for j in {size})), 1e-12)"
        return TapDocument(
            title,
            f"Each {read} is divided by its length, so that a score depends on directions alone.",
            rf"{unit} = \frac{{{entry}}}{{{length}}}",
            (HENRY,),
            Declaration(
                f"{root}\n{tap}[{at}, {column}] = {read}[{at}, {column}] / length",
                inputs=f"{read}[{at}, {column}]",
                letters={out: tap, letter: read},
                remark="A length below 10^-12 counts as 10^-12, so that nothing is divided by 0.",
            ),
            Rule(
                handed(entry, rf"\frac{{1}}{{{length}}}\left({slope} - {unit} {shrink}\right)"),
                "The part of the gradient along the vector is removed, since it would only change the length. The rest "
                "is divided by the length.",
                {
                    read: f"""{root}
                    along = sum(gradient[{at}, j] * {tap}[{at}, j] for j in {size})
                    (gradient[{at}, {column}] - {tap}[{at}, {column}] * along) / length"""
                },
            ),
            present=config.model.qk_norm,
        )

    return document


def _capped_scores(name: str, config: RunConfig) -> TapDocument:
    cap, scaled, capped = config.model.logit_cap, word("scaled"), word("capped")
    shown = exactly(cap)
    return TapDocument(
        "Capped scores",
        "Large scores are pressed together, so that each stays between minus and plus the cap. Small ones hardly "
        "change.",
        rf"{shown}\,\tanh\!\left(\frac{{{scaled}}}{{{shown}}}\right)",
        (GEMMA_2,),
        Declaration(
            f"capped_scores[b, h, t, s] = {cap} * tanh(scaled_scores[b, h, t, s] / {cap})",
            inputs="scaled_scores[b, h, t, s]",
            letters={capped: "capped_scores", scaled: "scaled_scores"},
        ),
        Rule(
            handed(scaled, rf"{d(capped)} \odot \left(1 - \frac{{{capped}^2}}{{{shown}^2}}\right)"),
            "The gradient of a small score passes almost unchanged. The nearer a score is to the cap, the less passes.",
            {"scaled_scores": f"gradient[b, h, t, s] * (1 - (capped_scores[b, h, t, s] / {cap}) ** 2)"},
        ),
        present=cap > 0,
    )


def _window_mask(name: str, config: RunConfig) -> TapDocument:
    window = config.model.window
    mask = "m_s" if name.startswith("encoder") else rf"{word('mask')}_{{ts}}"
    return TapDocument(
        "Window mask",
        f"The mask without keys that are {window} or more positions away. Each position sees itself.",
        rf"[\,t = s\,] \vee {mask} \wedge [\,|t-s| < {window}\,]",
        (BELTAGY,),
        Declaration(
            f"window_mask[b, 0, t, s] = 1 if t == s else mask[b, 0, t, s] and max(t - s, s - t) < {window}",
            inputs="mask[b, 0, t, s]",
            letters={word("window"): "window_mask"} | ({"m": "mask"} if name.startswith("encoder") else {}),
        ),
        no_gradient("a mask is true or false and cannot change by a small amount."),
        present=bool(window) and ".cross_attention." not in name,
    )


TAPS: dict[tuple[str, str], TapEntry] = {
    ("ScaledDotProductAttention", "normed_query"): _normed("Q", "Normed queries", "query", "t"),
    ("ScaledDotProductAttention", "normed_key"): _normed("K", "Normed keys", "key", "s"),
    ("ScaledDotProductAttention", "capped_scores"): _capped_scores,
    ("ScaledDotProductAttention", "window_mask"): _window_mask,
}
