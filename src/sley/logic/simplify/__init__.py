"""Simplification of terms while they are made: one module per family of operators, one table."""
