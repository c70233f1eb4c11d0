"""From C to a program: the only part that knows C."""

from sley.frontend.data_model import DataModel
from sley.frontend.load import load

__all__ = ["DataModel", "load"]
