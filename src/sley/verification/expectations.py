"""What others say of litmus tests: the results beside which a folder of tests is shown.

Where they are looked for, the first that is there:

* a file that the user names: a table ``test,tso,power`` with ``allowed`` or ``forbidden`` in the columns of
  models; ``path/of/test.litmus,1`` where 1 means that the test states the truth (as of Dartagnan's tests); a
  list ``MP Allow``, as herd's tool mcompare reads it (``kinds.txt``), or a table ``MP | Ok No`` of its (the
  first column counts); or what herd prints (``Observation MP Sometimes 1 3``);
* a file ``kinds.txt`` beside the test;
* a comment ``Result: Never`` in the test, or ``Sometimes``, or ``Always``, as in the Linux kernel's tests.
"""

import csv
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span
from sley.frontend.litmus.test import LitmusTest, Quantifier
from sley.program.memory_model import MemoryModel
from sley.verification.litmus import Judgement, statement_holds

KINDS = "kinds.txt"
_RESULT = re.compile(r"\bResult:\s*(Never|Sometimes|Always)\b")
_OBSERVATION = re.compile(r"^Observation\s+(\S+)\s+(Never|Sometimes|Always)\b", re.MULTILINE)
_COMPARED = re.compile(r"^(\S+)\s*\|\s*(Ok|No)\b", re.MULTILINE)
_KIND = re.compile(r"^(\S+)\s+(Allow|Forbid|Require)\w*", re.MULTILINE)
_WORDS = {"allowed": Judgement.ALLOWED, "forbidden": Judgement.FORBIDDEN}

Expectation = Callable[[LitmusTest, MemoryModel], Judgement | None]
"""What is expected of a test under a model; None: nothing is said."""


def beside_tests(test: LitmusTest, _: MemoryModel) -> Judgement | None:
    """What a file in the folder of a test says, or the test itself."""
    kinds = test.path.parent / KINDS
    if kinds.is_file():
        found = _listed(outside.text(kinds, outside.EXPECTED))(test, MemoryModel.SC)
        if found is not None:
            return found
    said = _RESULT.search(test.comments)
    return None if said is None else _observed(test, said[1])


def from_file(path: Path) -> Expectation:
    """What a file says."""
    text = outside.text(path, outside.EXPECTED)
    if path.suffix == ".csv":
        try:
            rows = [row for row in csv.reader(text.splitlines()) if row and not row[0].startswith("#")]
        except csv.Error as error:
            raise InputError(f"not a table: {error}", Span(str(path), 1, 1)) from None
        is_table = bool(rows) and rows[0][0] in ("test", "name", "file")
        return _table(rows, path) if is_table else _truths(rows, path)
    return _listed(text)


def _observed(test: LitmusTest, word: str) -> Judgement:
    """How often herd sees what the question is about."""
    is_forbidden = word == ("Always" if test.quantifier is Quantifier.ALWAYS else "Never")
    return Judgement.FORBIDDEN if is_forbidden else Judgement.ALLOWED


def _stated(test: LitmusTest, *, is_true: bool) -> Judgement:
    """Whether the test states the truth."""
    fitting = (Judgement.ALLOWED, Judgement.FORBIDDEN)
    return next(one for one in fitting if statement_holds(test.quantifier, one) == is_true)


def _listed(text: str) -> Expectation:
    observed: Mapping[str, str] = dict(_OBSERVATION.findall(text))
    compared: Mapping[str, str] = dict(_COMPARED.findall(text))
    kinds: Mapping[str, str] = {} if observed or compared else dict(_KIND.findall(text))

    def expected(test: LitmusTest, _: MemoryModel) -> Judgement | None:
        if test.name in observed:
            return _observed(test, observed[test.name])
        if test.name in compared:
            return _stated(test, is_true=compared[test.name] == "Ok")
        kind = kinds.get(test.name)
        return None if kind is None else Judgement.ALLOWED if kind == "Allow" else Judgement.FORBIDDEN

    return expected


def _table(rows: list[list[str]], path: Path) -> Expectation:
    columns = rows[0][1:]
    found = {(row[0], model): word for row in rows[1:] for model, word in zip(columns, row[1:], strict=False)}
    for word in found.values():
        if word and word not in _WORDS:
            raise InputError(f"`{word[:100]}` is neither `allowed` nor `forbidden`", Span(str(path), 1, 1))

    def expected(test: LitmusTest, model: MemoryModel) -> Judgement | None:
        return _WORDS.get(found.get((test.name, model.value), ""))

    return expected


def _truths(rows: list[list[str]], path: Path) -> Expectation:
    by_name: dict[str, list[tuple[str, bool]]] = {}
    for row in rows:
        if len(row) < 2 or row[-1].strip() not in ("0", "1"):
            raise InputError(f"`{','.join(row)[:100]}` is not a test and 0 or 1", Span(str(path), 1, 1))
        by_name.setdefault(Path(row[0]).name, []).append((row[0], row[-1].strip() == "1"))

    def expected(test: LitmusTest, _: MemoryModel) -> Judgement | None:
        whole = test.path.resolve().as_posix()
        for name, is_true in by_name.get(test.path.name, []):
            if f"/{whole}".endswith(f"/{name}"):
                return _stated(test, is_true=is_true)
        return None

    return expected
