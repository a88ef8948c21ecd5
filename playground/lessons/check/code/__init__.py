"""A student's code: loaded from a file, opened as a function of named arguments, called and recorded."""
