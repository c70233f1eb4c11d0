"""Boolean broadcast programs compiled to bit vectors: which values a statement can leave behind.

The values that one statement relates are the bits of one number, a *valuation*: the shared Booleans before
and after, the active thread's, and those of up to two passive threads (or the new one). A clause is compiled
to the *cube* that it forbids: ``valuation & mask == value`` must not be.

``offsets`` says where the bits of an owner begin, those after the step behind those before it:

    shared, active thread, passive thread p (or the new one), passive thread q

What a bit means is ``Abstraction.meaning``: for each step, a term for each bit. A bit that the step does not
change stands for both, before and after it (``_folded``).

What a statement does is computed in parts, each remembered: the active thread and the shared Booleans first,
then every passive thread for itself. An *oracle* may be asked about each part; it knows more than the clauses
and whenever it refuses one, a new cube is learned.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from typing import Protocol

from sley.evidence.symmetric.boolean_program import (
    ACTIVE,
    NEW,
    PASSIVES,
    SHARED,
    BooleanProgram,
    BooleanTemplate,
    Clause,
    Literal,
    Statement,
)
from sley.evidence.symmetric.proof import Cube


@dataclass(slots=True)
class MachineStep:
    """A statement with one of its targets."""

    number: int
    statement: Statement
    template: int
    source: int
    target: int
    shared: int
    """Mask of the shared bits that become arbitrary."""
    own: int
    """Mask of the active thread's bits that do."""
    everywhere: tuple[int, ...]
    """By template: mask of its threads' bits that do."""
    creates: int | None
    concerns_others: bool
    """Whether passive threads change, or matter."""
    forbidden: dict[tuple[str, ...], list[Cube]] = field(default_factory=dict)
    """By the templates of ``p`` and ``q``, or the new thread: what must not be."""
    has_pairs: bool = False
    """Whether something is said of two passive threads."""

    def cubes(self, *others: str) -> Sequence[Cube]:
        """What must not be of the active thread and these."""
        return self.forbidden.get(others, ())


class Oracle(Protocol):
    """Knows which valuations are possible."""

    def judge(self, step: MachineStep, role: str, cube: Cube, wanted: int) -> int | Cube:
        """A possible valuation in the cube, or a part of it (fewer bits) that no possible valuation is in.

        Of a possible valuation, only the bits ``wanted`` must be right.
        ``role`` says which thread the bits of ``p`` belong to: none (empty), the new thread (``n``), or a
        passive thread of the template of that name.
        """
        ...

    def relevant(self, step: MachineStep, role: str) -> int:
        """The bits before the step that can matter to ``judge`` for this step, and any others."""
        ...


class BooleanMachine:
    """A compiled program; ``locations`` of all templates and the pseudo location of threads to come."""

    def __init__(self, program: BooleanProgram, oracle: Oracle | None = None) -> None:
        self.program = program
        self.oracle = oracle
        self.shared_bits = len(program.shared)
        self.local_bits = max((len(t.variables) for t in program.templates), default=0)
        self.local_mask = (1 << self.local_bits) - 1
        self.templates = program.templates
        self._numbers = {template.name: i for i, template in enumerate(program.templates)}
        self.template_at = {at: i for i, t in enumerate(program.templates) for at in t.locations}
        first = max(self.template_at, default=0) + 1
        self.absent = {i: first + i for i, t in enumerate(program.templates) if t.is_created}
        """BooleanTemplate -> the pseudo location of its threads before their creation."""
        self.template_at |= {at: i for i, at in self.absent.items()}
        self.scopes = {
            at: self._mask(template, template.scope(at))
            for template in program.templates
            for at in template.locations
        }
        self.scopes |= dict.fromkeys(self.absent.values(), 0)
        s, n = self.shared_bits, self.local_bits
        self.offsets = {
            (SHARED, False): 0,
            (SHARED, True): s,
            (ACTIVE, False): 2 * s,
            (ACTIVE, True): 2 * s + n,
            (NEW, False): 2 * s + 2 * n,
            (NEW, True): 2 * s + 3 * n,
            ("p", False): 2 * s + 2 * n,
            ("p", True): 2 * s + 3 * n,
            ("q", False): 2 * s + 4 * n,
            ("q", True): 2 * s + 5 * n,
        }
        self.shared_mask = (1 << self.shared_bits) - 1
        self._active: dict[tuple[int, int, int], tuple[tuple[int, int], ...]] = {}
        self._chosen: dict[tuple[int, int], list[int]] = {}
        self._relevant: dict[tuple[int, str], int] = {}
        self._passive: dict[tuple[int, int, int, int], tuple[int, ...]] = {}
        self.steps: list[MachineStep] = []
        self.steps_at: dict[int, list[MachineStep]] = {}
        for number, template in enumerate(program.templates):
            for statement in template.statements:
                for target in statement.targets:
                    self._compile(number, template, statement, target)

    def forget(self) -> None:
        """Forget what statements do: clauses were added."""
        self._active.clear()
        self._chosen.clear()
        self._passive.clear()
        self._relevant.clear()

    # --- compiling ----------------------------------------------------------------------------------

    @staticmethod
    def _mask(template: BooleanTemplate, names: Sequence[str]) -> int:
        return sum(1 << template.variables.index(name) for name in names)

    def _compile(self, number: int, template: BooleanTemplate, statement: Statement, target: int) -> None:
        everywhere = [0] * len(self.templates)
        for name, variable in statement.everywhere:
            everywhere[self._numbers[name]] |= self._mask(self.program.template(name), (variable,))
        scope = self.scopes[target]
        own = (
            self._mask(template, statement.own)
            | everywhere[number]
            | (scope & ~self.scopes[statement.source])
        )
        step = MachineStep(
            len(self.steps),
            statement,
            number,
            statement.source,
            target,
            sum(1 << self.program.shared.index(name) for name in statement.shared),
            own & scope,
            tuple(everywhere),
            None if statement.creates is None else self._numbers[statement.creates],
            concerns_others=any(everywhere) or statement.creates is not None,
        )
        self.steps.append(step)
        self.steps_at.setdefault(statement.source, []).append(step)
        for clause in statement.clauses:
            self.add(step, clause)

    def literal_bit(self, step: MachineStep, clause: Clause, literal: Literal) -> int:
        """The bit of the valuation that a literal is about."""
        offset = self.offsets[literal.owner, literal.is_primed]
        if literal.owner == SHARED:
            return 1 << offset + self.program.shared.index(literal.name)
        template = self._template_of(step, clause.passives, literal.owner)
        return 1 << offset + template.variables.index(literal.name)

    def _template_of(self, step: MachineStep, passives: tuple[str, ...], owner: str) -> BooleanTemplate:
        if owner == ACTIVE:
            return self.templates[step.template]
        if owner == NEW:
            assert step.creates is not None
            return self.templates[step.creates]
        return self.program.template(passives[PASSIVES.index(owner)])

    def add(self, step: MachineStep, clause: Clause) -> None:
        """One more clause for a step; what was remembered of it is not valid any more."""
        cube = _forbidden((self.literal_bit(step, clause, x), x.is_positive) for x in clause.literals)
        if cube is None:
            return
        role = NEW if any(literal.owner == NEW for literal in clause.literals) else ""
        self.forbid(step, clause.passives or ((role,) if role else ()), cube)

    def forbid(self, step: MachineStep, others: tuple[str, ...], cube: Cube) -> None:
        """As ``add``, with the cube: ``others`` are the templates of p and q, or the new thread."""
        folded = self._folded(step, others, cube)
        if folded is None:
            return
        role = others[0] if others else ""
        if folded.mask & ~self._relevant.get((step.number, role), folded.mask):
            self.forget()
        step.concerns_others |= bool(others)
        step.has_pairs |= len(others) > 1
        step.forbidden.setdefault(others, []).append(folded)

    def clause(self, step: MachineStep, others: tuple[str, ...], cube: Cube) -> Clause:
        """The clause that forbids a cube."""
        passives = () if others == (NEW,) else others
        names = others if others == (NEW,) else PASSIVES[: len(others)]
        literals: list[Literal] = []
        for owner in (SHARED, ACTIVE, *names):
            variables = (
                self.program.shared if owner == SHARED else self._template_of(step, passives, owner).variables
            )
            for is_primed in (False, True):
                for i, name in enumerate(variables):
                    bit = 1 << self.offsets[owner, is_primed] + i
                    if cube.mask & bit:
                        literals.append(Literal(owner, name, is_primed, not cube.value & bit))
        return Clause(tuple(literals), passives)

    def _folded(self, step: MachineStep, others: tuple[str, ...], cube: Cube) -> Cube | None:
        """With bits after the step that cannot differ from those before it moved there; None if void."""
        regions = [(SHARED, step.shared, -1), (ACTIVE, step.own, self.scopes[step.source])]
        if others and others != (NEW,):
            for name, index in zip(others, PASSIVES, strict=False):
                regions.append((index, step.everywhere[self._numbers[name]], -1))
        mask, value = cube
        after = self.offsets[ACTIVE, True]
        if mask >> after & self.local_mask & ~self.scopes[step.target]:
            return None
        for owner, changed, scope in regions:
            width = self.shared_bits if owner == SHARED else self.local_bits
            low, high = self.offsets[owner, False], self.offsets[owner, True]
            ones = (1 << width) - 1
            moved = mask >> high & ones & ~changed
            bits = value >> high & moved
            mask, value = mask & ~(moved << high), value & ~(moved << high)
            both = mask >> low & moved
            if (value >> low ^ bits) & both:
                return None
            mask, value = mask | moved << low, value | bits << low
            if mask >> low & ones & ~scope:
                return None
        return Cube(mask, value)

    def clauses(self) -> list[tuple[int, Clause]]:
        """All clauses, each with the number of its step."""
        return [
            (step.number, self.clause(step, others, cube))
            for step in self.steps
            for others, cubes in step.forbidden.items()
            for cube in dict.fromkeys(cubes)
        ]

    # --- what statements do -------------------------------------------------------------------------

    def solutions(
        self, known: Cube, free: int, cubes: Sequence[Cube], step: MachineStep | None = None, role: str = ""
    ) -> list[int]:
        """All values of the free bits with which the known bits make no forbidden valuation.

        The oracle is asked if it is said for which step.
        """
        relevant = [
            (mask & free, value & free)
            for mask, value in cubes
            if not (value ^ known.value) & mask & known.mask and not mask & ~(known.mask | free)
        ]
        oracle, found = self.oracle, []
        others = (role,) if role else ()
        stack: list[tuple[int, int, int | None]] = [(0, 0, None)]
        while stack:
            assigned, chosen, model = stack.pop()
            if any(not (mask & ~assigned or (value ^ chosen) & mask) for mask, value in relevant):
                continue
            if oracle is not None and step is not None and model is None:
                answer = oracle.judge(step, role, Cube(known.mask | assigned, known.value | chosen), free)
                if isinstance(answer, Cube):
                    self.forbid(step, others, answer)
                    relevant.append((answer.mask & free, answer.value & free))
                    continue
                model = answer
            rest = free & ~assigned
            if not rest:
                found.append(chosen)
                continue
            bit = rest & -rest
            guess = 0 if model is None else model & bit
            stack.append((assigned | bit, chosen | (bit ^ guess), None))
            stack.append((assigned | bit, chosen | guess, model))
        return found

    def _relevant_bits(self, step: MachineStep, role: str, cubes: Sequence[Cube]) -> int:
        """The bits that decide what a step does: clauses mention them, or they matter to the oracle."""
        key = step.number, role
        found = self._relevant.get(key)
        if found is None:
            found = self.oracle.relevant(step, role) if self.oracle is not None else 0
            for cube in cubes:
                found |= cube.mask
            self._relevant[key] = found
        return found

    def active(self, step: MachineStep, shared: int, own: int) -> tuple[tuple[int, int], ...]:
        """What the shared bits and the active thread's can be after the step."""
        key = step.number, shared, own
        found = self._active.get(key)
        if found is None:
            before, after, shared_after = (
                self.offsets[ACTIVE, False],
                self.offsets[ACTIVE, True],
                self.shared_bits,
            )
            relevant = self._relevant_bits(step, "", step.cubes())
            known = Cube(self.shared_mask | self.scopes[step.source] << before, shared | own << before)
            known = Cube(known.mask & relevant, known.value & relevant)
            free = step.shared << shared_after | step.own << after
            keep = self.scopes[step.target] & ~step.own
            chosen = self._chosen.get((step.number, known.value))
            if chosen is None:
                chosen = self.solutions(known, free, step.cubes(), step, "")
                self._chosen[step.number, known.value] = chosen
            found = self._active[key] = tuple(
                (shared & ~step.shared | one >> shared_after & self.shared_mask, own & keep | one >> after)
                for one in chosen
            )
        return found

    def valuation(self, step: MachineStep, before: tuple[int, int], after: tuple[int, int]) -> Cube:
        """What is known once shared bits and the active thread are decided."""
        offsets, everything = self.offsets, self.shared_mask
        mask = everything | self.scopes[step.source] << offsets[ACTIVE, False]
        mask |= step.shared << offsets[SHARED, True] | step.own << offsets[ACTIVE, True]
        value = before[0] | before[1] << offsets[ACTIVE, False]
        value |= after[0] << offsets[SHARED, True] | after[1] << offsets[ACTIVE, True]
        return Cube(mask, value & mask)

    def passive(self, step: MachineStep, valuation: Cube, local: int) -> tuple[int, ...]:
        """What a passive thread can be after the step: its whole local states, location included."""
        location = local >> self.local_bits
        template, scope = self.template_at[location], self.scopes[location]
        name = self.templates[template].name
        changed, cubes = step.everywhere[template] & scope, step.cubes(name)
        if location == self.absent.get(template) or not (changed or cubes):
            return (local,)
        asked = step if changed else None
        relevant = self._relevant_bits(step, name, cubes)
        key = step.number, valuation.value & relevant, local, 0
        found = self._passive.get(key)
        if found is None:
            low, high = self.offsets["p", False], self.offsets["p", True]
            bits = local & self.local_mask
            known = Cube(valuation.mask | scope << low, valuation.value | bits << low)
            known = Cube(known.mask & relevant, known.value & relevant)
            applicable = [c for c in cubes if not (c.mask >> low | c.mask >> high) & self.local_mask & ~scope]
            solutions = self.solutions(known, changed << high, applicable, asked, name)
            kept = local & ~changed
            found = self._passive[key] = tuple(kept | chosen >> high for chosen in solutions)
        return found

    def created(self, step: MachineStep, valuation: Cube) -> tuple[int, ...]:
        """What a new thread can be."""
        assert step.creates is not None
        entry = self.templates[step.creates].entry
        relevant = self._relevant_bits(step, NEW, step.cubes(NEW))
        key = step.number, valuation.value & relevant, -1, 1
        found = self._passive.get(key)
        if found is None:
            high = self.offsets[NEW, True]
            known = Cube(valuation.mask & relevant, valuation.value & relevant)
            solutions = self.solutions(known, self.scopes[entry] << high, step.cubes(NEW), step, NEW)
            found = self._passive[key] = tuple(
                entry << self.local_bits | chosen >> high for chosen in solutions
            )
        return found

    def are_compatible(self, step: MachineStep, valuation: Cube, moves: Sequence[tuple[int, int]]) -> bool:
        """Whether all clauses about two passive threads hold for these moves (before, after)."""
        return not any(
            self._is_hit(valuation, tuple(zip(names, two, strict=True)), cube)
            for names, cubes in step.forbidden.items()
            if len(names) > 1
            for two in permutations(moves, len(names))
            for cube in cubes
        )

    def _is_hit(self, valuation: Cube, others: Sequence[tuple[str, tuple[int, int]]], cube: Cube) -> bool:
        mask, value = valuation
        for index, (name, (before, after)) in zip(PASSIVES, others, strict=True):
            location = before >> self.local_bits
            if self.template_at[location] != self._numbers[name]:
                return False
            low, high, scope = self.offsets[index, False], self.offsets[index, True], self.scopes[location]
            mask |= scope << low | scope << high
            value |= (before & scope) << low | (after & scope) << high
        return not cube.mask & ~mask and not (cube.value ^ value) & cube.mask

    # --- initial states -------------------------------------------------------------------------------

    def initial_cubes(self) -> list[Cube]:
        """What the shared bits cannot be at the beginning."""
        bits = {name: 1 << i for i, name in enumerate(self.program.shared)}
        clauses = (((bits[x.name], x.is_positive) for x in c.literals) for c in self.program.initial)
        return [cube for clause in clauses if (cube := _forbidden(clause)) is not None]

    def initial_shared(self) -> list[int]:
        """What the shared bits can be at the beginning."""
        return sorted(self.solutions(Cube(0, 0), self.shared_mask, self.initial_cubes()))

    def initial_locals(self, number: int) -> list[int]:
        """What a thread of a template can be at the beginning: anything, where it exists by then."""
        template = self.templates[number]
        if template.is_created:
            return [self.absent[number] << self.local_bits]
        chosen = self.solutions(Cube(0, 0), self.scopes[template.entry], ())
        return sorted(template.entry << self.local_bits | bits for bits in chosen)


def _forbidden(literals: Iterable[tuple[int, bool]]) -> Cube | None:
    """The cube that a clause forbids, from bits and signs; None if it always holds."""
    mask = value = 0
    for bit, is_positive in literals:
        is_opposite = bool(value & bit) if is_positive else bool(mask & ~value & bit)
        if is_opposite:
            return None
        mask |= bit
        value |= 0 if is_positive else bit
    return Cube(mask, value)


def runs(items: Sequence[int]) -> list[tuple[int, int]]:
    """The distinct items of a sorted sequence with their numbers."""
    starts = [0, *(i + 1 for i, (a, b) in enumerate(pairwise(items)) if a != b), len(items)]
    return [(items[start], end - start) for start, end in pairwise(starts)] if items else []
