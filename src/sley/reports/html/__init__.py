"""A result as a page of its own: one file without links, which opens from disk."""
