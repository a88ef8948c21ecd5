"""The session state keys: type, default, and the modules that may write them.

No other module uses `st.session_state`. A widget takes the name of its key: `st.toggle(..., key=ALL_CHARTS.name)`.
A page may declare keys that only it uses in its own file, without writers. All others are here.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import streamlit as st

from playground.explain.inspection import Walk
from playground.hub.gallery import HubSort
from playground.hub.jobs import Job
from playground.hub.sign_ins import SignIn
from playground.lessons.pitfalls import PITFALLS
from playground.runs import Playback
from playground.settings.config import RunConfig
from playground.tasks.text import MAX_CHARACTERS, MAX_FILE_BYTES

T = TypeVar("T")

MAX_CHARS = 10_000
"""Maximum characters of a text widget, and of what a component sends, unless `LONG` has another maximum."""

LONG = {
    "task.text": MAX_CHARACTERS,
    "text file": 2 * MAX_FILE_BYTES,  # in base64
    "settings text": 2 * MAX_CHARACTERS,  # with the text, in which a line break takes two characters
    "check code": 2**20,
    "check file": 2**21,  # in JSON, where a line break takes two characters
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


ActionOutcome = tuple[bool, str] | None
"""Outcome of an action: whether it succeeded, and a message."""


# --- all pages ------------------------------------------------------------------------------------

TRANSFERS_HEEDED = Key[set[str]]("transfers heeded", set, "Ids of transfers whose sign-in has ended", "shell/dock")
ERROR_IN_CALLBACK = Key[str]("error in a callback", "", "Number of an unforeseen error", "server/unforeseen")
ERROR_NUMBERS = Key[dict[str, str]]("numbers of errors", dict, "Number by kind of error", "server/unforeseen")
HEARD = Key[dict[str, Any]](
    "{} heard",
    lambda: {"session": secrets.token_hex(8), "serial": 0},
    "Number of confirmed acts of the component with this key",
    "session/acts",
)
LARGE_RUN = Key[Any]("large run", None, "Question about the cost of a run", "parts/runs/large_runs")
SETTINGS_LINK = Key[bool](
    "settings link",
    False,
    "This tab shows the settings of a link, and no run yet",
    "session/tab_run",
    "train/settings_link",
)
SETTINGS_LINK_READ = Key[bool](
    "settings link read", False, "The address was searched for a settings link", "train/settings_link"
)
LINK_PROBLEM = Key[str](
    "link_problem",
    "",
    "What is wrong with the address",
    *("session/form_settings", "checkpoints/upload", "shell/navigation", "train/settings_link"),
)
LISTEN = Key[Any]("listen", None, "Component: keys that steer a run", "shell/presenter")
PAGE = Key[str]("page", "", "Path of the page that is shown", "shell/navigation")
RUN = Key[str]("run", "", "Id of the run that this tab shows", "session/tab_run")
SHARED = Key[dict[str, str] | None](
    "shared", None, "Query parameters of the link that the page shares", "parts/runs/sharing"
)
STALE_LINK = Key[bool](
    "stale_link", False, "The run of a link no longer exists", "session/tab_run", "shell/forward_page", "pages/train"
)
VIEW = Key[str | None]("{} view", None, "Widget: view of the page with this name", "session/pages", "shell/views")
VIEW_OPENED = Key[bool]("view of {}", False, "The view was read from the address", "session/address")
VIEW_WORDS = Key[dict[str, str | None]](
    "address words", dict, "Query parameters that were sent last; None: removed", "session/address"
)
VISITOR = Key[str](
    "visitor", lambda: secrets.token_urlsafe(24), "Name of a visitor without a cookie", "session/identity"
)
WIDGETS = Key[dict[str, tuple[int, Any]]](
    "widgets", dict, "Serial number and first value of widgets, see `widgets.key_showing`", "session/widgets"
)

# --- build ----------------------------------------------------------------------------------------

ALIKE = Key[str](
    "alike", "", "Model with other settings that a click on the diagram opened", "pages/build", "pages/step_through"
)
BUILD_NOTICE = Key[str]("build notice", "", "Why a run was not started", "pages/build")
SETTINGS_TEXT = Key[str]("settings text", "", "Widget: settings as JSON, pasted", "build/settings_json")
TEXT_FILE = Key[Any]("text file", None, "Component: a text file that was chosen", "parts/runs/text_field")
TEXT_CHANGES = Key[str](
    "text changes", "", "What was changed in the text of the field", "build/settings_json", "parts/runs/text_field"
)
TEXT_PROBLEM = Key[str]("text problem", "", "What is wrong with a text file", "parts/runs/text_field")
SETTINGS_OUTCOME = Key[ActionOutcome]("settings outcome", None, "Outcome of pasted settings", "build/settings_json")
JSON_OPEN = Key[bool]("settings json open", False, "Widget: whether settings as JSON are shown", "pages/build")
FORM_TAB = Key[str]("form", "Task", "Widget: tab of the settings form", "pages/build")
LAST_MODEL = Key[RunConfig | None]("last model settings", None, "The last valid settings", "pages/build")
LINKED_SETTINGS = Key[dict[str, Any] | None](
    "settings of a link", None, "Settings of a link, while nobody has changed them", "session/form_settings"
)
PACE = Key[str]("pace", "Watch", "Chosen pace", "session/form_settings", "train/settings_link", "train/run_control")
PRESET = Key[str | None]("preset", None, "Widget: name of the preset", "parts/runs/settings_form")
SETTING = Key[Any](
    "{}", None, "Widget: the setting with this path", "session/form_settings", "parts/runs/settings_form"
)
LAST_FORM_TAB = Key[str](
    "tab of the form", "Task", "The same, stored for other pages", "pages/build", "session/form_settings"
)

# --- train ----------------------------------------------------------------------------------------

ALL_CHARTS = Key[bool]("all charts", False, "Widget: Compare draws all charts", "train/compare")
ALL_RUNS = Key[bool]("all runs", False, "The table has all runs", "train/compare")
BASE = Key[str | None]("base", None, "Id of the run to duplicate", "train/compare")
CHARTS = Key[Any]("charts", None, "Component: charts of one run", "train/run_view")
COMPARED = Key[str | None]("compared", None, "Ids of the runs in the charts", "train/compare")
COMPARED_CHARTS = Key[Any]("compared-charts", None, "Component: charts of several runs", "train/compare")
DELETED_AT = Key[dict[str, int]]("indices of deleted runs", dict, "Index in the charts by run id", "train/compare")
DUPLICATED = Key[str]("duplicated", "", "Widget: id of the run to duplicate", "train/compare")
DUPLICATED_SETTING = Key[str](
    "duplicated setting", "model.n_heads", "Widget: path of the setting to change", "train/compare"
)
DUPLICATED_VALUE = Key[Any]("duplicated {} {}", None, "Widget: new value by run id and path", "train/compare")
DUPLICATE_NOTICE = Key[str]("duplicate notice", "", "Why a run was not started", "train/compare")
FORWARD_PAGE = Key[str | None]("forward page", None, "Path of the forward page drawn last", "shell/forward_page")
LEAVING = Key[bool](
    "leaving", False, "The page leads to Step through", "pages/train", "train/run_view", "train/slow_motion_view"
)
LIVE_FIELD = Key[Any]("live {} {} {}", None, "Widget: a setting by run id and path", "train/steering")
MORE_STEPS = Key[int]("more steps", 100, "Widget: number of further steps", "train/steering")
MULTIPLES = Key[Any]("multiples", None, "Component: small multiples of a sweep", "train/sweep")
NOTICE = Key[str](
    "notice", "", "Why a run was not started or saved", "pages/train", "train/run_control", "parts/runs/saving"
)
DEVICE = Key[str]("device", "CPU", "Widget: where the next run trains", "train/run_control")
PACE_CHOICE = Key[str | None]("pace {}", None, "Widget: pace of a run", "train/run_control")
PLAYBACK = Key[Playback | None]("playback", None, "Recorded run that is played back", "train/playback_control")
PLAYBACK_PACE = Key[str]("playback_pace", "Watch", "Widget: pace of a playback", "train/playback_control")
REWIND_SLIDER = Key[int]("slider {} {}", 0, "Widget: step to go back to, by run id", "train/steering")
REWIND_STEP = Key[int]("step {} {}", 0, "Widget: the same as a number", "train/steering")
REWOUND = Key[dict[str, Any]]("rewound", dict, "Run and step of the Rewind box", "train/steering")
RUNS = Key[Any]("runs", None, "Component: table of runs", "train/compare")
RUNS_GONE = Key[str]("runs gone", "", "Runs of a link that no longer exist", "train/compare")
RUNS_KNOWN = Key[set[str]]("runs known", set, "Ids of runs that need not join the comparison", "train/compare")
RUNS_LISTED = Key[dict[str, None]]("runs listed", dict, "Ids of the runs in the table, in order", "train/compare")
RUNS_PROBLEM = Key[dict[str, str] | None]("runs problem", None, "What the table refused", "train/compare")
RUNS_SORTED = Key[str]("runs sorted", "", "Column that sorts the table", "train/compare")
RUN_CHOICE = Key[str | None]("chosen run {}", None, "Widget: id of a run", "train/run_control")
SAVED = Key[str]("saved", "", "Name of the checkpoint that was just saved", "parts/runs/saving")
STEERING_PROBLEMS = Key[tuple[str, dict[str, str]]](
    "steering problems", ("", {}), "Run id and error messages by setting", "train/steering"
)
SWEEP_CHOSEN = Key[str]("sweep chosen", "", "Widget: id of a sweep's first run", "train/sweep")
SWEEP_GONE = Key[bool]("sweep gone", False, "The sweep of a link no longer exists", "train/sweep")
SWEEP_MEASURE = Key[str]("sweep measure", "exact_match", "Widget: measure that is drawn", "train/sweep")
SWEEP_NOTICE = Key[str]("sweep notice", "", "Why a sweep was not started", "train/sweep")
SWEEP_SEEDS = Key[int]("sweep seeds", 4, "Widget: number of seeds", "train/sweep")
SWEEP_SETTINGS = (
    Key[str]("sweep setting 1", "model.n_heads", "Widget: path of the setting to vary", "train/sweep"),
    Key[str]("sweep setting 2", "none", "Widget: path of a second one, or none", "train/sweep"),
)
SWEEP_SHOWN = Key[str | None]("sweep shown", None, "Id of a run of the current sweep", "train/sweep")
SWEEP_VALUES = (
    Key[str | None]("sweep values 1", None, "Widget: values of the setting to vary", "train/sweep"),
    Key[str | None]("sweep values 2", None, "Widget: values of the second setting", "train/sweep"),
)

# --- step through ---------------------------------------------------------------------------------

AT_STEP = Key[str | None](
    "at_step",
    None,
    "Requested training step: digits, or `at_step.NOW`",
    *("session/at_step", "step/subject", "step/training_step"),
)
AXES = Key[tuple[str, ...]]("axes", (), "Dimensions of the tensor with the locked cell", "pages/step_through")
CELL = Key[str | None](
    "cell",
    None,
    "Locked cell: indices with dots between them",
    *("experiment/heads_view", "pages/step_through", "step/subject"),
)
COLUMNS = Key[int]("columns", 0, "First column of the fold", "step/subject")
DRAWN_STEPS = Key[list[int]]("drawn steps", list, "The last steps that the slider showed", "step/training_step")
EXAMPLE = Key[str | None]("example", None, "Input that the page filled in", "step/subject")
GRADIENT = Key[bool](
    "gradient", False, "Widget: gradients are shown", "pages/step_through", "step/subject", "train/slow_motion_view"
)
HEAD = Key[int | None]("head", None, "The only head that is shown", "experiment/heads_view", "step/subject")
HEADS = Key[int]("heads", 0, "First head of the fold", "step/subject")
HELD_STEP = Key[tuple[str, int] | None](
    "held step",
    None,
    "Run id and step that stay while the run trains without being followed",
    *("session/at_step", "step/training_step"),
)
INPUT = Key[str | None](
    "input",
    None,
    "Widget: input of the model",
    *("build/first_look", "learn/live_view", "step/subject", "train/slow_motion_view"),
)
LINKED_RUN = Key[str | None]("linked_run", None, "Id of the run, for the address", "step/subject")
MARKED_ROW = Key[int | None]("marked row", None, "Widget: row of the answer that is marked", "step/subject")
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
        "step/subject",
        "train/slow_motion_view",
    ),
)
PADDING = Key[int](
    "padding", 0, "Widget: number of PAD tokens behind the input", "step/subject", "train/slow_motion_view"
)
PART = Key[str | None](
    "part",
    None,
    "Part of the architecture diagram to open",
    *("pages/build", "pages/step_through", "train/slow_motion_view"),
)
PLAYING = Key[bool]("playing", False, "Playback of training steps is on", "session/at_step", "step/training_step")
PREFIX_LENGTH = Key[int | None](
    "prefix length",
    None,
    "Number of answer tokens that the decoder reads; None: all",
    "step/subject",
    "train/slow_motion_view",
)
READ = Key[Any]("read", None, "The last valid reading", "step/subject")
SLIDER_END = Key[int]("slider end", -1, "Last step of the slider", "step/training_step")
SOURCE = Key[str | None](
    "source",
    None,
    "Widget: model of Step through, a checkpoint or `state.RUN`",
    *(
        "session/sources",
        "session/tab_run",
        "build/first_look",
        "checkpoints/pull_form",
        "learn/live_view",
        "pages/build",
        "pages/train",
    ),
    *("step/subject", "train/run_view", "train/slow_motion_view"),
)
STEP_ASKED = Key[tuple[str, int] | None]("step asked", None, "Requested replay", "step/training_step")
STEP_MOVED = Key[float](
    "step moved", 0.0, "Time of the last change of the training step", "session/at_step", "step/training_step"
)
STEP_PROBLEM = Key[str](
    "step problem", "", "Why another step than the requested one is shown", "session/at_step", "step/training_step"
)
STEP_SLIDER = Key[int]("step slider", -1, "Widget: training step", "step/training_step")
TABLE = Key[bool]("table", False, "Numbers are shown as a table", "step/subject")
TARGET = Key[str | None]("target", None, "Widget: input of the decoder", "step/subject", "train/slow_motion_view")
TENSOR = Key[Any](
    "tensor", None, "Component: tensors of an operation, clicks and keys", "step/navigator", "step/tensors"
)
TOUR = Key[bool](
    "tour",
    False,
    "Step through shows the stops of the short tour",
    "build/first_look",
    "pages/step_through",
    "pages/train",
    "step/subject",
)
WALK_SHOWN = Key[Walk | None]("walk shown", None, "The current pass", "shell/forward_page")
WHOLE = Key[bool]("whole", False, "The next script run draws the whole page", "shell/forward_page")

# --- learn ----------------------------------------------------------------------------------------

FORMULAS = Key[Any]("formulas {}", None, "Component: the table of formulas", "learn/formula_rows")
LESSON_NAME = Key[str]("lesson name", "", "Lesson that is open", "build/first_look", "learn/lessons_view")
LESSON_SEED = Key[int]("lesson seed", 0, "Seed of the lesson's numbers", "learn/lessons_view")
LESSON_ANSWERS = Key[Any](
    "lesson answers", None, "Version of the file of answers, and its answers", "learn/lesson_progress"
)
LESSON_ANSWER = Key[Any]("lesson answer {} {} {}", None, "Widget: answer to a block's question", "learn/lessons_view")
EXERCISE_PROBLEM = Key[str]("exercise problem", "", "Why the runs could not start", "learn/exercise_view")
EXERCISE_CHARTS = Key[Any]("exercise charts {}", None, "Component: curves of an exercise", "learn/exercise_view")
LESSON_PROBLEM = Key[str]("lesson problem", "", "Key of the widget whose text is not a number", "learn/lessons_view")
LESSON_CONTROL = Key[Any]("lesson control {} {} {} {}", None, "Widget: control of a live part", "learn/live_view")
LESSON_CONTROLS = Key[str]("lesson controls", "", "Controls are hidden: off", "learn/lessons_view")
LESSON_OUTPUTS = Key[Any]("lesson outputs {}", None, "Component: matrices of a live part", "learn/live_view")
CHECK_CODE = Key[str]("check code", "", "Widget: the visitor's code to check", "learn/check/check_view")
CHECK_FILE = Key[Any]("check file", None, "Component: a file with code to check", "learn/check/check_view")
CHECK_MASK = Key[str]("check mask", "unsaid", "Widget: what True in a mask does", "learn/check/check_view")
CHECK_PART = Key[str]("check part", "attention", "Widget: part to check", "learn/check/check_view")
CHECK_REPLACED = Key[str]("check replaced", "", "Code that a template or a file replaced", "learn/check/check_view")
CHECK_TERMINAL_CODE = Key[str]("check terminal code", "", "Widget: code from the terminal", "learn/check/check_view")
CHECK_PROBLEM = Key[str]("check problem", "", "Why there was no check", "learn/check/check_view")
LEARN_ATTENTION = Key[str | None]("learn attention", None, "Widget: attention whose head is shown", "learn/formulas")
LEARN_HEAD = Key[int]("learn head", 1, "Widget: head that is shown, from 1", "learn/formulas")
SYMBOLS = Key[Any]("symbols", None, "Component: the paper's symbols", "learn/formula_rows")
ONE_HEAD = Key[Any]("one-head", None, "Component: one head of an attention", "learn/formula_rows")
BUG = Key[int]("bug", 1, "Widget: number of the bug hunt", "learn/hunt_view")
HUNT_CAUSE = Key[str | None]("hunt cause", None, "Widget: name of the mistake in the answer", "learn/hunt_view")
HUNT_CHARTS = Key[Any]("hunt-charts", None, "Component: charts of the hunt's run", "learn/hunt_view")
HUNT_MESSAGE = Key[tuple[str, str] | None](
    "hunt message", None, "Last result, and the id of its run", "learn/hunt_view"
)
HUNT_PART = Key[str | None]("hunt part", None, "Widget: part of the model in the answer", "learn/hunt_view")
HUNT_PROBLEM = Key[str]("hunt problem", "", "Why a hunt was not started", "learn/hunt_view")
PITFALL = Key[str]("pitfall", next(iter(PITFALLS)), "Widget: name of the pitfall", "learn/pitfalls_view")
PITFALL_CHARTS = Key[Any]("pitfall-charts", None, "Component: losses of both models", "learn/pitfalls_view")
PITFALL_PROBLEM = Key[str]("pitfall problem", "", "Why the two runs were not started", "learn/pitfalls_view")
PITFALL_SEED = Key[int]("pitfall seed", 1, "Widget: seed of both models", "learn/pitfalls_view")

# --- experiment -----------------------------------------------------------------------------------

MAPS = Key[Any]("maps {}", None, "Component: heatmaps, by view", "experiment/maps")
HEADS_AVERAGE = Key[int](
    "heads average",
    0,
    "Widget: input length to average over; 0: own input",
    "experiment/heads_view",
)
HEADS_KIND = Key[str]("heads kind", "all", "Widget: kind of attention that is shown", "experiment/heads_view")
HEADS_PAIR = Key[str | None](
    "heads pair", None, "Head, query and key that are compared: PATH.head.N.QUERY.KEY", "experiment/heads_view"
)
HEADS_ROLES = Key[bool]("heads roles", False, "Widget: roles of heads are measured", "experiment/heads_view")
CIRCUIT_HEAD = Key[str]("circuit head", "", "Widget: path of the head", "experiment/circuits_view")
CIRCUIT_STATES = Key[str]("circuit states", "tokens", "Widget: vectors of the scatter plot", "experiment/circuits_view")
CIRCUIT_COLOUR = Key[str]("circuit colour", "token", "Widget: colour of the points", "experiment/circuits_view")
ATTENTION_BESIDE = Key[str | None](
    "attention beside", None, "Widget: attention that both models show", "experiment/intervention_view"
)
CHANGES = Key[str]("changes", "", "Interventions as text, with semicolons between", "experiment/active_changes")
CHANGE_FACTOR = Key[float]("change factor", 0.5, "Widget: factor of the next change", "experiment/active_changes")
CHANGE_INDEX = Key[str]("change index", "", "Widget: index of a number to edit", "experiment/active_changes")
CHANGE_OPERATION = Key[str](
    "change operation", "zero", "Widget: operation of the next change", "experiment/active_changes"
)
CHANGE_OTHER = Key[str]("change other", "", "Widget: input that patches come from", "experiment/active_changes")
CHANGE_PROBLEM = Key[str]("change problem", "", "Why a change was not added", "experiment/active_changes")
CHANGE_SITE = Key[str | None]("change site", None, "Widget: tensor to edit", "experiment/active_changes")
CHANGE_VALUE = Key[float | None]("change value", None, "Widget: new value of a number", "experiment/active_changes")
COUNTERFACTUAL = Key[str](
    "counterfactual kind", "batch", "Widget: kind of the difference", "experiment/counterfactual_view"
)
COUNTERFACTUAL_LABEL = Key[int](
    "counterfactual label", 4, "Widget: id of the new label", "experiment/counterfactual_view"
)
COUNTERFACTUAL_POSITION = Key[int](
    "counterfactual position", 1, "Widget: position of the label", "experiment/counterfactual_view"
)
COUNTERFACTUAL_ROW = Key[int](
    "counterfactual row", 1, "Widget: row of the batch, from 1", "experiment/counterfactual_view"
)
COUNTERFACTUAL_SITE = Key[str | None](
    "counterfactual site", None, "Widget: part to switch off", "experiment/counterfactual_view"
)
COUNTERFACTUAL_STEP = Key[int](
    "counterfactual step", 1, "Widget: optimizer step of the difference", "experiment/counterfactual_view"
)
EDIT_PROBLEM = Key[str]("edit problem", "", "Why a number was not edited", "experiment/active_changes")
LOGIT_POSITION = Key[int]("logit position", 1, "Widget: position of the answer, from 1", "experiment/logits_view")
LOGIT_TOKEN = Key[int | None]("logit token", None, "Widget: id of the token of a logit", "experiment/logits_view")
MEASUREMENT_REFUSED = Key[str](
    "measurement refused", "", "Kind of the measurement for which there was no room", "parts/measurements"
)
PATCHED = Key[str]("patched", "stream", "Widget: what is patched at each position", "experiment/intervention_view")
SWITCHES = Key[Any]("switches", None, "Component: parts of the model", "experiment/active_changes")

# --- generate -------------------------------------------------------------------------------------

ANSWER_COMPLETE = Key[bool]("answer complete", False, "Whether nothing can follow the tokens", "generate/token_view")
ATTENTION_KIND = Key[str]("attention kind", "", "Widget: kind of attention that is shown", "generate/token_view")
BEAM_TREE = Key[Any]("beam tree", None, "Component: rounds of beam search", "generate/beam_view")
BEAMS = Key[int]("beam width", 3, "Widget: beams that beam search keeps", "generate/beam_view")
DECODING = Key[str]("decoding", "greedy", "Widget: how tokens are chosen", "generate/generation_view")
FORCED = Key[str]("forced tokens", "", "Forced tokens as position:id, from 0, with commas", "generate/token_view")
GENERATION = Key[Any]("generation", None, "Component: answer and distribution of a token", "generate/token_view")
SAMPLING_SEED = Key[int]("sampling seed", 0, "Widget: seed of the sampling", "generate/token_view")
TEMPERATURE = Key[float]("temperature", 1.0, "Widget: divides the logits", "generate/token_view")
TOKENS = Key[int]("generated tokens", 0, "Number of tokens that the answer has", "generate/token_view")
TOP_K = Key[int]("top-k", 0, "Widget: tokens that top-k keeps; 0: all", "generate/token_view")
TOP_P = Key[float]("top-p", 1.0, "Widget: probability that top-p keeps", "generate/token_view")

# --- checkpoints ----------------------------------------------------------------------------------

CARDS = Key[Any]("cards", None, "Component: cards of the library", "checkpoints/cards")
CARDS_SEARCH = Key[str]("cards search", "", "Search text of the library", "checkpoints/cards")
CARDS_SORTED = Key[str]("cards sorted", "", "Order of the cards", "checkpoints/cards")
CHECKPOINT = Key[str | None]("checkpoint", None, "Name of the chosen checkpoint", "checkpoints/cards")
DELETED = Key[str | None]("deleted just now", None, "Directory of the last deleted checkpoint", "checkpoints/cards")
DROPPED = Key[bool]("dropped", False, "A dropped file was loaded", "checkpoints/upload")
DROPPED_FILE = Key[Any]("dropped file", None, "Component: takes dropped files", "checkpoints/upload")
TRANSFERS = Key[dict[str, Any]](
    "transfers", dict, "Pushes and pulls of this session by job id", "checkpoints/transfers"
)
EXPORT_FIGURE = Key[str]("export figure", "attention", "Widget: which figure", "checkpoints/export_form")
EXPORT_FORMAT = Key[str]("export format", "html", "Widget: format of a file to export", "checkpoints/export_form")
EXPORT_INPUT = Key[str]("export input", "", "Widget: input of the exported pass", "checkpoints/export_form")
EXPORT_SUFFIX = Key[str]("export suffix", ".svg", "Widget: kind of picture", "checkpoints/export_form")
GALLERY_PAGE = Key[int]("gallery page", 0, "Page of the Hub's models", "checkpoints/hub_models")
GALLERY_SEARCH = Key[str]("gallery search", "", "Widget: search text of the Hub view", "checkpoints/hub_models")
GALLERY_SORT = Key[HubSort]("gallery sort", "modified", "Widget: order of the Hub's models", "checkpoints/hub_models")
GALLERY_WHOSE = Key[str]("gallery whose", "public", "Widget: public or own models", "checkpoints/hub_models")
HUB_ASKED = Key[OrderedDict[tuple[str, ...], Job]](
    "hub asked", OrderedDict, "Questions to the Hub", "checkpoints/hub_questions"
)
HUB_LINK = Key[str | None](
    "hub", None, "Hub model of Step through, as owner/name@revision", "checkpoints/pull_form", "step/subject"
)
HUB_WANTED = Key[str | None]("hub wanted", None, "Hub model of a link, not pulled yet", "checkpoints/pull_form")
LIBRARY_ASKED = Key[tuple[str, str]]("library asked", ("", ""), "Pending verb and checkpoint", "checkpoints/cards")
LIBRARY_OUTCOME = Key[ActionOutcome]("library outcome", None, "Last outcome", "checkpoints/cards", "checkpoints/pair")
NEW_NAME = Key[str]("new_name", "", "Widget: new name of a checkpoint", "checkpoints/cards")
OVERWRITE = Key[bool]("overwrite", False, "Widget: replace a checkpoint of this name", "checkpoints/cards")
PAIRED = Key[str]("paired", "", "Names of the two checkpoints to compare", "checkpoints/cards", "checkpoints/pair")
PAIR_CHARTS = Key[Any]("pair-charts", None, "Component: charts of two checkpoints", "checkpoints/pair")
PAIR_INPUT = Key[str | None](
    "pair input", None, "Widget: input of two checkpoints", "checkpoints/cards", "checkpoints/pair"
)
PASTED_TOKEN = Key[str]("pasted token {} {}", "", "Widget: a pasted token, by form and number", "checkpoints/sign_in")
PULL_MESSAGE = Key[str]("pull message", "", "Message about the link that led here", "checkpoints/pull_form")
PULL_MESSAGE_MODEL = Key[str | None](
    "pull message model", None, "Model that the message is about", "checkpoints/pull_form"
)
PULL_NEXT = Key[str]("pull next", "", "Next content of the pull field", "checkpoints/pull_form")
PULL_REFERENCE = Key[str]("pull reference", "", "Widget: model to pull", "checkpoints/pull_form")
PUSH_FIELD = Key[Any]("push {} {}", None, "Widget: field of the push form, by name and number", "checkpoints/push_form")
PUSH_FORM = Key[str]("push form", "", "Checkpoint whose push form is open", "checkpoints/push_form")
RENAME_OUTCOME = Key[ActionOutcome]("rename outcome", None, "Why a checkpoint was not renamed", "checkpoints/cards")
SAVE_NAME = Key[str]("save_name", "", "Widget: name for the current run", "checkpoints/cards")
SAVE_NAME_FOR = Key[str]("save_name_for", "", "Id of the run that the name was suggested for", "checkpoints/cards")
SAVE_OUTCOME = Key[ActionOutcome]("save outcome", None, "Outcome of the last save", "checkpoints/cards")
SAVE_STEP = Key[int | None]("save_step {} {}", None, "Widget: step of a run to save", "checkpoints/cards")
SIGN_IN = Key[SignIn | None]("hub sign-in", None, "Sign-in whose account is known", "checkpoints/sign_in")
SIGN_IN_FORMS = Key[int]("hub forms", 0, "Number of pasted tokens", "checkpoints/sign_in")
SIGN_IN_MESSAGE = Key[str]("hub message", "", "Why nobody is signed in", "checkpoints/sign_in")
SIGN_IN_PENDING = Key[SignIn | None]("hub pending", None, "Sign-in whose account is requested", "checkpoints/sign_in")
SIGN_IN_SOUGHT = Key[bool]("hub came", False, "Cookies were searched for a sign-in", "checkpoints/sign_in")
TICKED = Key[list[str]]("ticked", list, "Names of ticked checkpoints", "checkpoints/cards", "checkpoints/pair")
