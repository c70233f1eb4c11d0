"""Calls of functions of the models that no call in C stands for."""

from collections.abc import Sequence

from sley.frontend.c_types import FunctionType, result_sort
from sley.frontend.emitter import Emitter
from sley.frontend.program_objects import ProgramObjects
from sley.logic.terms import Term
from sley.program.instructions import Call


def call_model(objects: ProgramObjects, emitter: Emitter, name: str, values: Sequence[Term]) -> Term:
    """Call a function of the models with these values, which fit its parameters; what it returns."""
    library = objects.library
    definition = library.model(name)
    assert definition is not None, f"there is no model of {name}"
    reader, cursor = definition
    program_name = library.program_name(reader.declaration(cursor))
    objects.requested.setdefault(program_name, definition)
    ctype = reader.unit.types.of_cursor(cursor)
    assert isinstance(ctype, FunctionType)
    return emitter.result_of(result_sort(ctype), lambda target: Call(target, program_name, tuple(values)))
