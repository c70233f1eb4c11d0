"""Solvers behind one port; the libraries are imported when a solver is made, never before."""

from typing import Literal

from sley.logic.terms import Terms
from sley.solvers.port import Solver

SolverName = Literal["bitwuzla", "z3"]


def make_solver(
    name: SolverName, terms: Terms, *, interpolants: bool = False, time_limit: float | None = None
) -> Solver:
    """A solver for formulas of ``terms``; ``time_limit`` (seconds) holds for each query.

    ``interpolants`` makes every query slower; only Bitwuzla has them.
    """
    if name == "bitwuzla":
        from sley.solvers.bitwuzla_adapter import BitwuzlaSolver  # noqa: PLC0415 - loads the library
        from sley.solvers.bitwuzla_terms import BitwuzlaTranslation  # noqa: PLC0415 - loads the library

        translation = BitwuzlaTranslation(terms)
        return BitwuzlaSolver(translation, interpolants=interpolants, time_limit=time_limit)
    if interpolants:
        raise ValueError("z3 has no interpolants")
    from sley.solvers.z3_adapter import Z3Solver  # noqa: PLC0415 - loads the library
    from sley.solvers.z3_terms import Z3Translation  # noqa: PLC0415 - loads the library

    return Z3Solver(Z3Translation(terms), time_limit=time_limit)
