"""Keys of the session state, and those that several modules share, with the modules that may write them.

No other module uses `st.session_state`. A widget takes its arguments from there: `st.toggle(..., **ALL_CHARTS.widget)`.
A module declares the keys that it alone uses, without writers.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import streamlit as st

from playground.tasks.text import MAX_CHARACTERS, MAX_FILE_BYTES

T = TypeVar("T")

MAX_CHARS = 10_000
"""Maximum characters of a text widget, and of what a component sends, unless `LONG` has another maximum."""

LONG = {
    "task.text": MAX_CHARACTERS,
    "text file": 2 * MAX_FILE_BYTES,  # in base64
    "settings text": 2 * MAX_CHARACTERS,  # with the text, in which a line break takes two characters
    "circuit text": 400_000,
    "check code": 2**20,
    "check file": 2**21,  # in JSON, where a line break takes two characters
    "tests code": 2**20,
    "tests file": 2**21,
    "own file": 2**21,  # the same
    "assignment code": 20_000,
    "assignment code file": 2**21,  # the same
}
"""Maximum characters by name of a key."""


class Key(Generic[T]):
    """A session state value or, with gaps `{}` in its name, a family of values, see `of`."""

    def __init__(self, name: str, default: T | Callable[[], T], about: str, *writers: str) -> None:
        """`default` applies while nothing is set; a function creates one that is stored, such as a list to append to.

        `writers` are the modules that may change the value, as folder/module or pages/page.
        """
        self.name, self.about, self.writers = name, about, writers
        self._default = default

    def of(self, *parts: object) -> "Key[T]":
        """The key with these parts in the first gaps of its name."""
        name = self.name
        for part in parts:
            name = name.replace("{}", str(part), 1)
        return Key(name, self._default, self.about, *self.writers)

    @property
    def max_chars(self) -> int:
        """Maximum characters, for a text widget."""
        return LONG.get(self.name, MAX_CHARS)

    @property
    def widget(self) -> dict[str, Any]:
        """Arguments of a widget that has this key and keeps its value while other pages are shown."""
        return {"key": self.name, "persist_state": "session"}

    @property
    def text(self) -> dict[str, Any]:
        """The same for a text widget."""
        return self.widget | {"max_chars": self.max_chars}

    @property
    def default(self) -> T:
        """The default value."""
        return self._default() if callable(self._default) else self._default

    def is_set(self) -> bool:
        return self.name in st.session_state

    def get(self) -> T:
        """The value, or the default."""
        if callable(self._default) and not self.is_set():
            return self.begin(self._default())
        return st.session_state.get(self.name, self._default)

    def set(self, value: T) -> None:
        st.session_state[self.name] = value

    def begin(self, value: T) -> T:
        """Set `value` if nothing is set; returns the current value."""
        current: T = st.session_state.setdefault(self.name, value)
        return current

    def take(self) -> T:
        """Remove and return the value, or the default."""
        taken: T = st.session_state.pop(self.name, self.default)
        return taken

    def forget(self) -> None:
        """Remove the value."""
        st.session_state.pop(self.name, None)


# --- all pages ------------------------------------------------------------------------------------

SETTINGS_LINK = Key[bool](
    "settings link",
    False,
    "This tab shows the settings of a link, and no run yet",
    "session/tab_run",
    "train/settings_link",
)
PAGE = Key[str]("page", "", "Path of the page that is shown", "shell/navigation")
RUN = Key[str]("run", "", "Id of the run that this tab shows", "session/tab_run")
VIEW = Key[str | None]("{} view", None, "Widget: view of the page with this name", "session/pages", "shell/views")

# --- build ----------------------------------------------------------------------------------------

ALIKE = Key[str](
    "alike", "", "Model with other settings that a click on the diagram opened", "pages/build", "pages/step_through"
)
TEXT_CHANGES = Key[str](
    "text changes", "", "What was changed in the text of the field", "build/settings_json", "runs/text_field"
)
PACE = Key[str]("pace", "Watch", "Chosen pace", "session/form_settings", "train/settings_link", "train/run_control")
SETTING = Key[Any]("{}", None, "Widget: the setting with this path", "session/form_settings", "runs/settings_form")
LAST_FORM_TAB = Key[str](
    "tab of the form", "Task", "The same, stored for other pages", "pages/build", "session/form_settings"
)

# --- train ----------------------------------------------------------------------------------------

LEAVING = Key[bool](
    "leaving", False, "The page leads to Step through", "pages/train", "runs/run_view", "train/slow_motion_view"
)
DEVICE = Key[str]("device", "CPU", "Widget: where the next run trains", "train/run_control")

# --- step through ---------------------------------------------------------------------------------

AT_STEP = Key[str | None](
    "at_step",
    None,
    "Requested training step: digits, or `at_step.NOW`",
    *("session/at_step", "passes/subject", "passes/training_step"),
)
CELL = Key[str | None](
    "cell",
    None,
    "Locked cell: indices with dots between them",
    *("experiment/heads_view", "pages/step_through", "passes/subject", "train/development_view"),
)
GRADIENT = Key[bool](
    "gradient", False, "Widget: gradients are shown", "pages/step_through", "passes/subject", "train/slow_motion_view"
)
GRADIENT_OF = Key[str | None]("gradient_of", None, "Tensor whose gradient has the locked cell", "passes/subject")
COMPARED = Key[str | None]("compared", None, "Ids of the runs in the charts", "runs/compared", "train/compare")
HEAD = Key[int | None](
    "head",
    None,
    "The only head that is shown",
    *("experiment/heads_view", "passes/subject", "train/development_view"),
)
HELD_STEP = Key[tuple[str, int] | None](
    "held step",
    None,
    "Run id and step that stay while the run trains without being followed",
    *("session/at_step", "passes/training_step"),
)
INPUT = Key[str | None](
    "input",
    None,
    "Widget: input of the model",
    *("build/first_look", "learn/live_view", "learn/assignments/part_view"),
    *("passes/subject", "train/slow_motion_view"),
)
OPERATION = Key[str | None](
    "operation",
    None,
    "Current operation",
    *(
        "build/first_look",
        "experiment/heads_view",
        "learn/formulas",
        "learn/live_view",
        "pages/step_through",
        "pages/train",
        "learn/pitfall_parts",
        "passes/subject",
        "train/development_view",
        "train/slow_motion_view",
    ),
)
PADDING = Key[int](
    "padding", 0, "Widget: number of PAD tokens behind the input", "passes/subject", "train/slow_motion_view"
)
PART = Key[str | None](
    "part",
    None,
    "Part of the architecture diagram to open",
    *("pages/build", "pages/step_through", "train/slow_motion_view"),
)
PLAYING = Key[bool]("playing", False, "Playback of training steps is on", "session/at_step", "passes/training_step")
PREFIX_LENGTH = Key[int | None](
    "prefix length",
    None,
    "Number of answer tokens that the decoder reads; None: all",
    "passes/subject",
    "train/slow_motion_view",
)
READ = Key[Any]("read", None, "The last valid reading", "passes/subject")
SOURCE = Key[str | None](
    "source",
    None,
    "Widget: model of Step through, a checkpoint or `sources.RUN`",
    *(
        "session/sources",
        "session/tab_run",
        "build/first_look",
        "hub/pull_form",
        "learn/live_view",
        "learn/assignments/part_view",
        "pages/build",
        "pages/train",
        "train/development_view",
    ),
    *("passes/subject", "runs/run_view", "train/slow_motion_view"),
)
STEP_MOVED = Key[float](
    "step moved", 0.0, "Time of the last change of the training step", "session/at_step", "passes/training_step"
)
STEP_PROBLEM = Key[str](
    "step problem", "", "Why another step than the requested one is shown", "session/at_step", "passes/training_step"
)
TARGET = Key[str | None]("target", None, "Widget: input of the decoder", "passes/subject", "train/slow_motion_view")
TENSOR = Key[Any](
    "tensor", None, "Component: tensors of an operation, clicks and keys", "step/navigator", "passes/tensors"
)
TOUR = Key[bool](
    "tour",
    False,
    "Step through shows the stops of the short tour",
    "build/first_look",
    "pages/step_through",
    "pages/train",
    "passes/subject",
)

# --- learn ----------------------------------------------------------------------------------------

ASSIGNMENTS = Key[str](
    "assignments shown",
    "take",
    "Widget: what the view of assignments shows",
    *("learn/assignments/assignments_view", "learn/assignments/take_view"),
)
LESSON_NAME = Key[str]("lesson name", "", "Lesson that is open", "learn/lessons_view", "session/first_lesson")

# --- experiment -----------------------------------------------------------------------------------

MAPS = Key[Any]("maps {}", None, "Component: heatmaps, by view", "passes/maps")
CHANGES = Key[str]("changes", "", "Interventions as text, with semicolons between", "experiment/active_changes")
CHANGE_OTHER = Key[str](
    "change other",
    "",
    "Widget: input that patches come from",
    "experiment/active_changes",
    "experiment/attribution_view",
)
CHANGE_OPERATION = Key[str](
    "change operation", "zero", "Widget: operation of the next change", "experiment/active_changes"
)

# --- checkpoints ----------------------------------------------------------------------------------

HUB_LINK = Key[str | None](
    "hub", None, "Hub model of Step through, as owner/name@revision", "hub/pull_form", "passes/subject"
)
PAIRED = Key[str]("paired", "", "Names of the two checkpoints to compare", "checkpoints/cards", "checkpoints/pair")
PAIR_INPUT = Key[str | None](
    "pair input", None, "Widget: input of two checkpoints", "checkpoints/cards", "checkpoints/pair"
)
TICKED = Key[list[str]]("ticked", list, "Names of ticked checkpoints", "checkpoints/cards", "checkpoints/pair")
