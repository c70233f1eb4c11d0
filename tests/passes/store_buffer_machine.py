"""Random programs for machines with store buffers, and a simulator that shares nothing with the pass.

The simulator is the textbook: threads, queues, memory; every step of every thread, every flush at any time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from sley.program.instructions import Barrier, MemoryOrder
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from tests.textual.parser import parse_program

CELLS = ("x", "y", "a+0", "a+8")
ARRAY = (2, 3)
"""The positions of the array's cells."""

Outcome = tuple[tuple[int, ...], tuple[int, ...]]
"""What each thread has read, as the digits of a number, and what memory holds at the end."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation; in an array, the parity of what was read last (0 before that) chooses the cell."""

    kind: str
    """read, write, update, fence, lock, unlock, or wait: read until it is 1."""
    cell: int | None = None
    """None: some cell of the array."""
    value: int | None = None
    """None: what was read last."""
    order: MemoryOrder = MemoryOrder.PLAIN
    barrier: Barrier = Barrier.FULL


Threads = tuple[tuple[Operation, ...], ...]


def random_threads(seed: int) -> Threads:
    """Two or three threads with six operations or so; most of them on a cycle, with something in between."""
    random = Random(seed)
    count, has_array = random.choice((2, 2, 3)), random.random() < 0.4
    cells = random.sample((0, 1, 2, 3) if has_array or count == 3 else (0, 1), count)
    threads = [_on_cycle(random, cells[i], cells[(i + 1) % count]) for i in range(count)]
    for _ in range(random.randint(0, 3)):
        thread = random.choice(threads)
        thread.insert(random.randint(0, len(thread)), _operation(random, has_array=has_array))
    if random.random() < 0.2:
        for thread in threads[:2]:
            thread.append(Operation("unlock"))
            thread.insert(random.randrange(len(thread)), Operation("lock"))
    if random.random() < 0.15:
        threads[0].append(Operation("write", 0, 1))
        threads[1].insert(random.randint(0, len(threads[1])), Operation("wait", 0))
    if random.random() < 0.2:
        threads[1] = threads[0]
    return tuple(map(tuple, threads))


def _on_cycle(random: Random, first: int, second: int) -> list[Operation]:
    kinds = random.choice((("write", "read"), ("write", "read"), ("write", "write"), ("read", "read")))
    return [
        Operation(kind, cell, random.choice((1, 2)))
        for kind, cell in zip(kinds, (first, second), strict=True)
    ]


def _operation(random: Random, *, has_array: bool) -> Operation:
    kind = random.choice(("read", "read", "read", "write", "write", "write", "write", "update", "fence"))
    if kind == "fence":
        return Operation(kind, barrier=random.choice([b for b in Barrier if b is not Barrier.STORE_LOAD]))
    cell = random.choice((0, 1, 2, None) if has_array else (0, 1))
    value = random.choice((1, 2, 2, None))
    orders = (
        (MemoryOrder.RELEASE, MemoryOrder.SEQUENTIAL)
        if kind == "write"
        else (MemoryOrder.ACQUIRE, MemoryOrder.SEQUENTIAL)
    )
    order = random.choice(orders) if random.random() < 0.15 and cell is not None else MemoryOrder.PLAIN
    return Operation(kind, cell, value, MemoryOrder.SEQUENTIAL if kind == "update" else order)


# --- as a program -------------------------------------------------------------------------------------


def program(threads: Threads) -> Program:
    """A main that starts the threads, equal ones with one function; each returns the digits it has read."""
    count = len(threads)
    lines = ["program lp64", "global x : i64", "global y : i64", "global a : [2 x i64]", "global m : i32"]
    lines += ["thread main() -> i64 {", "  reg t : i64", f"  entry 0 exit {count + 1}"]
    lines += [f"  {i} -> {i + 1} : create t, t{threads.index(one)}()" for i, one in enumerate(threads)]
    lines += [f"  {count} -> {count + 1} : exit 0:i64", "}"]
    for number, thread in enumerate(dict.fromkeys(threads)):
        lines += _thread(100 * (number + 1), f"t{threads.index(thread)}", thread)
    return parse_program("\n".join(lines) + "\n")


def _thread(start: int, name: str, thread: tuple[Operation, ...]) -> Iterator[str]:
    yield f"thread {name}() -> i64 {{"
    yield from ("  reg last : i64", "  reg digits : i64")
    yield f"  entry {start} exit {start + 99}"
    yield f"  {start} -> {start + 1} : last := 0:i64, digits := 0:i64"
    at = start + 1
    for operation in thread:
        yield f"  {at} -> {at + 1} : {_instruction(operation)}"
        if operation.kind == "wait":
            yield f"  {at + 1} -> {at} : assume (not (= last 1:i64))"
            yield f"  {at + 1} -> {at + 2} : assume (= last 1:i64)"
        else:
            is_read = operation.kind in ("read", "update")
            new = "(bvadd (bvmul digits 10:i64) last)" if is_read else "digits"
            yield f"  {at + 1} -> {at + 2} : digits := {new}"
        at += 2
    yield f"  {at} -> {start + 99} : exit digits"
    yield "}"


def _instruction(operation: Operation) -> str:
    match operation.kind:
        case "fence":
            return f"fence relaxed {operation.barrier.value}"
        case "lock" | "unlock":
            return f"{operation.kind} m"
        case _:
            pass
    place = "*(bvadd &a (bvmul (bvand last 1:i64) 8:i64))"
    if operation.cell is not None:
        place = CELLS[operation.cell].removesuffix("+0")
    place += "" if operation.order is MemoryOrder.PLAIN else f" @{operation.order.value}"
    value = "last" if operation.value is None else f"{operation.value}:i64"
    match operation.kind:
        case "read" | "wait":
            return f"load last, {place}"
        case "write":
            return f"store {place}, {value}"
        case _:
            return f"update last, {place}, {operation.value or 3}:i64"


# --- as a machine ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _State:
    positions: tuple[int, ...]
    last: tuple[int, ...]
    digits: tuple[int, ...]
    queues: tuple[tuple[tuple[int, int], ...], ...]
    """Of each thread: cells and values; the cell -1 is a barrier between stores."""
    memory: tuple[int, ...]
    owner: int = -1
    """Of the mutex."""


def simulated(threads: Threads, model: MemoryModel, size: int) -> tuple[set[Outcome], bool]:
    """All outcomes, and whether more than ``size`` stores of a thread ever wait."""
    none = (0,) * len(threads)
    first = _State(none, none, none, ((),) * len(threads), (0, 0, 0, 0))
    seen, waiting = {first}, [first]
    outcomes: set[Outcome] = set()
    is_exceeded = False
    while waiting:
        state = waiting.pop()
        if all(p == len(t) for p, t in zip(state.positions, threads, strict=True)) and not any(state.queues):
            outcomes.add((state.digits, state.memory))
        for number in range(len(threads)):
            for after in (*_flushes(state, number, model), *_steps(state, number, threads[number], model)):
                stores = [cell for cell, _ in after.queues[number] if cell != -1]
                is_exceeded = is_exceeded or len(stores) > size
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return outcomes, is_exceeded


def _set(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _flushes(state: _State, number: int, model: MemoryModel) -> Iterator[_State]:
    queue = state.queues[number]
    for index, (cell, value) in enumerate(queue):
        older = {c for c, _ in queue[:index]}
        if cell == -1:
            if index == 0:
                yield _with_queue(state, number, queue[1:])
            return
        if cell not in older:
            rest = (*queue[:index], *queue[index + 1 :])
            after = _with_queue(state, number, rest)
            yield _State(
                after.positions,
                after.last,
                after.digits,
                after.queues,
                _set(state.memory, cell, value),
                state.owner,
            )
        if model is MemoryModel.TSO:
            return


def _with_queue(state: _State, number: int, queue: tuple[tuple[int, int], ...]) -> _State:
    queues = (*state.queues[:number], queue, *state.queues[number + 1 :])
    return _State(state.positions, state.last, state.digits, queues, state.memory, state.owner)


def _steps(state: _State, number: int, thread: tuple[Operation, ...], model: MemoryModel) -> Iterator[_State]:
    position = state.positions[number]
    if position == len(thread):
        return
    operation, queue, last = thread[position], state.queues[number], state.last[number]
    cell = ARRAY[last & 1] if operation.cell is None else operation.cell
    value = last if operation.value is None else operation.value
    is_pso = model is MemoryModel.PSO
    memory, owner, got = state.memory, state.owner, None
    match operation.kind:
        case "read" | "wait":
            own = [v for c, v in queue if c == cell]
            got = own[-1] if own else memory[cell]
        case "write":
            if is_pso and operation.order.releases:
                queue += ((-1, 0),)
            queue += ((cell, value),)
        case "fence":
            if operation.barrier is Barrier.FULL and queue:
                return
            if is_pso and operation.barrier in (Barrier.LIGHTWEIGHT, Barrier.STORES):
                queue += ((-1, 0),)
        case "update":
            if queue:
                return
            got, memory = memory[cell], _set(memory, cell, operation.value or 3)
        case "lock":
            if queue or owner != -1:
                return
            owner = number
        case _:
            if queue:
                return
            owner = -1
    digits = state.digits[number]
    if operation.kind in ("read", "update"):
        assert got is not None
        digits = 10 * digits + got
    if operation.kind == "wait" and got != 1:
        position -= 1
    if operation.kind == "write" and operation.order is MemoryOrder.SEQUENTIAL:
        yield from _drained(state, number, queue, position, model)
        return
    after = _with_queue(state, number, queue)
    yield _State(
        _set(state.positions, number, position + 1),
        _set(state.last, number, last if got is None else got),
        _set(state.digits, number, digits),
        after.queues,
        memory,
        owner,
    )


def _drained(
    state: _State, number: int, queue: tuple[tuple[int, int], ...], position: int, model: MemoryModel
) -> Iterator[_State]:
    """A store with a full barrier after it: what waits, and then itself, reach memory before all else."""
    if len(queue) > 1 + (queue[0][0] == -1):
        return  # what waits goes first
    memory = _set(state.memory, *queue[-1])
    after = _with_queue(state, number, ())
    yield _State(
        _set(state.positions, number, position + 1),
        state.last,
        state.digits,
        after.queues,
        memory,
        state.owner,
    )
