"""What the format strings of ``printf`` and ``scanf`` ask for."""

import re
from dataclasses import dataclass, field

_POSITION = r"(?:(?P<position>\d+)\$)?"
_LENGTH = r"(?P<length>hh|h|ll|l|j|z|t|L|m)?"
_NUMBER = r"\d*|\*(?:\d+\$)?"
_PRINTED = re.compile(
    rf"%{_POSITION}(?P<flags>[-+ #0']*)(?P<width>{_NUMBER})(?:\.(?P<precision>{_NUMBER}))?"
    rf"(?P<length>hh|h|ll|l|j|z|t|L)?(?P<letter>[a-zA-Z%])"
)
_SCANNED = re.compile(
    rf"%{_POSITION}(?P<flags>\*?)(?P<width>\d*)(?P<precision>){_LENGTH}"
    r"(?P<letter>\[\^?\]?[^\]]*\]|[a-zA-Z%])"
)
_WITHOUT_VALUE = ("%", "m")


@dataclass(frozen=True, slots=True)
class Conversion:
    """One conversion specification, such as ``%-5ld``."""

    letter: str
    """The first character of what says how: ``d``, or ``[`` for a set of characters."""
    flags: str = ""
    width: str = ""
    precision: str | None = None
    length: str = ""
    position: str = ""
    """Which argument it is for, counted from 1, if it says so."""
    letter_at: int = field(default=0, compare=False)
    """Where its letter stands."""


Piece = str | Conversion


@dataclass(frozen=True, slots=True)
class Use:
    """Which arguments a conversion takes, counted from 0: for itself, its width and its precision."""

    conversion: Conversion
    value: int | None
    width: int | None = None
    precision: int | None = None


def uses(pieces: list[Piece]) -> list[Use]:
    """What each conversion of a format takes: the arguments in order, or those whose positions it names."""
    found: list[Use] = []
    taken = 0

    def take(position: str) -> int:
        nonlocal taken
        if position:
            return int(position) - 1
        taken += 1
        return taken - 1

    for piece in pieces:
        if isinstance(piece, Conversion):
            stars = [
                take(number[1:].removesuffix("$")) if number.startswith("*") else None
                for number in (piece.width, piece.precision or "")
            ]
            has_value = piece.letter not in _WITHOUT_VALUE and "*" not in piece.flags
            value = take(piece.position) if has_value else None
            found.append(Use(piece, value, *stars))
    return found


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
            Conversion(
                letter,
                parts["flags"],
                parts["width"] or "",
                precision,
                parts["length"] or "",
                parts["position"] or "",
                found.start("letter"),
            )
        )
        position = found.end()
    return pieces
