"""A model as one of another package, with the same logits: one module a kind of model there."""
