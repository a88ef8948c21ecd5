"""The answer to a browser that points at a step: what attention looked at there."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from playground.explain.inspection import walk
from playground.model.architecture import attention_weights
from playground.runs import Run
from playground.runs.metadata import RunMetadata
from playground.training import examples
from playground.ui import startup
from playground.ui.server import work
from playground.ui.session.services import services
from tests.helpers import ARCHITECTURES, TINY, browser
from tests.test_heatmap import decode

TAPS = {
    "encoder-decoder": "decoder.layers.0.cross_attention.attention.weights",
    "decoder-only": "decoder.layers.0.self_attention.attention.weights",
    "encoder-only": "encoder.layers.0.self_attention.attention.weights",
}


@pytest.fixture
def client():
    return browser(*startup.routes())


def known(monkeypatch, architecture: str = "encoder-decoder", **changes: object) -> Run:
    """A run with these settings of the task, of which the host keeps the beginning and step 30."""
    config = TINY.updated(
        {"model.architecture": architecture} | {f"task.{name}": value for name, value in changes.items()}
    )
    run = Run(RunMetadata(config=config, name="amber-fox"))
    monkeypatch.setattr(services(), "runs", SimpleNamespace(watched=lambda run_id: run if run_id == run.id else None))
    parameters = list(run.model_at(0).parameters())
    noise = torch.randn(sum(map(torch.numel, parameters)), generator=torch.Generator().manual_seed(7))
    weights = torch.nn.utils.parameters_to_vector(parameters).detach() + 0.3 * noise
    for step in range(31):
        run.store.history.append({"step": step, "seconds": 0.0})
    run.store.snapshots.take([(30, weights.numpy().tobytes())], [], 30)
    return run


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(("step", "at"), [("30", 30), ("", 30), ("20", 30), ("3", 0)])
def test_weights_are_those_that_step_through_shows(client, monkeypatch, architecture, step, at):
    run, tap = known(monkeypatch, architecture), TAPS[architecture]
    answer = client.get(f"/runs/{run.id}/attention", params={"step": step, "example": "2", "tap": tap})
    assert answer.status_code == 200
    header, (arrays,) = decode(answer.content)
    assert header["step"] == at
    shown = examples(run.config, [()] * 3)[2]
    walked = walk(run.model_at(at), " ".join(str(token - 4) for token in shown.source))
    expected = walked[tap].value[0].numpy()
    (tensor,) = header["tensors"]
    assert np.allclose(arrays["values"].ravel(), expected.ravel(), atol=1e-6)
    letter = tensor["columns"]["labels"]
    assert header["labels"][letter]["names"] == walked.tokens[letter]
    hidden = walked.hidden(tap)
    assert (tensor["hidden"] == 1) == bool(hidden.any())
    if tensor["hidden"]:
        assert np.array_equal(arrays["hidden"].ravel(), hidden.numpy().ravel())


def test_a_pass_is_made_once_for_all_heads_layers_and_visitors(client, monkeypatch):
    run, made = known(monkeypatch), []
    begin = run.store.snapshots.near
    monkeypatch.setattr(run.store.snapshots, "near", lambda step: made.append(step) or begin(step))
    for tap in attention_weights(run.config.model):
        assert client.get(f"/runs/{run.id}/attention", params={"step": 30, "example": 0, "tap": tap}).status_code == 200
    assert made == [30]


def test_nobody_has_a_pass_made(monkeypatch):
    run = known(monkeypatch)
    monkeypatch.setattr(work, "REFUSAL_DELAY", 0.0)
    asked = {"step": 30, "example": 0, "tap": TAPS["encoder-decoder"]}
    nobody = browser(*startup.routes(), cookie=False)
    assert nobody.get(f"/runs/{run.id}/attention", params=asked).status_code == 403


@pytest.mark.parametrize(
    ("asked", "status", "sentence"),
    [
        ({"tap": "no.such.tap"}, 404, "Unknown attention name. Available: encoder."),
        ({"example": "8"}, 400, "The examples are numbered from 0 to 7."),
        ({"example": "-1"}, 400, "The examples are numbered from 0 to 7."),
        ({"example": "٣"}, 400, "The examples are numbered from 0 to 7."),
        ({"step": "x"}, 400, "Invalid step. Use a whole number of at least 0."),
        ({"step": "9" * 40}, 400, "Invalid step. Use a whole number of at least 0."),
    ],
)
def test_what_is_asked_wrongly_is_refused_in_one_sentence(client, monkeypatch, asked, status, sentence):
    run = known(monkeypatch)
    right = {"step": "30", "example": "0", "tap": TAPS["encoder-decoder"]}
    answer = client.get(f"/runs/{run.id}/attention", params=right | asked)
    assert answer.status_code == status
    assert answer.text.startswith(sentence)
    assert client.get("/runs/other/attention", params=right).status_code == 410
