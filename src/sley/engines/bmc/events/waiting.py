"""Threads that may be blocked for good: each has a node of its own that reads what it waits for.

A lock or a join is blocked by itself; an atomic section is blocked as a whole, where none of its paths comes
to its end.
"""

from dataclasses import dataclass, field

from sley.engines.bmc.events.conditions import Conditions
from sley.engines.bmc.events.graph import EventGraph, EventNode, WaitNode
from sley.engines.bmc.events.states import NodeBuilder
from sley.logic.terms import Term


@dataclass(slots=True)
class _BlockingSection:
    """An atomic section that may be blocked."""

    node: EventNode
    waiting: EventNode
    guard: Term
    inputs: list[Term] = field(default_factory=list)
    """Arbitrary values that are made in it."""


class Waiting:
    """Makes the nodes that wait."""

    def __init__(self, graph: EventGraph, conditions: Conditions, nodes: NodeBuilder) -> None:
        self.graph = graph
        self.conditions = conditions
        self.terms = conditions.terms
        self.nodes = nodes
        self._sections: list[_BlockingSection] = []
        """Those of the thread that is unrolled."""

    def add(
        self, waiting: EventNode, node: EventNode | None, guard: Term, waits: Term, holder: Term | None
    ) -> None:
        """A new node waits where ``node`` would go on; ``holder``: for which thread it waits."""
        renamed = self._read_again(node, waiting, guard)
        waiting.occurs = self.terms.and_(guard, self.terms.substitute(waits, renamed))
        found = None if holder is None else self.terms.substitute(holder, renamed)
        self.graph.waits.append(WaitNode(waiting.number, None if node is None else node.number, found))

    def add_section(self, waiting: EventNode, node: EventNode, guard: Term) -> None:
        """A section may be blocked: when is known at the end of its thread."""
        self._sections.append(_BlockingSection(node, waiting, guard))

    def note_inputs(self, node: EventNode | None, made: list[Term]) -> None:
        """Arbitrary values are made in a section."""
        for section in self._sections:
            if section.node is node:
                section.inputs.extend(made)

    def finish_sections(self) -> None:
        """All sections of a thread are known: say when they are blocked."""
        t = self.terms
        for section in self._sections:
            renamed = self._read_again(section.node, section.waiting, section.guard)
            can_step = self.nodes.completed.get(section.node.number, t.false)
            blocked = [
                t.not_(self.conditions.renamed(can_step, renamed | inputs)) for inputs in self._tried(section)
            ]
            section.waiting.occurs = t.and_(section.guard, *blocked)
            self.graph.waits.append(WaitNode(section.waiting.number, section.node.number, None))
        self._sections = []

    def _read_again(self, node: EventNode | None, waiting: EventNode, guard: Term) -> dict[Term, Term]:
        """The node that waits reads what the other one does; which symbols stand for which."""
        renamed: dict[Term, Term] = {}
        for variable, read in ({} if node is None else node.reads).items():
            renamed[read.symbol] = self.nodes.symbol(waiting, variable, read.location)
            waiting.reads[variable].needed = guard
        return renamed

    def _tried(self, section: _BlockingSection) -> list[dict[Term, Term]]:
        """Two values for each input: a section that neither lets pass may be blocked, any other is not."""
        if not section.inputs:
            return [{}]
        t = self.terms
        booleans = {v: (t.false, t.true) for v in section.inputs if t.is_boolean(v)}
        numbers = {v: t.sort(v) for v in section.inputs if v not in booleans}
        return [
            {v: pair[value] for v, pair in booleans.items()}
            | {v: t.const(value, sort) for v, sort in numbers.items()}
            for value in (0, 1)
        ]
