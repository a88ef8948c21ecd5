"""Settings and their bounds, presets, the limits of the host, the estimated cost of a run."""
