"""Interventions view: the unchanged model beside the changed one."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from html import escape
from typing import TypeVar, get_args

import streamlit as st
import torch
from torch import Tensor

from playground.common.bounded_cache import BoundedCache
from playground.common.errors import PlaygroundError
from playground.common.numbers import interval, percent
from playground.interpret.ablation import (
    Answer,
    Comparison,
    PartKind,
    Ranking,
    Scores,
    ablate_each,
    changed_weights,
    compare,
    measure_score,
)
from playground.interpret.interventions import (
    Intervention,
    Stored,
    mean_taps,
    means,
)
from playground.interpret.patching import PatchMap, patch_map
from playground.interpret.sites import named, words
from playground.lessons.live_parts import Numbers
from playground.model.architecture import label, locate
from playground.model.head_paths import attentions, token_taps, weights_tap
from playground.model.task_model import TaskModel
from playground.tasks import decode, encode, text_of
from playground.tasks.batches import HELD_OUT_SEQUENCES, Batch, answer_rows, make_batch
from playground.ui.experiment import active_changes
from playground.ui.parts import measurements, style
from playground.ui.parts.measurement_costs import held_out_seconds
from playground.ui.passes import matrices, subject
from playground.ui.passes.frame import Pass
from playground.ui.server import work
from playground.ui.server.assets import loader
from playground.ui.session import session_keys as keys
from playground.ui.session import sources
from playground.ui.session.address import QueryParam, QueryParams, one_of
from playground.ui.session.session_keys import Key

ATTENTION_BESIDE = Key[str | None]("attention beside", None, "Widget: attention that both models show")
PATCHED_KEY = Key[str]("patched", "stream", "Widget: what is patched at each position")

_Result = TypeVar("_Result")

_outcome = st.components.v2.component("playground_outcome", js=loader("experiment/outcome.ts"))

PATCHED = {"stream": "Residual vectors", "sublayer": "Sublayers", "head": "Heads"}
ADDRESS = QueryParams(
    "intervention_view",
    *active_changes.PARAMS,
    QueryParam("attention", ATTENTION_BESIDE),
    QueryParam("patched", PATCHED_KEY, one_of(PATCHED)),
)

_means: BoundedCache[Hashable, Stored] = BoundedCache(8_000_000, lambda mean: mean.value.nbytes + mean.known.nbytes)
_weights: BoundedCache[Hashable, Tensor] = BoundedCache(8_000_000, lambda weights: weights.nbytes)
_compared: BoundedCache[Hashable, Comparison] = BoundedCache(  # of up to three answers, of about the same size
    8_000_000, lambda both: 2_000 + 3 * both.changed.probabilities.nbytes
)


def draw(shown: Pass) -> None:
    """Draw the view."""
    model, config = shown.walk.model, shown.walk.model.config
    text = text_of(subject.source_tokens(shown.walk), config.task)
    active_changes.choose_operation(text, config)
    with st.container(key="changed"):
        st.fragment(_draw_changed)(shown, text)
    other = active_changes.other_input(text, config)
    ranked, patched = st.columns(2, gap="large")
    with ranked:
        st.fragment(_rank)(shown.identity, model)
    with patched:
        st.fragment(_patch_each)(shown.identity, model, text, other)


def _draw_changed(shown: Pass, text: str) -> None:
    """Draw the changes and their effects: a fragment of its own, with as little as possible besides."""
    model, config = shown.walk.model, shown.walk.model.config
    other = active_changes.other_input(text, config)
    with work.DRAWING, st.container(key="changes-choice"):
        changes = active_changes.choose(shown)
        active_changes.warn(changes, other, text, config)
    active = active_changes.possible(changes.active, other, text, config)
    paths = attentions(config.model)
    if ATTENTION_BESIDE.get() not in paths:
        ATTENTION_BESIDE.set(paths[-1])
    both = _or_error(_comparison, shown.identity, model, text, active, other)
    weights = _or_error(weights_of_both, shown, ATTENTION_BESIDE.get(), active, other)
    with work.DRAWING:
        with st.container(key="answers"):
            _draw_both(both, model, text, active, other)
        if not isinstance(both, PlaygroundError):  # its own fragment: an arriving result redraws nothing else
            st.fragment(_draw_scores)(shown.identity, model, active)
        with st.container(key="both-attention"):
            _draw_attention(weights, shown, paths, active)
    ADDRESS.keep()


def _or_error(compute: Callable[..., _Result], *arguments: object) -> _Result | PlaygroundError:
    """The result of a call, or the error that it raised."""
    try:
        return compute(*arguments)
    except PlaygroundError as error:
        return error


def _draw_both(
    both: Comparison | PlaygroundError, model: TaskModel, text: str, active: tuple[Intervention, ...], other: str
) -> None:
    """Draw the answers of the intact and the changed model."""
    if isinstance(both, PlaygroundError):
        style.message(sources.plain(both), "wrong")
        return
    if both.other is not None and any(change.operation == "patch" for change in active):
        style.caption(
            f"Patches come from the input {other}; the unchanged model answers {both.other.text}. On held-out inputs, "
            "they come from the next input of the same length."
        )
    intact, changed = _answer("Unchanged", both.intact, model, text), _answer("Changed", both.changed, model, text)
    st.html(f'<div class="sides"><div>{intact}</div><div>{changed}</div></div>')
    style.caption(
        "For the probabilities, exact match and token accuracy, the model reads its own predictions. For the loss, it "
        "reads the right answer."
    )


def _comparison(
    identity: Hashable, model: TaskModel, text: str, active: tuple[Intervention, ...], other: str
) -> Comparison:
    """Both models' answers to one input, cached for all visitors. Raises `PlaygroundError` as `compare` does."""
    patches = any(change.operation == "patch" for change in active)
    key = (identity, text, tuple(map(str, active)), other if patches else "")

    def both() -> Comparison:
        intact = _comparison(identity, model, text, (), "").intact if active else None
        from_other, averages = other if patches else "", _averages(identity, model, active)
        return work.computed(partial(compare, other=from_other, means=averages, intact=intact), model, text, active)

    return _compared.made(key, both)


def _averages(identity: Hashable, model: TaskModel, active: Sequence[Intervention]) -> dict[str, Stored]:
    """Mean activations that the changes need, by tap; each takes about 0.5 s the first time."""
    taps = mean_taps(model.config, active)
    known = {tap: stored for tap in taps if (stored := _means.get((identity, tap))) is not None}
    if missing := [tap for tap in taps if tap not in known]:
        for tap, stored in work.computed(means, model, missing, seconds=held_out_seconds(model.config)).items():
            _means.put((identity, tap), stored)
            known[tap] = stored
    return known


def _answer(title: str, answer: Answer, model: TaskModel, text: str) -> str:
    """An answer, whether it is right, and the probabilities at each position, as HTML."""
    task = model.config.task
    right = _right(model, text)
    judged = answer.right is not None
    names = decode(right, task) if judged else []
    verdict = ("✓ right, " if answer.right else "✕ wrong, ") if judged else ""
    tokens = style.tokens(answer.tokens, right=names if judged else None)
    rows = []
    for position, (token, probabilities) in enumerate(zip(answer.tokens, answer.probabilities, strict=True)):
        expected = float(probabilities[right[position]]) if position < len(right) else None
        shown = "–" if expected is None else f"{style.bar(0, expected)} {percent(expected)}"
        predicted = style.tokens([token], right=(names[position : position + 1] or [""]) if judged else None)
        rows.append([f"{position + 1}", predicted, percent(float(probabilities.max())), shown])
    table = style.table(
        ["Position", "Predicted token", "Its probability", "Right token's probability"],
        rows,
        scrolls=f"{title} answer",
    )
    summary = f'<span class="small soft">{verdict}loss {answer.loss:.4f} under teacher forcing</span>'
    return f'<div class="toks"><b>{escape(title)}</b> {tokens} {summary}</div>{table}'


def _right(model: TaskModel, text: str) -> list[int]:
    """Token ids of the right answer, with EOS where the model predicts one."""
    source = torch.tensor([encode(text, model.config.task)])
    batch = make_batch(model.config, source)
    return batch.labels[0][answer_rows(model.config, batch)].tolist()


def _draw_scores(identity: Hashable, model: TaskModel, active: tuple[Intervention, ...]) -> None:
    """Draw the scores of both models on held-out inputs; the container keeps its height until they are measured."""
    line = st.container(key="outcome")
    with st.container(key="scores"):
        left, right = st.columns(2, gap="large")
    with left:
        intact: Scores | None = measurements.show("score-intact", identity, measure_score, model)
        _draw_score("Unchanged", intact)
    with right:
        changed = intact
        if active:
            key = (identity, tuple(map(str, active)))
            changed = measurements.show("score-changed", key, measure_score, model, active)
        _draw_score("Changed", changed)
    both = {"unchanged": intact, "changed": changed if active else None}
    with line:
        _outcome(
            data={side: percent(scores.exact_match) if scores else "" for side, scores in both.items()},
            key="outcome line",
            height="content",
        )


def _draw_score(title: str, scores: Scores | None) -> None:
    if scores is None:
        return
    st.html(
        f'<div class="scores">{title}: <b>{percent(scores.exact_match)}</b> exact match on {scores.sequences:,} '
        f"held-out inputs {style.bar(0, scores.exact_match, tested=scores.sequences)}"
        '<div class="small soft">95 % interval: '
        f"{interval(scores.exact_match, scores.sequences)}. Token accuracy {percent(scores.token_accuracy)}, "
        f"loss {scores.loss:.4f}.</div></div>"
    )


def _draw_attention(
    both: tuple[Tensor, Tensor] | PlaygroundError, shown: Pass, paths: Sequence[str], active: tuple[Intervention, ...]
) -> None:
    """Draw the weights of the chosen attention in both models, which read the same tokens."""
    config = shown.walk.model.config
    path = st.selectbox("Attention weights", paths, format_func=words, width=340, **ATTENTION_BESIDE.widget)
    if isinstance(both, PlaygroundError):
        style.message(sources.plain(both), "wrong")
        return
    rows, columns = (decode(shown.walk[tap].value[0].tolist(), config.task) for tap in token_taps(path))
    names = [f"head {number + 1}" for number in range(config.model.n_heads)]
    marked = [
        ", ".join([name, *active_changes.marks(active, path, f"{path}.head.{number}")])
        for number, name in enumerate(names)
    ]
    beside = [
        Numbers(title, weights, ("", ""), rows, columns, "probability", 2, heads)
        for title, weights, heads in zip(("Unchanged", "Changed"), both, (names, marked), strict=True)
    ]
    matrices.show(beside, "weights of both")
    style.caption(
        "For these weights, both models read the tokens at the top of the page. Changing a head's output doesn't "
        "change that head's attention weights."
    )


def weights_of_both(shown: Pass, path: str, active: tuple[Intervention, ...], other: str) -> tuple[Tensor, Tensor]:
    """Attention weights (H, T, S) in the page's pass, and in the same pass of the changed model.

    Raises `InterventionError` for a weight that is not finite.
    """
    walk, tap = shown.walk, weights_tap(path)
    if not active:
        return walk[tap].value[0], walk[tap].value[0]
    patches = any(change.operation == "patch" for change in active)
    tokens = tuple(map(tuple, (part.tolist()[0] for part in walk.batch[:2] if part is not None)))
    key = (shown.identity, tokens, tuple(map(str, active)), other if patches else "", path)

    def changed() -> Tensor:
        averages = _averages(shown.identity, walk.model, active)
        measure = partial(changed_weights, means=averages, other=other if patches else "")
        return work.computed(measure, walk.model, active, walk.batch, path)

    return walk[tap].value[0], _weights.made(key, changed)


def _rank(identity: Hashable, model: TaskModel) -> None:
    """Draw the effect of switching off each part, most important first."""
    st.markdown("**Which parts matter?**")
    operation = "mean" if keys.CHANGE_OPERATION.get() == "mean" else "zero"
    what = "Replace each {} by its mean" if operation == "mean" else "Switch off each {} in turn"
    for kind in get_args(PartKind):
        if not named(model.config, kind):
            continue
        ranking: Ranking | None = measurements.show(
            f"each-{kind}",
            (identity, operation),
            ablate_each,
            model,
            kind,
            operation,
            button=what.format(kind),
            help=f"Tests the model on {HELD_OUT_SEQUENCES:,} held-out inputs for each part.",
        )
        if ranking is None:
            continue
        rows = [[escape(words(part.off)), *_ranked(part.scores)] for part in ranking.parts] + [
            ["<b>none</b>", *_ranked(ranking.intact)]
        ]
        st.html(style.table(["Switched off", "Exact match", "Tokens", "Loss"], rows, scrolls="Ranking"))
    style.caption(
        f"Each model is tested on {HELD_OUT_SEQUENCES:,} held-out inputs. The two lines at the end of a bar are its "
        "95 % interval. A part can matter even if switching it off changes little, because other parts can compensate."
    )


def _ranked(scores: Scores) -> list[str]:
    exact = f"{style.bar(0, scores.exact_match, tested=scores.sequences)} {percent(scores.exact_match)}"
    return [exact, percent(scores.token_accuracy), f"{scores.loss:.4f}"]


def _patch_each(identity: Hashable, model: TaskModel, text: str, other: str) -> None:
    """Draw the effect of patching each position and layer from the other input."""
    st.markdown("**Activation patching: which vectors determine the answer?**")
    kind = st.segmented_control(
        "Patch",
        list(PATCHED),
        required=True,
        format_func=PATCHED.__getitem__,
        label_visibility="collapsed",
        **PATCHED_KEY.widget,
    )
    if keys.CHANGE_OPERATION.get() != "patch":  # else it stands above, beside the choice of patches
        active_changes.choose_other(text, model.config)
    if problem := active_changes.problem_with_other(other, text, model.config):
        style.message(problem, "care")
        return
    style.caption(
        f"Each patch replaces one vector of the forward pass for {text}. The new vector comes from the forward pass "
        f"for {other}, at the same position and layer."
    )
    patches: PatchMap | None = measurements.show(
        "patch-map",
        (identity, text, other, kind),
        patch_map,
        model,
        text,
        other,
        kind,
        button="Patch each position and layer",
    )
    if patches is None:
        return
    style.caption(
        "Logit difference: the right token's logit minus the logit of the other input's right token, as a mean over "
        "the positions where the two answers differ. Each cell shows how far its patch moves this difference. 0: no "
        "effect. 1: the difference becomes that of the other input."
    )
    matrices.show(effects(patches, model, text, other), "patches")


def effects(patches: PatchMap, model: TaskModel, text: str, other: str) -> list[Numbers]:
    """Effects as matrices: a row for each site, a column for each position."""
    batches = []
    for each_text in (text, other):
        source = torch.tensor([encode(each_text, model.config.task)])
        batches.append(make_batch(model.config, source))
    groups: dict[str, dict[str, list[float]]] = {}
    for site, row in patches.rows.items():
        title, name = _names(site)
        groups.setdefault(title, {})[name] = [patches.effect(measured) for measured in row]
    matrices = []
    for title, rows in groups.items():
        mine, theirs = (_read(batch, title, model) for batch in batches)
        columns = [one if one == two else f"{one}←{two}" for one, two in zip(mine, theirs, strict=True)]
        matrices.append(Numbers(f"Effect in {title}", torch.tensor([*rows.values()]), ("", ""), [*rows], columns))
    return matrices


def _names(site: str) -> tuple[str, str]:
    """Title of the matrix that contains a site, and the name of its row."""
    attention, _, head = site.partition(".head.")
    if head:
        return words(attention), f"head {int(head) + 1}"
    stack, layer, names = locate(site)
    if layer is None:
        return stack, "embeddings"
    last = names[-1]
    return (f"{stack} layer {layer + 1}", label(last)) if len(names) == 1 else (stack, f"layer {layer + 1}")


def _read(batch: Batch, title: str, model: TaskModel) -> list[str]:
    """Names of the tokens that a stack reads."""
    return decode(batch.read_by(title.partition(" ")[0])[0].tolist(), model.config.task)
