"""Attacks on everything beside the C file, in ten groups.

    python -m bench.attacks [--only WORDS] [--draw 5] [--seed 1] [--table FILE] [--show]

Each attack is a command in a folder of its own, with hostile files in it. No run may execute anything of the folder,
hang, take more memory than it may, fail with an internal error, accept what is false, or end with a code that lies. The
last lines count the faults of each group; ends with 1 if there are any.
"""

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.attacks import code, running, sides
from bench.attacks.attack import Attack
from bench.table import Table

GROUPS = (
    *(code.executed, sides.invariants, code.codes, sides.limits, sides.questions, code.caches),
    *(sides.terminal, sides.damaged, sides.leaks, code.executes),
)


def attacks(only: str = "") -> Iterator[Attack]:
    for group in GROUPS:
        yield from (one for one in group() if only in f"{one.group}: {one.name}")


def drawn(listed: list[Attack], count: int, seed: int) -> Iterator[Attack]:
    """So many of each group."""
    lot = random.Random(seed)
    for group in dict.fromkeys(one.group for one in listed):
        its = [one for one in listed if one.group == group]
        yield from lot.sample(its, min(count, len(its)))


def main() -> int:
    parser = argparse.ArgumentParser(description="Attacks on everything beside the C file.")
    parser.add_argument("--only", default="", metavar="WORDS", help="attacks in whose names this stands")
    parser.add_argument("--draw", type=int, metavar="N", help="so many of each group, by lot")
    parser.add_argument("--seed", type=int, default=1, help="of the lot")
    parser.add_argument(
        "--table", type=Path, metavar="FILE", help="write how each attack went, as JSON lines"
    )
    parser.add_argument("--show", action="store_true", help="print what each command says")
    chosen = parser.parse_args()
    running.prepare()
    table = Table(("attack", "s", "MB", "fault"), (76, 6, 6, 60), names=1)
    runs: Counter[str] = Counter()
    faulty: Counter[tuple[str, str]] = Counter()
    log = chosen.table.open("w") if chosen.table else None
    with tempfile.TemporaryDirectory() as assets:
        listed = list(attacks(chosen.only))
        for attack in listed if chosen.draw is None else drawn(listed, chosen.draw, chosen.seed):
            outcome = running.run(attack, Path(assets))
            runs[attack.group] += 1
            if outcome.faults:
                faulty[attack.group, outcome.faults[0].split()[0]] += 1
                name = f"{attack.group}: {ascii(attack.name)[1:-1]}"
                table.row(
                    [
                        name[:76],
                        f"{outcome.seconds:.1f}",
                        f"{outcome.megabytes:.0f}",
                        "; ".join(outcome.faults),
                    ]
                )
            if chosen.show:
                print(
                    f"--- {attack.name!a}: code {outcome.code}\n{ascii(outcome.output)[:3000]}".replace(
                        "\\n", "\n"
                    )
                )
            if log is not None:
                log.write(json.dumps([attack.group, attack.name, outcome.code, outcome.faults]) + "\n")
                log.flush()
    print()
    for group, count in runs.items():
        kinds = {kind: number for (one, kind), number in faulty.items() if one == group}
        said = ", ".join(f"{number} {kind.lower()}" for kind, number in sorted(kinds.items()))
        print(
            f"{group:14} {count:4} attacks, {sum(kinds.values()):3} with a fault{': ' if said else ''}{said}"
        )
    print(f"\n{runs.total()} attacks, {faulty.total()} with a fault")
    return 1 if faulty else 0


if __name__ == "__main__":
    raise SystemExit(main())
