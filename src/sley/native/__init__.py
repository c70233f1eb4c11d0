"""Replay on the real program: compiled by the user's compiler, with a run-time that enforces a trace."""
