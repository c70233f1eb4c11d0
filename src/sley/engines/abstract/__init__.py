"""Thread-modular abstract interpretation: one thread at a time, whatever the others do."""
