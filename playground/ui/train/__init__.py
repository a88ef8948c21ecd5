"""The Train page: one run, runs compared, and sweeps."""
