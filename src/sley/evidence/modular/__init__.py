"""The proof of engine ``modular``: invariants of a few threads, its checker, and runs against it."""
