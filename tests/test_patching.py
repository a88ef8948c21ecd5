"""Activation patching: each cell of a map against one pass that was changed by hand."""

import pytest
import torch

from playground.interpret.interventions import InterventionError, typed_source
from playground.interpret.patching import PassScore, PatchMap, patch_map
from playground.interpret.sites import named, sites, stream
from playground.model.task_model import TaskModel
from playground.recording import intervene, record
from playground.settings.config import RunConfig
from playground.tasks import PAD, InputError
from playground.tasks.batches import make_batch
from playground.training import train
from tests.helpers import ARCHITECTURES, small_config
from tests.small_training import SOLVABLE

KINDS = ("stream", "sublayer", "head")
TEXT, OTHER = "3 1 4 1 5", "2 1 0 1 6"


def batch_of(config: RunConfig, text: str):
    source = typed_source(text, config)
    return make_batch(config, source)


def by_hand(logits: torch.Tensor, config: RunConfig) -> PassScore:
    right, wrong = (batch_of(config, text).labels[0] for text in (TEXT, OTHER))
    probabilities, differences = [], []
    for at, (a, b) in enumerate(zip(right.tolist(), wrong.tolist(), strict=True)):
        if a != PAD:
            probabilities.append(float(logits[0, at].softmax(0)[a]))
            if a != b:
                differences.append(float(logits[0, at, a] - logits[0, at, b]))
    assert len(differences) == 3
    return PassScore(sum(probabilities) / len(probabilities), sum(differences) / 3)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm_position", ["pre", "post"])
@pytest.mark.parametrize("kind", KINDS)
@torch.no_grad()
def test_each_cell_is_a_pass_with_one_entry_from_the_other_input(architecture, norm_position, kind):
    config = small_config(architecture, norm_position=norm_position, n_layers=2)
    model = TaskModel(config).eval()
    batch = batch_of(config, TEXT)
    with record(model) as recording:
        recording.model(*batch_of(config, OTHER))
    *earlier, last = patch_map(model, TEXT, OTHER, kind)
    names = stream(config) if kind == "stream" else [site.name for site in named(config, kind)]
    assert list(last.rows) == names
    assert [each.done for each in earlier] == list(range(len(names)))
    assert last.done == last.total == len(names)
    assert last.intact == pytest.approx(by_hand(model(*batch)[0], config), abs=1e-5)
    assert last.other == pytest.approx(by_hand(recording["logits"].value, config), abs=1e-5)
    for name in names[:: 1 + len(names) // 3]:
        site = sites(config)[name]
        theirs = recording[site.taps[0]].value
        rows = theirs.size(-2)
        assert len(last.rows[name]) == rows
        for position in range(rows):

            def patch(value: torch.Tensor, position=position, site=site, theirs=theirs) -> torch.Tensor:
                value = value.clone()
                if site.head is None:
                    value[0, position] = theirs[0, position]
                else:
                    value[0, site.head, position] = theirs[0, site.head, position]
                return value

            with intervene(model, {site.taps[0]: patch}) as changed:
                expected = by_hand(changed(*batch)[0], config)
            assert last.rows[name][position] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@torch.no_grad()
def test_patching_everything_gives_the_other_input_s_output(architecture):
    config = small_config(architecture, n_layers=2)
    model = TaskModel(config).eval()
    with record(model) as recording:
        recording.model(*batch_of(config, OTHER))
    everything = {name: recording[name].value for name in stream(config)}
    with intervene(model, everything) as changed:
        torch.testing.assert_close(changed(*batch_of(config, TEXT))[0], recording["logits"].value)


def test_a_trained_model_s_map_shows_where_the_answer_is_carried():
    config = SOLVABLE.updated({"task.max_length": 6})
    model = TaskModel(config)
    for _ in train(config, model):
        pass
    *_, last = patch_map(model, "1 2 3 0", "1 3 3 0")
    row = [last.effect(each) for each in last.rows["encoder.embeddings.sum"]]
    assert row[1] > 0.9, "the only symbol that differs"
    assert row[:1] + row[2:] == pytest.approx([0, 0, 0], abs=1e-5)
    assert last.effect(last.intact) == 0
    assert last.effect(last.other) == 1
    end = [last.effect(each) for each in last.rows["decoder.layers.0.feed_forward_add_norm.sum"]]
    assert end[1] > 0.9, "the position that predicts the second token"
    assert last.intact.probability > 0.9


def test_two_inputs_that_cannot_be_compared_are_refused():
    model = TaskModel(small_config("encoder-decoder"))
    for text, other, says in (
        ("1 2 3", "1 2", "has length 3 and the other input 2"),
        ("1 2 3", "1 2 3", r"Both inputs have the same answer, so no patch can change it\."),
    ):
        with pytest.raises(InterventionError, match=says):
            next(patch_map(model, text, other))
    with pytest.raises(InputError):
        next(patch_map(model, "1 2 3", "1 2 x"))
    assert PatchMap(0, 1, PassScore(0.5, 1.0), PassScore(0.5, 1.0)).effect(PassScore(0.1, 0.2)) == 0
