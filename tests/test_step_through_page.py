"""The Step through page: operations, inputs, answers, cells, and its address."""

import pytest
from streamlit.testing.v1 import AppTest

from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.storage.library import Library
from playground.tasks import EOS
from playground.ui.session.services import services
from tests.helpers import backward_order, messages, prose
from tests.pages import button, fine, last_walk, link_to, page, text
from tests.pages import host as host  # for every test here too


def test_step_through_walks_every_operation_by_the_next_button():
    app = page("step_through.py", operation="encoder.tokens")
    seen = [app.session_state["operation"]]
    while not button(app, "Next").disabled:
        button(app, "Next").click().run()
        seen.append(fine(app).session_state["operation"])
        assert app.latex[0].value
    assert seen == [step.name for step in last_walk().steps]
    button(app, "Previous").click().run()
    assert fine(app).session_state["operation"] == seen[-2]


@pytest.mark.parametrize(
    ("architecture", "operation"),
    [
        ("encoder-decoder", "decoder.layers.0.cross_attention.attention.weights"),
        ("decoder-only", "decoder.layers.0.self_attention.attention.weights"),
        ("encoder-only", "encoder.layers.0.self_attention.attention.weights"),
    ],
)
def test_step_through_opens_on_attention_weights(architecture, operation):
    config = RunConfig().updated({"model.architecture": architecture})
    Library(services().host.checkpoints).save("untrained", TaskModel(config), [])
    app = page("step_through.py", source="untrained")
    assert app.session_state["operation"] == operation
    assert not messages(app, "wrong")


def test_backward_walks_from_the_loss_to_the_first_tensor_that_it_depends_on():
    app = page("step_through.py", operation="loss")
    forward = app.latex[0].value
    app.toggle(key="gradient").set_value(True).run()
    assert fine(app).latex[0].value != forward, "the rule by which the gradient passes"
    seen = [app.session_state["operation"]]
    while not button(app, "Next").disabled:
        button(app, "Next").click().run()
        seen.append(fine(app).session_state["operation"])
    assert tuple(seen) == backward_order(last_walk())
    assert app.query_params["gradient"] in ("True", ["True"])


def test_backward_on_a_tensor_without_gradient_says_why_and_leads_on():
    app = page("step_through.py", operation="decoder.causal_mask")
    app.toggle(key="gradient").set_value(True).run()
    assert any("No gradient" in text(each.proto.body) for each in fine(app).get("html"))
    button(app, "Next").click().run()
    assert fine(app).session_state["operation"] in backward_order(last_walk())


@pytest.mark.parametrize(
    ("part", "operation"),
    [
        ("decoder.layers.0.cross_attention", "decoder.layers.0.cross_attention.query_projection"),
        ("decoder.layers.0.self_attention", "decoder.layers.0.self_attention.query_projection"),
        ("decoder.norm", "decoder.output"),
        ("head", "logits"),
        ("nothing.like.it", "encoder.tokens"),
    ],
)
def test_step_through_opens_at_the_part_that_was_clicked_on_build(part, operation):
    app = page("step_through.py", part=part)
    assert app.session_state["operation"] == operation
    assert "part" not in app.session_state


def test_step_through_says_where_one_is_and_what_to_look_at():
    app = page("step_through.py", operation="decoder.layers.0.cross_attention.attention.weights")
    head = next(each.proto.body for each in app.get("html") if 'class="operation"' in each.proto.body)
    assert "Attention weights" in text(head)
    assert "(B, H, T, S) = (1, 4, 6, 5)" in text(head)
    finding = next(text(each.proto.body) for each in app.get("html") if 'class="finding"' in each.proto.body)
    assert "Rows: tokens the decoder has read. Columns: input tokens they attend to." in finding
    assert "of 5 counted rows" in finding


def test_step_through_takes_own_input_twice_in_a_row():
    app = page("step_through.py")
    for typed in ("7 7 1", "0 9"):
        next(each for each in app.text_input if each.key == "input").set_value(typed).run()
        fine(app)
        assert last_walk().batch.source.size(1) == len(typed.split())


def says(app: AppTest) -> list[str]:
    """The tokens of the answer on the page, as they are marked."""
    return list(next(each for each in app.get("button_group") if each.key == "marked row").options)


def test_step_through_shows_what_this_pass_says_not_what_it_should_say():
    app = page("step_through.py")
    assert says(app) == ["5", "1", "4", "1", "3", "EOS"]
    next(each for each in app.text_input if each.key == "target").set_value("9 9 9").run()
    fine(app)
    walked = last_walk()
    assert walked.tokens["T"] == ["BOS", "9", "9", "9"]
    assert len(says(app)) == len(walked.predicted)


@pytest.mark.parametrize("seed", range(4))
def test_a_wrong_token_is_marked_not_only_by_colour(seed):
    config = RunConfig().updated({"seed": seed})
    Library(services().host.checkpoints).save("untrained", TaskModel(config), [])
    app = page("step_through.py", source="untrained")
    wrong = [token.startswith(":red[~~") for token in says(app)]
    assert any(wrong)
    assert all(wrong[6:]), "what is predicted after the right answer has ended is wrong"


def test_the_decoder_can_answer_token_by_token():
    app = page("step_through.py")
    button(app, "Token by token").click().run()
    assert fine(app).session_state["prefix length"] == 0
    assert last_walk().tokens["T"] == ["BOS"]
    assert says(app) == ["5"]
    assert button(app, "Undo").disabled
    for _ in range(5):
        button(app, "Next token").click().run()
    assert fine(app).session_state["prefix length"] == 5
    assert says(app)[-1] == "EOS"
    assert button(app, "Next token").disabled
    assert app.query_params["said"] in ("5", ["5"])
    button(app, "Undo").click().run()
    assert says(app) == ["5", "1", "4", "1", "3"]
    button(app, "Finish").click().run()
    assert len(says(fine(app))) == 6


def test_a_model_without_a_decoder_has_no_middle_of_its_answer():
    config = RunConfig().updated({"model.architecture": "encoder-only"})
    Library(services().host.checkpoints).save("at-once", TaskModel(config), [])
    app = link_to("step_through.py", model="at-once", said="2")
    assert not messages(app, "wrong")
    assert len(says(app)) == 5
    assert {"Token by token", "Next token", "Right answer"}.isdisjoint({each.label for each in app.button})


def test_the_decoder_can_be_given_the_right_answer():
    Library(services().host.checkpoints).save("untrained", TaskModel(RunConfig()), [])
    app = page("step_through.py", source="untrained", operation="loss")
    assert "are the model's own answer" in prose(app)
    button(app, "Right answer").click().run()
    assert fine(app).session_state["target"] == "5 1 4 1 3"
    assert last_walk().batch.labels[0].tolist() == [9, 5, 8, 5, 7, EOS]
    assert "are the model's own answer" not in prose(app)


def test_padding_can_be_put_behind_the_input_as_far_as_it_fits():
    app = page("step_through.py")
    app.number_input(key="padding").set_value(2).run()
    assert last_walk().tokens["S"] == ["3", "1", "4", "1", "5", "PAD", "PAD"]
    assert says(fine(app)) == ["5", "1", "4", "1", "3", "EOS"]
    app.number_input(key="padding").set_value(99).run()
    assert "12 is used" in messages(fine(app), "wrong")[0]
    assert last_walk().batch.source.size(1) == 17
    assert app.number_input(key="padding").value == 99, "what was typed stays"


def test_a_random_input_replaces_the_old_one():
    app = page("step_through.py")
    drawn = set()
    for _ in range(4):
        button(app, "Random").click().run()
        drawn.add(fine(app).session_state["input"])
    assert len(drawn) > 1


def test_a_position_of_the_answer_can_be_linked_to():
    app = link_to("step_through.py", place="3", said="4")
    assert app.session_state["marked row"] == 3
    assert app.session_state["prefix length"] == 4
    assert link_to("step_through.py", place="30", said="x").session_state["marked row"] is None


def test_an_input_shorter_than_in_training_is_marked_as_unreliable(tmp_path):
    config = RunConfig().updated({"task.min_length": 16, "training.steps": 1})
    Library(services().host.checkpoints).save("fixed", TaskModel(config), [])
    app = page("step_through.py", source="fixed")
    assert len(app.session_state["input"].split()) == 16
    next(each for each in app.text_input if each.key == "input").set_value("3 1").run()
    assert any("is unreliable" in each.value for each in fine(app).caption)


@pytest.mark.parametrize("text", ["x", "", "1x", "1 " * 17, "PAD"])
def test_step_through_answers_bad_input_with_a_sentence_and_keeps_it(text):
    app = page("step_through.py")
    next(each for each in app.text_input if each.key == "input").set_value(text).run()
    (message,) = messages(fine(app), "wrong")
    assert message.startswith(("“", "The input"))
    assert app.session_state["input"] == text
    assert last_walk().tokens["S"] == ["3", "1", "4", "1", "5"], "the nearest valid view"
    assert app.latex[0].value


def test_the_address_of_step_through_brings_the_view_back():
    app = page("step_through.py")
    app.text_input(key="input").set_value("7 2 9").run()
    button(app, "Next").click().run()
    app.run()
    address = {word: app.query_params[word] for word in ("model", "operation", "input")}
    again = link_to("step_through.py", **address)
    for key in ("source", "operation", "input"):
        assert again.session_state[key] == app.session_state[key]
    assert again.session_state["input"] == "7 2 9"


def test_a_hand_made_address_of_step_through_shows_the_nearest_view():
    app = link_to(
        "step_through.py",
        model="nonsense",
        operation="nonsense",
        step="-3",
        input="7 x",
        target="?",
        said="-1",
        padding="many",
        cell="here",
        head="99",
        columns="-5",
        gradient="maybe",
    )
    assert "There is no model “nonsense”." in messages(app, "care")[0]
    sentences = messages(app, "wrong")
    assert len(sentences) == 5
    assert "“x” at" in sentences[0]
    assert "“?” at" in sentences[1]
    assert "This model has no operation “nonsense”" in sentences[2]
    assert "“here” is not a cell" in sentences[3]
    assert "it has 4 heads" in sentences[4], "no head 100"
    assert app.session_state["input"] == "7 x"
    app.text_input(key="input").set_value("7 2").run()
    app.text_input(key="target").set_value("").run()
    assert not messages(fine(app), "wrong")
    assert app.latex[0].value


def test_a_locked_cell_goes_on_where_it_means_the_same():
    where = "decoder.layers.0.cross_attention.attention"
    app = link_to("step_through.py", cell="1.2.3", operation=f"{where}.masked_scores")
    button(app, "Next").click().run()
    assert fine(app).session_state["operation"] == f"{where}.weights"
    assert app.session_state["cell"] == "1.2.3"
    button(app, "Next").click().run()
    assert fine(app).session_state["operation"] == f"{where}.heads"
    assert app.session_state["cell"] is None
    assert not messages(app, "wrong")


@pytest.mark.parametrize(
    ("cell", "head", "locked", "expected"),
    [
        ("1.2.3", None, "1.2.3", None),
        ("9.99.999", None, "3.5.4", "the nearest cell is pinned"),
        ("2.3", None, None, "a head, a row and a column"),
        (None, "7", None, "it has 4 heads"),
    ],
)
def test_a_cell_of_a_link_that_is_not_there_gives_the_nearest_and_a_sentence(cell, head, locked, expected):
    query = {"cell": cell, "head": head, "operation": "decoder.layers.0.cross_attention.attention.weights"}
    app = link_to("step_through.py", **{word: value for word, value in query.items() if value})
    assert app.session_state["cell"] == locked
    assert [expected in each for each in messages(app, "wrong")] == ([True] if expected else [])
