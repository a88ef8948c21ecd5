"""A person's acts in a component: each is sent until the page confirms it, and is carried out once.

The client is acts.js.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from playground.ui.session import session_keys as keys

_MOST = 1000  # acts in one message; a browser may send anything


def answer(component: keys.Key[Any]) -> dict[str, Any]:
    """Part of the component's data: the confirmation that tells the browser which acts to send again."""
    known = keys.HEARD.of(component.name).get()
    return {"session": known["session"], "heard": known["serial"]}


def received(component: keys.Key[Any]) -> Iterator[tuple[str, str, Any]]:
    """Acts of a component since the last script run, see `pending`."""
    return pending((component.get() or {}).get("acts"), keys.HEARD.of(component.name).get())


def pending(message: Any, heard: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """The acts (verb, id of the object, value) that are new since `heard`.

    An act is confirmed when the next one is requested, because Streamlit can abort the caller for a newer script run.
    """
    if not isinstance(message, dict) or message.get("session") != heard["session"]:
        return
    acts = message.get("acts")
    for each in acts[:_MOST] if isinstance(acts, list) else ():
        if isinstance(each, list) and len(each) == 4 and type(each[0]) is int and each[0] > heard["serial"]:
            yield str(each[1]), str(each[2]), each[3]
            heard["serial"] = each[0]


def presses(component: keys.Key[Any], actions: Iterable[str]) -> dict[str, int]:
    """How often each action was requested in a component since the last call; negative: backwards."""
    counts = dict.fromkeys(actions, 0)
    for verb, _, by in received(component):
        if verb in counts and type(by) is int:
            counts[verb] = max(-_MOST, min(_MOST, counts[verb] + by))
    return {action: count for action, count in counts.items() if count}
