"""Engine ``impact``: lazy abstraction with interpolants for threads (IMPARA)."""
