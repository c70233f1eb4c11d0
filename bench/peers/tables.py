"""Engine `bmc` and other checkers on the same programs in the same run: processor time, peak memory, ratios.

    python -m bench.peers.tables [--time-limit 60] [--only fibonacci] [--largest 8] [--peer cbmc]

Of CBMC and Deagle, those that are on PATH as `cbmc` and `deagle`, or under the given names. They are told a
bound that all loops stay below, and check that it is one. Ends with 1 if an answer of ours is wrong.
"""

import shutil
from collections.abc import Mapping, Sequence

from bench.catalogue import CONTAINERS, FIBONACCI, INCREMENTS, TWO_LOCKED
from bench.families import Family, Results, Runner, Tool, arguments, cell, chosen_sizes, sley
from bench.measure import GRACE, Measurement, Run, run
from bench.table import Table, number, ratio

FAMILIES = (*FIBONACCI, *INCREMENTS, TWO_LOCKED, *CONTAINERS)
US = "sley"
PEERS = ("cbmc", "deagle")


def peer(command: Sequence[str], seconds: float, gigabytes: float) -> Tool:
    """A descendant of CBMC, with limits on its processor time and memory."""

    def check(family: Family, size: int) -> Measurement:
        bound = ["--unwind", str(family.unwind(size)), "--unwinding-assertions"]
        full = [*command, str(family.path), *family.macros(size), *bound]
        done = run(full, seconds + GRACE, processor_seconds=seconds, gigabytes=gigabytes)
        return Measurement(answer(done), done.seconds, megabytes=done.megabytes)

    return check


def answer(done: Run) -> str:
    """What the tool said; a loop beyond its bound is no bug."""
    if "VERIFICATION SUCCESSFUL" in done.output:
        return "safe"
    if "VERIFICATION FAILED" in done.output:
        failures = [line for line in done.output.splitlines() if line.endswith(": FAILURE")]
        return "bound" if failures and all("unwind" in line for line in failures) else "bug"
    if done.exit_code is None:
        return "time"
    return "memory" if "memory" in (done.output + done.errors).lower() else f"exit {done.exit_code}"


def peers(names: Sequence[str], seconds: float, gigabytes: float) -> tuple[dict[str, Tool], list[str]]:
    """Those that are on PATH, and a line on each."""
    found: dict[str, Tool] = {}
    notes = []
    for name in names:
        path = shutil.which(name)
        if path is None:
            notes.append(f"{name}: not on PATH")
            continue
        version = run([path, "--version"], GRACE).output.strip()
        flags = ["--allow-pointer-unsoundness"] if "deagle" in name else cbmc_flags(version)
        found[name] = peer([path, *flags], seconds, gigabytes)
        notes.append(f"{name} {version}: {' '.join([*flags, '--unwind N', '--unwinding-assertions'])}")
    return found, notes


def cbmc_flags(version: str) -> list[str]:
    """Since version 6, checks that nobody asked for are on."""
    return ["--no-standard-checks"] if version.split(".")[0].isdigit() and version >= "6" else []


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
    chosen = parser.parse_args()
    tools, notes = peers(chosen.peer or PEERS, chosen.time_limit, chosen.memory_limit)
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
