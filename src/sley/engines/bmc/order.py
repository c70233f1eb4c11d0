"""From the facts of a model to an order of its events, or to facts that do not go together.

The graph of a model has the order that every run keeps, an edge from a write to each read that copies it, and
what other facts mean. It is *saturated*: a write that is after the copied one is after the read, and one that
is before the read is before the copied one. A cycle is a conflict. A graph without cycles is not yet an order
(deciding that is NP-complete): two writes may still be in each other's way, so that ``linearised`` tries both
ways where needed.
"""

import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sley.evidence.bounded_encoding import Choice, Encoder, Encoding
from sley.evidence.bounded_events import StaticOrder
from sley.evidence.bounded_facts import Conflict, Edge, Fact, Kind
from sley.logic.terms import Term

NO_FACTS: Conflict = frozenset()


MOST_AT_ONCE = 100
"""As many conflicts of one model are excluded together."""


class CycleError(Exception):
    """A node would be before itself: facts that do not go together, for one reason or several."""

    def __init__(self, *conflicts: Conflict) -> None:
        super().__init__(len(conflicts))
        self.conflicts = conflicts


class Copy(NamedTuple):
    """A read copies a write, while others write the variable, too."""

    read: int
    write: int
    fact: Fact
    rivals: tuple[tuple[int, Fact], ...]
    """Nodes that write, and the fact that they do."""


def bits(mask: int) -> Iterator[int]:
    """The positions of ones."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class ModelOrder:
    """The order that the facts of a model need."""

    def __init__(self, static: StaticOrder, meeting: Fact | None = None) -> None:
        self.static = static
        self.before = list(static.before)
        self.after = list(static.after)
        self.targets: dict[int, list[Edge]] = {}
        self.copies: list[Copy] = []
        self.meeting = meeting
        self._sources = 0
        """Nodes with further edges."""
        if meeting is not None:
            self._meet(meeting)

    def copy(self) -> "ModelOrder":
        """The same, to be changed on its own."""
        made = ModelOrder.__new__(ModelOrder)
        made.static, made.meeting, made.copies = self.static, self.meeting, self.copies
        made._sources = self._sources
        made.before, made.after = list(self.before), list(self.after)
        made.targets = {node: list(edges) for node, edges in self.targets.items()}
        return made

    def _meet(self, meeting: Fact) -> None:
        """Two nodes are next to each other: what is before or after one is so for both."""
        a, b = meeting.a, meeting.b
        self._remember(Edge(a, b, frozenset({meeting})))
        self._remember(Edge(b, a, frozenset({meeting})))
        before, after = self.before[a] | self.before[b], self.after[a] | self.after[b]
        here = 1 << a | 1 << b
        for node in (a, b):
            self.before[node], self.after[node] = before, after
        for node in bits(before):
            self.after[node] |= after | here
        for node in bits(after):
            self.before[node] |= before | here

    def meets(self, a: int, b: int) -> bool:
        """Whether two nodes are next to each other, so that edges between them do not count."""
        return self.meeting is not None and {a, b} == {self.meeting.a, self.meeting.b}

    def _with_neighbour(self, node: int) -> int:
        mask = 1 << node
        if self.meeting is not None and node in (self.meeting.a, self.meeting.b):
            mask |= 1 << self.meeting.a | 1 << self.meeting.b
        return mask

    def add(self, edge: Edge) -> bool:
        """One node is before another; whether that is new. Raises CycleError if it cannot be."""
        a, b, _ = edge
        if self.meets(a, b) or self.after[a] >> b & 1:
            return False
        sources, targets = self.before[a] | self._with_neighbour(a), self.after[b] | self._with_neighbour(b)
        if sources & targets:
            raise CycleError(edge.facts | self.path(b, a))
        for node in bits(sources):
            self.after[node] |= targets
        for node in bits(targets):
            self.before[node] |= sources
        self._remember(edge)
        return True

    def _remember(self, edge: Edge) -> None:
        self.targets.setdefault(edge.a, []).append(edge)
        self._sources |= 1 << edge.a

    def path(self, start: int, goal: int) -> Conflict:
        """The facts on a path that needs few of them; there must be one."""
        reaching = self.before[goal] | self._with_neighbour(goal)
        known: set[int] = set()
        left = self._sources
        waiting: list[tuple[int, int, int, Conflict]] = [(0, 0, start, NO_FACTS)]
        count = 0
        while waiting:
            _, _, node, facts = heapq.heappop(waiting)
            here = self.static.after[node] | 1 << node
            if here >> goal & 1:
                return facts
            if node in known:
                continue
            known.add(node)
            for source in bits(here & left & reaching):
                for edge in self.targets[source]:
                    if reaching >> edge.b & 1 and edge.b not in known:
                        count += 1
                        more = facts | edge.facts
                        heapq.heappush(waiting, (len(more), count, edge.b, more))
        raise AssertionError("a path that is none")

    # --- saturation -------------------------------------------------------------------------------

    def saturate(self, found: list[Conflict] | None = None) -> None:
        """Add what copies mean for their rivals; CycleError at a cycle, unless they are ``found``."""
        is_changed = True
        while is_changed:
            is_changed = False
            for copied in self.copies:
                for rival, happens in copied.rivals:
                    try:
                        is_changed |= self._keep_apart(copied, rival, happens)
                    except CycleError as cycle:
                        if found is None:
                            raise
                        found.extend(cycle.conflicts)
                        if len(found) > MOST_AT_ONCE:
                            return

    def _keep_apart(self, copied: Copy, rival: int, happens: Fact) -> bool:
        read, write = copied.read, copied.write
        facts = frozenset({copied.fact, happens})
        is_changed = False
        if self.after[write] >> rival & 1 and not self.after[read] >> rival & 1:
            is_changed |= self.add(Edge(read, rival, facts | self.path(write, rival)))
        if self.before[read] >> rival & 1 and not self.before[write] >> rival & 1:
            is_changed |= self.add(Edge(rival, write, facts | self.path(rival, read)))
        return is_changed

    # --- one order --------------------------------------------------------------------------------

    def until(self, goals: Sequence[int]) -> list[int]:
        """All that has to happen before some nodes, and these, in an order that the graph allows."""
        wanted = 0
        for goal in goals:
            wanted |= self.before[goal] | 1 << goal
        missing = {node: (self.before[node] & wanted).bit_count() for node in bits(wanted)}
        return sorted(missing, key=lambda node: (missing[node], node))


def linearised(order: ModelOrder, goals: Sequence[int]) -> list[int]:
    """An order of all that happens before the goals; raises CycleError with a conflict if there is none."""
    order.saturate()
    nodes = order.until(goals)
    place = {node: at for at, node in enumerate(nodes)}
    for copied in order.copies:
        if copied.read not in place:
            continue
        for rival, happens in copied.rivals:
            if rival not in place or order.meets(rival, copied.write) or order.meets(rival, copied.read):
                continue
            if place[copied.write] < place[rival] < place[copied.read]:
                return _either(order, goals, copied, rival, happens)
    return nodes


def _either(order: ModelOrder, goals: Sequence[int], copied: Copy, rival: int, happens: Fact) -> list[int]:
    """A rival is before the write or after the read: try both."""
    facts = frozenset({copied.fact, happens})
    reasons: Conflict = NO_FACTS
    for a, b in ((rival, copied.write), (copied.read, rival)):
        attempt = order.copy()
        try:
            attempt.add(Edge(a, b, facts))
            return linearised(attempt, goals)
        except CycleError as cycle:
            reasons |= cycle.conflicts[0]
    raise CycleError(reasons)


def order_of_model(encoder: Encoder, encoding: Encoding, is_true: Callable[[Term], bool]) -> ModelOrder:
    """The saturated order of a model; raises CycleError if it has none."""
    return _Reader(encoder, encoding, is_true).order()


class _Reader:
    """Reads the facts of a model."""

    def __init__(self, encoder: Encoder, encoding: Encoding, is_true: Callable[[Term], bool]) -> None:
        self.encoder = encoder
        self.encoding = encoding
        self.is_true = is_true
        self._known: dict[Fact, bool] = {}

    def _holds(self, fact: Fact) -> bool:
        if fact not in self._known:
            self._known[fact] = self.is_true(self.encoder.literals[fact])
        return self._known[fact]

    def order(self) -> ModelOrder:
        """All that the facts mean."""
        races = self.encoding.is_race.items()
        meeting = next(
            (Fact(Kind.MEETS, a.node, b.node) for race, (a, b) in races if self.is_true(race)), None
        )
        order = ModelOrder(self.encoder.static, meeting)
        found: list[Conflict] = []
        for edge in self._edges(order):
            try:
                order.add(edge)
            except CycleError as cycle:
                found.extend(cycle.conflicts)
        order.saturate(found)
        if found:
            raise CycleError(*_smallest(found))
        return order

    def _edges(self, order: ModelOrder) -> Iterator[Edge]:
        """What single facts mean; copies are noted on the way."""
        for edge in self.encoding.orders:
            if all(self._holds(fact) for fact in edge.facts):
                yield edge
        for choice in self.encoding.choices:
            copied = self._copied(choice)
            if copied is not None:
                order.copies.append(copied)
                yield Edge(copied.write, copied.read, frozenset({copied.fact}))

    def _copied(self, choice: Choice) -> Copy | None:
        """The write that a read copies, the first if the model has several; None if it does not happen."""
        write = next((write for rf, write in choice.copied if self.is_true(rf)), None)
        if write is None:
            return None
        facts = [Fact(Kind.WRITES, rival.node, -1, rival.variable) for rival in choice.rivals]
        rivals = tuple((f.a, f) for f in facts if f.a != write.node and self._holds(f))
        fact = Fact(Kind.READS, choice.read.node, write.node, choice.read.variable)
        return Copy(choice.read.node, write.node, fact, rivals)


def _smallest(conflicts: list[Conflict]) -> list[Conflict]:
    """Without those that contain another one."""
    kept: list[Conflict] = []
    for conflict in sorted(conflicts, key=len):
        if not any(smaller <= conflict for smaller in kept):
            kept.append(conflict)
            if len(kept) == MOST_AT_ONCE:
                break
    return kept
