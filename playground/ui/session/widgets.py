"""Widgets that are replaced when they should show another value."""

from typing import Any, TypeVar

from playground.ui.session.session_keys import Key

WIDGETS = Key[dict[str, tuple[int, Any]]](
    "widgets", dict, "Serial number and first value of widgets, see `widgets.key_showing`"
)

T = TypeVar("T")


def key_showing(family: Key[T], value: T, *, unless: bool = False) -> tuple[Key[T], T]:
    """Key and initial value of a widget that shows `value`; a new key if the current widget has another value.

    Setting another value on an existing widget doesn't last: a browser that has not drawn it yet reports the previous
    value as if it had been chosen. A new widget is not in that report, and the callback of the replaced one checks
    `is_current`. `unless` keeps the widget whatever its value is. The last gap in the name of `family` is for a number.
    """
    widgets = WIDGETS.get()
    serial, begun = widgets.setdefault(family.name, (0, value))
    key = family.of(serial)
    if (key.get() if key.is_set() else begun) != value and not unless:
        serial, begun = widgets[family.name] = (serial + 1, value)
    return family.of(serial), begun


def forget(prefix: str) -> None:
    """Forget the values of widgets whose family has a name that begins like this: they may be private."""
    widgets = WIDGETS.get()
    for name in [name for name in widgets if name.startswith(prefix)]:
        del widgets[name]


def is_current(key: Key[Any]) -> bool:
    """True if a key from `key_showing` belongs to the current widget."""
    family, _, serial = key.name.rpartition(" ")
    drawn, _ = WIDGETS.get().get(f"{family} {{}}", (None, None))
    return drawn == int(serial)
