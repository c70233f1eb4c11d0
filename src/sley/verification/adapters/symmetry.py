"""Engine ``symmetry``, with the checker of its proofs."""

from sley.engines.symmetry.engine import symmetry
from sley.evidence.symmetric.check import check_symmetric
from sley.evidence.symmetric.proof import SymmetricProof
from sley.evidence.symmetric.runs import SymmetricFollower
from sley.verification.engine import Engine

ENGINE = Engine(symmetry, check_symmetric, SymmetricFollower, kind=SymmetricProof)
