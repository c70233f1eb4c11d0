"""The programs in ``bench/programs`` as families: what grows, and what is true of them."""

from bench.families import Family
from bench.measure import NO_BUG

# --- counting --------------------------------------------------------------------------------------


def _fibonacci(rounds: int, slack: int) -> dict[str, int]:
    """The largest sum is a Fibonacci number; ``slack`` above it is the limit."""
    low, high = 1, 1
    for _ in range(2 * rounds):
        low, high = high, low + high
    return {"ROUNDS": rounds, "LIMIT": high + slack}


ROUNDS = range(5, 13)
THREADS = (2, 4, 8, 16, 32, 64)
DOUBLING = (2, 4, 8, 16, 32)
FIBONACCI = (
    Family("fibonacci", "fibonacci.c", ROUNDS, lambda n: _fibonacci(n, 1)),
    Family("fibonacci-unsafe", "fibonacci.c", ROUNDS, lambda n: _fibonacci(n, 0), "bug"),
)
INCREMENTS = (
    Family("atomic", "atomic.c", THREADS, lambda n: {"THREADS": n}),
    Family("locked", "locked.c", THREADS, lambda n: {"THREADS": n, "ROUNDS": 1}),
    Family("exchange", "exchange.c", THREADS, lambda n: {"THREADS": n}),
)
TWO_LOCKED = Family("two-locked", "locked.c", DOUBLING, lambda n: {"THREADS": 2, "ROUNDS": n})

# --- containers and litmus tests -------------------------------------------------------------------

ELEMENTS = (2, 3, 4, 5, 6, 8, 10, 12, 16)
CONTAINERS = tuple(
    family
    for name in ("stack", "queue")
    for family in (
        Family(name, f"{name}.c", ELEMENTS, lambda n: {"SIZE": n, "UNSAFE": 0}),
        Family(f"{name}-unsafe", f"{name}.c", ELEMENTS, lambda n: {"SIZE": n, "UNSAFE": 1}, "bug"),
    )
)
STORE_BUFFERING = Family(
    "store-buffering", "store_buffering.c", (2, 3, 4, 6, 8), lambda n: {"THREADS": n, "COLUMNS": n}
)

# --- the programs of the staged analysis -----------------------------------------------------------

SLOTS = 128
STRIDE = 11


def _indexer(threads: int, messages: int, stride: int) -> dict[str, int]:
    """The slot asked for is the first that some message belongs to and no other one is pushed into.

    How many messages are pushed on from a slot does not depend on the order in which they come.
    """
    homes = [(m * stride + i) * 7 % SLOTS for i in range(threads) for m in range(1, messages + 1)]
    wanted = [homes.count(slot) for slot in range(SLOTS)]
    pushed = 0
    quiet: list[int] = []
    for slot in (*range(SLOTS), *range(SLOTS)):
        if slot == 0:
            quiet = []
        if not pushed and wanted[slot]:
            quiet.append(slot)
        pushed = max(0, pushed + wanted[slot] - 1)
    return {"THREADS": threads, "MESSAGES": messages, "STRIDE": stride, "GIVEN": quiet[0]}


FULL = (20, 24, 27, 28, 29, 30, 31, 32)
SLICES = (4, 8, 12, 16, *FULL)
FEW = (20, 32, 40, 48, 56, 64)
INDEXER = (
    Family("indexer", "indexer.c", FULL, lambda n: _indexer(n, 4, STRIDE)),
    Family("indexer-two", "indexer.c", FEW, lambda n: _indexer(n, 2, STRIDE)),
    *(
        Family(f"{name}-slice", "indexer.c", sizes, defines, NO_BUG, options=("--slice-of-run", "1"))
        for name, sizes, defines in (
            ("indexer", SLICES, lambda n: _indexer(n, 4, STRIDE)),
            ("indexer-two", FEW, lambda n: _indexer(n, 2, STRIDE)),
        )
    ),
    Family("indexer-apart", "indexer.c", FEW, lambda n: _indexer(n, 2, SLOTS // 2)),
)
ACCOUNTS = tuple(
    Family(name, f"{name}.c", (3, 5, 7, 9, 11, 15, 21), lambda n: {"THREADS": n})
    for name in ("account1", "account2")
)
ACCOUNT_RACES = tuple(
    Family(f"{name}-races", f"{name}.c", (3, 5, 7, 11, 15, 21), lambda n: {"THREADS": n}, properties="race")
    for name in ("account1", "account2")
)
SYNCHRONISATION = (
    Family(
        "synchronisation",
        "synchronisation.c",
        (2, 4, 8, 13, 16, 24, 32),
        lambda n: {"THREADS": n, "UNSAFE": 0},
        properties="race",
    ),
    Family(
        "synchronisation-unsafe",
        "synchronisation.c",
        (4, 8, 13, 16, 24, 32),
        lambda n: {"THREADS": n, "UNSAFE": 1},
        "bug",
        properties="race",
    ),
)
