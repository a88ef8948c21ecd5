"""How the app does under many people: `python -m tests.load`, and a test that no visitor sees another's."""
