"""Engine ``modular``: thread-modular proofs by Horn clauses, for any number of threads.

Invariants of one thread and what is shared, then of two threads, are looked for by a solver of Horn clauses
that reads machine integers as mathematical ones. That is a guess; what counts is that every clause holds in
the semantics of machine integers, which another solver decides. See A. Gupta, C. Popeea, A. Rybalchenko,
Predicate Abstraction and Refinement for Verifying Multi-threaded Programs, POPL 2011 (clauses), and
J. Hoenicke, R. Majumdar, A. Podelski, Thread Modularity at Many Levels, POPL 2017 (several threads in view).
"""
