"""The proof of engine ``impact``: a tree of abstract states, its checker, and runs against it."""
