"""The threads of a program as templates: steps of main and of workers of which there may be any number.

A *template* is the code of a thread that is started: with one instance if its Create edge is executed at most
once, else with any number of them. What a thread of a template can do from one stop to the next is a set of
*transitions*, which come from ``symbolic_step`` and are over three groups of variables: what all threads
share (global memory; all of main; of threads that exist once, where they are and how far), what is the
thread's own (registers, local objects, its handle and place if there are many of its kind), and arbitrary
values.

All instances are thought to exist from the start, at the place ABSENT_AT; a creation moves one of them to its
entry. *Positions* number them as thread ids do: main is 0, then come the templates with one instance, then
those with any number, of which there are as many *copies* as are needed.

Law: every run of the program, with threads renamed, is one of this system, for a number of copies that is
large enough. Handles are only known to be distinct, so a proof for the system holds for whatever handles
threads have. For that, no thread may know where the local objects of another worker are: programs where the
address of one gets away are refused, unless threads are created in one order only: then positions *are* ids.

Joining or detaching a thread that is one of many is over-approximated: it may succeed at any time, and be
wrong at any time.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sley.analyses.accesses import find_accesses
from sley.analyses.allocations import allocation_after_free, allocations, repeated_allocation
from sley.analyses.blurring import kept_cells
from sley.analyses.graphs import nodes_on_cycles, reachable
from sley.analyses.join_loops import find_join_loops
from sley.analyses.pointers import PointsTo
from sley.analyses.threads import Creations, Instances
from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.logic.clauses import fixed_values
from sley.logic.operators import Op
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term
from sley.program.instructions import Allocate, Create, Detach, Free, Join
from sley.program.memory import MemoryObject, Storage
from sley.program.program import HANDLE, Edge, Program
from sley.semantics.code import Code, confined_addresses
from sley.semantics.groups import COUNT, MANY, ThreadGroup, parts
from sley.semantics.places import ShapePlaces
from sley.semantics.quiet import quiet_stops
from sley.semantics.roles import ChangerRole, HandleRole, InputRole, LocationRole, NumberRole, RunningRole
from sley.semantics.state import ENDED, EXITED
from sley.semantics.symbolic_memory import AccessTarget, Aim, Region
from sley.semantics.symbolic_step import Branch, Resolver, Shape, SymbolicSteps
from sley.semantics.symbolic_violations import Condition, SymbolicPredicates
from sley.semantics.vocabulary import RUNNING, STATUS, HeapShape, Instance, Lifetime, Vocabulary

AT = bitvec(32)
"""The sort of places: locations as numbers, and these:"""

ABSENT_AT = -1
EXITED_AT = EXITED

LARGEST_HANDLE = (1 << 31) - 1
"""Locks keep handles in 32 bits: proofs are for fewer threads than this."""

MOST_SINGLES = 4
"""A function that is started at more places than this counts as one with any number of instances."""

MAIN = 0


@dataclass(frozen=True, slots=True)
class Template:
    """The code of a thread."""

    position: int
    """Of its first instance."""
    function: str
    site: int | None
    """Where its only instance is created; None for main, and where there may be many."""
    is_replicated: bool


@dataclass(frozen=True, slots=True)
class Transition:
    """A branch of the step of an instance; ``updates`` of variables all at once, others keep their values."""

    thread: int
    """The position of the instance that steps."""
    source: int
    target: int
    """A stop, an error location, EXITED_AT, or another negative number: the process has ended."""
    created: int | None
    """The position of the instance that is created."""
    guard: tuple[Term, ...]
    updates: Mapping[Term, Term]
    inputs: tuple[Term, ...]
    """The arbitrary values that guard and updates mention."""
    branch: Branch

    @property
    def ends_process(self) -> bool:
        """Whether nothing happens afterwards."""
        return self.target < 0 and self.target != EXITED_AT


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Where this holds for a thread at ``source``, the transitions do not say what happens."""

    thread: int
    source: int
    guard: tuple[Term, ...]
    reason: str
    target: None = None
    created: None = None
    updates: Mapping[Term, Term] = field(default_factory=dict)


class TemplateSystem:
    """A prepared program as a system of templates."""

    def __init__(
        self,
        program: Program,
        *,
        singles: Sequence[int] | None = None,
        copies: int = 4,
        watched: Sequence[Term] = (),
        counted: Sequence[ThreadGroup] = (),
    ) -> None:
        """``singles`` are the places of the Create edges whose threads count as existing once.

        For each shared variable that is ``watched`` there is a history variable: the thread that changed it
        last. For each group that is ``counted`` there is a ghost variable: how many threads are in it.
        """
        self.program = program
        self.terms = program.terms
        self.copies = copies
        self.watched = tuple(watched)
        self.counted = tuple(counted)
        self.creations = Creations(program)
        possible = once_created(self.creations)
        if singles is None:
            singles = _few(self.creations, possible)
        assert set(singles) <= set(possible), "a thread that may be created twice"
        self.templates = tuple(_templates(self.creations, singles))
        assert all(self.can_count(group) for group in self.counted), "a group of what cannot be counted"
        _refuse_unsupported(self.creations, self.templates)
        self.has_ids = _is_created_in_order(self.creations, self.templates)
        """Whether positions are the ids that threads have in every run."""
        if not self.has_ids:
            _refuse_escaping(self.creations)
        self.code = Code(program)
        self.points_to = PointsTo(program)
        loops = find_join_loops(self.creations, self.points_to)
        self.join_loops = tuple(loop for loop in loops if loop.create not in singles)
        """The loops that join all of many threads."""
        self.kept = kept_cells(program, self.points_to)
        """Abstract object that is blurred -> which of its cells are variables."""
        accesses = find_accesses(program, self.points_to, is_elsewhere_excluded=True)
        self.quiet = quiet_stops(self.code, accesses)
        self.blocks = {key: number for number, key in enumerate(_made_once(self), program.pointers.heap_base)}
        """The position of a thread that exists once, and where it allocates -> the number of the block."""
        self.shape = Shape(tuple(self.template(p).function for p in range(self.size)), tuple(_heap(self)))
        self.vocabulary = _TemplateVocabulary(self, range(self.size))
        """The variables of all instances."""

    # --- instances ----------------------------------------------------------------------------------------

    @property
    def workers(self) -> tuple[Template, ...]:
        """All templates but main."""
        return self.templates[1:]

    @cached_property
    def singles(self) -> tuple[Template, ...]:
        """The workers with one instance."""
        return tuple(t for t in self.workers if not t.is_replicated)

    @cached_property
    def replicated(self) -> tuple[Template, ...]:
        """The workers with any number of instances."""
        return tuple(t for t in self.workers if t.is_replicated)

    @property
    def size(self) -> int:
        """How many positions there are."""
        return len(self.templates) + (self.copies - 1) * len(self.replicated)

    def template(self, position: int) -> Template:
        """The template of the instance at a position."""
        count = len(self.replicated)
        first = len(self.templates) - count
        return self.templates[position if position < first else first + (position - first) % count]

    def position(self, template: Template, copy: int = 0) -> int:
        """The position of a copy of a template."""
        assert copy < self.copies
        assert copy == 0 or template.is_replicated
        return template.position + copy * len(self.replicated)

    def created_by(self, edge: Edge) -> Template:
        """The template of the thread that a Create edge starts."""
        assert isinstance(edge.instruction, Create)
        name = edge.instruction.function
        found = next((t for t in self.singles if t.site == edge.source), None)
        return found or next(t for t in self.replicated if t.function == name)

    # --- variables ----------------------------------------------------------------------------------------

    def at(self, position: int) -> Term:
        """Where an instance is."""
        return self.terms.var(LocationRole(position), AT)

    def place(self, location: int) -> Term:
        """A location, as a value of ``at``."""
        return self.terms.bv(location, AT.width)

    def handle(self, position: int) -> Term:
        """The handle of an instance: a constant only where it is known."""
        return self.vocabulary.handle(position)

    def joins_one_of_many(self, location: int) -> bool:
        """Whether only threads can be joined there of which there are many, and that is never wrong."""
        return any(loop.join == location and loop.is_right for loop in self.join_loops)

    def changer(self, variable: Term) -> Term:
        """The handle of the thread that changed a watched variable last; 0 if none did."""
        return self.terms.var(ChangerRole(self.terms.symbol(variable)), HANDLE)

    def number(self, group: ThreadGroup) -> Term:
        """How many threads are in a counted group."""
        return self.terms.var(NumberRole(self.counted.index(group)), COUNT)

    def running(self, template: Template) -> Term:
        """Whether threads of a template may run: history, where loops join all of them."""
        sites = self._sites.get(template.position, ())
        return self.terms.or_(*(self._is_running(site) for site in sites)) if sites else self.terms.true

    def _is_running(self, site: int) -> Term:
        """Whether threads may run that were created at one place."""
        return self.terms.var(RunningRole(site), BOOL)

    @cached_property
    def _sites(self) -> dict[int, tuple[int, ...]]:
        """The templates whose threads are all joined by loops, with the places where they are created."""
        joined = {loop.create for loop in self.join_loops}
        singles = {template.site for template in self.singles}
        found: dict[int, tuple[int, ...]] = {}
        for template in self.replicated:
            starts = (edge.source for edge in _starts(self.creations, template.function))
            sites = tuple(site for site in starts if site not in singles)
            if joined.issuperset(sites):
                found[template.position] = sites
        return found

    @cached_property
    def shared(self) -> tuple[Term, ...]:
        """The variables that all threads share."""
        vocabulary = self.vocabulary
        found: dict[Term, None] = {}
        for instance in vocabulary.everything.values():
            if not instance.is_read_only and (
                self.has_ids or vocabulary.owner(instance.number) in (None, MAIN)
            ):
                if instance.kind is not Lifetime.GLOBAL:
                    found[vocabulary.alive(instance)] = None
                if instance.kind is Lifetime.HEAP:
                    found[vocabulary.size(instance)] = None
                found.update(dict.fromkeys(vocabulary.cells(instance)))
        found.update({vocabulary.register(MAIN, r): None for r in vocabulary.threads[MAIN].registers})
        for template in (self.templates[MAIN], *self.singles):
            position = template.position
            found[self.at(position)] = None
            found[vocabulary.status(position)] = None
            found[vocabulary.detached(position)] = None
            found[vocabulary.result(position)] = None
            if not self.terms.is_const(self.handle(position)):
                found[self.handle(position)] = None
        found.update({self.changer(variable): None for variable in self.watched})
        found.update({self.number(group): None for group in self.counted})
        found.update({self._is_running(site): None for sites in self._sites.values() for site in sites})
        return tuple(found)

    def own(self, position: int) -> tuple[Term, ...]:
        """The variables that belong to one worker alone."""
        vocabulary = self.vocabulary
        found = {vocabulary.register(position, r): None for r in vocabulary.threads[position].registers}
        if not self.has_ids:
            for instance in vocabulary.locals(position):
                found[vocabulary.alive(instance)] = None
                found.update(dict.fromkeys(vocabulary.cells(instance)))
        if self.template(position).is_replicated:
            found[self.at(position)] = None
            found[self.handle(position)] = None
        return tuple(found)

    @cached_property
    def _dead(self) -> dict[tuple[int, int], frozenset[Term]]:
        return {}

    def dead_registers(self, position: int, place: int) -> frozenset[Term]:
        """The registers of an instance that it does not read again from a place on."""
        key = (position, place)
        if key not in self._dead:
            live = set(self.code.live.get(place, ()))
            registers = self.vocabulary.threads[position].registers
            dead = (self.vocabulary.register(position, r) for r in registers if r not in live)
            self._dead[key] = frozenset(dead)
        return self._dead[key]

    def _own(self, position: int | None) -> tuple[Term, ...]:
        return self.own(position) if position else ()

    def renaming(self, position: int, other: int) -> dict[Term, Term]:
        """The variables of one instance -> those of another one of the same template."""
        assert self.template(position) == self.template(other)
        return dict(zip(self.own(position), self.own(other), strict=True))

    def initial_values(self) -> dict[Term, Term]:
        """What is known at the start; variables that are not listed have any values."""
        known = _TemplateSteps(self, *range(self.size)).initial_values(self.shape)
        kept = set(self.shared)
        for position in range(1, self.size):
            kept.update(self.own(position))
        found = {v: value for v, value in known.items() if v in kept}
        entry = self.program.functions[self.program.entry].entry
        found[self.at(MAIN)] = self.place(entry)
        for position in range(1, self.size):
            found[self.at(position)] = self.place(ABSENT_AT)
        found.update({self.changer(v): self.terms.bv(0, HANDLE.width) for v in self.watched})
        found.update({self.number(group): self.terms.bv(0, COUNT.width) for group in self.counted})
        found.update({self._is_running(s): self.terms.false for sites in self._sites.values() for s in sites})
        return found

    def facts(self, positions: Sequence[int]) -> list[Term]:
        """What is always so: distinct handles that are not too large, right numbers; running is allowed."""
        handles = self.facts_of([self.handle(position) for position in positions])
        return [*handles, *self.census(positions), *self._at_rest(positions)]

    def _at_rest(self, positions: Sequence[int]) -> Iterator[Term]:
        """Where all threads of a template were joined, each of them has ended or not begun."""
        t = self.terms
        for position in positions:
            running = self.running(self.template(position))
            if running != t.true:
                places = (self.place(place) for place in (ABSENT_AT, EXITED_AT))
                yield t.or_(running, *(t.eq(self.at(position), place) for place in places))

    def facts_of(self, handles: Sequence[Term]) -> list[Term]:
        """That these are handles of different threads."""
        t, found = self.terms, list[Term]()
        for index, handle in enumerate(handles):
            if not t.is_const(handle):
                found += [
                    t.ult(t.bv(1, HANDLE.width), handle),
                    t.ule(handle, t.bv(LARGEST_HANDLE, HANDLE.width)),
                ]
            found += [t.ne(handle, other) for other in handles[:index]]
        return [fact for fact in found if fact != t.true]

    # --- numbers of threads -------------------------------------------------------------------------------

    def counting(self, groups: Sequence[ThreadGroup]) -> "TemplateSystem":
        """The same system with these groups counted, and one more copy, for some thread in a group."""
        singles = tuple(template.site for template in self.singles if template.site is not None)
        return TemplateSystem(
            self.program, singles=singles, copies=self.copies + 1, watched=self.watched, counted=groups
        )

    def can_count(self, group: ThreadGroup) -> bool:
        """Whether all of its places are some of threads that are many, and exist."""
        many = {template.position for template in self.replicated}
        return all(template in many and place != ABSENT_AT for template, place in group.places)

    def is_in(self, group: ThreadGroup, position: int) -> Term:
        """Whether an instance is in a group."""
        places = group.at(self.template(position).position)
        return self.terms.or_(*(self.terms.eq(self.at(position), self.place(place)) for place in places))

    def among(self, group: ThreadGroup, positions: Sequence[int]) -> Term:
        """How many of these instances are in a group."""
        t = self.terms
        one, none = t.bv(1, COUNT.width), t.bv(0, COUNT.width)
        found = none
        for position in positions:
            found = t.add(found, t.ite(self.is_in(group, position), one, none))
        return found

    def is_exact(self, group: ThreadGroup) -> Term:
        """Whether the number of a group is how many threads are in it."""
        t = self.terms
        return t.ne(self.number(group), t.bv(MANY, COUNT.width)) if group.is_lasting else t.true

    def census(self, positions: Sequence[int]) -> list[Term]:
        """What the numbers of threads are at least and at most, because of these distinct instances.

        As many are in a group as are of these, or more. Of a part of a group there are no more than of the
        whole, and as many less as there are in the rest; if a part has had MANY members, so has the whole.
        """
        t, found = self.terms, list[Term]()
        for group in self.counted:
            found.append(t.ule(self.among(group, positions), self.number(group)))
            if not group.is_lasting:
                found.append(t.ule(self.number(group), t.bv(LARGEST_HANDLE - 1, COUNT.width)))
        for part, whole, rest in parts(self.counted):
            others = t.sub(self.number(whole), self.number(part))
            found.append(t.ule(self.number(part), self.number(whole)))
            found.append(t.implies(self.is_exact(whole), t.ule(self.among(rest, positions), others)))
        return [fact for fact in found if fact != t.true]

    def somebody_else(self, group: ThreadGroup, known: Sequence[int], others: Sequence[int]) -> Term:
        """That there is one more thread in a group, unless none is in it but those that are ``known``.

        The ``others`` are instances, one for each template of the group, that are not among the known ones
        and of which nothing else is said but what holds of all threads: they stand for some thread of the
        group if there is one. They may be the same as any threads but the known ones.
        """
        t = self.terms
        assert not set(known) & set(others)
        alone = t.eq(self.number(group), self.among(group, known))
        are_there = (self.is_in(group, other) for other in others)
        return t.or_(t.not_(self.is_exact(group)), alone, *are_there)

    # --- transitions --------------------------------------------------------------------------------------

    def stops(self, template: Template) -> tuple[int, ...]:
        """Where its threads can be between steps, before they have ended; errors are not among them."""
        found: dict[int, None] = {}
        waiting = [self.program.functions[template.function].entry]
        while waiting:
            location = waiting.pop()
            if location in found or location < 0 or location in self.code.errors:
                continue
            found[location] = None
            transitions, _ = self._step(template, location)
            waiting.extend(reversed([transition.target for transition in transitions]))
        return tuple(found)

    def transitions(self, template: Template) -> Iterator[Transition]:
        """All that its first instance can do; what is created is another instance, of copy 1 if of many."""
        for location in self.stops(template):
            yield from self._step(template, location)[0]

    def obstacles(self, template: Template) -> Iterator[Obstacle]:
        """Where the transitions of its first instance do not say what happens."""
        for location in self.stops(template):
            yield from self._step(template, location)[1]

    @cached_property
    def _steps(self) -> dict[tuple[int, int], tuple[list[Transition], list[Obstacle]]]:
        return {}

    def _step(self, template: Template, location: int) -> tuple[list[Transition], list[Obstacle]]:
        key = (template.position, location)
        if key not in self._steps:
            steps = _TemplateSteps(self, template.position)
            step = steps.step(
                self.shape, template.position, location, _TemplateResolver(steps, self.points_to)
            )
            made = (self._transition(branch, is_merged=step.is_merged) for branch in step.branches)
            found = [transition for transition in made if transition is not None]
            known, _ = self._known(template.position)
            running = self.running(template)
            obstacles = [
                Obstacle(
                    template.position,
                    location,
                    self._conjuncts((running, *trouble.guard), known),
                    trouble.reason,
                )
                for trouble in step.troubles
            ]
            self._steps[key] = found, obstacles
        return self._steps[key]

    def _transition(self, branch: Branch, *, is_merged: bool) -> Transition | None:
        """The branch with what is known about its thread; None if its guard contradicts itself."""
        created = [edge for edge in branch.edges if isinstance(edge.instruction, Create)]
        assert len(created) <= 1, "two threads created in one step"
        known, inputs = self._known(branch.thread)
        dropped = set()
        if self.template(branch.thread).is_replicated:
            v = self.vocabulary
            dropped = {v.status(branch.thread), v.detached(branch.thread), v.result(branch.thread)}
        position = self._created_position(created[0]) if created else None
        if position is not None and self.template(position).is_replicated:
            dropped.add(self.vocabulary.status(position))
        running = self.running(self.template(branch.thread))
        guard = self._conjuncts((running, *branch.guard), known)
        held = self._held(guard)
        if any(self.terms.substitute(part, held) == self.terms.false for part in guard):
            return None
        updates = {
            v: self.terms.substitute(self.terms.substitute(term, known), held)
            for v, term in branch.updates.items()
            if v not in dropped
        }
        updates = {v: term for v, term in updates.items() if v != term}
        updates |= self._history(branch.thread, guard, updates)
        updates |= self._counts(branch, position)
        updates |= self._began_and_ended(branch, is_merged=is_merged)
        changeable = {*self.shared, *self._own(branch.thread), *self._own(position)}
        if any(v not in changeable for v in updates):
            raise GaveUpError(Reason("a thread writes to what belongs to another one", Why.FOREIGN_LOCALS))
        mentioned = {v for term in (*guard, *updates.values()) for v in self.terms.variables(term)}
        used = tuple(v for v in (*branch.inputs, *inputs) if v in mentioned)
        return Transition(branch.thread, branch.source, branch.target, position, guard, updates, used, branch)

    def _conjuncts(self, guard: Sequence[Term], known: Mapping[Term, Term]) -> tuple[Term, ...]:
        found = dict.fromkeys(self.terms.substitute(part, known) for part in guard)
        return tuple(part for part in found if part != self.terms.true)

    def _history(self, thread: int, guard: Sequence[Term], updates: Mapping[Term, Term]) -> dict[Term, Term]:
        """Keeps which thread changes a watched variable; writing the same value changes nothing."""
        t = self.terms
        known = fixed_values(t, guard)
        return {
            self.changer(v): t.ite(
                t.substitute(t.eq(updates[v], v), known), self.changer(v), self.handle(thread)
            )
            for v in self.watched
            if v in updates
        }

    def _counts(self, branch: Branch, created: int | None) -> dict[Term, Term]:
        """The numbers of threads in groups, where a step changes them."""
        moves = [(self.template(branch.thread).position, branch.source, branch.target)]
        if created is not None:
            template = self.template(created)
            moves.append((template.position, ABSENT_AT, self.program.functions[template.function].entry))
        changes = {group: group.change(*moves) for group in self.counted}
        return {self.number(g): self._changed(g, change) for g, change in changes.items() if change}

    def _changed(self, group: ThreadGroup, change: int) -> Term:
        """The number of a group after a change."""
        t, number = self.terms, self.number(group)
        after = t.add(number, t.bv(change, COUNT.width))
        if not group.is_lasting:
            return after
        many = t.bv(MANY, COUNT.width)
        return t.ite(t.ule(t.bv(MANY - max(0, change), COUNT.width), number), many, after)

    def _began_and_ended(self, branch: Branch, *, is_merged: bool) -> dict[Term, Term]:
        """Whether threads may run: since one is created, until a loop that joins all of them is over.

        Of a merged step not all edges are told: then it is not known whether they have ended. A Create edge
        is always told, as a step begins with it.
        """
        sites = {site for sites in self._sites.values() for site in sites}
        found: dict[Term, Term] = {}
        for edge in branch.edges:
            if isinstance(edge.instruction, Create) and edge.source in sites:
                found[self._is_running(edge.source)] = self.terms.true
            for loop in self.join_loops:
                if edge is loop.done and loop.create in sites and not is_merged:
                    found[self._is_running(loop.create)] = self.terms.false
        return found

    def _held(self, guard: Sequence[Term]) -> dict[Term, Term]:
        """The truth values that conjuncts give to what they say or deny."""
        t = self.terms
        denied = {t.args(part)[0]: t.false for part in guard if t.op(part) is Op.NOT}
        return {part: t.true for part in guard if t.op(part) is not Op.NOT} | denied

    @cached_property
    def _constants(self) -> dict[Term, Term]:
        """What memory holds that cannot be written."""
        initial = _TemplateSteps(self, *range(self.size)).initial_values(self.shape)
        read_only = (i for i in self.vocabulary.everything.values() if i.is_read_only)
        return {c: initial[c] for i in read_only for c in self.vocabulary.cells(i) if c in initial}

    def _known(self, thread: int) -> tuple[dict[Term, Term], tuple[Term, ...]]:
        """A thread that steps runs; whether one of many was detached is not known."""
        found = {**self._constants, self.vocabulary.status(thread): self.terms.const(RUNNING, STATUS)}
        if not self.template(thread).is_replicated:
            return found, ()
        detached = self.vocabulary.detached(thread)
        arbitrary = self.terms.var(InputRole(f"{thread}.detached"), self.terms.sort(detached))
        return {**found, detached: arbitrary}, (arbitrary,)

    def _created_position(self, edge: Edge) -> int:
        template = self.created_by(edge)
        return self.position(template, 1) if template.is_replicated else template.position

    def control(self, transition: Transition) -> tuple[list[Term], dict[Term, Term]]:
        """Guard and updates of a transition that concern places."""
        t = self.terms
        guard = [t.eq(self.at(transition.thread), self.place(transition.source))]
        updates = {self.at(transition.thread): self.place(transition.target)}
        if transition.created is not None:
            guard.append(t.eq(self.at(transition.created), self.place(ABSENT_AT)))
            function = self.program.functions[self.template(transition.created).function]
            updates[self.at(transition.created)] = self.place(function.entry)
        return guard, updates

    # --- lost memory --------------------------------------------------------------------------------------

    def losses(self, template: Template) -> Iterator[tuple[Transition, Term]]:
        """Steps that may end the process, and when a block is lost then: it lives, no global refers to it.

        Where the last thread ends, main is that thread or has ended.
        """
        t = self.terms
        for transition in self.transitions(template):
            is_end = transition.target == int(ENDED[0])
            if not self.blocks or not (is_end or transition.target == EXITED_AT):
                continue
            main = self.at(MAIN)
            may_be_last = t.true if is_end or template.position == MAIN else t.eq(main, self.place(EXITED_AT))
            yield transition, t.and_(may_be_last, t.substitute(self._is_lost(), transition.updates))

    def _is_lost(self) -> Term:
        t, vocabulary = self.terms, self.vocabulary
        width, split = vocabulary.pointers.width, vocabulary.pointers.offset_bits
        objects = [i for i in vocabulary.everything.values() if i.kind is Lifetime.GLOBAL]
        cells = [c for i in objects for c in vocabulary.cells(i) if t.sort(c) == bitvec(width)]
        return t.or_(
            *(
                t.and_(
                    vocabulary.alive(block), *(t.ne(t.extract(c, width - 1, split), number) for c in cells)
                )
                for block in vocabulary.everything.values()
                if block.kind is Lifetime.HEAP and not block.is_kept
                for number in [t.bv(block.number, width - split)]
            )
        )

    # --- races --------------------------------------------------------------------------------------------

    def races(self, one: int, other: int) -> Iterator[tuple[int, int, Condition]]:
        """For pairs of stops of two instances: when they race there; pairs that never do are left out."""
        visible = (MAIN, one, other)
        steps = _TemplateSteps(self, *visible)
        vocabulary = steps.vocabulary(self.shape)
        resolver = _TemplateResolver(steps, self.points_to)
        predicates = SymbolicPredicates(
            vocabulary, lambda edge, address: resolver.targets(self.shape, edge, address)
        )
        running = self.terms.and_(*(self.running(self.template(thread)) for thread in (one, other)))
        for location in self.stops(self.template(one)):
            for second in self.stops(self.template(other)):
                control: list[int | None] = [None] * self.size
                control[one], control[other] = location, second
                for _, _, race in predicates.race(control):
                    yield location, second, Condition(*(self.terms.and_(running, part) for part in race))


class _TemplateVocabulary(Vocabulary):
    """The variables of all instances, of which some threads can see each other's local objects."""

    def __init__(self, system: TemplateSystem, visible: Sequence[int]) -> None:
        super().__init__(system.code, system.shape.threads, dict(system.shape.heap))
        self.system = system
        self.visible = tuple(dict.fromkeys((MAIN, *visible)))
        self.everything = self.instances
        """All objects, those that an address cannot name included."""
        if not system.has_ids:
            self.instances = {
                n: i for n, i in self.everything.items() if (o := self.owner(n)) is None or o in self.visible
            }

    def owner(self, number: int) -> int | None:
        """The position of the instance whose local object has this number; None for a global."""
        local = self.code.program.local_slot(number)
        return None if local is None else local[0]

    def local(self, thread: int, obj: MemoryObject) -> Instance:
        """The local object of a thread."""
        slot = self.code.slots[self.threads[thread].name][obj.name]
        return self.everything[self.code.program.local_number(thread, slot)]

    def indices(self, instance: Instance) -> Sequence[int]:
        """Of a large object the cells that were named."""
        kept = self.system.kept.get(self._abstract(instance))
        return super().indices(instance) if kept is None else kept

    def is_blurred(self, instance: Instance) -> bool:
        """Large objects are."""
        return self._abstract(instance) in self.system.kept

    def _abstract(self, instance: Instance) -> int:
        """The object of the points-to analysis that stands for this one."""
        objects, local = self.system.points_to.objects, self.code.program.local_slot(instance.number)
        if local is not None:
            return objects.of_local(self.threads[local[0]].name, local[1])
        if instance.kind is Lifetime.HEAP:
            return objects.of_site(dict(self.system.shape.heap)[instance.number].site)
        found = objects.of_static(instance.number)
        assert found is not None
        return found

    def handle(self, thread: int) -> Term:
        """A constant where it is known, else a variable."""
        if thread == MAIN or self.system.has_ids:
            return super().handle(thread)
        return self.terms.var(HandleRole(thread), HANDLE)

    def known_threads(self) -> Sequence[int]:
        """Main, the threads that exist once, and the stepping thread."""
        singles = [template.position for template in self.system.singles]
        return tuple(dict.fromkeys((MAIN, *singles, *self.visible)))

    def is_unknown_thread(self, handle: Term) -> Term:
        """When a handle may be that of one of many."""
        t = self.terms
        if not self.system.replicated:
            return t.false
        known = (self.identity(thread, t.width(handle)) for thread in self.known_threads())
        return t.and_(*(t.ne(handle, one) for one in known))

    def is_unknown_object(self, address: Term) -> Term:
        """When an address may be in a local object of another worker."""
        t, program = self.terms, self.code.program
        if self.system.has_ids or not program.local_slots:
            return t.false
        low = self.pointers.address(program.local_number(1, 0))
        high = self.pointers.address(self.pointers.heap_base)
        own = [i for i in self.instances.values() if self.owner(i.number) not in (None, MAIN)]
        width, split = self.pointers.width, self.pointers.offset_bits
        number = t.extract(address, width - 1, split)
        is_own = t.or_(*(t.eq(number, t.bv(i.number, width - split)) for i in own))
        in_range = t.and_(t.ule(t.bv(low, width), address), t.ult(address, t.bv(high, width)))
        return t.and_(in_range, t.not_(is_own))


class _TemplateSteps(SymbolicSteps):
    """Steps of instances that see their own local objects and main's."""

    def __init__(self, system: TemplateSystem, *visible: int) -> None:
        super().__init__(system.code, system.quiet)
        self.system = system
        self.visible = visible
        self._vocabulary = _TemplateVocabulary(system, visible)

    def vocabulary(self, shape: Shape) -> Vocabulary:
        """The variables; there is one shape only."""
        return self._vocabulary

    def joins_one_of_many(self, edge: Edge) -> bool:
        """Whether it is part of a loop that joins all of many."""
        return self.system.joins_one_of_many(edge.source)

    def block_of(self, thread: int, edge: Edge) -> int | None:
        """The block of a thread that exists once, at a place where it comes once."""
        return self.system.blocks[thread, edge.source]

    def creation(self, shape: Shape, edge: Edge) -> tuple[Shape, int]:
        """One of the instances that are there from the start begins to run."""
        return shape, self.system._created_position(edge)


class _TemplateResolver(Resolver):
    """Accesses go where the points-to analysis says; anything else is an obstacle."""

    def __init__(self, steps: _TemplateSteps, points_to: PointsTo) -> None:
        self.steps = steps
        self.places = ShapePlaces(steps, points_to)
        self.pointers = steps.code.program.pointers

    def targets(self, shape: Shape, edge: Edge, address: Term) -> Sequence[Aim]:
        """The place that a constant names, or those that the analysis lists."""
        number = self.steps.terms.number(address)
        if number is None:
            listed: Sequence[Aim] = self.places.aims(shape, edge)
        else:
            listed = (AccessTarget(self.pointers.number(number), self.pointers.offset(number)),)
        instances = self.steps.vocabulary(shape).instances
        return [
            aim
            for aim in listed
            if aim.number in instances and (isinstance(aim, Region) or self.places.foresees(shape, edge, aim))
        ]


# --- which templates there are ------------------------------------------------------------------------------


def once_created(creations: Creations) -> tuple[int, ...]:
    """The places of the Create edges that are executed at most once in a run."""
    found: list[int] = []
    for function in creations.program.functions.values():
        if creations.instances[function.name] is Instances.ONE:
            inner = {at: tuple(e.target for e in edges) for at, edges in function.outgoing.items()}
            on_cycle = nodes_on_cycles(function.locations, inner)
            found += [
                edge.source
                for edge in function.edges
                if isinstance(edge.instruction, Create)
                and edge.source in creations.reachable
                and edge.source not in on_cycle
            ]
    return tuple(found)


def _starts(creations: Creations, name: str) -> list[Edge]:
    """The Create edges that may start a thread of a function."""
    return [edge for edge in creations.edges[name] if edge.source in creations.reachable]


def _few(creations: Creations, possible: Sequence[int]) -> list[int]:
    """Those sites of functions that are started at a few places, each of them once."""
    found: list[int] = []
    for name in creations.program.functions:
        sites = [edge.source for edge in _starts(creations, name)]
        if len(sites) <= MOST_SINGLES and all(site in possible for site in sites):
            found += sites
    return [site for site in possible if site in found]


def _templates(creations: Creations, singles: Sequence[int]) -> Iterator[Template]:
    program = creations.program
    yield Template(MAIN, program.entry, None, is_replicated=False)
    position = 1
    by_site = {edge.source: edge for edges in creations.edges.values() for edge in edges}
    for site in singles:
        instruction = by_site[site].instruction
        assert isinstance(instruction, Create)
        yield Template(position, instruction.function, site, is_replicated=False)
        position += 1
    for name in program.functions:
        if any(edge.source not in singles for edge in _starts(creations, name)):
            yield Template(position, name, None, is_replicated=True)
            position += 1


def _is_created_in_order(creations: Creations, templates: Sequence[Template]) -> bool:
    """Whether main creates all threads, each after the one before it in every run."""
    workers = templates[1:]
    if any(t.is_replicated or creations.template_at[t.site or 0] != creations.program.entry for t in workers):
        return False
    main = creations.program.functions[creations.program.entry]
    for before, after in itertools.pairwise(workers):
        without = {
            at: tuple(e.target for e in edges) for at, edges in main.outgoing.items() if at != before.site
        }
        if after.site in reachable((main.entry,), without):
            return False
    return True


def _made_once(system: TemplateSystem) -> Iterator[tuple[int, int]]:
    """Threads that exist once, with the places where they allocate."""
    for template in (system.templates[MAIN], *system.singles):
        function = system.program.functions[template.function]
        for edge in allocations(system.creations, function):
            yield template.position, edge.source


def _heap(system: TemplateSystem) -> Iterator[tuple[int, HeapShape]]:
    """The blocks; one whose size is not known may be as large as can be."""
    program = system.program
    made = {edge.source: edge.instruction for edge in program.edges if isinstance(edge.instruction, Allocate)}
    for (_, site), number in system.blocks.items():
        size = program.terms.number(made[site].size)
        capacity = program.pointers.largest_object if size is None else size
        yield number, HeapShape(made[site].layout, capacity, site)


def _refuse_unsupported(creations: Creations, templates: Sequence[Template]) -> None:
    """Raise where threads do something that has no place in a system of templates."""
    once = {template.function for template in templates if not template.is_replicated}
    once -= {template.function for template in templates if template.is_replicated}
    made = repeated_allocation(creations, once) or allocation_after_free(creations)
    if made is not None:
        raise GaveUpError(Reason(f"the program uses the heap{_place(made)}", Why.HEAP))
    code_inside = Code(creations.program).inside
    for function in creations.program.functions.values():
        for edge in function.edges:
            if edge.source not in creations.reachable:
                continue
            instruction = edge.instruction
            if isinstance(instruction, Allocate | Free) and edge.source in code_inside:
                what = f"the program uses the heap in an atomic section{_place(edge)}"
                raise GaveUpError(Reason(what, Why.HEAP))
            if isinstance(instruction, Create | Join | Detach) and edge.source in code_inside:
                raise GaveUpError(f"a thread is created or joined in an atomic section{_place(edge)}")
    if creations.edges[creations.program.entry]:
        raise GaveUpError("main is started as a thread")


def _refuse_escaping(creations: Creations) -> None:
    """Raise where the address of a local object of a worker is used for anything but accesses."""
    program = creations.program
    for function in program.functions.values():
        if function.name == program.entry or not _starts(creations, function.name):
            continue
        confined = confined_addresses(program.terms, function)
        for obj in function.objects:
            if obj.address not in confined:
                what = "thread-local" if obj.storage is Storage.THREAD else "local"
                name = f" `{obj.c_name}`" if obj.c_name else ""
                raise GaveUpError(
                    f"`{function.c_name}` gives away the address of its {what} variable{name}, "
                    "and it is not known which thread it runs in"
                )


def _place(edge: Edge) -> str:
    return f" ({edge.origin.span})" if edge.origin.span is not None else ""
