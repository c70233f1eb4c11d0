"""Engine ``explore``: exhaustive explicit-state search, the oracle of all other engines."""
