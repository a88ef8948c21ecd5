"""Timings of this project alone, beside their goals; `python -m playground benchmark` compares it with others."""
