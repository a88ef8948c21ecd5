"""The command line, `python -m playground ...`; one module per command."""

from playground.cli import (
    ablate_command,
    attribute_command,
    benchmark_command,
    check_command,
    circuit_command,
    evaluate_command,
    examine_command,
    export_command,
    generate_command,
    grade_command,
    hub_commands,
    influence_command,
    inspect_command,
    sweep_command,
    trace_command,
    train_command,
)
from playground.cli.commands import app

__all__ = [
    "ablate_command",
    "app",
    "attribute_command",
    "benchmark_command",
    "check_command",
    "circuit_command",
    "evaluate_command",
    "examine_command",
    "export_command",
    "generate_command",
    "grade_command",
    "hub_commands",
    "influence_command",
    "inspect_command",
    "sweep_command",
    "trace_command",
    "train_command",
]
