"""Litmus tests in the format of herd: a few threads, and an outcome: can it happen?"""
