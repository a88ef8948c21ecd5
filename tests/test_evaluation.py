"""Evaluation: how many held-out sequences it reads and which, and what its measures are."""

import json
import math

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from playground.common.numbers import wilson
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.runs.keeping import rank
from playground.settings.config import RECORDED, RunConfig
from playground.settings.estimate import QUICK_TEST, pass_size
from playground.tasks import EOS, PAD, SEP
from playground.tasks.batches import Sequences, make_batch, sources_tested
from playground.training import Evaluation, Progress, evaluate, examples, is_solved, train, with_interval
from playground.training.evaluation import by_length, load_entropy
from playground.training.measure import EXAMPLES, MEASURES, groups_of
from tests.helpers import ARCHITECTURES, WITH_DECODER
from tests.small_training import SOLVABLE, TINY, records

CONFIG = RunConfig().updated({"task.name": "copy", "model.architecture": "encoder-only"})


class Copier(TaskModel):
    """Copies its input, but for the sources in `missed`, whose first token it gets wrong."""

    def __init__(self, missed: Tensor) -> None:
        super().__init__(CONFIG)
        self.missed = {tuple(row) for row in missed.tolist()}

    def forward(self, source: Tensor, *_rest: object) -> tuple[Tensor, Tensor]:
        answers = source.clone()
        for row, tokens in enumerate(F.pad(source, (0, CONFIG.task.max_length - source.size(1))).tolist()):
            if tuple(tokens) in self.missed:
                answers[row, 0] = 4 + (answers[row, 0] - 3) % CONFIG.task.vocab_size
        return F.one_hot(answers, CONFIG.vocabulary_size).float(), torch.tensor(0.5)


@pytest.mark.parametrize(
    ("missed", "sequences", "right"),
    [
        ([20, 40], 100, 98),
        ([20, 40, 400], 100, 98),
        ([40, 700], 100, 99),  # the model has not solved them all, so those behind the hundredth do not count
        ([400, 700], 100, 100),
        ([40], 1000, 999),
        ([400], 1000, 999),
        ([], 1000, 1000),
    ],
)
def test_a_test_counts_a_hundred_sequences_and_all_where_the_model_has_solved_them(missed, sequences, right):
    held_out = Sequences.of(CONFIG.task).held_out()
    model = Copier(held_out[missed])
    found = evaluate(model, held_out)
    assert found.sequences == sequences
    assert found.exact_match == pytest.approx(right / sequences)
    assert is_solved(found, held_out) == (sequences == 1000)
    thorough = evaluate(model, held_out, thorough=True)
    assert thorough.sequences == 1000
    assert thorough.exact_match == pytest.approx(1 - len(missed) / 1000)


@pytest.mark.parametrize("most", [8, 30])
def test_groups_hold_every_sequence_once_and_only_the_padding_that_makes_them_faster(most):
    held_out = Sequences.of(RunConfig().updated({"task.max_length": most}).task).held_out()
    groups = list(by_length(held_out, 64))
    assert all(len(group) == 64 for group in groups[:-1])
    rows = [tuple(token for token in row if token != PAD) for group in groups for row in group.tolist()]
    assert sorted(rows) == sorted(tuple(token for token in row if token != PAD) for row in held_out.tolist())
    for group in groups:
        longest = int((group != PAD).sum(1).max())
        assert group.size(1) == (longest if longest <= 8 or longest > 16 else 16)
    assert list(by_length(held_out[:0], 64)) == []


def test_of_two_steps_the_better_one_is_that_of_which_more_is_known():
    def of(right: int, sequences: int, tokens: float = 0.5) -> tuple[float, float]:
        return rank({"exact_match": right / sequences, "token_accuracy": tokens, "sequences": sequences})

    assert of(999, 1000) > of(100, 100) > of(970, 1000) > of(31, 32) > of(0, 32)
    assert of(0, 1000, 0.3) > of(0, 32, 0.2) > rank({"loss": 1.0})


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_training_never_reads_a_held_out_sequence_and_testing_reads_nothing_else(architecture):
    config = TINY.updated({"model.architecture": architecture})
    model = TaskModel(config)
    sequences = Sequences.of(config.task)
    read: dict[bool, list[torch.Tensor]] = {True: [], False: []}

    def watch(_module: object, args: tuple[torch.Tensor | None, ...]) -> None:
        source = args[0]
        if source is None:  # decoder-only: what stands before SEP
            source = args[1].masked_fill((args[1] == SEP).cumsum(1) > 0, PAD)
        read[model.training].append(source)

    model.register_forward_pre_hook(watch)
    list(train(config, model))
    assert len(read[True]) == 12
    assert len(read[False]) >= 4
    assert not any(sequences.is_held_out(source).any() for source in read[True])
    assert all(sequences.is_held_out(source).all() for source in read[False])


def test_a_run_is_solved_only_on_all_held_out_sequences():
    config = RunConfig()
    held_out = Sequences.of(config.task).held_out()
    model = TaskModel(config)
    quick, thorough = evaluate(model, held_out), evaluate(model, held_out, thorough=True)
    assert (quick.sequences, thorough.sequences) == (100, 1000)
    assert not model.training
    perfect = Evaluation(100, 0.0, 1.0, 1.0, None, None, (), {}, ())
    assert not is_solved(perfect, held_out)  # a hundred right are no thousand right
    assert is_solved(perfect, held_out[:100])
    assert not is_solved(Evaluation(1000, 0.0, 0.998, 1.0, None, None, (), {}, ()), held_out)
    assert is_solved(Evaluation(1000, 0.0, 0.999, 1.0, None, None, (), {}, ()), held_out)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_scores_are_what_the_shown_examples_add_up_to(architecture):
    config = SOLVABLE.updated({"model.architecture": architecture, "training.eval_every": 2})
    model = TaskModel(config)
    next(line for line in map(Progress.record, train(config, model)) if line.get("token_accuracy", 0) > 0.5)
    held_out = Sequences.of(config.task).held_out()[::4][:8]
    evaluation = evaluate(model, held_out)
    assert [list(e.source) for e in evaluation.examples] == [[t for t in row if t] for row in held_out.tolist()]
    end = () if architecture == "encoder-only" else (EOS,)
    assert all(example.answer == example.source + end for example in evaluation.examples)  # the copy task
    exact = [example.prediction == example.answer for example in evaluation.examples]
    assert evaluation.exact_match == pytest.approx(sum(exact) / 8)
    hits = [
        position < len(example.prediction) and example.prediction[position] == token
        for example in evaluation.examples
        for position, token in enumerate(example.answer)
    ]
    assert evaluation.token_accuracy == pytest.approx(sum(hits) / len(hits))
    assert 0 < sum(hits) < len(hits)
    assert len({len(example.source) for example in evaluation.examples}) > 1
    by_position = [[] for _ in range(config.task.max_length + len(end))]
    for example in evaluation.examples:
        for position, token in enumerate(example.answer):
            by_position[position].append((*example.prediction, *[None] * 9)[position] == token)
    assert evaluation.position_accuracy == tuple(sum(right) / len(right) if right else None for right in by_position)
    with_all = evaluate(model, Sequences.of(config.task).held_out())
    record = json.loads(json.dumps(Progress(0, None, None, None, 0.0, with_all).record()))
    assert examples(config, record["predictions"]) == with_all.examples


def test_a_position_that_no_tested_answer_has_has_no_accuracy():
    held_out = Sequences.of(TINY.task).held_out()
    short = held_out[(held_out != PAD).sum(1) <= 2]
    accuracy = evaluate(TaskModel(TINY), short).position_accuracy
    assert [each is None for each in accuracy] == [False, False, False, True, True]  # EOS is a token


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_entropy_of_even_attention_is_the_logarithm_of_the_number_of_keys(architecture):
    config = TINY.updated({"model.architecture": architecture, "model.n_layers": 2})
    model = TaskModel(config)
    for name, parameter in model.named_parameters():
        if ".w_q." in name:
            torch.nn.init.zeros_(parameter)  # all scores are zero
    held_out = Sequences.of(config.task).held_out()
    held_out = held_out[torch.randperm(len(held_out), generator=torch.Generator().manual_seed(0))]
    lengths = [int(length) for length in (held_out != PAD).sum(1)[:100]]
    assert len(set(lengths)) > 1

    def mean(rows: list[list[int]]) -> float:
        """Of the logarithms of how many keys each query sees, by sequence."""
        return sum(math.log2(keys) for row in rows for keys in row) / sum(len(row) for row in rows)

    in_decoder = [2 * n + 1 if architecture == "decoder-only" else n + 1 for n in lengths]
    expected = {
        "encoder": mean([[n] * n for n in lengths]),
        "decoder": mean([[*range(1, n + 1)] for n in in_decoder]),
        "cross": mean([[n] * (n + 1) for n in lengths]),
    }
    entropy = evaluate(model, held_out).attention_entropy
    assert len(entropy) == (6 if architecture == "encoder-decoder" else 2)
    for name, heads in entropy.items():
        kind = "cross" if "cross" in name else name.partition(".")[0]
        assert heads == pytest.approx([expected[kind]] * 2, rel=1e-5), name
    assert not any(module._forward_hooks for module in model.modules())


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_load_of_an_expert_is_the_share_of_tokens_whose_scores_are_among_the_best(architecture):
    config = TINY.updated(
        {"model.architecture": architecture, "model.n_layers": 2, "model.feed_forward": "mixture", "model.n_experts": 3}
    )
    model = TaskModel(config)
    held_out = sources_tested(config)
    assert len(set((held_out != PAD).sum(1).tolist())) > 1, "some have padding"
    loads = evaluate(model, held_out).expert_load
    batch = make_batch(config, held_out[: pass_size(config)])
    _, cache = run_with_cache(model, batch, "*.router_scores")
    expected = {}
    for tap, scores in cache.items():
        stack, _, layer, *_ = tap.split(".")
        read = (batch.source if stack == "encoder" else batch.target).numpy() != PAD
        best = np.argsort(-scores.numpy()[read], -1)[:, :2]
        counts = np.bincount(best.flatten(), minlength=3) / read.sum()
        expected |= {f"{stack} layer {int(layer) + 1} expert {expert + 1}": counts[expert] for expert in range(3)}
    assert loads == pytest.approx(expected)
    assert list(loads) == list(expected) == groups_of(config)["expert_load"]
    assert sum(loads.values()) == pytest.approx(2 * len(cache))
    assert records(config)[0]["expert_load"].keys() == expected.keys()


def test_a_model_without_a_mixture_has_no_expert_load():
    assert groups_of(TINY)["expert_load"] == []
    assert not any("expert_load" in record for record in records(TINY))


@pytest.mark.parametrize(
    ("loads", "bits"), [([0.5] * 4, 2), ([1, 0, 0], 0), ([1, 1, 0, 0], 1), ([0.75, 0.25], 2 - 0.75 * math.log2(3))]
)
def test_the_entropy_of_loads(loads, bits):
    assert load_entropy(loads) == pytest.approx(bits)


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_teacher_forced_figures_stand_beside_the_free_running_ones_where_they_can_differ(architecture):
    *_, masked = train(SOLVABLE.updated({"model.architecture": architecture, "training.steps": 30}))
    assert masked.evaluation.teacher_forced_exact_match is None  # the same, provably
    assert masked.evaluation.teacher_forced_token_accuracy is not None
    assert "teacher_forced_exact_match" not in masked.record()
    assert "teacher_forced_token_accuracy" in masked.record()


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_without_a_causal_mask_the_model_reads_the_answer_and_only_teacher_forcing_looks_good(architecture):
    config = SOLVABLE.updated(
        {
            "model.architecture": architecture,
            "model.causal_mask": False,
            "training.steps": 60,
            "training.eval_every": 60,
        }
    )
    *_, last = train(config)
    record = last.record()
    assert record["teacher_forced_exact_match"] > record["exact_match"] + 0.2
    assert record["teacher_forced_token_accuracy"] > record["token_accuracy"] + 0.2
    assert not last.solved


def test_encoder_only_has_no_teacher_to_force_it():
    for line in records(TINY.updated({"model.architecture": "encoder-only"})):
        assert not [key for key in line if key.startswith("teacher_forced")]


def test_a_record_is_json_without_what_was_not_measured():
    lines = [json.loads(json.dumps(p.record())) for p in train(TINY)]
    absent = {"teacher_forced_exact_match", "expert_load"}  # the same as another, or of mixtures alone
    absent |= set(RECORDED)
    names = {measure.name for measure in MEASURES if measure.at == "evaluation"} - absent
    assert set(lines[0]) == names | {"step", "seconds", EXAMPLES}
    each_step = {measure.name for measure in MEASURES if measure.at == "step" and not measure.on_request}
    assert set(lines[1]) == each_step | {"step"}
    assert set(lines[5]) == set(lines[0]) | set(lines[1])


def test_a_large_model_reads_fewer_sequences_in_a_pass():
    large = RunConfig().updated(
        {"model.architecture": "decoder-only", "model.d_model": 256, "model.n_heads": 16, "model.n_layers": 3}
        | {"task.max_length": 64, "model.positions": "none"}
    )
    assert pass_size(TINY) == pass_size(RunConfig()) == QUICK_TEST
    assert 8 <= pass_size(large) < 20


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("size", [1, 8, 32, 33, 99])
def test_scores_do_not_depend_on_how_many_sequences_a_pass_reads(architecture, size, monkeypatch):
    config = SOLVABLE.updated({"model.architecture": architecture, "task.vocab_size": 9, "task.max_length": 4})
    model = TaskModel(config)
    held_out = Sequences.of(config.task).held_out()
    assert len(held_out) > QUICK_TEST
    for thorough in (False, True):
        whole = evaluate(model, held_out, thorough=thorough)
        with monkeypatch.context() as patch:
            patch.setattr("playground.training.evaluation.pass_size", lambda _: size)
            parts = evaluate(model, held_out, thorough=thorough)
        if not thorough:
            assert parts.sequences == QUICK_TEST
        if parts.sequences == whole.sequences:
            assert parts.exact_match == pytest.approx(whole.exact_match)
            assert parts.token_accuracy == pytest.approx(whole.token_accuracy)
            assert parts.loss == pytest.approx(whole.loss, rel=1e-5)


@pytest.mark.parametrize("wrong", [0.005, 0.02, 0.3])
def test_on_average_the_reported_score_is_the_true_one(wrong):
    held_out, runs = Sequences.of(CONFIG.task).held_out(), 150
    generator = torch.Generator().manual_seed(0)
    reported, true = 0.0, 0.0
    for _ in range(runs):
        missed = torch.rand(len(held_out), generator=generator) < wrong
        reported += evaluate(Copier(held_out[missed]), held_out).exact_match / runs
        true += float(1 - missed.double().mean()) / runs
    assert reported == pytest.approx(true, abs=4 * math.sqrt(wrong * (1 - wrong) / QUICK_TEST / runs))


FEW = {"task.min_length": 1, "task.max_length": 4, "task.vocab_size": 10}
KINDS = {
    "counted": {"task.name": "copy", **FEW},
    "drawn": {"task.name": "copy", "task.min_length": 1, "task.max_length": 16},
    "addition": {"task.name": "addition", "task.max_length": 2},
    "long addition": {"task.name": "addition", "task.max_length": 3},
    "modular addition": {"task.name": "modular_addition", "task.vocab_size": 59},
    "text": {"task.name": "text", "task.max_length": 32, "task.text": "".join(f"{n}, " for n in range(20_000))},
}


@pytest.mark.parametrize("kind", KINDS)
def test_any_part_of_the_held_out_sequences_is_a_fair_sample(kind):
    architecture = {"model.architecture": "decoder-only", "model.positions": "none"}
    task = RunConfig().updated(KINDS[kind] | architecture).task
    held_out = Sequences.of(task).held_out()
    assert torch.equal(held_out, Sequences.of(task).held_out())
    assert torch.equal(held_out[:QUICK_TEST], Sequences.of(task).held_out(QUICK_TEST))
    lengths = (held_out != PAD).sum(1).double()
    known = {tuple(row): at for at, row in enumerate(sorted(map(tuple, held_out.tolist())))}
    ranks = torch.tensor([known[tuple(row)] for row in held_out.tolist()]).double()
    for feature in (lengths, held_out[:, 0].double(), ranks):
        for part in (slice(100), slice(100, 200), slice(0, None, 5), slice(-100, None)):
            sample = feature[part]
            left = (len(feature) - len(sample)) / (len(feature) - 1)  # of the variance: drawn without replacement
            error = float(feature.std()) * math.sqrt(left / len(sample))
            assert float(sample.mean()) == pytest.approx(float(feature.mean()), abs=4 * error + 1e-9)


def test_exact_match_has_its_interval_in_every_record():
    *_, last = train(TINY)
    record = last.record()
    assert (record["exact_match_low"], record["exact_match_high"]) == wilson(record["exact_match"], record["sequences"])
    assert record == with_interval(
        {name: value for name, value in record.items() if not name.endswith(("low", "high"))}
    )


NO_TESTS = [{"step": 1, "loss": 2.0}, {"exact_match": 0.5}, {"exact_match": 0.5, "sequences": 0}]


@pytest.mark.parametrize("record", [*NO_TESTS, {"exact_match": 7, "sequences": 9}])
def test_a_record_that_says_too_little_has_no_interval(record):
    assert with_interval(record) == record
