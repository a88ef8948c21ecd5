"""User interface: the only package that uses Streamlit and its session state."""
