"""Tensors as heatmaps."""
