"""Seeded faults: is a wrong claim of an engine stopped before it becomes an answer?

Each ``*.patch`` puts one fault into the source, behind three lines that say what it is, which engine it
concerns, and on which programs of ``tests/programs`` that engine then claims something wrong: its
*witnesses*.
``python -m tests.mutants`` applies them one at a time to a copy and tells who caught the claim.
"""
