"""Checkpoints on disk: file validation, folder format, zip archives, libraries and model cards."""
