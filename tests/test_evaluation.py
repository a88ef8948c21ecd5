"""How many held-out sequences a test reads, and which."""

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from playground.batches import Sequences
from playground.config import RunConfig
from playground.runs.keeping import score
from playground.task_model import TaskModel
from playground.tasks import PAD
from playground.training import evaluate, is_solved
from playground.training.evaluation import _by_length

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
        ([20], 32, 31),  # one of the first is wrong: no more are tested
        ([20, 40, 400], 32, 31),
        ([40], 100, 99),
        ([400, 700], 100, 100),  # the model has not solved them all, so those behind the hundredth do not count
        ([400], 1000, 999),
        ([], 1000, 1000),
    ],
)
def test_a_test_goes_on_while_all_are_right_and_counts_all_sequences_where_the_model_has_solved_them(
    missed, sequences, right
):
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
    groups = list(_by_length(held_out, 64))
    assert all(len(group) == 64 for group in groups[:-1])
    rows = [tuple(token for token in row if token != PAD) for group in groups for row in group.tolist()]
    assert sorted(rows) == sorted(tuple(token for token in row if token != PAD) for row in held_out.tolist())
    for group in groups:
        longest = int((group != PAD).sum(1).max())
        assert group.size(1) == (longest if longest <= 8 or longest > 16 else 16)
    assert list(_by_length(held_out[:0], 64)) == []


def test_of_two_steps_the_better_one_is_that_of_which_more_is_known():
    def of(right: int, sequences: int, tokens: float = 0.5) -> tuple[float, float]:
        return score({"exact_match": right / sequences, "token_accuracy": tokens, "sequences": sequences})

    assert of(999, 1000) > of(100, 100) > of(970, 1000) > of(31, 32) > of(0, 32)
    assert of(0, 1000, 0.3) > of(0, 32, 0.2) > score({"loss": 1.0})
