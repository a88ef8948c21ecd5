"""Imported once by the fork server, so that every worker starts with torch loaded: 20 ms instead of seconds."""

import torch

import playground.runs.replays  # noqa: F401
from playground.settings.config import RunConfig
from playground.settings.presets import PRESETS
from playground.tasks.batches import Sequences
from playground.training import train

torch.set_num_threads(1)
for _ in train(RunConfig().updated({"training.steps": 1, "task.max_length": 2})):
    pass  # the first step initializes much of torch
for preset in PRESETS.values():
    Sequences.of(preset.config.task).held_out()
