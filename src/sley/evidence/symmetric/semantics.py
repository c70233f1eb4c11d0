"""What Boolean broadcast programs do: the definition, for the checker (Donaldson et al., FMSD 2012, Fig. 3).

The paper's symbols, and what stands for them. All values that a step relates are the bits of one number, a
*valuation*: the shared Booleans before and after the step, then a *block* of bits for each thread, likewise.

    s, s'               the shared Booleans                       block -1
    l_a, l_a'           those of the active thread                block 0
    l_p, l_p'           those of a passive thread                 the blocks from 1 on
    a new thread        beyond the paper                          the last block
    phi over these      the constraint of a statement             ``clauses``, all of which must hold
    all(b)              a broadcast: b changes in all threads     ``Action.everywhere``
    sigma               a state                                   a configuration: threads have no identity

A Boolean that does not change has one bit, which stands for it before and after. A step of a thread decides
the shared Booleans and its own; then every other thread decides its own for itself: a clause speaks of one
passive thread. Clauses about two are tried at the end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import NamedTuple

from sley.evidence.symmetric.boolean_program import (
    ACTIVE,
    NEW,
    PASSIVES,
    SHARED,
    BooleanProgram,
    Clause,
    Literal,
    Statement,
)
from sley.evidence.symmetric.proof import Configuration, LocalState


class Bits(NamedTuple):
    """A clause over the bits of a valuation: one of the positive is 1, or one of the negative is 0."""

    positive: int
    negative: int

    def holds(self, valuation: int) -> bool:
        """Whether a valuation fulfils it."""
        return bool(valuation & self.positive or ~valuation & self.negative)


def models(clauses: Sequence[Bits], valuation: int, free: int) -> Iterator[int]:
    """The ways to fill the free bits of a valuation (which are 0 there) so that all clauses hold."""
    zeros = ~(valuation | free)
    left = [clause for clause in clauses if not (valuation & clause.positive or zeros & clause.negative)]
    choices = ((clause.positive | clause.negative) & free for clause in left)
    shortest = min(choices, key=int.bit_count, default=free)
    if shortest:
        bit = shortest & -shortest
        yield from models(left, valuation, free & ~bit)
        yield from models(left, valuation | bit, free & ~bit)
    elif not left:
        yield valuation


@dataclass(frozen=True, slots=True)
class Action:
    """A statement with one of its targets; Booleans are bits by their place in the template."""

    number: int
    statement: Statement
    template: int
    target: int
    shared: int
    """The shared Booleans that become arbitrary."""
    own: int
    """Those of the active thread: what the statement says, and what meant nothing before the step."""
    everywhere: tuple[int, ...]
    """By template: those of its passive threads."""
    creates: int | None
    most_passives: int
    """How many passive threads a clause speaks of at most."""

    @property
    def source(self) -> int:
        """Where the active thread is before the step."""
        return self.statement.source


class Semantics:
    """The steps of a Boolean program; what was computed once is remembered."""

    def __init__(self, program: BooleanProgram) -> None:
        self.program = program
        self.templates = program.templates
        self.template_at = {at: i for i, t in enumerate(self.templates) for at in t.locations}
        self.scopes = {at: bits(t.variables, t.scope(at)) for t in self.templates for at in t.locations}
        self.shared_size = len(program.shared)
        self.local_size = max((len(t.variables) for t in self.templates), default=0)
        self._numbers = {template.name: i for i, template in enumerate(self.templates)}
        self.actions: list[Action] = []
        for number, template in enumerate(self.templates):
            for statement in template.statements:
                for target in statement.targets:
                    self.actions.append(self._action(number, statement, target))
        self.actions_at: dict[int, list[Action]] = {}
        for action in self.actions:
            self.actions_at.setdefault(action.source, []).append(action)
        self._clauses: dict[tuple[int, tuple[int, ...], bool], tuple[Bits, ...]] = {}
        self._mentioned: dict[tuple[int, tuple[int, ...], bool], int] = {}
        self._fillings: dict[tuple[int, tuple[int, ...], bool, int], tuple[int, ...]] = {}

    def _action(self, template: int, statement: Statement, target: int) -> Action:
        everywhere = [0] * len(self.templates)
        for name, variable in statement.everywhere:
            number = self._numbers[name]
            everywhere[number] |= bits(self.templates[number].variables, (variable,))
        own = bits(self.templates[template].variables, statement.own) | everywhere[template]
        return Action(
            len(self.actions),
            statement,
            template,
            target,
            bits(self.program.shared, statement.shared),
            (own | ~self.scopes[statement.source]) & self.scopes[target],
            tuple(everywhere),
            None if statement.creates is None else self._numbers[statement.creates],
            max((len(clause.passives) for clause in statement.clauses), default=0),
        )

    def shift(self, block: int, *, is_primed: bool = False) -> int:
        """Where a block of a valuation begins, or its part after the step."""
        if block < 0:
            return self.shared_size * is_primed
        return 2 * self.shared_size + self.local_size * (2 * block + is_primed)

    # --- what a step has to fulfil --------------------------------------------------------------------

    def clauses(self, action: Action, others: tuple[int, ...], *, has_new: bool = False) -> tuple[Bits, ...]:
        """The clauses for an active thread and others at these locations; the last may be the new one."""
        key = action.number, others, has_new
        found = self._clauses.get(key)
        if found is None:
            instances = (
                self._instance(action, clause, others, roles)
                for clause in action.statement.clauses
                for roles in self._roles(clause, others, has_new=has_new)
            )
            found = self._clauses[key] = tuple(one for one in instances if one is not None)
        return found

    def _roles(self, clause: Clause, others: tuple[int, ...], *, has_new: bool) -> Iterator[dict[str, int]]:
        """The blocks of those whom a clause speaks of: all choices of passive threads of its templates."""
        blocks = range(1, len(others) + (not has_new))
        fixed = {SHARED: -1, ACTIVE: 0} | ({NEW: len(others)} if has_new else {})
        for chosen in permutations(blocks, len(clause.passives)):
            at = (self.templates[self.template_at[others[block - 1]]].name for block in chosen)
            if all(name == wanted for name, wanted in zip(at, clause.passives, strict=True)):
                yield fixed | dict(zip(PASSIVES, chosen, strict=False))

    def _instance(
        self, action: Action, clause: Clause, others: tuple[int, ...], roles: dict[str, int]
    ) -> Bits | None:
        """A clause for these threads; None where it does not apply."""
        positive = negative = 0
        for literal in clause.literals:
            bit = self._bit(action, literal, others, roles.get(literal.owner))
            if bit is None:
                return None
            positive |= bit if literal.is_positive else 0
            negative |= 0 if literal.is_positive else bit
        return Bits(positive, negative)

    def _bit(
        self, action: Action, literal: Literal, others: tuple[int, ...], block: int | None
    ) -> int | None:
        """The bit that a literal is about; None if it means nothing where its thread is."""
        is_primed = literal.is_primed
        if block is None:
            return None  # no thread is created
        if literal.owner == SHARED:
            bit, changed, scope = bits(self.program.shared, (literal.name,)), action.shared, -1
        else:
            location = others[block - 1] if block else action.target if is_primed else action.source
            template = self.template_at[location]
            bit, scope = bits(self.templates[template].variables, (literal.name,)), self.scopes[location]
            changed = action.own if block == 0 else action.everywhere[template]
            if literal.owner == NEW:
                changed, scope = scope, scope if is_primed else 0
        if not bit & scope:
            return None
        return bit << self.shift(block, is_primed=is_primed and bool(bit & changed))

    def free(self, action: Action, others: tuple[int, ...], *, has_new: bool = False) -> int:
        """The bits after the step that others at these locations may have any value in."""
        found = 0
        for block, location in enumerate(others, 1):
            changed = action.everywhere[self.template_at[location]]
            if has_new and block == len(others):
                changed = -1
            found |= (changed & self.scopes[location]) << self.shift(block, is_primed=True)
        return found

    # --- steps ----------------------------------------------------------------------------------------

    def successors(self, configuration: Configuration) -> Iterator[Configuration]:
        """What a configuration becomes by one step of one of its threads."""
        shared, threads = configuration
        for i, active in enumerate(threads):
            if active not in threads[:i]:
                rest = (*threads[:i], *threads[i + 1 :])
                for action in self.actions_at.get(active[0], ()):
                    yield from self._taken(action, shared, active, rest)

    def _taken(
        self, action: Action, shared: int, active: LocalState, rest: tuple[LocalState, ...]
    ) -> Iterator[Configuration]:
        created = self._is_created(action, rest)
        if created is None:
            return
        valuation = shared | active[1] << self.shift(0)
        kept = shared & ~action.shared, active[1] & self.scopes[action.target] & ~action.own
        high, own_high = self.shift(-1, is_primed=True), self.shift(0, is_primed=True)
        free = action.shared << high | action.own << own_high
        for filled in self._filled(action, (), valuation, free):
            after = kept[0] | filled >> high & action.shared
            moved = action.target, kept[1] | filled >> own_high & action.own
            choices = [self._reactions(action, valuation | filled, thread) for thread in rest]
            choices += [self._news(action, valuation | filled, entry) for entry in created]
            for chosen in product(*choices):
                if self._agree(action, valuation | filled, rest, chosen):
                    yield after, tuple(sorted((moved, *chosen)))

    def _is_created(self, action: Action, rest: Sequence[LocalState]) -> tuple[int, ...] | None:
        """Where a new thread begins; None if there is already the only one: it is created once."""
        if action.creates is None:
            return ()
        template = self.templates[action.creates]
        if template.is_single and any(self.template_at[at] == action.creates for at, _ in rest):
            return None
        return (template.entry,)

    def _filled(
        self, action: Action, others: tuple[int, ...], valuation: int, free: int, *, has_new: bool = False
    ) -> tuple[int, ...]:
        """The values of free bits with which the clauses hold; others than these do not matter for it."""
        key = action.number, others, has_new
        clauses = self.clauses(action, others, has_new=has_new)
        mentioned = self._mentioned.get(key)
        if mentioned is None:
            mentioned = 0
            for clause in clauses:
                mentioned |= clause.positive | clause.negative
            self._mentioned[key] = mentioned
        known = valuation & mentioned
        found = self._fillings.get((*key, known))
        if found is None:
            found = tuple(model & free for model in models(clauses, known, free))
            self._fillings[*key, known] = found
        return found

    def _reactions(self, action: Action, valuation: int, thread: LocalState) -> tuple[LocalState, ...]:
        """What a passive thread can be after the step."""
        location, values = thread
        free, high = self.free(action, (location,)), self.shift(1, is_primed=True)
        if not free and not action.most_passives:
            return (thread,)
        filled = self._filled(action, (location,), valuation | values << self.shift(1), free)
        return tuple((location, values & ~(free >> high) | one >> high) for one in filled)

    def _news(self, action: Action, valuation: int, entry: int) -> tuple[LocalState, ...]:
        """What a new thread can be."""
        free = self.free(action, (entry,), has_new=True)
        filled = self._filled(action, (entry,), valuation, free, has_new=True)
        return tuple((entry, one >> self.shift(1, is_primed=True)) for one in filled)

    def _agree(
        self, action: Action, valuation: int, before: Sequence[LocalState], after: Sequence[LocalState]
    ) -> bool:
        """Whether the clauses about two passive threads hold for every two."""
        if action.most_passives < len(PASSIVES):
            return True
        for one, other in combinations(zip(before, after, strict=False), len(PASSIVES)):
            both = valuation
            for block, ((_, was), (_, now)) in enumerate((one, other), 1):
                both |= was << self.shift(block) | now << self.shift(block, is_primed=True)
            if not all(c.holds(both) for c in self.clauses(action, (one[0][0], other[0][0]))):
                return False
        return True

    # --- the beginning, and the end -------------------------------------------------------------------

    def initial(self, numbers: Sequence[int] = ()) -> Iterator[Configuration]:
        """All initial configurations, by template so many threads of those that are not created."""
        everything = (1 << self.shared_size) - 1
        names = self.program.shared
        clauses = [
            Bits(
                bits(names, [x.name for x in clause.literals if x.is_positive]),
                bits(names, [x.name for x in clause.literals if not x.is_positive]),
            )
            for clause in self.program.initial
        ]
        for shared in models(clauses, 0, everything):
            choices = [
                [(template.entry, values) for values in models((), 0, self.scopes[template.entry])]
                for i, template in enumerate(self.templates)
                if not template.is_created
                for _ in range(1 if template.is_single else numbers[i])
            ]
            for threads in product(*choices):
                yield shared, tuple(sorted(threads))

    def is_bad(self, configuration: Configuration) -> bool:
        """Whether different threads are at the locations of a bad combination."""
        locations = [at for at, _ in configuration[1]]
        return any(
            all(locations.count(at) >= error.count(at) for at in error) for error in self.program.errors
        )


def bits(names: Sequence[object], chosen: Sequence[object]) -> int:
    """The chosen names as bits, by their places among all names."""
    return sum(1 << names.index(name) for name in dict.fromkeys(chosen))
