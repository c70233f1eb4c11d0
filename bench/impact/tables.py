"""Engine `impact` on the nine programs of the paper, in its four configurations, beside what was published.

    python -m bench.impact.tables [--time-limit 60] [--only NAME] [--unbounded]

The programs are written anew from their descriptions, so counts compare in their order of magnitude. The
first tables interleave at statements, as the paper does; the last one compares that with single accesses, as
C has it. Ends with 1 if an answer is wrong.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.impact.published import PROGRAMS, TABLE
from bench.measure import Measurement, measure
from bench.table import number, print_table, ratio

FOLDER = Path(__file__).parent / "programs"
LABELS = ("--interpolants", "values")
"""One attempt: counts of several would not compare."""
CONFIGURATIONS: Mapping[str, tuple[str, ...]] = {
    "sPOR": ("--interleaving", "spor", "--no-force-cover", *LABELS),
    "sPOR+FC": ("--interleaving", "spor", "--force-cover", *LABELS),
    "dPOR": ("--interleaving", "dpor", "--no-force-cover", *LABELS),
    "dPOR+FC": ("--interleaving", "dpor", "--force-cover", *LABELS),
}
BEST = "dPOR+FC"
NODES, CHECKS, EXPANSIONS = "nodes", "implications by solver", "nodes from cover expansions"

Results = dict[str, Measurement]


def flags(configuration: str, granularity: str, engine: str) -> tuple[str, ...]:
    chosen = CONFIGURATIONS[configuration] if engine == "impact" else ()
    return ("--engine", engine, "--property", "reach", "--granularity", granularity, *chosen)


def results_of(names: Sequence[str], arguments: Sequence[str], seconds: float) -> Results:
    results = {}
    for name in names:
        progress(name)
        results[name] = measure(FOLDER / f"{name}.c", arguments, seconds)
    progress("")
    return results


def progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text:<40}\r{text}", end="", file=sys.stderr, flush=True)


# --- tables ----------------------------------------------------------------------------------------


def share(result: Measurement) -> str:
    nodes, made = result.count(NODES), result.count(EXPANSIONS)
    return "" if not nodes or made is None else f"{100 * made / nodes:.0f}%"


def answer(name: str, result: Measurement) -> str:
    is_wrong = result.is_decided and name in PROGRAMS and result.answer != PROGRAMS[name]
    return result.answer + (" WRONG" if is_wrong else "")


def print_configuration(configuration: str, results: Results) -> None:
    """One configuration beside the paper; the sums are over the programs that both decided."""
    published = TABLE[configuration]
    print(f"{configuration}, statement granularity (x: theirs / ours; C: from cover expansions)\n")
    rows = []
    for name, result in results.items():
        theirs = published.get(name)
        nodes, checks = result.count(NODES), result.count(CHECKS)
        rows.append([
            name, answer(name, result),
            number(result.seconds, 2), "T.O." if theirs is None else number(theirs.seconds, 1),
            number(nodes), "" if theirs is None else str(theirs.nodes),
            "" if theirs is None else ratio(nodes, theirs.nodes),
            number(checks), "" if theirs is None else str(theirs.checks),
            share(result), "" if theirs is None or theirs.share is None else f"{theirs.share}%",
        ])  # fmt: skip
    both = [n for n, r in results.items() if n in published and r.is_decided and r.count(NODES)]
    ours = sum(results[n].count(NODES) or 0 for n in both)
    theirs_sum = sum(published[n].nodes for n in both)
    rows.append([
        f"sum ({len(both)})", "",
        number(sum(results[n].seconds for n in both), 2), number(sum(published[n].seconds for n in both), 1),
        str(ours), str(theirs_sum), ratio(ours, theirs_sum),
        str(sum(results[n].count(CHECKS) or 0 for n in both)), str(sum(published[n].checks for n in both)),
        "", "",
    ])  # fmt: skip
    head = ["program", "answer", "CPU s", "paper", "nodes", "paper", "x", "solver", "paper", "C", "paper"]
    print_table(head, rows)


def print_granularities(statements: Results, accesses: Results) -> None:
    print(f"{BEST}: interleaving at statements, and at single accesses\n")
    rows = []
    for name, fine in accesses.items():
        coarse = statements[name]
        rows.append([
            name, answer(name, coarse), answer(name, fine),
            number(coarse.seconds, 2), number(fine.seconds, 2),
            number(coarse.count(NODES)), number(fine.count(NODES)),
        ])  # fmt: skip
    sums = [number(sum(r.seconds for r in results.values()), 2) for results in (statements, accesses)] + [
        number(sum(r.count(NODES) or 0 for r in results.values())) for results in (statements, accesses)
    ]
    rows.append(["sum", "", "", *sums])
    head = ["program", "statement", "access", "CPU s", "access", "nodes", "access"]
    print_table(head, rows)


def print_summary(results: Mapping[str, Results]) -> None:
    """What the comparison is about, in a few lines."""
    common = [n for n in PROGRAMS if all(n in r and r[n].is_decided for r in results.values())]
    sums = {c: sum(r[n].count(NODES) or 0 for n in common) for c, r in results.items()}
    line = ", ".join(f"{c} {total}" for c, total in sums.items())
    print(f"Nodes, summed over the {len(common)} programs that every configuration decides: {line}")
    best = results[BEST]
    open_ = [n for n, r in best.items() if not r.is_decided]
    print(f"{BEST}, not decided: {', '.join(open_) or 'none'}")
    above = [n for n, r in best.items() if (r.count(NODES) or 0) > TABLE[BEST][n].nodes]
    print(f"{BEST}, more nodes than published: {', '.join(above) or 'nowhere'}")
    slow = [f"{n} {r.seconds:.1f} s" for n, r in best.items() if r.seconds > 1]
    print(f"{BEST}, more than 1 s: {', '.join(slow) or 'nowhere'}\n")


def print_unbounded(names: Sequence[str], engine: str, seconds: float) -> Results:
    """Programs without end whose states do not repeat, or hardly: all of them are safe."""
    print("Programs that never end, access granularity, all attempts of the engine; all are safe\n")
    results = results_of(names, ("--engine", engine, "--property", "reach"), seconds)
    rows = [
        [
            Path(n).name,
            r.answer,
            number(r.seconds, 2),
            number(r.count(NODES)),
            "" if r.is_decided else r.reason or "",
        ]
        for n, r in results.items()
    ]
    print_table(["program", "answer", "CPU s", "nodes", "reason"], rows)
    return results


# --- all of it -------------------------------------------------------------------------------------


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Engine impact beside the published tables.")
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS", help="of each run")
    parser.add_argument("--only", choices=list(PROGRAMS), action="append", help="these programs only")
    parser.add_argument("--engine", default="impact", help="another engine, without the configurations")
    parser.add_argument("--unbounded", action="store_true", help="the programs under programs/unbounded only")
    return parser.parse_args()


def main() -> int:
    chosen = arguments()
    if chosen.unbounded:
        names = [f"unbounded/{path.stem}" for path in sorted((FOLDER / "unbounded").glob("*.c"))]
        unbounded = print_unbounded(names, chosen.engine, chosen.time_limit)
        return 1 if any(result.answer == "bug" for result in unbounded.values()) else 0
    names = chosen.only or list(PROGRAMS)
    results: dict[str, Results] = {}
    for configuration in CONFIGURATIONS:
        given = flags(configuration, "statement", chosen.engine)
        results[configuration] = results_of(names, given, chosen.time_limit)
        print_configuration(configuration, results[configuration])
    accesses = results_of(names, flags(BEST, "access", chosen.engine), chosen.time_limit)
    print_granularities(results[BEST], accesses)
    print_summary(results)
    everything = [(n, r) for one in (*results.values(), accesses) for n, r in one.items()]
    return 1 if any(r.is_decided and r.answer != PROGRAMS[n] for n, r in everything) else 0


if __name__ == "__main__":
    raise SystemExit(main())
