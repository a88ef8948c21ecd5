"""Load benchmarks, `python -m tests.load`, and a test that no visitor sees another's data."""
