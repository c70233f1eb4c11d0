"""Which marked programs an engine must decide: ``tests/programs/decided.txt``, and how it is made.

A line names a program and the engines that have the right answer to all that they are asked about it, or
with the questions in brackets if not to all: ``race/counter: bmc impact(holds)``. Of ``explore`` nothing is
said: it must decide every program but those of ``tests/test_programs.py`` that are open.

``python -m tests.decided --update`` asks all engines about all programs and writes the file anew;
``--only folder`` asks about a part and keeps the other lines, ``--engine bmc`` asks one engine. A line that
vanishes is power lost: say why.
"""

import argparse
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sley.verification.result import Answer
from tests.limits import AMPLE
from tests.marked_programs import FOLDER, PROGRAMS, SCOPES, Question, answered, name_of, questions

FILE = FOLDER / "decided.txt"
ENGINES = tuple(sorted(set(SCOPES) - {"explore"}))
LIMIT = AMPLE
"""Seconds that a listed engine has at most."""
SECONDS = {"abstract": 2.0, "bmc": 4.0, "impact": 6.0, "modular": 1.0, "symmetry": 2.0}
"""Seconds that engines are asked for when the list is made."""
SURE = 3.0
"""Listed is what takes at most this much processor time: a small part of the limit."""

Decided = Mapping[str, frozenset[tuple[str, str]]]
"""The engines and questions of each program."""


def read(text: str) -> Decided:
    """What a file says; an engine without brackets decides every question."""
    return dict(_line(line) for line in text.splitlines() if line and not line.startswith("#"))


def _line(line: str) -> tuple[str, frozenset[tuple[str, str]]]:
    name, said = line.split(": ")
    found: set[tuple[str, str]] = set()
    for word in said.split(" "):
        match = re.fullmatch(r"(\w+)(?:\(([\w,]+)\))?", word)
        assert match is not None, line
        assert match[1] in ENGINES, line
        asked = match[2].split(",") if match[2] else _asked(name, match[1])
        found |= {(match[1], question) for question in asked}
    return name, frozenset(found)


def _asked(name: str, engine: str) -> list[str]:
    paths = [FOLDER / f"{name}{suffix}" for suffix in (".c", ".i")]
    return [q.name for path in paths if path.exists() for q in askable(path, engine)]


def written(decided: Decided) -> str:
    """The text of a file."""
    lines = ((name, " ".join(_words(name, decided[name]))) for name in sorted(decided))
    head = "# What engines must decide; see tests/decided.py, which writes this file.\n"
    return head + "".join(f"{name}: {words}\n" for name, words in lines if words)


def _words(name: str, found: frozenset[tuple[str, str]]) -> Iterator[str]:
    for engine in ENGINES:
        asked = _asked(name, engine)
        known = [question for question in asked if (engine, question) in found]
        if known:
            yield engine if known == asked else f"{engine}({','.join(known)})"


def decided_now(path: Path, engines: Iterable[str] = ENGINES) -> Iterator[tuple[str, str]]:
    """The engines and questions whose right answer comes soon."""
    for engine in engines:
        for question in askable(path, engine):
            started = time.process_time()
            answer = answered(path, engine, question.properties, SECONDS[engine]).answer
            if answer is question.expected and time.process_time() - started < SURE:
                yield engine, question.name


def askable(path: Path, engine: str) -> Iterator[Question]:
    """The questions that an engine may have an answer to."""
    for question in questions(path, engine):
        is_beyond = question.expected is Answer.BUG and not SCOPES[engine].can_find
        if question.expected is not Answer.UNKNOWN and not is_beyond:
            yield question


def main(arguments: list[str] | None = None) -> int:
    """Ask, and write the file."""
    parser = argparse.ArgumentParser(prog="tests.decided")
    parser.add_argument("--update", action="store_true", required=True)
    parser.add_argument("--only", default="", help="programs whose name starts so")
    parser.add_argument("--engine", choices=ENGINES, help="what the others decide is kept")
    parsed = parser.parse_args(arguments)
    is_part = parsed.only or parsed.engine
    known = dict(read(FILE.read_text())) if FILE.exists() and is_part else {}
    engines = ENGINES if parsed.engine is None else (parsed.engine,)
    for path in _chosen(parsed.only):
        kept = {one for one in known.get(name_of(path), ()) if one[0] not in engines}
        known[name_of(path)] = frozenset({*kept, *decided_now(path, engines)})
        sys.stdout.write(f"{name_of(path)}: {' '.join(_words(name_of(path), known[name_of(path)]))}\n")
        sys.stdout.flush()
    names = {name_of(path) for path in PROGRAMS}
    FILE.write_text(written({name: found for name, found in known.items() if name in names}))
    return 0


def _chosen(prefix: str) -> Iterable[Path]:
    return (path for path in PROGRAMS if name_of(path).startswith(prefix))


if __name__ == "__main__":
    sys.exit(main())
