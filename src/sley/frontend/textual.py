"""The other way in: a program in textual form (``program.notation``), as ``sley show cfg`` prints it."""

from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span
from sley.program.parser import parse_program
from sley.program.program import Program
from sley.program.validate import InvalidProgramError, validate

SUFFIX = ".sley"


def load_text(path: Path) -> Program:
    """The program in a file; raises ``InputError`` with the place if it is none, or not a well-formed one."""
    try:
        program = parse_program(outside.text(path, outside.TEXTUAL), str(path))
        validate(program, is_flat=False)
    except ValueError as error:  # Python reads no number of thousands of digits
        raise InputError(f"not a program: {outside.said(error)}", Span(str(path), 1, 1)) from None
    except InvalidProgramError as error:
        raise InputError(str(error), Span(str(path), 1, 1)) from None
    return program
