"""Random runs that are led to places where something may go wrong."""
