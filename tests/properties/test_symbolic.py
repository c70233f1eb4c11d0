"""The symbolic step is the concrete step: checked edge by edge along random runs.

A run of the reference interpreter is recorded with the memory after every edge. For each edge, the values
before it make the guard true and give, through the updates, exactly the values after it; edges that were
not possible have a false guard, and blocked ones say that they wait.
"""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.base.errors import GaveUpError
from sley.base.persistent import PersistentTable, items
from sley.frontend.load import load
from sley.logic.arrays import ArrayValue
from sley.logic.operators import AnyValue
from sley.logic.sorts import ArraySort, BoolSort, FloatSort, Sort
from sley.logic.terms import Term
from sley.passes.inline import InlineOptions
from sley.passes.pipeline import prepare
from sley.program.instructions import (
    Allocate,
    Assume,
    Await,
    CallUnmodelled,
    Create,
    End,
    FaultTest,
    Free,
    GiveUp,
    Join,
    Load,
    Lock,
    Register,
    Store,
    Unlock,
    Update,
)
from sley.program.program import Edge, Program
from sley.semantics.code import Code
from sley.semantics.memory import Choice, StepMemory
from sley.semantics.state import CUT, OVER, Block, CellValue, State, ThreadState, is_ended
from sley.semantics.step import Happening, Interpreter
from sley.semantics.symbolic import Hints, SymbolicEffect, effect_of
from sley.semantics.symbolic_memory import AccessTarget, elements
from sley.semantics.valuation import Valuations
from sley.semantics.values import NeedsSplitError, Undetermined
from sley.semantics.vocabulary import ABSENT, HeapShape, Lifetime, Vocabulary
from tests.textual.parser import parse_program
from tests.unit.program.random_programs import random_program

PROGRAMS = Path(__file__).parents[1] / "programs"


@dataclass
class Snapshot:
    """The whole state between two edges."""

    cells: tuple[CellValue, ...]
    blocks: dict[int, Block]
    threads: list[ThreadState]
    detached: int
    registers: dict[Term, object]
    """Of the acting thread, by the variables of its function."""


@dataclass
class Recording:
    """One step: the memory before it, and after each of its edges."""

    thread: int
    start: Snapshot
    location: int
    edges: list[tuple[Edge, Snapshot]]
    outcome: ThreadState | None
    after: State | None


class Runner:
    """Runs steps of the reference interpreter with random choices."""

    def __init__(self, program: Program, rng: random.Random) -> None:
        self.code = Code(program)
        self.interpreter = Interpreter(self.code)
        self.rng = rng

    def step(self, state: State, thread: int) -> Recording:
        """One step, with every choice made at random (so that no value is undetermined)."""
        choices: list[Choice] = []
        while True:
            memory = self.interpreter.memory(state, thread, tuple(choices))
            edges: list[tuple[Edge, Snapshot]] = []

            def listen(
                happening: Happening,
                memory: StepMemory = memory,
                edges: list[tuple[Edge, Snapshot]] = edges,
            ) -> None:
                edges.append((happening.edge, _snapshot(memory, happening.registers)))

            outcome: ThreadState | None = None
            is_split = False
            try:
                outcome = self.interpreter.step(memory, listen)
            except NeedsSplitError:
                is_split = True
            if len(memory.taken) > len(choices):
                choices.append(self._decision(*memory.taken[len(choices)]))
                continue
            assert not is_split
            start = _snapshot(self.interpreter.memory(state, thread), {})
            after = None if outcome is None or outcome in OVER else memory.freeze(outcome)
            return Recording(thread, start, state.threads[thread][0], edges, outcome, after)

    def _decision(self, choice: Choice, alternatives: int) -> Choice:
        if not isinstance(choice, Undetermined):
            return self.rng.randrange(alternatives)
        low, high = self.rng.choice(choice.ranges)
        return self.rng.choice(
            [low, high, self.rng.randint(low, min(high, low + 5)), self.rng.randint(low, high)]
        )


def _snapshot(memory: StepMemory, registers: dict[Term, object]) -> Snapshot:
    return Snapshot(
        tuple(memory.cells), dict(memory.blocks), list(memory.threads), memory.detached, dict(registers)
    )


class Checker:
    """Compares the effects of edges with what the interpreter did."""

    def __init__(self, code: Code, rng: random.Random, most_cells: int | None = None) -> None:
        self.code = code
        self.rng = rng
        self.most_cells = most_cells
        self.functions = [code.program.entry]
        self.valuations = Valuations(code, most_cells)
        self.checked = 0

    def check(self, recording: Recording) -> None:
        """Every edge of a step, and why it ended where it did."""
        thread, before = recording.thread, recording.start
        before.registers = self._entry_registers(recording)
        location = recording.location
        for position, (edge, after) in enumerate(recording.edges):
            is_last = position == len(recording.edges) - 1
            if is_last and recording.after is not None:
                after = self._final(recording, after)  # Exit is told before it happens
            self._check_edge(thread, edge, before, after)
            self._check_siblings(thread, edge, before)
            before, location = after, edge.target
        if recording.outcome is None or recording.outcome is CUT:
            self._check_stuck(thread, location, before, is_blocked=recording.outcome is None)

    def _entry_registers(self, recording: Recording) -> dict[Term, object]:
        _, *values = recording.start.threads[recording.thread]
        live = self.code.live[recording.location]
        return {register.term: value for register, value in zip(live, values, strict=True)}

    def _final(self, recording: Recording, last: Snapshot) -> Snapshot:
        state = recording.after
        assert state is not None
        blocks = dict(state.blocks)
        return Snapshot(tuple(state.cells), blocks, list(state.threads), state.detached, last.registers)

    # --- one edge -------------------------------------------------------------------------------------

    def _check_edge(self, thread: int, edge: Edge, before: Snapshot, after: Snapshot) -> None:
        if isinstance(edge.instruction, Create):
            self.functions.append(edge.instruction.function)
        vocabulary = self._vocabulary(before, after)
        fresh = _FreshNames(vocabulary)
        hints = self._hints(vocabulary, edge, before, after)
        effect = effect_of(vocabulary, thread, edge, fresh, hints)
        old = self._values(vocabulary, thread, before)
        new = self._values(vocabulary, thread, after)
        # a cell that nobody has read yet is what it turns out to be; nothing else may borrow from the future
        cells = {c for i in vocabulary.instances.values() for c in vocabulary.contents(i)}
        known = {v: _either(vocabulary, v, old[v], new[v] if v in cells else None) for v in old}
        if self._is_true(effect.unknown, known):
            self._check_elsewhere(vocabulary, thread, edge, hints, known)
            return
        assert self._is_true(effect.guard, known), edge.instruction
        assert effect.is_end == isinstance(edge.instruction, End)
        if not (isinstance(edge.instruction, Await) and edge.instruction.is_spurious):
            assert not self._is_true(effect.waits, known), edge.instruction
        if not effect.is_end:
            self._check_updates(vocabulary, effect, known, new, fresh)
        self.checked += 1

    def _check_updates(
        self,
        vocabulary: Vocabulary,
        effect: SymbolicEffect,
        known: dict[Term, AnyValue],
        new: dict[Term, AnyValue | None],
        fresh: "_FreshNames",
    ) -> None:
        values = dict(known)
        for variable, term in effect.updates.items():
            if term in fresh.made:
                values[term] = _either(vocabulary, term, new[variable], None)
        assert set(effect.updates) <= set(known)
        for variable, expected in new.items():
            if expected is not None:
                t, term = vocabulary.terms, effect.updates.get(variable, variable)
                for part, wanted in _parts(vocabulary, term, expected):
                    assert t.evaluate(part, values) == wanted, t.name(variable)

    def _check_elsewhere(
        self, vocabulary: Vocabulary, thread: int, edge: Edge, hints: Hints, known: dict[Term, AnyValue]
    ) -> None:
        """The interpreter went, or was wrong to go, where no target was."""
        instruction = edge.instruction.of if isinstance(edge.instruction, FaultTest) else edge.instruction
        if isinstance(instruction, GiveUp):
            return
        assert isinstance(instruction, Load | Store | Update | Lock | Unlock | Free), instruction
        if isinstance(instruction, Load | Update) and isinstance(instruction.access.sort, FloatSort):
            return  # or read a NaN that terms do not have
        address = instruction.address if isinstance(instruction, Free) else instruction.access.address
        pointer = vocabulary.terms.evaluate(vocabulary.instantiated(thread, address), known)
        assert isinstance(pointer, int)
        place = AccessTarget(vocabulary.pointers.number(pointer), vocabulary.pointers.offset(pointer))
        instance = vocabulary.instances[place.number]
        if hints.targets is not None:
            assert place not in hints.targets
        else:
            assert not isinstance(instruction, Free)
            assert instance.table.index(place.offset, instruction.access.size) is None

    def _check_siblings(self, thread: int, edge: Edge, before: Snapshot) -> None:
        """Beside an instruction that was right its fault is impossible, and the other way round."""
        for sibling in self.code.out[edge.source]:
            if sibling is not edge and not isinstance(sibling.instruction, Assume):
                self._check_impossible(thread, sibling, before)

    def _check_stuck(self, thread: int, location: int, before: Snapshot, *, is_blocked: bool) -> None:
        for edge in self.code.out.get(location, ()):
            effect, known = self._check_impossible(thread, edge, before)
            if not isinstance(edge.instruction, Assume):
                is_waiting = isinstance(edge.instruction, Lock | Join | Await)
                assert self._is_true(effect.waits, known) == (is_blocked and is_waiting), edge.instruction

    def _check_impossible(
        self, thread: int, edge: Edge, before: Snapshot
    ) -> tuple[SymbolicEffect, dict[Term, AnyValue]]:
        vocabulary = self._vocabulary(before, before)
        effect = effect_of(vocabulary, thread, edge, _FreshNames(vocabulary), Hints(targets=None))
        values = self._values(vocabulary, thread, before)
        known = {v: _either(vocabulary, v, value, None) for v, value in values.items()}
        assert not self._is_true(effect.guard, known), edge.instruction
        self.checked += 1
        return effect, known

    def _is_true(self, term: Term, known: dict[Term, AnyValue]) -> bool:
        return self.code.program.terms.evaluate(term, known) is True

    # --- what the caller of the symbolic step knows ------------------------------------------------------

    def _vocabulary(self, before: Snapshot, after: Snapshot) -> Vocabulary:
        layouts, base = self.code.memory_map.layouts, self.code.memory_map.heap_base
        heap = {
            number: HeapShape(layouts[block.layout].layout, block.size)
            for number, block in sorted((before.blocks | after.blocks).items())
            if number >= base
        }
        return Vocabulary(self.code, self.functions, heap, self.most_cells)

    def _hints(self, vocabulary: Vocabulary, edge: Edge, before: Snapshot, after: Snapshot) -> Hints:
        block = next((number for number in after.blocks if self._is_new(number, before, after)), None)
        scrambled = [
            n for n, i in vocabulary.instances.items() if i.kind is not Lifetime.HEAP or n in before.blocks
        ]
        changed = [n for n in scrambled if self._cells(n, before) != self._cells(n, after)]
        return Hints(
            targets=self._targets(vocabulary),
            block=block,
            thread=len(after.threads) - 1 if isinstance(edge.instruction, Create) else None,
            scrambled=changed if isinstance(edge.instruction, CallUnmodelled) else (),
        )

    def _is_new(self, number: int, before: Snapshot, after: Snapshot) -> bool:
        return number >= self.code.memory_map.heap_base and number not in before.blocks

    def _targets(self, vocabulary: Vocabulary) -> list[AccessTarget] | None:
        """Sometimes the default, sometimes every byte of every object, sometimes only some."""
        way = self.rng.randrange(4)
        if way < 2:
            return None
        instances = list(vocabulary.instances.values())
        if way == 3:
            instances = self.rng.sample(instances, self.rng.randrange(len(instances) + 1))
        sizes = (1, 2, 4, 8) if self.rng.random() < 0.5 else ()
        evenly = [target for i in instances if i.is_array for size in sizes for target in elements(i, size)]
        return evenly + [
            AccessTarget(i.number, offset) for i in instances for offset in range(min(i.capacity, 40))
        ]

    # --- concrete values for the variables ----------------------------------------------------------------

    def _cells(self, number: int, snapshot: Snapshot) -> tuple[CellValue, ...]:
        flat = self.code.memory_map.flat.get(number)
        if flat is not None:
            first, table, size, _ = flat
            return snapshot.cells[first : first + table.layout.count(size)]
        block = snapshot.blocks.get(number)
        return () if block is None else tuple(block.cells)

    def _values(self, vocabulary: Vocabulary, thread: int, at: Snapshot) -> dict[Term, AnyValue | None]:
        """The value of every variable; None where the interpreter has not decided it."""
        state = State(at.cells, PersistentTable(at.blocks.items()), items(at.threads), at.detached)
        known = self.valuations.of(state)
        values: dict[Term, AnyValue | None] = {v: known.get(v) for v in vocabulary.variables}
        for instance in vocabulary.instances.values():
            if instance.kind is not Lifetime.GLOBAL:
                values[vocabulary.alive(instance)] = instance.number in at.blocks
        for number in range(len(at.threads), len(vocabulary.threads)):
            values[vocabulary.status(number)] = ABSENT
            values[vocabulary.detached(number)] = False
        if not is_ended(at.threads[thread]):  # it may be on its way
            for register in vocabulary.threads[thread].registers:
                value = at.registers.get(register.term)
                assert value is None or isinstance(value, int)
                is_truth = isinstance(register.sort, BoolSort) and value is not None
                values[vocabulary.register(thread, register)] = bool(value) if is_truth else value
        return values


def _either(
    vocabulary: Vocabulary, variable: Term, value: AnyValue | None, other: AnyValue | None
) -> AnyValue:
    """The value; where it was not decided, what it turned out to be, or anything."""
    if isinstance(vocabulary.terms.sort(variable), ArraySort):
        decided = [pair for one in (other, value) if isinstance(one, ArrayValue) for pair in one.others]
        return ArrayValue.of(77, decided)
    found = other if value is None else value
    return found if found is not None else not vocabulary.terms.is_boolean(variable) and 77


def _parts(vocabulary: Vocabulary, term: Term, value: AnyValue) -> list[tuple[Term, AnyValue]]:
    """The term with its value; of an array the elements that are decided."""
    if not isinstance(value, ArrayValue):
        return [(term, value)]
    t, bits = vocabulary.terms, vocabulary.pointers.offset_bits
    return [(t.select(term, t.bv(offset, bits)), element) for offset, element in value.others]


class _FreshNames:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self.terms = vocabulary.terms
        self.made: dict[Term, str] = {}

    def __call__(self, sort: Sort, text: str) -> Term:
        made = self.terms.var(f"fresh!{len(self.made)}", sort)
        self.made[made] = text
        return made


def walk(program: Program, seed: int, steps: int) -> int:
    """A random run of that many steps, every edge checked; how many edges were."""
    rng = random.Random(seed)
    runner = Runner(program, rng)
    checker = Checker(runner.code, rng, rng.choice([None, 0, 3]))
    state = runner.code.initial()
    for _ in range(steps):
        able = [t for t, at in enumerate(state.threads) if not is_ended(at) and at[0] in runner.code.out]
        if not able:
            break
        try:
            recording = runner.step(state, rng.choice(able))
        except GaveUpError:
            break
        checker.check(recording)
        if recording.outcome in OVER:
            break
        if recording.after is not None:
            state = recording.after
    return checker.checked


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_random_programs(seed: int) -> None:
    inlining = InlineOptions(recursion_bound=1)
    walk(prepare(random_program(seed), inlining=inlining), seed, steps=40)


def is_long(path: Path) -> bool:
    """Whether states have very many values."""
    return path.stem == "variable_length_arrays" or path.parent.name == "many_threads"


C_PROGRAMS = [
    pytest.param(
        path,
        marks=(pytest.mark.long,) if is_long(path) else (),
        id=f"{path.parent.name}/{path.stem}",
    )
    for path in sorted(PROGRAMS.glob("*/*.c"))[::9]
    if path.parent.name != "entry"  # these have no main
    and path.stem != "large_local_never_written"  # whose first step needs all values of an input
]


@pytest.mark.parametrize("path", C_PROGRAMS)
def test_c_programs(path: Path) -> None:
    program = prepare(load([path]))
    assert walk(program, 1, steps=60) + walk(program, 2, steps=60) > 0


EVERYTHING = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern int unmodelled(int *p);

struct node { char tag; int value; struct node *next; };
union word { unsigned whole; unsigned char bytes[4]; float real; };

__thread int own = 7;
int numbers[5] = {1, 2, 3, 4, 5};
union word shared;
struct node *head;

static void *work(void *argument)
{
    int local[3] = {0, 1, 2};
    long index = (long)argument;
    own += local[index % 3];
    numbers[(index + own) % 5] = own;
    shared.bytes[index & 3] = 0x40;
    struct node *node = malloc(sizeof *node);
    node->value = numbers[index % 5];
    node->next = head;
    head = node;
    return (void *)(long)(own + node->value);
}

int main(void)
{
    pthread_t first, second;
    void *result;
    int *pointer = &numbers[2];
    float scale = 1.5f;
    pthread_create(&first, 0, work, (void *)1);
    pthread_create(&second, 0, work, (void *)2);
    pthread_detach(second);
    shared.real = scale * numbers[0];
    scale = shared.real;
    memcpy(&numbers[3], pointer, sizeof(int));
    pthread_join(first, &result);
    struct node copy = *head;
    numbers[copy.value & 3] = (int)(long)result + own;
    unmodelled(pointer);
    free(head);
    return *pointer;
}
"""


@pytest.mark.parametrize("seed", range(6))
def test_every_kind_of_access(tmp_path: Path, seed: int) -> None:
    source = tmp_path / "everything.c"
    source.write_text(EVERYTHING)
    assert walk(prepare(load([source])), seed, steps=200) > 50


SCRAMBLED = """program lp64
global x : i32 = 5
global p : i64 pointer = 0
global y : i32 = 6
thread main() -> i32 {
  reg t : i32
  reg u : i32
  entry 0 exit 6
  0 -> 1 : store p, &x
  1 -> 2 : call_unmodelled t, f(&p)
  2 -> 3 : load u, x
  3 -> 4 : store y, (bvadd t u)
  4 -> 6 : end return
}
"""


def test_unmodelled_functions_change_what_they_reach() -> None:
    """All five edges are checked wherever the random targets include what is accessed."""
    assert max(walk(parse_program(SCRAMBLED), seed, steps=10) for seed in range(8)) == 5


DETACHED = """program lp64
thread main() -> i32 {
  reg h : i64
  reg r : i64
  entry 0 exit 6
  0 -> 1 : create h, worker()
  1 -> 2 : detach h
  2 -> 3 : join r, h
  2 -> 9 : fault join r, h
  3 -> 6 : end return
  error 9 : misuse join-detached "joined though detached"
}
thread worker() -> i64 {
  entry 20 exit 22
  20 -> 21 : fence seq_cst full
  21 -> 22 : exit 4:i64
}
"""


@pytest.mark.parametrize("seed", range(8))
def test_a_detached_thread_cannot_be_joined(seed: int) -> None:
    """Neither while it runs, when a join would otherwise wait, nor after its end."""
    assert walk(parse_program(DETACHED), seed, steps=12) > 3


BYTES = """program lp64
global bytes : [4 x i8] = {0: 0x11, 1: 0x22, 2: 0x33, 3: 0x44}
global fixed : i32 = 9 readonly
thread main() -> i32 {
  reg t : i32
  reg p : i64
  entry 0 exit 6
  0 -> 1 : load t, bytes
  1 -> 2 : store bytes, (bvadd t 1:i32)
  2 -> 3 : p := &fixed
  3 -> 4 : load t, *p
  4 -> 5 : store *p, 1:i32
  4 -> 9 : fault store *p, 1:i32
  5 -> 6 : end return
  error 9 : deref read-only "written"
}
"""


def test_words_of_bytes_and_constants() -> None:
    """A read over four cells, a write over them, and a write to what is read-only."""
    assert max(walk(parse_program(BYTES), seed, steps=10) for seed in range(8)) >= 5


DEAD = """program lp64
thread main() -> i32 {
  local box : i32
  reg t : i32
  reg p : i64
  entry 0 exit 6
  0 -> 1 : enter box
  1 -> 2 : p := &box
  2 -> 3 : store *p, 4:i32
  3 -> 4 : leave box
  4 -> 5 : load t, *p
  4 -> 9 : fault load t, *p
  5 -> 6 : end return
  error 9 : deref invalid-dereference "dead"
}
"""


def test_dead_objects_are_not_accessed() -> None:
    """After its life the fault is possible and the load is not, whatever the targets say."""
    assert max(walk(parse_program(DEAD), seed, steps=10) for seed in range(4)) >= 6


ALLOCATION = """program lp64
thread main() -> i32 {
  reg p : i64
  reg n : i64
  entry 0 exit 3
  0 -> 1 : n := 8:i64
  1 -> 2 : allocate p, n, i32
  2 -> 3 : end return
}
"""


def test_an_allocation_needs_a_dead_block_that_is_large_enough() -> None:
    program = parse_program(ALLOCATION)
    code, t = Code(program), program.terms
    edge = code.out[1][0]
    assert isinstance(edge.instruction, Allocate)
    number = code.memory_map.heap_base
    vocabulary = Vocabulary(code, ["main"], {number: HeapShape(edge.instruction.layout, 8)})
    effect = effect_of(vocabulary, 0, edge, _FreshNames(vocabulary), Hints(block=number))
    alive = vocabulary.alive(vocabulary.instances[number])
    assert effect.guard == t.not_(alive)
    size = vocabulary.register(0, _register_named(program, "n"))
    assert t.evaluate(effect.unknown, {size: 8}) is False
    assert t.evaluate(effect.unknown, {size: 9}) is True


def _register_named(program: Program, name: str) -> Register:
    return next(r for r in program.functions["main"].registers if r.name == name)
