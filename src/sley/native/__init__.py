"""Replay on the real program: compiled by the user's compiler, with a run-time that enforces a trace.

``schedule`` turns a trace into orders for a compiled program; ``build`` compiles the user's files and the
models with a call before every access, and links ``runtime.c``; ``run`` runs it under a schedule; ``replay``
tells whether the failure happened.
"""
