"""What is looked at: a model, at a training step, and what it reads; kept in the session and the page's address."""

import contextlib
import secrets
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from playground.config import RunConfig, TaskConfig
from playground.figures import share
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
)
from playground.ui.parts import style
from playground.ui.session import state, walks
from playground.ui.step.tensors import Look

VIEW = {
    "model": "source",
    "hub": "hub",
    "run": "linked_run",
    "step": "at_step",
    "operation": "operation",
    "input": "input",
    "target": "target",
    "said": "said",
    "padding": "padding",
    "place": "place",
    "cell": "cell",
    "head": "head",
    "heads": "heads",
    "columns": "columns",
    "gradient": "gradient",
    "table": "table",
}
"""Words of the address and keys of the session."""

USUAL = {"padding": 0, "heads": 0, "columns": 0, "gradient": False, "table": False}
"""What needs no word in the address."""


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
    if (wanted := st.session_state.get("source")) not in names:
        st.session_state["source"] = names[0] if run else names[-1]
        if wanted and wanted != state.RUN:
            style.told(f"There is no model “{wanted[:64]}” here; this is another one.", "care")
    name = which.selectbox(
        "Model",
        names,
        key="source",
        format_func=lambda name: "The current run" if name == state.RUN else f"Checkpoint {name}",
        persist_state="session",
    )
    st.session_state["linked_run"] = run.id if run and name == state.RUN else None
    return name


def open_source(name: str, run: Run | None, step: int | None) -> walks.Source:
    """The model with this name, where it is the run's at a step; raises `CheckpointError`."""
    if run is not None and name == state.RUN:
        return state.run_source(run, step)
    return state.checkpoint_source(name)


def choose_input(config: RunConfig, own: DeltaGenerator, read: DeltaGenerator, more: DeltaGenerator) -> Reading:
    """What the model reads, as typed."""
    example = example_text(config.task)
    if st.session_state.get("input") in (None, st.session_state.get("example")):
        st.session_state["input"] = example  # an input of one's own stays, an example follows the model
    st.session_state["example"] = example
    text = own.text_input(
        "Your input",
        key="input",
        persist_state="session",
        help=f"Symbols 0 to {config.task.vocab_size - 1} with spaces between; "
        f"the model has learned {state.lengths(config)}.",
    )
    encoder_only = config.model.architecture == "encoder-only"
    target = read.text_input(
        "The labels are" if encoder_only else "The decoder reads",
        key="target",
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
                args=(None if _number("said") is not None else 0,),
                help="Begin with nothing said: the decoder says one token, reads it, and says the next.",
            )
            st.button(
                "Right answer",
                icon=":material/check:",
                type="tertiary",
                on_click=_give_right_answer,
                args=(config.task,),
                help="Lets the decoder read what it should say, as in training: then the loss is that of training.",
            )
        st.button("Random", icon=":material/casino:", type="tertiary", on_click=_draw_example, args=(config.task,))
        with st.popover("Padding", icon=":material/space_bar:", type="tertiary"):
            st.session_state["padding"] = _number("padding") or 0
            st.number_input(
                "PAD behind the input",
                min_value=0,
                key="padding",
                persist_state="session",
                help="Padding fills a batch up to one length; the mask keeps everybody from looking at it.",
            )
    return as_now(Reading(text, target.strip() or None), config)


def as_now(wanted: Reading, config: RunConfig) -> Reading:
    """The reading with what can change below the boxes; an encoder-only model says its answer at once."""
    said = None if config.model.architecture == "encoder-only" else _number("said")
    return wanted._replace(said=said, padding=_number("padding") or 0)


def read(source: walks.Source, wanted: Reading) -> tuple[Walk, str]:
    """The pass over what was asked for or, where that cannot be, the nearest that can, and a sentence that says so.

    What the person typed stays as it is. Raises `NotFiniteError`, and `InputError` where not even an example fits.
    """
    config = source.model.config
    try:
        found = walks.walk_of(source, *wanted)
    except OutOfRangeError as error:
        if error.setting == "said":
            st.session_state["said"] = error.nearest
            return read(source, wanted._replace(said=error.nearest))[0], str(error)
        return read(source, wanted._replace(padding=error.nearest or 0))[0], str(error)
    except InputError as error:
        for nearest in (st.session_state.get("read"), Reading(example_text(config.task))):
            try:
                if nearest:
                    return walks.walk_of(source, *nearest), f"{error} Shown meanwhile: {nearest.text}."
            except InputError:  # another model's input
                continue
        raise
    st.session_state["read"] = wanted
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
    for place, (row, token) in enumerate(zip(rows, walk.said, strict=True)):
        name = decode([token], config.task)[0]
        says[row] = f":red[~~{name}~~]" if right and [token] != right[place : place + 1] else name
    st.html(f'<div class="toks">{style.tokens(decode(typed, config.task))} →</div>', width="content")
    if _number("place") not in says:
        st.session_state["place"] = None
    st.pills(
        "Place being predicted",
        list(says),
        key="place",
        format_func=says.__getitem__,
        label_visibility="collapsed",
        persist_state="session",
        help="Click a token of the answer to mark the row that predicts it.",
    )
    if wanted.said is not None:
        st.html(f'<span class="small soft">next, with {share(walk.next_probability)}</span>', width="content")
        _token_by_token(walk, wanted.said)
    own = wanted.target is None and wanted.said is None and config.model.architecture != "encoder-only"
    if own and walk.said != right:
        st.caption(
            ":orange[The labels are the model's own answer, which is what its decoder reads. With **Right answer** "
            "it reads the right one, and the loss is that of training.]"
        )
    if len(typed) < config.task.min_length:
        st.caption(f":orange[This model has learned {state.lengths(config)}; on {len(typed)} it can only guess.]")


def _token_by_token(walk: Walk, said: int) -> None:
    """The decoding loop by hand: what is said is read back in before the next token is said."""
    done = walk.next_token == EOS or said >= walk.model.config.task.max_length
    for label, icon, disabled, count in (
        ("Unsay", "undo", said == 0, said - 1),
        ("Say one", "add", done, said + 1),
        ("Say all", "done_all", False, None),
    ):
        st.button(label, icon=f":material/{icon}:", disabled=disabled, on_click=_say, args=(count,))


def _say(count: int | None) -> None:
    st.session_state["said"] = count


def _give_right_answer(task: TaskConfig) -> None:
    with contextlib.suppress(InputError):  # what is wrong with the input is said already
        typed = encode(st.session_state["input"], task)
        st.session_state["target"] = " ".join(decode(answer(typed, task), task))
        st.session_state["said"] = None


def _draw_example(task: TaskConfig) -> None:
    st.session_state["input"] = random_example(task, secrets.randbits(32))
    st.session_state["target"] = ""
    st.session_state["said"] = st.session_state["place"] = None


def _typed(walk: Walk) -> list[int]:
    """The source as it is read: before SEP where there is no encoder."""
    if walk.batch.source is not None:
        return walk.batch.source[0].tolist()
    assert walk.batch.target is not None
    row = walk.batch.target[0].tolist()
    return row[: row.index(SEP)]


def look() -> tuple[Look, str]:
    """What of the tensor is looked at, and a sentence if a link named no cell at all."""
    text, cell, problem = st.session_state.get("cell"), None, ""
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
            head=_number("head"),
            heads=_number("heads") or 0,
            columns=_number("columns") or 0,
            place=_number("place"),
            gradient=_flag("gradient"),
            table=_flag("table"),
        ),
        problem,
    )


def keep_look(seen: Look) -> None:
    """Puts it where `look` finds it; place and gradient have widgets of their own."""
    st.session_state["cell"] = ".".join(map(str, seen.cell)) if seen.cell else None
    for key in ("head", "heads", "columns", "table"):
        st.session_state[key] = getattr(seen, key)


def _flag(key: str) -> bool:
    """A switch of the session that may have come as text in a link."""
    value = st.session_state.get(key)
    if isinstance(value, str):
        st.session_state[key] = value = value == "True"
    return bool(value)


def _number(key: str) -> int | None:
    """A number of the session that may have come as text in a link; what is none counts as not there."""
    value = st.session_state.get(key)
    if isinstance(value, str):
        value = int(value) if value.isdecimal() and len(value) < 5 else None
        st.session_state[key] = value
    return value
