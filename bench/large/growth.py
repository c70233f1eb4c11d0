"""How the time to settle every check of a program grows with its lines and with its threads.

    python -m bench.large.growth [--time-limit 600] [--largest 4000]

Ends with 1 if a program is not proved: all of them can be. Where checks are open, the time is also that of
the program with its calls inlined.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.families import Curve, arguments
from bench.large.programs import program
from bench.measure import Measurement, measure
from bench.running.plot import Point
from bench.table import Table, number

FLAGS = ("--each-check", "--engine", "abstract", "--property", str(Path(__file__).parent / "checks.prp"))
LINES = (250, 500, 1_000, 2_000, 4_000, 8_000, 16_000)
THREADS = (2, 10, 100, 1_000, 10_000)
SOME_LINES = 1_000
"""Of the programs whose threads grow in number."""


def measured(text: str, seconds: float) -> Measurement:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.c"
        file.write_text(text, encoding="utf-8")
        return measure(file, FLAGS, seconds)


def curve(table: Table, name: str, sizes: Sequence[int], make: Callable[[int], str], seconds: float) -> Curve:
    """Measure until a run is not decided: the larger ones would not be either."""
    points: list[Point] = []
    for size in sizes:
        text = make(size)
        x = text.count("\n") if name == "lines" else size
        found = measured(text, seconds)
        points.append(Point(x, found.seconds, found.is_decided))
        numbers = [(found.count("open checks"), 0), (found.seconds, 1), (found.megabytes, 0)]
        table.row([name, str(x), found.answer, *(number(one, digits) for one, digits in numbers)])
        if not found.is_decided:
            break
    return Curve(points)


def main() -> int:
    chosen = arguments("Growth of the survey of large programs.").parse_args()
    table = Table(("growing", "size", "answer", "open", "CPU s", "MB"), (7, 6, 8, 5, 8, 6), names=1)
    growing: dict[str, tuple[Sequence[int], Callable[[int], str]]] = {
        "lines": ([n for n in LINES if n <= (chosen.largest or n)], program),
        "threads": (THREADS, lambda n: program(SOME_LINES, n)),
    }
    found = {
        name: curve(table, name, sizes, make, chosen.time_limit)
        for name, (sizes, make) in growing.items()
        if not chosen.only or name in chosen.only
    }
    print("", *(f"with {name}: {one.note()}" for name, one in found.items()), sep="\n")
    return 0 if all(point.is_complete for one in found.values() for point in one.points) else 1


if __name__ == "__main__":
    raise SystemExit(main())
