"""The version of this program, as `pyproject.toml` has it."""

VERSION = "0.1.0"
