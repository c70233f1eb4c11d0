"""Static analyses: pure functions from a flat program (every function a thread template) to facts.

Every result is immutable and over-approximates what it names with *may*, and under-approximates what it
names with *must* or *surely*. Engines rely on them for speed; evidence checkers treat them as claims and
verify them.

* One template: ``loops``, ``liveness``. Which template creates which, and how often: ``threads``.
* Addresses: ``pointers`` is the result; ``pointer_flow`` and ``values`` make the ``constraints`` that it
  solves, over ``objects`` and their classes, with the help of ``ranges`` and ``initialisation``.
* On top of it: ``sharing`` (what two threads can reach), ``effects`` and ``accesses`` (what an edge or an
  action may read and write, now and later), ``independence``.
"""
