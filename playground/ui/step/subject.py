"""What is looked at: a model, at a training step, and what it reads; kept in the session and the page's address."""

import contextlib
import secrets
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from playground.config import RunConfig, TaskConfig
from playground.figures import percent
from playground.inspection import Walk
from playground.runs import Run
from playground.tasks import (
    EOS,
    PAD,
    SEP,
    InputError,
    OutOfRangeError,
    answer,
    decode,
    encode,
    example_text,
    random_example,
    task_of,
    text_of,
)
from playground.ui.parts import style
from playground.ui.session import session_keys as keys
from playground.ui.session import state, walks
from playground.ui.session.view import Field, flag, number
from playground.ui.step.tensors import Look

READING = (
    Field("model", keys.SOURCE),
    Field("hub", keys.HUB_LINK),
    Field("run", keys.LINKED_RUN),
    Field("step", keys.AT_STEP),
    Field("input", keys.INPUT),
    Field("target", keys.TARGET),
    Field("said", keys.SAID, number(4)),
    Field("padding", keys.PADDING, number(4)),
    Field("place", keys.PLACE, number(4)),
)
"""What every page about a forward pass has in its address."""

LOOK = (
    Field("operation", keys.OPERATION),
    Field("cell", keys.CELL),
    Field("head", keys.HEAD, number(4)),
    Field("heads", keys.HEADS, number(4)),
    Field("columns", keys.COLUMNS, number(4)),
    Field("gradient", keys.GRADIENT, flag),
    Field("table", keys.TABLE, flag),
)
"""What Step through has besides."""


class Reading(NamedTuple):
    """What a model reads: the arguments of `inspection.walk`."""

    text: str
    target: str | None = None
    said: int | None = None
    padding: int = 0


def choose_source(run: Run | None, which: DeltaGenerator) -> str | None:
    """The name of the model to look at: the current run's or a checkpoint's; None if there is none."""
    names = [state.RUN] * (run is not None) + [entry.name for entry in state.library().entries() if entry.summary]
    if not names:
        return None
    if (wanted := keys.SOURCE.get()) not in names:
        keys.SOURCE.set(names[0] if run else names[-1])
        if wanted and wanted != state.RUN:
            style.told(f"There is no model “{wanted[:64]}” here; this is another one.", "care")
    name = which.selectbox(
        "Model",
        names,
        key=keys.SOURCE.name,
        format_func=lambda name: "The current run" if name == state.RUN else f"Checkpoint {name}",
        persist_state="session",
    )
    keys.LINKED_RUN.set(run.id if run and name == state.RUN else None)
    return name


def open_source(name: str, run: Run | None, step: int | None) -> walks.Source:
    """The model with this name, where it is the run's at a step; raises `CheckpointError`."""
    if run is not None and name == state.RUN:
        return state.run_source(run, step)
    return state.checkpoint_source(name)


def choose_input(config: RunConfig, own: DeltaGenerator, read: DeltaGenerator, more: DeltaGenerator) -> Reading:
    """What the model reads, as typed."""
    example = example_text(config.task)
    if keys.INPUT.get() in (None, keys.EXAMPLE.get()):
        keys.INPUT.set(example)  # an input of one's own stays, an example follows the model
    keys.EXAMPLE.set(example)
    text = own.text_input(
        "Your input",
        key=keys.INPUT.name,
        persist_state="session",
        help=f"Symbols {task_of(config.task).alphabet} with spaces between; "
        f"the model has learned {state.lengths(config)}.",
    )
    encoder_only = config.model.architecture == "encoder-only"
    target = read.text_input(
        "The labels are" if encoder_only else "The decoder reads",
        key=keys.TARGET.name,
        persist_state="session",
        placeholder="the right answer" if encoder_only else "the model's own answer",
        help="Type another answer to see what the model makes of it; empty stands for the one in grey.",
    )
    with more.container(horizontal=True, gap="small", key="more"):
        if not encoder_only:
            st.button(
                "Token by token",
                icon=":material/last_page:",
                type="tertiary",
                on_click=_say,
                args=(None if keys.SAID.get() is not None else 0,),
                help="Begin with nothing said: the decoder says one token, reads it, and says the next.",
            )
            st.button(
                "Right answer",
                icon=":material/check:",
                type="tertiary",
                on_click=_give_right_answer,
                args=(config.task,),
                help="Teacher forcing: the decoder reads the right answer, as in training.",
            )
        st.button("Random", icon=":material/casino:", type="tertiary", on_click=_draw_example, args=(config.task,))
        with st.popover("Padding", icon=":material/space_bar:", type="tertiary"):
            st.number_input(
                "PAD behind the input",
                min_value=0,
                key=keys.PADDING.name,
                persist_state="session",
                help="Padding fills a batch up to one length; the mask keeps everybody from looking at it.",
            )
    return as_now(Reading(text, target.strip() or None), config)


def as_now(wanted: Reading, config: RunConfig) -> Reading:
    """The reading with what can change below the boxes; an encoder-only model says its answer at once."""
    said = None if config.model.architecture == "encoder-only" else keys.SAID.get()
    return wanted._replace(said=said, padding=keys.PADDING.get())


def read(source: walks.Source, wanted: Reading) -> tuple[Walk, str]:
    """The pass over what was asked for or, where that cannot be, the nearest that can, and a sentence that says so.

    What the person typed stays as it is. Raises `NotFiniteError`, and `InputError` where not even an example fits.
    """
    config = source.model.config
    try:
        found = walks.walk_of(source, *wanted)
    except OutOfRangeError as error:
        if error.setting == "said":
            keys.SAID.set(error.nearest)
            return read(source, wanted._replace(said=error.nearest))[0], str(error)
        return read(source, wanted._replace(padding=error.nearest or 0))[0], str(error)
    except InputError as error:
        for nearest in (keys.READ.get(), Reading(example_text(config.task))):
            try:
                if nearest:
                    return walks.walk_of(source, *nearest), f"{error} Shown meanwhile: {nearest.text}."
            except InputError:  # another model's input
                continue
        raise
    keys.READ.set(wanted)
    return found, ""


def show_reading(walk: Walk, wanted: Reading) -> None:
    """What is read and what this very pass says, marked where it is wrong, and ways to read something else.

    A place of the answer can be chosen: it is the place being predicted, kept as "place" (a row of the logits).
    """
    config = walk.model.config
    typed = [token for token in _typed(walk) if token != PAD]
    right = [] if wanted.target else [*answer(typed, config.task), EOS]
    rows = (walk.batch.labels[0] != PAD).nonzero()[:, 0].tolist()
    says = {}
    for place, (row, token) in enumerate(zip(rows, walk.predicted, strict=True)):
        name = decode([token], config.task)[0]
        says[row] = f":red[~~{name}~~]" if right and [token] != right[place : place + 1] else name
    st.html(f'<div class="toks">{style.tokens(decode(typed, config.task))} →</div>', width="content")
    if keys.PLACE.get() not in says:
        keys.PLACE.set(None)
    st.pills(
        "Place being predicted",
        list(says),
        key=keys.PLACE.name,
        format_func=says.__getitem__,
        label_visibility="collapsed",
        persist_state="session",
        help="Click a token of the answer to mark the row that predicts it.",
    )
    if wanted.said is not None:
        st.html(f'<span class="small soft">next, with {percent(walk.next_probability)}</span>', width="content")
        _token_by_token(walk, wanted.said)
    own = wanted.target is None and wanted.said is None and config.model.architecture != "encoder-only"
    if own and walk.predicted != right:
        st.caption(
            ":orange[The labels are the model's own answer, which is what its decoder reads. With **Right answer** "
            "it reads the right one, as in training (teacher forcing).]"
        )
    if len(typed) < task_of(config.task).min_source_length:
        st.caption(f":orange[This model has learned {state.lengths(config)}; on {len(typed)} it can only guess.]")


def _token_by_token(walk: Walk, said: int) -> None:
    """The decoding loop by hand: what is said is read back in before the next token is said."""
    done = walk.next_token == EOS or said >= task_of(walk.model.config.task).max_answer_length
    for label, icon, disabled, count in (
        ("Unsay", "undo", said == 0, said - 1),
        ("Say one", "add", done, said + 1),
        ("Say all", "done_all", False, None),
    ):
        st.button(label, icon=f":material/{icon}:", disabled=disabled, on_click=_say, args=(count,))


def _say(count: int | None) -> None:
    keys.SAID.set(count)


def _give_right_answer(task: TaskConfig) -> None:
    with contextlib.suppress(InputError):  # what is wrong with the input is said already
        typed = encode(keys.INPUT.get() or "", task)
        keys.TARGET.set(text_of(answer(typed, task), task))
        keys.SAID.set(None)


def _draw_example(task: TaskConfig) -> None:
    keys.INPUT.set(random_example(task, secrets.randbits(32)))
    keys.TARGET.set("")
    keys.SAID.set(None)
    keys.PLACE.set(None)


def _typed(walk: Walk) -> list[int]:
    """The source as it is read: before SEP where there is no encoder."""
    if walk.batch.source is not None:
        return walk.batch.source[0].tolist()
    assert walk.batch.target is not None
    row = walk.batch.target[0].tolist()
    return row[: row.index(SEP)]


def look() -> tuple[Look, str]:
    """What of the tensor is looked at, and a sentence if a link named no cell at all."""
    text, cell, problem = keys.CELL.get(), None, ""
    if text:
        numbers = text.split(".")
        if len(numbers) in (2, 3) and all(number.isdecimal() and len(number) < 6 for number in numbers):
            cell = tuple(map(int, numbers))
        else:
            problem = (
                f"“{text[:20]}” is no cell; a cell is a row and a column, like 2.3, behind its head if there are any."
            )
    return (
        Look(
            cell=cell,
            head=keys.HEAD.get(),
            heads=keys.HEADS.get(),
            columns=keys.COLUMNS.get(),
            place=keys.PLACE.get(),
            gradient=keys.GRADIENT.get(),
            table=keys.TABLE.get(),
        ),
        problem,
    )


def keep_look(seen: Look) -> None:
    """Puts it where `look` finds it; place and gradient have widgets of their own."""
    keys.CELL.set(".".join(map(str, seen.cell)) if seen.cell else None)
    keys.HEAD.set(seen.head)
    keys.HEADS.set(seen.heads)
    keys.COLUMNS.set(seen.columns)
    keys.TABLE.set(seen.table)
