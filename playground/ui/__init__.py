"""The screen: the only modules that use Streamlit and its session state."""
