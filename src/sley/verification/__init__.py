"""The use case: from a task to a checked result."""
