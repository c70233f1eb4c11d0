"""The proof of engine ``explore``: a closed set of states, its checker, and runs against it."""
