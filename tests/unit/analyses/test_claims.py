"""The analyses against what really happens: random programs, random schedules, the reference interpreter."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from sley.analyses.accesses import ActionEffects, find_accesses
from sley.analyses.independence import are_independent
from sley.analyses.objects import Offset
from sley.analyses.pointers import PointsTo
from sley.base.errors import GaveUpError
from sley.program.instructions import Free, Load, Lock, Store, Unlock, Update
from sley.program.program import Program
from sley.semantics.machine import StateMachine
from sley.semantics.state import State, is_ended, location_of
from sley.semantics.step import Happening
from sley.semantics.values import NeedsSplitError, Undetermined
from tests.unit.analyses.random_pointers import random_program

SOME = settings(deadline=None, max_examples=40)


class Watcher:
    """Runs random schedules and compares each access with what was foreseen."""

    def __init__(self, program: Program, seed: int) -> None:
        self.program = program
        self.machine = StateMachine(program, is_compiled=False)
        self.accesses: ActionEffects = find_accesses(program, is_elsewhere_excluded=True)
        self.points_to: PointsTo = self.accesses.sharing.points_to
        self.choose = random.Random(seed)
        self.seen = 0
        self.is_astray = False
        """Whether an access that was marked as possibly elsewhere has left its list."""

    def run(self, steps: int) -> list[State]:
        """The states of one random run."""
        state = self.machine.initial()
        states = [state]
        for _ in range(steps):
            running = [i for i, thread in enumerate(state.threads) if not is_ended(thread)]
            self.choose.shuffle(running)
            following = next((s for i in running if (s := self._step(state, i)) is not None), None)
            if following is None or self.is_astray:
                break
            state = following
            states.append(state)
        return states

    def _step(self, state: State, thread: int) -> State | None:
        start = location_of(state.threads[thread])
        try:
            outcomes = self.machine.successors(state, thread, lambda h: self._hear(h, state, thread, start))
        except (NeedsSplitError, GaveUpError, TypeError):
            return None
        going_on = [o.state for o in outcomes if o.state is not None]
        return self.choose.choice(going_on) if going_on else None

    def _hear(self, happening: Happening, state: State, thread: int, start: int) -> None:
        instruction = happening.edge.instruction
        if self.is_astray or happening.address in (None, 0):
            return
        if not isinstance(instruction, Load | Store | Update | Lock | Unlock | Free):
            return
        obj = self._object(happening.address or 0, state, thread)
        if obj is None:
            return  # a block that was allocated in the same step
        self.seen += 1
        offset = self.program.pointers.offset(happening.address or 0)
        size = 1 if isinstance(instruction, Free) else instruction.access.size
        at = happening.edge.source
        if not self.points_to.foresees(at, obj, offset, size):
            assert self.points_to.targets(at).is_elsewhere, f"{at}: object {obj} at {offset}"
            self.is_astray = True
            return
        if self.accesses.sharing.is_shared(obj) and not isinstance(instruction, Free):
            touched = self.points_to.classes.partitions[obj].touched(Offset(offset), 0, size)
            effect = self.accesses.action(start)
            is_write = not isinstance(instruction, Load)
            assert not touched & ~(effect.writes if is_write else effect.reads)

    def _object(self, address: int, state: State, thread: int) -> int | None:
        program, objects = self.program, self.points_to.objects
        number = program.pointers.number(address)
        if number < program.local_number(0, 0):
            return objects.of_static(number)
        if number < program.pointers.heap_base:
            owner, slot = divmod(number - program.local_number(0, 0), program.local_slots)
            at = location_of(state.threads[owner])
            template = self.accesses.sharing.creations.template_at.get(at)
            return None if template is None else objects.of_local(template, slot)
        block = state.blocks.get(number)
        return None if block is None else objects.of_site(block.site)


@SOME
@given(st.integers(0, 100_000))
def test_every_access_is_foreseen(seed: int) -> None:
    program = random_program(seed)
    for schedule in range(5):
        Watcher(program, schedule).run(60)


def test_the_watcher_sees_accesses_and_elsewhere() -> None:
    """The test above would be worthless if random programs did nothing."""
    watchers = [Watcher(random_program(seed), seed) for seed in range(40)]
    for watcher in watchers:
        watcher.run(60)
    assert sum(watcher.seen for watcher in watchers) > 200
    assert sum(watcher.is_astray for watcher in watchers) < 10


def finals(machine: StateMachine, state: State, first: int, second: int) -> set[State] | None:
    """The states after a step of one thread and then of another; None if this is beyond concrete states."""
    found: set[State] = set()
    for one in machine.successors(state, first):
        if one.state is None or one.is_spurious:
            return None
        outcomes = machine.successors(one.state, second)
        found.update(two.state for two in outcomes if two.state is not None)
        if any(two.state is None for two in outcomes):
            return None
    return found


def has_undetermined(state: State) -> bool:
    blocks = (value for block in state.blocks.values() for value in block.cells)
    threads = (value for thread in state.threads for value in thread)
    return any(isinstance(value, Undetermined) for part in (state.cells, blocks, threads) for value in part)


@SOME
@given(st.integers(0, 100_000))
def test_independent_actions_commute(seed: int) -> None:
    """Allocations are left out: they commute up to renaming of blocks only."""
    watcher = Watcher(random_program(seed), seed)
    machine, accesses = watcher.machine, watcher.accesses
    for state in watcher.run(40):
        running = [i for i, thread in enumerate(state.threads) if not is_ended(thread)]
        for one in running:
            for other in running:
                at = [location_of(state.threads[i]) for i in (one, other)]
                if one >= other or not are_independent(accesses, at[0], at[1]):
                    continue
                if (accesses.action(at[0]).writes | accesses.action(at[1]).writes) & accesses.allocation:
                    continue
                try:
                    is_enabled = [bool(machine.successors(state, i)) for i in (one, other)]
                    after = finals(machine, state, one, other), finals(machine, state, other, one)
                except (NeedsSplitError, GaveUpError, TypeError):
                    continue
                forth, back = after
                if forth is None or back is None or any(map(has_undetermined, forth | back)):
                    continue
                assert is_enabled[0] == bool(back) or not is_enabled[1]
                assert not all(is_enabled) or forth == back, at
