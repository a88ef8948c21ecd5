"""What a person sets: every setting and its bounds, presets, the limits of the host, what a run will cost."""
