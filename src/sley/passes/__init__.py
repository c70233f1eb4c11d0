"""Passes: program -> program, one file each; ``pipeline`` has their order and ``prepare`` runs them all."""

from sley.passes.inline import InlineOptions
from sley.passes.pipeline import prepare

__all__ = ["InlineOptions", "prepare"]
