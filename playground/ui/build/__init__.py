"""The Build page: a first look at a trained model."""
