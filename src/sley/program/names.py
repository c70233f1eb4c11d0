"""What C calls the variables of a function, and where: for whoever writes C about a program."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sley.base.source import Span


@dataclass(frozen=True, slots=True)
class DeclaredNames:
    """The names that a function declares, and the heads of its loops."""

    scopes: Mapping[str, Span] = field(default_factory=dict)
    """Register or local object -> where its C name means it, and nothing else."""
    declared: frozenset[str] = frozenset()
    """Every C name that is declared inside: there, it need not mean what it means outside."""
    loops: Mapping[Span, Span] = field(default_factory=dict)
    """The condition of a loop that tests first -> the loop, from its keyword on."""
    instances: Mapping[str, int] = field(default_factory=dict)
    """C function -> how many calls of it became part of the function."""

    def mean(self, variable: str, place: Span) -> bool:
        """Whether at a place, a register or object of the function is what its C name means.

        Not where it is declared: that is before it has a value, or all of it is one macro.
        """
        scope = self.scopes.get(variable)
        if scope is None or (scope.line, scope.column) == (place.line, place.column):
            return False
        return contains(scope, place)

    def loop_at(self, place: Span) -> Span | None:
        """The loop whose condition a place is part of."""
        found = [condition for condition in self.loops if contains(condition, place)]
        return self.loops[max(found)] if found else None


NOTHING = DeclaredNames()


def together(some: Iterable[DeclaredNames]) -> DeclaredNames:
    """The names of several functions that became one."""
    scopes: dict[str, Span] = {}
    declared: set[str] = set()
    loops: dict[Span, Span] = {}
    instances: Counter[str] = Counter()
    for names in some:
        scopes |= names.scopes
        declared |= names.declared
        loops |= names.loops
        instances.update(names.instances)
    return DeclaredNames(scopes, frozenset(declared), loops, instances)


def contains(whole: Span, part: Span) -> bool:
    """Whether a part begins inside a stretch of the same file."""
    start, end = (whole.line, whole.column), (whole.end_line, whole.end_column)
    return whole.file == part.file and start <= (part.line, part.column) < end
