"""The picture of the model, and the position in a pass that it shares with the outline."""
