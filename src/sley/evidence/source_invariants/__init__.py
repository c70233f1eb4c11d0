"""Invariants of a program's C text, from its states or from a proof."""
