"""Runs in the terms of a system of templates: what the variables of instances are in a concrete state.

Some instances stand for threads of the run; what is not decided in a state, or belongs to a thread that was
not created yet, has no value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from sley.evidence.runs import Follower
from sley.logic.operators import AnyValue
from sley.logic.terms import Term
from sley.program.instructions import Create
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.roles import (
    AliveRole,
    CellRole,
    HandleRole,
    LocationRole,
    ObjectRole,
    RunningRole,
    StatusRole,
    ThreadRole,
)
from sley.semantics.state import State, is_ended, location_of
from sley.semantics.templates import ABSENT_AT, EXITED_AT, MAIN, TemplateSystem
from sley.semantics.valuation import Valuations
from sley.semantics.vocabulary import ABSENT

Threads = Mapping[int, int | None]
"""Position -> the thread of the run; None: one that was not created yet."""


class TemplateFollower(Follower):
    """Knows of every thread of a run which template it is of."""

    def __init__(self, code: Code, system: TemplateSystem) -> None:
        self.code = code
        self.terms = code.program.terms
        self.system = system
        self.valuations = Valuations(code, wanted=self._wanted)
        self.positions: list[int] = []
        """Thread of the run -> the position of its template."""
        self.running: set[int] = set()
        """The places where threads were created that no loop has joined since."""
        self.blocks: dict[int, int] = {}
        """The number of a heap block -> that of the block of the system that it is."""
        self.state = code.initial()
        self.values: dict[Term, AnyValue] = {}

    def _wanted(self, number: int) -> Sequence[int]:
        """The cells of an object that are variables of the system."""
        local = self.code.program.local_slot(number)
        number = self.blocks.get(number, number)
        return self._variables.get((None, number) if local is None else (local[1], None), ())

    @cached_property
    def _variables(self) -> dict[tuple[int | None, int | None], list[int]]:
        """The slot of local objects, or the number of another one -> the cells that are variables."""
        found: dict[tuple[int | None, int | None], dict[int, None]] = {}
        own = (v for position in range(1, self.system.size) for v in self.system.own(position))
        for variable in (*self.system.shared, *own):
            role = self.terms.symbol(variable)
            if isinstance(role, CellRole):
                local = self.code.program.local_slot(role.number)
                key = (None, role.number) if local is None else (local[1], None)
                found.setdefault(key, {})[role.index] = None
        return {key: list(indices) for key, indices in found.items()}

    def speaks_of(self, location: int) -> bool:
        """Steps of templates run through stops where no other thread needs a turn."""
        return location in self.code.stops and location not in self.system.quiet

    def start(self, state: State) -> str | None:
        """Main alone."""
        self.positions, self.running, self.blocks = [MAIN], set(), {}
        self.state, self.values = state, self.valuations.of(state)
        return self.judge(state)

    def step(self, thread: int, edges: Sequence[Edge], state: State | None) -> str | None:
        """As the system has it."""
        if state is None:
            return None
        self.follow(thread, edges, state)
        return self.judge(state)

    def follow(self, thread: int, edges: Sequence[Edge], state: State) -> None:
        """Remember which threads are created, and which blocks are made."""
        base = self.code.program.pointers.heap_base
        made = [number for number in state.blocks if number >= base and number not in self.blocks]
        at = self.positions[thread]
        self.blocks |= {n: self.system.blocks[at, state.blocks[n].site] for n in made}
        self.state, self.values = state, self.valuations.of(state)
        created = [self.system.created_by(edge) for edge in edges if isinstance(edge.instruction, Create)]
        self.positions += [template.position for template in created]
        for edge in edges:
            if isinstance(edge.instruction, Create):
                self.running.add(edge.source)
            self.running -= {loop.create for loop in self.system.join_loops if edge is loop.done}

    def present(self) -> dict[int, int | None]:
        """Main, and those of the threads of single templates that were created."""
        singles = {template.position for template in self.system.singles}
        found: dict[int, int | None] = {p: t for t, p in enumerate(self.positions) if p in singles}
        return found | {MAIN: MAIN}

    def value(self, variable: Term, threads: Threads) -> AnyValue | None:
        """What a variable of the templates is in the state; None if that is not decided."""
        role, program = self.terms.symbol(variable), self.code.program
        match role:
            case LocationRole(thread=position):
                return self.place(threads.get(position)) & 0xFFFF_FFFF
            case RunningRole(site=site):
                return site in self.running
            case HandleRole(thread=position):
                thread = threads.get(position)
                return None if thread is None else thread + 1
            case ThreadRole(thread=position):
                thread = threads.get(position)
                if thread is None:
                    return ABSENT if isinstance(role, StatusRole) else None
                return self._numbered(self.terms.var(replace(role, thread=thread), self.terms.sort(variable)))
            case ObjectRole(number=number) if (local := program.local_slot(number)) is not None:
                thread = local[0] if self.system.has_ids else threads.get(local[0])
                if thread is None:
                    return None
                moved = replace(role, number=program.local_number(thread, local[1]))
                return self._numbered(self.terms.var(moved, self.terms.sort(variable)))
            case ObjectRole(number=number) if number >= program.pointers.heap_base:
                made = next((concrete for concrete, block in self.blocks.items() if block == number), None)
                if made is None:
                    return False if isinstance(role, AliveRole) else None
                return self._numbered(self.terms.var(replace(role, number=made), self.terms.sort(variable)))
        return self._numbered(variable)

    def _numbered(self, variable: Term) -> AnyValue | None:
        """The value of a variable, with the numbers that blocks have in the system."""
        value, pointers = self.values.get(variable), self.code.program.pointers
        if not self.blocks or type(value) is not int or value >> pointers.width:
            return value
        block = self.blocks.get(pointers.number(value))
        return value if block is None else pointers.address(block, pointers.offset(value))

    def place(self, thread: int | None) -> int:
        """Where a thread is."""
        if thread is None:
            return ABSENT_AT
        at = self.state.threads[thread]
        return EXITED_AT if is_ended(at) else location_of(at)
