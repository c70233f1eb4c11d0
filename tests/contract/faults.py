"""Break models on purpose: ``python -m tests.contract.faults --seed 1 --count 60``.

Rows are drawn by lot. In the model of each, one statement or condition is broken, also by lot: a failure
becomes impossible or loses its ``errno``, a check or an assumption goes, a result becomes 0, a statement is
left out. The questions of the row must notice. The last lines list the faults that none did: either the
contract says too little, or the fault changes nothing.
"""

import argparse
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from sley.base.errors import InputError
from sley.frontend import parse
from sley.frontend.contract import Group, Row, contract
from tests.contract.ask import answer_to, is_right
from tests.contract.programs import questions

SECONDS = 60.0
"""For a question: a broken model may run for ever, as the tests would."""

_BREAKS = (
    ("errno is not set", r"\bsley_fails(?:_with)?\([^()]*\)", "-1"),
    ("never", r"__sley_nondet_bool\(\)", "0"),
    ("always", r"__sley_nondet_bool\(\)", "1"),
    ("fails for a reason only", r"__sley_fails_anyway\(\)", "0"),
    ("no check", r"__sley_check\(", "(void)("),
    ("no assumption", r"__sley_assume\([^;]*\);", ";"),
    ("returns 0", r"return [^;]+;", "return 0;"),
    ("left out", r"^    +(?!return|static|if|else|while|for|\}|//)[\w>*(-][^;{}]*[^\w\s]= [^;]*;$", ";"),
)


@dataclass(frozen=True)
class Fault:
    """A model with one thing broken."""

    file: str
    what: str
    line: int
    text: str
    """The whole file, broken."""


def faults_in(row: Row) -> Iterator[Fault]:
    """All faults in the model of a function and in what it calls in its own file."""
    for path in sorted(parse.MODELS.glob("*.c")):
        text = path.read_text()
        for start, end in _bodies(text, row.name):
            for what, pattern, replacement in _BREAKS:
                for found in re.compile(pattern, re.MULTILINE).finditer(text, start, end):
                    broken = text[: found.start()] + replacement + text[found.end() :]
                    if broken != text:
                        line = text.count("\n", 0, found.start()) + 1
                        yield Fault(path.name, f"{what}: {found[0].strip()}", line, broken)


def _bodies(text: str, name: str) -> list[tuple[int, int]]:
    """Where the bodies of a function and of its helpers stand in a file."""
    known = {
        found[1]: (found.start(), found.end())
        for found in re.finditer(
            r"^[A-Za-z_][^\n;=]*?\b(\w+)\([^;{]*\)\n\{\n.*?^\}", text, re.MULTILINE | re.DOTALL
        )
    }
    waiting, bodies = [name], {}
    while waiting:
        one = waiting.pop()
        if one in known and one not in bodies:
            bodies[one] = known[one]
            waiting += re.findall(r"\b(\w+)\(", text[slice(*known[one])])
    return list(bodies.values())


def noticed_by(group: Group, row: Row, fault: Fault) -> str | None:
    """The first question of the row that the fault answers otherwise; None if none does.

    Raises ``InputError`` where the broken model is no C.
    """
    with tempfile.TemporaryDirectory() as folder:
        models = Path(folder) / "models"
        shutil.copytree(parse.MODELS, models)
        (models / fault.file).write_text(fault.text)
        with patch.object(parse, "MODELS", models):
            for question in questions(group, row):
                answer = answer_to(question, Path(folder), SECONDS)
                if not is_right(question, answer):
                    return f"{question.name}: {answer.name}"
    return None


def main() -> int:
    """Break rows by lot; 1 if a fault is not noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.contract.faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--group", action="append", help="only rows of this file; may be repeated")
    asked = parser.parse_args()
    lot = random.Random(asked.seed)
    groups = [group for group in contract() if not asked.group or group.name in asked.group]
    drawn = [(group, row) for group in groups for row in group.rows]
    lot.shuffle(drawn)
    tried, missed = 0, 0
    for group, row in drawn:
        if tried == asked.count:
            break
        faults = list(faults_in(row))
        lot.shuffle(faults)
        for fault in faults:
            try:
                found = noticed_by(group, row, fault)
            except InputError:
                continue
            tried += 1
            missed += found is None
            said = found or "NOT NOTICED"
            sys.stdout.write(f"{row.name:28} {fault.file}:{fault.line} {fault.what}: {said}\n")
            sys.stdout.flush()
            break
    sys.stdout.write(f"{tried - missed} of {tried} noticed\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
