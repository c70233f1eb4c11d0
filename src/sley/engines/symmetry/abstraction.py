"""Predicate abstraction of a system of templates: which Boolean program, and what its Booleans mean.

Predicates over what all threads share (main included) become shared Booleans; *local* predicates over a
worker's own variables, and *mixed* ones over both, become local Booleans of the worker's template. Whenever a
variable that all share is assigned, the mixed predicates over it are broadcast: every thread's copy changes.

A statement of the Boolean program stands for one transition of the system. Its bits mean terms over the
variables before the transition (``Meaning``): a bit before it is the predicate itself, one after it the
predicate with the updates put in, for a passive thread with *its* variables in the place of the active
one's. A forbidden cube is right if these terms contradict the guard of the transition.

A Boolean means something only where the registers of its predicate are live.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from sley.engines.symmetry.machine import BooleanMachine, MachineStep
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
from sley.evidence.symmetric.proof import Cube, Predicate
from sley.logic.terms import Term
from sley.program.properties import Property
from sley.semantics.symbolic_step import Branch
from sley.semantics.templates import MAIN, Template, TemplateSystem, Transition

NEW_COPY, FIRST_PASSIVE = 1, 2
"""Which copy of a template stands for the new thread (as in the system's transitions), and for ``p``."""

COPIES = 4


class BadCombination(NamedTuple):
    """What it means that threads are at a bad combination of places."""

    locations: tuple[int, ...]
    """As the Boolean program numbers them."""
    reason: str | None
    """Why the answer is unknown if this can happen; None: it is a violation."""
    condition: tuple[Term, ...] = ()
    """What must hold besides; over the first instances, the second copy if both are of one template."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the bits of valuations of one step mean, and what is known besides."""

    context: tuple[Term, ...]
    bits: Mapping[int, Term]


class Abstraction:
    """A Boolean program for a set of predicates, its clauses not included."""

    def __init__(
        self, system: TemplateSystem, properties: frozenset[Property], predicates: Sequence[Predicate]
    ) -> None:
        assert system.copies >= COPIES
        self.system = system
        self.terms = system.terms
        self.properties = properties
        self.shared = frozenset(system.shared)
        self.predicates = tuple(predicates)
        self.places = _PlaceNumbers(system)
        self.transitions: list[Transition] = []
        """By number of the Boolean program's step."""
        self.names = {predicate: f"b{i}" for i, predicate in enumerate(self.predicates)}
        self._variables = {p: frozenset(self.terms.variables(p.term)) for p in self.predicates}
        self._meanings: dict[tuple[int, tuple[str, ...]], Meaning] = {}

    # --- the program ----------------------------------------------------------------------------------

    @cached_property
    def program(self) -> BooleanProgram:
        """The program without clauses, but for the initial ones."""
        self.transitions.clear()
        templates = tuple(self._template(i, t) for i, t in enumerate(self.system.templates))
        shared = tuple(self.names[p] for p in self.predicates if p.template is None)
        errors = tuple(bad.locations for bad in self.bad)
        return BooleanProgram(shared, templates, self._initially(), errors)

    @cached_property
    def bad(self) -> tuple[BadCombination, ...]:
        """Everything that must be shown to be impossible."""
        system = self.system
        numbers = range(len(system.templates))
        found = [BadCombination((self.places[i, at],), None) for i in numbers for at in self.places.errors(i)]
        for i in numbers:
            obstacles = self.places.obstacles(i)
            found += [BadCombination((self.places[i, at],), reason) for at, reason in obstacles.items()]
        if Property.RACE in self.properties:
            found += self._races()
        return tuple(found)

    def _races(self) -> list[BadCombination]:
        system, found = self.system, []
        for i, one in enumerate(system.templates):
            for j, other in enumerate(system.templates[i:], i):
                if i == j and not one.is_replicated:
                    continue
                second = system.position(other, 1 if i == j else 0)
                for place, at, condition in system.races(one.position, second):
                    locations = self.places[i, place], self.places[j, at]
                    holds = self.terms.and_(condition.holds, self.terms.not_(condition.unknown))
                    if holds != self.terms.false:
                        found.append(BadCombination(locations, None, (holds,)))
                    if condition.unknown != self.terms.false:
                        why = "whether two accesses race is not known"
                        found.append(BadCombination(locations, why, (condition.unknown,)))
        return found

    def _template(self, number: int, template: Template) -> BooleanTemplate:
        places = self.places
        statements: list[Statement] = []
        for transition in places.transitions(number):
            self.transitions.append(transition)
            statements.append(self._statement(number, transition))
        function = self.system.program.functions[template.function]
        scopes = {
            places[number, location]: tuple(
                self.names[p] for p in self.predicates if p.template == number and self._means(p, location)
            )
            for location in places.locations(number)
        }
        variables = tuple(self.names[p] for p in self.predicates if p.template == number)
        return BooleanTemplate(
            self._name(number),
            variables,
            places[number, function.entry],
            tuple(statements),
            is_single=not template.is_replicated,
            is_created=number != MAIN,
            scopes=scopes,
        )

    def _means(self, predicate: Predicate, location: int) -> bool:
        """Whether the registers of a predicate are live."""
        if location < 0:
            return False
        assert predicate.template is not None
        template = self.system.templates[predicate.template]
        vocabulary = self.system.vocabulary
        live = {vocabulary.register(template.position, r) for r in self.system.code.live.get(location, ())}
        registers = {
            vocabulary.register(template.position, r)
            for r in self.system.program.functions[template.function].registers
        }
        return self._variables[predicate] & registers <= live

    def _statement(self, number: int, transition: Transition) -> Statement:
        updated = frozenset(transition.updates)
        shared, own, everywhere = [], [], []
        passed_on = updated & self.shared
        for predicate in self.predicates:
            variables, name = self._variables[predicate], self.names[predicate]
            if predicate.template is None:
                if variables & updated:
                    shared.append(name)
            elif variables & passed_on:
                everywhere.append((self._name(predicate.template), name))
                if predicate.template == number:
                    own.append(name)
            elif predicate.template == number and variables & updated:
                own.append(name)
        creates = None
        if transition.created is not None:
            creates = self._name(self.system.templates.index(self.system.template(transition.created)))
        return Statement(
            self.places[number, transition.source],
            (self.places[number, transition.target],),
            tuple(shared),
            tuple(own),
            tuple(everywhere),
            creates=creates,
        )

    def _name(self, number: int) -> str:
        return self._template_names[number]

    @cached_property
    def _template_names(self) -> tuple[str, ...]:
        """The functions' names, made different from each other and from the names of roles."""
        found: list[str] = []
        for template in self.system.templates:
            name = template.function if not template.site else f"{template.function}_{template.position}"
            while name in (*found, ACTIVE, NEW, *PASSIVES):
                name += "$"
            found.append(name)
        return tuple(found)

    def _initially(self) -> tuple[Clause, ...]:
        """The values of shared predicates that the initialisers decide.

        What has no initial value is not read before it is written, so it may as well be 0: registers that are
        not live, and contents of what does not exist yet. Only handles are there from the start.
        """
        known = self.system.initial_values()
        handles = {self.system.handle(template.position) for template in self.system.templates}
        for variable in self.system.shared:
            if variable not in known and variable not in handles:
                known[variable] = self.terms.const(0, self.terms.sort(variable))
        found: list[Clause] = []
        for predicate in self.predicates:
            if predicate.template is None:
                value = self.terms.substitute(predicate.term, known)
                if self.terms.is_const(value):
                    literal = Literal(SHARED, self.names[predicate], is_positive=value == self.terms.true)
                    found.append(Clause((literal,)))
        return tuple(found)

    def with_clauses(self, learned: Iterable[tuple[int, Clause]]) -> BooleanProgram:
        """The program with clauses, each for the statement of that number."""
        clauses: dict[int, list[Clause]] = {}
        for number, clause in learned:
            clauses.setdefault(number, []).append(clause)
        first, templates = 0, []
        for template in self.program.templates:
            statements = tuple(
                replace(statement, clauses=tuple(clauses.get(number, ())))
                for number, statement in enumerate(template.statements, first)
            )
            first += len(statements)
            templates.append(replace(template, statements=statements))
        return replace(self.program, templates=tuple(templates))

    # --- what bits mean -------------------------------------------------------------------------------

    def meaning(self, machine: BooleanMachine, step: MachineStep, others: tuple[str, ...]) -> Meaning:
        """What valuations of a step mean; ``others`` are the templates of p and q, or the new thread."""
        key = step.number, others
        found = self._meanings.get(key)
        if found is None:
            found = self._meanings[key] = self._meaning(machine, step, others)
        return found

    def _meaning(self, machine: BooleanMachine, step: MachineStep, others: tuple[str, ...]) -> Meaning:
        system, transition = self.system, self.transitions[step.number]
        owners: list[tuple[str, int, int]] = [(ACTIVE, step.template, transition.thread)]
        if others == (NEW,):
            assert step.creates is not None
            assert transition.created is not None
            owners.append((NEW, step.creates, transition.created))
        else:
            for index, (letter, name) in enumerate(zip("pq", others, strict=False)):
                number = self._template_names.index(name)
                template = system.templates[number]
                copy = FIRST_PASSIVE + index if template.is_replicated else 0
                owners.append((letter, number, system.position(template, copy)))
        positions = [position for _, _, position in owners]
        singles = [template.position for template in system.singles]
        everyone = tuple(dict.fromkeys((MAIN, *singles, *positions)))
        shared = (predicate.term for predicate in self.predicates if predicate.template is None)
        terms = {(SHARED, i): term for i, term in enumerate(shared)}
        for owner, number, position in owners:
            renaming = self._renaming(number, position)
            for i, predicate in enumerate(p for p in self.predicates if p.template == number):
                terms[owner, i] = self.terms.substitute(predicate.term, renaming)
        bits: dict[int, Term] = {}
        for (owner, i), term in terms.items():
            bits[1 << machine.offsets[owner, False] + i] = term
            bits[1 << machine.offsets[owner, True] + i] = self.terms.substitute(term, transition.updates)
        return Meaning((*transition.guard, *system.facts(everyone)), bits)

    def _renaming(self, number: int, position: int) -> dict[Term, Term]:
        first = self.system.templates[number].position
        return {} if first == position else self.system.renaming(first, position)

    def literals(self, meaning: Meaning, cube: Cube) -> dict[int, Term]:
        """Bit -> the term that must hold for a valuation to be in the cube."""
        found: dict[int, Term] = {}
        mask = cube.mask
        while mask:
            bit = mask & -mask
            mask ^= bit
            term = meaning.bits[bit]
            found[bit] = term if cube.value & bit else self.terms.not_(term)
        return found


class _PlaceNumbers:
    """Numbers for the places of all templates: locations are shared by templates of one function."""

    def __init__(self, system: TemplateSystem) -> None:
        self.system = system
        self._numbers: dict[tuple[int, int], int] = {}
        self._transitions: list[list[Transition]] = []
        self._obstacles: list[dict[int, str]] = []
        for number, template in enumerate(system.templates):
            transitions = [t for t in system.transitions(template) if not t.ends_process]
            obstacles: dict[int, str] = {}
            for index, obstacle in enumerate(system.obstacles(template)):
                at = -1000 - index
                obstacles[at] = obstacle.reason
                source, guard, thread = obstacle.source, obstacle.guard, obstacle.thread
                branch = Branch(thread, source, at, system.shape, guard, {}, (), (), ())
                transitions.append(Transition(thread, source, at, None, guard, {}, (), branch))
            self._transitions.append(transitions)
            self._obstacles.append(obstacles)
            for location in self.locations(number):
                self._numbers[number, location] = len(self._numbers) + 1

    def __getitem__(self, at: tuple[int, int]) -> int:
        return self._numbers[at]

    def origin(self, number: int) -> tuple[int, int]:
        """The template and the location that a number stands for."""
        return next(at for at, found in self._numbers.items() if found == number)

    def transitions(self, number: int) -> Sequence[Transition]:
        """Of a template, those into obstacles included, those that end the process not."""
        return self._transitions[number]

    def locations(self, number: int) -> tuple[int, ...]:
        """All places of a template."""
        template = self.system.templates[number]
        found = dict.fromkeys((self.system.program.functions[template.function].entry,))
        for transition in self._transitions[number]:
            found |= dict.fromkeys((transition.source, transition.target))
        return tuple(found)

    def errors(self, number: int) -> list[int]:
        """Where something has gone wrong."""
        return [location for location in self.locations(number) if location in self.system.code.errors]

    def obstacles(self, number: int) -> Mapping[int, str]:
        """Pseudo locations that stand for what the transitions do not say, with the reason."""
        return self._obstacles[number]
