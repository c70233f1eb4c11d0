"""Static analyses: pure functions from a flat program (every function a thread template) to facts.

Every result is immutable and over-approximates what it names with *may*, and under-approximates what it names
with *must*. Engines rely on them for speed; evidence checkers treat them as claims and verify them.

``loops`` and ``liveness`` look at one template, ``threads`` at who creates whom. ``objects`` and ``ranges``
carry ``pointers`` (what an address may be), on which the rest stands: ``sharing`` (what two threads can
reach), ``accesses`` (what an action may read and write, now and later), ``locks`` and ``independence``.
"""
