"""Atomic sections that can be completed whatever memory holds: no thread is blocked before them.

A section is one step, enabled iff some run through it completes. So this is a game: memory answers
every read and decides every branch, as it likes; what is chosen is truth values that are inputs,
such as whether a wait with a deadline is late. The section can be completed if there is a way to
choose such that every run ends. Known on the way are truth values and conditions of branches, and
that the cell of a lock was found to be 0.
"""

from collections.abc import Iterable
from typing import NamedTuple

from sley.analyses.liveness import live_registers
from sley.logic.operators import Op
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import written_registers
from sley.semantics.abstract.facts import LOCK_SIZE

MOST_POSITIONS = 2000
"""So many are looked at; a section with more may not be completed, as far as is known."""


class SectionKnowledge(NamedTuple):
    """What is known on the way."""

    values: frozenset[tuple[Term, Term]] = frozenset()
    """Registers and the constants that they hold."""
    facts: frozenset[Term] = frozenset()
    """Conditions that hold."""
    read: frozenset[tuple[Term, Term]] = frozenset()
    """Registers that hold what the cell at an address still holds."""
    free: frozenset[Term] = frozenset()
    """Addresses of cells that hold 0."""


Position = tuple[int, SectionKnowledge]


class Moves(NamedTuple):
    """Where a position leads: one of these, as is chosen; or any of them."""

    targets: tuple[Position, ...]
    is_chosen: bool = False


COMPLETED = Moves(())
BLOCKED = Moves((), is_chosen=True)


class ProgramSections:
    """The sections of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._completed: dict[tuple[str, int], bool] = {}
        self._returning: dict[str, bool] = {}

    def can_complete(self, function: Function, begin: Edge) -> bool:
        """Whether the section that begins with an edge can be completed whatever memory holds."""
        key = (function.name, begin.source)
        if key not in self._completed:
            self._completed[key] = _Game(self, function, is_call=False).is_won(begin.target)
        return self._completed[key]

    def can_return(self, name: str) -> bool:
        """Whether a function that is called in a section can return from any of its calls."""
        if name not in self._returning:
            self._returning[name] = False  # for recursion
            function = self.program.functions.get(name)
            self._returning[name] = function is not None and _Game(self, function, is_call=True).is_won(
                function.entry
            )
        return self._returning[name]


class _Game:
    """One section, or one call inside of a section."""

    def __init__(self, sections: ProgramSections, function: Function, *, is_call: bool) -> None:
        self.sections = sections
        self.terms = sections.program.terms
        self.function = function
        self.is_call = is_call
        live = live_registers(function, self.terms)
        self.live = {at: frozenset(one.term for one in registers) for at, registers in live.items()}
        self.locks = {
            edge.instruction.access.address
            for edge in function.edges
            if isinstance(edge.instruction, ir.Lock) and edge.instruction.access.size == LOCK_SIZE
        }

    def is_won(self, location: int) -> bool:
        """The least set of positions from which runs end: those that go round for ever are not in it."""
        moves = self._moves_from((location, SectionKnowledge()))
        if moves is None:
            return False
        won: set[Position] = set()
        is_new = True
        while is_new:
            is_new = False
            for position, (targets, is_chosen) in reversed(moves.items()):
                decide = any if is_chosen else all
                if position not in won and decide(target in won for target in targets):
                    won.add(position)
                    is_new = True
        return next(iter(moves)) in won

    def _moves_from(self, first: Position) -> dict[Position, Moves] | None:
        found: dict[Position, Moves] = {}
        waiting = [first]
        while waiting:
            position = waiting.pop()
            if position in found:
                continue
            if len(found) == MOST_POSITIONS:
                return None
            found[position] = self._moves(*position)
            waiting += found[position].targets
        return found

    def _moves(self, location: int, known: SectionKnowledge) -> Moves:
        edges = self.function.outgoing.get(location, ())
        if not edges:
            return COMPLETED  # an error, or the run is cut
        conditions = [edge.instruction for edge in edges if isinstance(edge.instruction, ir.Assume)]
        if conditions:
            return self._branch(edges, [one.condition for one in conditions], known)
        (edge,) = (one for one in edges if not isinstance(one.instruction, ir.FaultTest))
        return self._step(edge, known)

    def _branch(self, edges: Iterable[Edge], conditions: list[Term], known: SectionKnowledge) -> Moves:
        """The first whose condition holds; if there may be none, the run is blocked."""
        terms, targets = self.terms, []
        for edge, condition in zip(edges, conditions, strict=True):
            made = self._known(condition, known)
            if made == terms.false:
                continue
            targets.append(self._at(edge.target, self._learnt(condition, known)))
            if made == terms.true:
                return Moves(tuple(targets))
        return Moves(tuple(targets)) if terms.or_(*conditions) == terms.true else BLOCKED

    def _known(self, term: Term, known: SectionKnowledge) -> Term:
        """What a condition is, as far as is known."""
        terms = self.terms
        if term in known.facts:
            return terms.true
        if terms.is_boolean(term) and terms.not_(term) in known.facts:
            return terms.false
        return terms.substitute(term, dict(known.values)) if known.values else term

    def _learnt(self, condition: Term, known: SectionKnowledge) -> SectionKnowledge:
        terms = self.terms
        parts = self._parts(condition)
        values, free = dict(known.values), set(known.free)
        for part in parts:
            is_not = terms.op(part) is Op.NOT
            register = terms.args(part)[0] if is_not else part
            if terms.op(register) is Op.VAR:
                values[register] = terms.boolean(not is_not)
            for read, address in known.read:
                if part == terms.eq(read, terms.bv(0, terms.width(read))):
                    free.add(address)
        return known._replace(
            values=frozenset(values.items()), facts=known.facts.union(parts), free=frozenset(free)
        )

    def _parts(self, condition: Term) -> tuple[Term, ...]:
        """The conditions that all hold where this one does."""
        terms = self.terms
        if terms.op(condition) is Op.AND:
            return terms.args(condition)
        if terms.op(condition) is Op.NOT and terms.op(inner := terms.args(condition)[0]) is Op.OR:
            return tuple(terms.not_(one) for one in terms.args(inner))
        return (condition,)

    def _step(self, edge: Edge, known: SectionKnowledge) -> Moves:
        instruction = edge.instruction
        match instruction:
            case ir.AtomicEnd():
                return BLOCKED if self.is_call else COMPLETED
            case ir.Return():
                return COMPLETED if self.is_call else BLOCKED
            case ir.End() | ir.Exit() | ir.GiveUp():
                return COMPLETED
            case ir.Havoc(target=target, cause=ir.Cause.INPUT) if target.sort == BOOL:
                either = (self._set(known, target, self.terms.boolean(value)) for value in (True, False))
                return Moves(tuple(self._at(edge.target, one) for one in either), is_chosen=True)
            case ir.Await(condition=condition):
                return self._if(edge, known, is_sure=self._known(condition, known) == self.terms.true)
            case ir.Lock(access=access):
                is_free = access.address in known.free and access.size == LOCK_SIZE
                return self._if(edge, known, is_sure=is_free)
            case ir.Call(function=name):
                return self._if(edge, known, is_sure=self.sections.can_return(name))
            case ir.AtomicBegin() | ir.Join() | ir.CallPointer() | ir.CreatePointer() | ir.CallUnmodelled():
                return BLOCKED
            case _:
                return Moves((self._at(edge.target, self._after(instruction, known)),))

    def _if(self, edge: Edge, known: SectionKnowledge, *, is_sure: bool) -> Moves:
        if not is_sure:
            return BLOCKED
        return Moves((self._at(edge.target, self._after(edge.instruction, known)),))

    def _after(self, instruction: ir.Instruction, known: SectionKnowledge) -> SectionKnowledge:
        if isinstance(instruction, ir.Assign):
            made = [(one, self._known(term, known)) for one, term in instruction.assignments]
            for register, term in made:
                known = self._set(known, register, term)
            return known
        for register in written_registers(instruction):
            known = self._set(known, register, None)
        if isinstance(instruction, ir.Load):
            address, read = instruction.access.address, instruction.target.term
            is_whole = address in self.locks and instruction.access.size == LOCK_SIZE
            if is_whole and not self.terms.mentions(address, read):
                known = known._replace(read=known.read | {(read, address)})
        elif not isinstance(instruction, ir.Havoc | ir.Check | ir.Await | ir.Fence):
            known = known._replace(read=frozenset(), free=frozenset())
        return known

    def _set(self, known: SectionKnowledge, register: ir.Register, value: Term | None) -> SectionKnowledge:
        """A register changes: what was known of it is gone."""
        terms, changed = self.terms, register.term
        values = {one: held for one, held in known.values if one != changed}
        if value is not None and terms.is_const(value):
            values[changed] = value
        return SectionKnowledge(
            frozenset(values.items()),
            frozenset(fact for fact in known.facts if not terms.mentions(fact, changed)),
            frozenset(
                (read, address)
                for read, address in known.read
                if read != changed and not terms.mentions(address, changed)
            ),
            frozenset(address for address in known.free if not terms.mentions(address, changed)),
        )

    def _at(self, location: int, known: SectionKnowledge) -> Position:
        """Without what does not matter any more."""
        live, terms = self.live.get(location, frozenset()), self.terms
        return location, SectionKnowledge(
            frozenset(one for one in known.values if one[0] in live),
            frozenset(fact for fact in known.facts if live.issuperset(terms.variables(fact))),
            frozenset(one for one in known.read if one[0] in live),
            known.free,
        )
