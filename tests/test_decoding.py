"""Greedy decoding against the plain definition, and one pass over what a person typed."""

from typing import get_args

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional as F

from playground.decoding import batch_to_read, generate, greedy, next_tokens
from playground.model.task_model import TaskModel
from playground.settings.config import Positions, RunConfig
from playground.tasks import BOS, EOS, PAD, SEP, InputError, OutOfRangeError, answer, decode
from playground.tasks.batches import Sequences, make_batch, right_answers
from playground.training import train
from tests.helpers import ARCHITECTURES, WITH_DECODER, first, random_tokens

# Of 7 tokens two end an answer, so that untrained models end some answers early and others not at all.
CONFIG = RunConfig().updated(
    {"task.vocab_size": 3, "task.max_length": 6, "model.d_model": 16, "model.n_heads": 2, "model.d_ff": 12}
)
seeds = st.integers(0, 2**31 - 1)
lengths = st.lists(st.integers(1, 6), min_size=1, max_size=5)


@torch.no_grad()
def token_by_token(model: TaskModel, source: list[int]) -> list[int]:
    """The definition: one sequence by itself, one whole pass for each new token, no padding."""
    answer: list[int] = []
    while len(answer) < model.config.task.max_length + 1 and not {EOS, PAD} & set(answer):
        if model.config.model.architecture == "decoder-only":
            logits, _ = model(None, torch.tensor([[*source, SEP, *answer]]), torch.tensor([[len(source)]]))
        else:
            logits, _ = model(torch.tensor([source]), torch.tensor([[BOS, *answer]]))
        answer.append(int(logits[0, -1].argmax()))
    return [token for token in answer if token != PAD]


def answered(model: TaskModel, source: Tensor, guess: Tensor | None = None) -> Tensor:
    """What greedy gives, in no more passes than an answer has positions and one to see that nothing changes."""
    passes: list[None] = []

    def count(_module: object, _args: object) -> None:
        passes.append(None)
        assert len(passes) <= model.config.task.max_length + 2

    handle = (model.decoder or model).register_forward_pre_hook(count)
    try:
        return greedy(model, source, guess=guess)
    finally:
        handle.remove()


def rows(answers: Tensor) -> list[list[int]]:
    return [[token for token in row if token != PAD] for row in answers.tolist()]


def sources(found: list[int], seed: int) -> tuple[Tensor, list[list[int]]]:
    source = random_tokens(found, seed=seed, vocab_size=3)
    return source, rows(source)


@pytest.mark.parametrize("positions", first(1, ["two_way", "learned"]))
@pytest.mark.parametrize("architecture", WITH_DECODER)
@given(seed=seeds, found=lengths)
@settings(max_examples=30)
def test_greedy_is_reading_token_by_token_whatever_is_guessed(architecture, positions, seed, found):
    config = CONFIG.updated({"model.architecture": architecture, "model.positions": positions, "seed": seed})
    model = TaskModel(config).eval()
    source, each = sources(found, seed)
    expected = [token_by_token(model, row) for row in each]
    assert rows(answered(model, source)) == expected
    guess = torch.randint(7, (len(found), 7), generator=torch.Generator().manual_seed(seed))
    assert rows(answered(model, source, guess)) == expected
    assert rows(answered(model, source, answered(model, source))) == expected
    assert [generate(model, row) for row in each] == [[t for t in row if t != EOS] for row in expected]


@given(seed=seeds, width=st.integers(1, 9))
@settings(max_examples=20)
def test_a_guess_of_any_width_changes_nothing(seed, width):
    model = TaskModel(CONFIG.updated({"seed": seed})).eval()
    source, each = sources([6, 3], seed)
    guess = torch.randint(7, (2, width), generator=torch.Generator().manual_seed(seed))
    assert rows(answered(model, source, guess)) == [token_by_token(model, row) for row in each]


@pytest.mark.parametrize("architecture", WITH_DECODER)
@given(seed=seeds, found=lengths, data=st.data())
@settings(max_examples=20)
def test_asked_for_a_part_of_each_answer_greedy_gives_this_part_in_no_more_passes(architecture, seed, found, data):
    model = TaskModel(CONFIG.updated({"model.architecture": architecture, "seed": seed})).eval()
    source, each = sources(found, seed)
    wanted = [data.draw(st.integers(1, 7)) for _ in found]
    answers = greedy(model, source, wanted=torch.tensor(wanted)).tolist()
    for row, count, predicted in zip(each, wanted, answers, strict=True):
        expected = token_by_token(model, row)[:count]
        assert (predicted + [PAD] * 7)[:count] == expected + [PAD] * (count - len(expected))
    assert max(map(len, answers)) == max(wanted)


@pytest.mark.parametrize("architecture", WITH_DECODER)
@given(seed=seeds, found=lengths)
@settings(max_examples=20)
def test_without_a_causal_mask_greedy_still_reads_only_tokens_generated_before(architecture, seed, found):
    config = CONFIG.updated({"model.architecture": architecture, "model.causal_mask": False, "seed": seed})
    model = TaskModel(config).eval()
    source, each = sources(found, seed)
    expected = [token_by_token(model, row) for row in each]
    assert rows(answered(model, source)) == expected
    assert rows(answered(model, source, torch.full((len(found), 7), 4))) == expected


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_untrained_answers_end_early_and_late_so_that_the_tests_above_see_both(architecture):
    ends = set()
    for seed in range(12):
        model = TaskModel(CONFIG.updated({"model.architecture": architecture, "seed": seed})).eval()
        ends |= {len(row) for row in rows(answered(model, random_tokens([6, 2, 4], seed=seed, vocab_size=3)))}
    assert min(ends) < 3
    assert max(ends) == 7


@given(seed=seeds, found=lengths)
@settings(max_examples=10)
def test_encoder_only_answers_each_position_and_nothing_on_padding(seed, found):
    model = TaskModel(CONFIG.updated({"model.architecture": "encoder-only", "seed": seed})).eval()
    source, each = sources(found, seed)
    answers = answered(model, source)
    assert answers.shape == source.shape
    assert not answers[source == PAD].any()
    for row, predicted in zip(each, answers, strict=True):
        with torch.no_grad():
            expected = model(torch.tensor([row]), None)[0].argmax(-1)[0]
        assert torch.equal(predicted[: len(row)], expected)


def test_greedy_gives_at_most_one_token_more_than_the_longest_answer_and_pads_behind_the_end():
    model = TaskModel(CONFIG).eval()
    answers = answered(model, random_tokens([6, 1, 3], seed=0, vocab_size=3))
    assert answers.shape[0] == 3
    assert answers.shape[1] <= 7
    for row in answers.tolist():
        behind = row[row.index(EOS) + 1 :] if EOS in row else []
        assert not any(behind)


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_with_a_causal_mask_teacher_forcing_and_free_running_agree_on_whole_answers(architecture):
    config = RunConfig().updated(
        {
            "model.architecture": architecture,
            "model.d_model": 32,
            "model.d_ff": 64,
            "task.vocab_size": 4,
            "task.max_length": 5,
            "training.eval_every": 3,
        }
    )
    model = TaskModel(config)
    next(progress for progress in train(config, model) if progress.evaluation and progress.evaluation.exact_match > 0.3)
    source = Sequences.of(config.task).held_out()
    answers = right_answers(config, source)
    labels = F.pad(answers, (0, 1)).masked_fill(torch.arange(6) == (answers != PAD).sum(1, keepdim=True), EOS)
    batch = make_batch(config, source, answers)
    with torch.no_grad():
        forced = next_tokens(model, source, answers, model(*batch)[0])
    forced_right = ((forced == labels) | (labels == PAD)).all(1)
    free_right = torch.tensor([token_by_token(model, s) == a for s, a in zip(rows(source), rows(labels), strict=True)])
    assert torch.equal(forced_right, free_right)
    assert 0.05 < free_right.double().mean() < 0.95  # half trained: there is something to disagree about


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_one_pass_over_what_was_typed_reads_the_target_with_labels_one_ahead(architecture):
    model = TaskModel(CONFIG.updated({"model.architecture": architecture})).eval()
    batch = batch_to_read(model, "0 2 1", "1 2 0")
    expected = {
        "encoder-decoder": ([4, 6, 5], [BOS, 5, 6, 4], None, [5, 6, 4, EOS]),
        "decoder-only": (None, [4, 6, 5, SEP, 5, 6, 4], [3], [PAD, PAD, PAD, 5, 6, 4, EOS]),
        "encoder-only": ([4, 6, 5], None, None, [5, 6, 4]),
    }[architecture]
    for found, right in zip(batch, expected, strict=True):
        assert found is None if right is None else found.tolist() == [right]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_without_a_target_the_model_reads_its_own_answer_trained_or_not(architecture):
    for seed in range(20):
        config = CONFIG.updated({"model.architecture": architecture, "seed": seed})
        model = TaskModel(config).eval()
        batch = batch_to_read(model, "0 2 1 1 0")
        own = generate(model, [4, 6, 5, 5, 4])
        for passed in (batch, batch_to_read(model, "0")):
            with torch.no_grad():
                _, loss = model(*passed)
            assert loss.isfinite()
        if architecture == "encoder-decoder":
            assert batch.target[0].tolist() == [BOS, *own[:6]]
        elif architecture == "decoder-only":
            assert batch.target[0].tolist() == [4, 6, 5, 5, 4, SEP, *own[:6]]
        else:
            assert batch.source.tolist() == [[4, 6, 5, 5, 4]]
            assert batch.labels.tolist() == [answer([4, 6, 5, 5, 4], config.task)]


@pytest.mark.parametrize(
    ("text", "target", "sentence"),
    [
        ("", None, "The input is empty"),
        ("0 3", None, "“3” at position 2 of the input is not a symbol; use 0 to 2"),
        ("0 1 2 0 1 2 0", None, "The input has 7 symbols; this model reads at most 6."),
        ("0", "", "The target is empty"),
        ("0", "1 x", "“x” at position 2 of the target is not a symbol"),
        ("0", "0 1 2 0 1 2 0", "The target has 7 symbols; this model reads at most 6."),
    ],
)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_what_cannot_be_read_is_refused_in_one_sentence(architecture, text, target, sentence):
    model = TaskModel(CONFIG.updated({"model.architecture": architecture})).eval()
    with pytest.raises(InputError) as caught:
        batch_to_read(model, text, target)
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).endswith(".")
    assert str(caught.value).count(". ") == 0


def test_an_encoder_only_model_refuses_a_target_of_another_length_and_the_others_do_not():
    for architecture in ARCHITECTURES:
        model = TaskModel(CONFIG.updated({"model.architecture": architecture})).eval()
        if architecture == "encoder-only":
            with pytest.raises(InputError, match=r"The target has 3 symbols and the input 2\. .* need the same number"):
                batch_to_read(model, "0 1", "0 1 2")
        else:
            batch_to_read(model, "0 1", "0 1 2")


def test_the_prediction_after_each_prefix_is_found_in_the_row_of_either_layout():
    # Logits whose most probable token tells its position: position p predicts token p.
    logits = torch.eye(11)[None].expand(2, -1, -1)
    source, read = torch.tensor([[4, 5, 6], [4, PAD, PAD]]), torch.tensor([[4, 5, 6], [4, 5, 6]])
    model = TaskModel(CONFIG.updated({"model.architecture": "decoder-only"}))
    assert next_tokens(model, source, read, logits).tolist() == [[3, 4, 5, 6], [1, 2, 3, 4]]
    model = TaskModel(CONFIG)
    assert next_tokens(model, source, read, logits).tolist() == [[0, 1, 2, 3], [0, 1, 2, 3]]


# --- in the middle of an answer, and with padding -------------------------------------------------


@pytest.mark.parametrize("causal_mask", [True, False])
@pytest.mark.parametrize("architecture", WITH_DECODER)
@given(seed=seeds, found=lengths)
@settings(max_examples=15)
def test_after_a_prefix_the_decoder_reads_it_and_the_last_label_is_the_next_prediction(
    architecture, causal_mask, seed, found
):
    changes = {"model.architecture": architecture, "model.causal_mask": causal_mask, "seed": seed}
    model = TaskModel(CONFIG.updated(changes)).eval()
    _, each = sources(found, seed)
    source = each[0]
    answer = [token for token in token_by_token(model, source) if token != EOS]
    for n in range(min(len(answer), 6) + 1):
        batch = batch_to_read(model, " ".join(decode(source, model.config.task)), prefix_length=n)
        before = [*source, SEP] if architecture == "decoder-only" else [BOS]
        assert batch.target.tolist() == [[*before, *answer[:n]]]
        following = answer[n] if n < len(answer) else EOS
        assert batch.labels.tolist() == [[*[PAD] * (len(before) - 1), *answer[:n], following]]
        with torch.no_grad():
            says = int(model(*batch)[0][0, -1].argmax())
        assert following == (EOS if says == PAD else says)


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_a_given_target_can_be_read_in_part_too(architecture):
    model = TaskModel(CONFIG.updated({"model.architecture": architecture})).eval()
    for n, following in ((0, 5), (2, 4), (3, EOS)):
        _, target, _, labels = batch_to_read(model, "0 2 1", "1 2 0", prefix_length=n)
        assert target[0, target.size(1) - n :].tolist() == [5, 6, 4][:n]
        assert int(labels[0, -1]) == following


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize(("prefix_length", "nearest"), [(-1, 0), (4, 3), (99, 3)])
def test_a_number_of_read_tokens_out_of_range_names_the_nearest(architecture, prefix_length, nearest):
    model = TaskModel(CONFIG.updated({"model.architecture": architecture})).eval()
    with pytest.raises(OutOfRangeError) as caught:
        batch_to_read(model, "0 2 1", "1 2 0", prefix_length=prefix_length)
    sentence = f"The target has 3 tokens, so the decoder can't have read {prefix_length}. {nearest} is used."
    assert str(caught.value) == sentence
    assert (caught.value.setting, caught.value.nearest) == ("prefix_length", nearest)
    batch_to_read(model, "0 2 1", "1 2 0", prefix_length=nearest)
    with pytest.raises(OutOfRangeError, match=r"^The model's own answer has \d tokens, .* \d is used\.$") as caught:
        batch_to_read(model, "0 2 1", prefix_length=prefix_length - 1 if prefix_length < 0 else 7)
    batch_to_read(model, "0 2 1", prefix_length=caught.value.nearest)


def test_an_encoder_only_model_says_all_at_once():
    model = TaskModel(CONFIG.updated({"model.architecture": "encoder-only"})).eval()
    with pytest.raises(OutOfRangeError, match=r"predicts its whole answer at once, .* a part\.$") as caught:
        batch_to_read(model, "0 2 1", prefix_length=0)
    assert caught.value.nearest is None


@pytest.mark.parametrize("positions", get_args(Positions))
@pytest.mark.parametrize(("architecture", "room"), [("encoder-decoder", 7), ("decoder-only", 13), ("encoder-only", 6)])
def test_padding_fills_what_room_there_is_and_no_more(architecture, room, positions):
    changes = {"model.architecture": architecture, "model.positions": positions}
    model = TaskModel(CONFIG.updated(changes)).eval()
    taken = 3 + 1 + 2 if architecture == "decoder-only" else 3
    target = None if architecture == "encoder-only" else "1 2"
    plain = batch_to_read(model, "0 2 1", target)
    for padding in range(room - taken + 1):
        batch = batch_to_read(model, "0 2 1", target, padding=padding)
        row, before = (batch.target, plain.target) if batch.source is None else (batch.source, plain.source)
        assert row.tolist() == [[*before[0].tolist(), *[PAD] * padding]]
        if architecture == "encoder-decoder":
            assert torch.equal(batch.target, plain.target)
            assert torch.equal(batch.labels, plain.labels)
        else:
            assert batch.labels.tolist() == [[*plain.labels[0].tolist(), *[PAD] * padding]]
        with torch.no_grad():
            model(*batch)
    for padding, nearest in ((-1, 0), (room - taken + 1, room - taken)):
        with pytest.raises(OutOfRangeError) as caught:
            batch_to_read(model, "0 2 1", target, padding=padding)
        assert str(caught.value) == (
            f"The sequence takes {taken} of {room} positions, so {padding} PAD can't follow. {nearest} is used."
        )
        assert (caught.value.setting, caught.value.nearest) == ("padding", nearest)


@pytest.mark.parametrize("positions", get_args(Positions))
@pytest.mark.parametrize("causal_mask", [True, False])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@given(seed=seeds, length=st.integers(1, 5), data=st.data())
@settings(max_examples=10)
def test_padding_changes_no_prediction(architecture, causal_mask, positions, seed, length, data):
    if architecture == "encoder-only" and not causal_mask:
        return
    changes = {"architecture": architecture, "causal_mask": causal_mask, "positions": positions}
    model = TaskModel(CONFIG.updated({f"model.{k}": v for k, v in changes.items()} | {"seed": seed})).eval()
    text = " ".join(decode(sources([length], seed)[1][0], model.config.task))
    plain = batch_to_read(model, text)
    padding = data.draw(st.integers(1, 6 - length))
    batch = batch_to_read(model, text, padding=padding)
    asked, scored = batch.labels != PAD, plain.labels != PAD
    assert torch.equal(batch.labels[asked], plain.labels[scored])
    with torch.no_grad():
        (logits, loss), (expected, expected_loss) = model(*batch), model(*plain)
    torch.testing.assert_close(logits[asked], expected[scored], atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(loss, expected_loss, atol=1e-4, rtol=1e-4)
