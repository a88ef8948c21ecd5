"""Lesson "Exercises with real runs"."""

from collections.abc import Mapping

from playground.lessons.exercise import Exercise, ExerciseRun
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.tasks.batches import Sequences, make_batch
from playground.tasks.tokens import PAD
from playground.training import SOLVED_AT

_INPUTS = 64
_WEIGHTS = "decoder.layers.0.cross_attention.attention.weights"


def facts(seed: int) -> Mapping[str, object]:
    """All values come from the runs."""
    return {}


def _range(value: float, words: tuple[str, str, str]) -> str:
    return words[0] if value > 0.75 else words[1] if value >= 0.25 else words[2]


def _mask(outcomes: Mapping[str, ExerciseRun]) -> Mapping[str, object]:
    with_mask, without = outcomes.values()
    return {
        "masked": with_mask.exact_match,
        "unmasked": without.exact_match,
        "unmasked_forced": without.measured("teacher_forced_token_accuracy"),
        "unmasked_range": _range(without.exact_match, ("More than 75 %", "Between 25 % and 75 %", "Fewer than 25 %")),
    }


causal_mask = Exercise({"With the mask": {}, "Without the mask": {"model.causal_mask": False}}, _mask)


def _heads(outcomes: Mapping[str, ExerciseRun]) -> Mapping[str, object]:
    one, eight = outcomes.values()
    words = {
        (True, True): "Both",
        (True, False): "Only the model with one head",
        (False, True): "Only the model with eight heads",
        (False, False): "Neither",
    }
    solved = words[one.exact_match >= SOLVED_AT, eight.exact_match >= SOLVED_AT]
    return {"one_head": one.steps, "eight_heads": eight.steps, "heads_solved": solved}


heads = Exercise({"One head": {"model.n_heads": 1}, "Eight heads": {"model.n_heads": 8}}, _heads)


def _width(outcomes: Mapping[str, ExerciseRun]) -> Mapping[str, object]:
    narrow, wide = outcomes.values()
    more = narrow.exact_match - wide.exact_match
    best = "They differ by less than 1 percentage point" if abs(more) < 0.01 else f"Heads {4 if more > 0 else 16} wide"
    return {
        "narrow": narrow.exact_match,
        "narrow_steps": narrow.steps,
        "wide": wide.exact_match,
        "wide_steps": wide.steps,
        "width_best": best,
    }


width = Exercise(
    {
        "Heads 4 wide": {"model.n_heads": 4, "model.d_model": 16, "training.learning_rate": 0.03},
        "Heads 16 wide": {"model.n_heads": 4, "model.d_model": 64, "training.learning_rate": 0.03},
    },
    _width,
)


def _looked(model: TaskModel) -> float:
    """Largest weight over heads from the first answer position to the last token; mean over inputs of full length."""
    task = model.config.task
    held_out = Sequences.of(task).held_out()
    source = held_out[(held_out != PAD).sum(1) == task.max_length][:_INPUTS]
    batch = make_batch(model.config, source)
    _, cache = run_with_cache(model, batch, _WEIGHTS)
    return float(cache[_WEIGHTS][:, :, 0, -1].mean(0).max())


def _attention(outcomes: Mapping[str, ExerciseRun]) -> Mapping[str, object]:
    (outcome,) = outcomes.values()
    after = _looked(outcome.last)
    return {
        "looked_before": _looked(outcome.first),
        "looked_after": after,
        "looked_steps": outcome.steps,
        "looked_range": _range(after, ("More than 75 %", "Between 25 % and 75 %", "Less than 25 %")),
    }


attention = Exercise({"Reverse": {}}, _attention)


def _tasks(outcomes: Mapping[str, ExerciseRun]) -> Mapping[str, object]:
    copied, backwards, in_order = (outcome.exact_match for outcome in outcomes.values())
    lowest = min(outcomes, key=lambda label: outcomes[label].exact_match)
    return {"copied": copied, "reversed": backwards, "sorted": in_order, "hardest": lowest}


tasks = Exercise(
    {"Copy": {"task.name": "copy"}, "Reverse": {"task.name": "reverse"}, "Sort": {"task.name": "sort"}}, _tasks
)
