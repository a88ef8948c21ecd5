"""Parts of a page that are updated by the event stream."""
