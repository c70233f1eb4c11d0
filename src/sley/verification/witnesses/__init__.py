"""Witnesses of other verifiers, and of ours: read, held against the program, followed."""
