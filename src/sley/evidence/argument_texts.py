"""The arguments and the environment of a run, where they may be any: what models have decided of them."""

import re
from collections.abc import Iterator

from sley.evidence.remarks import Value
from sley.program import instructions as ir
from sley.program.program import Program
from sley.semantics.step import Happening

_MODEL = "sley_argument"
"""What the names of the model's functions and variables begin with (``models/arguments.c``)."""
_LENGTHS, _NUMBERS, _CHARACTERS = f"{_MODEL}_lengths", f"{_MODEL}_numbers", f"{_MODEL}_characters"
_OF_TEXTS = (_LENGTHS, _NUMBERS)
_KNOWN_CHARACTERS = 16
_TEXTS_OF_ONE = 2
"""An argument, and the value of an option in it."""
_FIRST_VARIABLE = 8
"""The texts behind those of arguments are values of the environment."""
VARIABLES = 4
"""So many of them."""
_VARIABLES, _WORDS_OF_NAME = "sley_environment", 3
"""Where the model of the environment keeps names, each with a pointer (``models/environment.c``)."""
_ANY = b"argument"
_LONGEST_SHOWN = 40


class ArgumentTexts:
    """Listens to a run."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._cells: dict[tuple[str, int], int] = {}

    def note(self, happening: Happening) -> None:
        """The models store what they decide, and which variables of the environment they know."""
        instruction, address = happening.edge.instruction, happening.address
        if not isinstance(instruction, ir.Store) or address is None:
            return
        pointers = self._program.pointers
        made = self._program.static_object(pointers.number(address))
        if made is None or not isinstance(happening.value, int):
            return
        offset = pointers.offset(address)
        if is_of_model(happening):
            self._cells[made.name, offset // instruction.access.size] = happening.value
        elif made.name == _VARIABLES:
            variable, rest = divmod(offset, 8 * _WORDS_OF_NAME + pointers.width // 8)
            self._cells[_VARIABLES, variable * (_WORDS_OF_NAME + 1) + rest // 8] = happening.value

    def text(self, argument: int) -> bytes:
        """An argument of the program that is as the run found it."""
        return self._text(argument * _TEXTS_OF_ONE)

    def value(self, variable: int) -> bytes:
        """The same of the value of a variable of the environment, by its number."""
        return self._text(_FIRST_VARIABLE + variable)

    def facts(self) -> Iterator[Value]:
        """What is known of arguments and variables."""
        texts = {
            index // (_KNOWN_CHARACTERS if name == _CHARACTERS else 1)
            for name, index in self._cells
            if name in (*_OF_TEXTS, _CHARACTERS)
        }
        for text in sorted(filter(self._is_decided, texts)):
            if text >= _FIRST_VARIABLE:
                yield Value(self._name(text - _FIRST_VARIABLE), _literal(self._text(text)))
            elif text % _TEXTS_OF_ONE == 0:
                yield Value(f"argv[{text // _TEXTS_OF_ONE}]", _literal(self._text(text)))

    def _name(self, variable: int) -> str:
        """Its characters are numbers in front of where its value is."""
        first = variable * (_WORDS_OF_NAME + 1)
        words = (self._cells.get((_VARIABLES, first + word), 0) for word in range(_WORDS_OF_NAME))
        return b"".join(word.to_bytes(8, "little") for word in words).rstrip(b"\0").decode("latin-1")

    def _is_decided(self, text: int) -> bool:
        return any((name, text) in self._cells for name in _OF_TEXTS)

    def _text(self, text: int) -> bytes:
        return b"".join(self._pieces(text)) if self._is_decided(text) else _ANY

    def _pieces(self, text: int) -> Iterator[bytes]:
        length = self._cells.get((_LENGTHS, text))
        number = self._cells.get((_NUMBERS, text))
        if number is not None:
            digits = b"" if length == 1 else b"%d" % _signed(number)
            yield digits if length is None else digits.rjust(length - 1)
            return
        assert length is not None
        for at in range(length - 1):
            index = text * _KNOWN_CHARACTERS + at
            known = self._cells.get((_CHARACTERS, index)) if at < _KNOWN_CHARACTERS else None
            yield b"a" if known is None else bytes((known & 0xFF,))


def is_of_model(happening: Happening) -> bool:
    """Whether the model of arguments does this."""
    return happening.edge.origin.function.startswith(_MODEL)


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _literal(text: bytes) -> str:
    shown = text[:_LONGEST_SHOWN].decode("latin-1")
    escaped = re.sub(r"[^ -~]|[\"\\]", lambda found: f"\\{ord(found[0]):03o}", shown)
    return f'"{escaped}"' + ("..." if len(text) > _LONGEST_SHOWN else "")
