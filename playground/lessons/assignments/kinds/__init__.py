"""The kinds of parts of an assignment, one a file; `kind_table` lists them."""
