r"""From the text of a litmus test to its parts, as herd reads it.

::

    X86 SB                            the language and the name
    "PodWR Fre PodWR Fre"             remarks, which are not read
    { x=0; 1:EAX=1; }                 first values; what is not mentioned is 0
     P0          | P1          ;      a column for each thread, or functions in C
     MOV [x],$1  | MOV [y],$1  ;
     MOV EAX,[y] | MOV EBX,[x] ;
    exists (0:EAX=0 /\ 1:EBX=0)       or ~exists, or forall

``final`` asks what ``exists`` does. Before the question there may be ``locations``, which only asks herd to
print, and ``filter``, which is not supported. Comments are ``(* … *)``, in C also ``//`` and ``/* … */``.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError, Unsupported, UnsupportedFeatureError
from sley.base.source import Span
from sley.frontend.litmus.outcomes import parse_outcome
from sley.frontend.litmus.test import CFunction, Line, LitmusLanguage, LitmusTest, Quantifier, atoms

_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
_C_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_HEAD = re.compile(r"\s*(\w+)[ \t]+(\S+)[^\n]*")
_QUESTION = re.compile(r"(?<![\w~])(exists|~\s*exists|forall|final)\b")
_AFTERWARDS = re.compile(r"<<|^\s*(?:with|observed|flag)\b", re.MULTILINE)
_BEFORE_QUESTION = re.compile(r"^\s*(locations|filter)\b", re.MULTILINE)
_ARM_REGISTER = re.compile(r"(\b\d+:\s*)[wWx](\d+\b)")
_FUNCTION = re.compile(r"\bP(\d+)\s*\(([^)]*)\)\s*\{")
_PARAMETER = re.compile(r"\s*((?:\w+\s+)*\w+)\s*\*\s*(?:const\s+|volatile\s+)*(\w+)\s*$")
_FIRST_VALUE = re.compile(
    r"(?:[\w\s*]*?\s)??(?:P?(?P<thread>\d+):)?\[?(?P<name>%?[A-Za-z_]\w*)\]?\s*(?:\[\d*\]\s*)?"
    r"(?:=\s*(?P<value>\{[^}]*\}|&?-?\w+))?$"
)


def read_test(path: Path) -> LitmusTest:
    """The test in a file; ``InputError`` if there is none."""
    return _LitmusReading(path, outside.text(path, outside.LITMUS)).test()


def _blanks(match: re.Match[str]) -> str:
    """As much white space, on as many lines."""
    return re.sub(r"[^\n]", " ", match.group())


class _LitmusReading:
    """One file; places in the text stay the same when comments become blanks."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.original = text
        found = _COMMENT.findall(text)
        self.text = _COMMENT.sub(_blanks, text)
        head = _HEAD.match(self.text)
        if head is None:
            raise self._error("a litmus test begins with a language and a name, such as `C MP`", 0)
        if head[1] not in [one.value for one in LitmusLanguage]:
            known = ", ".join(one.value for one in LitmusLanguage)
            raise self._unsupported(f"litmus tests for `{head[1]}`, only {known}", head.start(1))
        self.architecture, self.name = LitmusLanguage(head[1]), head[2]
        if self.architecture is LitmusLanguage.C:
            found += _C_COMMENT.findall(self.text)
            self.text = _C_COMMENT.sub(_blanks, self.text)
        if self.architecture is LitmusLanguage.ARM:  # W0 is a part of X0
            self.text = _ARM_REGISTER.sub(r"\1X\2", self.text)
        self.comments = "\n".join(found)

    def _span(self, at: int) -> Span:
        line = self.text.count("\n", 0, at) + 1
        return Span(str(self.path), line, at - self.text.rfind("\n", 0, at))

    def _error(self, message: str, at: int) -> InputError:
        return InputError(message, self._span(at))

    def _unsupported(self, what: str, at: int) -> UnsupportedFeatureError:
        return UnsupportedFeatureError((Unsupported(what, self._span(at)),))

    def test(self) -> LitmusTest:
        """All parts."""
        opening = self.text.find("{")
        if opening < 0:
            raise self._error("there are no first values: `{ }` is missing", 0)
        closing = self._closing(opening)
        memory, registers = self._first_values(opening + 1, closing)
        question = self._question(closing)
        is_c = self.architecture is LitmusLanguage.C
        functions = tuple(self._functions(closing + 1, question.start())) if is_c else ()
        threads = () if is_c else self._columns(closing + 1, question.start())
        if not functions and not threads:
            raise self._error("there are no threads", closing)
        afterwards = _AFTERWARDS.search(self.text, question.end())
        text = self.text[question.end() : afterwards.start() if afterwards else None]
        outcome = parse_outcome(text.strip().rstrip(";"), self._span(question.start()))
        numbers = {function.number for function in functions} or set(range(len(threads)))
        for atom in atoms(outcome):
            if atom.thread is not None and atom.thread not in numbers:
                raise self._error("the final condition is about a thread that there is not", question.start())
        return LitmusTest(
            path=self.path,
            text=self.text,
            name=self.name,
            architecture=self.architecture,
            memory=memory,
            registers=registers,
            threads=threads,
            functions=functions,
            quantifier=Quantifier(re.sub(r"\s", "", question[1]).replace("final", "exists")),
            outcome=outcome,
            place=self._span(question.start()),
            comments=self.comments,
        )

    def _closing(self, opening: int) -> int:
        depth = 0
        for match in re.finditer(r"[{}]", self.text[opening:]):
            depth += 1 if match.group() == "{" else -1
            if depth == 0:
                return opening + match.start()
        raise self._error("a brace is not closed", opening)

    def _first_values(
        self, start: int, end: int
    ) -> tuple[Mapping[str, tuple[int, ...]], Mapping[tuple[int | None, str], int | str]]:
        memory: dict[str, tuple[int, ...]] = {}
        registers: dict[tuple[int | None, str], int | str] = {}
        at = start
        for part in re.split(r";(?![^{]*\})", self.text[start:end]):
            match = _FIRST_VALUE.match(part.strip())
            if match is None and part.strip():
                raise self._error(f"cannot read `{part.strip()}`", at + len(part) - len(part.lstrip()))
            if match is not None:
                values = self._values(match["value"] or "0", at)
                if match["name"].startswith("%") or match["thread"] is not None:
                    thread = None if match["thread"] is None else int(match["thread"])
                    registers[thread, match["name"]] = values[0]
                elif all(isinstance(value, int) for value in values):
                    memory[match["name"]] = tuple(int(value) for value in values)
                else:
                    raise self._unsupported("an address in memory", at)
            at += len(part) + 1
        return memory, registers

    def _values(self, text: str, at: int) -> list[int | str]:
        words = [word.strip() for word in text.strip("{}").split(",")]
        found: list[int | str] = []
        for word in words:
            try:
                found.append(int(word, 0))
            except ValueError:
                if re.fullmatch(r"&?[A-Za-z_]\w*", word) is None:
                    raise self._error(f"cannot read the value `{word}`", at) from None
                found.append(word.lstrip("&"))
        return found

    def _question(self, start: int) -> re.Match[str]:
        question = _QUESTION.search(self.text, start)
        if question is None:
            raise self._error("there is no `exists`, `~exists` or `forall`", len(self.text.rstrip()))
        return question

    def _functions(self, start: int, end: int) -> Iterator[CFunction]:
        position = start
        while (match := _FUNCTION.search(self.text, position, end)) is not None:
            body = match.end() - 1
            position = self._closing(body)
            parameters = tuple(self._parameters(match[2], match.start(2)))
            yield CFunction(int(match[1]), parameters, match.start(), body, position)

    def _parameters(self, text: str, at: int) -> Iterator[tuple[str, str]]:
        for part in text.split(",") if text.strip() else ():
            match = _PARAMETER.match(part)
            if match is None:
                raise self._unsupported(f"the parameter `{part.strip()}`, which is no pointer", at)
            yield " ".join(match[1].replace("volatile", " ").split()), match[2]

    def _columns(self, start: int, end: int) -> tuple[tuple[Line, ...], ...]:
        if (before := _BEFORE_QUESTION.search(self.text, start, end)) is not None:
            if before[1] == "filter":
                raise self._unsupported("`filter`", before.start(1))
            end = before.start()
        rows = list(self._rows(start, end))
        if not rows or not all(re.fullmatch(r"P\d+", line.text) for line in rows[0]):
            raise self._error("the first row must name the threads: `P0 | P1 ;`", start)
        columns: list[list[Line]] = [[] for _ in rows[0]]
        for row in rows[1:]:
            if len(row) > len(columns):
                raise InputError("a row has more columns than there are threads", row[-1].span)
            for column, line in zip(columns, row, strict=False):
                if line.text:
                    column.append(line)
        return tuple(map(tuple, columns))

    def _rows(self, start: int, end: int) -> Iterator[list[Line]]:
        """The cells of each row that has any."""
        for row in re.finditer(r"[^;]+", self.text[start:end]):
            cells, at = [], start + row.start()
            for cell in row.group().split("|"):
                where = at + len(cell) - len(cell.lstrip())
                cells.append(Line(" ".join(cell.split()), self._span(where)))
                at += len(cell) + 1
            if any(cell.text for cell in cells):
                yield cells
