"""Engine ``abstract``, with the checker of its proofs."""

from sley.engines.abstract.engine import abstract
from sley.evidence.fixpoint.check import check_fixpoint
from sley.evidence.fixpoint.proof import Fixpoint
from sley.evidence.fixpoint.runs import FixpointFollower
from sley.verification.engine import Engine

ENGINE = Engine(abstract, check_fixpoint, FixpointFollower, only_proves=True, kind=Fixpoint)
