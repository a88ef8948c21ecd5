"""The picture of the model as a map, and the way through a pass that it shares with the outline."""
