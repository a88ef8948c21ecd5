"""Charts and the diagram of the architecture, without the screen."""
