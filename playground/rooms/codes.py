"""Codes of rooms and names of seats, both dealt at random."""

import secrets
from collections.abc import Collection

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Signs of a code: without 0, O, 1, I and L, which look alike."""

LENGTH = 6
"""Signs of a code."""

_ADJECTIVES = """Able Agile Amber Bold Brave Bright Brisk Calm Careful Cheerful Clever Cosy Curious Daring Eager Early
Fair Fast Fearless Friendly Gentle Glad Golden Happy Honest Humble Keen Kind Lively Loyal Lucky Mellow Merry Modest
Neat Nimble Patient Playful Polite Proud Quick Quiet Rapid Ready Sharp Silent Silver Smart Smooth Sunny Swift Tidy
Trusty Vivid Warm Wise Witty"""

_ANIMALS = """Ant Badger Bear Beaver Bee Bison Camel Cat Cheetah Crab Crane Crow Deer Dolphin Dove Duck Eagle Elk Falcon
Ferret Finch Fox Frog Gecko Goat Goose Hare Hawk Hedgehog Heron Horse Ibis Jay Koala Lark Lemur Lion Lizard Llama Lynx
Magpie Marten Mole Moose Mouse Newt Otter Owl Panda Parrot Penguin Puffin Rabbit Raven Robin Salmon Seal Sparrow Squid
Stork Swan Tiger Toad Turtle Whale Wolf Wren Yak Zebra"""


def new_code(used: Collection[str]) -> str:
    """A code that no other room has."""
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        if code not in used:
            return code


def parse_code(text: str) -> str:
    """The code as typed, in capitals and without spaces and hyphens; empty if it can't be one."""
    code = text.upper().replace(" ", "").replace("-", "")
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else ""


def shown(code: str) -> str:
    """A code as people read it: `K7P 4QX`."""
    return f"{code[:3]} {code[3:]}"


def deal(used: Collection[str]) -> str:
    """A name that no other seat of the room has, such as Curious Cat."""
    while True:
        name = f"{secrets.choice(_ADJECTIVES.split())} {secrets.choice(_ANIMALS.split())}"
        if name not in used:
            return name
