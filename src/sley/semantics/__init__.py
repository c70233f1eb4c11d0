"""What a step does: the only definition, its faster twins, and predicates on states.

* Steps: ``step`` (the reference interpreter), ``blocks`` (the same, compiled to Python), ``machine`` (all
  successors), ``remembered`` (steps that come again), ``watched`` (what steps look at).
* Values that are not decided yet: ``values``, ``knowledge`` (what holds between them), ``preimages``
  (conditions as ranges), ``references`` (what refers to which block).
* States: ``violations`` (race, deadlock, leak), ``progress`` (livelocks), ``uninitialised`` reads.
* Weak memory orders: ``weak_memory`` is another memory under the same interpreter; ``axioms`` has executions
  for the text of RC11, ``growing_graph`` the events that it allows next, ``access_log`` races, ``history``
  the run of a state. ``hardware`` has executions of machines for their texts, ``machine_run`` runs to be
  judged.
* The same in terms, tied to it by tests: ``symbolic`` (an edge), ``symbolic_step`` (a step),
  ``symbolic_touches`` (the memory it may touch), ``symbolic_violations``. ``templates`` has steps of any
  number of threads, with ``groups`` (how many are somewhere) and ``lock_order``.
* ``abstract``: what a step does to what is known of one thread.
"""
