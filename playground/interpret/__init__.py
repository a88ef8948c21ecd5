"""Interpretability without a screen: parts of a model are switched off, replaced and read."""
