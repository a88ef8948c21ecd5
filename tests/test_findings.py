"""Each finding about a tensor is recomputed from it, and missing where it is not true."""

import re

import pytest
import torch

from playground.explain.findings import finding
from playground.explain.inspection import Walk, walk
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY
from playground.storage.checkpoint import load
from playground.tasks import EOS, PAD, TASKS, decode, token_names
from tests.helpers import ARCHITECTURES, MODERN, WITH_DECODER, small_config, small_model
from tests.test_inspection import tiny

WEIGHTS = {
    "encoder-decoder": "decoder.layers.0.cross_attention.attention.weights",
    "decoder-only": "decoder.layers.0.self_attention.attention.weights",
    "encoder-only": "encoder.layers.0.self_attention.attention.weights",
}


def with_weights(walked: Walk, name: str, columns: list[list[int]]) -> str:
    """The finding if each head looked, row by row, at these columns alone."""
    looked = walked[name]
    weights = torch.zeros_like(looked.operation.value)
    for head, rows in enumerate(columns):
        for row, column in enumerate(rows):
            weights[0, head, row, column] = 1
    looked.operation.value = weights
    return finding(walked, looked)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_finding_of_every_operation_explains_how_to_read_it(architecture):
    walked = walk(small_model(architecture), "3 1 4")
    for each in walked.steps:
        text = finding(walked, each)
        assert re.match(r"Rows: .*\. Columns: .*\.|One cell per .*\.|exp.*, is .*\.", text), each.name
        assert text.endswith(".")


@pytest.mark.parametrize("name", ["copy-1-16", "reverse-1-16"])
def test_the_shipped_models_attend_to_the_position_they_copy_from(name):
    model = load(REPOSITORY / "checkpoints" / name).model
    walked = walk(model, "3 1 4 5 9")
    text = finding(walked, walked[WEIGHTS["encoder-decoder"]])
    found = re.search(r"in (\d) of 5 (?:counted )?rows", text)
    predicted = decode(walked.predicted, model.config.task)[:5]
    weights = walked[WEIGHTS["encoder-decoder"]].value[0]
    assert predicted == list("95413" if name.startswith("reverse") else "31459")
    positions = range(4, -1, -1) if name.startswith("reverse") else range(5)
    hits = [int((head.argmax(1) == torch.tensor(positions)).sum()) for head in weights[:, :5]]
    assert int(found[1]) == max(hits)
    assert ("to the left" in text) == (name.startswith("reverse") and max(hits) == 5)
    assert ("to the right" in text) == (name.startswith("copy") and max(hits) == 5)


def test_heads_are_named_and_counted():
    def finding_of(columns):
        walked = walk(small_model("encoder-decoder"), "3 1 4", "4 1 3")
        logits = torch.zeros_like(walked["logits"].operation.value)
        for row, token in enumerate(walked.batch.labels[0].tolist()):
            logits[0, row, token] = 1  # a model that says 4 1 3 EOS
        walked["logits"].operation.value = logits
        return with_weights(walked, WEIGHTS["encoder-decoder"], columns)

    backwards, forwards, nowhere = [2, 1, 0, 0], [0, 1, 2, 2], [1, 2, 1, 1]
    assert (
        "Head 2 attends most to the position to copy from in 3 of 3 counted rows. "
        "Their strongest cells form a diagonal down to the left." in finding_of([forwards, backwards, nowhere])
    )
    assert "Heads 1 and 3 attend" in finding_of([backwards, nowhere, backwards])
    assert "All 3 heads attend" in finding_of([backwards] * 3)
    assert "a diagonal down to the left" in finding_of([backwards] * 3)
    assert "diagonal" not in finding_of([[2, 1, 1, 0], nowhere, nowhere])
    assert "in 2 of 3 counted rows" in finding_of([[2, 1, 1, 0], nowhere, nowhere])
    for columns, hits in ((nowhere, 0), ([2, 2, 2, 0], 1)):
        text = "No head attends most to the position to copy from in half of the rows. "
        assert f"{text}The best head does in {hits} of 3 rows." in finding_of([columns, nowhere, nowhere])


def test_rows_after_the_right_answers_end_are_not_counted():
    model = small_model("encoder-decoder")
    walked = walk(model, "3 1", "1 3 3 3")
    logits = torch.zeros_like(walked["logits"].operation.value)
    for row, token in enumerate([5, 7, 7, 7, EOS]):
        logits[0, row, token] = 1  # a model that predicts 1 3 3 3 EOS
    walked["logits"].operation.value = logits
    found = with_weights(walked, WEIGHTS["encoder-decoder"], [[1, 0, 0, 0, 0]] * 3)
    assert "All 3 heads attend most to the position to copy from in 2 of 2 counted rows" in found
    assert "Not counted: the row that predicts EOS and the 2 rows after the right answer's end." in found


def test_another_position_with_the_same_symbol_is_no_hit_unless_the_task_sorts():
    def finding_of(task: str, answer: str, columns: list[int], text: str = "3 1 3") -> str:
        config = small_config("encoder-decoder").updated({"task.name": task})
        walked = walk(TaskModel(config).eval(), text, answer)
        logits = torch.zeros_like(walked["logits"].operation.value)
        for row, token in enumerate(walked.batch.labels[0].tolist()):
            logits[0, row, token] = 1
        walked["logits"].operation.value = logits
        return with_weights(walked, WEIGHTS["encoder-decoder"], [columns] * 3)

    assert "All 3 heads attend most to the position" in finding_of("copy", "3 1 3", [0, 1, 2, 2])
    assert "The best head does in 1 of 3 rows." in finding_of("copy", "3 1 3", [2, 1, 0, 0])
    assert "in 3 of 3 counted rows" in finding_of("reverse", "3 1 3", [2, 1, 0, 0])
    assert "most to a position to copy from in 3 of 3" in finding_of("sort", "1 3 3", [1, 2, 2, 0])
    wrong = finding_of("copy", "3 1 4", [0, 1, 2, 2])
    assert "in 2 of 3 counted rows" in wrong, "a wrong prediction is copied from nowhere"
    assert "to the position to copy from in 1 of 1" in finding_of("recall", "2", [3, 0], "a 2 b 2 b")
    assert "The best head does in 0 of 1" in finding_of("recall", "2", [1, 0], "a 2 b 2 b")


@pytest.mark.parametrize("name", [name for name, task in TASKS.items() if task.answers_in_place])
def test_a_decoder_only_model_copies_from_its_input_and_not_from_its_answer(name):
    config = small_config("decoder-only").updated({"task.name": name})
    walked = walk(TaskModel(config).eval(), "3 3", "3 3")
    logits = torch.zeros_like(walked["logits"].operation.value)
    logits[..., walked.batch.labels[0].max()] = 1
    walked["logits"].operation.value = logits
    columns = [0, 0, 3, 4, 4]  # from SEP on, the answer that was read
    assert "in 0 of 2 rows" in with_weights(walked, WEIGHTS["decoder-only"], [columns] * 3)


def test_self_attention_is_never_described_as_copying():
    walked = walk(small_model("encoder-decoder"), "3 1 4")
    for name in ("encoder.layers.0.self_attention", "decoder.layers.0.self_attention"):
        assert "to copy from" not in finding(walked, walked[f"{name}.attention.weights"])


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_certainty_and_loss_are_those_of_the_labelled_positions(architecture):
    walked = walk(small_model(architecture), "3 1 4")
    asked = walked.batch.labels[0] != PAD
    probabilities = walked["probabilities"].value[0][asked]
    assert f"least certain position it is {100 * float(probabilities.max(-1).values.min()):.1f} %." in finding(
        walked, walked["probabilities"]
    )
    right = probabilities.gather(1, walked.batch.labels[0][asked][:, None]).log().mean().exp()
    assert f"probabilities, is {100 * float(right):.1f} %" in finding(walked, walked["loss"])


# --- the words of what stands at the sides, and what is left out ----------------------------------

READS = [{}, {"padding": 1}, {"padding": 2}, {"prefix_length": 0}, {"prefix_length": 2, "padding": 1}]


def reading(architecture: str, reads: dict[str, int]) -> Walk:
    if architecture == "encoder-only":
        reads = {name: count for name, count in reads.items() if name != "prefix_length"}
    return walk(tiny(architecture, positions="learned"), "3 1", **reads)


@pytest.mark.parametrize("reads", READS, ids=str)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_finding_names_padding_exactly_where_there_is_padding(architecture, reads):
    walked = reading(architecture, reads)
    for each in walked.steps:
        sides = dict(zip(("row", "column"), each.dims[-2:]))
        if not sides or sides["row"] not in ("S", "T"):
            sides = {"cell": each.dims[-1]} if sides else {}
        count = {side: walked.tokens.get(letter, []).count("PAD") for side, letter in sides.items()}
        padded = [side + "s" * (count[side] > 1) for side in sides if count[side]]
        found = re.findall(r"The last (?:(\d) )?([a-z ]+) (?:is|are) padding", finding(walked, each))
        assert [words for _, words in found] == ([" and ".join(padded)] if padded else [])
        assert all(int(number or 1) == max(count.values()) for number, _ in found)


@pytest.mark.parametrize("reads", READS, ids=str)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_rows_that_are_counted_and_those_that_are_not_are_all_rows(architecture, reads):
    walked = reading(architecture, reads)
    name = WEIGHTS[architecture].replace("layers.0", "layers.1")
    text = finding(walked, walked[name])
    counted = int(re.search(r"in \d of (\d) (?:counted )?rows", text)[1])
    left_out = re.findall(r"the (?:(\d) )?rows? (?:that|of|before|after)", text.partition("Not counted:")[2])
    assert counted + sum(int(number or 1) for number in left_out) == walked[name].value.shape[2]
    assert ("of padding" in text) == ("padding" in reads and architecture != "encoder-decoder")
    assert ("before the answer" in text) == (architecture == "decoder-only")


def test_the_row_that_predicts_eos_is_not_counted_and_the_finding_mentions_it():
    model = load(REPOSITORY / "checkpoints" / "reverse-1-16").model
    walked = walk(model, "3 1 4 1 5")
    assert walked[WEIGHTS["encoder-decoder"]].value.shape[2] == 6
    text = finding(walked, walked[WEIGHTS["encoder-decoder"]])
    assert "in 5 of 5 counted rows" in text
    assert text.endswith("Not counted: the row that predicts EOS.")
    walked = walk(model, "3 1 4 1 5", prefix_length=2)
    text = finding(walked, walked[WEIGHTS["encoder-decoder"]])
    assert "in 3 of 3 counted rows" in text
    assert "Not counted" not in text, "it has not come to the end yet"


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_the_next_token_is_named_beside_the_probabilities(architecture):
    for count in range(3):
        walked = walk(tiny(architecture), "3 1", prefix_length=count)
        name = decode([walked.next_token], walked.model.config.task)[0]
        text = finding(walked, walked["probabilities"])
        assert text.endswith(f"The next token is {name}, with probability {100 * walked.next_probability:.1f} %.")


# --- gradients ------------------------------------------------------------------------------------


@pytest.mark.parametrize("padding", [0, 1])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_largest_gradient_is_found_named_and_explained(architecture, padding):
    walked = walk(tiny(architecture), "3 1 4", padding=padding)
    for each in walked.steps:
        text = finding(walked, each, gradient=True)
        if each.name not in walked.gradients():
            assert "No gradient: " in text
            continue
        if each.name == "loss":
            assert text == "Backward starts here: the gradient of the loss with respect to itself is 1."
            continue
        gradient, hidden = walked.gradients()[each.name][0], walked.hidden(each.name)
        if hidden is not None:
            gradient = gradient * (hidden == 0)
        assert ("At visible cells" in text) == (hidden is not None and bool(hidden.any()))
        found = re.search(
            r"largest at (?:head (\d), )?(?:query )?position (\d) \(“(\w+)”\), "
            r"(?:column (\d+)|token (\w+)|key position (\d) \(“(\w+)”\)): "
            r"(−?)([\d.e-]+)\. If the value of this cell increases a little, the loss (rises|falls)\.",
            text,
        )
        head, row, token, column, word, attended, other, minus, number, effect = found.groups()
        letter = each.dims[-2]
        if word:
            column = token_names(walked.model.config.task).index(word) + 1
        elif attended:
            column = int(attended)
            assert other == walked.tokens[each.dims[-1]][column - 1]
        assert token == walked.tokens[letter][int(row) - 1]
        at = (*([int(head) - 1] if head else []), int(row) - 1, int(column) - 1)
        value = float(gradient[at])
        assert abs(value) == float(gradient.abs().max())
        assert (minus, effect) == (("−", "falls") if value < 0 else ("", "rises"))
        assert float(number) == pytest.approx(abs(value), rel=0.06)
        padded = walked.tokens[letter].count("PAD")
        assert text.endswith("It is zero at the padding.") == bool(padded)


def test_a_gradient_that_is_zero_everywhere_is_reported_as_zero():
    model = tiny("encoder-only", residual=False, layer_norm=False)
    with torch.no_grad():
        model.head.weight.zero_()
    walked = walk(model, "3 1 4")
    text = finding(walked, walked["encoder.output"], gradient=True)
    assert text.endswith("The gradient is zero: a small change there does not change the loss.")


@pytest.mark.parametrize(("groups", "sentence"), [(1, "All 4 heads share the one key head."), (4, "of its own.")])
def test_heads_that_share_keys_are_named(groups, sentence):
    settings = {"attention": "grouped_query", "n_heads": 4, "d_model": 16}
    for positions in ("two_way", "rotary"):
        walked = walk(small_model("decoder-only", **settings, n_kv_heads=groups, positions=positions), "3 1 4")
        for tap in ("key", "value"):
            assert sentence in finding(walked, walked[f"decoder.layers.0.self_attention.attention.{tap}"])
    walked = walk(small_model("decoder-only", **settings, n_kv_heads=2), "3 1 4")
    text = finding(walked, walked["decoder.layers.0.self_attention.attention.key"])
    assert "Heads that share a key head: 1 and 2; 3 and 4." in text
    key = walked["decoder.layers.0.self_attention.attention.key"].value[0]
    same = [[torch.equal(one, other) for other in key] for one in key]
    assert same == [[a // 2 == b // 2 for b in range(4)] for a in range(4)]


def test_who_goes_to_which_expert_is_counted_without_padding():
    walked = walk(small_model("encoder-only", **MODERN["switch"]), "3 1 3 4 1", padding=1)
    mixture = "encoder.layers.0.feed_forward"
    chosen = torch.zeros_like(walked[f"{mixture}.chosen"].operation.value)
    for row, expert in enumerate([1, 0, 1, 2, 0, 2]):
        chosen[0, row, expert] = True
    walked[f"{mixture}.chosen"].operation.value = chosen
    text = finding(walked, walked[f"{mixture}.chosen"])
    assert "In this pass, expert 1 gets 40.0 %, expert 2 gets 40.0 %, expert 3 gets 20.0 % of the choices." in text
    assert "Expert 1 gets every “1”. Expert 2 gets every “3”." in text
    assert "Expert 3 gets every" not in text, "a token that was read once tells nothing"
    assert "Columns: the 3 experts." in text
    load = finding(walked, walked[f"{mixture}.load"])
    assert load.startswith("One cell per expert. In this pass, expert 1 gets ")
    assert load.endswith("Equal loads are 33.3 % each.")


@pytest.mark.parametrize("changes", MODERN.values(), ids=MODERN)
def test_all_operations_of_later_parts_tell_how_to_read_them_forward_and_backward(changes):
    walked = walk(tiny("encoder-decoder", **changes), "3 1 4")
    for each in walked.steps:
        for gradient in (False, True):
            text = finding(walked, each, gradient=gradient)
            assert text.endswith(".") or each.name.endswith("balance_loss")
            if gradient and each.dims and each.name in walked.gradients():
                assert re.search(r"is largest at |is zero", text), each.name
