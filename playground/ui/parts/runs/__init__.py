"""What several pages show of a run: its settings, its cost, its status, saving and sharing it."""
