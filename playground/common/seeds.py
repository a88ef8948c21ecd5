"""Random streams of a run."""

import hashlib


def seed_of(seed: int, stream: str) -> int:
    """The seed of one of a run's random streams: "data", "dropout" or the name of a parameter.

    A hash of 32 bits, which is all that torch's generators on the CPU use.
    """
    return int.from_bytes(hashlib.sha256(f"{seed} {stream}".encode()).digest()[:4])
