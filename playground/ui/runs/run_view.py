"""A run while it trains: progress, charts, and predictions for held-out inputs."""

from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

from playground.common.numbers import duration, evidence, perplexity
from playground.experiments.comparison import colours, outcome
from playground.runs import SLOW_MOTION, WILL_PAUSE, Playback, Run, RunView, State
from playground.settings.estimate import QUICK_TEST
from playground.tasks import task_of
from playground.tasks.batches import HELD_OUT_SEQUENCES
from playground.ui.parts import style
from playground.ui.parts.charts import linked_charts
from playground.ui.parts.live import changes, progress_bar
from playground.ui.runs import playback_control, run_status, steering
from playground.ui.server import channels
from playground.ui.session import acts, at_step, identity, sources, tab_run
from playground.ui.session import session_keys as keys
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

CHARTS = Key[Any]("charts", None, "Component: charts of one run")

MAX_LINES = 8
"""Maximum number of distinguishable lines in one chart."""

STATUS_COLOURS = {"running": "green", "starting": "green", "paused": "orange", "solved": "blue", "failed": "red"}

PERPLEXITY = (
    "Perplexity is e to the power of the held-out loss. A model that guesses evenly among n characters has "
    "perplexity n. It is measured on the validation part of the text, which the model never trains on. A text can "
    "continue in many ways, so exact match stays low. Token accuracy (teacher forcing) is how often the next character "
    "is right."
)

OVERFLOW = "The last step before the run failed. Step through shows the model up to the operation that overflowed."


def progress(run: RunView | None) -> None:
    """Draw the progress, which the event stream updates."""
    if run is None:
        progress_bar.show("", lambda: {"status": "", "text": "not started", "done": 0})
    else:
        progress_bar.show(channel(run), partial(_progress_fields, run))


def failed_midway(run: RunView) -> bool:
    """True if training failed at a step whose model can be shown."""
    return run.status == "failed" and run.step > 0 and not run.store.unreadable and bool(run.snapshot_steps())


def redraw_with(run: RunView | None) -> None:
    """Redraw the fragment when the run needs other controls or remarks."""
    changes.redraw_any({channel(run): {"controls": controls(run)}} if run else {}, key="shown")


def redraw_with_list() -> None:
    """Rerun the page when the visitor's list of runs or their names change, for example in another tab."""
    changes.redraw("visitor/runs", listed(identity.visitor()), key="list")


def listed(visitor: str) -> dict[str, Any]:
    """Channel fields of a visitor's list of runs."""
    return {
        "listed": changes.mark(
            [(run.id, run.metadata.name, run.ended and run.status) for run in services().runs.of(visitor)]
        )
    }


channels.own_channel("runs", listed, lambda visitor: False)


def channel(run: RunView) -> str:
    """Name of the channel with the `fields` of a run or a playback."""
    return f"playback/{playback_control.token(run)}" if isinstance(run, Playback) else f"run/{run.id}"


@channels.run_channel("run")
def fields(run: RunView) -> dict[str, Any]:
    """Channel fields of a run, besides its charts; the same object while nothing changes."""
    if isinstance(run, Playback):
        return {**row(run), **_progress_fields(run), **_more(run)}
    queued = int(monotonic()) if run.status == "queued" else 0  # its queue position depends on others and on time
    seen = (row(run), run.steps_per_second, queued, run.message, *_drawn(run))
    known = _sent.get(run)
    if known is None or known[0] != seen:
        known = _sent[run] = (seen, {**row(run), **_progress_fields(run), **_more(run)})
    return known[1]


@channels.channel("playback")
def _playback(name: str, token: str, _visitor: str) -> channels.Channel:
    shown = playback_control.SHOWN[token]
    return channels.FieldChannel(name, lambda: fields(shown), lambda: shown.status == "running")


@channels.run_channel("row")
def row(run: RunView) -> dict[str, Any]:
    """A run's row in a table of runs (channel row/ID); the same object while nothing changes."""
    status = run_status.status(run)
    settings = () if isinstance(run, Playback) else run.changes
    seen = (run.step, status, run.ended, run.metadata.name, run.metadata.note, run.metadata.colour, settings)
    known = _rows.get(run)
    if known is None or known[0] != seen:
        came = outcome(run)
        values = {
            "status": status,
            "step": run.step,
            "ended": run.ended,
            "steps": came.solved_step,
            "seconds": came.solved_seconds,
            "exact": came.best_exact_match,
            "exact_evidence": evidence(came.best_exact_match or 0.0, came.best_sequences)
            if came.best_sequences
            else "",
            "exact_of": f"of {came.best_sequences:,}" if came.best_sequences else "",
            "loss": came.loss,
            "name": run.metadata.name,
            "note": run.metadata.note,
            "line_colour": run.metadata.colour,
            "settings": changes.mark(settings),
        }
        known = _rows[run] = (seen, values)
    return known[1]


def _more(run: RunView) -> dict[str, Any]:
    return {"controls": controls(run), "training": run_status.training(run)}


_sent: "WeakKeyDictionary[RunView, tuple[object, dict[str, Any]]]" = WeakKeyDictionary()  # with its key
_rows: "WeakKeyDictionary[RunView, tuple[object, dict[str, Any]]]" = WeakKeyDictionary()


def controls(run: RunView) -> str:
    """Changes whenever the run needs other buttons, settings or remarks."""
    return changes.mark(_drawn(run))


def _drawn(run: RunView) -> tuple[Any, ...]:
    """Values that determine the run's buttons, settings and remarks."""
    return (
        run.status,
        run.state in (State.PAUSING, State.STOPPING) and run.state,
        run.step > 0,
        run.pace,
        run.until,
        run.message if not run_status.goes_on(run) else "",
        run.notice,
        run.ended and run.last().get("sequences"),  # changes with nearly each evaluation
        run.stage is None,
        *(
            (run.store.damage, run.store.problem, run.state in WILL_PAUSE, run.config_now, run.changes)
            if isinstance(run, Run)
            else ()
        ),
    )


def _progress_fields(run: RunView) -> dict[str, Any]:
    total, speed = run.config_now.training.steps, run.steps_per_second
    status: str = run.status
    text = f"step {run.step:,} of {'at most ' * (run.step < total)}{total:,}"
    if isinstance(run, Playback):
        total = run.store.step
        text = f"step {run.step:,} of {total:,}, played back"
    elif asked := run_status.asked(run):
        status, asked_text = asked
        text += f" · {asked_text}"
    elif isinstance(run, Run) and run.status == "queued":
        text = run_status.waiting(run) or text
    elif run.message and run_status.goes_on(run):
        text = run.message
    elif run.status == "running" and speed and run.pace != SLOW_MOTION:
        text += f" · {speed:,.1f} steps/s · about {duration((total - run.step) / speed)} to step {total:,}"
    elif run.status == "solved":
        last = run.last()
        text = (
            f"at step {run.step:,} · computing the steps took {last.get('seconds', 0):.2f} s, without pauses and tests"
        )
        if "sequences" in last:
            right = f"{last['exact_match'] * last['sequences']:,.0f} of {last['sequences']:,}"
            text += f" · {right} held-out inputs right"
    if run.status in ("paused", "finished") and (solved := outcome(run).solved_step) is not None:
        text += f" · solved at step {solved:,}"
    if task_of(run.config.task).continues and "validation_loss" in run.last():
        text += f" · perplexity {perplexity(run.last()['validation_loss']):.3g}"
    if run.until is not None and not run.ended:
        text += " · until solved" if run.until == "solved" else f" · until step {run.until:,}"
    if run.metadata.device == "cuda":
        text += " · on a GPU"
    if run.metadata.node and run.has_worker:
        text += f" · node {run.metadata.node}"
    meaning = run_status.SOLVED if status == "solved" else ""
    done = 1.0 if run.status in ("solved", "finished") else min(1.0, run.step / total)
    return {
        "status": status,
        "colour": STATUS_COLOURS.get(status, "gray"),
        "text": text,
        "done": round(done, 4),
        "meaning": meaning,
    }


def plots(run: RunView) -> None:
    """Draw the run's measures over time, and held-out examples."""
    live_charts([run], beside=services().runs.watched(run.metadata.origin.run_id) if run.metadata.origin else None)
    _remarks(run)
    if story := steering.story(run):
        st.html(f'<div class="story small soft">{style.marked(story)}</div>')


def live_charts(
    runs: Sequence[RunView],
    *,
    panels: Sequence[str] = (),
    beside: RunView | None = None,
    key: keys.Key[Any] = CHARTS,
    opens: bool = True,
) -> None:
    """Draw linked charts of these runs over training steps: one run with its examples, or up to `MAX_LINES` overlaid.

    `beside` is the parent of a single run that is a branch; its lines are grey. `panels` are names of `charts.PANELS`
    (several runs: `charts.COMPARED`); empty means all. A click on the charts of one run `opens` that step. New rows
    come from the event stream. Raises ValueError for no run or too many.
    """
    if not 1 <= len(runs) <= MAX_LINES:
        raise ValueError(f"Charts show 1 to {MAX_LINES} runs, not {len(runs)}.")
    data = {
        "panels": list(panels),
        "runs": [_shown(run, colour) for run, colour in zip(runs, colours(runs), strict=True)],
        "beside": _shown(beside, beside.metadata.colour) if beside else None,
        "opens": opens and len(runs) == 1,
        "observes": _observes(runs[0]) if len(runs) == 1 and tab_run.is_mine(runs[0]) else None,
        "observed": len(runs) == 1 and runs[0].metadata.gradient_norm,
        **acts.answer(key),
    }
    linked_charts.mount(
        data,
        key=key,
        on_step_change=partial(_pick, key),
        on_acts_change=partial(acts.carry_out, key, _observe),
    )


def _shown(run: RunView, colour: int) -> dict[str, Any]:
    """A run's data for the charts; its numbers come from the event stream, see `curves`."""
    task = task_of(run.config.task)
    played: dict[str, Any] = {"upto": run.step, "channel": channel(run)} if isinstance(run, Playback) else {}
    return played | {
        "id": run.id,
        "name": run.metadata.name,
        "colour": colour,
        "step": run.step,
        "ended": run.ended,
        "forced": _forced(run),
        "running": not task.spaced,
        "typing": task.typing,
        "how": f"predicted {'in one pass' if run.config.model.architecture == 'encoder-only' else 'token by token'}",
    }


def _forced(run: RunView) -> list[str]:
    """The teacher-forced scores that can differ from the free-running ones."""
    model = run.config.model
    if model.architecture == "encoder-only":
        return []  # its input has no answer
    return ["teacher_forced_token_accuracy", *([] if model.causal_mask else ["teacher_forced_exact_match"])]


def _observes(run: RunView) -> bool:
    return tab_run.is_mine(run) and not run.ended and not isinstance(run, Playback)


def _pick(key: keys.Key[Any]) -> None:
    """Set the clicked step in Step through; the next script run opens that page."""
    step = key.get().step
    if type(step) is int:
        at_step.move(step)
        keys.SOURCE.set(sources.RUN)
        keys.LEAVING.set(True)


def _observe(verb: str, run_id: str, wanted: Any) -> None:
    """Switch the measurement of a run's gradient norm on or off."""
    run = services().runs.owned(identity.visitor(), run_id)
    if verb == "observe" and type(wanted) is bool and run is not None and _observes(run):
        run.observe(gradient_norm=wanted)


def _remarks(run: RunView) -> None:
    training, model = run.config.training, run.config.model
    differs = [
        name for name, used in (("label smoothing", training.label_smoothing), ("dropout", model.dropout)) if used
    ]
    if differs:
        style.caption(f"The training loss includes {' and '.join(differs)}, the held-out loss doesn't.")
    if _forced(run):
        why = (
            "so a wrong token doesn't affect later ones"
            if model.causal_mask
            else "and without the causal mask also the token it must predict, which makes the score too high"
        )
        st.caption(f"Teacher forcing: the decoder reads the right answer instead of its own predictions, {why}.")
    if sequences := run.last().get("sequences"):
        latest = "The latest evaluation used all of them."
        if sequences < HELD_OUT_SEQUENCES:
            latest = f"The latest evaluation used {sequences:,} of the {HELD_OUT_SEQUENCES:,}."
        rule = f"An evaluation uses {QUICK_TEST} of them, and all of them if it finds the run solved."
        tested = f"{latest if run.ended else rule} Bands in the charts are 95 % intervals of the exact match."
        if task_of(run.config.task).continues:
            st.caption(PERPLEXITY)
        else:
            st.caption(f"{run_status.SOLVED} The model never trains on these inputs. {tested}")
        style.caption(
            f"Each run has a random name; this one is {run.metadata.name}. Compare shows it beside your other runs."
        )
