"""Cold start: how long a user waits before the search begins. Each figure is a fresh process.

The aim is below 0.4 s for start-up plus front end on a pthread program of 200 lines.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from bench.running.processes import Limits, run

RUNS = 5

LOAD = """
import sys
from pathlib import Path
from sley.frontend.load import load
load([Path(sys.argv[1])])
"""

PREPARE = """
import sys
from pathlib import Path
from sley.verification.task import Task
from sley.verification.reading import program_of
program_of(Task(paths=(Path(sys.argv[1]),)))
"""


def generated(threads: int = 8) -> str:
    """A pthread program, of 200 lines with 8 threads: workers that move values between shared arrays."""
    text = [
        "#include <assert.h>",
        "#include <pthread.h>",
        "#include <stdlib.h>",
        "",
        "struct account { int balance; int limit; struct account *next; };",
        f"struct account accounts[{threads}];",
        "pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;",
        "",
    ]
    for number in range(threads):
        text += [
            f"void *worker{number}(void *argument) {{",
            "    int amount = *(int *)argument;",
            "    for (int i = 0; i < 4; i++) {",
            "        pthread_mutex_lock(&lock);",
            f"        struct account *from = &accounts[{number}];",
            f"        struct account *to = &accounts[(i + {number}) % {threads}];",
            "        if (from->balance >= amount && to->balance + amount <= to->limit) {",
            "            from->balance -= amount;",
            "            to->balance += amount;",
            "        } else if (from->next != NULL) {",
            "            switch (amount % 3) {",
            "            case 0: from->limit++; break;",
            "            case 1: to->limit--; break;",
            "            default: from->next = to; break;",
            "            }",
            "        }",
            "        pthread_mutex_unlock(&lock);",
            "    }",
            "    return NULL;",
            "}",
            "",
        ]
    text += ["int main(void) {", f"    pthread_t threads[{threads}];", f"    int amounts[{threads}];"]
    for number in range(threads):
        text.append(f"    amounts[{number}] = {number + 1};")
        text.append(f"    pthread_create(&threads[{number}], NULL, worker{number}, &amounts[{number}]);")
    text += [f"    for (int i = 0; i < {threads}; i++)", "        pthread_join(threads[i], NULL);"]
    text += ["    assert(accounts[0].balance >= 0);", "    return 0;", "}"]
    return "\n".join(text) + "\n"


def measured(command: list[str]) -> tuple[float, float]:
    """The median wall-clock and CPU time of some fresh processes, in seconds."""
    runs = [run(command, Limits()) for _ in range(RUNS)]
    assert all(one.exit_code == 0 for one in runs)
    walls, cpus = [one.wall_seconds for one in runs], [one.cpu_seconds for one in runs]
    return statistics.median(walls), statistics.median(cpus)


def main() -> None:
    python = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "generated.c"
        program.write_text(generated())
        count = len(program.read_text().splitlines())
        rows = [
            ("python -c pass", measured([python, "-c", "pass"])),
            ("sley --version", measured([python, "-m", "sley", "--version"])),
            (f"front end, {count} lines", measured([python, "-c", LOAD, str(program)])),
            (f"front end and passes, {count} lines", measured([python, "-c", PREPARE, str(program)])),
        ]
    print(f"{'cold process':<36}  {'wall s':>7}  {'CPU s':>7}   (median of {RUNS})")
    for name, (wall, cpu) in rows:
        print(f"{name:<36}  {wall:>7.3f}  {cpu:>7.3f}")


if __name__ == "__main__":
    main()
