"""Abstract traces in the concrete program: path formulas, and schedules from their models.

The variables of an instance are told apart from those of others by the number of its thread in the trace.
Every step of the trace is then a guard and updates over such variables; arbitrary values are fresh in each.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sley.engines.symmetry.abstraction import Abstraction, BadCombination
from sley.engines.symmetry.machine import BooleanMachine
from sley.engines.symmetry.reachability import Configuration, TraceStep
from sley.engines.symmetry.thresholds import SIMULATION_SECONDS
from sley.evidence.guided import Guided, schedule_along
from sley.evidence.trace import Schedule
from sley.logic.terms import Term
from sley.program.program import HANDLE
from sley.semantics.symbolic_step import Allocation, Arbitrary, Branch, Filling
from sley.semantics.templates import MAIN, Transition
from sley.solvers.port import Solver, SolverAnswer


class ConcreteStep(NamedTuple):
    """A step of the trace over the variables of its threads."""

    thread: int
    created: int | None
    transition: Transition
    guard: tuple[Term, ...]
    updates: Mapping[Term, Term]
    inputs: Mapping[Term, Term]
    """Arbitrary values as the transition names them -> as the path does."""


@dataclass(slots=True)
class Path:
    """A trace in the concrete program."""

    abstraction: Abstraction
    templates: list[int]
    """The template of every thread by its number in the trace."""
    steps: list[ConcreteStep] = field(default_factory=list)
    final: tuple[Term, ...] = ()
    """What must hold at the end."""
    owners: dict[Term, tuple[int, Term]] = field(default_factory=dict)
    """Variable of the path -> its thread, and the variable of the first instance of the template."""

    @property
    def shared(self) -> frozenset[Term]:
        """The variables that all threads share."""
        return self.abstraction.shared

    def variable(self, thread: int, variable: Term) -> Term:
        """The variable of a thread, from that of the first instance of its template."""
        t = self.abstraction.terms
        made = t.var(f"{t.name(variable)}~{thread}", t.sort(variable))
        self.owners[made] = thread, variable
        return made

    def values(self) -> list[dict[Term, Term]]:
        """What variables are before each step and at the end, over what they were at the start."""
        terms, system = self.abstraction.terms, self.abstraction.system
        now = {v: value for v, value in system.initial_values().items() if v in self.shared}
        found = [dict(now)]
        for step in self.steps:
            new = terms.substitute_all(tuple(step.updates.values()), now)
            now |= dict(zip(step.updates, new, strict=True))
            found.append(dict(now))
        return found

    def renaming(self, position: int, thread: int) -> dict[Term, Term]:
        """The variables of an instance -> those of a thread of the trace."""
        system = self.abstraction.system
        if position == MAIN:
            return {}
        first = system.templates[self.templates[thread]].position
        own = zip(system.own(position), system.own(first), strict=True)
        return {variable: self.variable(thread, original) for variable, original in own}


def path_of(
    abstraction: Abstraction,
    machine: BooleanMachine,
    start: Configuration,
    trace: Sequence[TraceStep],
    bad: BadCombination,
) -> Path:
    """A trace as a path that ends in something bad."""
    templates = [machine.template_at[local >> machine.local_bits] for local in start[1]]
    path = Path(abstraction, templates)
    terms = abstraction.terms
    everywhere = abstraction.shared
    for number, (step, thread, created, _) in enumerate(trace):
        transition = abstraction.transitions[step.number]
        if transition.created is not None and created is None:  # one of those that never run
            path.templates.append(machine.template_at[machine.templates[step.creates or 0].entry])
            created = len(path.templates) - 1
        renaming = path.renaming(transition.thread, thread)
        if transition.created is not None and created is not None:
            renaming |= path.renaming(transition.created, created)
        mentioned = dict.fromkeys(
            v for part in (*transition.guard, *transition.updates.values()) for v in terms.variables(part)
        )
        inputs = {
            v: terms.var(f"{terms.name(v)}~{number}", terms.sort(v))
            for v in (*transition.inputs, *mentioned)
            if v not in renaming and v not in everywhere
        }
        renaming |= inputs
        path.steps.append(
            ConcreteStep(
                thread,
                created,
                transition,
                tuple(terms.substitute(part, renaming) for part in transition.guard),
                {renaming.get(v, v): terms.substitute(e, renaming) for v, e in transition.updates.items()},
                inputs,
            )
        )
    if bad.condition:
        path.final = _final(path, machine, trace[-1].after if trace else start, bad)
    return path


def _final(path: Path, machine: BooleanMachine, last: Configuration, bad: BadCombination) -> tuple[Term, ...]:
    """The condition of something bad that two threads do together."""
    system, places = path.abstraction.system, path.abstraction.places
    numbers = [places.origin(location)[0] for location in bad.locations]
    renaming: dict[Term, Term] = {}
    used: list[int] = []
    for index, (location, number) in enumerate(zip(bad.locations, numbers, strict=True)):
        thread = next(
            i for i, local in enumerate(last[1]) if local >> machine.local_bits == location and i not in used
        )
        used.append(thread)
        template = system.templates[number]
        copy = 1 if index == 1 and numbers[0] == number else 0
        renaming |= path.renaming(system.position(template, copy) if number != MAIN else MAIN, thread)
    return tuple(path.abstraction.terms.substitute(part, renaming) for part in bad.condition)


class Verdict(NamedTuple):
    """Whether a path is possible."""

    model: Mapping[Term, int] | None
    """Values of the arbitrary values if it is."""
    core: tuple[Term, ...] = ()
    """Guards (as they stand in the path) that contradict each other if not."""
    is_known: bool = True


class Simulation:
    """Asks whether paths are possible."""

    def __init__(self, abstraction: Abstraction, solver: Solver) -> None:
        self.abstraction = abstraction
        self.solver = solver
        self.system = abstraction.system
        self.terms = abstraction.terms

    def ids(self, path: Path) -> dict[int, int]:
        """Thread of the trace -> the id that it has in a run."""
        main = path.templates.index(MAIN)
        found = {main: 0}
        for step in path.steps:
            if step.created is not None:
                found[step.created] = len(found)
        return found

    def handles(self, path: Path) -> dict[int, Term]:
        """Thread of the trace -> its handle."""
        found: dict[int, Term] = {}
        for thread, number in enumerate(path.templates):
            template = self.system.templates[number]
            handle = self.system.handle(template.position)
            found[thread] = path.variable(thread, handle) if template.is_replicated else handle
        return found

    def check(self, path: Path, *, has_ids: bool) -> Verdict:
        """Whether the path is possible, with the ids of a run or with any distinct ones."""
        return self._check(path, self._facts(path, has_ids=has_ids), self.guards(path))

    def further(self, path: Path, core: Sequence[Term], *, has_ids: bool) -> Iterator[tuple[Term, ...]]:
        """Guards of contradictions that have none in common with this one, nor with each other."""
        facts, guards = self._facts(path, has_ids=has_ids), self.guards(path)
        while core:
            guards = [guard for guard in guards if guard[1] not in core]
            core = self._check(path, facts, guards).core
            if core:
                yield tuple(core)

    def _check(self, path: Path, facts: Sequence[Term], guards: Sequence[tuple[Term, Term]]) -> Verdict:
        t, solver = self.terms, self.solver
        asked = dict.fromkeys(guard for guard, _ in guards if guard != t.true)
        if t.false in asked:
            return Verdict(None, next((original,) for guard, original in guards if guard == t.false))
        answer = solver.check(*facts, *asked, time_limit=SIMULATION_SECONDS)
        if answer is SolverAnswer.UNKNOWN:
            return Verdict(None, is_known=False)
        if answer is SolverAnswer.SAT:
            inputs = [made for step in path.steps for made in step.inputs.values()]
            values = solver.values(dict.fromkeys(inputs))
            return Verdict({v: int(value) for v, value in values.items()})
        core = [part for part in solver.core() if part in asked]
        for part in tuple(reversed(core)):
            rest = [other for other in core if other != part]
            if solver.check(*facts, *rest, time_limit=SIMULATION_SECONDS) is SolverAnswer.UNSAT:
                core = rest
        return Verdict(None, tuple(original for guard, original in guards if guard in core))

    def _facts(self, path: Path, *, has_ids: bool) -> list[Term]:
        t, handles = self.terms, self.handles(path)
        found = self.system.facts_of(tuple(dict.fromkeys(handles.values())))
        if has_ids:
            ids = self.ids(path).items()
            found += [t.eq(handles[thread], t.bv(number + 1, HANDLE.width)) for thread, number in ids]
        return found

    def guards(self, path: Path) -> list[tuple[Term, Term]]:
        """All guards over the values at the start, each with itself as it stands in the path."""
        t, values = self.terms, path.values()
        found = [
            (t.substitute(part, before), part)
            for step, before in zip(path.steps, values, strict=False)
            for part in step.guard
        ]
        return found + [(t.substitute(part, values[-1]), part) for part in path.final]

    def schedule(self, path: Path, model: Mapping[Term, int]) -> Schedule:
        """The path as steps of the interpreter."""
        ids = self.ids(path)
        guided = []
        for step in path.steps:
            inputs = {made: model.get(given, 0) for made, given in step.inputs.items()}
            guided.append(Guided(self._identified(step.transition.branch, ids[step.thread]), inputs))
        return schedule_along(self.system.code, guided)

    def _identified(self, branch: Branch, thread: int) -> Branch:
        """A branch of the thread with that id."""
        program = self.system.program
        first = program.local_number(branch.thread, 0)
        shift = program.local_number(thread, 0) - first
        events = tuple(
            replace(event, number=event.number + shift)
            if isinstance(event, Filling) and first <= event.number < first + program.local_slots
            else event
            for event in branch.events
        )
        assert all(isinstance(event, Arbitrary | Filling | Allocation) for event in events)
        return replace(branch, thread=thread, events=events)
