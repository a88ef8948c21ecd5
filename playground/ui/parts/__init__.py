"""What pages are made of: used by more than one of them."""
