"""Sampling and beam search against closed forms and exhaustive search."""

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from playground.cli import app
from playground.decoding import Sampling, beam_search, choices, choose, cut, filtered, generate, rounds, sample
from playground.decoding.sampling import SamplingError
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.tasks import BOS, EOS, PAD, SEP
from tests.helpers import ARCHITECTURES, WITH_DECODER, first

CONFIG = RunConfig().updated(
    {"task.vocab_size": 3, "task.max_length": 3, "model.d_model": 16, "model.n_heads": 2, "model.d_ff": 12}
)


def tiny(architecture: str = "encoder-decoder", seed: int = 0) -> TaskModel:
    return TaskModel(CONFIG.updated({"model.architecture": architecture, "seed": seed})).eval()


@torch.no_grad()
def log_probabilities(model: TaskModel, source: list[int], answer: list[int]) -> torch.Tensor:
    """(V,) of the token after `answer`: the definition, in one whole pass."""
    if model.config.model.architecture == "decoder-only":
        logits, _ = model(None, torch.tensor([[*source, SEP, *answer]]), torch.tensor([[len(source)]]))
    else:
        logits, _ = model(torch.tensor([source]), torch.tensor([[BOS, *answer]]))
    return logits[0, -1].double().log_softmax(-1)


def test_temperature_divides_the_logits():
    logits = torch.tensor([1.0, 3.0, 2.0])
    for temperature in (0.25, 1.0, 4.0):
        expected = (logits.double() / temperature).softmax(-1)
        torch.testing.assert_close(filtered(logits, Sampling(temperature)), expected)
    assert filtered(logits, Sampling(0)).tolist() == [0, 1, 0]
    assert filtered(1e30 * logits, Sampling(1e-300)).tolist() == [0, 1, 0]  # does not overflow


def test_top_k_and_top_p_keep_the_most_probable_tokens_and_their_ratios():
    logits = torch.tensor([0.5, 0.3, 0.15, 0.05]).log()
    third = filtered(logits, Sampling(top_k=3))
    torch.testing.assert_close(third, torch.tensor([0.5, 0.3, 0.15, 0], dtype=torch.double) / 0.95)
    for p, kept in ((0.4, 1), (0.51, 2), (0.81, 3), (1.0, 4)):
        assert int((filtered(logits, Sampling(top_p=p)) > 0).sum()) == kept
    # top-p counts what top-k has left: 0.5 / 0.8 is more than 0.6.
    assert filtered(logits, Sampling(top_k=2, top_p=0.6)).tolist() == [1, 0, 0, 0]


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=9), st.floats(0.01, 50), st.integers(1, 9), st.floats(0.01, 1))
def test_what_is_drawn_from_is_a_distribution_over_the_most_probable(logits, temperature, k, p):
    drawn = filtered(torch.tensor(logits), Sampling(temperature, k, p))
    assert math.isclose(drawn.sum(), 1, rel_tol=1e-9)
    assert 1 <= int((drawn > 0).sum()) <= k
    kept = [each for each, probability in zip(logits, drawn) if probability > 0]
    assert max(logits) - max(kept) < 1e-5  # float32


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=9), st.floats(0.01, 50), st.integers(1, 9), st.floats(0.01, 1))
def test_every_token_is_kept_or_cut_by_one_rule_and_the_kept_ones_keep_their_ratios(logits, temperature, k, p):
    found = cut(torch.tensor(logits), Sampling(temperature, k, p))
    torch.testing.assert_close(found.tempered, (torch.tensor(logits).double() / temperature).softmax(-1))
    assert int(found.by_top_k.sum()) == max(0, len(logits) - k)
    assert not bool((found.by_top_k & found.by_top_p).any())
    kept = ~(found.by_top_k | found.by_top_p)
    assert bool((found.probabilities[~kept] == 0).all())
    torch.testing.assert_close(found.probabilities[kept], found.tempered[kept] / found.tempered[kept].sum())
    # Top-p keeps the fewest tokens: without the last of them, p is not reached.
    left = found.tempered[~found.by_top_k] / found.tempered[~found.by_top_k].sum()
    reached = float(left[kept[~found.by_top_k]].sum())
    assert reached >= p - 1e-9
    assert reached - float(left[kept[~found.by_top_k]].min()) < p + 1e-9


def test_of_equally_probable_tokens_the_lower_ids_are_kept():
    found = cut(torch.zeros(5), Sampling(top_k=4, top_p=0.6))
    assert found.by_top_k.tolist() == [False, False, False, False, True]
    assert found.by_top_p.tolist() == [False, False, False, True, False]


@pytest.mark.parametrize("architecture", WITH_DECODER)
@given(st.integers(0, 99), st.lists(st.integers(4, 6), min_size=1, max_size=3), st.floats(0.2, 9), st.data())
@settings(max_examples=20, deadline=None)
def test_an_answer_goes_on_from_any_forced_beginning_as_it_does_from_the_start(architecture, seed, source, heat, data):
    model, sampling = tiny(architecture), Sampling(heat, seed=seed)
    found = list(choices(model, source, sampling))
    whole = [choice.token for choice in found]
    assert [token for token in whole if token not in (EOS, PAD)] == sample(model, source, sampling)
    assert not {EOS, PAD} & {*whole[:-1]}
    for at, choice in enumerate(found):
        expected = log_probabilities(model, source, whole[:at])
        torch.testing.assert_close(choice.logits.double().log_softmax(-1), expected, atol=1e-5, rtol=1e-5)
    begun = data.draw(st.integers(0, len(whole)))
    again = list(choices(model, source, sampling, dict(enumerate(whole[:begun]))))
    assert [choice.token for choice in again] == whole
    assert [choice.forced for choice in again] == [at < begun for at in range(len(whole))]


def test_a_forced_token_changes_what_follows_and_a_forced_end_ends():
    model, source = tiny(), [4, 5, 6]
    assert [each.token for each in choices(model, source, Sampling(0), {0: 5, 1: EOS, 2: 4})] == [5, EOS]
    forced = list(choices(model, source, Sampling(0), {0: 6}))
    found, expected = forced[1].logits.double().log_softmax(-1), log_probabilities(model, source, [6])
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)


def test_logits_that_overflowed_are_refused_in_a_sentence():
    model = tiny()
    torch.nn.init.constant_(model.head.weight, math.inf)
    with pytest.raises(SamplingError, match="logits of token 1 hold a number that is not finite"):
        sample(model, [4], Sampling())


def test_each_position_has_its_own_draw():
    logits = torch.tensor([0.1, 0.4, -0.3, 0.2])
    drawn = [[choose(logits, Sampling(seed=seed), position) for position in range(6)] for seed in range(20)]
    assert len(set(map(tuple, drawn))) == 20
    assert [choose(logits, Sampling(0, seed=seed), 3) for seed in range(9)] == [1] * 9


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_same_seed_draws_the_same_answer_and_temperature_0_is_greedy(architecture):
    model = tiny(architecture)
    answers = [sample(model, [5, 6, 4], Sampling(3.0, seed=seed)) for seed in range(30)]
    assert answers == [sample(model, [5, 6, 4], Sampling(3.0, seed=seed)) for seed in range(30)]
    assert len(set(map(tuple, answers))) > 3
    assert sample(model, [5, 6, 4], Sampling(0)) == generate(model, [5, 6, 4])
    assert all(len(sample(model, [5, 6, 4], Sampling(3.0, seed=seed), 2)) <= 2 for seed in range(30))


@pytest.mark.parametrize("architecture", first(1, WITH_DECODER, of=2))
def test_first_tokens_are_drawn_as_often_as_they_are_probable(architecture):
    model, source = tiny(architecture), [4, 5]
    expected = log_probabilities(model, source, []).exp()
    draws = 1000
    found = torch.zeros(len(expected))
    for seed in range(draws):
        answer = sample(model, source, Sampling(seed=seed), 1)
        found[answer[0] if answer else EOS] += 1
    expected[EOS] += expected[PAD]
    expected[PAD] = 0
    assert torch.all((found / draws - expected).abs() < 5 * (expected * (1 - expected) / draws).sqrt() + 1e-3)


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_wide_beams_find_what_a_search_of_all_answers_finds(architecture, seed):
    model, source = tiny(architecture, seed), [6, 4, 5]
    symbols = [token for token in range(model.head.out_features) if token not in (EOS, PAD)]
    everything = {}
    for length in range(3):
        for answer in itertools.product(symbols, repeat=length):
            total = sum(float(log_probabilities(model, source, list(answer[:at]))[answer[at]]) for at in range(length))
            if length == 2:
                everything[answer, False] = total
            else:
                for end in (EOS, PAD):
                    ended = total + float(log_probabilities(model, source, list(answer))[end])
                    everything[answer, True] = max(ended, everything.get((answer, True), -math.inf))
    expected = sorted(everything.items(), key=lambda item: -item[1])[:5]
    found = {}
    for beam in beam_search(model, source, 64, max_tokens=2):
        found.setdefault((beam.tokens, beam.ended), beam.log_probability)
    for key, value in expected:
        assert math.isclose(found[key], value, abs_tol=1e-5)


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("width", [1, 2, 5])
def test_each_round_keeps_the_best_of_what_extends_the_round_before(architecture, width):
    model, source = tiny(architecture), [6, 4, 5]
    before = [((), False)]
    for each in rounds(model, source, width):
        together = [*each.kept, *each.dropped]
        totals = [beam.log_probability for beam in together]
        assert totals == sorted(totals, reverse=True)
        assert len(each.kept) == min(width, len(together))
        for beam in together:
            carried = (beam.tokens, True) in before and beam.ended
            parent = beam.tokens if beam.ended else beam.tokens[:-1]
            assert carried or (parent, False) in before
            last = log_probabilities(model, source, list(parent))
            total = sum(
                float(log_probabilities(model, source, list(parent[:at]))[parent[at]]) for at in range(len(parent))
            )
            total += float(last[beam.end if beam.ended else beam.tokens[-1]])
            assert math.isclose(beam.log_probability, total, abs_tol=1e-5)
        before = [(beam.tokens, beam.ended) for beam in each.kept]
    assert list(each.kept) == beam_search(model, source, width)


@pytest.mark.parametrize("architecture", WITH_DECODER)
@given(st.integers(0, 1000), st.lists(st.integers(4, 6), min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
def test_one_beam_is_greedy(architecture, seed, source):
    model = tiny(architecture, seed)
    assert list(beam_search(model, source, 1)[0].tokens) == generate(model, source)


def test_beams_are_sorted_and_no_answer_is_more_probable_than_its_beginning():
    beams = beam_search(tiny(), [4, 5, 6], 8)
    totals = [beam.log_probability for beam in beams]
    assert totals == sorted(totals, reverse=True)
    assert len(beams) == 8
    assert all(total <= 0 for total in totals)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"temperature": -1}, "temperature -1 is not allowed. Use 0 to 100."),
        ({"temperature": math.nan}, "temperature nan"),
        ({"top_k": 0}, "top_k 0 is not allowed. Use 1 or more."),
        ({"top_p": 0}, "top_p 0 is not allowed."),
        ({"top_p": 1.5}, "top_p 1.5 is not allowed."),
        ({"seed": -1}, "seed -1 is not allowed."),
    ],
)
def test_settings_out_of_range_are_refused(given, says):
    with pytest.raises(SamplingError) as error:
        Sampling(**given)
    assert says in str(error.value)


def test_beam_search_refuses_what_it_cannot_do():
    with pytest.raises(SamplingError, match="0 beams are not allowed"):
        beam_search(tiny(), [4], 0)
    with pytest.raises(SamplingError, match="needs a decoder"):
        beam_search(tiny("encoder-only"), [4], 2)
    with pytest.raises(SamplingError, match="max_tokens 0 is not allowed"):
        sample(tiny(), [4], Sampling(), 0)


# --- the command ----------------------------------------------------------------------------------

MODEL = "checkpoints/reverse-1-16"


def run(*words: str):
    return CliRunner().invoke(app, ["generate", MODEL, "--input", "3 1 4 1 5", *words])


@pytest.mark.parametrize(
    "words",
    [[], ["--temperature", "0"], ["--beams", "3"], ["--top-k", "1"], ["--temperature", "0.1", "--seed", "7"]],
    ids=" ".join,
)
def test_the_answer_is_the_last_line(words):
    done = run(*words)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == "5 1 4 1 3"


def test_max_tokens_cuts_the_answer():
    assert run("--max-tokens", "2").stdout.splitlines()[-1] == "5 1"
    assert run("--max-tokens", "2", "--beams", "2").stdout.splitlines()[-1] == "5 1"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--beams", "2", "--top-k", "3"], "--beams can't be combined with --temperature, --top-k or --top-p."),
        (["--beams", "0"], "0 beams are not allowed."),
        (["--top-p", "2"], "top_p 2 is not allowed."),
        (["--max-tokens", "0"], "max_tokens 0 is not allowed."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_options_are_one_line_and_exit_code_2(words, says):
    done = run(*words)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"Error: {says}")
    assert len(done.stderr.splitlines()) == 1
