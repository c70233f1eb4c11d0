"""Solvers behind one port; the libraries are imported when a solver is made, never before."""

from collections.abc import Iterable, Sequence
from typing import Literal

from sley.logic.terms import Term, Terms
from sley.solvers.port import BeyondBitsError, Solver

SatSolverName = Literal["minisat", "cadical"]
SolverName = Literal["bitwuzla", "z3"] | SatSolverName


def make_solver(
    name: SolverName,
    terms: Terms,
    *,
    cores: bool = True,
    interpolants: bool = False,
    time_limit: float | None = None,
) -> Solver:
    """A solver for formulas of ``terms``; ``time_limit`` (seconds) holds for each query.

    ``cores`` (which assumptions cannot be met together) make some queries slower, ``interpolants`` all; only
    Bitwuzla has interpolants. Bitwuzla and z3 take all terms, the others only those of truth values and
    bit-vectors.
    """
    if interpolants and name != "bitwuzla":
        raise ValueError(f"{name} has no interpolants")
    match name:
        case "bitwuzla":
            from sley.solvers.bitwuzla_adapter import BitwuzlaSolver  # noqa: PLC0415 - loads the library
            from sley.solvers.bitwuzla_terms import BitwuzlaTranslation  # noqa: PLC0415 - loads the library

            return BitwuzlaSolver(
                BitwuzlaTranslation(terms), time_limit, cores=cores, interpolants=interpolants
            )
        case "z3":
            from sley.solvers.z3_adapter import Z3Solver  # noqa: PLC0415 - loads the library
            from sley.solvers.z3_terms import Z3Translation  # noqa: PLC0415 - loads the library

            return Z3Solver(Z3Translation(terms), time_limit)
        case "minisat" | "cadical":
            from sley.solvers.sat_adapter import SatSolver  # noqa: PLC0415 - loads the library

            return SatSolver(name, terms, time_limit)


def make_sat_solver(
    name: SatSolverName, terms: Terms, formulas: Sequence[Term], clauses: Iterable[Sequence[Term]]
) -> Solver:
    """A SAT solver that knows formulas and clauses, or Bitwuzla if the formulas have more than bits."""
    solver = make_solver(name, terms)
    try:
        solver.add(*formulas)
    except BeyondBitsError:
        solver = make_solver("bitwuzla", terms)
        solver.add(*formulas)
    solver.add_clauses(clauses)
    return solver
