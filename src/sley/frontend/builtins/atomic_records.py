"""Atomic operations on structs and unions: all scalars of one are read or written in one atomic section."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from sley.frontend.c_types import RecordType
from sley.frontend.layouts import NoLayoutError, cells_of
from sley.frontend.places import MemoryPlace
from sley.frontend.syntax import Node
from sley.frontend.writing import c_text
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.instructions import Cause, Order

if TYPE_CHECKING:
    from sley.frontend.builtins import Handler
    from sley.frontend.calls import Calls


class _Operation:
    """What the operations on one record share: the object, and access to it and to what is given."""

    def __init__(self, calls: "Calls", node: Node, arguments: list[Node]) -> None:
        self.calls = calls
        self.node = node
        self.arguments = arguments
        self.terms = calls.terms
        self.aggregates = calls.expressions.aggregates
        ctype = calls.pointee(arguments[0])
        assert isinstance(ctype, RecordType)
        self.ctype = ctype
        self.place = self.pointed(0, Order.SEQUENTIAL)

    def pointed(self, number: int, order: Order = Order.PLAIN) -> MemoryPlace:
        """The record that an argument points to."""
        argument, text = self.arguments[number], c_text(self.arguments[number])
        shown = text[1:] if text.startswith("&") else f"*{text}"
        address = self.calls.expressions.value(argument)
        stable = self.calls.expressions.stable(address, *self.arguments[number + 1 :])
        return MemoryPlace(stable, self.ctype, shown, order)

    def given(self, number: int) -> list[Term]:
        """The scalars of a record that an argument is."""
        argument = self.arguments[number]
        address = self.calls.expressions.value(argument)
        return self.read(MemoryPlace(address, self.ctype, c_text(argument)))

    def evaluate(self, first: int) -> None:
        """Orders say nothing under sequential consistency, but are evaluated."""
        for argument in self.arguments[first:]:
            if argument.plain_constant() is None:
                self.calls.expressions.value(argument)

    def section(self) -> AbstractContextManager[None]:
        """What is done in one step."""
        return self.calls.emitter.section()

    def read(self, place: MemoryPlace) -> list[Term]:
        """The scalars at a place."""
        return self.aggregates.scalars(place, self.node)

    def write(self, place: MemoryPlace, values: list[Term]) -> None:
        """Give the scalars at a place new values."""
        self.aggregates.store_scalars(place, values, self.node)

    def result(self, values: list[Term]) -> Term:
        """Where the record that the call yields is: the prelude reads it from there."""
        place = self.aggregates.temporary(self.ctype, self.node)
        self.write(place, values)
        return self.terms.resize(
            place.address, 8 * self.calls.expressions.value_type(self.node).size, signed=False
        )


def _load(operation: _Operation) -> Term:
    operation.evaluate(1)
    with operation.section():
        values = operation.read(operation.place)
    return operation.result(values)


def _load_into(operation: _Operation) -> Term:
    target = operation.pointed(1)
    operation.evaluate(2)
    with operation.section():
        values = operation.read(operation.place)
    operation.write(target, values)
    return operation.terms.true


def _stored(operation: _Operation, values: list[Term]) -> Term:
    operation.evaluate(2)
    with operation.section():
        operation.write(operation.place, values)
    return operation.terms.true


def _store(operation: _Operation) -> Term:
    return _stored(operation, operation.given(1))


def _store_from(operation: _Operation) -> Term:
    return _stored(operation, operation.read(operation.pointed(1)))


def _init(operation: _Operation) -> Term:
    place = MemoryPlace(operation.place.address, operation.ctype, operation.place.text)
    operation.write(place, operation.given(1))
    return operation.terms.true


def _exchanged(operation: _Operation, values: list[Term]) -> list[Term]:
    with operation.section():
        old = operation.read(operation.place)
        operation.write(operation.place, values)
    return old


def _exchange(operation: _Operation) -> Term:
    values = operation.given(1)
    operation.evaluate(2)
    return operation.result(_exchanged(operation, values))


def _exchange_into(operation: _Operation) -> Term:
    values, target = operation.read(operation.pointed(1)), operation.pointed(2)
    operation.evaluate(3)
    operation.write(target, _exchanged(operation, values))
    return operation.terms.true


def _compare_exchange(
    *, is_indirect: bool = False, is_weak: bool | None = None
) -> Callable[[_Operation], Term]:
    """``is_weak`` None: an argument says it."""

    def handler(operation: _Operation) -> Term:
        terms, emitter = operation.terms, operation.calls.emitter
        if _has_padding(operation.ctype):
            what = "a comparison of structs with padding, whose bytes are compared as well"
            return operation.calls.expressions.give_up(operation.node, what)
        expected = operation.pointed(1)
        wanted = operation.read(expected)
        desired = operation.read(operation.pointed(2)) if is_indirect else operation.given(2)
        operation.evaluate(3)
        may_succeed = terms.true
        if is_weak or (is_weak is None and operation.arguments[3].plain_constant() != 0):
            may_succeed = terms.not_(emitter.havoc(BOOL, Cause.INPUT))
        with operation.section():
            found = operation.read(operation.place)
            same = [terms.eq(a, b) for a, b in zip(found, wanted, strict=True)]
            success = emitter.saved(terms.and_(*same, may_succeed))
            changed = [terms.ite(success, new, old) for new, old in zip(desired, found, strict=True)]
            operation.write(operation.place, changed)
        failed, join = emitter.location(), emitter.location()
        emitter.branch(success, join, failed)
        emitter.move(failed)
        operation.write(expected, found)
        emitter.jump(join)
        emitter.move(join)
        return success

    return handler


def _has_padding(ctype: RecordType) -> bool:
    return sum(cell.size for cell in cells_of(ctype)) != ctype.size


_RECORD_HANDLERS: dict[str, Callable[[_Operation], Term]] = {
    "__sley_atomic_load": _load,
    "__sley_atomic_load_into": _load_into,
    "__sley_atomic_store": _store,
    "__sley_atomic_store_from": _store_from,
    "__sley_atomic_init": _init,
    "__sley_atomic_exchange": _exchange,
    "__sley_atomic_exchange_into": _exchange_into,
    "__sley_atomic_compare_exchange": _compare_exchange(),
    "__sley_atomic_compare_exchange_from": _compare_exchange(is_indirect=True),
    "__sley_atomic_compare_exchange_strong": _compare_exchange(is_weak=False),
    "__sley_atomic_compare_exchange_weak": _compare_exchange(is_weak=True),
}


def for_records_too(name: str, for_scalars: "Handler") -> "Handler":
    """The handler of an operation on scalars, and on records if there is such an operation."""
    for_records = _RECORD_HANDLERS.get(name)
    if for_records is None:
        return for_scalars

    def handler(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
        ctype = calls.pointee(arguments[0])
        if not isinstance(ctype, RecordType):
            return for_scalars(calls, node, arguments)
        try:
            cells_of(ctype)
        except NoLayoutError as error:
            raise node.unsupported(str(error)) from None
        return for_records(_Operation(calls, node, arguments))

    return handler
