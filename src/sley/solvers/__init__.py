"""Solvers behind one port; the libraries are imported when a solver is made, never before."""

from typing import TYPE_CHECKING, Literal

from sley.logic.terms import Terms
from sley.solvers.port import Solver

if TYPE_CHECKING:
    from sley.solvers.sat_adapter import SatSolver

SatSolverName = Literal["minisat", "cadical", "glucose"]
SolverName = Literal["bitwuzla", "z3"] | SatSolverName


def make_solver(
    name: SolverName, terms: Terms, *, interpolants: bool = False, time_limit: float | None = None
) -> Solver:
    """A solver for formulas of ``terms``; ``time_limit`` (seconds) holds for each query.

    ``interpolants`` makes every query slower; only Bitwuzla has them. Bitwuzla and z3 take all terms,
    the others only those of truth values and bit-vectors.
    """
    if name == "bitwuzla":
        from sley.solvers.bitwuzla_adapter import BitwuzlaSolver  # noqa: PLC0415 - loads the library
        from sley.solvers.bitwuzla_terms import BitwuzlaTranslation  # noqa: PLC0415 - loads the library

        translation = BitwuzlaTranslation(terms)
        return BitwuzlaSolver(translation, interpolants=interpolants, time_limit=time_limit)
    if interpolants:
        raise ValueError(f"{name} has no interpolants")
    if name == "z3":
        from sley.solvers.z3_adapter import Z3Solver  # noqa: PLC0415 - loads the library
        from sley.solvers.z3_terms import Z3Translation  # noqa: PLC0415 - loads the library

        return Z3Solver(Z3Translation(terms), time_limit=time_limit)
    return make_sat_solver(name, terms, time_limit=time_limit)


def make_sat_solver(name: SatSolverName, terms: Terms, *, time_limit: float | None = None) -> "SatSolver":
    """A SAT solver, with what it can do beyond the port."""
    from sley.solvers.sat_adapter import SatSolver  # noqa: PLC0415 - loads the library

    return SatSolver(name, terms, time_limit=time_limit)
