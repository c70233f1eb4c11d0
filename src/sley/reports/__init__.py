"""A result for a human or a machine: pure functions from results to text; nothing here prints."""
