"""What a step does: the reference interpreter, its fast compiled twin, and predicates on states."""
