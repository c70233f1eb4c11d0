"""Replaying a schedule on the reference interpreter: no violation is reported without it.

The replay also makes the trace that users see; engines have no say in what it shows. ``run`` takes the
steps, ``memories`` says what accesses see under each memory model, ``recorder`` notes what happens, and
``judges`` and ``waiting`` look at the end: one judge for each way to fail. What they find is data
(``evidence.remarks``).
"""

from sley.evidence.replay.run import record, replay
from sley.evidence.replay.scene import ReplayError

__all__ = ["ReplayError", "record", "replay"]
