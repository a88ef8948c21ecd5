"""An answer token by token: the distribution of the next token, forced tokens, and attention.

Drawn by generation.ts.
"""

import itertools
from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st
import torch

from playground.decoding import Choice, Sampling, choices, cut
from playground.decoding.sampling import MAX_TEMPERATURE
from playground.explain.inspection import Walk
from playground.interpret import heads as interpret
from playground.model import head_paths
from playground.recording import run_with_cache
from playground.settings.config import RunConfig
from playground.tasks import EOS, PAD, decode, task_of, token_names
from playground.tasks.batches import make_batch
from playground.ui.generate import cache_view
from playground.ui.parts import style
from playground.ui.passes import maps, subject
from playground.ui.server.assets import loader
from playground.ui.session import acts
from playground.ui.session.address import QueryParam, between, number
from playground.ui.session.session_keys import Key

ANSWER_COMPLETE = Key[bool]("answer complete", False, "Whether nothing can follow the tokens")
ATTENTION_KIND = Key[str]("attention kind", "", "Widget: kind of attention that is shown")
FORCED = Key[str]("forced tokens", "", "Forced tokens as position:id, from 0, with commas")
GENERATION = Key[Any]("generation", None, "Component: answer and distribution of a token")
SAMPLING_SEED = Key[int]("sampling seed", 0, "Widget: seed of the sampling")
TEMPERATURE = Key[float]("temperature", 1.0, "Widget: divides the logits")
TOKENS = Key[int]("generated tokens", 0, "Number of tokens that the answer has")
TOP_K = Key[int]("top-k", 0, "Widget: tokens that top-k keeps; 0: all")
TOP_P = Key[float]("top-p", 1.0, "Widget: probability that top-p keeps")

MAX_BARS = 200
"""Number of tokens whose probabilities are shown, most probable first."""

_ALL = 9999
"""Stands for all tokens: more than any answer has."""


_MIN_TOP_P = 0.01
PARAMS = (
    QueryParam("tokens", TOKENS, number(4)),
    QueryParam("forced", FORCED, longest=2000),
    QueryParam("temperature", TEMPERATURE, between(0, MAX_TEMPERATURE)),
    QueryParam("top_k", TOP_K, number(4)),
    QueryParam("top_p", TOP_P, between(_MIN_TOP_P, 1)),
    QueryParam("sampling_seed", SAMPLING_SEED, number(9)),
    QueryParam("attention", ATTENTION_KIND),
)

_generation = st.components.v2.component(
    "playground_generation", html='<div class="generation"></div>', js=loader("generate/generation.ts")
)


def choose_sampling(config: RunConfig) -> None:
    """Draw the settings of sampling."""
    vocabulary = len(token_names(config.task))
    if TOP_K.get() > vocabulary:
        TOP_K.set(vocabulary)
    st.number_input(
        "Temperature",
        min_value=0.0,
        max_value=MAX_TEMPERATURE,
        step=0.1,
        width=130,
        on_change=keep_whole,
        help="Divides the logits before softmax. Below 1, the largest probabilities grow. 0 is greedy.",
        **TEMPERATURE.widget,
    )
    st.number_input(
        "Top-k",
        min_value=0,
        max_value=vocabulary,
        width=130,
        on_change=keep_whole,
        help="Keeps the k most probable tokens. 0 keeps all.",
        **TOP_K.widget,
    )
    st.number_input(
        "Top-p",
        min_value=_MIN_TOP_P,
        max_value=1.0,
        step=0.05,
        width=130,
        on_change=keep_whole,
        help="Keeps the most probable tokens, as few as sum to p or more. 1 keeps all.",
        **TOP_P.widget,
    )
    st.number_input(
        "Seed",
        min_value=0,
        max_value=999_999_999,
        width=130,
        on_change=keep_whole,
        help="The same seed draws the same answer.",
        **SAMPLING_SEED.widget,
    )


def draw(walk: Walk, *, sampled: bool) -> None:
    """Draw the answer so far, the distribution of one token, and the attention of the pass that predicts it."""
    config, source = walk.model.config, subject.source_tokens(walk)
    sampling = Sampling(0)
    if sampled:
        sampling = Sampling(
            TEMPERATURE.get(),
            TOP_K.get() or None,
            TOP_P.get() if TOP_P.get() < 1 else None,
            SAMPLING_SEED.get(),
        )
    forced, problem = read_forced(FORCED.get(), config)
    if problem:
        style.message(problem, "wrong")
    wanted = TOKENS.get()
    chosen = list(itertools.islice(choices(walk.model, source, sampling, forced), wanted + 1))
    complete = len(chosen) <= wanted
    TOKENS.set(len(chosen) - 1 + complete)
    ANSWER_COMPLETE.set(complete)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _generation(
            key=GENERATION.name,
            data={
                **as_data(config, chosen, sampling, sampled=sampled, complete=complete),
                **acts.answer(GENERATION),
            },
            height="content",
            on_acts_change=partial(acts.carry_out, GENERATION, _act),
        )
        cache_view.show(walk.model, source, [choice.token for choice in chosen[:-1]])
    with right:
        _draw_attention(walk, source, [choice.token for choice in chosen[:-1]])


def as_data(
    config: RunConfig, chosen: list[Choice], sampling: Sampling, *, sampled: bool, complete: bool
) -> dict[str, Any]:
    """Data for generation.ts: the answer, without the last of `chosen` unless complete, and the bars of that token."""
    names, position = token_names(config.task), len(chosen) - 1
    last = chosen[-1]
    probabilities = last.logits.double().softmax(-1)
    after = cut(last.logits, sampling)
    ordered = probabilities.sort(descending=True, stable=True).indices.tolist()
    bars = [
        {
            "id": token,
            "label": names[token],
            "probability": float(probabilities[token]),
            "drawn": float(after.probabilities[token]),
            "cut": "top-k" if after.by_top_k[token] else "top-p" if after.by_top_p[token] else "",
        }
        for token in ordered[:MAX_BARS]
    ]
    answer = [
        {
            "label": names[choice.token],
            "forced": choice.forced,
            "probability": float(choice.logits.double().softmax(-1)[choice.token]),
        }
        for choice in (chosen if complete else chosen[:-1])
    ]
    return {
        "answer": answer,
        "position": position,
        "bars": bars,
        "more": len(ordered) - len(bars),
        "rest": float(probabilities[ordered[MAX_BARS:]].sum()),
        "chosen": last.token,
        "sampled": sampled,
        "complete": complete,
        "ended": complete and last.token in (EOS, PAD),
    }


# ---- acts


def keep_whole() -> None:
    """Callback of settings that may change an answer's length: one that was complete stays so."""
    if ANSWER_COMPLETE.get():
        TOKENS.set(_ALL)


def read_forced(text: str, config: RunConfig) -> tuple[dict[int, int], str]:
    """Token ids by position of the answer, from 0, and an error message if the link's text is malformed."""
    forced, vocabulary = dict[int, int](), len(token_names(config.task))
    for part in filter(None, text.split(",")):
        position, _, token = part.partition(":")
        if not all(digits.isdecimal() and len(digits) <= 5 for digits in (position, token)) or int(token) >= vocabulary:
            sentence = f"“{part[:20]}” is not a forced token. Use position:id, with ids below {vocabulary}."
            return forced, sentence
        forced[int(position)] = int(token)
    most = task_of(config.task).max_answer_length
    return {position: token for position, token in forced.items() if position <= most}, ""


def _keep(count: int, forced: Mapping[int, int]) -> None:
    """Set the number of generated tokens; later tokens are no longer forced."""
    TOKENS.set(count)
    FORCED.set(",".join(f"{position}:{token}" for position, token in sorted(forced.items()) if position < count))


def _act(verb: str, _id: str, value: Any) -> None:
    """Carry out an act that the browser reports."""
    count, forced = TOKENS.get(), _parsed(FORCED.get())
    match verb, value:
        case "next", _:
            _keep(count + 1, forced)
        case "undo", _:
            _keep(max(0, count - 1), forced)
        case "finish", _:
            _keep(_ALL, forced)
        case "back", int(position) if 0 <= position <= count:
            _keep(position, forced)
        case "force", [int(position), int(token)] if 0 <= position <= count and token >= 0:
            _keep(position + 1, forced | {position: token})


def _parsed(text: str) -> dict[int, int]:
    parts = [part.partition(":") for part in text.split(",")]
    return {int(position): int(token) for position, _, token in parts if position.isdecimal() and token.isdecimal()}


# ---- attention


def _draw_attention(walk: Walk, source: list[int], read: list[int]) -> None:
    """Draw the attention weights of the last query, all heads, in the pass that predicts the token after `read`."""
    config = walk.model.config
    kinds = list(dict.fromkeys(map(interpret.kind_of, _attentions(config))))
    if ATTENTION_KIND.get() not in kinds:
        ATTENTION_KIND.set(kinds[-1])
    with st.container(key="token-attention"):
        if len(kinds) > 1:
            st.segmented_control(
                "Attention",
                kinds,
                required=True,
                format_func=str.capitalize,
                help="Cross-attention reads the input, self-attention what the decoder has read.",
                **ATTENTION_KIND.widget,
            )
        kind = ATTENTION_KIND.get()
        paths = [path for path in _attentions(config) if interpret.kind_of(path) == kind]
        batch = make_batch(config, torch.tensor([source]), torch.tensor([read], dtype=torch.long))
        _, weights = run_with_cache(walk.model, batch, map(interpret.weights_tap, paths))
        tokens = {
            letter: decode(ids[0].tolist(), config.task)
            for letter, ids in (("S", batch.source), ("T", batch.target))
            if ids is not None
        }
        pictures = []
        for layer, path in enumerate(paths, 1):
            _, key = maps.letters(path)
            title = f"{kind.capitalize()}, layer {layer}"
            row = weights[head_paths.weights_tap(path)][0, :, -1]
            pictures.append(maps.heatmap(path, title, row, ("H", key), ("", key), kind="probability"))
        maps.show("generate", pictures, tokens, words=("head", "key", "weight"), follows=True)
        style.caption(
            "A row is a head, a column is a key. The query is the last token that the decoder has read. Heads and "
            "layers are counted from 1."
        )


def _attentions(config: RunConfig) -> list[str]:
    """Paths of the attention modules whose queries belong to the answer."""
    return [path for path in head_paths.attentions(config.model) if path.startswith("decoder")]
