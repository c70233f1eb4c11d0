"""Does memory stay flat over many calls of `sley.verify` in one process, and can threads call it at once?

    python -m bench.limits.calls [--calls 2000] [--threads 4]

Small programs and engines in turn, every tenth call with processes of its own; every second call is about a
program with an error. Ends with 1 if the second half of the calls makes the process larger by more than 2 %,
or if an answer differs from the first one about the same program.
"""

import argparse
import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, cycle, islice, product
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.limits.hold import ROOT

from sley import Task, verify
from sley.base.budget import used_megabytes
from sley.base.errors import InputError
from sley.verification.task import Limits

PROGRAMS = [
    *("examples/locked_update.c", "examples/lost_update.c", "tests/programs/impact/t08_created_again.c"),
    *("tests/programs/language/packed_and_aligned.c", "tests/programs/race/memory_copy.c"),
    *("tests/programs/impact/endless_references.c", "tests/programs/verifier/unmodelled_bug.c"),
]
ASKED = [
    *((program, "") for program in PROGRAMS),
    *product(PROGRAMS[:2], ("bmc", "impact")),
    (PROGRAMS[1], "symmetry"),
]
"""Programs and engines; no engine: those that fit."""
ERRORS = {
    "error.c": "int main(void) { int x = ; return 0; }\n",
    "errors.c": "#include <stdio.h>\nint main(void) { return y; }\nint x = ;\nint z = ;\n",
    "header.c": '#include "nothing.h"\nint main(void) { return 0; }\n',
    "library.c": "#include <pthread.h>\nint f(void) { return 1; }\n",
    "empty.c": "",
    "assembly.c": 'int main(void) { __asm__("nop"); return 0; }\n',
}
"""Programs that cannot be read, or not supported."""
SEPARATE = 10
"""Every so many calls one has processes of its own: they take longer to start than the rest."""
MOST = 1.02
ROWS = 20


Call = tuple[tuple[str, str], int]


def answer(call: Call) -> str:
    """What is said of a program; which of several bugs may depend on who is faster."""
    (program, engine), jobs = call
    engines = (engine,) if engine else ()
    task = Task(paths=(ROOT / program,), engines=engines, jobs=jobs, limits=Limits(seconds=60.0))
    try:
        return verify(task).answer.value
    except InputError as error:
        return str(error)


def in_turn(folder: Path) -> Iterator[Call]:
    """Right programs and wrong ones."""
    for name, text in ERRORS.items():
        (folder / name).write_text(text)
    right, wrong = cycle(ASKED), cycle((str(folder / name), "") for name in ERRORS)
    for number in count(1):
        yield next(wrong if number % 2 else right), int(number % SEPARATE == 0)


def curve(calls: int, folder: Path) -> tuple[list[int], bool]:
    """Megabytes after each of some parts of the calls, and whether all answers are the same."""
    answers: dict[Call, str] = {}
    sizes: list[int] = []
    agree = True
    for number, call in enumerate(islice(in_turn(folder), calls), start=1):
        said = answer(call)
        if answers.setdefault(call, said) != said:
            print(f"{call}: {said} after {answers[call]}")
            agree = False
        if number % max(1, calls // ROWS) == 0:
            gc.collect()
            sizes.append(used_megabytes())
            print(f"{number:6} calls  {sizes[-1]:5} MB", flush=True)
    return sizes, agree


def at_once(threads: int) -> bool:
    """Whether threads that call at the same time hear what one hears alone."""
    asked = [(one, 1) for one in ASKED]
    with ThreadPoolExecutor(threads) as pool:
        said = list(pool.map(answer, asked))
    return said == list(map(answer, asked))


def main() -> int:
    parser = argparse.ArgumentParser(description="Many calls in one process.")
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=4)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        sizes, agree = curve(chosen.calls, Path(folder))
    flat = sizes[-1] <= MOST * sizes[len(sizes) // 2]
    together = at_once(chosen.threads)
    print(
        f"\nflat: {flat}; always the same answers: {agree}; from {chosen.threads} threads at once: {together}"
    )
    return 0 if flat and agree and together else 1


if __name__ == "__main__":
    raise SystemExit(main())
