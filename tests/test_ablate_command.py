"""`python -m playground ablate`, `playground.ablate` and `playground.patch`: the same numbers by three ways."""

import json
from pathlib import Path

import pytest
import torch

import playground
from playground.common.errors import PlaygroundError
from playground.interpret.ablation import ablate_each, compare, score
from playground.interpret.interventions import Intervention, parse
from playground.interpret.sites import named
from playground.model.task_model import TaskModel
from playground.storage.checkpoint import save
from playground.training import train
from tests.small_training import SOLVABLE
from tests.test_cli import done, refused

HEAD = "decoder.layers.0.cross_attention.head.0"
SUBLAYER = "encoder.layers.0.self_attention"
SCORES = ["exact_match", "token_accuracy", "loss", "sequences"]


@pytest.fixture(scope="module")
def model() -> TaskModel:
    config = SOLVABLE.updated({"training.steps": 40, "training.stop_when_solved": False})
    model = TaskModel(config)
    for _ in train(config, model):
        pass
    return model


@pytest.fixture(scope="module")
def folder(model: TaskModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ablated") / "model"
    save(folder, model, [])
    return folder


@pytest.mark.parametrize("operation", ["zero", "mean"])
def test_the_object_has_the_scores_of_both_models(folder, model, operation):
    words = ["--off", HEAD, "--off", SUBLAYER, "--with", operation, "--json"]
    found = json.loads(done("ablate", folder, *words))
    assert list(found) == ["intact", "changed"]
    assert list(found["intact"]) == list(found["changed"]) == SCORES
    assert found["intact"] == score(model).as_json()
    changes = [parse(each, model.config, operation) for each in (HEAD, SUBLAYER)]
    assert found["changed"] == score(model, changes).as_json()
    assert found["changed"] != found["intact"]
    assert found == playground.ablate(model, [HEAD, SUBLAYER], with_=operation)
    assert found == playground.ablate(playground.load(folder), [HEAD, SUBLAYER], with_=operation)


@pytest.mark.parametrize("kind", ["head", "sublayer"])
def test_each_part_in_turn_is_a_list_with_the_most_important_first(folder, model, kind):
    found = json.loads(done("ablate", folder, "--each", kind, "--json"))
    assert list(found) == ["intact", "parts"]
    *_, ranking = ablate_each(model, kind)
    assert found["parts"] == [{"off": part.off} | part.scores.as_json() for part in ranking.parts]
    assert list(found["parts"][0]) == ["off", *SCORES]
    assert {part["off"] for part in found["parts"]} == {site.name for site in named(model.config, kind)}
    exact = [part["exact_match"] for part in found["parts"]]
    assert exact == sorted(exact)
    assert found == playground.ablate(model, each=kind)


def test_without_json_there_is_a_table_with_a_line_for_each_part(folder):
    lines = done("ablate", folder, "--off", HEAD).splitlines()
    assert lines[0].split() == ["exact", "match", "95", "%", "interval", "token", "accuracy", "loss"]
    assert lines[1].startswith("intact ")
    assert lines[2].startswith(f"without {HEAD} ")
    assert lines[3].startswith("Measured on ")
    assert len({len(line) for line in lines[:3]}) == 1, "aligned"
    assert len(done("ablate", folder, "--each", "sublayer").splitlines()) == 1 + 1 + 5 + 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "There is nothing to switch off. Name a part, for example encoder.layers.0.self_attention"),
        (["--off", ""], "An empty text is not an intervention."),
        (["--off", HEAD, "--each", "head"], "off and each can't be combined."),
        (["--off", "decoder.layers.0.head.0"], "After decoder.layers.0, use self_attention, cross_attention"),
        (["--off", "encoder.layers.0.self_attention.head.2"], "After encoder.layers.0.self_attention.head, use 0, 1."),
        (["--off", HEAD, "--with", "noise"], "--with can't be noise. Use one of zero, mean."),
        (["--each", "layer"], "--each can't be layer. Use one of head, expert, sublayer."),
        (
            [word for at in range(33) for word in ("--off", f"logits[0,{at % 8}]={at}")],
            "33 interventions are too many.",
        ),
        (["--off", "logits:scale=1e6", "--off", "head.weight:scale=1e6"], ""),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(folder, words, says):
    if says:
        refused(folder.parent, "ablate", folder, *words, "--json", says=says)
    else:
        assert json.loads(done("ablate", folder, *words, "--json"))


def test_a_folder_without_a_checkpoint_is_refused(tmp_path):
    refused(tmp_path, "ablate", tmp_path, "--off", HEAD)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"each": "layer"}, "each can't be layer. Use one of head, expert, sublayer."),
        ({"off": [HEAD], "with_": "noise"}, "with can't be noise. Use one of zero, mean."),
        ({"off": ["nothing"]}, "There is no nothing in this model."),
    ],
)
def test_python_refuses_in_the_same_sentences(model, given, says):
    with pytest.raises(PlaygroundError) as error:
        playground.ablate(model, **given)
    assert says in str(error.value)


def test_one_part_can_be_named_without_a_list(model):
    assert playground.ablate(model, HEAD) == playground.ablate(model, [HEAD])
    one, other = (playground.patch(model, "1 2 3", "3 2 0", parts) for parts in (SUBLAYER, [SUBLAYER]))
    assert one.changed.tokens == other.changed.tokens


def test_a_patch_from_python_is_the_comparison(model):
    parts = ["encoder.embeddings.sum[0]", f"{SUBLAYER}:patch"]
    found = playground.patch(model, "1 2 3", "3 2 0", parts)
    changes = [Intervention("encoder.embeddings.sum", "patch", (0,)), Intervention(SUBLAYER, "patch")]
    expected = compare(model, "1 2 3", changes, other="3 2 0")
    assert torch.equal(found.changed.probabilities, expected.changed.probabilities)
    assert found.intact.text == playground.answer(model, "1 2 3")
    assert found.other is not None
    assert found.other.text == playground.answer(model, "3 2 0")
