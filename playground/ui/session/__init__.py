"""What a visitor has: their session, their view of each page and its address, their runs and folders."""
