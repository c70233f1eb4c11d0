"""``python -m tests.fuzz --count 2000``: a campaign over random programs; exit 1 if any law fails."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.laws import disagreements, interpreter_disagreements, loaded
from tests.fuzz.random_programs import random_program


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    started, failures = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.c"
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            path.write_text(random_program(seed))
            program = loaded(path)
            problems = [*disagreements(program), *interpreter_disagreements(program)]
            for problem in problems:
                failures += 1
                sys.stdout.write(f"seed {seed}: {problem}\n")
            done = seed - arguments.seed + 1
            if done % 100 == 0:
                seconds = time.monotonic() - started
                sys.stdout.write(f"{done} programs, {failures} failures, {seconds:.0f} s\n")
    sys.stdout.write(f"{arguments.count} programs compared, {failures} failures\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
