"""Training on another device than the CPU: what is read moves there, what is kept comes back."""

import copy
import subprocess
import sys

import pytest
import torch

from playground import answer, record
from playground.decoding import beam_search
from playground.interpret.ablation import ablate_each, score
from playground.interpret.interventions import parse_all
from playground.interpret.patching import patch_map
from playground.lessons.mistakes.table import PITFALLS
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY
from playground.runs import Run, RunError
from playground.runs.metadata import RunMetadata
from playground.settings.config import Positions, RunConfig
from playground.tasks.batches import Sequences, make_batch
from playground.training import Training, evaluate
from playground.training.randomness import PrivateRandomness
from tests import fake_device
from tests.helpers import ARCHITECTURES, TINY

META = torch.device("meta")


@pytest.mark.parametrize("positions", Positions.__args__)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_forward_and_a_backward_pass_make_every_tensor_on_the_device_of_the_model(architecture, positions):
    config = RunConfig().updated({"model.architecture": architecture, "model.positions": positions})
    model = TaskModel(config).to(META)
    assert model.device == META
    source = Sequences.of(config.task).draw(4, torch.Generator().manual_seed(0))
    batch = make_batch(config, source)
    moved = batch.to(model.device)
    assert [part is None for part in moved] == [part is None for part in batch]
    assert {part.device for part in moved if part is not None} == {META}
    logits, loss = model(*moved)
    assert (logits.device, loss.device) == (META, META)
    loss.backward()
    assert {each.grad.device for each in model.parameters() if each.grad is not None} == {META}


def test_a_training_draws_on_the_cpu_and_hands_its_batches_to_the_device_of_its_model(monkeypatch):
    drawn = Training(RunConfig())._draw()
    training = Training(RunConfig())
    monkeypatch.setattr(TaskModel, "device", META)
    batch = training._draw()
    assert {part.device for part in batch if part is not None} == {META}
    assert [part if part is None else part.shape for part in batch] == [p if p is None else p.shape for p in drawn]


def test_dropout_on_a_gpu_has_the_runs_own_generator_of_that_gpu(monkeypatch):
    device, outside, asked = torch.device("cuda", 0), torch.tensor([7]), []
    state = {"now": outside}
    monkeypatch.setattr(torch, "Generator", lambda device: torch._C.Generator())
    monkeypatch.setattr(torch.cuda, "get_rng_state", lambda of: asked.append(of) or state["now"])
    monkeypatch.setattr(torch.cuda, "set_rng_state", lambda new, of: asked.append(of) or state.update(now=new))
    cpu = torch.get_rng_state()
    randomness = PrivateRandomness(1, device)
    randomness.needed, own = True, randomness.state
    with randomness:
        assert state["now"] is own
        state["now"] = torch.tensor([8])
    assert state["now"] is outside
    assert randomness.state.tolist() == [8]
    assert set(asked) == {device}
    assert torch.equal(torch.get_rng_state(), cpu)


def test_a_run_on_a_gpu_is_refused_where_there_is_none_and_one_from_elsewhere_fails_with_a_sentence(host):
    runs = host()
    assert not runs.backend.has_gpu, "these tests expect a machine without a GPU"
    with pytest.raises(RunError, match=r"No GPU is available for training\. Train on the CPU\."):
        runs.start("ada", TINY, device="cuda")
    assert runs.of("ada") == []
    run = Run(RunMetadata(config=TINY, device="cuda"))
    run.begin()
    assert run.wait("failed")
    assert run.message == "This run trains on a GPU, and this machine has none."


def test_the_device_of_a_run_stays_on_disk_and_with_its_branches(host):
    runs = host()
    run = runs.start("ada", TINY)
    assert run.wait("finished")
    run.store.save_metadata(device="cuda")
    assert Run.restored(run.store.folder).metadata.device == "cuda"
    assert run.branch(0, {}).metadata.device == "cuda"
    assert RunMetadata(config=TINY).device == "cpu"


def last(rounds):
    *_, found = rounds
    return found


USES = {
    "an answer": lambda model: answer(model, "3 1 4"),
    "beams": lambda model: beam_search(model, [7, 5, 8], 3),
    "an evaluation": lambda model: evaluate(model, Sequences.of(model.config.task).held_out()[:9], thorough=True),
    "a recording": lambda model: [(step.name, step.value.tolist()) for step in record(model, "3 1 4").steps],
    "gradients": lambda model: {name: each.tolist() for name, each in record(model, "3 1").gradients().items()},
    "a cell": lambda model: record(model, "3 1 4").cell("logits", (0, 0, 0)).value,
    "means": lambda model: score(model, parse_all([CROSS], model.config, "mean"), sequences=9),
    "patches": lambda model: score(model, parse_all([CROSS], model.config, "patch"), sequences=9),
    "each sublayer": lambda model: last(ablate_each(model, "sublayer", sequences=9)),
    "a map of patches": lambda model: last(patch_map(model, "3 1 4", "1 2 3")),
}
CROSS = "decoder.layers.0.cross_attention"


@pytest.mark.parametrize("use", USES)
def test_a_model_on_a_device_gives_the_numbers_of_the_cpu_and_mixes_no_devices(use):
    model = TaskModel(RunConfig().updated({"model.d_model": 16, "model.d_ff": 8, "model.n_heads": 2})).eval()
    expected = USES[use](model)
    with fake_device.device() as device:
        assert repr(USES[use](copy.deepcopy(model).to(device))) == repr(expected)


@pytest.mark.parametrize("name", PITFALLS)
def test_a_model_with_a_mistake_is_on_one_device(name):
    config = RunConfig().updated({"model.d_model": 16, "model.d_ff": 8, "model.n_heads": 2, "training.batch_size": 2})
    config = config.updated(PITFALLS[name].settings)
    with fake_device.device() as device:
        model = PITFALLS[name].model(config)
        training = PITFALLS[name].training(config, model, ())
        model.to(device)
        training._backward(training._forward(training._draw()))
        assert evaluate(model, Sequences.of(config.task).held_out()[:2]).sequences == 2


def test_the_fork_server_computes_no_gradient_since_no_fork_could_do_it_again_on_a_gpu():
    program = (
        "import torch\n"
        "from playground.processes.child import PRELOAD\n"
        "def backward(*_, **__): raise AssertionError('a backward pass')\n"
        "torch.autograd.backward = torch.Tensor.backward = torch.autograd.grad = backward\n"
        "__import__(PRELOAD)"
    )
    subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, check=True)
