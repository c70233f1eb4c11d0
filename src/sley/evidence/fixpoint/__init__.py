"""Proofs by a fixpoint of abstract states, one thread at a time, and their checker."""
