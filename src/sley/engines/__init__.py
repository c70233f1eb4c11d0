"""One folder per algorithm, named like ``--engine``; none imports another.

* ``explore``: the exhaustive search, and the oracle for all others; large searches run in C (``native``).
* ``impact``: an abstract reachability tree whose labels are interpolants.
* ``bmc``: loops unrolled to ``events``, a ``formula`` for their order; ``likely`` mines invariants from runs.
* ``symmetry``: templates abstracted by predicates. What Boolean programs mean is in ``evidence.symmetric``.
* ``modular``: of guessed invariants of one or two threads, what steps keep, for any number of them.
* ``abstract``: abstract states of one thread at a time, iterated to a fixpoint and narrowed.
* ``directed`` is no ``--engine``: it leads random runs to open checks (``targets``, ``runs``, ``part``).
"""
