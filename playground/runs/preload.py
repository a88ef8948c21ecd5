"""Imported once by the fork server, so that every worker starts with torch loaded: 20 ms instead of seconds.

No backward pass runs here: where torch finds a GPU, the first one starts threads, and no forked process could have one.
"""

import torch

import playground.runs.replays  # noqa: F401
from playground.settings.presets import PRESETS
from playground.tasks.batches import Sequences

torch.set_num_threads(1)
for preset in PRESETS.values():
    Sequences.of(preset.config.task).held_out()
