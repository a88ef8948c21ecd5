"""The paces of a run and their names."""

from playground.runs import SLOW_MOTION, Run
from playground.settings.config import RunConfig
from playground.settings.presets import preset_of

PACES = ("Slow motion", "1 step/s", "Watch", "Fast", "Full speed")
USUAL_PACE = "Watch"
_STEPS_A_SECOND = 15.0


def pace_of(config: RunConfig, name: str) -> float | None:
    """The pace with this name, in the form used by runs; "Watch" stretches solving to about ten seconds."""
    preset = preset_of(config)
    watch = preset.usual_steps / 10 if preset else _STEPS_A_SECOND
    return {"Slow motion": SLOW_MOTION, "1 step/s": 1.0, "Watch": watch, "Fast": 4 * watch, "Full speed": None}[name]


def pace_name(run: Run) -> str | None:
    """Name of a run's pace."""
    return next((name for name in PACES if pace_of(run.config, name) == run.pace), None)
