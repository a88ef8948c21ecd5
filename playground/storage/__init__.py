"""Checkpoints on disk: validation of foreign files, the folder format, zip archives, libraries, model cards."""
