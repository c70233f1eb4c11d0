"""What memory models cost: engine `bmc` under C11 and `impact` and `explore` under TSO, each against `sc`.

    python -m bench.weak.cost [--time-limit 60] [--only indexer]

C11 on programs in growing sizes with weak orders, TSO on programs that lock. CPU seconds, one run after the
other, and their ratio; a family ends with its first size that is not decided. Ends with 1 if an answer is
wrong.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path

from bench.catalogue import INCREMENTS, INDEXER, SYNCHRONISATION
from bench.families import Family
from bench.measure import Measurement, measure
from bench.table import Table, number

PORTFOLIO = Path(__file__).parents[1] / "portfolio/programs"
ORDERS = {
    "indexer": ("ORDER=memory_order_relaxed",),
    "synchronisation": tuple(
        f"{name.upper()}=memory_order_{name}" for name in ("release", "acquire", "relaxed")
    ),
}
SIZES = (4, 8, 12, 16, 20, 24)


@dataclass(frozen=True)
class Case:
    """A program, and the flags of all its runs."""

    name: str
    path: Path
    flags: Sequence[str]
    expected: str


def under_c11() -> list[list[Case]]:
    """Families with weak orders, size by size."""
    chosen = [family for family in (*INDEXER, *SYNCHRONISATION) if not family.name.startswith("indexer-")]
    return [[_case(family, size) for size in SIZES] for family in chosen]


def _case(family: Family, size: int) -> Case:
    orders = [part for macro in ORDERS[family.file.removesuffix(".c")] for part in ("-D", macro)]
    return Case(f"{family.name} {size}", family.path, [*family.flags(size), *orders], family.expected)


def under_tso() -> list[list[Case]]:
    """Programs that lock, with each of the engines that get them with store buffers."""
    (locked,) = (family for family in INCREMENTS if family.name == "locked")
    found = [
        [
            Case(f"locked {size}, {engine}", locked.path, _flags(engine, locked.macros(size)), "safe")
            for size in (2, 3, 4)
        ]
        for engine in ("explore", "impact")
    ]
    others = sorted(PORTFOLIO.glob("*.c"))
    return found + [[Case(path.stem, path, _flags("explore", ()), "safe")] for path in others]


def _flags(engine: str, macros: Sequence[str]) -> list[str]:
    return ["--engine", engine, "--property", "reach", *macros]


def main() -> int:
    parser = argparse.ArgumentParser(description="What memory models cost.")
    parser.add_argument("--time-limit", type=float, default=60.0)
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    table = Table(["program", "model", "answer", "sc", "seconds", "ratio"], [26, 6, 12, 8, 8, 6], names=3)
    wrong = 0
    for model, families in (("c11", under_c11()), ("tso", under_tso())):
        ratios: list[float] = []
        for cases in families:
            for case in (one for one in cases if chosen.only in one.name):
                runs = [_measured(case, one, chosen.time_limit) for one in ("sc", model)]
                wrong += any({run.answer, case.expected} == {"safe", "bug"} for run in runs)
                _print(table, case, model, runs)
                if not all(run.is_decided for run in runs):
                    break
                ratios.append(runs[1].seconds / runs[0].seconds)
        if ratios:
            mean = exp(sum(map(log, ratios)) / len(ratios))
            print(f"{model}: {mean:.2f} x sc, geometric mean of {len(ratios)}; at most {max(ratios):.1f} x\n")
    return 1 if wrong else 0


def _measured(case: Case, model: str, seconds: float) -> Measurement:
    return measure(case.path, [*case.flags, "--memory-model", model], seconds)


def _print(table: Table, case: Case, model: str, runs: Sequence[Measurement]) -> None:
    before, after = runs
    ratio = number(after.seconds / before.seconds, 1) if all(run.is_decided for run in runs) else ""
    answer = after.answer if before.is_decided else f"{after.answer} (sc: {before.answer})"
    table.row([case.name, model, answer, number(before.seconds, 2), number(after.seconds, 2), ratio])


if __name__ == "__main__":
    raise SystemExit(main())
