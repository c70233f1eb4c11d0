"""Whether a Boolean program abstracts a system of templates: every run of the system is one of it.

The textbook's obligations, for every transition of the system and its statement:

* the statement leads from the transition's place to its target, and creates what it creates;
* what it does not change, the transition does not change: the predicate with the updates put in is itself,
  for the active thread and for a passive one;
* a clause follows: the guard of the transition and the opposite of all literals contradict each other. A
  literal before the step is its predicate, over the variables of the thread that it is about; one after the
  step is the predicate with the updates put in.

Besides, what is said of the beginning holds then, and everything bad in the system is so in the program.
Which Booleans mean something at a location (scopes) is the proof's choice: others are forgotten there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.proof import RefusedProofError
from sley.evidence.symmetric.boolean_program import (
    ACTIVE,
    NEW,
    PASSIVES,
    SHARED,
    Clause,
    Literal,
    Statement,
)
from sley.evidence.symmetric.proof import SymmetricProof
from sley.logic.terms import Term
from sley.program.properties import Property
from sley.semantics.templates import MAIN, Obstacle, Template, TemplateSystem, Transition
from sley.solvers import make_solver
from sley.solvers.port import Solver, SolverAnswer

COPIES = 4
"""Of every template: the active thread, the new one, and two that are passive."""

NEW_COPY, FIRST_PASSIVE = 1, 2

FIRST_SECONDS = 1.0
"""So long may the first solver take for one clause before another one is asked."""


Step = Transition | Obstacle


def steps(system: TemplateSystem, template: Template) -> tuple[Step, ...]:
    """What a template's first thread can do, in the order of a proof's statements."""
    transitions = (transition for transition in system.transitions(template) if not transition.ends_process)
    return (*transitions, *system.obstacles(template))


def places(system: TemplateSystem, proof: SymmetricProof) -> dict[tuple[int, int], int]:
    """Template and location of the system -> location of the Boolean program; refuses what is ambiguous."""
    found: dict[tuple[int, int], int] = {}
    for number, (template, boolean) in enumerate(zip(system.templates, proof.program.templates, strict=True)):
        entry = system.program.functions[template.function].entry
        pairs = [(entry, boolean.entry)]
        for step, statement in zip(steps(system, template), boolean.statements, strict=True):
            pairs.append((step.source, statement.source))
            if step.target is not None:
                pairs.append((step.target, statement.targets[0]))
        for location, at in pairs:
            _require(found.setdefault((number, location), at) == at, "a location has two numbers")
    return found


class _Question(NamedTuple):
    """What is known of some threads when they make a step."""

    context: tuple[Term, ...]
    meaning: Mapping[str, Mapping[str, Term]]
    """Owner of a literal -> name of the Boolean -> the predicate, over the variables before the step."""
    solver: Solver
    """That knows the context."""


@dataclass(slots=True)
class Obligations:
    """What must hold of the Boolean program of a proof."""

    system: TemplateSystem
    properties: frozenset[Property]
    proof: SymmetricProof
    budget: Budget
    fallbacks: int = 0
    """How many clauses the engine's solver had to be asked about."""
    _first: Solver = field(init=False)
    _second: Solver = field(init=False)

    def __post_init__(self) -> None:
        self._first = make_solver("z3", self.system.terms)
        self._second = make_solver("bitwuzla", self.system.terms, cores=False)

    @property
    def solvers(self) -> tuple[str, ...]:
        """The solver that answered."""
        return ("Z3", "Bitwuzla") if self.fallbacks else ("Z3",)

    @property
    def skipped(self) -> tuple[str, ...]:
        """What was not done as it should be."""
        if not self.fallbacks:
            return ()
        clauses = f"{self.fallbacks} clause{'s' if self.fallbacks > 1 else ''}"
        return (f"Z3 took too long for {clauses}: Bitwuzla, which the engine uses too, was asked instead",)

    def check(self) -> None:
        """Accept the Boolean program, or raise."""
        self._check_predicates()
        self._check_templates()
        self._check_beginning()
        for number, template in enumerate(self.system.templates):
            found = steps(self.system, template)
            statements = self.proof.program.templates[number].statements
            _require(len(found) == len(statements), "a statement for every step")
            for step, statement in zip(found, statements, strict=True):
                self._check_step(number, step, statement)
        self._check_errors()

    # --- the parts --------------------------------------------------------------------------------------

    def _check_predicates(self) -> None:
        """A predicate is about what is shared, or about one thread of its template besides."""
        system = self.system
        places = {system.at(position) for position in range(system.size)}
        for term, template in self.proof.predicates:
            allowed = set(system.shared)
            if template is not None:
                _require(0 < template < len(system.templates), "a predicate belongs to no template")
                allowed.update(system.own(system.templates[template].position))
            knows = (allowed - places).issuperset(system.terms.variables(term))
            _require(
                system.terms.is_boolean(term) and knows, "a predicate mentions what its owner does not know"
            )

    def _check_templates(self) -> None:
        """The templates are those of the system, with the Booleans of their predicates."""
        booleans = self.proof.program.templates
        _require(len(booleans) == len(self.system.templates), "a template for every template")
        _require(len({b.name for b in booleans}) == len(booleans), "two templates have one name")
        locations = [at for boolean in booleans for at in boolean.locations]
        _require(len(set(locations)) == len(locations), "two templates have a location in common")
        _require(self.proof.program.shared == tuple(self.proof.named(None)), "the shared Booleans are others")
        for number, (template, boolean) in enumerate(zip(self.system.templates, booleans, strict=True)):
            _require(boolean.variables == tuple(self.proof.named(number)), "the local Booleans are others")
            kind = boolean.is_single, boolean.is_created
            _require(kind == (not template.is_replicated, number != MAIN), "a template is of another kind")
            scopes = (boolean.scope(at) for at in boolean.locations)
            _require(
                all(set(scope) <= set(boolean.variables) for scope in scopes), "a scope of unknown Booleans"
            )

    def _check_beginning(self) -> None:
        """Clauses about the start are true with what variables hold then."""
        terms, named = self.system.terms, self.proof.named(None)
        known = initially(self.system)
        for clause in self.proof.program.initial:
            _require(all(x.owner == SHARED and x.name in named for x in clause.literals), "a wrong literal")
            literals = (_signed(self.system, x, named[x.name]) for x in clause.literals)
            value = terms.or_(*(terms.substitute(literal, known) for literal in literals))
            _require(value == terms.true, "a clause about the start does not follow")

    def _check_step(self, number: int, step: Step, statement: Statement) -> None:
        _require(len(statement.targets) == 1, "a statement leads to one place")
        if step.target is None:
            _require(statement.targets in self.proof.program.errors, "an obstacle does not count as bad")
        templates = self.proof.program.templates
        created = None if step.created is None else templates[self._number(step.created)].name
        _require(statement.creates == created, "a thread is created, or is not")
        self._check_changes(number, step, statement)
        self._check_clauses(step, statement)

    def _check_changes(self, number: int, step: Step, statement: Statement) -> None:
        """What may change is havocked: of what is shared, of the active thread, of passive ones.

        Where there is one thread of a template, it is not passive if it steps or is created.
        """
        system, booleans = self.system, self.proof.program.templates
        everywhere = set(statement.everywhere)
        own = {name for template, name in everywhere if template == booleans[number].name}
        self._check_kept(step, self.proof.named(None), set(statement.shared))
        self._check_kept(step, self._instances(number, step.thread), {*statement.own, *own})
        absent = None if step.created is None else self._number(step.created)
        for other, template in enumerate(system.templates):
            if template.is_replicated or other not in (MAIN, number, absent):
                changed = {name for owner, name in everywhere if owner == booleans[other].name}
                self._check_kept(step, self._instances(other, self._passive(template, 0)), changed)

    def _check_kept(self, step: Step, named: Mapping[str, Term], changed: set[str]) -> None:
        terms = self.system.terms
        _require(changed <= named.keys(), "unknown Booleans change")
        for name, term in named.items():
            if name not in changed:
                _require(
                    terms.substitute(term, step.updates) == term, "a change that the statement keeps quiet"
                )

    def _check_errors(self) -> None:
        """Whatever is bad in the system is a bad combination of the program."""
        system, errors = self.system, {tuple(sorted(error)) for error in self.proof.program.errors}
        numbers = places(system, self.proof)
        for (_, location), number in numbers.items():
            if location in system.code.errors:
                _require((number,) in errors, "an error location does not count as bad")
        if Property.RACE not in self.properties:
            return
        for i, one in enumerate(system.templates):
            for j, other in enumerate(system.templates[i:], i):
                if i == j and not one.is_replicated:
                    continue
                second = system.position(other, 1 if i == j else 0)
                for place, at, condition in system.races(one.position, second):
                    if system.terms.false == system.terms.or_(condition.holds, condition.unknown):
                        continue
                    both = numbers.get((i, place), -1), numbers.get((j, at), -1)
                    _require(tuple(sorted(both)) in errors, "a race does not count as bad")

    # --- clauses ----------------------------------------------------------------------------------------

    def _check_clauses(self, step: Step, statement: Statement) -> None:
        """Each follows from the transition."""
        questions: dict[tuple[tuple[str, int], ...], _Question] = {}
        for clause in statement.clauses:
            self.budget.check()
            threads = self._threads(step, clause)
            key = tuple((owner, position) for owner, (_, position) in threads.items())
            if key not in questions:
                questions[key] = self._question(step, threads)
            opposite = [self._opposite(step, x, questions[key].meaning) for x in clause.literals]
            self._check_refuted(questions[key], opposite)

    def _question(self, step: Step, threads: Mapping[str, tuple[int, int]]) -> _Question:
        """The guard, that different threads have different handles, and what Booleans of these mean.

        A created thread has a handle, too, also where a clause says nothing of its Booleans.
        """
        system = self.system
        singles = [template.position for template in system.singles]
        created = () if step.created is None else (step.created,)
        positions = (MAIN, *singles, *created, *(position for _, position in threads.values()))
        context = (*step.guard, *system.facts(tuple(dict.fromkeys(positions))))
        meaning = {owner: self._instances(*thread) for owner, thread in threads.items()}
        solver = self._first.fresh()
        solver.add(*context)
        return _Question(context, {SHARED: self.proof.named(None)} | meaning, solver)

    def _threads(self, step: Step, clause: Clause) -> dict[str, tuple[int, int]]:
        """Whom a clause speaks of: the number of the template, and the instance that stands for it."""
        templates = self.system.templates
        found = {ACTIVE: (self._number(step.thread), step.thread)}
        if any(literal.owner == NEW for literal in clause.literals):
            _require(step.created is not None and not clause.passives, "a clause speaks of a new thread")
            assert step.created is not None
            found[NEW] = self._number(step.created), step.created
        _require(len(clause.passives) <= len(PASSIVES), "a clause speaks of too many threads")
        names = {boolean.name: i for i, boolean in enumerate(self.proof.program.templates)}
        for index, (letter, name) in enumerate(zip(PASSIVES, clause.passives, strict=False)):
            _require(name in names, "a clause speaks of an unknown template")
            found[letter] = names[name], self._passive(templates[names[name]], index)
        return found

    def _opposite(self, step: Step, literal: Literal, meaning: Mapping[str, Mapping[str, Term]]) -> Term:
        """What holds if a literal does not."""
        term = meaning.get(literal.owner, {}).get(literal.name)
        _require(term is not None, "a clause is about what means nothing")
        assert term is not None
        if literal.is_primed:
            term = self.system.terms.substitute(term, step.updates)
        return self.system.terms.not_(_signed(self.system, literal, term))

    def _check_refuted(self, question: _Question, literals: list[Term]) -> None:
        answer = question.solver.check(*literals, time_limit=FIRST_SECONDS)
        if answer is SolverAnswer.UNKNOWN:
            self.fallbacks += 1
            other = self._second.fresh()
            other.add(*question.context, *literals)
            answer = other.check(time_limit=self.budget.remaining())
            if answer is SolverAnswer.UNKNOWN:
                raise GaveUpError(f"a clause of the proof could not be checked: {other.reason}")
        _require(answer is SolverAnswer.UNSAT, "a clause does not follow from its step")

    # --- instances --------------------------------------------------------------------------------------

    def _number(self, position: int) -> int:
        return self.system.templates.index(self.system.template(position))

    def _passive(self, template: Template, index: int) -> int:
        """The instance that stands for a passive thread."""
        return self.system.position(template, FIRST_PASSIVE + index if template.is_replicated else 0)

    def _instances(self, number: int, position: int) -> dict[str, Term]:
        """The predicates of a template over the variables of one of its instances."""
        renaming = self.system.renaming(self.system.templates[number].position, position)
        terms = self.system.terms
        return {name: terms.substitute(term, renaming) for name, term in self.proof.named(number).items()}


def initially(system: TemplateSystem) -> dict[Term, Term]:
    """What variables hold at the start.

    Registers that were never set hold 0, by definition; so may what does not exist yet. Handles are there.
    """
    handles = {system.handle(template.position) for template in system.templates}
    zeros = {v: system.terms.const(0, system.terms.sort(v)) for v in system.shared if v not in handles}
    return zeros | system.initial_values()


def _signed(system: TemplateSystem, literal: Literal, term: Term) -> Term:
    return term if literal.is_positive else system.terms.not_(term)


def _require(holds: bool, what: str) -> None:  # noqa: FBT001 - it reads like an assertion
    if not holds:
        raise RefusedProofError(what)
