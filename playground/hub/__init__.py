"""Models on the Hugging Face Hub: look, pull, push, list.

Every call takes the visitor's token explicitly, or False for none; nothing of the host's own account is ever used.
Importing or calling this package changes nothing of the process: no environment variable, no global of another library.
"""
