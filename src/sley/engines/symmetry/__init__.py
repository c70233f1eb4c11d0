"""Engine ``symmetry``: predicate abstraction of templates and counterexample-guided refinement (SymmPA).

A. Donaldson, A. Kaiser, D. Kroening, M. Tautschnig, T. Wahl, Counterexample-guided abstraction refinement for
symmetric concurrent programs, Formal Methods in System Design 41, 2012.

The program is searched with a few threads of each template first: that finds bugs, and the predicates. With
these, what a few threads at a time can be proves it for any number of threads (beyond the paper).
"""
