"""How fast C becomes a program: lines of preprocessed text per second, and how much memory that takes.

All text is our own: a generated program of 5,000 lines, a deep call graph, large arrays, a program with much
code that nobody uses, and test programs. gcc preprocesses it with the headers of the system. Each figure is a
fresh process, its start not counted; times are CPU times. The aim is 10,000 lines per second, and below 2 GB.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).parents[1] / "tests" / "programs"

LOAD = """
import json, resource, sys, time
from pathlib import Path
from sley.frontend.load import load
lines, seconds = 0, 0.0
load([Path(sys.argv[1])])
for name in sys.argv[2:]:
    path = Path(name)
    started = time.process_time()
    load([path])
    seconds += time.process_time() - started
    lines += len(path.read_bytes().splitlines())
print(json.dumps([lines, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""

HEADERS = "".join(f"#include <{name}.h>\n" for name in ("assert", "pthread", "stdio", "stdlib", "string"))

STEP = """\
static int step{n}(struct node *list, int depth)
{{
    int total = {n};
    pthread_mutex_lock(&lock);
    for (struct node *p = list; p != NULL && total < limits[{n} % 16]; p = p->next) {{
        switch (p->kind) {{
        case 0: total += p->value * {n}; break;
        case 1: total -= (p->value << 2) & 0xff; break;
        default: counters[p->kind % 8]++; break;
        }}
        if (p->name != NULL && strcmp(p->name, "end") == 0)
            break;
    }}
    pthread_mutex_unlock(&lock);
    return depth > 0 ? {call} : total;
}}

"""

START = """\
struct node { struct node *next; int kind, value; const char *name; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limits[16], counters[8];

"""


def generated(steps: int, *, used: int) -> str:
    """Functions that call one another in a chain; main reaches the first ``used`` of them."""
    text = [HEADERS, START]
    for number in range(steps):
        call = "total" if number == 0 else f"step{number - 1}(list, depth - 1)"
        text.append(STEP.format(n=number, call=call))
    text.append(f"static void *worker(void *list) {{ step{used - 1}(list, 3); return NULL; }}\n")
    return "".join([*text, MAIN])


MAIN = """\
int main(void)
{
    struct node node = { NULL, 1, 2, NULL };
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &node);
    pthread_join(thread, NULL);
    return 0;
}
"""

ARRAYS = (
    HEADERS
    + """\
int table[1000000];
double matrix[1000][1000];
struct { char name[32]; int value; } records[100000];
int filled[1000000] = { [5] = 3, [999999] = 7 };
int main(void)
{
    int local[50000];
    local[table[3]] = filled[999999] + records[5].value;
    matrix[5][7] = local[0];
    return 0;
}
"""
)


def preprocessed(source: Path, target: Path) -> Path:
    """The text that gcc makes of a file."""
    command = ["gcc", "-E", "-std=gnu11", "-pthread", str(source), "-o", str(target)]
    subprocess.run(command, check=True, capture_output=True)
    return target


def test_programs(folder: Path) -> list[Path]:
    """Our small programs about the language and about threads."""
    sources = sorted([*PROGRAMS.glob("language/*.c"), *PROGRAMS.glob("threads/*.c")])
    return [preprocessed(source, folder / f"{number}.i") for number, source in enumerate(sources)]


def measured(files: list[Path]) -> tuple[int, float, float]:
    """Lines, seconds and megabytes."""
    command = [sys.executable, "-c", LOAD, str(files[0]), *map(str, files)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    lines, seconds, megabytes = json.loads(done.stdout)
    return lines, seconds, megabytes


def main() -> None:
    """Print one line per kind of program."""
    texts = {
        "5,000 lines": generated(250, used=250),
        "20,000 lines, deep calls": generated(1100, used=1100),
        "20,000 lines, 1 % used": generated(1100, used=11),
        "arrays of a million": ARRAYS,
    }
    print(f"{'front end, preprocessed text':<28}  {'lines':>7}  {'CPU s':>6}  {'lines/s':>8}  {'MB':>5}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows: dict[str, list[Path]] = {}
        for title, text in texts.items():
            source = folder / "generated.c"
            source.write_text(text)
            rows[title] = [preprocessed(source, folder / f"generated{len(rows)}.i")]
        rows["test programs"] = test_programs(folder)
        for title, files in rows.items():
            lines, seconds, megabytes = measured(files)
            speed = lines / seconds
            print(f"{title:<28}  {lines:>7}  {seconds:>6.2f}  {speed:>8.0f}  {megabytes:>5.0f}")


if __name__ == "__main__":
    main()
