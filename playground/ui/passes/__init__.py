"""What pages about one forward pass share."""
