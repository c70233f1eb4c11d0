"""The port to solvers of Horn clauses."""

from sley.solvers.horn_clauses import HornProblem, IntegerReading, Interpretation, NoInterpretation


def solve_horn(
    problem: HornProblem, arithmetic: IntegerReading, *, time_limit: float | None = None, strategy: int = 0
) -> Interpretation | NoInterpretation:
    """A guess of what the relations are; another ``strategy`` may find one where this one does not."""
    from sley.solvers.z3_horn import Spacer  # noqa: PLC0415 - loads the library

    return Spacer(problem, arithmetic).solve(time_limit, strategy)
