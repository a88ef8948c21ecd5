"""Estimates: they grow with what costs more, and come near to what a worker is seen to take."""

import multiprocessing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.runs import calibration
from playground.settings import estimate as estimates
from playground.settings.config import ConfigError, RunConfig
from playground.settings.estimate import Speed, estimate, pass_size, step_costs, use
from tests.helpers import ARCHITECTURES, until

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
    if pass_size(larger) == pass_size(config):  # else a pass of its tests reads fewer sequences
        assert more.megabytes >= less.megabytes
        assert more.seconds > less.seconds
    twice = estimate(config.updated({"training.steps": 2 * config.training.steps}))
    assert 1.9 < twice.seconds / less.seconds <= 2


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ({}, {"model.feed_forward": "mixture"}),
        ({"model.feed_forward": "mixture"}, {"model.feed_forward": "mixture", "model.n_experts": 16}),
        ({}, {"model.activation": "swiglu"}),
        ({}, {"model.window": 4}),
        ({"model.attention": "grouped_query"}, {}),
        ({"model.attention": "latent", "model.d_latent": 4}, {"model.attention": "latent", "model.d_latent": 200}),
    ],
)
def test_parts_that_compute_more_cost_more(less, more):
    few, many = (estimate(RunConfig().updated(settings)) for settings in (less, more))
    assert few.seconds < many.seconds
    assert few.megabytes < many.megabytes


def test_too_many_experts_are_refused():
    large = {"model.d_model": 256, "model.d_ff": 1024, "model.n_layers": 2}
    RunConfig().updated(large)
    with pytest.raises(ConfigError, match=r"above the limit of 5,000,000. Lower n_layers, d_model, n_experts or d_ff."):
        RunConfig().updated(large | {"model.feed_forward": "mixture", "model.n_experts": 16})


@pytest.fixture
def speed():
    """Estimates of this test alone use another speed."""
    yield
    use(Speed())


@pytest.mark.parametrize("made", [Speed(1, 1), Speed(2.5, 0.5), Speed(0.3, 4)])
def test_calibration_finds_the_speed_of_calls_and_of_numbers(made, monkeypatch, speed):
    def seconds(config: RunConfig, steps: int) -> float:
        calls, numbers = step_costs(config)
        return made.calls * calls + made.numbers * numbers

    monkeypatch.setattr(calibration, "_seconds", seconds)
    found = calibration.measure()
    assert (found.calls, found.numbers) == pytest.approx((made.calls, made.numbers))
    config = RunConfig().updated({"training.eval_every": 10_000})
    before = estimate(config)
    use(found)
    after = estimate(config)
    assert after.megabytes == before.megabytes
    assert after.seconds == pytest.approx(config.training.steps * seconds(config, 1), rel=0.02)


@pytest.mark.parametrize("noise", [(1e-9, 1.0), (1.0, 1e-9)])
def test_a_measurement_that_cannot_be_is_kept_within_bounds(noise, monkeypatch):
    monkeypatch.setattr(calibration, "_seconds", lambda config, _: noise[config.training.batch_size > 1])
    found = calibration.measure()
    assert all(0.1 <= each <= 30 for each in (found.calls, found.numbers))


def test_this_machine_is_measured_in_the_background(speed):
    calibration.begin()
    until(lambda: estimates._speed != Speed())
    assert 0.1 <= estimates._speed.numbers <= 30


def _peak_megabytes(connection, config: RunConfig) -> None:
    import torch

    from playground.training import train

    def status(name: str) -> float:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith(name))

    torch.set_num_threads(1)
    for _ in train(RunConfig().updated({"training.steps": 1, "task.max_length": 2})):
        pass
    before = status("VmRSS")
    for _ in train(config):
        pass
    connection.send(status("VmHWM") - before)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
@pytest.mark.parametrize("architecture", ["encoder-decoder", "decoder-only", "encoder-only"])
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
