"""How states and time of `explore` grow with threads that are alike, as a table and a plot.

python -m bench.explore.growth [--seconds 120] [--output docs/explore-growth.svg]
"""

import argparse
from pathlib import Path

from bench.explore.tables import measured
from bench.running.plot import Panel, Point, figure

from sley.engines.explore.options import ExploreOptions

FAMILIES = {"lock": "mutex", "compare-exchange": "exchange", "ticket lock": "ticket", "barrier": "barrier"}
THREADS = (2, 4, 8, 16, 32, 63)
"""Besides main."""


def curve(program: str, seconds: float) -> tuple[list[Point], list[Point]]:
    """States and processor seconds (of search and check), until a search does not end in time."""
    states: list[Point] = []
    times: list[Point] = []
    for threads in THREADS:
        count, finding, checking = measured(program, threads, ExploreOptions(), seconds)
        is_decided = finding >= 0
        taken = finding + checking if is_decided else seconds
        states.append(Point(threads, count, is_decided))
        times.append(Point(threads, taken, is_decided))
        print(
            f"{program:<12} {threads:>7} {count:>8} {taken:>9.2f}{'' if is_decided else '  not finished'}",
            flush=True,
        )
        if not is_decided:
            break
    return states, times


def main() -> None:
    """Measure all families, and write the plot."""
    parser = argparse.ArgumentParser(prog="python -m bench.explore.growth")
    parser.add_argument("--seconds", type=float, default=120.0, help="for each search")
    parser.add_argument("--output", type=Path, default=Path("docs/explore-growth.svg"), metavar="FILE")
    arguments = parser.parse_args()
    print("program      threads   states   seconds")
    found = {name: curve(program, arguments.seconds) for name, program in FAMILIES.items()}
    curves = {
        "states": {name: states for name, (states, _) in found.items()},
        "CPU seconds": {name: times for name, (_, times) in found.items()},
    }
    panels = [
        Panel("Threads that are alike", "threads", what, series, is_logarithmic=True)
        for what, series in curves.items()
    ]
    text = figure("Engine explore: growth with symmetric threads", panels, columns=2)
    arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
