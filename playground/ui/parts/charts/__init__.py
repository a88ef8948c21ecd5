"""Charts over training steps."""
