"""The program with the invariants of a witness as assertions.

The assertions are written into a copy of the C text, on the lines where they belong, so that places stay what
they were. An invariant is read at one moment: in an atomic section.
"""

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePath

from sley.base.errors import GaveUpError, InputError
from sley.program.properties import Property
from sley.verification.property_files import Selection
from sley.verification.task import Task
from sley.verification.witnesses.document import Invariant

REFUTED = "__witness_invariant_is_false"
"""Is called where an invariant does not hold."""

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
        for number, path in enumerate(task.paths):
            own = [one for one in invariants if _is_in(one, path, task)]
            copy = Path(folder) / str(number) / path.name
            copy.parent.mkdir()
            copy.write_bytes(_asserted(path.read_bytes(), own))
            paths.append(copy)
        beside = tuple(dict.fromkeys(path.parent for path in task.paths))
        yield replace(task, paths=tuple(paths), include_dirs=(*task.include_dirs, *beside), selection=ASKED)


def _is_in(invariant: Invariant, path: Path, task: Task) -> bool:
    file = invariant.place.file
    return len(task.paths) == 1 if file is None else PurePath(file).name == path.name


def _asserted(content: bytes, invariants: Sequence[Invariant]) -> bytes:
    """The text with insertions, the last place first."""
    code = _TEXT.sub(lambda found: re.sub(rb"[^\n]", b" ", found[0]), content)
    insertions = [piece for one in invariants for piece in _insertions(code, one)]
    for at, text in sorted(insertions, key=lambda piece: piece[0], reverse=True):
        content = content[:at] + text + content[at:]
    return content


def _insertions(code: bytes, invariant: Invariant) -> list[tuple[int, bytes]]:
    start, end = _line(code, invariant)
    if invariant.is_loop:
        return _in_loop(code, invariant, start, end)
    if not invariant.is_exact:
        raise GaveUpError(f"an invariant after line {invariant.place.line}, which is no loop")
    at = start + (invariant.place.column - 1 if invariant.place.column else 0)
    at += len(code[at:end]) - len(code[at:end].lstrip())
    if at >= end:
        raise InputError(f"no statement in line {invariant.place.line}", invariant.span)
    if _LABEL.match(code, at):
        raise _misplaced(invariant)
    if code[:at].rstrip()[-1:] in (b"{", b"}", b";"):
        return [(at, b"{ " + _check(invariant) + b"} ")]
    return [(at, b"{ " + _check(invariant)), (_end_of_body(code, at, invariant), b" }")]


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


def _line(code: bytes, invariant: Invariant) -> tuple[int, int]:
    lines = code.split(b"\n")
    start = sum(len(line) + 1 for line in lines[: invariant.place.line - 1])
    return start, start + len(lines[invariant.place.line - 1])


def _in_loop(code: bytes, invariant: Invariant, start: int, end: int) -> list[tuple[int, bytes]]:
    """Before each test of the loop's condition."""
    column = invariant.place.column
    end = end if invariant.is_exact else len(code)
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
    return [(first, b"({ " + _check(invariant) + condition), (last, b"; })")]


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


def _check(invariant: Invariant) -> bytes:
    expression = " ".join(invariant.text.split())
    names = f"__VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), {REFUTED}(void)"
    return (
        f"extern void {names}; __VERIFIER_atomic_begin(); if (!({expression})) {REFUTED}(); "
        "__VERIFIER_atomic_end(); "
    ).encode()
