"""How fast `explore` executes steps, on programs that take a lock around a shared counter.

The aim is at least 20,000 executed steps per second.
"""

import sys
import tempfile
from pathlib import Path

from sley.engines.explore.options import ExploreOptions
from sley.program.properties import ALL_PROPERTIES
from sley.verification.property_files import Selection
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


def main() -> None:
    sizes = SIZES[:3] if "--quick" in sys.argv else SIZES
    print("threads  rounds  reduction  answer     states      steps  finding s  checking s   steps/s")
    with tempfile.TemporaryDirectory() as folder:
        for threads, rounds in sizes:
            for reduction in (True, False):
                result = checked(Path(folder), threads, rounds, reduction=reduction)
                states, steps = int(result.statistics["states"]), int(result.statistics["steps"])
                finding = max(result.times.finding, 1e-9)
                print(
                    f"{threads:>7}  {rounds:>6}  {'yes' if reduction else 'no':<9}  {result.answer.value:<8}"
                    f"{states:>9}  {steps:>9}  {finding:>9.2f}  {result.times.checking:>10.2f}"
                    f"  {steps / finding:>8.0f}"
                )


if __name__ == "__main__":
    main()
