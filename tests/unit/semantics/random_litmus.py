"""Random litmus programs, and what they can read: by the machine, and by all candidate executions.

The second is the definition: every choice of rf and mo, filtered by the axioms; no machine takes part.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product
from random import Random

from sley.memory_models.evaluation import Evaluation
from sley.memory_models.model import bundled
from sley.program.instructions import Fence, MemoryOrder
from sley.program.program import Program
from sley.semantics.axioms import INITIAL, Event, Execution, Kind, is_consistent
from sley.semantics.history import History
from sley.semantics.machine import StateMachine
from sley.semantics.state import State, is_ended
from tests.textual.parser import parse_program

READS = (MemoryOrder.RELAXED, MemoryOrder.ACQUIRE, MemoryOrder.SEQUENTIAL)
WRITES = (MemoryOrder.RELAXED, MemoryOrder.RELEASE, MemoryOrder.SEQUENTIAL)
UPDATES = (
    MemoryOrder.RELAXED,
    MemoryOrder.ACQUIRE,
    MemoryOrder.RELEASE,
    MemoryOrder.ACQUIRE_RELEASE,
    MemoryOrder.SEQUENTIAL,
)
FENCES = (MemoryOrder.ACQUIRE, MemoryOrder.RELEASE, MemoryOrder.ACQUIRE_RELEASE, MemoryOrder.SEQUENTIAL)

Outcome = tuple[tuple[int, ...], ...]
"""What the reads of each thread get."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a litmus program; an update with ``expected`` is a compare-exchange."""

    kind: Kind
    order: MemoryOrder
    location: str = ""
    value: int = 0
    expected: int | None = None
    failure: MemoryOrder = MemoryOrder.RELAXED
    until: int | None = None
    """A loop: it is done again until it gets this value."""

    @property
    def reads(self) -> bool:
        """Whether it gets a value."""
        return self.kind in (Kind.READ, Kind.UPDATE)


LOCK = Operation(Kind.FENCE, MemoryOrder.PLAIN, value=1)
UNLOCK = Operation(Kind.FENCE, MemoryOrder.PLAIN, value=2)
"""Of the one mutex that there is."""

Threads = tuple[tuple[Operation, ...], ...]


def random_litmus(
    seed: int, most: int = 6, plain: str = "", *, has_lock: bool = False, has_loops: bool = False
) -> Threads:
    """Up to four threads with so many operations together; accesses to ``plain`` locations are not atomic.

    With a lock, two threads do something while they hold it; with loops, one thread waits until another has
    written to x, and two use a spin lock, with whatever orders.
    """
    random = Random(seed)
    count = random.choice((2, 2, 2, 3, 3, 4))
    threads: list[list[Operation]] = [[] for _ in range(count)]
    strong = random.random()
    fewest = 1 if has_loops else count + 1
    for _ in range(random.randint(fewest, max(most, fewest))):
        random.choice(threads).append(_operation(random, strong, plain))
    if has_loops:
        one, other = random.sample(threads, 2)
        one.insert(random.randint(0, len(one)), Operation(Kind.WRITE, random.choice(WRITES), "x", 1))
        waiting = Operation(Kind.READ, random.choice(READS), "x", until=1)
        other.insert(random.randint(0, len(other)), waiting)
        _spin_lock(random, random.sample(threads, 2))
    if has_lock:
        for thread in random.sample(threads, 2):
            start = random.randint(0, len(thread))
            thread.insert(random.randint(start, len(thread)), UNLOCK)
            thread.insert(start, LOCK)
    return tuple(tuple(thread) for thread in threads if thread)


def random_cycle(seed: int) -> Threads:
    """Threads each of which goes from one location to the next: the shapes that axioms forbid, or nearly.

    A third or so has fences between; some write twice, or have an update in a release sequence.
    """
    random = Random(seed)
    locations = "xyz"[: random.choice((2, 2, 3))]
    orders = random.choice(((MemoryOrder.SEQUENTIAL,), FENCES, FENCES, tuple(MemoryOrder)[1:]))
    threads = [
        [_access(random, at, orders), _access(random, locations[(i + 1) % len(locations)], orders)]
        for i, at in enumerate(locations)
    ]
    for thread in threads:
        if random.random() < 0.4:
            thread.insert(1, Operation(Kind.FENCE, random.choice(FENCES)))
        if random.random() < 0.2 and thread[-1].kind is Kind.WRITE:
            thread.append(Operation(Kind.WRITE, MemoryOrder.RELAXED, thread[-1].location, 2))
    for at in locations:
        writes = [o for thread in threads for o in thread if o.location == at and o.kind is not Kind.READ]
        if not writes:
            threads.append([Operation(Kind.WRITE, _fitting(random, orders, WRITES), at, 1)])
        elif random.random() < 0.15:
            threads.append([Operation(Kind.UPDATE, MemoryOrder.RELAXED, at, 3)])
    return tuple(map(tuple, threads))


def _access(random: Random, at: str, orders: Sequence[MemoryOrder]) -> Operation:
    kind = random.choice((Kind.READ, Kind.READ, Kind.READ, Kind.WRITE, Kind.WRITE, Kind.WRITE, Kind.UPDATE))
    fitting = {Kind.READ: READS, Kind.WRITE: WRITES}.get(kind, UPDATES)
    return Operation(kind, _fitting(random, orders, fitting), at, 1)


def _fitting(random: Random, orders: Sequence[MemoryOrder], fitting: Sequence[MemoryOrder]) -> MemoryOrder:
    found = [order for order in orders if order in fitting]
    return random.choice(found) if random.random() < 0.8 else MemoryOrder.RELAXED


def _spin_lock(random: Random, threads: Sequence[list[Operation]]) -> None:
    taking, giving = random.choice(UPDATES), random.choice(WRITES)
    for thread in threads:
        start = random.randint(0, len(thread))
        thread.insert(random.randint(start, len(thread)), Operation(Kind.WRITE, giving, "l", 0))
        thread.insert(start, Operation(Kind.UPDATE, taking, "l", 1, until=0))


def _operation(random: Random, strong: float, plain: str) -> Operation:
    def order(orders: Sequence[MemoryOrder]) -> MemoryOrder:
        return MemoryOrder.SEQUENTIAL if random.random() < strong / 2 else random.choice(orders)

    location, value = random.choice("xy" + plain), random.choice((1, 2))
    kind = random.choice(
        (Kind.READ, Kind.READ, Kind.READ, Kind.WRITE, Kind.WRITE, Kind.WRITE, Kind.UPDATE, Kind.FENCE)
    )
    if kind is Kind.FENCE:
        return Operation(kind, order(FENCES))
    if location in plain:
        return Operation(Kind.READ if kind is Kind.READ else Kind.WRITE, MemoryOrder.PLAIN, location, value)
    if kind is not Kind.UPDATE:
        return Operation(kind, order(READS if kind is Kind.READ else WRITES), location, value)
    expected = random.choice((None, 0, 1))
    return Operation(kind, order(UPDATES), location, value, expected, random.choice(READS))


# --- by the machine -------------------------------------------------------------------------------------


def program(threads: Threads) -> Program:
    """The threads, and a main that starts them; each returns the digits that it has read."""
    lines = [
        "program lp64",
        *(f"global {name} : i64" for name in "xyzl"),
        "global m : i32",
        "thread main() -> i64 {",
        "  reg t : i64",
    ]
    lines.append(f"  entry 0 exit {len(threads) + 1}")
    lines += [f"  {i} -> {i + 1} : create t, t{i}()" for i in range(len(threads))]
    lines += [f"  {len(threads)} -> {len(threads) + 1} : exit 0:i64", "}"]
    for number, thread in enumerate(threads):
        lines += _thread(100 * (number + 1), f"t{number}", thread)
    return parse_program("\n".join(lines) + "\n")


def _thread(start: int, name: str, thread: Sequence[Operation]) -> Iterator[str]:
    yield f"thread {name}() -> i64 {{"
    yield from (f"  reg r{i} : i64" for i in range(len(thread)))
    yield f"  entry {start} exit {start + 99}"
    digits = "0:i64"
    for i, operation in enumerate(thread):
        at, then = start + 2 * i, start + 2 * i + 2
        is_loop = operation.until is not None
        yield f"  {at} -> {at + 1 if is_loop else then} : {_instruction(operation, f'r{i}')}"
        if is_loop:
            is_done = f"(= r{i} {operation.until}:i64)"
            yield f"  {at + 1} -> {then} : assume {is_done}"
            yield f"  {at + 1} -> {at} : assume (not {is_done})"
        if operation.reads:
            digits = f"(bvadd (bvmul {digits} 10:i64) r{i})"
    yield f"  {start + 2 * len(thread)} -> {start + 99} : exit {digits}"
    yield "}"


def _instruction(operation: Operation, register: str) -> str:
    order = "" if operation.order is MemoryOrder.PLAIN else f" @{operation.order.value}"
    place = f'{operation.location}{order} "{operation.location}"'
    match operation.kind:
        case Kind.FENCE if operation.order is MemoryOrder.PLAIN:
            return "lock m" if operation == LOCK else "unlock m"
        case Kind.FENCE:
            return f"fence {operation.order.value} {Fence.of(operation.order).barrier.value}"
        case Kind.READ:
            return f"load {register}, {place}"
        case Kind.WRITE:
            return f"store {place}, {operation.value}:i64"
        case Kind.UPDATE if operation.expected is None:
            return f"update {register}, {place}, {operation.value}:i64"
        case Kind.UPDATE:
            is_equal = f"(= {register} {operation.expected}:i64)"
            new = f"(ite {is_equal} {operation.value}:i64 {register})"
            return f"update {register}, {place}, {new} if {is_equal} else {operation.failure.value}"


def machine_outcomes(threads: Threads) -> tuple[set[Outcome], bool]:
    """What the machine reads at the ends of runs, and whether it finds a race."""
    machine = StateMachine(program(threads), history=History())
    first = machine.initial()
    seen, waiting = {first: None}, [first]
    while waiting:
        state = waiting.pop()
        for thread in range(len(state.threads)):
            for successor in machine.successors(state, thread):
                if successor.state is not None and successor.state not in seen:
                    seen[successor.state] = None
                    waiting.append(successor.state)
    return outcomes(threads, seen)


def outcomes(threads: Threads, states: Iterable[State]) -> tuple[set[Outcome], bool]:
    """What was read in final states, and whether some state has a race."""
    found, has_race = set[Outcome](), False
    for state in states:
        assert state.history is not None
        if state.history.race is not None:
            has_race = True
        elif all(map(is_ended, state.threads)):
            values = [at[1] for at in state.threads[1:]]
            found.add(tuple(digits(v, t) for v, t in zip(values, threads, strict=True)))
    return found, has_race


def digits(value: int, thread: Sequence[Operation]) -> tuple[int, ...]:
    count = sum(operation.reads for operation in thread)
    return tuple(map(int, str(value).zfill(count)[-count:])) if count else ()


# --- by definition ----------------------------------------------------------------------------------------


def defined_outcomes(threads: Threads) -> tuple[set[Outcome], bool]:
    """What is read in consistent executions, and whether one of them has a race."""
    found, has_race = set[Outcome](), False
    for part in product(*(_until_loops(thread) for thread in threads)):
        for graph, outcome in _executions(part):
            if is_consistent(graph):
                if part == threads:
                    found.add(outcome)
                has_race = has_race or _has_race(graph)
    return found, has_race


def _until_loops(thread: tuple[Operation, ...]) -> list[tuple[Operation, ...]]:
    """The thread, and how far it gets if it never leaves a loop."""
    loops = [i for i, operation in enumerate(thread) if operation.until is not None]
    return [thread, *(thread[:i] for i in loops)]


def _executions(threads: Threads) -> Iterator[tuple[Execution, Outcome]]:
    operations = [(thread, operation) for thread, ops in enumerate(threads) for operation in ops]
    uncertain = [i for i, (_, o) in enumerate(operations) if o.expected is not None]
    for flags in product((True, False), repeat=len(uncertain)):
        success = dict(zip(uncertain, flags, strict=True))
        events = [_event(t, o, is_success=success.get(i, True)) for i, (t, o) in enumerate(operations)]
        locations = sorted({o.location for _, o in operations if o.location})
        events += [Event(INITIAL, Kind.WRITE, MemoryOrder.PLAIN, location, 0) for location in locations]
        writes = {at: [i for i, e in enumerate(events) if e.writes and e.location == at] for at in locations}
        readers = [i for i, e in enumerate(events) if e.reads]
        for sources in product(*([w for w in writes[str(events[i].location)] if w != i] for i in readers)):
            rf = dict(zip(readers, sources, strict=True))
            if any(
                (events[rf[i]].value == operations[i][1].expected) != is_so for i, is_so in success.items()
            ):
                continue
            if any(operations[i][1].until not in (None, events[write].value) for i, write in rf.items()):
                continue
            outcome = tuple(
                tuple(int(str(events[rf[i]].value)) for i in readers if events[i].thread == thread)
                for thread in range(len(threads))
            )
            for mo in product(*(_orders(writes[at], events) for at in locations)):
                for asw in _lock_orders([operation for _, operation in operations]):
                    yield Execution(events, rf, mo, asw), outcome


def _lock_orders(operations: Sequence[Operation]) -> Iterator[list[tuple[int, int]]]:
    """Who unlocks before whom, in each order of the critical sections."""
    locks = [i for i, operation in enumerate(operations) if operation == LOCK]
    unlocks = [i for i, operation in enumerate(operations) if operation == UNLOCK]
    for order in permutations(zip(locks, unlocks, strict=True)):
        yield [(before[1], after[0]) for before, after in pairwise(order)]


def _event(thread: int, operation: Operation, *, is_success: bool) -> Event:
    if not is_success:
        return Event(thread, Kind.READ, operation.failure, operation.location)
    return Event(thread, operation.kind, operation.order, operation.location or None, operation.value)


def _orders(writes: Sequence[int], events: Sequence[Event]) -> Iterator[tuple[int, ...]]:
    (initial,) = [i for i in writes if events[i].thread == INITIAL]
    for order in permutations([i for i in writes if i != initial]):
        yield (initial, *order)


def _has_race(graph: Execution) -> bool:
    hb = Evaluation(bundled("rc11"), graph).named("hb")
    for i, a in enumerate(graph.events):
        for j, b in enumerate(graph.events[:i]):
            is_conflict = a.location is not None and a.location == b.location and (a.writes or b.writes)
            is_plain = MemoryOrder.PLAIN in (a.order, b.order) and INITIAL not in (a.thread, b.thread)
            is_ordered = hb.rows[i] >> j & 1 or hb.rows[j] >> i & 1
            if is_conflict and is_plain and a.thread != b.thread and not is_ordered:
                return True
    return False
