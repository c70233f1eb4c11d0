"""sley: a model checker for multi-threaded C."""

__version__ = "0.1.0"
