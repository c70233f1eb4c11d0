"""Break models on purpose: ``python -m tests.contract.faults --seed 1 --count 60``.

Rows are drawn by lot. In the model of each, one statement or condition is broken, also by lot: a failure
becomes impossible or loses its ``errno``, a check or an assumption goes, a result becomes 0, a statement is
left out. The questions of the row must notice, or those of another row whose model has the same part. A fault
that none notices changes nothing, for the reason that ``EQUIVALENT`` has, or the contract says too little.
``--every`` breaks all that there is to break, each once.
"""

import argparse
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest.mock import patch

from sley.base.errors import InputError
from sley.frontend import parse
from sley.frontend.contract import ContractGroup, ContractRow, contract
from tests.contract.ask import answer_to, is_late, is_right
from tests.contract.equivalent import EQUIVALENT
from tests.contract.programs import questions

SECONDS = 60.0
"""For a question: a broken model may run for ever. Who is late has noticed nothing."""

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

    name: str
    """File, function, and what is broken there, with a number from the second such place on."""
    file: str
    function: str
    line: int
    text: str
    """The whole file, broken."""


def faults_in(row: ContractRow) -> Iterator[Fault]:
    """All faults in the model of a function and in what it calls in its own file."""
    for path in sorted(parse.MODELS.glob("*.c")):
        text = path.read_text()
        for function, (start, end) in _bodies(text, row.name).items():
            places = Counter[str]()
            for what, found, broken in _broken(text, start, end):
                name = f"{path.name} {function} {what}: {' '.join(found[0].split())}"
                places[name] += 1
                if places[name] > 1:
                    name += f" ({places[name]})"
                line = text.count("\n", 0, found.start()) + 1
                yield Fault(name, path.name, function, line, broken)


def _broken(text: str, start: int, end: int) -> Iterator[tuple[str, re.Match[str], str]]:
    for what, pattern, replacement in _BREAKS:
        for found in re.compile(pattern, re.MULTILINE).finditer(text, start, end):
            broken = text[: found.start()] + replacement + text[found.end() :]
            if broken != text:
                yield what, found, broken


def _bodies(text: str, name: str) -> dict[str, tuple[int, int]]:
    """Where the bodies of a function and of its parts stand in a file."""
    known = _known(text)
    waiting, bodies = [name], {}
    while waiting:
        one = waiting.pop()
        if one in known and one not in bodies:
            bodies[one] = known[one]
            waiting += re.findall(r"\b(\w+)\(", text[slice(*known[one])])
    return bodies


@cache
def _known(text: str) -> dict[str, tuple[int, int]]:
    return {
        found[1]: (found.start(), found.end())
        for found in re.finditer(
            r"^[A-Za-z_][^\n;=]*?\b(\w+)\([^;{]*\)\n\{\n.*?^\}", text, re.MULTILINE | re.DOTALL
        )
    }


@cache
def _rows_with(file: str, function: str) -> tuple[tuple[ContractGroup, ContractRow], ...]:
    """The rows whose models have a part."""
    text = (parse.MODELS / file).read_text()
    return tuple(
        (group, row) for group in contract() for row in group.rows if function in _bodies(text, row.name)
    )


def noticed_by(group: ContractGroup, row: ContractRow, fault: Fault) -> str | None:
    """The first question that the fault answers otherwise, those of the row first; None if none does.

    Raises ``InputError`` where the broken model is no C.
    """
    asked = dict.fromkeys([(group, row), *_rows_with(fault.file, fault.function)])
    with tempfile.TemporaryDirectory() as folder:
        models = Path(folder) / "models"
        shutil.copytree(parse.MODELS, models)
        (models / fault.file).write_text(fault.text)
        with patch.object(parse, "MODELS", models):
            for question in (one for each in asked for one in questions(*each)):
                result = answer_to(question, Path(folder), SECONDS)
                if not (is_right(question, result) or is_late(result)):
                    return f"{question.name}: {result.answer.name}"
    return None


def _drawn(
    groups: list[ContractGroup], lot: random.Random
) -> Iterator[list[tuple[ContractGroup, ContractRow, Fault]]]:
    """For each row, by lot, its faults, by lot: the first that is C counts."""
    drawn = [(group, row) for group in groups for row in group.rows]
    lot.shuffle(drawn)
    for group, row in drawn:
        faults = list(faults_in(row))
        lot.shuffle(faults)
        yield [(group, row, fault) for fault in faults]


def _every(groups: list[ContractGroup]) -> Iterator[list[tuple[ContractGroup, ContractRow, Fault]]]:
    """Each fault once, of the first row that has it."""
    found = ((group, row, fault) for group in groups for row in group.rows for fault in faults_in(row))
    known = {fault.name: (group, row, fault) for group, row, fault in reversed(list(found))}
    for name in sorted(known):
        yield [known[name]]


def _first(candidates: Iterable[tuple[ContractGroup, ContractRow, Fault]]) -> tuple[str, str] | None:
    """What became of the first fault that is C, in a word and in a line."""
    for group, row, fault in candidates:
        line = f"{row.name:28} {fault.line:4} {fault.name}"
        if fault.name in EQUIVALENT:
            return "changes nothing", f"{line}: changes nothing: {EQUIVALENT[fault.name]}"
        try:
            found = noticed_by(group, row, fault)
        except InputError:
            continue
        return ("noticed", f"{line}: {found}") if found else ("not noticed", f"{line}: NOT NOTICED")
    return None


def main() -> int:
    """Break rows by lot; 1 if a fault is not noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.contract.faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--every", action="store_true", help="every fault once, not some by lot")
    parser.add_argument("--group", action="append", help="only rows of this file; may be repeated")
    asked = parser.parse_args()
    groups = [group for group in contract() if not asked.group or group.name in asked.group]
    lots = _every(groups) if asked.every else _drawn(groups, random.Random(asked.seed))
    counts = Counter[str]()
    for candidates in lots:
        if counts.total() == asked.count and not asked.every:
            break
        said = _first(candidates)
        if said is not None:
            counts[said[0]] += 1
            sys.stdout.write(f"{said[1]}\n")
            sys.stdout.flush()
    sys.stdout.write(", ".join(f"{count} {word}" for word, count in sorted(counts.items())) + "\n")
    return 1 if counts["not noticed"] else 0


if __name__ == "__main__":
    sys.exit(main())
