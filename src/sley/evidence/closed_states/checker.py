"""Checks a :class:`ClosedStates` proof.

It shares with the engine what states and single steps are (the engine runs them compiled, the
checker by the reference interpreter), the predicates on states, and the points-to analysis, whose
claims it verifies. What actions touch, and so why threads may be left out, it derives by itself
(``footprints``).

What is checked, for every state of the proof:

* *initiation*: the first state is the initial state;
* *consecution*: every outcome of a step of the threads taken is in the proof again (recomputed by
  the reference interpreter), or ends the run; of a split state the value occurs in it, and the
  parts cover it, are smaller, and are in the proof. If the proof is up to thread symmetry, a state
  that stands for the outcome is enough (``laws.thread_symmetry``). Where there is one thread, with
  one thing to do in each state, the state that it comes to is enough (``StateMachine.beyond``);
* *safety*: no step reaches an error location, the state has no race, deadlock or lost memory;
* *reasons*: if threads were left out, the taken ones are persistent (below), or one that tries
  again (``laws.retries``), or reads ineffectually (``laws.ineffectual``), or uses an object that
  only it knows (``laws.private_objects``); some of them can step, none of their steps ends the run;
  and no cycle consists of such states and split ones alone;
* *rising*: no step makes a place smaller that rises for ineffectual reads.

A set of threads is persistent at a state if no other thread can ever do something that conflicts
with the next step of a thread in the set, as long as the set does not move. What others may do
comes from a static analysis, and from the addresses that they know by values that they cannot
change any more; that the analysis covers what really happens is verified for each executed access
(*claims*).
"""

from contextlib import suppress
from functools import cached_property, partial
from itertools import pairwise

from sley.analyses.pointers import PointsTo
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.processes import side_by_side
from sley.evidence.closed_states.proof import ClosedStates, Parts
from sley.evidence.footprints import Footprint, Footprints
from sley.evidence.proof import RefusedProofError
from sley.laws.ineffectual import IneffectualReads
from sley.laws.retries import Retries
from sley.laws.thread_symmetry import ThreadSymmetry
from sley.logic.terms import Term
from sley.program.instructions import Accessing, FaultTest, Free, Join
from sley.program.memory import Storage
from sley.program.program import Function, Program
from sley.program.properties import ON_REQUEST, Property
from sley.semantics.consistency import Consistency
from sley.semantics.history import History
from sley.semantics.knowledge import (
    EITHER,
    ContradictionError,
    ValueKnowledge,
    numbers_of,
    variable_of,
    within,
)
from sley.semantics.machine import StateMachine, Successor
from sley.semantics.progress import Onward, free, onward
from sley.semantics.state import ENDED, State, is_awaited, is_ended, location_of
from sley.semantics.step import Happening
from sley.semantics.uninitialised import unset_reads
from sley.semantics.values import (
    Computed,
    NeedsSplitError,
    Open,
    Ranges,
    Undetermined,
    complement,
    intersection,
)
from sley.semantics.violations import StatePredicates

MANY = 10_000
"""A proof with more states than this is checked by all cores that may be used."""

LOCK_SIZE = 4
"""Bytes of the cell that holds the owner of a lock."""


LARGEST_WIDTH = 128
"""In bits, of what is undetermined."""


class UnforeseenAccessError(GaveUpError):
    """An access goes where the static analysis did not expect one, so that the reasons do not hold."""


class Checker:
    """Looks at one state of a proof after another.

    Without a solver for what inputs may be together, proofs in which that matters are refused.
    """

    def __init__(
        self,
        program: Program,
        properties: frozenset[Property],
        proof: ClosedStates,
        budget: Budget,
        history: History | None = None,
        consistency: Consistency | None = None,
    ) -> None:
        self.properties = properties
        self.proof = proof
        self.budget = budget
        self.machine = StateMachine(program, is_compiled=False, history=history, consistency=consistency)
        self.predicates = StatePredicates(self.machine.code, self.machine.interpreter)
        self.reduced: dict[int, list[int]] = {}
        """States where threads were left out, or that were split -> numbers of what follows."""
        self.points_to = PointsTo(program)
        self.footprints = Footprints(program, self.points_to)
        self.retries = Retries(self.machine.code, self.machine.interpreter, self.points_to)
        self.ineffectual: IneffectualReads | None = None
        """If reads are ineffectual."""
        if proof.ineffectual.places:
            self.ineffectual = IneffectualReads(self.machine.code, self.points_to, proof.ineffectual.rising)
            cells = range(len(self.machine.code.memory_map.names))
            require(all(cell in cells for cell in self.ineffectual.rising), "global cells rise")
        self.seen_in_states = self.footprints.starts | self.footprints.awaited_ends
        """Whether threads have begun or ended is seen in the state itself."""
        self.symmetry: ThreadSymmetry | None = None
        self.classes: dict[object, int] = {}
        """Keys of states up to thread symmetry -> a state, if the proof is up to that."""
        self.standing_for: dict[State, int | None] = {}
        """States that were looked for so."""
        if proof.is_up_to_symmetry:
            require(history is None and properties.isdisjoint(ON_REQUEST), "all threads are told apart")
            self.symmetry = ThreadSymmetry(
                self.machine, self.points_to, lambda at: self.footprints.action(at) == Footprint()
            )
            named = {cell for cell, _ in self.symmetry.names.cells}
            require(named.isdisjoint(proof.ineffectual.rising), "what names threads does not rise")
            self.classes = {self.symmetry.key(state): i for state, i in self.numbers.items()}
        self.machine.interpreter.tells_misses = True
        self.claims: set[tuple[int, tuple[int, ...], int]] = set()
        """(location, abstract objects, offset) of accesses that were found to be foreseen."""

    @cached_property
    def numbers(self) -> dict[State, int]:
        """States -> where they are in the proof."""
        return {state: i for i, state in enumerate(self.proof.states)}

    def check(self) -> None:
        """Refuse the proof unless all is as it should be."""
        states, expansions = self.proof.states, self.proof.expansions
        require(len(states) == len(expansions), "one expansion for each state")
        initial = self.machine.initial()
        is_first = bool(states) and states[0] in (initial, self._beyond(initial))
        require(is_first, "the first state is initial, or the only thread comes to it")
        if self.budget.cores > 1 and len(states) > MANY:
            parts = [range(first, len(states), self.budget.cores) for first in range(self.budget.cores)]
            for reduced in side_by_side(self._check_some, parts, self.budget):
                self.reduced |= reduced
        else:
            self._check_some(range(len(states)), self.budget)
        require(is_acyclic(self.reduced), "no cycle of states with threads left out")
        if Property.PROGRESS in self.properties:
            self._check_progress()

    def _check_some(self, numbers: range, budget: Budget) -> dict[int, list[int]]:
        """Check these states; those of them where threads were left out, with what follows."""
        for number in numbers:
            budget.spend()
            state, expansion = self.proof.states[number], self.proof.expansions[number]
            if isinstance(expansion, Parts):
                self._check_parts(number, state, expansion)
            else:
                try:
                    self._check_state(number, state, expansion)
                except NeedsSplitError as question:
                    raise RefusedProofError("a state is not split") from question
        return self.reduced

    def _check_progress(self) -> None:
        """From every state something can be got at, by steps that are computed once more."""
        graph: dict[State, Onward] = {}
        for state, expansion in zip(self.proof.states, self.proof.expansions, strict=True):
            self.budget.spend()
            if isinstance(expansion, Parts):
                split = (self.machine.part(state, expansion.value, part) for part in expansion.ranges)
                graph[state] = Onward(tuple(split), split=numbers_of(expansion.value))
            else:
                running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
                require(len(expansion) == len(running), "all threads are taken")
                steps = {thread: self._steps(state, thread) for thread in running}
                graph[state] = onward(self.machine, state, steps)
        require(len(free(graph)) == len(graph), "threads can get out of every loop")

    def _check_parts(self, number: int, state: State, parts: Parts) -> None:
        value, known = parts.value, self.machine.knowledge(state, parts.value)
        whole = self._whole(known, value)
        require(whole is not None, "the value that is split occurs in the state")
        require(self._is_covered(known, value, whole or (), parts.ranges), "the parts cover the state")
        following: list[int] = []
        for ranges in parts.ranges:
            require(is_smaller(ranges, whole or ()), "each part is smaller than the whole")
            try:
                found = self._number_of(self.machine.part(state, value, ranges))
            except ContradictionError:
                raise RefusedProofError("a part stands for nothing") from None
            require(found is not None, "each part is in the proof")
            following += [] if found is None else [found]
        self.reduced[number] = following

    def _whole(self, known: ValueKnowledge, value: Open) -> Ranges | None:
        """What a value may be, or a condition; None if it is none of the state."""
        terms = known.terms
        if isinstance(value, Undetermined):
            is_there = value.number in known.inputs and known.value(variable_of(terms, value)) == value
            return value.ranges if is_there else None
        variables = {variable_of(terms, one): one for one in known.inputs.values()}
        if not variables.keys() >= set(terms.variables(value.term)) or known.value(value.term) != value:
            return None
        return variables[value.term].ranges if terms.is_var(value.term) else EITHER

    def _is_covered(
        self, known: ValueKnowledge, value: Open, whole: Ranges, parts: tuple[Ranges, ...]
    ) -> bool:
        """Whether a value is in no other part, by what is known of it."""
        if covers(parts, whole):
            return True
        left = whole
        for part in parts:
            left = intersection(left, complement(part, LARGEST_WIDTH))
        consistency = self.machine.consistency
        if consistency is None or not isinstance(value, Computed):
            return False
        other = within(known.terms, value.term, left)
        try:
            return not consistency.is_possible(frozenset((*known.formulas(), other)))
        except GaveUpError as problem:
            raise RefusedProofError(f"the parts of a state are not known: {problem}") from problem

    def _check_state(self, number: int, state: State, taken: tuple[int, ...]) -> None:
        running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        require(set(taken) <= set(running), "only running threads are taken")
        require(len(set(taken)) == len(taken), "each thread is taken once")
        acting = taken if self.symmetry is None else self.symmetry.distinct(state, taken)
        outcomes = [(thread, outcome) for thread in acting for outcome in self._steps(state, thread)]
        if Property.UNINITIALISED in self.properties:
            require(len(taken) == len(running), "all threads are taken")
            unset = (unset_reads(self.machine, state, thread) for thread in taken)
            require(not any(unset), "nothing is read that was never written")
        following = [self._check_outcome(state, thread, outcome) for thread, outcome in outcomes]
        can_step = any(not outcome.is_spurious for _, outcome in outcomes)
        if len(taken) < len(running):
            require(can_step, "some thread of a reduced state can step")
            require(all(n is not None for n in following), "no step of a reduced state ends the run")
            if len(taken) > 1 or not self._suffices(state, taken[0]):
                self._check_persistent(state, taken, running)
            self.reduced[number] = [n for n in following if n is not None]
        if Property.DEADLOCK in self.properties:
            require(can_step or not running, "no deadlock")
            require(not self.predicates.wait_cycle(state), "no wait cycle")
        if Property.RACE in self.properties:
            require(self.predicates.race(state) is None, "no data race")
        if Property.LEAK in self.properties and not running:
            require(not self.predicates.leaked(state, None), "no memory is lost")

    def _suffices(self, state: State, thread: int) -> bool:
        """Whether a thread may be taken alone whatever the others may do."""
        is_alone = self.symmetry is not None and self.symmetry.is_alone(state, thread)
        return is_alone or self.retries.tries_again(state, thread) or self._is_ineffectual(state, thread)

    def _is_ineffectual(self, state: State, thread: int) -> bool:
        is_listed = location_of(state.threads[thread]) in self.proof.ineffectual.places
        return (
            is_listed and self.ineffectual is not None and self.ineffectual.look(state, thread).is_ineffectual
        )

    def _steps(self, state: State, thread: int) -> list[Successor]:
        try:
            return self.machine.successors(state, thread, partial(self._hear, state=state))
        except UnforeseenAccessError:
            raise
        except (NeedsSplitError, GaveUpError) as problem:
            raise RefusedProofError(f"a step cannot be recomputed: {problem}") from problem

    def _check_outcome(self, state: State, thread: int, outcome: Successor) -> int | None:
        """The number of the state that follows; None if the run ends."""
        require(location_of(outcome.thread) not in self.machine.code.errors, "no error location is reached")
        if outcome.state is None:
            if outcome.thread == ENDED and Property.LEAK in self.properties:
                require(not self.predicates.leaked(state, thread), "no memory is lost")
            return None
        if self.ineffectual is not None:
            require(not self.ineffectual.fallen(state, outcome.state), "what rises does not fall")
        found = self._number_of(outcome.state)
        if found is None:
            further = self._beyond(outcome.state)
            if self.ineffectual is not None:
                require(not self.ineffectual.fallen(outcome.state, further), "what rises does not fall")
            found = self._number_of(further)
        require(found is not None, "every successor is in the proof")
        return found

    def _beyond(self, state: State) -> State:
        """Where the only thread comes to, if states on its way may be left out."""
        is_left_out = self.proof.leaves_out_solo and self.properties.isdisjoint(ON_REQUEST)
        return self.machine.beyond(state)[0] if is_left_out else state

    def _number_of(self, state: State) -> int | None:
        """The number of a state of the proof that stands for this one."""
        found = self.numbers.get(state)
        if found is None and self.symmetry is not None:
            if state not in self.standing_for:
                self.standing_for[state] = self.classes.get(self.symmetry.key(state))
            found = self.standing_for[state]
        return found

    # --- reasons ------------------------------------------------------------------------------

    def _check_persistent(self, state: State, taken: tuple[int, ...], running: list[int]) -> None:
        awaited = {self._awaited(state, thread) for thread in taken}
        others = [  # a thread that waits for a taken one cannot move before it does
            thread for thread in running if thread not in taken and self._awaited(state, thread) not in taken
        ]
        places = tuple(location_of(state.threads[other]) for other in others)
        held = self.footprints.staying_locked(places, self._locks_held_by(state, taken))
        actions = [self._noticed(self.footprints.action(location_of(state.threads[t]))) for t in taken]
        for other, place in zip(others, places, strict=True):
            require(other not in awaited, "no thread taken waits for one left out")
            future = self._noticed(self.footprints.future(place, held))
            if any(action.conflicts_with(future) for action in actions):
                self._check_elements(state, taken, other, held)

    def _check_elements(self, state: State, taken: tuple[int, ...], other: int, held: frozenset[int]) -> None:
        """A thread cannot disturb those taken, by the addresses that threads know."""
        place = location_of(state.threads[other])
        settled = self._known(state, other, self.footprints.settled(place))
        future = self._noticed(self.footprints.future(place, held, settled))
        for thread in taken:
            location = location_of(state.threads[thread])
            address = self.footprints.address_at(location)
            known = () if address is None else self._known(state, thread, ((location, address),))
            action = self._noticed(self.footprints.action(location, *(found for _, found in known)))
            require(not action.conflicts_with(future), "threads left out cannot disturb those taken")

    def _known(
        self, state: State, thread: int, terms: tuple[tuple[int, Term], ...]
    ) -> tuple[tuple[int, int], ...]:
        """The addresses that terms are for a thread now, as far as that is determined."""
        found: list[tuple[int, int]] = []
        for location, term in terms:
            with suppress(NeedsSplitError, GaveUpError):
                found.append((location, self.machine.interpreter.evaluate(state, thread, term)))
        return tuple(found)

    def _noticed(self, footprint: Footprint) -> Footprint:
        return footprint.without(self.seen_in_states)

    def _awaited(self, state: State, thread: int) -> int | None:
        action = self.machine.code.action(location_of(state.threads[thread]))
        if not isinstance(action, Join):
            return None
        handle = self.machine.interpreter.evaluate(state, thread, action.handle)
        return handle - 1 if is_awaited(state, handle) else None

    def _locks_held_by(self, state: State, taken: tuple[int, ...]) -> frozenset[int]:
        """Constant addresses of locks that the taken threads hold: no other thread gets past them."""
        handles = {thread + 1 for thread in taken}
        memory = self.machine.interpreter.memory(state, taken[0])
        size = LOCK_SIZE
        return frozenset(
            address
            for address in self.footprints.mutexes
            if memory.is_valid(address, size, writes=False) and memory.load(address, size) in handles
        )

    # --- claims -------------------------------------------------------------------------------

    def _hear(self, happening: Happening, state: State) -> None:
        """Every access must be one that the static analysis has foreseen.

        The reasons above rest on this, and so does the program itself where loads of memory that no thread
        writes were replaced by constants. It concerns also accesses that are wrong or blocked: they might
        hit what is there before a step that was taken first.
        """
        address, location = happening.address, happening.edge.source
        if address is None or location in self.machine.code.fixed:
            return  # no access, or to a constant address, which needs no foresight
        instruction = happening.edge.instruction
        of = instruction.of if isinstance(instruction, FaultTest) else instruction
        if not isinstance(of, Accessing | Free):
            return
        number, offset = self._named(address)
        is_made = of is instruction and not happening.is_missed
        possible = self._abstract_objects(number, state)
        points_to = self.points_to
        if len(possible) > 1 and not points_to.targets(location).is_elsewhere:
            return
        if (location, possible, offset) in self.claims:
            return
        size = None if isinstance(of, Free) else of.access.size
        foreseen = [self._is_foreseen(location, obj, offset, size) for obj in possible]
        if not (any(foreseen) if is_made and foreseen else all(foreseen)):
            raise UnforeseenAccessError("an address is computed in a way that the analysis does not follow")
        self.claims.add((location, possible, offset))

    def _is_foreseen(self, location: int, obj: int, offset: int, size: int | None) -> bool:
        """Whether the analysis lists an access to these bytes, or to the object (``size`` is None)."""
        points_to = self.points_to
        if size is None:
            return points_to.may_reach(location, obj)
        return points_to.foresees(location, obj, offset, size)

    def _named(self, address: int) -> tuple[int, int]:
        """The number and the offset in an address; one just before an object is meant as one of it."""
        pointers = self.machine.code.program.pointers
        number, offset = pointers.number(address), pointers.offset(address)
        if offset <= pointers.largest_object or address == pointers.wild:
            return number, offset
        numbers, offsets = 1 << (pointers.width - pointers.offset_bits), 1 << pointers.offset_bits
        return (number + 1) % numbers, offset - offsets

    def _abstract_objects(self, number: int, state: State) -> tuple[int, ...]:
        """The analysis' names for an object, several if it is not there: any of these might have been.

        None for numbers that no object ever has.
        """
        code, objects = self.machine.code, self.points_to.objects
        if number < code.memory_map.local_base:
            static = objects.of_static(number)
            return (static,) if static is not None and objects[static].storage is not Storage.CODE else ()
        if number >= code.memory_map.heap_base:
            block = state.blocks.get(number)
            return objects.heap if block is None else (objects.of_site(block.site),)
        if not code.memory_map.local_slots:
            return ()
        owner, slot = divmod(number - code.memory_map.local_base, code.memory_map.local_slots)
        return tuple(
            objects.of_local(function.name, slot)
            for function in self._functions(owner, state)
            if slot < len(function.objects)
        )

    def _functions(self, thread: int, state: State) -> tuple[Function, ...]:
        """What a thread runs; of one that has ended, or does not exist yet, all that it might have been."""
        code = self.machine.code
        functions = code.program.functions
        if thread == 0:
            return (functions[code.program.entry],)
        if thread < len(state.threads) and not is_ended(state.threads[thread]):
            return (code.function_at[location_of(state.threads[thread])],)
        created = self.footprints.creations.edges
        return tuple(function for function in functions.values() if created[function.name])


def require(condition: bool, what: str) -> None:  # noqa: FBT001 - it is the condition
    """Refuse the proof unless the condition holds."""
    if not condition:
        raise RefusedProofError(f"expected that {what}")


def covers(parts: tuple[Ranges, ...], whole: Ranges) -> bool:
    """Whether every number of ``whole`` is in some part."""
    intervals = sorted(interval for part in parts for interval in part)
    for low, high in whole:
        at = low
        for start, end in intervals:
            if start <= at <= end:
                at = end + 1
        if at <= high:
            return False
    return True


def is_smaller(part: Ranges, whole: Ranges) -> bool:
    """Whether ``part`` is a proper subset, not empty, of the form that ``Ranges`` have."""
    is_sorted = all(low <= high for low, high in part) and all(
        before[1] + 1 < after[0] for before, after in pairwise(part)
    )
    return bool(part) and is_sorted and part != whole and intersection(part, whole) == part


def is_acyclic(graph: dict[int, list[int]]) -> bool:
    """Whether the graph, restricted to its keys, has no cycle (Kahn's algorithm)."""
    incoming = dict.fromkeys(graph, 0)
    for targets in graph.values():
        for target in targets:
            if target in incoming:
                incoming[target] += 1
    free = [node for node, count in incoming.items() if count == 0]
    done = 0
    while free:
        done += 1
        for target in graph[free.pop()]:
            if target in incoming:
                incoming[target] -= 1
                if incoming[target] == 0:
                    free.append(target)
    return done == len(graph)
