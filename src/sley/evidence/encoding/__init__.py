"""Proofs as plain JSON data: written without loss, read back without trust."""
