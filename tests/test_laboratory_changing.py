"""`playground.intervene`, `ablate` and `patch`: the same names, patterns and inputs in all of them."""

import json

import pytest
import torch

import playground
from playground.interpret.ablation import score
from playground.interpret.interventions import Intervention, changed_model
from playground.interpret.sites import named, sites
from playground.model.task_model import TaskModel
from playground.storage.checkpoint import save
from playground.tasks import PAD
from playground.tasks.batches import Sequences
from playground.training import train
from tests.small_training import SOLVABLE
from tests.test_cli import done

HEAD = "decoder.layers.0.cross_attention.head.1"
SUBLAYER = "encoder.layers.0.feed_forward"
TEXTS = ["3 1 2", "2 0 1", "1 1 3"]


@pytest.fixture(scope="module")
def model() -> TaskModel:
    config = SOLVABLE.updated({"training.steps": 40, "training.stop_when_solved": False})
    model = TaskModel(config)
    for _ in train(config, model):
        pass
    return model.eval()


def logits_of(model: TaskModel) -> torch.Tensor:
    return playground.run_with_cache(model, TEXTS, "logits")[0]


@pytest.mark.parametrize("kind", ["head", "sublayer", "positions", "tap", "parameter"])
def test_every_name_that_ablate_takes_can_be_changed_by_a_function(model, kind):
    # Zero is what ablation computes by the hooks of its own.
    for site in named(model.config, kind):
        if site.name.endswith(".masked_scores"):
            continue  # ablation keeps what a mask hides, a function has all cells
        with changed_model(model, [Intervention(site.name)]) as expected:
            pass_of_ablation = logits_of(expected)
        with playground.intervene(model, {site.name: torch.zeros_like}) as changed:
            assert torch.equal(logits_of(changed), pass_of_ablation), site.name
        with playground.intervene(model, {site.name: lambda part: part}) as same:
            assert torch.equal(logits_of(same), logits_of(model)), site.name


def test_the_function_gets_the_part_in_the_batch(model):
    seen = {}
    names = [HEAD, SUBLAYER, "logits", "encoder.embeddings.sum[2]", "decoder.layers.0.cross_attention.w_q.weight"]

    def look(name):
        def note(part):
            seen[name] = tuple(part.shape)
            return part

        return note

    with playground.intervene(model, {name: look(name) for name in names}) as changed:
        logits_of(changed)
    assert seen == dict(zip(names, [(3, 4, 16), (3, 3, 32), (3, 4, 8), (3, 32), (32, 32)], strict=True))


def test_a_pattern_changes_all_that_fit(model):
    def of(changes):
        with playground.intervene(model, changes) as changed:
            return logits_of(changed)

    every = [site.name for site in named(model.config, "head") if ".self_attention." in site.name]
    assert torch.equal(of({"*.self_attention.head.*": torch.zeros_like}), of(dict.fromkeys(every, torch.zeros_like)))
    assert torch.equal(of({"*.feed_forward": torch.zeros_like}), of({"*.feed_forward.output": torch.zeros_like}))
    assert not torch.equal(of({"*.feed_forward": torch.zeros_like}), logits_of(model))


def test_changes_of_one_tensor_apply_in_their_order_and_a_tensor_replaces_it(model):
    heads = "decoder.layers.0.cross_attention.attention.heads"
    value = torch.ones(3, 4, 16)
    with playground.intervene(model, {HEAD: value, heads: lambda all_heads: 2 * all_heads}) as changed:
        _, cache = playground.run_with_cache(changed, TEXTS, "decoder.layers.0.cross_attention.concat")
    assert torch.equal(cache["decoder.layers.0.cross_attention.concat"][..., 16:], 2 * value)


def test_the_model_keeps_its_weights_and_has_no_hook(model):
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    with playground.intervene(model, {"head.*": torch.zeros_like}) as changed:
        assert not logits_of(changed).any()
    assert all(torch.equal(weight, before[name]) for name, weight in model.state_dict().items())


def test_a_position_that_an_input_does_not_have_is_left_out(model):
    with playground.intervene(model, {"encoder.embeddings.sum[3]": torch.zeros_like}) as changed:
        assert torch.equal(logits_of(changed), logits_of(model))


def test_patterns_and_inputs_of_ablate(model, tmp_path):
    save(tmp_path / "model", model, [])
    heads = [site.name for site in named(model.config, "head") if site.name.endswith(".head.1")]
    assert (found := playground.ablate(tmp_path / "model", "*.head.1")) == playground.ablate(model, heads)
    assert json.loads(done("ablate", tmp_path / "model", "--off", "*.head.1", "--json")) == found
    assert playground.ablate(model, "*.head.1:mean") == playground.ablate(model, [f"{head}:mean" for head in heads])
    source = Sequences.of(model.config.task).held_out(20)
    texts = playground.text(model, source)
    found = playground.ablate(model, HEAD, inputs=texts)
    assert found == playground.ablate(model, HEAD, inputs=source)
    assert found["changed"] == score(model, [Intervention(HEAD)], source=source).as_json()
    with playground.intervene(model, {HEAD: torch.zeros_like}) as changed:
        right = [
            playground.answer(changed, text) == playground.text(model, row[row != PAD])
            for text, row in zip(texts, source, strict=True)
        ]
    assert found["changed"]["exact_match"] == sum(right) / 20
    assert found["changed"]["sequences"] == 20
    ranking = playground.ablate(model, each="head", inputs=source)
    assert {part["off"]: part["exact_match"] for part in ranking["parts"]}[HEAD] == found["changed"]["exact_match"]


def test_many_patches_are_those_of_each_pair(model):
    others = ["0 3 3", "1 2 2", "2 2 0"]
    many = playground.patch(model, TEXTS, others, "encoder.*.feed_forward")
    for found, text, other in zip(many, TEXTS, others, strict=True):
        one = playground.patch(model, text, other, SUBLAYER)
        assert torch.equal(found.changed.probabilities, one.changed.probabilities)
    assert [found.other.text for found in playground.patch(model, TEXTS, "0 3 3", SUBLAYER)] == [
        playground.answer(model, "0 3 3")
    ] * 3
    with pytest.raises(playground.InputError, match="There are 3 texts and 2 other texts"):
        playground.patch(model, TEXTS, others[:2], SUBLAYER)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "decoder.layers.0.cross_attention.heads.1",
            "Did you mean decoder.layers.0.cross_attention.head.1? After decoder.layers.0.cross_attention, use head,",
        ),
        ("decoder.layers.1.cross_attention.head.1", "Did you mean decoder.layers.0.cross_attention.head.1?"),
        ("*.heads.1", "No part of this model fits *.heads.1. Names of parts are, for example, "),
        ("nothing", "There is no nothing in this model. At the beginning, use "),
    ],
)
def test_a_wrong_name_says_what_to_write(model, name, says):
    with pytest.raises(playground.PlaygroundError) as error:
        playground.intervene(model, {name: torch.zeros_like})
    assert says in str(error.value)
    assert isinstance(error.value, KeyError | ValueError)
    with pytest.raises(playground.PlaygroundError) as error:
        playground.ablate(model, name)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("change", "found"),
    [(torch.zeros(1), r"\(1,\)"), (lambda _: torch.zeros(2, 2), r"\(2, 2\)"), (lambda _: 0.0, "float")],
)
def test_a_change_of_another_shape_names_both(model, change, found):
    with (
        playground.intervene(model, {HEAD: change}) as changed,
        pytest.raises(ValueError, match=rf"head\.1 has shape \(3, 4, 16\); its replacement has {found}"),
    ):
        logits_of(changed)


def test_names_are_those_of_the_sites(model):
    assert {HEAD, SUBLAYER} <= set(sites(model.config))
