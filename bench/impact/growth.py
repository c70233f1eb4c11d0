"""How time and nodes of engine `impact` grow with threads and rounds, with and without reduction, as a plot.

    python -m bench.impact.growth [--time-limit 60] [--output docs/impact-growth.svg]

Two families: threads that share nothing but memory that they read, and threads that take turns with a lock.
"""

import argparse
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measure import Measurement, measure
from bench.running.plot import Panel, Point, figure

THREADS = (2, 3, 4, 5)
ROUNDS = (1, 2, 3, 4, 5)
REDUCTIONS = {"reduced (dPOR)": "dpor", "all interleavings": "full"}


def separate(threads: int, rounds: int) -> str:
    """Each thread counts in its own variable up to a limit that all read."""
    workers = "".join(
        f"""
int count_{i};
void *worker_{i}(void *unused)
{{
    for (int i = 0; i < {rounds}; i++) {{
        if (count_{i} < limit)
            count_{i} = count_{i} + 1;
        assert(count_{i} <= {rounds});
    }}
    return 0;
}}
"""
        for i in range(threads)
    )
    return _program("int limit;\n" + workers, threads, before=f"    limit = {rounds};\n", numbers=True)


def locked(threads: int, rounds: int) -> str:
    """All threads count in one variable under one lock."""
    worker = f"""
int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused)
{{
    for (int i = 0; i < {rounds}; i++) {{
        pthread_mutex_lock(&lock);
        count = count + 1;
        pthread_mutex_unlock(&lock);
    }}
    return 0;
}}
"""
    return _program(worker, threads, after=f"    assert(count == {threads * rounds});\n")


def _program(
    declarations: str, threads: int, *, before: str = "", after: str = "", numbers: bool = False
) -> str:
    names = [f"worker_{i}" if numbers else "worker" for i in range(threads)]
    creates = "".join(f"    pthread_create(&thread[{i}], 0, {name}, 0);\n" for i, name in enumerate(names))
    joins = "".join(f"    pthread_join(thread[{i}], 0);\n" for i in range(threads))
    return (
        "#include <assert.h>\n#include <pthread.h>\n"
        f"{declarations}\nint main(void)\n{{\n    pthread_t thread[{threads}];\n"
        f"{before}{creates}{joins}{after}    return 0;\n}}\n"
    )


Family = Callable[[int, int], str]
FAMILIES: dict[str, Family] = {"Separate counters": separate, "One counter, one lock": locked}


@dataclass(frozen=True)
class Curve:
    """One family, one reduction, one parameter that grows."""

    values: Sequence[int]
    results: Sequence[Measurement]

    def nodes(self) -> list[Point]:
        return [
            Point(x, r.count("nodes") or 0, r.is_decided)
            for x, r in zip(self.values, self.results, strict=False)
        ]

    def seconds(self) -> list[Point]:
        return [Point(x, r.seconds, r.is_decided) for x, r in zip(self.values, self.results, strict=False)]


def curve(make: Callable[[int], str], values: Sequence[int], reduction: str, seconds: float) -> Curve:
    """Measure until a run does not end in time: the larger ones would not either."""
    results: list[Measurement] = []
    arguments = ("--engine", "impact", "--property", "reach", "--interleaving", reduction)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.c"
        for value in values:
            program.write_text(make(value), encoding="utf-8")
            results.append(measure(program, arguments, seconds))
            if not results[-1].is_decided:
                break
    return Curve(values, results)


def print_curve(start: str, found: Curve) -> None:
    for value, result in zip(found.values, found.results, strict=False):
        end = "" if result.is_decided else f"  {result.reason}"
        print(f"{start} {value}  {result.count('nodes') or 0:>8} {result.seconds:>8.2f}{end}")


def panels_of(title: str, family: Family, seconds: float) -> list[Panel]:
    parameters: dict[str, tuple[Sequence[int], Callable[[int], str]]] = {
        "threads (1 round)": (THREADS, lambda n: family(n, 1)),
        "rounds (2 threads)": (ROUNDS, lambda k: family(2, k)),
    }
    panels = []
    for label, (values, make) in parameters.items():
        curves = {name: curve(make, values, flag, seconds) for name, flag in REDUCTIONS.items()}
        for name, found in curves.items():
            print_curve(f"{title:<22} {label:<19} {name:<18}", found)
        panels.append(Panel(title, label, "nodes", {name: found.nodes() for name, found in curves.items()}))
        panels.append(
            Panel(title, label, "CPU seconds", {name: found.seconds() for name, found in curves.items()})
        )
    return panels


def main() -> None:
    parser = argparse.ArgumentParser(description="Growth of engine impact with threads and rounds.")
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS", help="of each run")
    parser.add_argument("--output", type=Path, default=Path("docs/impact-growth.svg"), metavar="FILE")
    chosen = parser.parse_args()
    print(f"{'family':<22} {'parameter':<19} {'interleaving':<18} n  {'nodes':>8} {'CPU s':>8}")
    panels = [
        panel for title, family in FAMILIES.items() for panel in panels_of(title, family, chosen.time_limit)
    ]
    text = figure("Engine impact: growth with threads and rounds", panels, columns=4)
    chosen.output.write_text(text, encoding="utf-8")
    print(f"written: {chosen.output}")


if __name__ == "__main__":
    main()
