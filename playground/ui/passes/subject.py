"""The model, its training step and its input, stored in the session and in the page's address."""

import contextlib
import secrets
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from playground.common.errors import sentences
from playground.common.numbers import percent
from playground.decoding import long_inputs
from playground.explain.inspection import Walk
from playground.runs import Run
from playground.settings.config import RunConfig, TaskConfig
from playground.tasks import (
    EOS,
    PAD,
    InputError,
    OutOfRangeError,
    answer,
    changed_input,
    decode,
    encode,
    example_text,
    random_example,
    task_of,
    text_of,
)
from playground.tasks.batches import first_source
from playground.ui.parts import style
from playground.ui.passes.tensors import Look
from playground.ui.session import session_keys as keys
from playground.ui.session import setting_words, sources, walks
from playground.ui.session.address import QueryParam, flag, number
from playground.ui.session.session_keys import Key

COLUMNS = Key[int]("columns", 0, "First column of the fold")
EXAMPLE = Key[str | None]("example", None, "Input that the page filled in")
HEADS = Key[int]("heads", 0, "First head of the fold")
LINKED_RUN = Key[str | None]("linked_run", None, "Id of the run, for the address")
MARKED_ROW = Key[int | None]("marked row", None, "Widget: row of the answer that is marked")
TABLE = Key[bool]("table", False, "Numbers are shown as a table")

MODEL_AND_INPUT = (
    QueryParam("model", keys.SOURCE),
    QueryParam("hub", keys.HUB_LINK),
    QueryParam("run", LINKED_RUN),
    QueryParam("step", keys.AT_STEP),
    QueryParam("input", keys.INPUT),
)
"""Query parameters of every page that runs a model on an input."""

PASS_PARAMS = (
    *MODEL_AND_INPUT,
    QueryParam("target", keys.TARGET),
    QueryParam("said", keys.PREFIX_LENGTH, number(4)),
    QueryParam("padding", keys.PADDING, number(4)),
    QueryParam("place", MARKED_ROW, number(4)),
)
"""Query parameters of every page about a forward pass."""

LOOK = (
    QueryParam("operation", keys.OPERATION),
    QueryParam("cell", keys.CELL),
    QueryParam("head", keys.HEAD, number(4)),
    QueryParam("heads", HEADS, number(4)),
    QueryParam("columns", COLUMNS, number(4)),
    QueryParam("gradient", keys.GRADIENT, flag),
    QueryParam("of", keys.GRADIENT_OF),
    QueryParam("table", TABLE, flag),
    QueryParam("tour", keys.TOUR, flag),
)
"""Further query parameters of Step through."""


class PassInputs(NamedTuple):
    """Inputs of a forward pass: the arguments of `inspection.walk`."""

    text: str
    target: str | None = None
    prefix_length: int | None = None
    padding: int = 0


def choose_source(run: Run | None, which: DeltaGenerator) -> str | None:
    """Name of the chosen model, the current run or a checkpoint; None if there is none."""
    names = [sources.RUN] * (run is not None) + [entry.name for entry in sources.library().entries() if entry.summary]
    if not names:
        return None
    if (wanted := keys.SOURCE.get()) not in names:
        keys.SOURCE.set(names[0] if run else names[-1])
        if wanted:
            missing = "no run here" if wanted == sources.RUN else f"no model “{wanted[:64]}”"
            style.message(f"There is {missing}. Another model is shown.", "care")
    name = which.selectbox(
        "Model",
        names,
        format_func=lambda name: source_name(name, run),
        **keys.SOURCE.widget,
    )
    LINKED_RUN.set(run.id if run and name == sources.RUN else None)
    return name


def source_name(name: str, run: Run | None) -> str:
    """Name of a model on the page: a run's name with its settings, or a checkpoint's."""
    return f"{run.metadata.name} ({setting_words.short(run.config)})" if run and name == sources.RUN else name


def open_source(name: str, run: Run | None, step: int | None) -> walks.ModelSource:
    """The model with this name, for a run at the given step; raises `CheckpointError`."""
    if run is not None and name == sources.RUN:
        return sources.run_source(run, step)
    return sources.checkpoint_source(name)


def choose_text(config: RunConfig, own: DeltaGenerator, more: DeltaGenerator, *, longer: bool) -> PassInputs:
    """Draw the input field and a button that replaces the input; returns the input as typed.

    `longer` accepts inputs longer than in training, as far as the model can read them.
    """
    text, _ = _input_field(config, own, longer)
    with more.container(horizontal=True, key="random"):
        _random_button(config.task)
    return PassInputs(text)


def _input_field(config: RunConfig, own: DeltaGenerator, longer: bool) -> tuple[str, RunConfig]:
    """The typed text, and the settings that read it."""
    example = example_text(config.task)
    if keys.INPUT.get() in (None, EXAMPLE.get()):
        keys.INPUT.set(example)  # the visitor's own input stays, an example changes with the model
    EXAMPLE.set(example)
    text = digits(own, config.task, "input").text_input(
        "Your input",
        help=f"{task_of(config.task).typing} The model was trained on {setting_words.lengths(config)}.",
        **keys.INPUT.text,
    )
    config = long_inputs.settings_for(config, text or "") if longer else config
    problem = _problem(text, "input", config)
    _tell(own, sentences(problem, long_inputs.why_too_long(config, text)) if problem and longer else problem)
    if changed := changed_input(text or "", config.task):
        with own:
            style.caption(changed)
    return text, config


def choose_input(
    config: RunConfig, own: DeltaGenerator, read: DeltaGenerator, more: DeltaGenerator, *, longer: bool
) -> PassInputs:
    """Draw the fields; returns the model's inputs as typed. `longer` as in `choose_text`."""
    text, config = _input_field(config, own, longer)
    encoder_only = config.model.architecture == "encoder-only"
    target = digits(read, config.task, "target").text_input(
        "The labels are" if encoder_only else "The decoder reads",
        placeholder="the right answer" if encoder_only else "the model's own answer",
        help="Type another answer to see how the predictions change. If the field is empty, the answer "
        "that it proposes is used.",
        **keys.TARGET.text,
    )
    _tell(read, _problem(target.strip() or None, "target", config))
    with more.container(horizontal=True, gap="small", key="more"):
        if not encoder_only:
            st.button(
                "Token by token",
                icon=":material/last_page:",
                type="tertiary",
                on_click=_generate,
                args=(None if keys.PREFIX_LENGTH.get() is not None else 0,),
                help="Start with an empty answer: the decoder predicts a token, reads it, and predicts the next.",
            )
            st.button(
                "Right answer",
                icon=":material/check:",
                type="tertiary",
                on_click=_give_right_answer,
                args=(config.task,),
                disabled=not _has_answer(text, config.task),
                help="Let the decoder read the right answer, as in training (teacher forcing). For a text, this is "
                "its continuation.",
            )
        _random_button(config.task, clears=True)
        with st.popover("Padding", icon=":material/space_bar:", type="tertiary"):
            st.number_input(
                "PAD after the input",
                min_value=0,
                help="PAD tokens make all sequences of a batch equally long. A mask hides them from attention.",
                **keys.PADDING.widget,
            )
    return as_now(PassInputs(text, target.strip() or None), config)


def digits(field: DeltaGenerator, task: TaskConfig, name: str) -> DeltaGenerator:
    """The container of a text field for symbols: with digits alone, a phone shows its keyboard for numbers.

    That keyboard may lack the space, so symbols of two digits don't count.
    """
    if not all(len(symbol) == 1 and symbol.isdecimal() for symbol in task_of(task).symbols):
        return field
    return field.container(key=f"digits-{name}")


def _random_button(task: TaskConfig, *, clears: bool = False) -> None:
    st.button(
        "Random",
        icon=":material/casino:",
        type="tertiary",
        on_click=_draw_example,
        args=(task,),
        help="Replace your input with a random one, and clear the other field."
        if clears
        else "Replace your input with a random one.",
    )


def _problem(text: str | None, what: str, config: RunConfig) -> str:
    """Error message for a text in a field; empty if it is valid."""
    try:
        if text is not None:
            encode(text, config.task, what=what)
    except InputError as error:
        return sources.plain(error)
    return ""


def _tell(field: DeltaGenerator, problem: str) -> None:
    if problem:
        with field:
            style.message(problem, "wrong")


def as_now(wanted: PassInputs, config: RunConfig) -> PassInputs:
    """The reading with the values set below the fields; an encoder-only model predicts its answer at once."""
    prefix_length = None if config.model.architecture == "encoder-only" else keys.PREFIX_LENGTH.get()
    return wanted._replace(prefix_length=prefix_length, padding=keys.PADDING.get())


def read(source: walks.ModelSource, wanted: PassInputs) -> tuple[Walk, str]:
    """The requested pass or, if that is impossible, the nearest possible one with a message.

    Typed text doesn't change. Raises `InputError` if not even an example is valid.
    """
    config = source.model.config
    try:
        walk = walks.walk_of(source, *wanted)
    except OutOfRangeError as error:
        if error.setting == "prefix_length":
            keys.PREFIX_LENGTH.set(error.nearest)
            return read(source, wanted._replace(prefix_length=error.nearest))[0], str(error)
        return read(source, wanted._replace(padding=error.nearest or 0))[0], str(error)
    except InputError as error:
        for nearest in (keys.READ.get(), PassInputs(example_text(config.task))):
            try:
                if nearest:
                    walk = walks.walk_of(source, *nearest)
                    if source.reads_longer:
                        config = long_inputs.settings_for(config, wanted.text)
                    at_field = _problem(wanted.text, "input", config) or _problem(wanted.target, "target", config)
                    return walk, "" if at_field else f"{error} Shown: {nearest.text}."
            except InputError:  # input of another model
                continue
        raise
    keys.READ.set(wanted)
    return walk, ""


def show_reading(walk: Walk, wanted: PassInputs) -> None:
    """Draw the tokens that are read and predicted, with marks on wrong ones, and controls of the decoder's input.

    A click on a predicted token marks its row of the logits.
    """
    config = walk.model.config
    source = source_tokens(walk)
    right = [] if wanted.target else _right(walk)
    rows = (walk.batch.labels[0] != PAD).nonzero()[:, 0].tolist()
    predicted = {}
    for position, (row, token) in enumerate(zip(rows, walk.predicted, strict=False)):  # none if the pass overflowed
        name = decode([token], config.task)[0]
        predicted[row] = f":red[~~{name}~~]" if right and [token] != right[position : position + 1] else name
    st.html(f'<div class="toks">{style.tokens(decode(source, config.task))} →</div>', width="content")
    if MARKED_ROW.get() not in predicted:
        MARKED_ROW.set(None)
    st.pills(
        "Predicted position",
        list(predicted),
        format_func=predicted.__getitem__,
        label_visibility="collapsed",
        help="Click a token of the answer to mark the row that predicts it.",
        **MARKED_ROW.widget,
    )
    if wanted.prefix_length is not None:
        chance = f"next, with {percent(walk.next_probability)}" if walk.next_probability is not None else ""
        st.html(f'<span class="small soft newest">{chance}</span>', width="content")
        _token_by_token(walk, wanted.prefix_length)


def show_length(walk: Walk, config: RunConfig) -> None:
    """Draw a note on an input that is shorter or longer than those of training, with the settings `config`."""
    if sentence := long_inputs.untrained(config, source_tokens(walk)):
        st.caption(f":orange[{sentence}]")


def labels_note(walk: Walk) -> str:
    """Draw a message if the labels are the model's own answer and it is wrong."""
    encoder_only = walk.model.config.model.architecture == "encoder-only"
    if (
        encoder_only
        or not _right(walk)
        or keys.TARGET.get()
        or keys.PREFIX_LENGTH.get() is not None
        or walk.predicted in ([], _right(walk))
    ):
        return ""
    return "The labels are the model's own answer, which is wrong. Press Right answer to use the right one."


def _token_by_token(walk: Walk, count: int) -> None:
    """Draw the buttons of decoding token by token; the answer has `count` tokens."""
    done = walk.next_token in (EOS, None) or count >= task_of(walk.model.config.task).max_answer_length
    for label, icon, disabled, then in (
        ("Undo", "undo", count == 0, count - 1),
        ("Next token", "add", done, count + 1),
        ("Finish", "done_all", False, None),
    ):
        st.button(label, icon=f":material/{icon}:", disabled=disabled, on_click=_generate, args=(then,))


def _generate(count: int | None) -> None:
    """Set the number of answer tokens that the decoder reads; None: all."""
    keys.PREFIX_LENGTH.set(count)


def _give_right_answer(task: TaskConfig) -> None:
    with contextlib.suppress(InputError):  # the error message is below its field
        typed = encode(keys.INPUT.get() or "", task)
        keys.TARGET.set(text_of(answer(typed, task), task))
        keys.PREFIX_LENGTH.set(None)


def _has_answer(text: str, task: TaskConfig) -> bool:
    """True if an input has a right answer, and for invalid inputs."""
    try:
        return bool(answer(encode(text, task), task))
    except InputError:
        return True


def _draw_example(task: TaskConfig) -> None:
    keys.INPUT.set(random_example(task, secrets.randbits(32)))
    keys.TARGET.set("")
    keys.PREFIX_LENGTH.set(None)
    MARKED_ROW.set(None)


def source_tokens(walk: Walk) -> list[int]:
    """Source tokens without padding: in a decoder-only model, the part of the row before its answer."""
    return first_source(walk.model.config, walk.batch).tolist()


def _right(walk: Walk) -> list[int]:
    """The right answer and EOS; empty if there is no unique one."""
    if task_of(walk.model.config.task).continues:
        return []
    return [*answer(source_tokens(walk), walk.model.config.task), EOS]


def cell_of(text: str) -> tuple[tuple[int, ...] | None, str]:
    """The indices of a cell in an address, and an error message if there are none."""
    numbers = text.split(".")
    if not text:
        return None, ""
    if len(numbers) in (2, 3) and all(number.isdecimal() and len(number) < 6 for number in numbers):
        return tuple(map(int, numbers)), ""
    return None, f"“{text[:20]}” is not a cell. Use row.column, such as 2.3, or head.row.column, all counted from 0."


def look() -> tuple[Look, str]:
    """The visible part of the tensor, and an error message if a link has an invalid cell."""
    cell, problem = cell_of(keys.CELL.get() or "")
    return (
        Look(
            cell=cell,
            head=keys.HEAD.get(),
            heads=HEADS.get(),
            columns=COLUMNS.get(),
            marked_row=MARKED_ROW.get(),
            gradient=keys.GRADIENT.get(),
            gradient_of=keys.GRADIENT_OF.get() or "",
            table=TABLE.get(),
        ),
        problem,
    )


def keep_look(seen: Look) -> None:
    """Store the look in the session; the marked row and the gradient have their own widgets."""
    keys.CELL.set(".".join(map(str, seen.cell)) if seen.cell else None)
    keys.GRADIENT_OF.set(seen.gradient_of or None)
    keys.HEAD.set(seen.head)
    HEADS.set(seen.heads)
    COLUMNS.set(seen.columns)
    TABLE.set(seen.table)
