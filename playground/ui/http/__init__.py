"""Every address that browsers ask besides pages, in one table, and how the server starts and ends."""
