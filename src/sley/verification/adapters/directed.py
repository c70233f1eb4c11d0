"""Engine ``directed``, which has no proofs."""

from typing import Any

from sley.engines.directed.engine import claims_nothing, directed
from sley.verification.engine import Engine

ENGINE = Engine[None, Any](directed, claims_nothing, claims_nothing)
