"""Likely data-flow invariants: reads-from in a few random runs.

They hold in the runs, not necessarily always: good guesses that a search may start with, never a reason to
say SAFE. ``invariants`` says what they are, ``mining`` finds them, ``file`` keeps them.
"""
