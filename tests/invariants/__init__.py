"""Invariants in C are put to the test: written into the program, and checked there."""
