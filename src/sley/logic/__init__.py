"""The one term language: sorts, hash-consed terms, evaluation, substitution, printing."""
