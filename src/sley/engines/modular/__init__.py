"""Engine ``modular``: thread-modular proofs for any number of threads.

Invariants of one thread and what is shared, then of two threads, are read off the program. Each is a guess;
the largest part that every step keeps is found by leaving out what some step breaks. See A. Gupta,
C. Popeea, A. Rybalchenko, Predicate Abstraction and Refinement for Verifying Multi-threaded Programs,
POPL 2011 (the implications), and J. Hoenicke, R. Majumdar, A. Podelski, Thread Modularity at Many Levels,
POPL 2017 (several threads in view).
"""
