"""What a user may choose about engine ``impact``."""

from dataclasses import dataclass, field
from enum import Enum

NO_FLAG = {"is_flag": False}
"""Of a field that only tests choose."""


class Interleaving(Enum):
    """Which interleavings are explored."""

    FULL = "full"
    """All of them."""
    STATIC = "spor"
    """Threads switch only before accesses that another thread can notice."""
    DYNAMIC = "dpor"
    """As STATIC, without the paths that only swap independent neighbours."""
    LOCKSTEP = "lockstep"
    """As STATIC, one of all paths that only swap independent steps: threads take turns at their loops."""


class Interpolants(Enum):
    """Where the interpolants come from."""

    AUTO = "auto"
    """VALUES, PREDICATES, SOLVER, VALUES again, from the start each time; all but the last with limits."""
    PRECONDITIONS = "wp"
    """Weakest preconditions, with guards outside the unsatisfiable core hidden."""
    VALUES = "values"
    """Literals and values where the path fixes them, else weakest preconditions."""
    PREDICATES = "predicates"
    """From a finite stock of predicates that the program suggests, else as VALUES."""
    SOLVER = "solver"
    """The solver's sequence interpolants where it has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactOptions:
    """What a user may choose about engine ``impact``."""

    interleaving: Interleaving = Interleaving.DYNAMIC
    """All interleavings, switches only before shared accesses, monotonic paths only, or loops in lockstep
    (default: dpor, then lockstep)."""

    force_cover: bool = True
    """Strengthen a node's label so that another node covers it."""

    interpolants: Interpolants = Interpolants.AUTO
    """Where the labels come from (default: values, predicates and the solver in turn, with limits)."""

    refute_branches: bool = True
    """A branch that no run takes has no node; without, as in the paper, one that REFINE finds impossible
    when it comes to an error below."""

    conditional_dependence: bool = True
    """Accesses are independent where their addresses differ on the path at hand."""

    order_seed: int | None = field(default=None, metadata=NO_FLAG)
    """For tests: take nodes in a random order with this seed."""
