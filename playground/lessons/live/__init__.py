"""The computed values of the lessons: one module a lesson."""
