"""From C, or from the textual form, to a program: the only part that knows C."""

from sley.frontend.data_model import DataModel
from sley.frontend.load import load
from sley.frontend.textual import SUFFIX, load_text

__all__ = ["SUFFIX", "DataModel", "load", "load_text"]
