"""Engine ``bmc``: bounded model checking of events under one order (FUSION's two stages)."""

from sley.engines.bmc.engine import bmc
from sley.engines.bmc.options import BmcOptions

__all__ = ["BmcOptions", "bmc"]
