"""Names for runs that people can say aloud and tell apart."""

import secrets
from collections.abc import Container
from itertools import count


def _words(text: str) -> list[str]:
    return text.split()


_FIRST = _words(
    "amber bold brave bright calm clear clever cosy crisp dapper eager fair fleet gentle golden grand happy jolly "
    "keen kind light lively lucky mellow merry neat noble patient plucky polite proud quick quiet rapid ready silver "
    "sly snug steady sunny swift tidy warm wise witty young "
)
_SECOND = _words(
    "badger beaver birch bison cedar crane cricket daisy deer dolphin eagle falcon fern finch fox gecko hare hazel "
    "heron ibis iris jay koala lark lemur lily lynx magpie maple marten mole moth newt olive orca otter owl panda "
    "pike poppy puffin quail raven robin rowan salmon seal sparrow squid stork swan thrush tiger trout tulip walrus "
    "willow wren yew zebra "
)


def new_name(taken: Container[str]) -> str:
    """A name like "amber-fox" that is not among `taken`."""
    for _ in range(100):
        name = f"{secrets.choice(_FIRST)}-{secrets.choice(_SECOND)}"
        if name not in taken:
            return name
    return f"{name}-{secrets.token_hex(3)}"


def new_sweep_name(wanted: str, taken: Container[str]) -> str:
    """`wanted`, with a number behind it where that name is taken."""
    numbered = (f"{wanted} ({number})" if number > 1 else wanted for number in count(1))
    return next(name for name in numbered if name not in taken)
