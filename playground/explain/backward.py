"""What each tap hands back: given the gradient of the loss L at its own value, the gradients of what it was made from.

One entry a row of the tap table; a test holds the two sets equal, and another recomputes every gradient by these
rules. What is read by several operations gets the sum of what they all hand back: a formula then says += instead
of =. Letters are those of the forward formulas; t, s, h and k count from 1, pos from 0.
"""

from collections.abc import Callable
from dataclasses import dataclass

from playground.config import RunConfig


@dataclass(frozen=True)
class Rule:
    """How the gradient passes backwards through one operation."""

    formula: str  # LaTeX
    sentence: str


Entry = Rule | Callable[[str, RunConfig], Rule]

NOTHING = r"\text{nothing flows}"
"""Formula of the taps that no gradient reaches; their sentence says why."""


def backward(name: str, owner: str, config: RunConfig) -> Rule:
    """The rule of the tap `name`, owned by the class `owner`, in a model of this config."""
    entry = RULES[owner, name.rpartition(".")[2]]
    return entry if isinstance(entry, Rule) else entry(name, config)


def _d(of: str) -> str:
    return rf"\frac{{\partial L}}{{\partial {of}}}"


def _handed(to: str, what: str, *, shared: bool = False) -> str:
    sign = r"\mathrel{+}=" if shared else "="
    return f"{_d(to)} {sign} {what}"


def _lines(*lines: str) -> str:
    return lines[0] if len(lines) == 1 else r"\begin{gathered} " + r" \\[4pt] ".join(lines) + r" \end{gathered}"


def _goes_past(config: RunConfig) -> bool:
    """Whether what a sublayer reads also goes past it, to the residual sum."""
    m = config.model
    return m.residual and not (m.layer_norm and m.norm_position == "pre")


def _linear(x: str, w: str, b: str, y: str, config: RunConfig, *, shared: bool = False) -> str:
    trained = _handed(w, rf"{{{x}}}^\top {_d(y)}")
    if config.model.bias:
        trained += r",\quad " + _handed(b, rf"\sum_t {_d(y + '_t')}")
    return _lines(_handed(x, rf"{_d(y)}\,{{{w}}}^\top", shared=shared), trained)


def _layer_norm(y: str, config: RunConfig, *, shared: bool = False) -> str:
    handed = (
        r"\frac{1}{\sqrt{\sigma^2+\epsilon}}\left(g - \frac{1}{D}\sum_i g_i"
        r" - \hat{x}\,\frac{1}{D}\sum_i g_i \hat{x}_i\right)"
    )
    terms = rf"g = {_d(y)} \odot \gamma,\quad \hat{{x}} = \frac{{x-\mu}}{{\sqrt{{\sigma^2+\epsilon}}}}"
    trained = _handed(r"\gamma", rf"\sum_t {_d(y + '_t')} \odot \hat{{x}}_t")
    if config.model.bias:
        trained += r",\quad " + _handed(r"\beta", rf"\sum_t {_d(y + '_t')}")
    return _lines(_handed("x", handed, shared=shared), terms, trained)


_NORM = (
    "What would only shift or stretch a vector is taken out, since the norm undoes it, and the rest is divided by the "
    "vector's spread."
)

_TOKENS = Rule(NOTHING, "Nothing flows: a token id picks rows of a table, and there is no id that is a little larger.")
_MASK = Rule(NOTHING, "Nothing flows: a mask says yes or no, and there is nothing in between that could change a bit.")


def _position(name: str, config: RunConfig) -> Rule:
    kind = config.model.positions
    if kind == "sinusoidal":
        text = "The gradient ends here: sines and cosines are computed once and never trained."
        return Rule(r"\text{nothing to train}", text)
    from_start = _handed("P_{pos}", _d("p_{pos}"), shared=True)
    if kind == "learned":
        return Rule(from_start, "Each row of the table gets the gradient of the place it was used at.")
    if name.startswith("decoder") and config.model.architecture == "encoder-decoder":
        return Rule(from_start, "Each row of the table that counts from the start gets the gradient of its place.")
    text = "Each place gives its gradient to both rows it was made of: the one from the start and the one from the end"
    if config.model.architecture == "decoder-only":
        text += "; behind the source, where pos counts anew, there is only the first"
    return Rule(_lines(from_start, _handed("Q_{S-1-pos}", _d("p_{pos}"), shared=True)), f"{text}.")


def _embedding_sum(name: str, config: RunConfig) -> Rule:
    to_token = _handed("e", _d("x"))
    if config.model.positions == "none":
        return Rule(to_token, "Nothing was added, so the token embedding gets the gradient as it is.")
    return Rule(
        _lines(to_token, _handed("p", _d("x"))),
        "A sum gives each of its parts, token and position, the whole gradient.",
    )


def _stack_output(name: str, config: RunConfig) -> Rule:
    if config.model.layer_norm and config.model.norm_position == "pre":
        return Rule(_layer_norm("y", config), _NORM)
    return Rule(_handed("x", _d("y")), "Nothing is computed here, so the gradient passes as it is.")


def _normalized(name: str, config: RunConfig) -> Rule:
    past = config.model.residual and config.model.norm_position == "pre"  # the path past the norm and the sublayer
    return Rule(_layer_norm("y", config, shared=past), _NORM)


def _projection(letter: str) -> Callable[[str, RunConfig], Rule]:
    def entry(name: str, config: RunConfig) -> Rule:
        cross = ".cross_attention." in name
        if cross and letter != "Q":
            x, also = r"X_{\mathrm{enc}}", ", added to what every other reader of the encoder's output hands back"
        else:
            x, also = "X", "" if cross else ", added to what the other two projections hand back"
        shared = letter != "Q" or not cross or _goes_past(config)
        text = f"Each number read gets the gradients of all it went into, times the weights between{also}."
        return Rule(_linear(x, f"W^{letter}", f"b^{letter}", letter, config, shared=shared), text)

    return entry


def _split(letter: str) -> Rule:
    formula = rf"\left({_d(letter)}\right)_{{t,\,(h-1)d_k+k}} = \left({_d(letter + '_h')}\right)_{{tk}}"
    return Rule(formula, "Cutting into heads computes nothing: each number's gradient goes back to its column.")


def _scaled(name: str, config: RunConfig) -> Rule:
    if config.model.scale_scores:
        return Rule(
            _handed("S", r"\frac{1}{\sqrt{d_k}}\," + _d("S'")),
            "Divided on the way there, divided by the same number on the way back.",
        )
    return Rule(_handed("S", _d("S'")), "Scaling is switched off, so the gradient passes as it is.")


def _hidden(name: str, config: RunConfig) -> Rule:
    return Rule(
        _linear("x", "W_1", "b_1", "z", config, shared=_goes_past(config)),
        "Each weight gets its input times the gradient of its output, added up over all places that it serves.",
    )


def _activation(name: str, config: RunConfig) -> Rule:
    if config.model.activation == "relu":
        return Rule(
            _handed("z", rf"{_d('a')} \odot [\,z > 0\,]"),
            "What was positive passes as it is, what was cut off gets zero.",
        )
    curve = r"\left(\Phi(z) + z\,\phi(z)\right)"
    return Rule(
        _lines(_handed("z", rf"{_d('a')} \odot {curve}"), r"\phi(z) = \frac{1}{\sqrt{2\pi}}\,e^{-z^2/2}"),
        "The gradient is multiplied by the slope of the curve at each number.",
    )


_HEAD = r"\mathrm{head}_h"

RULES: dict[tuple[str, str], Entry] = {
    ("Encoder", "tokens"): _TOKENS,
    ("Encoder", "padding_mask"): _MASK,
    ("Encoder", "output"): _stack_output,
    ("Decoder", "tokens"): _TOKENS,
    ("Decoder", "padding_mask"): _MASK,
    ("Decoder", "causal_mask"): _MASK,
    ("Decoder", "mask"): _MASK,
    ("Decoder", "output"): _stack_output,
    ("Embeddings", "token_embedding"): Rule(
        _handed("E_v", rf"\sqrt{{D}} \sum_{{t:\,x_t = v}} {_d('e_t')}", shared=True),
        "A token's row adds up the gradients of all places where the token stands, times the square root of D.",
    ),
    ("Embeddings", "position"): _position,
    ("Embeddings", "sum"): _embedding_sum,
    ("AddNorm", "normalized"): _normalized,
    ("AddNorm", "sum"): Rule(
        _lines(_handed("x", _d("(x+y)"), shared=True), _handed("y", _d("(x+y)"))),
        "A sum gives each of its parts the whole gradient: the sublayer y, and x, which goes past it.",
    ),
    ("MultiHeadAttention", "query_projection"): _projection("Q"),
    ("MultiHeadAttention", "key_projection"): _projection("K"),
    ("MultiHeadAttention", "value_projection"): _projection("V"),
    ("MultiHeadAttention", "concat"): Rule(
        rf"\left({_d(_HEAD)}\right)_{{tk}} = \left({_d('C')}\right)_{{t,\,(h-1)d_k+k}}",
        "Each head gets the gradient of its own columns.",
    ),
    ("MultiHeadAttention", "output"): lambda name, config: Rule(
        _linear("C", "W^O", "b^O", "Y", config),
        "Each number of the heads gets the gradients of all outputs it went into, times the weights between.",
    ),
    ("ScaledDotProductAttention", "query"): _split("Q"),
    ("ScaledDotProductAttention", "key"): _split("K"),
    ("ScaledDotProductAttention", "value"): _split("V"),
    ("ScaledDotProductAttention", "scores"): Rule(
        _lines(_handed("Q", rf"{_d('S')}\,K"), _handed("K", rf"\left({_d('S')}\right)^{{\!\top}} Q")),
        "Each query gets the keys, and each key the queries, weighted by the gradient of their score.",
    ),
    ("ScaledDotProductAttention", "scaled_scores"): _scaled,
    ("ScaledDotProductAttention", "masked_scores"): Rule(
        _handed("S'_{ts}", rf"[\,M_{{ts}} = 0\,]\,{_d('z_{ts}')}"),
        "Visible scores get their gradient as it is, hidden ones zero.",
    ),
    ("ScaledDotProductAttention", "weights"): Rule(
        _handed("z_{ts}", rf"A_{{ts}}\left({_d('A_{ts}')} - \sum_{{s'}} A_{{ts'}}\," + _d("A_{ts'}") + r"\right)"),
        "Only what sets a weight apart from the weighted average of its row counts, since shares always add up to 1.",
    ),
    ("ScaledDotProductAttention", "heads"): Rule(
        _lines(
            _handed("A_h", rf"{_d(_HEAD)}\,V_h^\top"),
            _handed("V_h", rf"A_h^\top {_d(_HEAD)}"),
        ),
        "A weight gets its value times the gradient; a value gets the gradients of all who looked at it, by weight.",
    ),
    ("FeedForward", "hidden"): _hidden,
    ("FeedForward", "activation"): _activation,
    ("FeedForward", "output"): lambda name, config: Rule(
        _linear("a", "W_2", "b_2", "y", config),
        "Each hidden number gets the gradients of all outputs it went into, times the weights between.",
    ),
    ("Transformer", "logits"): lambda name, config: Rule(
        _linear("x", "W", "b", "z", config),
        "Each vector gets the columns of W, one for each token, times the gradients of their logits.",
    ),
    ("Transformer", "probabilities"): Rule(
        NOTHING, "Nothing flows: these shares are there to be looked at, and the loss is computed from the logits."
    ),
    ("Transformer", "labels"): Rule(
        NOTHING, "Nothing flows: labels are given, and say which token should have been the most probable."
    ),
    ("Transformer", "loss"): Rule(
        _handed("z_t", r"\frac{p_t - y_t}{n}"),
        "Backward begins: each logit gets its probability, less 1 at the label, divided by the number of labels n; "
        "where nothing is asked for it gets zero.",
    ),
}
