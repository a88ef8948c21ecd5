"""What each part of a trained model does: change it, read it, and replace it."""
