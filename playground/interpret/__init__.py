"""What each part of a model does: parts are switched off, replaced and read, without a screen."""
