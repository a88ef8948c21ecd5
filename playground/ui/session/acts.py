"""What a person does in a component: each act is sent until the page confirms it, and is done once.

The browser's half is acts.js.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from playground.ui.session import session_keys as keys

_MOST = 1000  # in one message; a browser may say anything


def answer(component: keys.Key[Any]) -> dict[str, Any]:
    """What the browser has to know to send what was not heard yet: a part of the component's data."""
    known = keys.HEARD.of(component.name).get()
    return {"session": known["session"], "heard": known["serial"]}


def received(component: keys.Key[Any]) -> Iterator[tuple[str, str, Any]]:
    """Acts of a component since the last run, see `pending`."""
    return pending((component.get() or {}).get("acts"), keys.HEARD.of(component.name).get())


def pending(message: Any, heard: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """The acts (verb, id of what it is done to, value) that are new since `heard`.

    An act counts as heard once the next is asked for: Streamlit may break off whoever does it, for a newer drawing.
    """
    if not isinstance(message, dict) or message.get("session") != heard["session"]:
        return
    acts = message.get("acts")
    for each in acts[:_MOST] if isinstance(acts, list) else ():
        if isinstance(each, list) and len(each) == 4 and type(each[0]) is int and each[0] > heard["serial"]:
            yield str(each[1]), str(each[2]), each[3]
            heard["serial"] = each[0]


def presses(component: keys.Key[Any], actions: Iterable[str]) -> dict[str, int]:
    """How often each of these actions was asked for in a component since the last time; below 0: backwards."""
    counts = dict.fromkeys(actions, 0)
    for verb, _, by in received(component):
        if verb in counts and type(by) is int:
            counts[verb] = max(-_MOST, min(_MOST, counts[verb] + by))
    return {action: count for action, count in counts.items() if count}
