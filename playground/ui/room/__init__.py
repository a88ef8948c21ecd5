"""Rooms of a class on the screen: who may do what, and what each seat shows."""
