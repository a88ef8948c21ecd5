"""Randomness that belongs to one run, although torch has one generator for all."""

import torch
from torch import Tensor


class PrivateRandomness:
    """Dropout draws from torch's global generator of a device; inside this context it is this run's own."""

    def __init__(self, seed: int, device: torch.device) -> None:
        self.needed, self.device = False, device
        self.state = torch.Generator(device).manual_seed(seed).get_state()

    def __enter__(self) -> None:
        if self.needed:
            self.outside = self._now()
            self._set(self.state)

    def __exit__(self, *_error: object) -> None:
        if self.needed:
            self.state = self._now()
            self._set(self.outside)

    def _now(self) -> Tensor:
        return torch.cuda.get_rng_state(self.device) if self.device.type == "cuda" else torch.get_rng_state()

    def _set(self, state: Tensor) -> None:
        if self.device.type == "cuda":
            torch.cuda.set_rng_state(state, self.device)
        else:
            torch.set_rng_state(state)
