"""What the format strings of ``printf`` and ``scanf`` ask for."""

import re
from dataclasses import dataclass

_LENGTH = r"(?P<length>hh|h|ll|l|j|z|t|L|m)?"
_PRINTED = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*|\*)(?:\.(?P<precision>\d*|\*))?" + _LENGTH + r"(?P<letter>[a-zA-Z%])"
)
_SCANNED = re.compile(
    r"%(?P<flags>\*?)(?P<width>\d*)(?P<precision>)" + _LENGTH + r"(?P<letter>\[\^?\]?[^\]]*\]|[a-zA-Z%])"
)


@dataclass(frozen=True, slots=True)
class Conversion:
    """One conversion specification, such as ``%-5ld``."""

    letter: str
    """The first character of what says how: ``d``, or ``[`` for a set of characters."""
    flags: str = ""
    width: str = ""
    precision: str | None = None
    length: str = ""

    @property
    def arguments(self) -> int:
        """How many arguments it takes when it prints."""
        return (self.letter != "%") + (self.width == "*") + (self.precision == "*")


Piece = str | Conversion


def printed(text: str) -> list[Piece] | None:
    """The pieces of a format of ``printf``; None if it is not one."""
    return _pieces(text, _PRINTED)


def scanned(text: str) -> list[Piece] | None:
    """The pieces of a format of ``scanf``; None if it is not one."""
    return _pieces(text, _SCANNED)


def _pieces(text: str, specification: "re.Pattern[str]") -> list[Piece] | None:
    pieces: list[Piece] = []
    position = 0
    while position < len(text):
        end = text.find("%", position)
        if end != position:
            end = len(text) if end < 0 else end
            pieces.append(text[position:end])
            position = end
            continue
        found = specification.match(text, position)
        if found is None:
            return None
        parts = found.groupdict()
        letter = parts["letter"][0]
        precision = parts["precision"]
        pieces.append(
            Conversion(letter, parts["flags"], parts["width"] or "", precision, parts["length"] or "")
        )
        position = found.end()
    return pieces
