"""Parts about a run that several pages use: settings, cost, status, saving and sharing."""
