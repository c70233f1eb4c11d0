"""Likely invariants as restrictions of a formula: which writes a read copies.

Each invariant has a switch for every read of the unrolled program that it speaks of, or one for all reads at
its place in the program. With all switches on, few runs are left; a violation among them is one. Which
switches are turned off, and when, is the business of ``refinement``.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from sley.engines.bmc.events.graph import EventGraph, NodeRead, NodeWrite
from sley.engines.bmc.formula.formula import Formula, ReadChoice
from sley.engines.bmc.likely.invariants import INITIAL, LikelyInvariants, LikelyRead
from sley.engines.bmc.options import Switches
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms


@dataclass(slots=True)
class Restriction:
    """What the invariants mean in one formula."""

    formulas: list[Term] = field(default_factory=list)
    switches: dict[Term, dict[Term, None]] = field(default_factory=dict)
    """Each with the copies that it excludes, as far as it does so by itself."""
    pairs: int = 0
    """Pairs of a read and a write it may copy."""

    def saved(self, switches: Collection[Term]) -> int:
        """How many pairs are excluded with these switches on."""
        return len({copy for switch in switches for copy in self.switches[switch]})


class Restricter:
    """Applies likely invariants to the events of one unrolling."""

    def __init__(
        self, terms: Terms, graph: EventGraph, likely: LikelyInvariants, switches: Switches = Switches.READS
    ) -> None:
        self.terms = terms
        self.graph = graph
        self.likely = likely
        self.switches = switches

    def may_copy(self, read: NodeRead, write: NodeWrite) -> bool:
        """Whether the invariants, except for followers, allow that a read copies a write."""
        claim = self.likely.reads.get(read.location)
        return claim is None or not any(not allowed for _, allowed in self._verdicts(claim, read, write))

    def switched(self, formula: Formula) -> Restriction:
        """Formulas that a switch per invariant turns on."""
        found = Restriction()
        previous: dict[tuple[int, Term], ReadChoice] = {}
        for choice in formula.choices:
            read = choice.read
            found.pairs += len(choice.copied)
            claim = self.likely.reads.get(read.location)
            if claim is not None:
                for rf, write in choice.copied:
                    for kind, is_allowed in self._verdicts(claim, read, write):
                        if not is_allowed:
                            self._exclude(found, kind, read, (rf,))
            key = (self.graph.nodes[read.node].thread, read.variable)
            before = previous.get(key)
            if claim is not None and claim.follows and before is not None:
                self._follow(found, choice, before)
            previous[key] = choice
        return found

    def preferences(self, formula: Formula) -> Iterator[tuple[Term, bool]]:
        """Which copies a solver should try first: those that the invariants allow."""
        for choice in formula.choices:
            if len(choice.copied) > 1 and choice.read.location in self.likely.reads:
                for rf, write in choice.copied:
                    yield rf, self.may_copy(choice.read, write)

    def _verdicts(self, claim: LikelyRead, read: NodeRead, write: NodeWrite) -> Iterator[tuple[str, bool]]:
        """Which kinds of invariants have a say, and whether they allow the copy."""
        is_seen_first = write.node == 0 and claim.writes is not None and INITIAL in claim.writes
        if claim.origin is not None and not is_seen_first:
            is_local = self.graph.nodes[write.node].thread == self.graph.nodes[read.node].thread
            yield "origin", is_local == (claim.origin == "local")
        if claim.writes is not None:
            yield "writes", (write.location if write.node else INITIAL) in claim.writes

    def _follow(self, found: Restriction, choice: ReadChoice, before: ReadChoice) -> None:
        """The read copies what the one before it copies, where that happens."""
        earlier = {write.node: rf for rf, write in before.copied}
        for rf, write in choice.copied:
            same = earlier.get(write.node)
            literals = (rf, before.occurs) if same is None else (rf, before.occurs, self.terms.not_(same))
            self._exclude(found, "follows", choice.read, literals)

    def _exclude(self, found: Restriction, kind: str, read: NodeRead, literals: tuple[Term, ...]) -> None:
        """The literals do not hold together where the invariant of this kind is switched on."""
        t = self.terms
        which = read.symbol if self.switches is Switches.READS else f"@{read.location}"
        switch = t.var(f"!likely {kind} {which}", BOOL)
        excluded = found.switches.setdefault(switch, {})
        if len(literals) == 1:
            excluded[literals[0]] = None
        found.formulas.append(t.or_(t.not_(switch), *(t.not_(literal) for literal in literals)))
