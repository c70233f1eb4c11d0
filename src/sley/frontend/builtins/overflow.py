"""Arithmetic that says whether it overflows: ``__builtin_add_overflow`` and its family.

The operands are taken as they are and the exact result is compared with what the target can hold, whatever
types the three have.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sley.frontend.c_types import BoolType, IntegerType, PointerType, unatomic
from sley.frontend.places import memory_place
from sley.frontend.syntax import Node
from sley.frontend.writing import c_text
from sley.logic.terms import Term, Terms

if TYPE_CHECKING:
    from sley.frontend.builtins import Handler
    from sley.frontend.calls import Calls

Operation = Callable[[Terms, Term, Term], Term]


def _exact(calls: "Calls", operation: Operation, arguments: list[Node]) -> tuple[Term, IntegerType]:
    """The mathematical result as a signed number that has room for it, and the type it is meant for."""
    terms, expressions = calls.terms, calls.expressions
    types = [_integer_type(calls, argument) for argument in arguments[:2]]
    pointer = expressions.value_type(arguments[2])
    assert isinstance(pointer, PointerType)
    target = unatomic(pointer.pointee)
    if not isinstance(target, IntegerType):
        raise arguments[2].unsupported(f"a target of this type: `{arguments[2].text}`")
    width = max(types[0].width + types[1].width, target.width) + 2
    values = []
    for number, (argument, ctype) in enumerate(zip(arguments, types, strict=False)):
        value = expressions.stable(expressions.value_as(argument, ctype), *arguments[number + 1 :])
        values.append(terms.resize(value, width, signed=ctype.is_signed))
    return operation(terms, values[0], values[1]), target


def _integer_type(calls: "Calls", argument: Node) -> IntegerType:
    ctype = calls.expressions.value_type(argument)
    if isinstance(ctype, BoolType):
        return IntegerType(8, is_signed=False)
    if not isinstance(ctype, IntegerType):
        raise argument.unsupported(f"an operand of this type: `{argument.text}`")
    return ctype


def _fits(terms: Terms, exact: Term, target: IntegerType) -> tuple[Term, Term]:
    """What the target gets, and whether that is the exact result."""
    value = terms.extract(exact, target.width - 1, 0)
    return value, terms.eq(terms.resize(value, terms.width(exact), signed=target.is_signed), exact)


def _stored(operation: Operation) -> "Handler":
    def handler(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
        exact, target = _exact(calls, operation, arguments)
        exact = calls.expressions.stable(exact, arguments[2])
        address = calls.expressions.value(arguments[2])
        value, fits = _fits(calls.terms, exact, target)
        text = c_text(arguments[2]).removeprefix("&")
        calls.expressions.memory.write(memory_place(address, target, text), value)
        return calls.terms.not_(fits)

    return handler


def _asked(operation: Operation) -> "Handler":
    """The third operand only has the type that the result is meant for."""

    def handler(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
        terms, expressions = calls.terms, calls.expressions
        types = [_integer_type(calls, argument) for argument in arguments]
        width = max(types[0].width + types[1].width, types[2].width) + 2
        values = []
        for number, (argument, ctype) in enumerate(zip(arguments, types, strict=True)):
            value = expressions.stable(expressions.value_as(argument, ctype), *arguments[number + 1 :])
            values.append(terms.resize(value, width, signed=ctype.is_signed))
        return terms.not_(_fits(terms, operation(terms, values[0], values[1]), types[2])[1])

    return handler


_OPERATIONS: dict[str, Operation] = {
    "add": lambda terms, a, b: terms.add(a, b),
    "sub": lambda terms, a, b: terms.sub(a, b),
    "mul": lambda terms, a, b: terms.mul(a, b),
}

HANDLERS: "dict[str, Handler]" = {
    **{f"__builtin_{name}_overflow": _stored(operation) for name, operation in _OPERATIONS.items()},
    **{f"__builtin_{name}_overflow_p": _asked(operation) for name, operation in _OPERATIONS.items()},
    **{
        f"__builtin_{sign}{name}{size}_overflow": _stored(operation)
        for name, operation in _OPERATIONS.items()
        for sign in "su"
        for size in ("", "l", "ll")
    },
}
