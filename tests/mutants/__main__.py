"""Run the seeded faults: ``python -m tests.mutants [NAME ...] [--search]``.

For every fault its engine is asked about the witnesses. With ``--search`` it is asked about all programs with
a violation instead, small ones first, until a few are found on which it claims something wrong.
"""

import argparse
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.marked_programs import FOLDER, marks_of
from tests.mutants.mutant import Mutant, mutants, mutated_source

ROOT = Path(__file__).parents[2]
ENOUGH = 4
"""So many witnesses are looked for."""


def judgements(
    mutant: Mutant, programs: list[str], seconds: float, enough: int
) -> dict[str, tuple[bool, str]]:
    """For each program whether the claim was wrong, and what became of it."""
    with mutated_source(mutant) as source:
        command = [sys.executable, "-m", "tests.mutants.judge", mutant.engine, str(seconds), str(enough)]
        environment = dict(os.environ, PYTHONPATH=f"{source}{os.pathsep}{ROOT}")
        done = subprocess.run(
            [*command, *programs], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    found = {}
    for line in done.stdout.splitlines():
        name, is_wrong, fate = line.split("\t")
        found[name] = (is_wrong == "wrong", fate)
    if done.returncode:
        found[programs[len(found)]] = (True, "crash")  # the process is gone
    return found


def main() -> int:
    """Run them; 1 if a wrong answer got through, or a fault shows nowhere."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--among", nargs="*", default=[""], help="folders of tests/programs to search")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    chosen = [m for m in mutants() if not arguments.names or m.name in arguments.names]
    violated = [path for path in FOLDER.rglob("*.c") if marks_of(path).violated]
    small_first = sorted(violated, key=lambda path: (path.stat().st_size, path))
    names = [str(path.relative_to(FOLDER).with_suffix("")) for path in small_first]
    every = [name for name in names if name.startswith(tuple(arguments.among))]

    def run(mutant: Mutant) -> dict[str, tuple[bool, str]]:
        if arguments.search:
            return judgements(mutant, every, arguments.seconds, ENOUGH)
        return judgements(mutant, list(mutant.witnesses), arguments.seconds, len(mutant.witnesses))

    totals = Counter[str]()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for mutant, found in zip(chosen, pool.map(run, chosen), strict=True):
            wrong = {name: fate for name, (is_wrong, fate) in found.items() if is_wrong}
            fates = Counter(wrong.values())
            said = ", ".join(f"{fate} {count}" for fate, count in sorted(fates.items())) or "shows nowhere"
            is_caught = bool(fates.keys() - {"crash"}) and "WRONG ANSWER" not in fates
            totals["caught" if is_caught else "not caught"] += 1
            sys.stdout.write(f"{mutant.engine:9} {mutant.name:40} {said}\n")
            if arguments.search:
                sys.stdout.writelines(f"    {name}: {fate}\n" for name, fate in wrong.items())
            sys.stdout.flush()
    sys.stdout.write(f"{len(chosen)} faults: {totals['caught']} caught before an answer\n")
    return 1 if totals["not caught"] else 0


if __name__ == "__main__":
    sys.exit(main())
