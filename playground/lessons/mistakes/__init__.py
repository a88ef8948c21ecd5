"""Classic mistakes: one row each in `table`, and the ways to make them in this project's modules."""
