"""Verifiers side by side on many tasks: runs under limits, measured; tables and plots of what came out."""
