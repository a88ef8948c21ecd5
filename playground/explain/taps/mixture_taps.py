"""The taps of a mixture of experts: Shazeer et al. 2017, Fedus et al. 2021, DeepSeek-V3 2024."""

from playground.explain.declaration import STABLE_SOFTMAX, Declaration
from playground.explain.document import (
    DEEPSEEK_V3,
    FEDUS,
    SHAZEER_MOE,
    Rule,
    TapDocument,
    TapEntry,
    handed,
    linear,
    lines,
    no_gradient,
)
from playground.explain.latex import d, exactly, word
from playground.explain.routing_finding import chosen_by_tokens, loads
from playground.settings.config import RunConfig

_ROUTER, _CHOSEN, _GATE, _LOAD, _OUTPUT = map(word, ("router", "chosen", "gate", "load", "output"))
_EXPERT, _SHARED = word("expert"), word("shared")
_P = r"\rho"

_SCORES = TapDocument(
    "Router scores",
    "A score of each expert at each position, from a linear layer.",
    "x W_r",
    (FEDUS.at("2.1, eq. 1"),),
    **linear(
        "router_scores",
        rf"x W_r b {_ROUTER}",
        "Each input gets the gradients of its scores, multiplied by the weights between them. The experts read the "
        "same input, so their gradients are added.",
        bias=False,
        width="E",
        shared=True,
    ),
)

_PROBABILITIES = TapDocument(
    "Router probabilities",
    "Softmax turns the scores of a position into probabilities of the experts that add up to 1.",
    rf"{_P} = \mathrm{{softmax}}({_ROUTER})",
    (FEDUS.at("2.1, eq. 1"),),
    Declaration(
        """largest = max(scores[b, t, j] for j in E)
        total = sum(exp(scores[b, t, j] - largest) for j in E)
        router_probabilities[b, t, e] = exp(scores[b, t, e] - largest) / total""",
        inputs="scores[b, t, e]",
        letters={_P: "router_probabilities", _ROUTER: "scores"},
        remark=STABLE_SOFTMAX,
    ),
    Rule(
        handed(
            rf"{_ROUTER}_{{te}}",
            rf"{_P}_{{te}}\left({d(_P + '_{te}')} - \sum_{{e'}} {_P}_{{te'}}\," + d(_P + "_{te'}") + r"\right)",
        ),
        "The gradient of a score is its probability times a difference: the probability's gradient minus the weighted "
        "mean of its row's gradients.",
        {
            "scores": """average = sum(router_probabilities[b, t, j] * gradient[b, t, j] for j in E)
            router_probabilities[b, t, e] * (gradient[b, t, e] - average)"""
        },
    ),
)


def _chosen(name: str, config: RunConfig) -> TapDocument:
    count = config.model.experts_per_token
    one = count == 1
    return TapDocument(
        "Chosen experts",
        f"True for the {'expert' if one else f'{count} experts'} with the highest "
        f"probabilit{'y' if one else 'ies'} of each position.",
        rf"\left[\,\sum_{{e'}} [\,{_P}_{{te'}} > {_P}_{{te}}\,] < {count}\,\right]",
        (FEDUS.at("2.1") if one else SHAZEER_MOE.at("2.1, eq. 5"),),
        Declaration(
            "chosen[b, t, e] = sum(probabilities[b, t, j] > probabilities[b, t, e] for j in E) < " + str(count),
            inputs="probabilities[b, t, e]",
            letters={_CHOSEN: "chosen", _P: "probabilities"},
        ),
        no_gradient("a choice is true or false and cannot change by a small amount."),
        finding=chosen_by_tokens,
    )


def _gates(name: str, config: RunConfig) -> TapDocument:
    if config.model.experts_per_token == 1:
        return TapDocument(
            "Gates",
            "The chosen expert's gate is its probability; all others are 0. The router gets a gradient through it.",
            rf"{_P} \odot {_CHOSEN}",
            (FEDUS.at("2.1, eq. 2"),),
            Declaration(
                "gates[b, t, e] = probabilities[b, t, e] * chosen[b, t, e]",
                inputs="probabilities[b, t, e] chosen[b, t, e]",
                letters={_GATE: "gates", _P: "probabilities", _CHOSEN: "chosen"},
            ),
            Rule(
                handed(_P, rf"{d(_GATE)} \odot {_CHOSEN}"),
                "The gradient of the chosen expert's gate passes unchanged, all others are zero.",
                {"probabilities": "gradient[b, t, e] * chosen[b, t, e]"},
            ),
        )
    total = rf"\sum_{{e'}} {_P}_{{te'}}\,{_CHOSEN}_{{te'}}"
    mean = rf"\sum_{{e'}} {_GATE}_{{te'}}\,{d(_GATE + '_{te' + chr(39) + '}')}"
    sums = "total = sum(probabilities[b, t, j] * chosen[b, t, j] for j in E)"
    return TapDocument(
        "Gates",
        "The probabilities of the chosen experts, divided by their sum; all others are 0.",
        rf"{_GATE}_{{te}} = \frac{{{_P}_{{te}}\,{_CHOSEN}_{{te}}}}{{{total}}}",
        (SHAZEER_MOE.at("2.1, eq. 3"),),
        Declaration(
            f"{sums}\ngates[b, t, e] = probabilities[b, t, e] * chosen[b, t, e] / total",
            inputs="probabilities[b, t, e] chosen[b, t, e]",
            letters={_GATE: "gates", _P: "probabilities", _CHOSEN: "chosen"},
        ),
        Rule(
            handed(
                rf"{_P}_{{te}}",
                rf"\frac{{{_CHOSEN}_{{te}}}}{{{total}}}\left({d(_GATE + '_{te}')} - {mean}\right)",
            ),
            "The gates of a position add up to 1, so only differences count. Experts that were not chosen get zero.",
            {
                "probabilities": f"""{sums}
                average = sum(gates[b, t, j] * gradient[b, t, j] for j in E)
                chosen[b, t, e] * (gradient[b, t, e] - average) / total"""
            },
        ),
    )


def _output(name: str, config: RunConfig) -> TapDocument:
    m = config.model
    experts = [f"expert_{number}" for number in range(1, m.n_experts + 1)]
    shared = [f"shared_{number}" for number in range(1, m.n_shared_experts + 1)]
    letters = {_OUTPUT: "output", _GATE: "gates"}
    letters |= {f"{_EXPERT}^{{({number})}}": role for number, role in enumerate(experts, 1)}
    letters |= {f"{_SHARED}^{{({number})}}": role for number, role in enumerate(shared, 1)}
    terms = [f"gates[b, t, {number}] * {role}[b, t, d]" for number, role in enumerate(experts, 1)]
    products = [f"sum(gradient[b, t, j] * {role}[b, t, j] for j in D)" for role in experts]
    to_gates = "".join(f"{product} if e == {number} else " for number, product in enumerate(products[:-1], 1))
    rule = {"gates": to_gates + products[-1]}
    rule |= {role: f"gates[b, t, {number}] * gradient[b, t, d]" for number, role in enumerate(experts, 1)}
    rule |= dict.fromkeys(shared, "gradient[b, t, d]")
    expert, sharing = rf"{_EXPERT}^{{(e)}}", rf"{_SHARED}^{{(i)}}"
    back = [
        handed(f"{expert}_t", rf"{_GATE}_{{te}}\,{d(_OUTPUT + '_t')}"),
        handed(rf"{_GATE}_{{te}}", rf"\sum_j {d(_OUTPUT + '_{tj}')}\,{expert}_{{tj}}"),
    ]
    if shared:
        back.append(handed(sharing, d(_OUTPUT)))
    everyone = " Shared experts are added at every position." if shared else ""
    passes = " Shared experts get the whole gradient." if shared else ""
    return TapDocument(
        "Mixture output",
        f"The outputs of the experts, weighted by their gates and added up.{everyone}",
        rf"{_OUTPUT}_t = \sum_e {_GATE}_{{te}}\,{expert}_t" + rf" + \sum_i {sharing}_t" * bool(shared),
        (SHAZEER_MOE.at("2, eq. 1"), *[DEEPSEEK_V3.at("2.1.2, eq. 12")] * bool(shared)),
        Declaration(
            "output[b, t, d] = " + " + ".join([*terms, *(f"{role}[b, t, d]" for role in shared)]),
            inputs="gates[b, t, e] " + " ".join(f"{role}[b, t, d]" for role in [*experts, *shared]),
            letters=letters,
            remark="A large model computes only the chosen experts. A gate of 0 gives the same result.",
        ),
        Rule(
            lines(*back),
            "Each expert gets the gradient times its gate, so one that was not chosen gets zero. A gate gets the dot "
            f"product of the gradient with its expert's output.{passes}",
            rule,
        ),
    )


def _load(name: str, config: RunConfig) -> TapDocument:
    count = config.model.experts_per_token
    times = f"{count}" if count > 1 else ""
    return TapDocument(
        "Load",
        "The fraction of all choices that fall on each expert. Padding is not counted.",
        rf"{_LOAD}_e = \frac{{\sum_t m_t\,{_CHOSEN}_{{te}}}}{{{times}\sum_t m_t}}",
        (FEDUS.at("2.2, eq. 5"),),
        Declaration(
            f"""positions = sum(1 for i in T if mask[0, 0, i, i])
            load[e] = sum(chosen[0, i, e] for i in T if mask[0, 0, i, i]) / ({count} * positions)""",
            inputs="mask[b, 0, t, s] chosen[b, t, e]",
            letters={_LOAD: "load", _CHOSEN: "chosen"},
        ),
        no_gradient("a load counts choices and cannot change by a small amount."),
        finding=loads,
        present=config.model.balance > 0,
    )


def _balance_loss(name: str, config: RunConfig) -> TapDocument:
    weight = config.model.balance
    return TapDocument(
        "Balancing loss",
        f"At equal loads it is {weight:g}. It grows as the choices gather on a few experts. Training adds it to the "
        "loss.",
        rf"{exactly(weight)}\,N_E \sum_e {_LOAD}_e\,\frac{{\sum_t m_t\,{_P}_{{te}}}}{{\sum_t m_t}}",
        (FEDUS.at("2.2, eq. 4-6"),),
        Declaration(
            f"""positions = sum(1 for i in T if mask[0, 0, i, i])
            total = sum(load[j] * sum(probabilities[0, i, j] * mask[0, 0, i, i] for i in T) for j in E)
            balance_loss = {weight!r} * E * total / positions""",
            inputs="mask[b, 0, t, s] probabilities[b, t, e] load[e]",
            letters={_P: "probabilities", _LOAD: "load"},
            other_symbols={"balance_loss": word("balance")},
        ),
        no_gradient("gradients shown here are those of the cross-entropy. Training adds the ones of this loss."),
        present=config.model.balance > 0,
    )


TAPS: dict[tuple[str, str], TapEntry] = {
    ("Mixture", "router_scores"): _SCORES,
    ("Mixture", "router_probabilities"): _PROBABILITIES,
    ("Mixture", "chosen"): _chosen,
    ("Mixture", "gates"): _gates,
    ("Mixture", "load"): _load,
    ("Mixture", "balance_loss"): _balance_loss,
    ("Mixture", "output"): _output,
}
