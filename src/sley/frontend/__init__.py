"""From C to a program: the only part that knows C.

* ``parse`` asks libclang, ``syntax`` is the tree, ``expressions`` and ``statements`` lower it; ``load`` does
  all.
* ``models``: the library in C over a few primitives; ``contracts``: what its functions may do, as data
  (``contract``); ``builtins``: functions that no C body can express.
* ``litmus`` reads tests in the format of herd, in C or assembly; ``harness`` writes callers for a library.
"""
