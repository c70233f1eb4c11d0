"""Engine ``modular``, with the checker of its proofs."""

from sley.engines.modular.engine import modular
from sley.evidence.modular.check import check_modular
from sley.evidence.modular.proof import ModularProof
from sley.evidence.modular.runs import ModularFollower
from sley.verification.engine import Engine

ENGINE = Engine(modular, check_modular, ModularFollower, only_proves=True, kind=ModularProof)
