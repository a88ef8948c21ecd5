"""Questions that several runs answer together: sweeps, comparisons, and the measurement against peers."""
