"""Passes: program -> program, one module each; ``pipeline`` has their order and ``prepare`` runs them all.

* Always: ``inline``, ``properties`` (as error locations), constants, ``dead_code``, ``merge``.
* Memory: ``private`` (as registers, with ``null_tests`` and ``held_blocks``), ``instances`` (a second place
  for locals that are made again while a pointer to the last one is left over), ``addresses`` (what depends
  on where objects lie is unknown), ``frozen`` (contents that are never written), ``pieces`` (what copies
  move as one) with ``untyped`` (bytes as elements in a row).
* Library: ``attempts`` that fail for no reason, ``known_values``, ``first_thread``.
* Memory orders: ``guarantees`` as sets that can be weakened, ``suppressed_races`` as relaxed accesses,
  ``plain_unlocks`` and ``store_buffers`` of machines.
* On request: ``proved`` (without what was proved already), ``statements`` as single steps.
"""

from sley.passes.inline import InlineOptions
from sley.passes.pipeline import prepare

__all__ = ["InlineOptions", "prepare"]
