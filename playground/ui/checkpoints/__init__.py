"""The Checkpoints page: the library, the Hub, and who is signed in there."""
