"""What holds for every test: one thread, the same examples each time, and the limits of a shared host."""

import os

os.environ.pop("PLAYGROUND_SIZE_FACTOR", None)  # read when playground.config is imported

import torch
from hypothesis import HealthCheck, settings

torch.set_num_threads(1)
settings.register_profile(
    "playground", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("playground")
