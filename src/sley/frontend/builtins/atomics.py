"""Atomic operations: those of C11 and gcc as the prelude spells them, and the older ``__sync_*``."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sley.frontend.builtins.atomic_records import for_records_too
from sley.frontend.c_types import (
    BYTE,
    CType,
    IntegerType,
    PointerType,
    RecordType,
    VoidType,
    is_scalar,
    unatomic,
)
from sley.frontend.places import MemoryPlace, Place, RegisterPlace
from sley.frontend.syntax import Node, addressed_variable
from sley.frontend.writing import c_text
from sley.logic.operators import Op
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms
from sley.program.instructions import Access, Cause, Fence, Order, Update

if TYPE_CHECKING:
    from sley.frontend.builtins import Handler
    from sley.frontend.calls import Calls

_ORDERS = (
    Order.RELAXED,
    Order.CONSUME,
    Order.ACQUIRE,
    Order.RELEASE,
    Order.ACQUIRE_RELEASE,
    Order.SEQUENTIAL,
)
_CHANGES: dict[str, Callable[[Terms, Term, Term], Term]] = {
    "add": lambda t, a, b: t.add(a, b),
    "sub": lambda t, a, b: t.sub(a, b),
    "and": lambda t, a, b: t.apply(Op.BVAND, a, b),
    "or": lambda t, a, b: t.apply(Op.BVOR, a, b),
    "xor": lambda t, a, b: t.apply(Op.BVXOR, a, b),
    "nand": lambda t, a, b: t.bvnot(t.apply(Op.BVAND, a, b)),
}


class _Operation:
    """What all atomic operations of one call share: the object and its type."""

    def __init__(self, calls: "Calls", node: Node, arguments: list[Node]) -> None:
        self.calls = calls
        self.node = node
        self.arguments = arguments
        self.terms = calls.terms
        self.ctype = _object_type(calls, arguments[0])
        if not is_scalar(self.ctype):
            raise node.unsupported(f"an atomic operation on an object of this type: `{node.text}`")
        self.sort = calls.expressions.sort(self.ctype)
        address = calls.expressions.value(arguments[0])
        self.address = calls.expressions.stable(address, *arguments[1:])

    def access(self, order: Order) -> Access:
        """The access to the object."""
        return Access(self.address, self.sort, order, _target_text(self.arguments[0]))

    def order(self, number: int) -> Order:
        """The memory order given as an argument; sequential consistency if there is none."""
        if number >= len(self.arguments):
            return Order.SEQUENTIAL
        return _order(self.calls, self.arguments[number])

    def operand(self, number: int) -> Term:
        """An argument as a value of the object's type."""
        value = self.calls.expressions.value_as(self.arguments[number], self.ctype)
        return self.calls.expressions.stable(value, *self.arguments[number + 1 :])

    def pointed(self, number: int) -> Place:
        """The object, of the same type, that a further argument points to."""
        argument = self.arguments[number]
        variable = addressed_variable(argument)
        if variable is not None:
            place = self.calls.expressions.place(variable)
            if isinstance(place, RegisterPlace):
                return place
        address = self.calls.expressions.stable(
            self.calls.expressions.value(argument), *self.arguments[number + 1 :]
        )
        return MemoryPlace(address, self.ctype, _target_text(argument))

    def updated(self, order: Order, new: Callable[[Term], Term]) -> Term:
        """Change the object in one step; its old value."""
        target = self.calls.emitter.temporary(self.sort)
        self.calls.emitter.emit(Update(target, self.access(order), new(target.term)))
        return target.term

    def changed(self, name: str, operand: Term, order: Order) -> tuple[Term, Term]:
        """``fetch_<name>``: the old and the new value."""
        if not isinstance(self.ctype, IntegerType | PointerType):
            raise self.node.unsupported(f"an atomic operation on an object of this type: `{self.node.text}`")
        change = _CHANGES[name]
        old = self.updated(order, lambda value: change(self.terms, value, operand))
        return old, change(self.terms, old, operand)

    def as_result(self, value: Term) -> Term:
        """A value of the object's type as a value of the type of the call."""
        target = self.calls.expressions.value_type(self.node)
        if isinstance(target, VoidType):
            return self.terms.true
        if not isinstance(self.ctype, IntegerType | PointerType) and self.sort != BOOL:
            raise self.node.unsupported(f"an atomic operation on an object of this type: `{self.node.text}`")
        return self.calls.expressions.convert(value, self.ctype, target)


def _number(calls: "Calls", argument: Node) -> int | None:
    """An argument that says how; None if it is not a constant. It is evaluated even if that says nothing."""
    constant = argument.plain_constant()
    if isinstance(constant, int):
        return constant
    calls.expressions.value(argument)
    return None


def _order(calls: "Calls", argument: Node) -> Order:
    """A memory order; sequential consistency if it is not a constant."""
    number = _number(calls, argument)
    return _ORDERS[number] if number is not None and 0 <= number < len(_ORDERS) else Order.SEQUENTIAL


def _object_type(calls: "Calls", argument: Node) -> CType:
    """The type of the object: a byte for ``void *``, its scalar for a struct of one (``atomic_flag``)."""
    ctype = calls.pointee(argument)
    while isinstance(ctype, RecordType) and len(ctype.fields) == 1:
        ctype = unatomic(ctype.fields[0].ctype)
    return BYTE if isinstance(ctype, VoidType) else ctype


def _target_text(argument: Node) -> str:
    text = c_text(argument)
    return text[1:] if text.startswith("&") else f"*{text}"


def _load(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    operation = _Operation(calls, node, arguments)
    return operation.as_result(calls.emitter.load(operation.access(operation.order(1))))


def _load_into(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    operation = _Operation(calls, node, arguments)
    result = operation.pointed(1)
    value = calls.emitter.load(operation.access(operation.order(2)))
    calls.expressions.memory.write(result, value)
    return calls.terms.true


def _store(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    operation = _Operation(calls, node, arguments)
    value = operation.operand(1)
    calls.emitter.store(operation.access(operation.order(2)), value)
    return calls.terms.true


def _store_from(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    operation = _Operation(calls, node, arguments)
    value = calls.expressions.memory.read(operation.pointed(1))
    calls.emitter.store(operation.access(operation.order(2)), value)
    return calls.terms.true


def _init(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    operation = _Operation(calls, node, arguments)
    calls.emitter.store(operation.access(Order.PLAIN), operation.operand(1))
    return calls.terms.true


def _exchange(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    operation = _Operation(calls, node, arguments)
    value = operation.operand(1)
    return operation.as_result(operation.updated(operation.order(2), lambda _: value))


def _exchange_into(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    operation = _Operation(calls, node, arguments)
    source, result = operation.pointed(1), operation.pointed(2)
    value = calls.expressions.memory.read(source)
    calls.expressions.memory.write(result, operation.updated(operation.order(3), lambda _: value))
    return calls.terms.true


def _fetch(name: str, *, is_new: bool, in_elements: bool = False) -> "Handler":
    def handler(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
        operation = _Operation(calls, node, arguments)
        operand = operation.operand(1)
        if in_elements and isinstance(operation.ctype, PointerType):
            width = 8 * operation.ctype.size
            operand = calls.terms.mul(operand, calls.terms.bv(operation.ctype.pointee.size, width))
        old, new = operation.changed(name, operand, operation.order(2))
        return operation.as_result(new if is_new else old)

    return handler


def _compare_exchange(*, is_indirect: bool = False, is_weak: bool | None = None) -> "Handler":
    """``is_weak`` None: an argument says it."""

    def handler(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
        operation = _Operation(calls, node, arguments)
        expected = operation.pointed(1)
        read = calls.expressions.memory.read
        desired = read(operation.pointed(2)) if is_indirect else operation.operand(2)
        weak = _number(calls, arguments[3]) != 0 if is_weak is None else is_weak
        first_order = 4 if is_weak is None else 3
        order = operation.order(first_order)
        operation.order(first_order + 1)  # on failure: it says nothing that we need
        return _compare_and_swap(operation, expected, desired, order, is_weak=weak)

    return handler


def _compare_and_swap(
    operation: _Operation, expected: Place, desired: Term, order: Order, *, is_weak: bool
) -> Term:
    """The value found is stored in ``expected`` on failure; a weak one may fail for no reason."""
    calls, terms, emitter = operation.calls, operation.terms, operation.calls.emitter
    wanted = calls.expressions.memory.read(expected)
    may_succeed = terms.true
    if is_weak:
        fails = emitter.havoc(BOOL, Cause.INPUT)
        may_succeed = terms.not_(fails)

    def is_equal(value: Term) -> Term:
        return terms.and_(terms.eq(value, wanted), may_succeed)

    found = operation.updated(order, lambda value: terms.ite(is_equal(value), desired, value))
    success = emitter.saved(is_equal(found))
    failed, join = emitter.location(), emitter.location()
    emitter.branch(success, join, failed)
    emitter.move(failed)
    calls.expressions.memory.write(expected, found)
    emitter.jump(join)
    emitter.move(join)
    return success


def _test_and_set(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    operation = _Operation(calls, node, arguments)
    one = calls.expressions.literal(1, operation.ctype)
    old = operation.updated(operation.order(1), lambda _: one)
    return calls.terms.ne(old, calls.expressions.literal(0, operation.ctype))


def _clear(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    operation = _Operation(calls, node, arguments)
    zero = calls.expressions.literal(0, operation.ctype)
    calls.emitter.store(operation.access(operation.order(1)), zero)
    return calls.terms.true


def _fence(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
    order = _order(calls, arguments[0]) if arguments else Order.SEQUENTIAL
    calls.emitter.emit(Fence(order))
    return calls.terms.true


def sync(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    """``__sync_<operation>_<size>``: all sequentially consistent."""
    name = node.children[0].inner().name.removeprefix("__sync_")
    base, _, size = name.rpartition("_")
    name = base if size.isdigit() else name
    operation = _Operation(calls, node, arguments)
    first, _, last = name.partition("_and_")
    if first == "fetch" and last in _CHANGES:
        return operation.as_result(operation.changed(last, operation.operand(1), Order.SEQUENTIAL)[0])
    if last == "fetch" and first in _CHANGES:
        return operation.as_result(operation.changed(first, operation.operand(1), Order.SEQUENTIAL)[1])
    match name:
        case "lock_test_and_set":
            value = operation.operand(1)
            return operation.as_result(operation.updated(Order.SEQUENTIAL, lambda _: value))
        case "lock_release":
            zero = calls.expressions.literal(0, operation.ctype)
            calls.emitter.store(operation.access(Order.SEQUENTIAL), zero)
            return calls.terms.true
        case "bool_compare_and_swap" | "val_compare_and_swap":
            return _sync_compare(operation, is_bool=name.startswith("bool"))
        case _:
            raise node.unsupported(f"`{node.text}`")


def _sync_compare(operation: _Operation, *, is_bool: bool) -> Term:
    terms = operation.terms
    wanted, desired = operation.operand(1), operation.operand(2)
    found = operation.updated(Order.SEQUENTIAL, lambda v: terms.ite(terms.eq(v, wanted), desired, v))
    return terms.eq(found, wanted) if is_bool else operation.as_result(found)


def _is_lock_free(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    """Whether atomic operations on so many bytes need no lock: up to 8, as all our machines have it."""
    size = arguments[0].plain_constant()
    if not isinstance(size, int):
        return calls.unmodelled(node, "atomic_is_lock_free", arguments)
    for argument in arguments[1:]:
        calls.expressions.value(argument)
    return calls.expressions.literal(size in (1, 2, 4, 8), calls.expressions.value_type(node))


_FOR_SCALARS: "dict[str, Handler]" = {
    "__atomic_is_lock_free": _is_lock_free,
    "__atomic_always_lock_free": _is_lock_free,
    "__c11_atomic_is_lock_free": _is_lock_free,
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
    "__sley_atomic_test_and_set": _test_and_set,
    "__sley_atomic_clear": _clear,
    "__sley_atomic_fetch_add_elements": _fetch("add", is_new=False, in_elements=True),
    "__sley_atomic_fetch_sub_elements": _fetch("sub", is_new=False, in_elements=True),
    **{f"__sley_atomic_fetch_{name}": _fetch(name, is_new=False) for name in _CHANGES},
    **{f"__sley_atomic_{name}_fetch": _fetch(name, is_new=True) for name in _CHANGES},
    "__sync_synchronize": _fence,
    "__atomic_thread_fence": _fence,
    "__atomic_signal_fence": _fence,
    "__c11_atomic_thread_fence": _fence,
    "__c11_atomic_signal_fence": _fence,
    "atomic_thread_fence": _fence,
    "atomic_signal_fence": _fence,
}

HANDLERS: "dict[str, Handler]" = {
    name: for_records_too(name, handler) for name, handler in _FOR_SCALARS.items()
}
