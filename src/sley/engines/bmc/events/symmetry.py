"""Threads that do the same need be tried in one order only: the order in which they begin.

Threads are *interchangeable* if renaming one into another changes nothing: their events are the same up to
the names of symbols, what only one of them returns is never read, and whoever joins them joins all of them
without doing anything in between.

LEMMA. From a run in which interchangeable threads begin in another order one gets a run in which they begin
in the order of their creation, with the same violations: the k-th to begin does what thread k would do.
Thread k exists by then, since k of them do, provided that the event by which it begins is its first one and
always happens. And the order in which they end is not observed, since all of them have ended when a thread
that waited goes on. Two accesses that were next to each other may not be so any more: so only where no data
race is possible, and then accesses matter by what they read and write alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from sley.engines.bmc.events.graph import ArbitraryNode, EventGraph, EventNode
from sley.engines.bmc.events.races import conflicts
from sley.engines.bmc.thresholds import MOST_NAMES
from sley.logic.clauses import conjuncts
from sley.logic.terms import Term
from sley.semantics.roles import ResultRole, ThreadRole


def order_alike(graph: EventGraph) -> EventGraph:
    """The graph with edges between the first events of interchangeable threads."""
    if len(graph.definitions) > MOST_NAMES or next(conflicts(graph), None) is not None:
        return graph
    view = _EventView(graph)
    firsts = [[view.nodes[thread][0].number for thread in group] for group in view.groups()]
    edges = [edge for group in firsts for edge in pairwise(group)]
    return replace(graph, edges=graph.edges + edges) if edges else graph


class _EventView:
    """The events by thread, with names of conditions replaced by what they stand for."""

    def __init__(self, graph: EventGraph) -> None:
        self.terms = graph.terms
        self.graph = graph
        self.nodes: list[list[EventNode]] = [[] for _ in graph.threads]
        for node in graph.nodes:
            self.nodes[node.thread].append(node)
        self._meanings: dict[Term, Term] = {}
        for name, meaning in graph.definitions:
            self._meanings[name] = self.terms.substitute(meaning, self._meanings)
        self.creator = {b: graph.nodes[a].thread for a, b in graph.edges}

    def whole(self, term: Term) -> Term:
        """A term without names."""
        return self.terms.substitute(term, self._meanings)

    def groups(self) -> Iterator[list[int]]:
        """Interchangeable threads, in the order of their creation."""
        threads = range(1, len(self.graph.threads))
        left = [thread for thread in threads if self._begins_surely(thread)]
        marks = {thread: self._mark(thread) for thread in left}
        while left:
            first, *others = left
            similar = [thread for thread in others if marks[thread] == marks[first]]
            group = [first, *(thread for thread in similar if self._are_alike(first, thread))]
            left = [thread for thread in others if thread not in group]
            if len(group) > 1 and self._nobody_notices(group):
                yield group

    def _mark(self, thread: int) -> list[object]:
        """What can be told at a glance: where a thread is in its events, and which variables they use."""
        mark: list[object] = [self.graph.threads[thread].function]
        mark += [
            (node.location, *(self._own(thread, v) for v in (*node.reads, *node.writes)))
            for node in self.nodes[thread]
        ]
        return mark

    def _begins_surely(self, thread: int) -> bool:
        """Whether the first event of a thread happens whenever the thread exists."""
        events = self.graph.threads[thread]
        if not self.nodes[thread] or any(not isinstance(made, ArbitraryNode) for made in events.makings):
            return False
        return self.whole(self.nodes[thread][0].occurs) == self.whole(events.occurs)

    # --- two threads ------------------------------------------------------------------------------

    def _are_alike(self, one: int, other: int) -> bool:
        """Whether renaming makes the events of one thread those of the other."""
        graph = self.graph
        if graph.threads[one].function != graph.threads[other].function:
            return False
        if self.whole(graph.threads[one].occurs) != self.whole(graph.threads[other].occurs):
            return False
        renaming = self._renaming(one, other)
        return renaming is not None and self._form(one, renaming) == self._form(other, {})

    def _renaming(self, one: int, other: int) -> dict[Term, Term] | None:
        """Variables and symbols of one thread -> those of the other, in the order of events."""
        mine, its = self.nodes[one], self.nodes[other]
        made, makes = self.graph.threads[one].makings, self.graph.threads[other].makings
        if len(mine) != len(its) or len(made) != len(makes):
            return None
        mapping: dict[Term, Term] = {}
        for a, b in zip(mine, its, strict=True):
            if len(a.reads) != len(b.reads):
                return None
            for read, counterpart in zip(a.reads.values(), b.reads.values(), strict=True):
                mapping[read.symbol] = counterpart.symbol
        for x, y in zip(made, makes, strict=True):
            if not isinstance(x, ArbitraryNode) or not isinstance(y, ArbitraryNode):
                return None
            mapping[x.term] = y.term
        return mapping

    def _form(self, thread: int, renaming: dict[Term, Term]) -> list[object]:
        """All about a thread that could make a difference, after renaming."""

        def term(t: Term) -> Term:
            return self.terms.substitute(self.whole(t), renaming)

        graph, numbers = self.graph, {node.number: at for at, node in enumerate(self.nodes[thread])}
        form: list[object] = []
        for node in self.nodes[thread]:
            reads = [
                (self._own(thread, r.variable), term(r.symbol), term(r.needed)) for r in node.reads.values()
            ]
            writes = [
                (self._own(thread, w.variable), term(w.condition), term(w.value))
                for w in node.writes.values()
            ]
            form.append((node.location, node.is_locked, term(node.occurs), reads, writes))
        form.append([(numbers[v.node], v.failure) for v in graph.violations if v.node in numbers])
        form += [
            [(numbers[stop.node], term(stop.condition)) for stop in stops if stop.node in numbers]
            for stops in (graph.exits, graph.ends)
        ]
        form.append(
            [
                (
                    numbers[w.node],
                    None if w.instead_of is None else numbers[w.instead_of],
                    None if w.holder is None else term(w.holder),
                )
                for w in graph.waits
                if w.node in numbers
            ]
        )
        form.append([(term(c.condition), c.loop[1:]) for c in graph.cuts if c.loop.thread == thread])
        form.append([(term(c.condition), c.reason) for c in graph.troubles if c.thread == thread])
        form.append([term(m.condition) for m in graph.threads[thread].makings])
        return form

    def _own(self, thread: int, variable: Term) -> object:
        """A variable; that of the thread itself, such as whether it has ended, by its kind."""
        role = self.terms.symbol(variable)
        return replace(role, thread=0) if isinstance(role, ThreadRole) and role.thread == thread else variable

    # --- all other threads ------------------------------------------------------------------------

    def _nobody_notices(self, group: Sequence[int]) -> bool:
        """Whether all others treat the threads alike: one creates and joins them, no other one knows them."""
        inside = set(group)
        used = self._used_symbols(inside)
        creators = {self.creator[self.nodes[thread][0].number] for thread in group}
        if len(creators) != 1 or creators & inside:
            return False
        nodes = self.nodes[creators.pop()]
        joining: list[tuple[int, int]] = []
        for thread, others in enumerate(self.nodes):
            for at, node in enumerate(others):
                read = {owner for v in node.reads if (owner := self._owner(v)) in inside}
                if thread in inside:
                    written = {self._owner(v) for v in node.writes} & inside
                    if (read | written) - {thread}:
                        return False
                elif read:
                    if others is not nodes or len(read) > 1 or not self._only_joins(node, used):
                        return False
                    joining.append((at, read.pop()))
        joins = [nodes[at] for at, _ in joining]
        places = [at for at, _ in joining]
        is_row = places == list(range(places[0], places[0] + len(places))) if places else True
        is_whole = not joining or sorted(thread for _, thread in joining) == sorted(inside)
        return is_row and is_whole and self._happen_together(joins)

    def _happen_together(self, joins: Sequence[EventNode]) -> bool:
        """Whether joins happen under the same conditions, but for what they wait for."""
        waited = {read.symbol for join in joins for read in join.reads.values()}
        conditions = [
            frozenset(
                part
                for part in conjuncts(self.terms, (self.whole(join.occurs),))
                if waited.isdisjoint(self.terms.variables(part))
            )
            for join in joins
        ]
        return len(set(conditions)) <= 1

    def _only_joins(self, node: EventNode, used: frozenset[Term]) -> bool:
        """Whether a node does nothing but wait for one thread, and what that returned is not used."""
        owners = {self._owner(v) for v in (*node.reads, *node.writes)}
        results = [r.symbol for v, r in node.reads.items() if isinstance(self.terms.symbol(v), ResultRole)]
        waits = all(write.condition == node.occurs for write in node.writes.values())  # does not just ask
        return len(owners) == 1 and waits and not node.touches and used.isdisjoint(results)

    def _owner(self, variable: Term) -> int | None:
        role = self.terms.symbol(variable)
        return role.thread if isinstance(role, ThreadRole) else None

    def _used_symbols(self, inside: set[int]) -> frozenset[Term]:
        """Symbols that anything outside the group depends on, apart from what the nodes themselves write."""
        graph = self.graph
        terms = [node.occurs for node in graph.nodes if node.thread not in inside]
        terms += [t for node in graph.nodes for w in node.writes.values() for t in (w.condition, w.value)]
        terms += [cut.condition for cut in graph.cuts] + [trouble.condition for trouble in graph.troubles]
        terms += [events.occurs for events in graph.threads]
        return frozenset(v for t in terms for v in self.terms.variables(self.whole(t)))
