"""Random litmus programs for machines, and what they can read by definition: all candidate executions.

An operation may depend on the last read of its thread: by its address, by what it writes, or by a branch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from random import Random

from sley.logic.sorts import bitvec
from sley.logic.terms import Terms
from sley.program.compiled_orders import barriers_of, tags_of
from sley.program.instructions import Access, Barrier, Load, MemoryOrder, Register, Store, Update
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.semantics.hardware import INITIAL, Event, Execution, is_allowed
from tests.textual.parser import parse_program

Outcome = tuple[tuple[int, ...], ...]
"""What the reads of each thread get."""


@dataclass(frozen=True, slots=True)
class Operation:
    """``R``, ``W``, ``U`` (update), ``F`` (fence), or ``S``: a section that reads one place, writes one."""

    kind: str
    place: str = ""
    value: int = 0
    order: MemoryOrder = MemoryOrder.PLAIN
    barrier: Barrier = Barrier.FULL
    expected: int | None = None
    """Of an update that succeeds only where it finds this."""
    depends: str = ""
    """``addr``, ``data`` or ``ctrl``: how it depends on the last read, if there is one."""
    when: int | None = None
    """It is done only if the last read got this."""

    @property
    def reads(self) -> bool:
        return self.kind in "RUS"

    @property
    def written(self) -> str:
        return "xy".replace(self.place, "") if self.kind == "S" else self.place


Threads = tuple[tuple[Operation, ...], ...]


def random_machine(seed: int, most: int = 6, *, is_full: bool = False) -> Threads:
    """Two to four threads, mostly with barriers and dependencies that just suffice, or just do not.

    The full kind also has atomic sections, and operations that are done on a condition.
    """
    random = Random(seed)
    count = random.choice((2, 2, 2, 3, 3, 4))
    threads: list[list[Operation]] = [[] for _ in range(count)]
    barriers = random.sample(list(Barrier), 2)
    for i in range(random.randint(count + 1, max(most, count + 1))):
        thread = threads[i % count if random.random() < 0.7 else random.randrange(count)]
        if thread and random.random() < 0.4:
            thread.append(_maybe(random, Operation("F", barrier=random.choice(barriers)), is_full=is_full))
        operation = _operation(random)
        if is_full and random.random() < 0.25:
            operation = Operation("S", random.choice("xy"), random.choice((1, 2)))
        thread.append(_maybe(random, operation, is_full=is_full))
    return tuple(map(tuple, threads))


def _maybe(random: Random, operation: Operation, *, is_full: bool) -> Operation:
    is_conditional = is_full and random.random() < 0.3
    return replace(operation, when=random.choice((0, 1)), depends="") if is_conditional else operation


def _operation(random: Random) -> Operation:
    kind, place, value = random.choice("RRRWWWU"), random.choice("xy"), random.choice((1, 2))
    order = random.choice((MemoryOrder.PLAIN, MemoryOrder.PLAIN, MemoryOrder.RELAXED, *_ORDERS[kind]))
    expected = None
    if kind == "U":
        order = MemoryOrder.RELAXED if order is MemoryOrder.PLAIN else order
        expected = random.choice((None, 0, 1))
    depends = random.choice(("", "", "addr", "ctrl", "data" if kind == "W" else "addr"))
    return Operation(kind, place, value, order, Barrier.FULL, expected, depends)


_ORDERS = {
    "R": (MemoryOrder.ACQUIRE, MemoryOrder.SEQUENTIAL),
    "W": (MemoryOrder.RELEASE, MemoryOrder.SEQUENTIAL),
    "U": (MemoryOrder.ACQUIRE, MemoryOrder.RELEASE, MemoryOrder.SEQUENTIAL),
}

# --- as a program -----------------------------------------------------------------------------------------


def program(threads: Threads, excluded: Outcome | None = None) -> Program:
    """The threads, and a main that starts them; each returns the digits that it has read.

    With an outcome that is said to be impossible, main joins all of them and checks that.
    """
    count = len(threads)
    lines = ["program lp64", *(f"global {name} : i64" for name in "xy"), "thread main() -> i64 {"]
    lines += [*(f"  reg t{i} : i64\n  reg v{i} : i64" for i in range(count)), "  entry 0 exit 99"]
    lines += [f"  {i} -> {i + 1} : create t{i}, t{i}()" for i in range(count)]
    last = count
    if excluded is not None:
        values = [int("".join(map(str, one)) or "0") for one in excluded]
        same = " ".join(f"(= v{i} {value}:i64)" for i, value in enumerate(values))
        lines += [f"  {count + i} -> {count + i + 1} : join v{i}, t{i}" for i in range(count)]
        last = 2 * count + 1
        lines.append(f'  {last - 1} -> {last} : check (not (and {same})), reach assertion "it can"')
    lines += [f"  {last} -> 99 : exit 0:i64", "}"]
    for number, thread in enumerate(threads):
        lines += _thread(100 * (number + 1), f"t{number}", thread)
    return parse_program("\n".join(lines) + "\n")


def _thread(start: int, name: str, thread: Sequence[Operation]) -> Iterator[str]:
    yield f"thread {name}() -> i64 {{"
    yield from (f"  reg r{i} : i64" for i in range(len(thread)))
    yield f"  entry {start} exit {start + 99}"
    digits, last = "0:i64", ""
    for i, operation in enumerate(thread):
        at, then = start + 5 * i, start + 5 * i + 5
        if operation.depends == "ctrl" and last:
            yield f"  {at} -> {at + 1} : assume (= {last} 0:i64)"
            yield f"  {at} -> {at + 1} : assume (not (= {last} 0:i64))"
            at += 1
        if operation.when is not None and last:
            yield f"  {at} -> {at + 1} : assume (= {last} {operation.when}:i64)"
            yield f"  {at} -> {then} : assume (not (= {last} {operation.when}:i64))"
            at += 1
        instructions = _instructions(operation, f"r{i}", last)
        for number, instruction in enumerate(instructions, 1):
            yield f"  {at} -> {then if number == len(instructions) else at + 1} : {instruction}"
            at += 1
        if operation.reads:
            digits = f"(bvadd (bvmul {digits} 10:i64) r{i})"
            last = "" if operation.when is not None else f"r{i}"
    yield f"  {start + 5 * len(thread)} -> {start + 99} : exit {digits}"
    yield "}"


def _instructions(operation: Operation, register: str, last: str) -> list[str]:
    if operation.kind != "S":
        return [_instruction(operation, register, last)]
    place, other = operation.place, operation.written
    load = f'load {register}, {place} "{place}"'
    return ["atomic_begin", load, f'store {other} "{other}", {operation.value}:i64', "atomic_end"]


def _instruction(operation: Operation, register: str, last: str) -> str:
    if operation.kind == "F":
        return f"fence relaxed {operation.barrier.value}"
    order = "" if operation.order is MemoryOrder.PLAIN else f" @{operation.order.value}"
    place = operation.place
    if operation.depends == "addr" and last:
        place = f"*(bvadd &{operation.place} (bvand {last} 64:i64)):i64"
    place += f'{order} "{operation.place}"'
    value = f"{operation.value}:i64"
    if operation.depends == "data" and last:
        value = f"(bvor {value} (bvand {last} 64:i64))"
    if operation.kind == "R":
        return f"load {register}, {place}"
    if operation.kind == "W":
        return f"store {place}, {value}"
    if operation.expected is None:
        return f"update {register}, {place}, {value}"
    is_equal = f"(= {register} {operation.expected}:i64)"
    return f"update {register}, {place}, (ite {is_equal} {value} {register}) if {is_equal} else relaxed"


# --- by definition ----------------------------------------------------------------------------------------


def defined_outcomes(threads: Threads, model: MemoryModel) -> set[Outcome]:
    """What is read in the executions that a machine allows."""
    found = set[Outcome]()
    operations = [((t, i), o) for t, thread in enumerate(threads) for i, o in enumerate(thread)]
    uncertain = [at for at, o in operations if o.expected is not None]
    conditional = [at for at, o in operations if o.when is not None]
    for flags in product((True, False), repeat=len(uncertain) + len(conditional)):
        failing = {at for at, is_so in zip(uncertain, flags, strict=False) if not is_so}
        left_out = {at for at, is_so in zip(conditional, flags[len(uncertain) :], strict=True) if not is_so}
        built = _Built(threads, model, failing, left_out)
        for execution in built.executions():
            outcome = built.outcome(execution)
            if outcome not in found and is_allowed(execution, model):
                found.add(outcome)
    return found


class _Built:
    """The events of threads in which certain updates fail, and certain operations are not done."""

    def __init__(
        self,
        threads: Threads,
        model: MemoryModel,
        failing: set[tuple[int, int]],
        left_out: set[tuple[int, int]],
    ) -> None:
        self.threads = threads
        self.model = model
        self.splits = model.splits_updates
        self.events = [Event(INITIAL, writes=frozenset(place)) for place in "xy"]
        self.written: dict[int, int] = {0: 0, 1: 0}
        self.expected: dict[int, tuple[int, bool]] = {}
        self.pairs: dict[str, list[tuple[int, int]]] = {k: [] for k in ("addr", "data", "ctrl", "rmw")}
        self.reads: list[list[int | None]] = []
        self.conditions: list[tuple[int, int, bool]] = []
        self.is_possible = True
        for number, thread in enumerate(threads):
            self.reads.append([])
            self.control: list[int] = []
            self.last: list[int] = []
            for i, operation in enumerate(thread):
                is_done = (number, i) not in left_out
                self._condition(operation, is_done=is_done)
                if is_done:
                    self._add(number, operation, is_success=(number, i) not in failing)
                elif operation.reads:
                    self.reads[number].append(None)
                    self.last = []

    def _condition(self, operation: Operation, *, is_done: bool) -> None:
        if operation.when is not None and self.last:
            self.conditions.append((self.last[0], operation.when, is_done))
            self.control += self.last
        elif not is_done:
            self.is_possible = False

    def _section(self, thread: int, operation: Operation) -> None:
        self._barrier(thread, Barrier.FULL)
        at = self._event(thread, operation.place, (), reads=True, writes=False)
        self.events[at] = replace(self.events[at], writes=frozenset(operation.written))
        self.written[at] = operation.value
        self._barrier(thread, Barrier.FULL)
        self._has_read(thread, at, operation)

    def _has_read(self, thread: int, event: int, operation: Operation) -> None:
        self.reads[thread].append(event)
        self.last = [] if operation.when is not None else [event]

    def _add(self, thread: int, operation: Operation, *, is_success: bool) -> None:
        if operation.kind == "F":
            self._barrier(thread, operation.barrier)
            return
        if operation.kind == "S":
            self._section(thread, operation)
            return
        last = self.last
        if operation.depends == "ctrl":
            self.control += last
        instruction = _accessing(operation)
        before, after = barriers_of(instruction, self.model)
        tags = tags_of(instruction, self.model)
        if before is not None:
            self._barrier(thread, before)
        writes = operation.kind == "W" or (operation.kind == "U" and is_success)
        is_split = self.splits and operation.kind == "U" and writes
        place = operation.place
        own = tags.read if is_split or not writes else (*tags.read, *tags.write)
        first = self._event(thread, place, own, reads=operation.reads, writes=writes and not is_split)
        self._depend(first, last, operation)
        if operation.reads:
            self._has_read(thread, first, operation)
        if operation.expected is not None:
            self.expected[first] = operation.expected, is_success
            self.control.append(first)
        second = first
        if is_split:
            second = self._event(thread, place, tags.write, reads=False, writes=True)
            self._depend(second, last, operation)
            self.pairs["rmw"].append((first, second))
            if operation.expected is not None:
                self.pairs["data"].append((first, second))
        if writes:
            self.written[second] = operation.value
        if after is Barrier.CONTROL:
            self.control.append(first)
        if after is not None:
            self._barrier(thread, after)

    def _depend(self, event: int, last: list[int], operation: Operation) -> None:
        if operation.depends in ("addr", "data"):
            self.pairs[operation.depends] += [(read, event) for read in last]

    def _event(self, thread: int, place: str, tags: Sequence[str], *, reads: bool, writes: bool) -> int:
        at = len(self.events)
        self.pairs["ctrl"] += [(read, at) for read in self.control]
        read, written = frozenset(place * reads), frozenset(place * writes)
        self.events.append(Event(thread, read, written, tags=frozenset(tags)))
        return at

    def _barrier(self, thread: int, barrier: Barrier) -> None:
        self.pairs["ctrl"] += [(read, len(self.events)) for read in self.control]
        self.events.append(Event(thread, barrier=barrier))

    def executions(self) -> Iterator[Execution]:
        """All candidates in which updates succeed as they should."""
        writes = {place: [n for n in self.written if place in self.events[n].writes] for place in "xy"}
        reads = [(n, place) for n, e in enumerate(self.events) for place in e.reads]
        orders = [[(first, *rest) for rest in permutations(others)] for first, *others in writes.values()]
        sources = [[w for w in writes[str(place)] if w != n and self._fits(n, w)] for n, place in reads]
        for chosen in product(*sources) if self.is_possible else ():
            values = {n: self.written[w] for (n, _), w in zip(reads, chosen, strict=True)}
            if any((values[n] == value) != is_so for n, value, is_so in self.conditions):
                continue
            for order in product(*orders):
                yield Execution(
                    self.events,
                    dict(zip(reads, chosen, strict=True)),
                    dict(zip(writes, order, strict=True)),
                    address_dependencies=self.pairs["addr"],
                    data_dependencies=self.pairs["data"],
                    control_dependencies=self.pairs["ctrl"],
                    updates=self.pairs["rmw"],
                )

    def _fits(self, read: int, write: int) -> bool:
        expected = self.expected.get(read)
        return expected is None or (self.written[write] == expected[0]) == expected[1]

    def outcome(self, execution: Execution) -> Outcome:
        """What reads get."""
        return tuple(tuple(0 if n is None else self._got(execution, n) for n in line) for line in self.reads)

    def _got(self, execution: Execution, read: int) -> int:
        return next(self.written[w] for (r, _), w in execution.reads_from.items() if r == read)


def _accessing(operation: Operation) -> Load | Store | Update:
    terms = Terms()
    one, sort = terms.bv(1, 64), bitvec(64)
    access, register = Access(one, sort, operation.order), Register("r", sort, terms.var("r", sort))
    if operation.kind == "U":
        return Update(register, access, one)
    return Load(register, access) if operation.kind == "R" else Store(access, one)
