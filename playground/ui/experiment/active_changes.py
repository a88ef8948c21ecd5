"""The active changes of the Experiment page: chosen in a grid or a form, listed, and kept in the address."""

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import streamlit as st
import torch
from torch import Tensor

from playground.common.bounded_cache import KEPT_SETTINGS
from playground.common.errors import sentences
from playground.common.numbers import counted
from playground.interpret.interventions import MAX_INTERVENTIONS, Intervention, InterventionError, parse
from playground.interpret.sites import Site, named, sites, words
from playground.settings.config import RunConfig, TaskConfig
from playground.tasks import PAD, InputError, answer, encode, text_of, token_names
from playground.tasks.batches import Sequences
from playground.ui.parts import style
from playground.ui.passes import subject
from playground.ui.passes.frame import Pass, redraw
from playground.ui.server.assets import loader
from playground.ui.session import acts, sources
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParam, between, one_of
from playground.ui.session.flash import flash
from playground.ui.session.session_keys import Key

CHANGE_FACTOR = Key[float]("change factor", 0.5, "Widget: factor of the next change")
CHANGE_INDEX = Key[str]("change index", "", "Widget: index of a number to edit")
CHANGE_SITE = Key[str | None]("change site", None, "Widget: tensor to edit")
CHANGE_VALUE = Key[float | None]("change value", None, "Widget: new value of a number")
EDIT_PROBLEM = Key[str]("edit problem", "", "Why a number was not edited")
SWITCHES = Key[Any]("switches", None, "Component: parts of the model")

OPERATIONS = {"zero": "Switch off", "mean": "Mean", "patch": "Patch", "scale": "Scale"}
_SEPARATOR = ";"
_MAX_FACTOR = 100.0
_MAX_PROBLEMS = 3
"""Maximum number of error messages for invalid changes in a link."""


PARAMS = (
    QueryParam("changes", keys.CHANGES, longest=6000),
    QueryParam("adds", keys.CHANGE_OPERATION, one_of(OPERATIONS)),
    QueryParam("factor", CHANGE_FACTOR, between(-_MAX_FACTOR, _MAX_FACTOR)),
    QueryParam("other", keys.CHANGE_OTHER),
)

_switches = st.components.v2.component(
    "playground_switches", html='<div class="switches"></div>', js=loader("experiment/switches.ts")
)


class Changes(NamedTuple):
    """The changes that the current model allows, and error messages for the others."""

    active: tuple[Intervention, ...]
    problems: tuple[str, ...]


def choose(shown: Pass) -> Changes:
    """Draw the grid of parts, the list of active changes and the form for a number; returns the changes."""
    config = shown.walk.model.config
    changes = read_changes(keys.CHANGES.get(), config)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _draw_switches(changes.active, config)
    with right:
        with st.container():  # however many elements it has, the form stays the second one, and open
            _list(changes, config)
        _edit(shown, config)
    return changes


def warn(changes: Changes, other: str, text: str, config: RunConfig) -> None:
    """Draw why patches can't come from the other input, if one is typed or needed."""
    needed = keys.CHANGE_OTHER.get() or any(change.operation == "patch" for change in changes.active)
    if needed and (problem := problem_with_other(other, text, config)):
        style.message(problem, "wrong")


def read_changes(text: str, config: RunConfig) -> Changes:
    """The changes that this model allows, and error messages for the others."""
    active: dict[Intervention, None] = {}
    problems: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(_SEPARATOR))):
        try:
            active[parse(part, config)] = None
        except InterventionError as error:
            problems.append(sources.plain(error))
    if len(problems) > _MAX_PROBLEMS:
        problems = [*problems[:_MAX_PROBLEMS], f"{len(problems) - _MAX_PROBLEMS} more changes are not possible."]
    if len(active) > MAX_INTERVENTIONS:
        problems.append(f"A model can have {MAX_INTERVENTIONS} changes. The first {MAX_INTERVENTIONS} are used.")
    return Changes(tuple(active)[:MAX_INTERVENTIONS], tuple(problems))


def _keep(changes: Iterable[Intervention]) -> None:
    keys.CHANGES.set(_SEPARATOR.join(map(str, changes)))


def _add(change: Intervention, config: RunConfig) -> None:
    active = read_changes(keys.CHANGES.get(), config).active
    if len(active) >= MAX_INTERVENTIONS and change not in active:
        flash("change", f"A model can have {MAX_INTERVENTIONS} changes. Remove one first.")
        return
    _keep(dict.fromkeys((*active, change)))


def _remove(change: Intervention, config: RunConfig) -> None:
    _keep(other for other in read_changes(keys.CHANGES.get(), config).active if other != change)


def _switch(site: str, config: RunConfig) -> None:
    """Remove the changes of a whole part or, if it has none, add the chosen one."""
    if site not in sites(config):
        return
    active = read_changes(keys.CHANGES.get(), config).active
    kept = [change for change in active if change.site != site or change.index]
    if len(kept) < len(active):
        _keep(kept)
        return
    operation: Any = keys.CHANGE_OPERATION.get()
    value = CHANGE_FACTOR.get() if operation == "scale" else 0.0
    if abs(value) > _MAX_FACTOR:
        problem = f"Factor {value:g} is not allowed. Use a number from -{_MAX_FACTOR:g} to {_MAX_FACTOR:g}."
        flash("change", problem)
        return
    _add(Intervention(site, operation, value=value), config)


def _mark(change: Intervention) -> str:
    """Short label of a change."""
    if change.operation == "scale":
        return f"×{change.value:g}"
    return {"zero": "off", "mean": "mean", "patch": "patch", "set": f"= {change.value:g}"}[change.operation]


def marks(active: Iterable[Intervention], *sites: str) -> list[str]:
    """Short labels of the changes of these sites as a whole."""
    return [_mark(change) for change in active if change.site in sites and not change.index]


def _sentence(change: Intervention) -> str:
    """Description of a change; its index counts from 0, as in paths."""
    if change.index:
        entry, value = style.code(f"{change.site}{list(change.index)}"), _mark(change)
        return f"{entry} {value}" if change.operation == "set" else f"{entry}: {value}"
    return f"{words(change.site)}: {_mark(change)}"


def choose_operation(text: str, config: RunConfig) -> None:
    """Draw what a click on a part does. `text` is the input."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        operation = st.segmented_control(
            "When you click a part",
            list(OPERATIONS),
            required=True,
            format_func=OPERATIONS.__getitem__,
            help="Switch off: its output is 0. Mean: its output is the mean over 1,000 held-out inputs. Patch: its "
            "output is that of another input. Scale: its output is multiplied by a factor.",
            **keys.CHANGE_OPERATION.widget,
        )
        if operation == "scale":
            st.number_input("Factor", step=0.1, width=130, **CHANGE_FACTOR.widget)
        if operation == "patch":
            choose_other(text, config)


def choose_other(text: str, config: RunConfig) -> None:
    """Draw the field for the input that patches come from; it redraws the whole pass."""
    subject.digits(st.container(), config.task, "other").text_input(
        "Other input",
        placeholder=_suggested(config.task, text),
        help="Patches come from this input, also those of the map of all positions. It must be as long as your "
        "input. If empty, the suggested one is used.",
        on_change=redraw,
        width=260,
        **keys.CHANGE_OTHER.text,
    )


def _draw_switches(active: Sequence[Intervention], config: RunConfig) -> None:
    """Draw the grid of parts: heads, experts and sublayers by layer, the position table."""
    marks: dict[str, str] = {}
    for change in active:
        if not change.index:
            marks[change.site] = f"{marks[change.site]}, {_mark(change)}" if change.site in marks else _mark(change)

    def part(site: Site) -> dict[str, str]:
        inside = site.kind in ("head", "expert")
        number = site.name.rpartition(".")[2]
        label = f"{'S' * ('.shared_expert.' in site.name)}{int(number) + 1}" if inside else "all"
        full = words(site.name) if inside else f"{words(site.name)}, all"
        return {"site": site.name, "label": label, "words": full, "mark": marks.get(site.name, "")}

    rows = []
    for site in (*named(config, "positions"), *named(config, "sublayer")):
        members = (*named(config, "head"), *named(config, "expert"))
        inside = [member for member in members if member.name.startswith(f"{site.name}.")]
        rows.append({"label": words(site.name), "parts": [part(member) for member in (*inside, site)]})
    operation: Any = keys.CHANGE_OPERATION.get()
    adds = _mark(Intervention("", operation, value=CHANGE_FACTOR.get()))

    def act(verb: str, site: str, _value: Any) -> None:
        if verb == "switch":
            _switch(site, config)

    _switches(
        key=SWITCHES.name,
        data={"rows": rows, "adds": adds, **acts.answer(SWITCHES)},
        height="content",
        on_acts_change=partial(acts.carry_out, SWITCHES, act),
    )
    experts = [site.name for site in named(config, "expert")]
    shared = " S is a shared expert." if any(".shared_expert." in name for name in experts) else ""
    style.caption(
        f"Click a head{' or an expert' if experts else ''}, or “all” for its sublayer.{shared} Click again to undo. "
        f"Heads{', experts' if experts else ''} and layers are counted from 1."
    )


def _list(changes: Changes, config: RunConfig) -> None:
    """Draw the active changes, each with a button that removes it."""
    st.markdown(f"**Active changes: {len(changes.active)}**")
    with st.container(horizontal=True, gap="small", key="active-changes"):
        for change in changes.active:
            st.button(
                _sentence(change),
                key=f"remove {change}",
                icon=":material/close:",
                help=f"Remove this change: {style.code(str(change))}",
                on_click=_remove,
                args=(change, config),
            )
        if len(changes.active) > 1:
            st.button("Remove all", key="remove all", icon=":material/delete:", on_click=_keep, args=((),))
    if not changes.active:
        style.caption("No change yet. Click a part, or edit a number.")
    for problem in changes.problems:
        style.message(problem, "wrong")
    style.flashed("change")


def _edit(shown: Pass, config: RunConfig) -> None:
    """Draw a form that edits single numbers of an activation or a weight."""
    editable = {site.name: site for site in sites(config).values() if site.kind in ("tap", "parameter")}
    if CHANGE_SITE.get() not in editable:
        CHANGE_SITE.set(next(iter(named(config, "parameter"))).name)
    with st.expander("Edit a number", icon=":material/edit:"):  # in the page: what follows from it stays in view
        name = st.selectbox("Tensor or weight", list(editable), format_func=str, **CHANGE_SITE.widget)
        tensor, axes = _tensor(shown, editable[name]), editable[name].axes
        rows = token_names(config.task) if axes[0] == "V" else []
        sizes = " × ".join(map(str, tensor.shape))
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            index = st.text_input(
                "Index",
                placeholder=", ".join("0" * tensor.ndim),
                help="As in Python: one index for each axis, from 0.",
                width=150,
                **CHANGE_INDEX.text,
            )
            st.number_input(
                "New value", value=None, format="%.4f", step=0.1, placeholder="Number", width=150, **CHANGE_VALUE.widget
            )
            st.button("Set", key="set", icon=":material/check:", on_click=_set, args=(config,))
        now, problem = _now(tensor, index, rows)
        problem = EDIT_PROBLEM.take() or problem
        style.notice(problem or f"Axes {', '.join(axes)}: {sizes}. {now}", wrong=bool(problem))


def _tensor(shown: Pass, site: Site) -> Tensor:
    """The tensor to edit, without the batch axis."""
    if site.kind == "parameter":
        return shown.walk.model.get_parameter(site.name).detach()
    try:
        return shown.walk[site.name].value[0]
    except KeyError:  # after an overflow
        return torch.zeros(site.sizes(shown.walk.model.config))


def _parts(index: str, axes: int) -> list[str]:
    """The parts of a typed index; zeros if nothing is typed."""
    return index.replace(",", " ").split() or ["0"] * axes


def _now(tensor: Tensor, index: str, rows: Sequence[str]) -> tuple[str, str]:
    """The number at a typed index in words, and what is wrong with the index; `rows` are their tokens, if any."""
    parts = _parts(index, tensor.ndim)
    if len(parts) != tensor.ndim or not all(part.isdecimal() and len(part) < 7 for part in parts):
        return "", f"Type {counted(tensor.ndim, 'whole number')} with spaces or commas between."
    cell = tuple(map(int, parts))
    if not all(index < size for index, size in zip(cell, tensor.shape, strict=True)):
        return "", f"Index out of range. The largest index is {', '.join(str(size - 1) for size in tensor.shape)}."
    token = f", row of token “{rows[cell[0]]}”" if rows else ""
    return f"In the unchanged model: {float(tensor[cell]):.4f}{token}", ""


def _set(config: RunConfig) -> None:
    site = sites(config).get(CHANGE_SITE.get() or "")
    if site is None:
        return
    if (value := CHANGE_VALUE.get()) is None:
        EDIT_PROBLEM.set("Type a number under New value.")
        return
    index = ",".join(_parts(CHANGE_INDEX.get(), len(site.axes)))
    try:
        change = parse(f"{site.name}[{index}]={value!r}", config)
    except InterventionError as error:
        EDIT_PROBLEM.set(sources.plain(error))
    else:
        _add(change, config)


# --- the other input ---


@lru_cache(maxsize=KEPT_SETTINGS)
def _suggested(task: TaskConfig, text: str) -> str:
    """The first held-out input with the length of this one and another answer; empty if there is none."""
    typed = encode(text, task)
    source = Sequences.of(task).held_out()
    for row in source[(source != PAD).sum(1) == len(typed)].tolist():
        tokens = [token for token in row if token != PAD]
        if answer(tokens, task) != answer(typed, task):
            return text_of(tokens, task)
    return ""


def other_input(text: str, config: RunConfig) -> str:
    """Input that patches come from: as typed, or a held-out one; empty if there is none."""
    return (keys.CHANGE_OTHER.get() or "").strip() or _suggested(config.task, text)


def possible(active: Sequence[Intervention], other: str, text: str, config: RunConfig) -> tuple[Intervention, ...]:
    """The changes, without patches if the other input is invalid."""
    if not any(change.operation == "patch" for change in active) or not problem_with_other(other, text, config):
        return tuple(active)
    return tuple(change for change in active if change.operation != "patch")


def problem_with_other(other: str, text: str, config: RunConfig) -> str:
    """Reason why patches can't come from the other input; empty if they can."""
    if not other:
        return "No held-out input has the length of your input. Type the other input."
    try:
        lengths = len(encode(text, config.task)), len(encode(other, config.task))
    except InputError as error:
        return sentences("The other input can't be read.", sources.plain(error))
    if lengths[0] != lengths[1]:
        return f"Your input has length {lengths[0]}, the other input {lengths[1]}. A patch needs equal lengths."
    return ""
