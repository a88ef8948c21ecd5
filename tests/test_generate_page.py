"""The Generate page: every number on it is the core's, the address has all of it, and what is done is done once."""

import json
import math
import re
from urllib.parse import unquote

import pytest
import torch
from streamlit.testing.v1 import AppTest

import playground
from playground.common.numbers import percent
from playground.decoding import (
    CachedDecoder,
    Sampling,
    answer_multiplications,
    beam_search,
    choices,
    cut,
    generate,
    rounds,
    sample,
)
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.tasks import EOS, encode, token_names
from playground.ui.generate import cache_view
from playground.ui.generate.beam_view import MAX_DROPPED, tree
from playground.ui.generate.token_view import MAX_BARS, as_data
from playground.ui.session import sources
from tests.helpers import WITH_DECODER, messages, mounts, prose, small_model, tell, written
from tests.pages import fine, host, new_tab, text  # noqa: F401

MODEL, INPUT = "reverse-1-16", "3 1 4 1 5"
HOT = {"decoding": "sampling", "temperature": "9", "sampling_seed": "4"}


@pytest.fixture(scope="module")
def model():
    return playground.load(f"checkpoints/{MODEL}").model


@pytest.fixture(scope="module")
def source(model) -> list[int]:
    return encode(INPUT, model.config.task)


def opened(**words: str) -> AppTest:
    return new_tab("generate.py", **{"model": MODEL, "input": INPUT} | words)


def shown(app: AppTest) -> dict:
    ((_, data),) = mounts(app, "bars", "answer")
    return data


def cache(app: AppTest) -> dict:
    ((_, data),) = mounts(app, "possible", "cost")
    return data


def answer(app: AppTest) -> str:
    return " ".join(token["label"] for token in shown(app)["answer"])


def act(app: AppTest, *done: tuple[str, object]) -> AppTest:
    """What the browser sends when a person has done this."""
    ((component, data),) = mounts(app, "bars", "answer")
    acts = [[data["heard"] + at, verb, "", value] for at, (verb, value) in enumerate(done, 1)]
    return fine(tell(app, component, state={"acts": {"session": data["session"], "message": 1, "acts": acts}}))


def word(app: AppTest, name: str) -> str:
    return unquote("".join(app.query_params.get(name, [])))


# ---- token by token


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("words", [{}, HOT, HOT | {"top_k": "4", "top_p": "0.8"}], ids=str)
def test_all_probabilities_are_those_of_the_core(host, architecture, words):  # noqa: F811
    small = small_model(architecture)
    sources.library_of("").save("small", small, [])
    app = opened(model="small", tokens="2", **words)
    sampling = Sampling(0)
    if words:
        sampling = Sampling(9, int(words["top_k"]) if "top_k" in words else None, float(words.get("top_p", 1)), 4)
    names, found = token_names(small.config.task), list(choices(small, encode(INPUT, small.config.task), sampling))
    data, last = shown(app), found[:3][-1]
    assert answer(app) == " ".join(names[choice.token] for choice in found[: 2 + (len(found) < 3)])
    assert data["chosen"] == last.token
    probabilities = last.logits.double().softmax(-1)
    after = cut(last.logits, sampling)
    assert {bar["id"] for bar in data["bars"]} == set(range(len(names)))
    assert math.isclose(sum(bar["probability"] for bar in data["bars"]), 1)
    assert [bar["probability"] for bar in data["bars"]] == sorted(probabilities.tolist(), reverse=True)
    for bar in data["bars"]:
        assert bar["label"] == names[bar["id"]]
        assert bar["drawn"] == float(after.probabilities[bar["id"]])
        assert (bar["cut"] == "top-k") == bool(after.by_top_k[bar["id"]])
        assert (bar["cut"] == "top-p") == bool(after.by_top_p[bar["id"]])


def test_multiplications_are_counted_with_a_cache_and_without(model, source):
    app = act(opened(), ("finish", None))
    length = len(generate(model, source))
    assert cache(app)["cost"] == [
        answer_multiplications(model, len(source), length + 1, cached=cached) for cached in (True, False)
    ]


def test_the_picture_of_the_cache_has_what_the_decoder_keeps(model, source):
    """The keys and values that the cached decoder holds before and after the pass, counted in its own tensors."""
    for at in range(len(source) + 1):
        data = cache(opened(tokens=str(at)))
        decoder, answer, held = CachedDecoder(model, source), generate(model, source), [{}]
        for length in range(at + 1):
            decoder.next_logits(torch.tensor([answer[:length]], dtype=torch.long))
            held.append({id(each): each.kept.size(1) for each in decoder._wrappers if hasattr(each, "kept")})
        before, after = (sorted(each.values()) for each in held[-2:])
        drawn = {row["name"]: row for row in data["rows"]}
        sizes = [len(drawn[name]["tokens"]) for name in ("Self-attention", "Cross-attention")]
        assert after == sorted(2 * data["layers"] * sizes)
        assert (before or [0] * len(after)) == sorted(
            2 * data["layers"] * [drawn[name]["kept"] for name in ("Self-attention", "Cross-attention")]
        )
        assert data["bytes"] == 4 * sum(after) * model.config.model.d_model
        assert data["possible"]


def test_the_cache_of_modern_attention_says_what_is_kept():
    """A latent and its absorbed form, heads of keys, and what a window no longer sees."""

    def drawn(**settings):
        config = RunConfig().updated({f"model.{name}": value for name, value in settings.items()})
        return cache_view.as_data(TaskModel(config).eval(), [4, 5, 6], [7, 8])

    latent = drawn(attention="latent", d_latent=5, positions="rotary", d_rope=2)
    what = "a latent and a rotary key in self-attention, a latent in cross-attention"
    assert (latent["what"], latent["bytes"]) == (what, 4 * (3 * (5 + 2) + 3 * 5))
    first, second = latent["notes"]
    assert "q W^UK times the latents gives the same scores (largest difference " in first
    assert float(first.split("largest difference ")[1].split(")")[0]) < 1e-4
    after, before = (int(number.replace(",", "")) for number in re.findall(r"[\d,]*\d", second))
    assert after < before == latent["cost"][0][-1]
    assert drawn(attention="latent", qk_norm=True)["notes"][0].startswith("Latent attention has no absorbed form here")
    assert drawn(attention="grouped_query", n_kv_heads=2)["what"] == "2 keys and 2 values"
    assert "later tokens see 1 position of these. The oldest 2 positions" in drawn(window=2)["notes"][0]
    assert (drawn(window=9)["notes"], drawn()["notes"]) == ([], [])


def test_next_undo_finish_and_back_walk_through_the_answer(model, source):
    names = token_names(model.config.task)
    whole = [names[token] for token in [*generate(model, source), EOS]]
    app = opened()
    assert shown(app)["answer"] == []
    app = act(app, ("next", None), ("next", None))
    assert answer(app) == " ".join(whole[:2])
    assert word(app, "tokens") == "2"
    app = act(app, ("undo", None))
    assert answer(app) == whole[0]
    app = act(app, ("finish", None))
    assert answer(app) == " ".join(whole)
    assert shown(app)["complete"]
    assert shown(app)["ended"]
    assert word(app, "tokens") == str(len(whole))
    app = act(app, ("next", None))
    assert answer(app) == " ".join(whole)
    app = act(app, ("back", 3))
    assert answer(app) == " ".join(whole[:3])
    app = act(app, ("back", 0), ("undo", None))
    assert answer(app) == ""
    assert word(app, "tokens") == ""


def test_a_token_can_be_forced_and_undone(model, source):
    names = token_names(model.config.task)
    nine = names.index("9")
    app = act(opened(tokens="1"), ("force", [1, nine]), ("next", None))
    found = list(choices(model, source, Sampling(0), {1: nine}))
    assert answer(app) == " ".join(names[choice.token] for choice in found[:3])
    assert [token["forced"] for token in shown(app)["answer"]] == [False, True, False]
    assert shown(app)["answer"][1]["probability"] == float(found[1].logits.double().softmax(-1)[nine])
    assert word(app, "forced") == f"1:{nine}"
    assert answer(opened(tokens="3", forced=f"1:{nine}")) == answer(app)
    app = act(app, ("undo", None), ("undo", None))
    assert word(app, "forced") == ""
    assert answer(act(app, ("finish", None))) == " ".join(names[token] for token in [*generate(model, source), EOS])


def test_a_forced_end_ends_the_answer_and_can_be_replaced():
    app = act(opened(tokens="2"), ("force", [2, EOS]), ("next", None))
    assert answer(app).endswith("EOS")
    assert shown(app)["ended"]
    app = act(app, ("force", [2, 7]))
    assert not shown(app)["ended"]
    assert len(shown(app)["answer"]) == 3


@pytest.mark.parametrize("done", [("force", [9, 4]), ("force", ["x", 4]), ("force", None), ("back", -1), ("fly", 1)])
def test_what_no_button_sends_changes_nothing(done):
    app = opened(tokens="2")
    before = answer(app)
    assert answer(act(app, done)) == before


def test_sampling_finishes_with_the_answer_of_the_command(model, source):
    app = act(opened(**HOT), ("finish", None))
    names = token_names(model.config.task)
    drawn = [names[token] for token in sample(model, source, Sampling(9, seed=4))]
    assert [token["label"] for token in shown(app)["answer"] if token["label"] not in ("EOS", "PAD")] == drawn


def test_a_complete_answer_stays_complete_with_another_seed():
    app = act(opened(**HOT), ("finish", None))

    def length(seed: int) -> int:
        fine(next(each for each in app.number_input if each.label == "Seed").set_value(seed).run())
        return len(shown(app)["answer"])

    lengths = {}
    for seed in range(6):
        lengths[seed] = length(seed)
        assert shown(app)["complete"]
    short, long = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
    assert lengths[short] < lengths[long]
    length(short)
    act(app, ("undo", None))
    assert length(long) == lengths[short] - 1


def test_a_refused_input_leaves_the_last_answer_with_its_input():
    app = opened(tokens="2")
    field = next(each for each in app.text_input if each.key == "input")
    assert "is for the input" not in prose(app)
    field.set_value("3 x").run()
    assert f"The answer below is for the input {INPUT}." in prose(fine(app))
    assert answer(app) == "5 1"
    field.set_value("3 4").run()
    assert "is for the input" not in prose(fine(app))


@pytest.mark.parametrize("forced", ["x", "1:999", "1", "-1:4", "1:4:5", "²:4"])
def test_a_link_with_a_wrong_token_says_so_and_goes_on(forced):
    app = opened(tokens="2", forced=forced)
    assert any("is not a forced token" in each for each in messages(app, "wrong"))
    assert len(shown(app)["answer"]) == 2


@pytest.mark.parametrize(
    "words",
    [
        {"temperature": "x"},
        {"temperature": "1e9"},
        {"temperature": "nan"},
        {"top_p": "0"},
        {"top_k": "-1"},
        {"beams": "99"},
        {"decoding": "x"},
        {"attention": "x"},
    ],
    ids=str,
)
def test_settings_of_a_link_out_of_range_are_the_usual_ones(words):
    app = opened(tokens="2", **{"decoding": "sampling"} | words)
    fine(app)
    assert not messages(app, "wrong")


def test_more_tokens_than_the_vocabulary_are_all():
    app = opened(tokens="2", decoding="sampling", top_k="999")
    assert not any(bar["cut"] for bar in shown(app)["bars"])


def test_the_page_survives_leaving_it():
    app = act(opened(tokens="1"), ("force", [1, 9]))
    before = shown(app)
    app.switch_page("pages/build.py").run()
    app = fine(app.switch_page("pages/generate.py").run())
    after = shown(app)
    assert [before[key] for key in ("answer", "bars")] == [after[key] for key in ("answer", "bars")]


def test_an_encoder_only_model_is_refused_in_a_sentence(host):  # noqa: F811
    sources.library_of("").save("small", small_model("encoder-only"), [])
    app = opened(model="small")
    assert messages(app, "note") == [
        "An encoder-only model predicts its whole answer at once. Choose a model with a decoder."
    ]


def test_of_a_large_vocabulary_the_most_probable_tokens_are_shown():
    config = small_model("decoder-only").config.updated({"task.vocab_size": MAX_BARS + 3})
    large = playground.new_model(config)
    found = list(choices(large.eval(), [4, 5], Sampling(0)))[:1]
    data = as_data(config, found, Sampling(0), sampled=False, complete=False)
    assert len(data["bars"]) == MAX_BARS
    assert data["more"] == 7  # with PAD, BOS, EOS and SEP
    assert math.isclose(sum(bar["probability"] for bar in data["bars"]) + data["rest"], 1)


# ---- beam search


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("width", [1, 3, 5])
def test_the_tree_has_every_round_and_leads_to_the_answer(architecture, width):
    small = small_model(architecture)
    source = encode(INPUT, small.config.task)
    found = list(rounds(small, source, width))
    data, names = tree(found, small.config.task), token_names(small.config.task)
    assert len(data["columns"]) == len(found)
    before = [()]
    for column, each in zip(data["columns"], found, strict=True):
        beams = [*each.kept, *each.dropped][: len(each.kept) + MAX_DROPPED]
        assert len(column["nodes"]) == len(beams)
        assert column["more"] == len(each.kept) + len(each.dropped) - len(beams)
        for node, beam in zip(column["nodes"], beams, strict=True):
            tokens = (*beam.tokens, *([] if beam.end is None else [beam.end]))
            assert before[node["parent"]] in (tokens, tokens[:-1])
            assert node["label"] == names[tokens[-1]]
            assert node["sum"] == f"{beam.log_probability:.3f}"
            assert (node["kind"] == "dropped") == (beam in each.dropped)
        before = [(*beam.tokens, *([] if beam.end is None else [beam.end])) for beam in each.kept]
    # The path to the answer, from its end.
    at = next(row for row, node in enumerate(data["columns"][-1]["nodes"]) if node["kind"] == "best")
    for column in reversed(data["columns"]):
        assert column["nodes"][at]["kind"] == "best"
        at = column["nodes"][at]["parent"]


def test_the_answers_of_beam_search_are_listed(model, source):
    app = opened(decoding="beams", beams="4")
    beams, names = beam_search(model, source, 4), token_names(model.config.task)
    table = re.findall(r"<table.*?</table>", written(app), re.DOTALL)[0]
    rows = [text(row) for row in re.findall(r"<tr>.*?</tr>", table)][1:]
    assert len(rows) == 4
    for rank, (row, beam) in enumerate(zip(rows, beams, strict=True), 1):
        tokens = "".join(names[token] for token in [*beam.tokens, beam.end])
        numbers = f"{beam.log_probability:.4f}{percent(math.exp(beam.log_probability))}"
        assert row == f"{rank}{tokens}{numbers}yes"


# ---- attention


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_attention_is_that_of_the_pass_that_predicts_the_token(host, architecture, monkeypatch):  # noqa: F811
    small = small_model(architecture, n_layers=2)
    sources.library_of("").save("small", small, [])
    drawn = []
    monkeypatch.setattr(
        "playground.ui.generate.token_view.maps.show", lambda where, pictures, tokens, **more: drawn.append(pictures)
    )
    kind = "decoder self-attention"
    app = opened(model="small", tokens="2", attention=kind)
    source = encode(INPUT, small.config.task)
    read = [choice.token for choice in list(choices(small, source, Sampling(0)))[:2]]
    batch = playground.tasks.batches.make_batch(small.config, torch.tensor([source]), torch.tensor([read]))
    for layer, picture in enumerate(drawn[-1]):
        with playground.recording.record(small) as recording:
            recording.model(*batch)
        weights = recording[f"decoder.layers.{layer}.self_attention.attention.weights"].value[0, :, -1]
        assert torch.equal(torch.tensor(picture.values[0]), weights)
    assert len(drawn[-1]) == 2
    assert json.dumps(shown(app)["answer"])
