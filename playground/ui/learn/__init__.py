"""The Learn page: formulas, code and tensors of one model side by side."""
