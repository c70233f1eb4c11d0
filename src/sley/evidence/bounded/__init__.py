"""The proof of engine ``bmc`` and what its checker needs: events of an unrolled program, and their formula.

``unrolling`` makes ``events``; ``sections``, ``sums``, ``symmetry``, ``ranges`` and ``pruning`` say what can
be left out; ``encoding`` and ``order`` make the formula; ``check`` accepts or refuses a ``proof``.
"""
