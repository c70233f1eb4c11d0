"""Engine ``explore``: exhaustive explicit-state search, the oracle of all other engines."""

from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions

__all__ = ["ExploreOptions", "explore"]
