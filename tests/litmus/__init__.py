"""Litmus tests that are made, not written: cycles, the classic families, and what is published about them."""
