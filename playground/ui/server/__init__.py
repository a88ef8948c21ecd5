"""What every request passes through, the event stream, and work that is done for browsers."""
