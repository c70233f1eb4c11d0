"""A solver that counts: queries, their answers and their time, for statistics and benchmarks."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sley.logic.operators import Value
from sley.logic.terms import Term, Terms
from sley.solvers.port import Answer, Solver


@dataclass(slots=True)
class QueryStatistics:
    """What was asked of one or more solvers so far."""

    queries: int = 0
    answers: dict[Answer, int] = field(default_factory=lambda: dict.fromkeys(Answer, 0))
    seconds: float = 0.0
    longest: float = 0.0

    def record(self, answer: Answer, seconds: float) -> None:
        """Count one query."""
        self.queries += 1
        self.answers[answer] += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)


class RecordingSolver:
    """Passes everything on and counts; solvers made by ``fresh`` count into the same statistics."""

    def __init__(self, inner: Solver, statistics: QueryStatistics | None = None) -> None:
        self._inner = inner
        self.statistics = QueryStatistics() if statistics is None else statistics

    @property
    def name(self) -> str:
        """The name of the solver inside."""
        return self._inner.name

    @property
    def terms(self) -> Terms:
        """The arena."""
        return self._inner.terms

    @property
    def can_interpolate(self) -> bool:
        """As the solver inside."""
        return self._inner.can_interpolate

    @property
    def reason(self) -> str:
        """As the solver inside."""
        return self._inner.reason

    def add(self, *formulas: Term) -> None:
        """Assert."""
        self._inner.add(*formulas)

    def push(self) -> None:
        """Begin a level."""
        self._inner.push()

    def pop(self) -> None:
        """End a level."""
        self._inner.pop()

    def check(self, *assumptions: Term, time_limit: float | None = None) -> Answer:
        """Ask, and count."""
        started = time.perf_counter()
        answer = self._inner.check(*assumptions, time_limit=time_limit)
        self.statistics.record(answer, time.perf_counter() - started)
        return answer

    def core(self) -> tuple[Term, ...]:
        """Failed assumptions."""
        return self._inner.core()

    def value(self, term: Term) -> Value:
        """A value in the model."""
        return self._inner.value(term)

    def values(self, terms: Iterable[Term]) -> dict[Term, Value]:
        """Values in the model."""
        return self._inner.values(terms)

    def interpolants(self, parts: Sequence[Term]) -> tuple[Term, ...] | None:
        """Sequence interpolants; their time counts, not as a query."""
        started = time.perf_counter()
        found = self._inner.interpolants(parts)
        self.statistics.seconds += time.perf_counter() - started
        return found

    def interrupt(self) -> None:
        """End the running or next query."""
        self._inner.interrupt()

    def fresh(self) -> "RecordingSolver":
        """An empty solver that counts into the same statistics."""
        return RecordingSolver(self._inner.fresh(), self.statistics)
