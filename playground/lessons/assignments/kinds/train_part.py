"""Train a model until it is solved, with few parameters; the lecturer's machine trains it again."""

from functools import lru_cache
from random import Random
from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic_core import from_json, to_json

from playground.lessons.assignments.kinds.part import (
    Answer,
    AnswerField,
    Asked,
    AssignmentError,
    BasePart,
    Mark,
    complete,
)
from playground.lessons.mistakes.pitfall import BASE
from playground.settings.config import ConfigError, RunConfig, parameter_counts
from playground.settings.estimate import estimate
from playground.training.loop import Training, TrainingError

MAX_SECONDS, MAX_MEGABYTES = 120.0, 1000.0
"""Of a run that is trained again, as estimated for this machine."""

TrainedTask = Literal["copy", "reverse", "sort"]


class TrainPart(BasePart):
    """Each student has a task with sizes and a seed of their own. They choose all other settings and hand in a run."""

    title_of_kind: ClassVar = "Train until solved"

    kind: Literal["train"] = "train"
    task: Annotated[TrainedTask, Field(title="Task")] = "reverse"
    max_parameters: Annotated[int, Field(ge=500, le=5_000_000, title="Most parameters")] = 20_000
    max_steps: Annotated[int, Field(ge=10, le=5000, title="Most steps")] = 1000

    @property
    def title(self) -> str:
        """See `BasePart`."""
        return f"Train {self.task} until solved"

    @property
    def trains(self) -> bool:
        """See `BasePart`."""
        return True

    def asked(self, seed: int) -> Asked:
        """The settings to begin with: the student's own task and seed."""
        config = self.start(seed)
        task = config.task
        text = (
            f"Train a model of at most {self.max_parameters:,} parameters until it is solved, in at most "
            f"{self.max_steps:,} steps. Your task is {task.name} with {task.vocab_size} symbols and "
            f"{task.min_length} to {task.max_length} tokens, and your seed is {config.seed}. Keep these, and choose "
            "all other settings."
        )
        return Asked(text, (AnswerField("run", "Run", "run"),), config=config, seed=seed)

    def start(self, seed: int) -> RunConfig:
        """The student's task and seed, with usual settings."""
        random = Random(f"train {seed}")
        return BASE.updated(
            {
                "task.name": self.task,
                "task.vocab_size": random.randint(6, 20),
                "task.max_length": random.randint(6, 12),
                "training.steps": self.max_steps,
                "training.eval_every": 10,
                "training.stop_when_solved": True,
                "seed": seed,
            }
        )

    def judge(self, seed: int, answer: Answer) -> Mark:
        """Trains the run again; see `BasePart`."""
        config = read_run(complete(self.asked(seed).fields, answer)["run"])
        start, count = self.start(seed), sum(parameter_counts(config).values())
        if config.task != start.task or config.seed != start.seed:
            return Mark(0.0, "The run has another task or seed than yours.")
        if count > self.max_parameters:
            return Mark(0.0, f"The model has {count:,} parameters; at most {self.max_parameters:,} are allowed.")
        cost, part = estimate(config), min(1.0, self.max_steps / config.training.steps)
        if part * cost.seconds > MAX_SECONDS or cost.megabytes > MAX_MEGABYTES:
            return Mark(0.0, "The run takes too long or too much memory to train it again.")
        step = _solved_at(config, self.max_steps)
        if step is None:
            return Mark(0.0, f"Trained again, the model isn't solved after {self.max_steps:,} steps.")
        return Mark(1.0, f"Trained again: solved at step {step:,} with {count:,} parameters.")

    def solution(self, seed: int) -> Answer:
        """The usual settings, which solve the task if the limits allow it."""
        return {"run": run_text(self.start(seed))}


def run_text(config: RunConfig) -> str:
    """A run as the text of an answer."""
    return to_json(config.model_dump()).decode()


def read_run(text: str) -> RunConfig:
    """The settings in the text of an answer. Raises `AssignmentError`."""
    try:
        return RunConfig.parse(from_json(text))
    except ConfigError as error:
        raise AssignmentError(error.problem, error.advice) from None
    except (ValueError, RecursionError):
        raise AssignmentError("The run has no valid settings.", "Choose a run on the page.") from None


@lru_cache(maxsize=256)
def _solved_at(config: RunConfig, max_steps: int) -> int | None:
    """The step at which a run is solved, trained again; None if it isn't after `max_steps` or its end."""
    training = Training(config)
    try:
        for progress in training.progress():
            if training.solved or progress.step >= max_steps:
                return progress.step if training.solved else None
    except TrainingError:
        return None
    return None
