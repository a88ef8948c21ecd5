"""The question before a long or large run: its estimated cost, and whether to train anyway."""

from collections.abc import Callable

from playground.common.numbers import duration
from playground.settings.config import RunConfig
from playground.settings.estimate import Cost, estimate
from playground.ui.parts.confirmation import Question, ask
from playground.ui.session import identity
from playground.ui.session.services import services

MAX_SECONDS = 600.0
"""Maximum estimated seconds at full speed of a run that starts without a question."""

MAX_MB = 2000.0
"""Maximum estimated memory, in MB, of a run that starts without a question."""


def begin(
    config: RunConfig, act: Callable[[], object], cost: Cost | None = None, *, place: str = "run", page: str = ""
) -> None:
    """Start a run by `act`, at once or, above the limits, after the person has confirmed; then open `page`, if given.

    An error message is left at `place`, see `flash`. Without `page` this also works in callbacks. `cost` defaults to
    that of the whole run. If the host refuses the run, there is no question: the error of `act` says why.
    """
    cost = cost or estimate(config)
    text = (
        f"Estimated at full speed: **{duration(cost.seconds)}** and **{cost.megabytes:,.0f} MB** of memory. "
        "Fewer steps, a smaller batch or a smaller model cost less."
    )
    question = Question("Start a large run?", "hourglass_top", text, "Train anyway", "play_arrow", act, place, page)
    small = cost.seconds <= MAX_SECONDS and cost.megabytes <= MAX_MB
    if small or services().runs.refusal(config, identity.visitor()):
        question.carry_out()
    else:
        ask(question)


def remaining(config: RunConfig, step: int) -> Cost:
    """Cost of a run with these settings from a step on."""
    cost, steps = estimate(config), config.training.steps
    return Cost(cost.megabytes, cost.seconds * max(0, steps - step) / steps)
