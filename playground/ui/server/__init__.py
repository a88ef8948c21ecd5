"""Middleware of every request, the event stream, and work queues for browsers' requests."""
