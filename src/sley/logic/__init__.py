"""The one term language: sorts, hash-consed terms, evaluation, substitution, printing.

``operators`` says what each operator computes. Arrays are only read and written, never compared:
``simplify.arrays`` lets reads see through writes, ``linear`` tells which places differ.
"""
