"""Realistic traces, written by hand, for the tests of reports."""

from collections.abc import Sequence

from sley.base.source import Span
from sley.evidence.remarks import (
    Accesses,
    AccessKind,
    Awaited,
    Fact,
    Racing,
    Reliance,
    Unmodelled,
    Value,
    Waiting,
    Waits,
)
from sley.evidence.trace import EventKind, Fault, ScheduleStep, ThreadInfo, Trace, TraceEvent
from sley.program.program import CallSite, Origin
from sley.program.properties import ON, Failure, Property

MAIN = ThreadInfo(0, "main", "main")
WORKER_1 = ThreadInfo(1, "worker #1", "worker")
WORKER_2 = ThreadInfo(2, "worker #2", "worker")


def user(line: int, text: str, function: str = "main", file: str = "lost_update.c") -> Origin:
    return Origin(Span(file, line, 5), text, function)


def library(line: int, text: str, function: str = "main", file: str = "lost_update.c") -> Origin:
    """Inside a model that the user called as ``text``."""
    name = text.split("(")[0]
    site = CallSite(name, Span(file, line, 5), text, is_library=True)
    return Origin(Span("models/pthread.c", 1, 1), "inside", name, (site,), is_library=True)


def trace_of(
    failure: Failure,
    threads: Sequence[ThreadInfo],
    events: Sequence[tuple[int, EventKind, Origin, dict[str, object]]],
    facts: tuple[Fact, ...] = (),
    depends_on: tuple[Reliance, ...] = (),
    faults: tuple[Fault, ...] = (),
) -> Trace:
    made = tuple(
        TraceEvent(step, thread, kind, origin, **more)  # type: ignore[arg-type]
        for step, (thread, kind, origin, more) in enumerate(events)
    )
    schedule = tuple(ScheduleStep(event.thread) for event in made)
    made_by = failure, schedule, tuple(threads), made, made[-1].origin, facts, depends_on
    return Trace(*made_by, faults=faults)


def counter(value: int, old: int | None = None) -> dict[str, object]:
    changed = {} if old is None else {"old": str(old)}
    return {"target": "counter", "value": str(value), "is_shared": True, **changed}


def lost_update() -> Trace:
    read, write = user(7, "int tmp = counter;", "worker"), user(8, "counter = tmp + 1;", "worker")
    check = user(18, "assert(counter == 2);")
    tmp: dict[str, object] = {"target": "tmp", "value": "0"}
    return trace_of(
        Failure(Property.REACH, "assertion", "assertion can fail"),
        (MAIN, WORKER_1, WORKER_2),
        [
            (0, EventKind.CREATE, library(14, "pthread_create(&a, 0, worker, 0)"), {"target": "worker #1"}),
            (
                0,
                EventKind.WRITE,
                library(14, "pthread_create(&a, 0, worker, 0)"),
                {"target": "a", "value": "2"},
            ),
            (0, EventKind.CREATE, library(15, "pthread_create(&b, 0, worker, 0)"), {"target": "worker #2"}),
            (1, EventKind.READ, read, counter(0)),
            (1, EventKind.ASSIGN, read, tmp),
            (2, EventKind.READ, read, counter(0)),
            (2, EventKind.ASSIGN, read, tmp),
            (2, EventKind.WRITE, write, counter(1, 0)),
            (2, EventKind.EXIT, user(9, "return 0;", "worker"), {}),
            (1, EventKind.WRITE, write, counter(1, 1)),
            (1, EventKind.EXIT, user(9, "return 0;", "worker"), {}),
            (0, EventKind.JOIN, library(16, "pthread_join(a, 0)"), {"target": "worker #1"}),
            (0, EventKind.JOIN, library(17, "pthread_join(b, 0)"), {"target": "worker #2"}),
            (0, EventKind.READ, check, counter(1)),
            (0, EventKind.FAIL, check, {}),
        ],
        facts=(Value("counter", "1"),),
    )


def race() -> Trace:
    read, write = user(7, "int tmp = counter;", "worker"), user(8, "counter = tmp + 1;", "worker")
    return trace_of(
        Failure(Property.RACE, "data-race", "data race", "counter", ON),
        (MAIN, WORKER_1, WORKER_2),
        [
            (0, EventKind.CREATE, library(14, "pthread_create(&a, 0, worker, 0)"), {"target": "worker #1"}),
            (0, EventKind.CREATE, library(15, "pthread_create(&b, 0, worker, 0)"), {"target": "worker #2"}),
            (1, EventKind.READ, read, counter(0)),
            (1, EventKind.ASSIGN, read, {"target": "tmp", "value": "0"}),
            (1, EventKind.FAIL, write, {"note": Accesses(AccessKind.WRITE, "counter", is_atomic=False)}),
            (2, EventKind.FAIL, read, {"note": Accesses(AccessKind.READ, "counter", is_atomic=False)}),
        ],
        facts=(
            Racing(1, Accesses(AccessKind.WRITE, "counter", is_atomic=False), 8),
            Racing(2, Accesses(AccessKind.READ, "counter", is_atomic=False), 7),
        ),
    )


def deadlock() -> Trace:
    file = "deadlock.c"
    one, two = ThreadInfo(1, "deposit", "deposit"), ThreadInfo(2, "refund", "refund")
    return trace_of(
        Failure(Property.DEADLOCK, "deadlock", "deadlock: two threads wait for each other"),
        (MAIN, one, two),
        [
            (0, EventKind.CREATE, library(29, "pthread_create(&a, 0, deposit, 0)", file=file), {}),
            (0, EventKind.CREATE, library(30, "pthread_create(&b, 0, refund, 0)", file=file), {}),
            (1, EventKind.LOCK, library(8, "pthread_mutex_lock(&from)", "deposit", file), {"target": "from"}),
            (2, EventKind.LOCK, library(19, "pthread_mutex_lock(&to)", "refund", file), {"target": "to"}),
            (
                1,
                EventKind.FAIL,
                library(9, "pthread_mutex_lock(&to)", "deposit", file),
                {"target": "to", "note": Waits(Awaited.LOCK, "to", 2)},
            ),
            (
                2,
                EventKind.FAIL,
                library(20, "pthread_mutex_lock(&from)", "refund", file),
                {"target": "from", "note": Waits(Awaited.LOCK, "from", 1)},
            ),
            (
                0,
                EventKind.FAIL,
                library(31, "pthread_join(a, 0)", file=file),
                {"target": "deposit", "note": Waits(Awaited.END, holder=1)},
            ),
        ],
        facts=(
            Waiting(1, Waits(Awaited.LOCK, "to", 2), "pthread_mutex_lock(&to)", 9),
            Waiting(2, Waits(Awaited.LOCK, "from", 1), "pthread_mutex_lock(&from)", 20),
        ),
    )


def many_threads() -> Trace:
    workers = [ThreadInfo(n, f"worker #{n}", "worker") for n in range(1, 6)]
    write = user(8, "counter = counter + 1;", "worker")
    events: list[tuple[int, EventKind, Origin, dict[str, object]]] = [
        (0, EventKind.CREATE, library(14, "pthread_create(&t[i], 0, worker, 0)"), {"target": w.name})
        for w in workers
    ]
    for w in workers:
        events += [
            (w.id, EventKind.READ, write, counter(w.id - 1)),
            (w.id, EventKind.WRITE, write, counter(w.id, w.id - 1)),
        ]
    events += [
        (0, EventKind.READ, user(18, "assert(counter == 4);"), counter(5)),
        (0, EventKind.FAIL, user(18, "assert(counter == 4);"), {}),
    ]
    return trace_of(
        Failure(Property.REACH, "assertion", "assertion can fail"),
        (MAIN, *workers),
        events,
        (Value("counter", "5"),),
    )


def long_trace(rounds: int) -> Trace:
    read, write = user(7, "int tmp = counter;", "worker"), user(8, "other = tmp;", "worker")
    events: list[tuple[int, EventKind, Origin, dict[str, object]]] = []
    for number in range(rounds):
        events += [
            (1, EventKind.READ, read, {"target": "noise", "value": str(number), "is_shared": True}),
            (
                2,
                EventKind.WRITE,
                write,
                {"target": "other", "value": str(number), "old": "0", "is_shared": True},
            ),
        ]
    check = user(18, "assert(counter == 4);")
    events += [(0, EventKind.READ, check, counter(5)), (0, EventKind.FAIL, check, {})]
    return trace_of(
        Failure(Property.REACH, "assertion", "assertion can fail"),
        (MAIN, WORKER_1, WORKER_2),
        events,
        (Value("counter", "5"),),
    )


def possible_bug() -> Trace:
    check = user(5, "assert(read_sensor() > 0);")
    return trace_of(
        Failure(Property.REACH, "assertion", "assertion can fail"),
        (MAIN,),
        [
            (0, EventKind.INPUT, check, {"target": "read_sensor()", "value": "0"}),
            (0, EventKind.FAIL, check, {}),
        ],
        depends_on=(Unmodelled("read_sensor"),),
    )
