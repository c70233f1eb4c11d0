"""Engine ``impact``: lazy abstraction with interpolants for threads (IMPARA)."""

from sley.engines.impact.engine import impact, unwind
from sley.engines.impact.options import ImpactOptions

__all__ = ["ImpactOptions", "impact", "unwind"]
