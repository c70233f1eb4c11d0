"""How fast `explore` executes steps.

First on programs that take a lock around a shared counter; the aim is at least 40,000 executed steps in a
second of computing. Then against what memory holds: elements of an array, blocks on the heap, threads. A step
should cost what it touches, so the rate should stay.
"""

import sys
import tempfile
import time
from pathlib import Path

from sley.base.budget import Budget
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.program.properties import ALL_PROPERTIES
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.result import Result
from sley.verification.task import EngineOptions, Task
from sley.verification.verify import verify

PROGRAM = """\
#include <assert.h>
#include <pthread.h>

int counter = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {{
    for (int i = 0; i < {rounds}; i++) {{
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }}
    return 0;
}}

int main(void) {{
    pthread_t threads[{threads}];
    for (int i = 0; i < {threads}; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < {threads}; i++)
        pthread_join(threads[i], 0);
    assert(counter == {threads} * {rounds});
    return 0;
}}
"""

SIZES = ((2, 2), (2, 8), (3, 2), (3, 4), (4, 2))


def checked(folder: Path, threads: int, rounds: int, *, reduction: bool) -> Result:
    path = folder / "locked.c"
    path.write_text(PROGRAM.format(threads=threads, rounds=rounds))
    options = EngineOptions(explore=ExploreOptions(reduction=reduction))
    return verify(
        Task(paths=(path,), engines=("explore",), selection=Selection(ALL_PROPERTIES), options=options)
    )


ARRAY = """\
#include <pthread.h>

int elements[{size}], count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *first) {{
    for (int i = 0; i < 6; i++) {{
        pthread_mutex_lock(&lock);
        elements[((long)first + i * 7) % {size}] = ++count;
        pthread_mutex_unlock(&lock);
    }}
    return 0;
}}

int main(void) {{
    pthread_t a, b, c;
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)({size} / 2L));
    pthread_create(&c, 0, worker, (void *)({size} / 3L));
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}}
"""

HEAP = """\
#include <stdlib.h>

struct node {{ struct node *next; int number; }} *head;

int main(void) {{
    for (int i = 0; i < {size}; i++) {{
        struct node *new = malloc(sizeof *new);
        new->next = head;
        new->number = i;
        head = new;
    }}
    while (head) {{
        struct node *old = head;
        head = old->next;
        free(old);
    }}
    return 0;
}}
"""

ENDED = """\
#include <pthread.h>

pthread_t ids[{size}];
int count;

void *worker(void *unused) {{ count++; return 0; }}

int main(void) {{
    for (int i = 0; i < {size}; i++) {{
        pthread_create(&ids[i], 0, worker, 0);
        pthread_join(ids[i], 0);
    }}
    return 0;
}}
"""

STANDING = """\
#include <pthread.h>

pthread_t ids[{size}];
int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused) {{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return 0;
}}

int main(void) {{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < {size}; i++)
        pthread_create(&ids[i], 0, worker, 0);
    return 0;
}}
"""

GROWING = {
    "elements of an array": (ARRAY, (10, 100, 1_000, 10_000, 100_000)),
    "blocks on the heap": (HEAP, (10, 100, 1_000, 10_000)),
    "threads that have ended": (ENDED, (10, 100, 1_000, 5_000)),
    "threads that wait": (STANDING, (10, 100, 1_000, 10_000)),
}


MOST_STATES = 20_000
"""Of a program whose memory grows: enough to see how fast it goes."""


def steps_per_second(path: Path, options: ExploreOptions) -> tuple[int, float]:
    """Steps, and how many of them in a second of computing."""
    program = program_of(Task(paths=(path,), selection=Selection(ALL_PROPERTIES)))
    began = time.process_time()
    _, statistics = explore(program, ALL_PROPERTIES, options, Budget())
    steps = int(statistics["steps"])
    return steps, steps / (time.process_time() - began)


def main() -> None:
    print_locked()
    print_growing()


def print_growing() -> None:
    """Steps per second, for each thing that memory may hold many of."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, sizes) in GROWING.items():
            print(f"\n{name}    steps   steps/s")
            for size in sizes[:3] if "--quick" in sys.argv else sizes:
                path = Path(folder) / "growing.c"
                path.write_text(text.format(size=size))
                steps, rate = steps_per_second(path, ExploreOptions(max_states=MOST_STATES))
                print(f"{size:>{len(name)}}  {steps:>7}  {rate:>8.0f}")


def print_locked() -> None:
    sizes = SIZES[:3] if "--quick" in sys.argv else SIZES
    print("threads  rounds  reduction  answer     states      steps  finding s  checking s   steps/s")
    with tempfile.TemporaryDirectory() as folder:
        for threads, rounds in sizes:
            for reduction in (True, False):
                result = checked(Path(folder), threads, rounds, reduction=reduction)
                states, steps = int(result.statistics["states"]), int(result.statistics["steps"])
                path, options = Path(folder) / "locked.c", ExploreOptions(reduction=reduction)
                _, rate = steps_per_second(path, options)
                print(
                    f"{threads:>7}  {rounds:>6}  {'yes' if reduction else 'no':<9}  {result.answer.value:<8}"
                    f"{states:>9}  {steps:>9}  {result.times.finding:>9.2f}  {result.times.checking:>10.2f}"
                    f"  {rate:>8.0f}"
                )


if __name__ == "__main__":
    main()
