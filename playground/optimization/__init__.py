"""Optimizers and learning rate schedules: one row each, which everything else reads.

Settings name them, so these modules stand below the settings and import torch only inside functions.
"""
