"""Each engine, joined with the checker of its proofs; ``engines`` imports the one that is asked for."""
