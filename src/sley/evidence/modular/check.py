"""The checker of modular proofs: an induction over runs in which any k threads are looked at together.

The proof claims this of every reachable state, with g the shared part and l(t) what thread t has for itself:

    for all distinct threads t1 .. tk:   J(g, l(t1), ..., l(tk)),   J being the invariant of their templates

It is shown here from the steps of the templates alone; no part of the engine is used, and another solver. The
induction, as in A. Gupta, C. Popeea, A. Rybalchenko, POPL 2011 (k = 1) and J. Hoenicke, R. Majumdar,
A. Podelski, POPL 2017 (any k):

* *initiation*: the start satisfies J, whatever threads are looked at;
* *consecution*: when a thread steps, J holds afterwards of those that it is among, ...
* *non-interference*: ... of those that it is not among, ...
* *creation*: ... and of those that the thread is among which the step creates;
* where a step changes how many threads are in a group, one that acts may be alone in it, or there is another
  else, and of that one J holds as well (``_others``);
* *safety*: no step goes wrong or is not described by the templates, no two threads race, and whoever holds a
  lock that is waited for can step.

| papers                              | here                                                                 |
|-------------------------------------|----------------------------------------------------------------------|
| V_G, V_i (shared and local)         | ``system.shared``, ``system.own(thread)``                            |
| phi_init                            | ``system.initial_values()``                                          |
| rho_i (next-state relation)         | ``system.transitions``, with their ``control``                       |
| phi_err                             | ``code.errors``, ``system.obstacles``, ``system.races``, ``_Locks``  |
| R_i, or Inv over g, l_1, ..., l_k   | ``proof.invariants[view]``, of threads: ``_Induction.invariant``     |
| E_i (what others do)                | not named: the step of a thread that is not looked at, with its J    |

Threads are numbered by positions: the thread that steps is the first copy of its template, the one that it
creates has the place that ``templates`` gives it, and all others are *bystanders*. Bystanders of one template
are interchangeable, so only the first ones are looked at, in one order. Main is part of what is shared.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

from sley.analyses.threads import Creations
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.evidence.modular.proof import ModularProof, View
from sley.evidence.proof import Checked, RefusedProofError
from sley.logic.clauses import fixed_values
from sley.logic.terms import Term, Terms
from sley.program.instructions import Join, Lock
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.lock_order import lock_ranks
from sley.semantics.symbolic_violations import SymbolicPredicates
from sley.semantics.templates import (
    ABSENT_AT,
    EXITED_AT,
    MAIN,
    Template,
    TemplateSystem,
    Transition,
    once_created,
)
from sley.solvers import make_solver
from sley.solvers.port import Solver, SolverAnswer

FIRST_SECONDS = 5.0
"""For an implication, less after each that is too hard; then the engine's solver is asked, too."""

SECOND_SECONDS = 60.0

NOT_INDUCTIVE = "an invariant is not inductive"


def check_modular(
    program: Program, properties: frozenset[Property], proof: ModularProof, budget: Budget
) -> Checked:
    """Accept the proof, or raise: RefusedProofError, or GaveUpError if that cannot be told."""
    induction = _Induction(_system(program, proof), proof)
    induction.check_form()
    decide = _Decision(program.terms, budget)
    for implication in induction.implications(properties):
        if not decide.is_valid(implication):
            raise RefusedProofError(implication.otherwise)
    return decide.checked


def _system(program: Program, proof: ModularProof) -> TemplateSystem:
    """The templates, if the threads that count as existing once do so."""
    if proof.size < 1:
        raise RefusedProofError("no thread is looked at")
    once = once_created(Creations(program))
    if any(site not in once for site in proof.singles):
        raise RefusedProofError("a thread that may exist twice counts as existing once")
    if not _can_be_counted(program, proof):
        raise RefusedProofError("threads are counted that are not many")
    return TemplateSystem(
        program,
        singles=proof.singles,
        copies=proof.size + 3,
        watched=proof.watched,
        counted=proof.counted,
    )


def _can_be_counted(program: Program, proof: ModularProof) -> bool:
    """Whether the groups are some of threads that are many."""
    if not proof.counted:
        return True
    plain = TemplateSystem(program, singles=proof.singles, copies=1)
    return len(set(proof.counted)) == len(proof.counted) and all(map(plain.can_count, proof.counted))


class Implication(NamedTuple):
    """What has to be valid."""

    premises: Sequence[Term]
    conclusions: Sequence[Term]
    otherwise: str
    """What is possible if it is not."""


class _Induction:
    """All that has to be shown."""

    def __init__(self, system: TemplateSystem, proof: ModularProof) -> None:
        self.system = system
        self.terms = system.terms
        self.proof = proof
        self.size = min(proof.size, system.size - 1)
        """k: how many threads are looked at; fewer than the proof says if there are not so many."""
        self.threads = range(1, system.size - len(system.replicated))
        """Those that exist once, and of others as many copies as can take part in a step or look on.

        The last copies are for some thread in a group, see ``_others``."""
        self.invariant = cache(self._invariant)
        self.looked_at = cache(self._looked_at)

    def check_form(self) -> None:
        """Raise unless the proof speaks of all views, and of nothing else."""
        shared = set(self.system.shared)
        views = {tuple(sorted(self._view(some))) for some in combinations(self.threads, self.size)}
        if views != set(self.proof.invariants):
            raise RefusedProofError("there are other views")
        if self.proof.is_parametric != bool(self.system.replicated):
            raise RefusedProofError("the number of threads is another")
        if not shared.issuperset(self.proof.watched):
            raise RefusedProofError("a variable is watched that is not shared")
        for view, conjuncts in self.proof.invariants.items():
            allowed = shared.union(*map(self.system.own, self._first_of(view)))
            if any(not allowed.issuperset(self.terms.variables(conjunct)) for conjunct in conjuncts):
                raise RefusedProofError("an invariant mentions what is not in its view")

    def implications(self, properties: frozenset[Property]) -> Iterator[Implication]:
        """All of them."""
        yield from self._initiation()
        for template in self.system.templates:
            yield from self._steps(template)
            yield from self._obstacles(template)
        if Property.LEAK in properties:
            for template in self.system.templates:
                yield from self._losses(template)
        if Property.RACE in properties:
            yield from self._races()
        if Property.DEADLOCK in properties:
            yield from self._deadlocks()

    # --- threads that are looked at together ----------------------------------------------------------

    def _view(self, threads: Sequence[int]) -> View:
        return tuple(self.system.template(thread).position for thread in threads)

    def _is_ordered(self, view: View) -> bool:
        return list(view) == sorted(view)

    def _first_of(self, view: View) -> tuple[int, ...]:
        """The threads whose variables the invariant of a view is written with: the first of each template."""
        alike = {position: [t for t in self.threads if self._view([t]) == (position,)] for position in view}
        return tuple(alike[position].pop(0) for position in view)

    def _invariant(self, threads: tuple[int, ...]) -> tuple[Term, ...]:
        """J of these threads, in this order."""
        view = self._view(threads)
        renaming: dict[Term, Term] = {}
        for written, meant in zip(self._first_of(view), threads, strict=True):
            renaming |= self.system.renaming(written, meant)
        return self.terms.substitute_all(tuple(self.proof.invariants[view]), renaming)

    def _ordered(self, threads: Sequence[int]) -> list[tuple[int, ...]]:
        """All k of them, in all orders in which there is an invariant."""
        return [found for found in permutations(threads, self.size) if self._is_ordered(self._view(found))]

    def _looked_at(self, acting: tuple[int, ...]) -> list[tuple[int, ...]]:
        """All k threads, those that act among them or not; of bystanders that are alike, the first ones."""
        others = [thread for thread in self.threads if thread not in acting]
        return [found for found in self._ordered(self.threads) if self._are_first(found, others)]

    def _are_first(self, threads: Sequence[int], others: Sequence[int]) -> bool:
        """Whether those among the others are the first ones of their template, in this order."""
        here = [thread for thread in threads if thread in others]
        return all(
            alike[: len(chosen)] == chosen
            for template in self.system.workers
            for alike in [[t for t in others if self.system.template(t) == template]]
            for chosen in [[t for t in here if self.system.template(t) == template]]
        )

    def _known(self, views: Sequence[tuple[int, ...]], acting: Sequence[int]) -> list[Term]:
        """What holds before a step: J of each view, and that all threads that occur have distinct handles."""
        singles = (template.position for template in self.system.singles)
        present = dict.fromkeys((MAIN, *singles, *acting, *(thread for view in views for thread in view)))
        return [*self.system.facts(tuple(present)), *(part for v in views for part in self.invariant(v))]

    # --- the induction --------------------------------------------------------------------------------

    def _initiation(self) -> Iterator[Implication]:
        start = self.system.initial_values()
        for threads in self.looked_at(()):
            conclusions = self.terms.substitute_all(self.invariant(threads), start)
            yield Implication(self._known((), threads), conclusions, "the start is not in an invariant")

    def _steps(self, template: Template) -> Iterator[Implication]:
        """Consecution, non-interference and creation; and no step leads to an error."""
        for transition in self.system.transitions(template):
            control, moves = self.system.control(transition)
            guard = (*control, *transition.guard)
            acting = _workers(transition.thread, transition.created)
            failure = self.system.code.errors.get(transition.target)
            if failure is not None:
                yield self._impossible(acting, guard, str(failure.message))
            elif not transition.ends_process:
                after = {**transition.updates, **moves}
                others = self._others(transition, acting)
                for threads in self.looked_at(acting):
                    before = self._known(self._ordered(tuple(dict.fromkeys((*acting, *threads)))), acting)
                    conclusions = self.terms.substitute_all(self.invariant(threads), after)
                    yield Implication([*before, *others, *guard], conclusions, NOT_INDUCTIVE)

    def _others(self, transition: Transition, acting: tuple[int, ...]) -> list[Term]:
        """What may be assumed of some thread that is in a group whose number a step changes.

        If more threads are in the group than those that act, there is one that does not act. It has a handle
        of its own, and J holds of it and of those that act. It is written as the last copy of its template,
        which stands for no other thread; it may be the same as any bystander, and in another group the
        same as here, so that no two of them are said to be different: each group has a name for it.
        """
        found: list[Term] = []
        for index, group in enumerate(self.system.counted):
            if self.system.number(group) in transition.updates:
                templates = (self.system.template(position) for position in group.templates)
                others = tuple(self.system.position(t, self.system.copies - 1) for t in templates)
                said = [self.system.somebody_else(group, acting, others)]
                for other in others:
                    together = [v for v in self._ordered((*acting, other)) if other in v]
                    said += self._known(together, (*acting, other))
                found += self.terms.substitute_all(tuple(said), self._names(others, index))
        return found

    def _names(self, others: Sequence[int], index: int) -> dict[Term, Term]:
        """Variables that occur nowhere else for those of instances."""
        t = self.terms
        return {
            v: t.var(f"{t.name(v)} of {index}", t.sort(v)) for other in others for v in self.system.own(other)
        }

    def _impossible(self, acting: tuple[int, ...], what: Sequence[Term], otherwise: str) -> Implication:
        """Something does not happen to these threads, by J of those that most of them are among."""
        most = min(self.size, len(acting))
        views = [found for found in self.looked_at(acting) if len({*found} & {*acting}) == most]
        return Implication([*self._known(views, acting), *what], (self.terms.false,), otherwise)

    # --- safety ---------------------------------------------------------------------------------------

    def _obstacles(self, template: Template) -> Iterator[Implication]:
        """Nothing happens that the transitions do not describe."""
        for obstacle in self.system.obstacles(template):
            at = self._is_at(obstacle.thread, obstacle.source)
            yield self._impossible(_workers(obstacle.thread), (at, *obstacle.guard), obstacle.reason)

    def _losses(self, template: Template) -> Iterator[Implication]:
        """No step that may end the process leaves a block that is not reachable."""
        for transition, is_lost in self.system.losses(template):
            control, _ = self.system.control(transition)
            conditions = (*control, *transition.guard, is_lost)
            yield self._impossible(_workers(transition.thread), conditions, "memory may be lost")

    def _pairs(self) -> Iterator[tuple[int, int]]:
        """Two threads of which main may be one: of each two templates, and two of those that are many."""
        yield from combinations([template.position for template in self.system.templates], 2)
        yield from ((many.position, self.system.position(many, 1)) for many in self.system.replicated)

    def _races(self) -> Iterator[Implication]:
        for one, other in self._pairs():
            for place, second, race in self.system.races(one, other):
                there = (self._is_at(one, place), self._is_at(other, second))
                either = self.terms.or_(race.holds, race.unknown)
                yield self._impossible(_workers(one, other), (*there, either), "a data race is possible")

    def _deadlocks(self) -> Iterator[Implication]:
        """Whoever holds a lock that is waited for can step, or waits for a higher one; see ``_Locks``."""
        locks = _Locks(self.system)
        yield from locks.hold_handles()
        both = [(one, other) for pair in self._pairs() for one, other in (pair, pair[::-1])]
        for waiting, holding in (*both, *((t.position, t.position) for t in self.system.templates)):
            for cell in locks.cells:
                waits = self._is_somewhere(waiting, locks.waits_for(cell, waiting))
                stuck = self._is_somewhere(holding, locks.where_stuck(holding, cell))
                conditions = (waits, locks.is_held(cell, holding), stuck)
                yield self._impossible(_workers(waiting, holding), conditions, "a deadlock is possible")
        for place, is_own in locks.joins.items():
            yield self._impossible((), (self._is_at(MAIN, place), is_own), "a thread waits for its own end")

    def _is_at(self, thread: int, place: int) -> Term:
        return self.terms.eq(self.system.at(thread), self.system.place(place))

    def _is_somewhere(self, thread: int, places: Sequence[int]) -> Term:
        return self.terms.or_(*(self._is_at(thread, place) for place in places))


def _workers(*threads: int | None) -> tuple[int, ...]:
    """Without main, which is everywhere, and without repetition."""
    return tuple(dict.fromkeys(thread for thread in threads if thread not in (None, MAIN)))


class _Locks:
    """The waits-for relation, where workers wait for locks only, and main for the end of threads too.

    Each lock is 0 or the handle of a thread: so it is at the start, and a step leaves it, clears it or puts
    the handle of the thread that steps (``hold_handles``). Therefore, if a thread cannot step because of a
    lock, there is one that holds it. Locks have ranks; if that one can step in every state, or waits for a
    lock of higher rank, then there is neither a cycle of waits nor a state where no thread can step, as along
    such waits ranks only grow: where main waits for a thread, that thread can step, or one of those that hold
    the locks that it and they wait for, and this is not main. Any ranks will do.
    """

    def __init__(self, system: TemplateSystem) -> None:
        self.system = system
        self.terms = system.terms
        self.waits: dict[tuple[int, int], Term] = {}
        """The template and the place of a thread that may wait -> the lock."""
        self.joins: dict[int, Term] = {}
        """The place where main may wait for a thread -> that it is main itself."""
        predicates = SymbolicPredicates(system.vocabulary)
        for template in system.templates:
            for place in filter(predicates.may_block, system.stops(template)):
                self._add(template.position, place)
        self.ranks = lock_ranks(system, self.waits)
        self.cells = tuple(self.ranks)

    def _add(self, position: int, place: int) -> None:
        found = [edge.instruction for edge in self.system.code.out[place]]
        waits = [instruction for instruction in found if isinstance(instruction, Lock | Join)]
        vocabulary = self.system.vocabulary
        match waits:
            case [Lock(access=access), *_]:
                self.waits[position, place] = self._cell(
                    vocabulary.instantiated(position, access.address), access.size
                )
            case [Join(handle=handle), *_] if position == MAIN:
                joined = vocabulary.instantiated(MAIN, handle)
                own = vocabulary.identity(MAIN, self.terms.width(joined))
                is_other = self.system.joins_one_of_many(place)
                self.joins[place] = self.terms.false if is_other else self.terms.eq(joined, own)
            case _:
                raise GaveUpError(Reason("whether threads can wait for each other for ever", Why.WAITS))

    def _cell(self, address: Term, size: int) -> Term:
        """The variable that is the lock at an address."""
        vocabulary, number = self.system.vocabulary, self.terms.number(address)
        if number is not None:
            instance = vocabulary.everything.get(vocabulary.pointers.number(number))
            at = instance and instance.layout.cell_at(vocabulary.pointers.offset(number))
            if instance and at and at[1].size == size and at[0] in vocabulary.indices(instance):
                return vocabulary.cell(instance, at[0])
        what = "whether threads can wait for each other for ever: which lock is meant"
        raise GaveUpError(Reason(what, Why.WAITS))

    def hold_handles(self) -> Iterator[Implication]:
        """Each lock is free at the start, and a step leaves it, clears it or puts the own handle there."""
        t, start = self.terms, self.system.initial_values()
        otherwise = "a lock holds something else than the handle of a thread"
        for cell in self.cells:
            free = t.bv(0, t.width(cell))
            yield Implication((), (t.eq(start.get(cell, cell), free),), otherwise)
            for template in self.system.templates:
                for transition in self.system.transitions(template):
                    after = transition.updates.get(cell, cell)
                    own = self.is_held(after, template.position)
                    either = t.or_(t.eq(after, cell), t.eq(after, free), own)
                    yield Implication(transition.guard, (either,), otherwise)

    def is_held(self, value: Term, thread: int) -> Term:
        """The value of a lock says that a thread holds it."""
        return self.terms.eq(value, self.system.vocabulary.identity(thread, self.terms.width(value)))

    def waits_for(self, cell: Term, thread: int) -> list[int]:
        """The places where a thread may wait for a lock."""
        position = self.system.template(thread).position
        return [place for (who, place), lock in self.waits.items() if who == position and lock == cell]

    def where_stuck(self, thread: int, held: Term) -> list[int]:
        """The places where a thread may be unable to step, but for those where it waits for a higher lock."""
        ended = [EXITED_AT, *(self.joins if thread == MAIN else (ABSENT_AT,))]
        lower = [cell for cell in self.cells if self.ranks[cell] <= self.ranks[held]]
        return [*ended, *(place for cell in lower for place in self.waits_for(cell, thread))]


class _Decision:
    """Decides implications: z3, and where it is too slow the solver that the engine uses."""

    def __init__(self, terms: Terms, budget: Budget) -> None:
        self.terms = terms
        self.budget = budget
        self.first = make_solver("z3", terms)
        self.second = make_solver("bitwuzla", terms, cores=False)
        self.asked_twice = 0

    @property
    def checked(self) -> Checked:
        """How all of them were decided."""
        how = "every implication was derived anew and decided"
        if not self.asked_twice:
            return Checked(how, ("z3",))
        number = "One implication was" if self.asked_twice == 1 else f"{self.asked_twice} implications were"
        instead = f"{number} too hard for z3 and decided by Bitwuzla, the solver of the engine."
        return Checked(how, ("z3", "Bitwuzla"), (instead,))

    def is_valid(self, implication: Implication) -> bool:
        """Whether the premises imply all conclusions."""
        t = self.terms
        self.budget.spend()
        known = fixed_values(t, implication.premises)
        premises = dict.fromkeys(t.substitute_all(tuple(implication.premises), known))
        conclusions = t.substitute_all(tuple(implication.conclusions), known)
        goal = t.and_(*(part for part in conclusions if part not in premises))
        if goal == t.true or t.false in premises:
            return True
        equations = [t.eq(variable, value) for variable, value in known.items()]
        return not self._can_hold([*equations, *premises, t.not_(goal)])

    def _can_hold(self, formulas: Sequence[Term]) -> bool:
        answer = self._asked(self.first, formulas, FIRST_SECONDS / (1 + self.asked_twice))
        if answer is SolverAnswer.UNKNOWN:
            self.asked_twice += 1
            answer = self._asked(self.second, formulas, SECOND_SECONDS)
        if answer is SolverAnswer.UNKNOWN:
            raise GaveUpError(Reason("an implication could not be decided", Why.SOLVER))
        return answer is SolverAnswer.SAT

    def _asked(self, solver: Solver, formulas: Sequence[Term], seconds: float) -> SolverAnswer:
        asked = solver.fresh()
        asked.add(*formulas)
        return asked.check(time_limit=seconds)
