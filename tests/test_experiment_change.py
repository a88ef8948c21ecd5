"""The Interventions view of the Experiment page: changes in the address, and numbers that equal those of the core."""

import json
import re
from urllib.parse import parse_qsl, unquote

import pytest
import torch
from streamlit.runtime.state.query_params import QueryParams

import playground
from playground.common.numbers import interval, percent
from playground.interpret.ablation import ablate_each, compare, score
from playground.interpret.interventions import MAX_INTERVENTIONS, changed_model, parse, parse_all
from playground.interpret.patching import patch_map
from playground.lessons.lesson import TEXTS
from playground.recording import run_with_cache
from playground.ui.experiment import active_changes
from playground.ui.experiment.intervention_view import effects, weights_of_both
from playground.ui.passes.frame import Pass
from playground.ui.server import work
from playground.ui.session.services import services
from tests.helpers import messages, mounts, until, written
from tests.pages import button, fine, host, last_walk, new_tab, text  # noqa: F401

MODEL, INPUT = "reverse-1-16", "3 1 4 1 5"
HEAD = "decoder.layers.0.cross_attention.head.2"
SUBLAYER = "decoder.layers.0.cross_attention"


@pytest.fixture(scope="module")
def model():
    return playground.load(f"checkpoints/{MODEL}").model


def opened(**words: str):
    return new_tab("experiment.py", **{"view": "change", "model": MODEL, "input": INPUT} | words)


def measured(app):
    """The page once nothing is being measured."""
    until(lambda: all(job.done for job in [*services().measurements._jobs.values()]))
    return fine(app.run())


def marks(app) -> dict[str, str]:
    ((_, data),) = mounts(app, "rows", "adds")
    return {part["site"]: part["mark"] for row in data["rows"] for part in row["parts"] if part["mark"]}


def address(app, word: str) -> str:
    return unquote("".join(app.query_params.get(word, [])))


def red(app) -> list[str]:
    """Messages in place of the number under the form that edits one."""
    return [
        text(each) for each in re.findall(r'<div class="notice small wrong" role="alert">(.*?)</div>', written(app))
    ]


def test_the_links_of_lessons_switch_off_what_they_name():
    texts = [path.read_text() for path in sorted(TEXTS.glob("*.md"))]
    links = [link for each in texts for link in re.findall(r"\]\(\./experiment\?([^)]+)\)", each)]
    assert links
    for link in links:
        words = dict(parse_qsl(link))
        app = new_tab("experiment.py", **words)
        assert not messages(app)
        assert set(marks(app)) == set(words["changes"].split(";"))


def test_every_head_sublayer_and_position_table_can_be_pressed():
    ((_, data),) = mounts(opened(), "rows", "adds")
    assert [row["label"] for row in data["rows"]] == [
        "position table",
        *("encoder layer 1 self-attention", "encoder layer 1 feed-forward"),
        *("decoder layer 1 self-attention", "decoder layer 1 cross-attention", "decoder layer 1 feed-forward"),
    ]
    assert [part["label"] for part in data["rows"][1]["parts"]] == ["1", "2", "3", "4", "all"]
    assert data["rows"][4]["parts"][2] == {
        "site": HEAD,
        "label": "3",
        "words": "decoder layer 1 cross-attention, head 3",
        "mark": "",
    }


@pytest.mark.parametrize("change", [SUBLAYER, f"{HEAD}:mean", f"{SUBLAYER}:scale=0.25", "head.bias[4]=9"])
def test_the_page_shows_both_answers_as_the_core_computes_them(model, change):
    app = opened(changes=change)
    found = compare(model, INPUT, [parse(change, model.config)])
    page = text(written(app))
    for answer in (found.intact, found.changed):
        assert f"{'right' if answer.right else 'wrong'}, loss {answer.loss:.4f}" in page
        for token, probabilities in zip(answer.tokens, answer.probabilities, strict=True):
            assert f"{token}{percent(float(probabilities.max()))}" in page
    assert found.intact.loss != found.changed.loss


def test_one_page_at_a_time_draws_its_changes(monkeypatch):
    held = []
    choose = active_changes.choose
    monkeypatch.setattr(active_changes, "choose", lambda shown: (held.append(work.DRAWING.locked()), choose(shown))[1])
    opened()
    assert held == [True]
    assert not work.DRAWING.locked()


def test_held_out_scores_are_those_of_the_core(model):
    app = measured(opened(changes=SUBLAYER))
    page = text(written(app))
    for scores in (score(model), score(model, parse_all([SUBLAYER], model.config))):
        assert f"{percent(scores.exact_match)} exact match on 1,000 held-out inputs" in page
        assert f"95 % interval: {interval(scores.exact_match, scores.sequences)}" in page


def test_changes_are_listed_and_can_be_removed_one_by_one():
    app = opened()
    assert marks(app) == {}
    app.session_state["changes"] = f"{HEAD};{SUBLAYER}:mean"
    fine(app.run())
    assert marks(app) == {HEAD: "off", SUBLAYER: "mean"}
    assert address(app, "changes") == f"{HEAD};{SUBLAYER}:mean"
    button(app, "decoder layer 1 cross-attention, head 3: off").click().run()
    assert marks(fine(app)) == {SUBLAYER: "mean"}
    assert address(app, "changes") == f"{SUBLAYER}:mean"


def test_the_address_is_sent_again_where_a_fast_click_came_with_the_one_before(monkeypatch):
    app, sent = opened(), []
    send = QueryParams._send_query_param_msg
    monkeypatch.setattr(QueryParams, "_send_query_param_msg", lambda self: sent.append(str(self)) or send(self))
    before = dict(app.query_params)
    app.session_state["changes"] = HEAD
    fine(app.run())
    assert address(app, "changes") == HEAD
    app.session_state["changes"] = ""
    app.query_params.clear()
    app.query_params.update(before)  # the browser does not know the new one yet
    sent.clear()
    fine(app.run())
    assert len(sent) == 1
    assert "changes" not in sent[0]
    sent.clear()
    fine(app.run())
    assert not sent


def test_invalid_changes_of_a_link_get_a_sentence_each_and_the_rest_stays():
    app = opened(changes=f"{HEAD};nonsense;{SUBLAYER}[0,99]=1;decoder.norm.weight:patch")
    assert marks(app) == {HEAD: "off"}
    shown = messages(app, "wrong")
    assert len(shown) == 3
    assert "There is no nonsense in this model." in shown[0]
    assert "99 is outside axis D" in shown[1]
    assert "is a weight" in shown[2]


def test_a_link_has_at_most_32_changes_and_few_sentences():
    many = ";".join(f"head.bias[{at % 14}]={at}" for at in range(40))
    app = opened(changes=many)
    assert f"A model can have {MAX_INTERVENTIONS} changes." in " ".join(messages(app, "wrong"))
    assert sum(each.label.startswith("`head.bias") for each in app.button) == MAX_INTERVENTIONS
    assert len(messages(opened(changes=";".join(["x"] * 300)), "wrong")) == 4


def test_a_patch_comes_from_the_other_input(model):
    change = f"{SUBLAYER}:patch"
    app = opened(changes=change, other="2 2 7 1 8")
    found = compare(model, INPUT, [parse(change, model.config)], other="2 2 7 1 8")
    page = text(written(app))
    assert f"loss {found.changed.loss:.4f}" in page
    assert f"the unchanged model answers {found.other.text}" in page


def test_a_patch_without_an_input_of_its_length_says_so_and_leaves_the_rest(model):
    app = opened(changes=f"{SUBLAYER}:patch;{HEAD}", other="1 2")
    assert "Your input has length 5, the other input 2. A patch needs equal lengths." in messages(app, "wrong")
    found = compare(model, INPUT, [parse(HEAD, model.config)])
    assert f"loss {found.changed.loss:.4f}" in text(written(app))


def test_an_input_of_another_length_is_reported_before_anything_is_patched():
    sentence = "Your input has length 5, the other input 2. A patch needs equal lengths."
    assert messages(opened(other="1 2"), "wrong").count(sentence) == 1


def test_changes_that_overflow_are_a_sentence():
    shown = messages(opened(changes="encoder.layers.0.feed_forward.w_1.weight:scale=1000000;head.weight:scale=1000000"))
    assert not any("Traceback" in each for each in shown)


def test_a_number_is_edited_with_the_form():
    app = opened()
    next(each for each in app.selectbox if each.key == "change site").set_value("head.bias")
    next(each for each in app.text_input if each.key == "change index").set_value("4")
    next(each for each in app.number_input if each.key == "change value").set_value(2.5)
    assert "row of token “0”" in text(written(app.run()))
    button(app, "Set").click().run()
    assert address(fine(app), "changes") == "head.bias[4]=2.5"
    next(each for each in app.text_input if each.key == "change index").set_value("1 2").run()
    assert red(fine(app)) == ["Type 1 whole number with spaces or commas between."]
    next(each for each in app.text_input if each.key == "change index").set_value("99").run()
    assert red(fine(app)) == ["Index out of range. The largest index is 13."]
    button(app, "Set").click().run()
    assert red(fine(app)) == ["99 is outside axis V of head.bias. Use 0 to 13."]


def test_a_number_is_not_edited_without_a_new_value():
    app = opened()
    next(each for each in app.selectbox if each.key == "change site").set_value("head.bias")
    button(app.run(), "Set").click().run()
    assert red(fine(app)) == ["Type a number under New value."]
    assert not address(app, "changes")


def test_the_parts_of_an_index_may_stand_apart_by_spaces():
    app = opened()
    next(each for each in app.selectbox if each.key == "change site").set_value("head.weight")
    next(each for each in app.text_input if each.key == "change index").set_value(" 5  3 ")
    next(each for each in app.number_input if each.key == "change value").set_value(9.0)
    button(app, "Set").click().run()
    assert address(fine(app), "changes") == "head.weight[5,3]=9"


def test_other_views_say_that_they_leave_the_changes_out():
    sentence = "This view shows the unchanged model. Your changes are under Interventions."
    assert sentence not in written(opened(changes="head.bias[4]=2.5"))
    app = opened(view="read")
    assert sentence not in written(app)
    app.session_state["changes"] = "head.bias[4]=2.5"
    assert sentence in written(fine(app.run()))


def test_heads_are_ranked_as_the_core_ranks_them(model):
    app = opened()
    button(app, "Switch off each head in turn").click().run()
    page = text(written(measured(app)))
    *_, ranking = ablate_each(model, "head")
    first = ranking.parts[0]
    assert first.off.startswith("decoder.layers.0.cross_attention.head.")
    number = int(first.off[-1]) + 1
    assert f"Lossdecoder layer 1 cross-attention, head {number}{' '}{percent(first.scores.exact_match)}" in page
    assert f"{ranking.parts[-1].scores.loss:.4f}none" in page


def test_the_patch_map_has_the_numbers_of_the_core(model):
    app = opened(other="2 2 7 1 8", patched="sublayer")
    button(app, "Patch each position and layer").click().run()
    measured(app)
    *_, found = patch_map(model, INPUT, "2 2 7 1 8", "sublayer")
    encoder, decoder = effects(found, model, INPUT, "2 2 7 1 8")
    assert encoder.values.shape == (2, 5)
    assert decoder.values.shape == (3, 6)
    assert list(decoder.rows) == ["self-attention", "cross-attention", "feed-forward"]
    assert encoder.columns == ["3←2", "1←2", "4←7", "1", "5←8"]
    assert float(decoder.values[1, 0]) == pytest.approx(found.effect(found.rows[SUBLAYER][0]))
    sent = [each.proto.bytes for each in app.get("bidi_component")]
    assert sum(json.dumps("Effect in encoder layer 1").encode() in each for each in sent) == 1


def test_attention_beside_is_that_of_the_same_pass_with_the_changes(model):
    opened(changes=f"{SUBLAYER}.head.1;encoder.layers.0.self_attention.attention.weights[1]", attention=SUBLAYER)
    walk = last_walk()
    changes = parse_all(["encoder.layers.0.self_attention.attention.weights[1]"], model.config)
    shown = Pass(walk, None, None, str, ("x",))
    intact, changed = weights_of_both(shown, SUBLAYER, changes, "")
    tap = f"{SUBLAYER}.attention.weights"
    assert torch.equal(intact, walk[tap].value[0])
    with changed_model(walk.model, changes) as other:
        assert torch.equal(changed, run_with_cache(other, walk.batch, tap)[1][tap][0])
    assert not torch.equal(intact, changed)
    same, again = weights_of_both(shown, SUBLAYER, (), "")
    assert torch.allclose(same, again)
    zero, zeroed = weights_of_both(shown, SUBLAYER, parse_all([f"{tap}[2]"], model.config), "")
    assert torch.equal(zeroed[2], torch.zeros_like(zeroed[2]))
    assert torch.equal(zeroed[0], zero[0])
