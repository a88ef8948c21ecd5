"""Models on the Hugging Face Hub: inspect, pull, push, list, by the Hub's own library.

Every call takes the visitor's token explicitly, or False for none; the host's own account is never used. Importing or
calling this package changes no setting of that library.
"""
