"""A visitor's data: session, view and address of each page, runs and folders."""
