"""Whether what UNKNOWN prints under *Next* helps: each flag that it names is tried.

    python -m bench.advice --seconds 10 [--count 60] [prog.c ...]

Without programs: those under tests/programs that no engine need decide. Advice helps if the answer is another
one, or if the same answer says something else under *Sure*, *Safe*, *Count*, *Open* or *Stop*. More time is
tried with ten times as much, as printed.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.test_programs import OPEN

ROOT = Path(__file__).parents[1]
_ALTERNATIVES = re.compile(r"(--(?:property|engine)) (\w+(?:, \w+)*(?: or \w+)?)")
_FLAG = re.compile(r"--(?:time-limit|each-check|memory-model|unwind)(?: [\w.]+)?")


class Tried(NamedTuple):
    """One piece of advice, and what became of it."""

    program: str
    advice: str
    before: str
    after: str

    @property
    def helps(self) -> bool:
        return self.before != self.after


def flags_in(line: str) -> Iterator[list[str]]:
    """The flags that a line of advice names; of several values, the first."""
    text = line.partition("(sley explain")[0]
    chosen = _ALTERNATIVES.search(text)
    more = [part for found in _FLAG.findall(text) for part in found.rstrip(".").split()]
    flags = [chosen[1], re.split(r", | or ", chosen[2])[0], *more] if chosen else more
    if flags:
        yield flags


def told(program: Path, seconds: float, flags: Sequence[str]) -> str:
    """The report; what is asked for last counts."""
    command = [sys.executable, "-m", "sley", "check", "--time-limit", f"{seconds:g}", *flags, str(program)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT).stdout


def part(report: str, label: str) -> str:
    """The lines under a label."""
    found = re.search(rf"^ {label}  (.*(?:\n {{7}}.*)*)", report, re.MULTILINE)
    return "" if found is None else found[1]


def core(report: str) -> str:
    """What a reader learns: the answer, what is sure, and why there is no more."""
    head = report.partition("\n")[0].split()[:1]
    labels = ("Sure", "Safe", "Count", "Open", "Stop")
    parts = [re.sub(r"\d+", "N", part(report, label)) for label in labels]
    return "\n".join([*head, *parts])


def tried(program: Path, seconds: float, *, takes_longer: bool) -> Iterator[Tried]:
    """Each advice of the report about a program; with ``takes_longer`` also that of more time."""
    report = told(program, seconds, ())
    if not report.startswith(" UNKNOWN"):
        return
    for line in re.split(r"\n {7}(?=[A-Z-])", part(report, "Next")):
        for flags in flags_in(line) if takes_longer or "--time-limit" not in line else ():
            yield Tried(program.stem, " ".join(flags), core(report), core(told(program, seconds, flags)))


def main() -> None:
    """Try the advice on programs, and count."""
    parser = argparse.ArgumentParser(prog="advice")
    parser.add_argument("--seconds", type=float, default=10, help="for each run")
    parser.add_argument("--count", type=int, default=60, help="programs at most")
    parser.add_argument("--no-longer", action="store_true", help="do not try more time")
    parser.add_argument("programs", nargs="*", type=Path)
    given = parser.parse_args()
    programs = given.programs or [ROOT / "tests" / "programs" / f"{name}.c" for name in sorted(OPEN)]
    helped: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for program in programs[: given.count]:
        for one in tried(program, given.seconds, takes_longer=not given.no_longer):
            kind = one.advice.split()[0]
            asked[kind] += 1
            helped[kind] += one.helps
            if not one.helps:
                print(f"{one.program}: {one.advice}: nothing new", flush=True)
    for kind, count in asked.items():
        print(f"{kind:16} helped {helped[kind]} of {count}")


if __name__ == "__main__":
    main()
