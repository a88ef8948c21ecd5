"""A person's acts in a component: each is sent until the page confirms it, and is carried out once.

The client is acts.ts.
"""

import secrets
from collections.abc import Callable, Iterable
from typing import Any

from playground.ui.session import session_keys as keys
from playground.ui.session.session_keys import Key

HEARD = Key[dict[str, Any]](
    "{} heard",
    lambda: {"session": secrets.token_hex(8), "serial": 0},
    "Number of confirmed acts of the component with this key",
)

_MOST = 1000  # acts in one message; a browser may send anything


def answer(component: keys.Key[Any]) -> dict[str, Any]:
    """Part of the component's data: the confirmation that tells the browser which acts to send again."""
    known = HEARD.of(component.name).get()
    return {"session": known["session"], "heard": known["serial"]}


def carry_out(component: keys.Key[Any], act: Callable[[str, str, Any], object]) -> None:
    """Call `act(verb, id of the object, value)` for each new act of a component.

    An act that raises an exception is confirmed, too, since it would fail again; the exception ends the call. If
    Streamlit aborts the script run meanwhile, the act isn't confirmed, and the browser sends it again.
    """
    carry_out_new((component.get() or {}).get("acts"), HEARD.of(component.name).get(), act)


def carry_out_new(message: Any, heard: dict[str, Any], act: Callable[[str, str, Any], object]) -> None:
    """The same for the acts in a message that are new since `heard`."""
    if not isinstance(message, dict) or message.get("session") != heard["session"]:
        return
    acts = message.get("acts")
    for sent in acts[:_MOST] if isinstance(acts, list) else ():
        if isinstance(sent, list) and len(sent) == 4 and type(sent[0]) is int and sent[0] > heard["serial"]:
            try:
                act(str(sent[1]), str(sent[2]), sent[3])
            except Exception:
                heard["serial"] = sent[0]
                raise
            heard["serial"] = sent[0]


def presses(
    component: keys.Key[Any], actions: Iterable[str], other: Callable[[str, Any], object] = lambda verb, value: None
) -> dict[str, int]:
    """Number of requests of each action in a component since the last call; negative: backwards.

    `other(verb, value)` is called for each act that is none of the actions.
    """
    counts = dict.fromkeys(actions, 0)

    def count(verb: str, _id: str, by: Any) -> None:
        if verb not in counts:
            other(verb, by)
        elif type(by) is int:
            counts[verb] = max(-_MOST, min(_MOST, counts[verb] + by))

    carry_out(component, count)
    return {action: count for action, count in counts.items() if count}
