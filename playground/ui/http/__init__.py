"""All HTTP routes besides pages, in one table, and start and shutdown of the server."""
