"""How long parts may take that have to come to an end: no machine is so slow, and none waits for it."""

AMPLE = 1200.0
"""Seconds. A test that asks for an answer gives its parts as much, so that the answer is the same on a
machine that is twenty times slower, or busy. Where it is the limit that is tested, a test has its own."""
