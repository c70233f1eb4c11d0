"""Witnesses as verifiers of SV-COMP exchange them: why an answer is right, for other tools to check."""
