"""Engine `bmc` and other checkers on the same programs in the same run: processor time, peak memory, ratios.

    python -m bench.peers.tables [--time-limit 60] [--only fibonacci] [--largest 8] [--peer cbmc]

CBMC and Deagle where they are on PATH, or others that `--verifiers FILE` describes. They are told a bound
that all loops stay below, and check that it is one. Ends with 1 if an answer of ours is wrong.
"""

import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bench.catalogue import CONTAINERS, FIBONACCI, INCREMENTS, TWO_LOCKED
from bench.families import Family, Results, Runner, Tool, arguments, cell, chosen_sizes, sley
from bench.measure import Measurement
from bench.running import processes
from bench.running.runs import checked
from bench.running.tasks import BenchTask
from bench.running.verifiers import Verifier, known_verifiers, version_of
from bench.table import Table, number, ratio

from sley.program.properties import PROPERTY_GROUPS

FAMILIES = (*FIBONACCI, *INCREMENTS, TWO_LOCKED, *CONTAINERS)
US = "sley"
PEERS = ("cbmc", "deagle")
ANSWERS = {"true": "safe", "false": "bug", "unknown": "bound"}
"""Theirs in our words; a loop beyond its bound is no bug."""


def peer(verifier: Verifier, limits: processes.Limits) -> Tool:
    """Another checker, told how far to unroll."""

    def check(family: Family, size: int) -> Measurement:
        told = replace(verifier, bounds=(family.unwind(size),), flags=shlex.join(family.macros(size)))
        task = BenchTask(family.name, (family.path,), "reach", PROPERTY_GROUPS["reach"])
        with tempfile.TemporaryDirectory() as folder:
            done = checked(told, task, limits, processes.Runner(), Path(folder) / "log")
        answer = ANSWERS.get(done.answer, done.answer)
        return Measurement(answer, done.cpu_seconds, reason=done.reason, megabytes=done.megabytes)

    return check


def peers(
    known: Mapping[str, Verifier], names: Sequence[str], limits: processes.Limits
) -> tuple[dict[str, Tool], list[str]]:
    """Those that are on PATH, and a line on each."""
    found: dict[str, Tool] = {}
    notes = []
    for name in names:
        if shutil.which(known[name].command.split()[0]) is None:
            notes.append(f"{name}: not on PATH")
            continue
        found[name] = peer(known[name], limits)
        notes.append(f"{name} {version_of(known[name], processes.Runner())}: {known[name].command}")
    return found, notes


def row(family: Family, size: int, results: Results, others: Sequence[str]) -> list[str]:
    ours = results.get(US)
    cells = [family.name, str(size), cell(family, ours), number(ours.megabytes) if ours else ""]
    for name in others:
        found = results.get(name)
        cells += [cell(family, found), number(found.megabytes) if found else ""]
        if ours and found and ours.answer == found.answer == family.expected:
            cells += [ratio(ours.seconds, found.seconds, 2), ratio(ours.megabytes, found.megabytes, 2)]
        else:
            cells += ["", ""]
    return cells


def print_sums(everything: Sequence[Results], others: Sequence[str]) -> None:
    for name in others:
        both = [r for r in everything if all(n in r and r[n].is_decided for n in (US, name))]
        ours, theirs = (sum(r[n].seconds for r in both) for n in (US, name))
        line = f"{US} {ours:.1f} s, {name} {theirs:.1f} s, ratio {ratio(ours, theirs, 2)}"
        print(f"{len(both)} programs that both decided: {line}")


def main() -> int:
    parser = arguments("Other checkers on the same programs.")
    parser.add_argument(
        "--memory-limit", type=float, default=8.0, metavar="GB", help="of each run of another"
    )
    parser.add_argument("--peer", action="append", metavar="NAME", help=f"default: {', '.join(PEERS)}")
    parser.add_argument("--verifiers", action="append", default=[], type=Path, metavar="FILE")
    chosen = parser.parse_args()
    limits = processes.Limits(cpu_seconds=chosen.time_limit, megabytes=1000 * chosen.memory_limit)
    tools, notes = peers(known_verifiers(chosen.verifiers), chosen.peer or PEERS, limits)
    print(*notes, sep="\n")
    print("\nCPU seconds and peak memory (MB); x: theirs / ours, where both are right\n")
    runner = Runner({**sley({US: ()}, chosen.time_limit).tools, **tools})
    columns: Mapping[str, int] = {"program": 18, "size": 4, US: 12, "MB": 5}
    head, widths = list(columns), list(columns.values())
    for name in tools:
        head, widths = [*head, name, "MB", "x time", "x MB"], [*widths, 14, 5, 0, 0]
    table = Table(head, widths, names=1)
    everything: list[Results] = []
    for family, sizes in chosen_sizes(FAMILIES, chosen):
        for size in sizes:
            results = runner.results(family, size)
            if not results:
                break
            everything.append(results)
            table.row(row(family, size, results, list(tools)))
    print()
    print_sums(everything, list(tools))
    return 1 if US in runner.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
