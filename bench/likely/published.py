"""The published measurements of likely data-flow invariants, Table 1: seconds for its thirteen files."""

PLAIN = (
    14.06, 2.835, 21.127, 39.633, 28.273, 15.984, 48.716, 4.567, 31.835, 101.484, 38.624, 62.895, 7.392,
)  # fmt: skip
"""CBMC as it was."""
SWITCHED = (
    13.541, 2.034, 10.359, 23.987, 34.923, 11.416, 44.519, 5.909, 17.196, 29.699, 20.81, 155.681, 10.993,
)  # fmt: skip
"""With invariants behind switches, given up where they fail."""
