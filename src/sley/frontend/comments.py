"""The comments of a C file, and where its code is.

Not asked of libclang, which would have to parse headers, and what the preprocessor leaves out, once more.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPLICE = r"(?:\\[ \t]*\n)"
_TOKEN = re.compile(
    rf"""(?P<comment>/{_SPLICE}*/(?:{_SPLICE}|[^\n])*      # up to the end of a line that is not continued
                   | /{_SPLICE}*\*.*?(?:\*{_SPLICE}*/|\Z))
       | "(?:\\.|[^"\\\n])*"?                              # what is not closed ends with the line
       | '(?:\\.|[^'\\\n])*'?
       | \d(?:'?[\w.])*                                    # 1'000'000 has no character constants
       | [^\W\d]\w*""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment."""

    text: str
    """With its marks, lines that are continued in one."""
    line: int
    """Where it starts."""
    column: int
    about: int
    """The line with the code that it stands beside, or else the next line with code."""


def comments(text: str) -> Iterator[Comment]:
    """All comments; those in string literals are none."""
    code = _TOKEN.sub(_blank, text).split("\n")
    line, end = 1, 0
    for match in _TOKEN.finditer(text):
        if match["comment"] is None:
            continue
        line += text.count("\n", end, match.start())
        column = match.start() - text.rfind("\n", 0, match.start())
        is_beside = code[line - 1][: column - 1].strip()
        last = line + match[0].count("\n")
        about = line if is_beside else _with_code(code, last)
        yield Comment(re.sub(_SPLICE, " ", match[0]), line, column, about)
        line, end = last, match.end()


def _blank(token: re.Match[str]) -> str:
    """A comment without its text; other tokens as they are."""
    return token[0] if token["comment"] is None else re.sub(r"[^\n]", " ", token[0])


def _with_code(code: list[str], first: int) -> int:
    """The number of the first line with code, from this line on; this line if there is none."""
    following = enumerate(code[first - 1 :], start=first)
    return next((number for number, line in following if line.strip()), first)
