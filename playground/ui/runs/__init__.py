"""What pages about a run share."""
