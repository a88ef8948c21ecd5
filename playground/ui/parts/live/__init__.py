"""Parts of a page that move by the event stream."""
