"""Passes: program -> program, one file each; ``pipeline`` has their order."""
