"""The program with the invariants of a witness as assertions.

The assertions are written into a copy of the C text, on the lines where they belong, so that places stay what
they were. An invariant is read at one moment: in an atomic section.
"""

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path, PurePath

from sley.base import outside
from sley.base.errors import GaveUpError, InputError
from sley.program.properties import Property
from sley.verification.property_files import Selection
from sley.verification.task import Task
from sley.verification.witnesses.document import Invariant
from sley.verification.witnesses.expressions import printed

REFUTED = "__witness_invariant_is_false"
"""With a number behind it, is called where an invariant does not hold."""

ASKED = Selection(frozenset({Property.REACH, Property.DEREF, Property.DIVISION}), REFUTED)
"""An invariant that cannot be evaluated says nothing."""

CHECK = r"extern void __VERIFIER_atomic_begin\(void\).*?__VERIFIER_atomic_end\(\); "
"""Finds a whole assertion."""

_TEXT = re.compile(
    rb"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|^[ \t]*\#(?:\\\n|[^\n])*""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
"""What is no code, or must not be taken for it."""

_LOOP = re.compile(rb"\b(while|for|do)\b")
_COMPOUND = re.compile(rb"(\{|(if|while|for|do|switch|else)\b)")
_LABEL = re.compile(rb"(case\b|default\s*:|[A-Za-z_]\w*\s*:)")


@contextmanager
def instrumented(task: Task, invariants: Sequence[Invariant]) -> Iterator[Task]:
    """The task with all invariants asserted; the copies are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="sley-witness-") as folder:
        paths = []
        refuted = f"{REFUTED}_{os.urandom(8).hex()}"  # nothing in a program can speak of it
        asked = replace(ASKED, error_call=refuted)
        for number, path in enumerate(task.paths):
            own = [one for one in invariants if PurePath(one.place.file).name == path.name]
            copy = Path(folder) / str(number) / path.name
            copy.parent.mkdir()
            copy.write_bytes(_asserted(outside.content(path, outside.SOURCE), own, refuted))
            paths.append(copy)
        beside = tuple(dict.fromkeys(path.parent for path in task.paths))
        yield replace(task, paths=tuple(paths), include_dirs=(*task.include_dirs, *beside), selection=asked)


def _asserted(content: bytes, invariants: Sequence[Invariant], refuted: str) -> bytes:
    """The text with insertions; of those at one place, the last one comes first."""
    code = _TEXT.sub(lambda found: re.sub(rb"[^\n]", b" ", found[0]), content)
    starts = [0, *(found.end() for found in re.finditer(rb"\n", code)), len(code) + 1]
    insertions = [piece for one in invariants for piece in _insertions(code, starts, one, refuted)]
    insertions.sort(key=lambda piece: piece[0])
    pieces, done = [], 0
    for at, together in groupby(insertions, key=lambda piece: piece[0]):
        pieces += [content[done:at], *(text for _, text in reversed(list(together)))]
        done = at
    return b"".join([*pieces, content[done:]])


def _insertions(
    code: bytes, starts: Sequence[int], invariant: Invariant, refuted: str
) -> list[tuple[int, bytes]]:
    start, end = starts[invariant.place.line - 1], starts[invariant.place.line] - 1
    check = _check(invariant, refuted)
    if invariant.is_loop:
        return _in_loop(code, invariant, (start, end), check)
    at = start + (invariant.place.column - 1 if invariant.place.column else 0)
    at += len(code[at:end]) - len(code[at:end].lstrip())
    if at >= end:
        raise InputError(f"no statement in line {invariant.place.line}", invariant.span)
    if _LABEL.match(code, at):
        raise _misplaced(invariant)
    if code[:at].rstrip()[-1:] in (b"{", b"}", b";"):
        return [(at, b"{ " + check + b"} ")]
    return [(at, b"{ " + check), (_end_of_body(code, at, invariant), b" }")]


def _end_of_body(code: bytes, at: int, invariant: Invariant) -> int:
    """Behind a simple statement that is all of an ``if`` or a loop."""
    is_body = re.search(rb"(\)|\belse|\bdo)\s*$", code[:at]) is not None
    if not is_body or _COMPOUND.match(code, at):
        raise _misplaced(invariant)
    depth = 0
    for end in range(at, len(code)):
        depth += {40: 1, 41: -1}.get(code[end], 0)
        if depth == 0 and code[end : end + 1] == b";":
            return end + 1
    raise _misplaced(invariant)


def _misplaced(invariant: Invariant) -> GaveUpError:
    line = invariant.place.line
    return GaveUpError(f"an invariant in line {line}, where no statement can be put before another")


def _in_loop(
    code: bytes, invariant: Invariant, line: tuple[int, int], check: bytes
) -> list[tuple[int, bytes]]:
    """Before each test of the loop's condition."""
    start, end = line
    column = invariant.place.column
    keyword = _LOOP.search(code, start + (column - 1 if column else 0), end)
    if keyword is None or (column is not None and keyword.start() != start + column - 1):
        raise InputError(f"no loop in line {invariant.place.line}", invariant.span)
    if keyword[1] == b"do":
        raise GaveUpError(f"an invariant of the do loop in line {invariant.place.line}")
    opening = code.find(b"(", keyword.end())
    closing = _closing(code, opening)
    first, last = opening + 1, closing
    if keyword[1] == b"for":
        first, last = _semicolons(code, opening + 1, closing)
    condition = b"" if code[first:last].strip() else b"1"
    return [(first, b"({ " + check + condition), (last, b"; })")]


def _closing(code: bytes, opening: int) -> int:
    """The parenthesis that closes the one at ``opening``."""
    depth = 0
    for at in range(opening, len(code)):
        depth += {40: 1, 41: -1}.get(code[at], 0)
        if depth == 0:
            return at
    raise GaveUpError("a loop without an end")


def _semicolons(code: bytes, start: int, end: int) -> tuple[int, int]:
    """Where the condition of a ``for`` begins and ends."""
    first = code.find(b";", start, end)
    second = code.find(b";", first + 1, end)
    if first < 0 or second < 0:
        raise GaveUpError("a loop of a kind that is not known")
    return first + 1, second


def _check(invariant: Invariant, refuted: str) -> bytes:
    expression = printed(invariant.text, invariant.span)
    names = f"__VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), {refuted}(void)"
    return (
        f"extern void {names}; __VERIFIER_atomic_begin(); if (!({expression})) {refuted}(); "
        "__VERIFIER_atomic_end(); "
    ).encode()
