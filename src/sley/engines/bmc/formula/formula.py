"""The formula of an event graph while axioms are added to it, and what a model of it means."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sley.base.budget import Budget
from sley.engines.bmc.events.atomics import Atomics
from sley.engines.bmc.events.graph import EventGraph, NodeRead, NodeWrite, RaceTouch, UnclearNode
from sley.engines.bmc.formula.order import Clause, PairOrder
from sley.engines.bmc.options import BmcOptions, OrderEncoding
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term, Terms
from sley.program.properties import Property


class Ordering(NamedTuple):
    """If some literals hold, one node is before another."""

    literals: Clause
    a: int
    b: int


class ReadChoice(NamedTuple):
    """A read, the writes that it may copy, and those that may come in between."""

    read: NodeRead
    occurs: Term
    """A literal: the read happens, and its value counts."""
    copied: tuple[tuple[Term, NodeWrite], ...]
    """The may-copy set C(r): each write with the literal copy(r, w)."""
    rivals: tuple[NodeWrite, ...]
    """The reaching writes Π(r)."""


@dataclass(slots=True)
class Formula:
    """A conjunction of formulas, and of the clauses of its order."""

    graph: EventGraph
    options: BmcOptions
    """Which of several formulas it is."""
    properties: frozenset[Property]
    budget: Budget
    may_copy: Callable[[NodeRead, NodeWrite], bool] | None = None
    """Which writes a read may copy where that is restricted: then only what is found counts."""
    atomics: Atomics | None = None
    """What RC11 speaks of, where orders matter."""

    order: PairOrder = field(init=False)
    formulas: list[Term] = field(default_factory=list)
    occurs: list[Term] = field(default_factory=list)
    """occ of every node, as a literal."""
    choices: list[ReadChoice] = field(default_factory=list)
    orderings: list[Ordering] = field(default_factory=list)
    """Orders that follow from literals, apart from what choices mean."""
    errors: list[Term] = field(default_factory=list)
    """A literal for each violation, data race and deadlock."""
    is_violation: dict[Term, int] = field(default_factory=dict)
    """A literal for each violation of the graph, with its position in ``graph.violations``."""
    is_race: dict[Term, tuple[RaceTouch, RaceTouch]] = field(default_factory=dict)
    """A literal for each possible data race."""
    is_circle: Term | None = None
    """A literal: some threads wait for each other."""
    is_stuck: dict[Term, int] = field(default_factory=dict)
    """A literal for each wait, with its node: the thread waits there for good."""
    is_in_circle: dict[Term, int] = field(default_factory=dict)
    """A literal for each wait for another thread, with its node: it may be part of a circle."""
    troubles: list[UnclearNode] = field(default_factory=list)
    """As those of the graph, about the order."""
    counts: dict[str, int | float] = field(default_factory=dict)
    needs: dict[Term, list[Term]] = field(default_factory=dict)
    """A name, or a literal that implies something -> what it depends on."""
    ignored: set[Term] = field(default_factory=set)
    """Symbols of reads that nothing depends on: they may have any value."""
    _names: dict[Term, Term] = field(default_factory=dict)
    _places: dict[Term, Term] = field(default_factory=dict)

    def __post_init__(self) -> None:
        has_clocks = self.options.order is OrderEncoding.CLOCKS
        self.order = PairOrder(self.graph, asks_all=has_clocks and self.options.takes_all_pairs)

    @property
    def terms(self) -> Terms:
        """The terms of the program."""
        return self.graph.terms

    @property
    def clauses(self) -> list[Clause]:
        """What else has to hold, about the order: one of the literals of each."""
        return self.order.clauses

    @property
    def wrong(self) -> Term:
        """Some violation happens."""
        return self.terms.or_(*self.errors)

    # --- for axioms -------------------------------------------------------------------------------

    def add(self, *formulas: Term) -> None:
        """All of these hold."""
        self.formulas.extend(formula for formula in formulas if formula != self.terms.true)

    def named(self, term: Term) -> Term:
        """A literal that is equivalent to the term."""
        t = self.terms
        if t.is_const(term) or t.is_var(term):
            return term
        found = self._names.get(term)
        if found is None:
            found = self._names[term] = t.var(f"!is{len(self._names)}", BOOL)
            self.needs[found] = [term]
            self.add(t.eq(found, term))
        return found

    def implying(self, name: str, implied: Term) -> Term:
        """A new literal that implies a term."""
        literal = self.terms.var(name, BOOL)
        self.needs[literal] = [implied]
        self.add(self.terms.implies(literal, implied))
        return literal

    def same_place(self, a: Term, b: Term) -> Term:
        """loc(e) = loc(e'): two shared variables are one; a literal where that is left to the solver."""
        t = self.terms
        if a == b or not self.options.takes_all_pairs:
            return t.const(a == b, BOOL)
        return self.named(t.eq(self._place(a), self._place(b)))

    def _place(self, variable: Term) -> Term:
        if variable not in self._places:
            sort = bitvec(len(self.graph.variables).bit_length())
            self._places[variable] = self.terms.var(f"!loc{variable}", sort)
            self.add(self.terms.eq(self._places[variable], self.terms.const(len(self._places), sort)))
        return self._places[variable]

    def ordered(self, literals: Clause, a: int, b: int) -> None:
        """If the literals hold, HB(a, b)."""
        self.orderings.append(Ordering(literals, a, b))
        self.order.clause(*(self.terms.not_(literal) for literal in literals), self.order.before(a, b))

    def matters(self, read: NodeRead) -> Term:
        """occ(r): the node happens, and the value counts."""
        return self.terms.and_(self.graph.nodes[read.node].occurs, read.needed)

    # --- models -----------------------------------------------------------------------------------

    def edges_of(self, value: Callable[[Term], bool]) -> list[tuple[int, int]]:
        """The order that a model needs, apart from the static one."""
        found: dict[tuple[int, int], None] = {}
        for literals, a, b in self.orderings:
            if all(value(literal) for literal in literals):
                found[a, b] = None
        for choice in self.choices:
            copied = next((write for copy, write in choice.copied if value(copy)), None)
            if copied is not None:
                found.update(dict.fromkeys(self._kept(choice, copied, value)))
        return [(a, b) for a, b in found if not self.graph.order.is_before(a, b)]

    def _kept(
        self, choice: ReadChoice, write: NodeWrite, value: Callable[[Term], bool]
    ) -> Iterator[tuple[int, int]]:
        """How a model keeps apart what a read copies and other writes."""
        read = choice.read.node
        yield write.node, read
        for rival in choice.rivals:
            if rival is not write and rival.variable == write.variable and value(self.named(rival.condition)):
                is_earlier = value(self.order.before(rival.node, write.node))
                yield (rival.node, write.node) if is_earlier else (read, rival.node)

    def is_decided(self, node: int) -> bool:
        """Whether a model tells if a node happens: that may depend on a read that does not matter."""
        occurs = self.graph.nodes[node].occurs
        return self.ignored.isdisjoint(relevant_symbols(self.terms, [occurs], self.needs))


def relevant_symbols(
    terms: Terms, roots: Iterable[Term], needs: Mapping[Term, Iterable[Term]]
) -> frozenset[Term]:
    """The symbols that the roots depend on; ``needs`` says which terms the value of a symbol depends on."""
    found: set[Term] = set()
    waiting = [variable for root in roots for variable in terms.variables(root)]
    while waiting:
        symbol = waiting.pop()
        if symbol not in found:
            found.add(symbol)
            waiting.extend(v for term in needs.get(symbol, ()) for v in terms.variables(term))
    return frozenset(found)
