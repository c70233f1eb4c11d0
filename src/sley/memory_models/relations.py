"""Relations on the events of one execution, as sets of pairs: a row of bits for each event."""

from collections.abc import Iterable, Sequence


class Relation:
    """A relation on the events of a graph, by their numbers: row i is the set of what i is related to."""

    __slots__ = ("rows",)

    def __init__(self, rows: Sequence[int]) -> None:
        self.rows = tuple(rows)

    @classmethod
    def of(cls, size: int, pairs: Iterable[tuple[int, int]]) -> "Relation":
        """The relation with these pairs."""
        rows = [0] * size
        for first, second in pairs:
            rows[first] |= 1 << second
        return cls(rows)

    @classmethod
    def on(cls, size: int, events: int) -> "Relation":
        """The identity on a set of events."""
        return cls([events & 1 << i for i in range(size)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Relation) and self.rows == other.rows

    def __hash__(self) -> int:
        return hash(self.rows)

    def __or__(self, other: "Relation") -> "Relation":
        return Relation([a | b for a, b in zip(self.rows, other.rows, strict=True)])

    def __and__(self, other: "Relation") -> "Relation":
        return Relation([a & b for a, b in zip(self.rows, other.rows, strict=True)])

    def __sub__(self, other: "Relation") -> "Relation":
        return Relation([a & ~b for a, b in zip(self.rows, other.rows, strict=True)])

    def __matmul__(self, other: "Relation") -> "Relation":
        """Composition: first this, then the other."""
        return Relation([_union(row, other.rows) for row in self.rows])

    @property
    def inverse(self) -> "Relation":
        """The pairs the other way round."""
        return Relation.of(len(self.rows), ((b, a) for a, row in enumerate(self.rows) for b in members(row)))

    @property
    def closure(self) -> "Relation":
        """The transitive closure."""
        rows = list(self.rows)
        for middle in range(len(rows)):
            bit, through = 1 << middle, rows[middle]
            if through:
                for i, row in enumerate(rows):
                    if row & bit:
                        rows[i] = row | through
        return Relation(rows)

    @property
    def range(self) -> "Relation":
        """The identity on what something is related to."""
        return Relation.on(len(self.rows), _union((1 << len(self.rows)) - 1, self.rows))

    @property
    def is_empty(self) -> bool:
        """Whether it has no pairs."""
        return not any(self.rows)

    @property
    def is_irreflexive(self) -> bool:
        """Whether no event is related to itself."""
        return not any(row >> i & 1 for i, row in enumerate(self.rows))

    @property
    def is_acyclic(self) -> bool:
        """Whether no event comes back to itself."""
        return self.closure.is_irreflexive


def members(mask: int) -> Iterable[int]:
    """The numbers in a set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _union(mask: int, rows: Sequence[int]) -> int:
    found = 0
    for i in members(mask):
        found |= rows[i]
    return found
