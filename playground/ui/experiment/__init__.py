"""The Experiment page: what each part of a model does."""
