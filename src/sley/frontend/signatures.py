"""How functions of C look as functions of the program.

* A record as parameter is one parameter per scalar.
* A record as result is written through a hidden first parameter.
* A function defined as ``void *f()`` is usually a thread's start function, which gets an argument that it
  does not name: it has a hidden last parameter.
"""

from sley.frontend.c_types import (
    BoolType,
    FloatType,
    FunctionType,
    IntegerType,
    PointerType,
    RecordType,
    VoidType,
    is_scalar,
    unatomic,
)
from sley.logic.sorts import Sort


def is_lowered(ctype: FunctionType) -> bool:
    """Whether values of all parameters can be passed."""
    parameters = (unatomic(parameter) for parameter in ctype.parameters)
    return all(is_scalar(parameter) or isinstance(parameter, RecordType) for parameter in parameters)


def has_hidden_argument(ctype: FunctionType) -> bool:
    """Whether a function takes an argument that it does not name."""
    return not ctype.has_prototype and not ctype.parameters and isinstance(ctype.result, PointerType)


def result_sort(ctype: FunctionType) -> Sort | None:
    """The sort of the result; None for ``void`` and records."""
    result = unatomic(ctype.result)
    match result:
        case VoidType() | RecordType():
            return None
        case BoolType() | IntegerType() | FloatType() | PointerType():
            return result.sort
        case _:
            return None
