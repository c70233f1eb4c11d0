"""Room for deep recursion: C may be nested deeper than the stack of a thread is by default.

The parser recurses over what is nested (ten thousand ``else if`` are one statement inside the other), and so
do we. Both run in a thread with a large stack; its pages are only used if they are needed.
"""

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

STACK_BYTES = 512 * 1024 * 1024
RECURSION_LIMIT = 60_000
_OWN_THREADS = "LIBCLANG_NOTHREADS"

Result = TypeVar("Result")


def run_deep(work: Callable[[], Result]) -> Result:
    """What ``work`` returns or raises, computed where it may recurse deeply."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except ctypes.ArgumentError as error:
            # too deep a recursion in the middle of a call into the C library is reported like this
            errors.append(RecursionError(str(error)))
        except BaseException as error:  # noqa: BLE001 - raised again below, in the thread that waits
            errors.append(error)

    with _recursion_limit():
        with _large_stacks():
            thread = threading.Thread(target=run, name="front end", daemon=True)
            thread.start()
        thread.join()
    if errors:
        raise errors[0]
    return results[0]


@contextmanager
def _large_stacks() -> Iterator[None]:
    """New threads have a large stack, and the parser uses the thread that calls it."""
    os.environ[_OWN_THREADS] = "1"
    former = threading.stack_size(STACK_BYTES)
    try:
        yield
    finally:
        threading.stack_size(former)


@contextmanager
def _recursion_limit() -> Iterator[None]:
    former = sys.getrecursionlimit()
    sys.setrecursionlimit(max(former, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(former)
