"""Sign-in, pushes, pulls and questions to the Hub, for all pages."""
