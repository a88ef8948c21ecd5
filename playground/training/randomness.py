"""Randomness that belongs to one run, although torch has one generator for all."""

import torch


class PrivateRandomness:
    """Dropout draws from torch's global generator; inside this context that generator is this run's own."""

    def __init__(self, seed: int) -> None:
        self.needed = False
        self.state = torch.Generator().manual_seed(seed).get_state()

    def __enter__(self) -> None:
        if self.needed:
            self.outside = torch.get_rng_state()
            torch.set_rng_state(self.state)

    def __exit__(self, *_error: object) -> None:
        if self.needed:
            self.state = torch.get_rng_state()
            torch.set_rng_state(self.outside)
