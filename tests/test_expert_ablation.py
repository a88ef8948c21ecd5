"""An expert switched off: by name, each in turn, on the command line and in a pass changed by hand."""

import copy
import json

import pytest
import torch

import playground
from playground.interpret.ablation import ablate_each, score
from playground.interpret.interventions import InterventionError, parse
from playground.interpret.sites import named, sites, words
from playground.model.task_model import TaskModel
from playground.recording import taps
from playground.training import train
from tests.modern_models import MODERN, modern_model
from tests.small_training import SOLVABLE
from tests.test_cli import done

MIXTURE = {"model.feed_forward": "mixture", "model.n_experts": 3, "model.n_shared_experts": 1}
PATH = "decoder.layers.0.feed_forward"


@pytest.fixture(scope="module")
def model() -> TaskModel:
    """A model that answers some inputs right."""
    model = TaskModel(SOLVABLE.updated(MIXTURE | {"training.eval_every": 2, "task.max_length": 5}))
    for progress in train(model.config, model):
        if progress.evaluation and 0.3 < progress.evaluation.exact_match < 1:
            break
    return model.eval()


def test_the_experts_of_each_mixture_are_parts_with_names(model):
    experts = {site.name: site for site in named(model.config, "expert")}
    names = [*(f"expert.{number}" for number in range(3)), "shared_expert.0"]
    assert [*experts] == [f"{stack}.layers.0.feed_forward.{name}" for stack in ("encoder", "decoder") for name in names]
    assert {tap for site in experts.values() for tap in site.taps} <= set(taps(model))
    assert words(f"{PATH}.expert.1") == "decoder layer 1 feed-forward, expert 2"
    assert words(f"{PATH}.shared_expert.0") == "decoder layer 1 feed-forward, shared expert 1"
    assert named(SOLVABLE, "expert") == []


@pytest.mark.parametrize(("name", "network"), [("expert.1", "experts.1"), ("shared_expert.0", "shared_experts.0")])
def test_an_expert_that_is_off_adds_nothing(model, name, network):
    changed = copy.deepcopy(model)
    with torch.no_grad():
        for parameter in changed.get_submodule(f"{PATH}.{network}.w_2").parameters():
            parameter.zero_()
    assert score(model, [parse(f"{PATH}.{name}", model.config)]) == score(changed)
    assert score(changed).loss != score(model).loss


def test_each_expert_in_turn_is_ranked_everywhere_alike(model, tmp_path):
    *_, ranking = ablate_each(model, "expert")
    assert {part.off for part in ranking.parts} == {site.name for site in named(model.config, "expert")}
    exact = [part.scores.exact_match for part in ranking.parts]
    assert exact == sorted(exact)
    assert exact[0] < ranking.intact.exact_match
    expected = [{"off": part.off} | part.scores.as_json() for part in ranking.parts]
    assert playground.ablate(model, each="expert")["parts"] == expected
    playground.save(tmp_path / "model", model)
    assert json.loads(done("ablate", tmp_path / "model", "--each", "expert", "--json"))["parts"] == expected


def test_experts_are_selected_by_pattern_and_replaced_by_their_mean(model):
    every = [f"{stack}.layers.0.feed_forward.expert.2" for stack in ("encoder", "decoder")]
    found = playground.ablate(model, "*.expert.2", with_="mean")
    assert found["changed"] == score(model, [parse(f"{name}:mean", model.config) for name in every]).as_json()
    with playground.intervene(model, {"*.expert.2": torch.zeros_like}) as changed:
        assert score(changed) == score(model, [parse(name, model.config) for name in every])


def test_a_model_without_experts_says_so_and_a_wrong_name_gets_the_names_that_exist(model):
    with pytest.raises(InterventionError, match=r"This model has no experts\. Use each head or each sublayer."):
        playground.ablate(TaskModel(SOLVABLE), each="expert")
    with pytest.raises(InterventionError, match=r"After decoder.layers.0.feed_forward.expert, use 0, 1, 2."):
        parse(f"{PATH}.expert.3", model.config)


@pytest.mark.parametrize("name", MODERN)
def test_the_sites_of_later_parts_are_those_of_a_real_model(name):
    model = modern_model(name)
    for site in sites(model.config).values():
        assert set(site.taps) <= set(taps(model)), site.name
    shapes = {site.name: site.sizes(model.config) for site in named(model.config, "parameter")}
    assert shapes == {name: tuple(each.shape) for name, each in model.named_parameters()}
    for head in named(model.config, "head"):
        with playground.intervene(model, {head.name: torch.zeros_like}) as changed:
            assert changed is not model
