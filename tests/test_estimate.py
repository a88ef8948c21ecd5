"""Estimates: they grow with what costs more, and come near to what a worker is seen to take."""

import multiprocessing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.config import ConfigError, RunConfig
from playground.estimate import estimate, quick_test
from tests.helpers import ARCHITECTURES

GROWS = ["training.batch_size", "task.max_length", "model.n_layers", "model.d_model", "model.d_ff", "task.vocab_size"]


@given(
    st.sampled_from(ARCHITECTURES),
    st.sampled_from(GROWS),
    st.fixed_dictionaries(
        {
            "training.batch_size": st.sampled_from([1, 32, 200]),
            "task.max_length": st.sampled_from([2, 16, 30]),
            "model.n_layers": st.integers(1, 3),
            "model.d_model": st.sampled_from([8, 64]),
            "model.d_ff": st.sampled_from([8, 500]),
            "task.vocab_size": st.sampled_from([2, 100]),
        }
    ),
)
def test_more_of_anything_costs_more_of_both(architecture, what, settings):
    config = RunConfig().updated({**settings, "model.architecture": architecture, "model.n_heads": 4})
    try:
        larger = config.updated({what: 2 * settings[what]})
    except ConfigError:
        return
    less, more = estimate(config), estimate(larger)
    if quick_test(larger) == quick_test(config):  # else it is tested on fewer sequences
        assert more.megabytes >= less.megabytes
        assert more.seconds > less.seconds
    twice = estimate(config.updated({"training.steps": 2 * config.training.steps}))
    assert 1.9 < twice.seconds / less.seconds <= 2


def _peak_megabytes(connection, config: RunConfig) -> None:
    import torch

    from playground.training import train

    def status(name: str) -> float:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith(name))

    torch.set_num_threads(1)
    for _ in train(RunConfig().updated({"training.steps": 1, "task.max_length": 2})):
        pass
    before = status("VmRSS")
    for _ in train(config):
        pass
    connection.send(status("VmHWM") - before)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
@pytest.mark.parametrize(
    "architecture",
    ["encoder-decoder", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("decoder-only", "encoder-only"))],
)
def test_the_memory_of_a_large_run_lies_within_a_factor_of_two_and_a_half(architecture):
    config = RunConfig().updated(
        {"model.architecture": architecture, "model.n_layers": 3, "model.d_model": 64, "model.n_heads": 8}
        | {"task.min_length": 32, "task.max_length": 32, "training.batch_size": 96, "training.steps": 2}
        | {"training.eval_every": 1000, "model.positions": "learned"}
    )
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_peak_megabytes, args=(there, config))
    process.start()
    assert here.poll(120)
    measured = here.recv()
    process.join()
    assert measured > 60
    assert 0.6 < estimate(config).megabytes / measured < 2.5
