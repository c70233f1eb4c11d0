"""The arguments that a run was started with, where they may be any: what its model has decided of them."""

import re
from collections.abc import Iterator

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
_ANY = b"argument"
_LONGEST_SHOWN = 40


class ArgumentTexts:
    """Listens to a run."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._cells: dict[tuple[str, int], int] = {}

    def note(self, happening: Happening) -> None:
        """The model stores what it decides."""
        instruction, address = happening.edge.instruction, happening.address
        if not isinstance(instruction, ir.Store) or address is None or not is_of_model(happening):
            return
        pointers = self._program.pointers
        made = self._program.static_object(pointers.number(address))
        if made is not None and isinstance(happening.value, int):
            index = pointers.offset(address) // instruction.access.size
            self._cells[made.name, index] = happening.value

    def text(self, argument: int) -> bytes:
        """A text that is as the run found it."""
        return b"".join(self._pieces(argument)) if self._is_decided(argument) else _ANY

    def facts(self) -> Iterator[str]:
        """What is known of arguments, in the user's words."""
        numbers = {
            index // _TEXTS_OF_ONE for name, index in self._cells if name != "sley_argument_characters"
        }
        for argument in sorted(numbers):
            if self._is_decided(argument):
                yield f"argv[{argument}] = {_literal(self.text(argument))}"

    def _is_decided(self, argument: int) -> bool:
        text = argument * _TEXTS_OF_ONE
        return any((name, text) in self._cells for name in _OF_TEXTS)

    def _pieces(self, argument: int) -> Iterator[bytes]:
        text = argument * _TEXTS_OF_ONE
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
