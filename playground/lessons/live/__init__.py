"""What the lessons compute: one module a lesson."""
