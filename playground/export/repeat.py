"""Train again and compare with a known history."""

from collections.abc import Iterator, Mapping, Sequence

import torch

from playground.decoding.greedy import generate_text
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.tasks import example_text
from playground.tasks.batches import sources_tested
from playground.training.evaluation import evaluate, with_interval
from playground.training.step import Measured, OptimizerSteps


def train(model: TaskModel, changes: Mapping[int, RunConfig], steps: int) -> Iterator[dict[str, float | None]]:
    """Train a new model; yields a record before the first step and after each.

    `changes` has the settings that hold from the first step after the one it names.
    """
    trained = OptimizerSteps(model.config, model)
    trained.measure_gradient_norm = True
    held_out = sources_tested(model.config)
    yield {"step": 0, **scores(model, held_out)}
    for step in range(1, steps + 1):
        trained.use(changes.get(step - 1, trained.now))
        settings = trained.now.training
        *_, measured = trained.parts()
        assert isinstance(measured, Measured)
        record: dict[str, float | None] = {"step": step, **measured._asdict()}
        last = step == settings.steps
        if last or step % settings.eval_every == 0:
            record |= scores(model, held_out, thorough=last)
        yield record


def scores(model: TaskModel, held_out: torch.Tensor, *, thorough: bool = False) -> dict[str, float | None]:
    """The measures of a test on held-out sequences, as in a record."""
    evaluation = evaluate(model, held_out, thorough=thorough)
    return with_interval({
        "sequences": evaluation.sequences,
        "validation_loss": evaluation.loss,
        "exact_match": evaluation.exact_match,
        "token_accuracy": evaluation.token_accuracy,
        "teacher_forced_exact_match": evaluation.teacher_forced_exact_match,
        "teacher_forced_token_accuracy": evaluation.teacher_forced_token_accuracy,
    })  # fmt: skip


def repeat(model: TaskModel, changes: Mapping[int, RunConfig], history: Sequence[Mapping[str, float]]) -> bool:
    """Train a new model as long as a known history, and compare; returns whether all numbers are the same.

    The same release of torch on the same kind of processor gives the same bits.
    """
    torch.set_num_threads(1)
    known = {record["step"]: record for record in history}
    compared, difference = 0, ""
    for record in train(model, changes, int(max(known))):
        step = record["step"]
        for name, value in known.get(step or 0, {}).items():
            compared += 1
            if record.get(name) != value and not difference:
                difference = f"First at step {step}: {name} is {record.get(name)}, and it was {value}."
        if record.get("exact_match") is not None:
            print(f"step {step}: loss {record['validation_loss']:.4f}, exact match {record['exact_match']:.1%}")
    model.eval()
    example = example_text(model.config.task)
    print(f"The model answers {example!r} with {generate_text(model, example)!r}.")
    if difference:
        print(f"The history differs. {difference}")
    else:
        print(f"The history is the same, bit for bit: {compared:,} numbers of {len(known):,} records.")
    return not difference
