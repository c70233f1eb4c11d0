"""Atomic operations: those of C11 and gcc as the prelude spells them, and the older ``__sync_*``.

A scalar changes in one step. All scalars of a struct or union are read or written in one atomic section.

An order that is not a constant (the parameter of a wrapper, say) is looked at when the program gets there,
with a branch for each. Whatever is no order is taken for the weakest.
"""

from collections.abc import Callable, Iterator

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
from sley.frontend.calls import Calls, Handler
from sley.frontend.layouts import NoLayoutError, cells_of
from sley.frontend.places import MemoryPlace, Place, RegisterPlace
from sley.frontend.syntax import SyntaxNode, addressed_variable
from sley.frontend.writing import c_text
from sley.logic.operators import Op
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms
from sley.program.instructions import WEAKLY, Access, Cause, Fence, MemoryOrder, Update

_ORDERS = tuple(order for order in MemoryOrder if order is not MemoryOrder.PLAIN)
_CHANGES: dict[str, Callable[[Terms, Term, Term], Term]] = {
    "add": lambda t, a, b: t.add(a, b),
    "sub": lambda t, a, b: t.sub(a, b),
    "and": lambda t, a, b: t.apply(Op.BVAND, a, b),
    "or": lambda t, a, b: t.apply(Op.BVOR, a, b),
    "xor": lambda t, a, b: t.apply(Op.BVXOR, a, b),
    "nand": lambda t, a, b: t.bvnot(t.apply(Op.BVAND, a, b)),
}
_Values = list[Term]
"""The scalars of an object: one, or all of a record."""
_Ordering = MemoryOrder | Term
"""A memory order; a term if it is not a constant."""


class _Operation:
    """An operation on a scalar: the object, its type, and what is given besides."""

    def __init__(self, calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
        self.calls = calls
        self.node = node
        self.arguments = arguments
        self.terms = calls.terms
        self.ctype = self._type(calls.pointee(arguments[0]))
        self.address = self._argument(0)
        self.text = _target_text(arguments[0])

    def _argument(self, number: int) -> Term:
        value = self.calls.expressions.value(self.arguments[number])
        return self.calls.expressions.stable(value, *self.arguments[number + 1 :])

    def order(self, number: int) -> _Ordering:
        """The memory order given as an argument; sequential consistency if there is none."""
        if number >= len(self.arguments):
            return MemoryOrder.SEQUENTIAL
        return _order(self.calls, self.arguments[number], *self.arguments[number + 1 :])

    def _type(self, pointee: CType) -> CType:
        """The type of the object: a byte for ``void *``, its scalar for a struct of one (``atomic_flag``)."""
        while isinstance(pointee, RecordType) and len(pointee.fields) == 1:
            pointee = unatomic(pointee.fields[0].ctype)
        ctype = BYTE if isinstance(pointee, VoidType) else pointee
        if not is_scalar(ctype):
            raise self._unsupported()
        self.sort = self.calls.expressions.sort(ctype)
        return ctype

    def _unsupported(self) -> Exception:
        return self.node.unsupported(f"an atomic operation on an object of this type: `{self.node.text}`")

    def given(self, number: int) -> _Values:
        """The value that an argument is."""
        value = self.calls.expressions.value_as(self.arguments[number], self.ctype)
        return [self.calls.expressions.stable(value, *self.arguments[number + 1 :])]

    def pointed(self, number: int) -> Place:
        """The object, of the same type, that a further argument points to."""
        variable = addressed_variable(self.arguments[number])
        if variable is not None:
            place = self.calls.expressions.place(variable)
            if isinstance(place, RegisterPlace):
                return place
        return MemoryPlace(self._argument(number), self.ctype, _target_text(self.arguments[number]))

    def read(self, place: Place) -> _Values:
        """What is in a place that no other thread uses."""
        return [self.calls.expressions.memory.read(place)]

    def write(self, place: Place, values: _Values) -> None:
        """Put something there."""
        self.calls.expressions.memory.write(place, values[0])

    def _access(self, order: MemoryOrder) -> Access:
        return Access(self.address, self.sort, order, self.text)

    def load(self, order: _Ordering) -> _Values:
        """The value of the object."""
        if isinstance(order, MemoryOrder):
            return [self.calls.emitter.load(self._access(order))]
        target = self.calls.emitter.temporary(self.sort)
        for known in _by_order(self.calls, order):
            self.calls.emitter.assign(target, self.load(known)[0])
        return [target.term]

    def store(self, values: _Values, order: _Ordering) -> None:
        """Give the object a value."""
        for known in _by_order(self.calls, order):
            self.calls.emitter.store(self._access(known), values[0])

    def update(self, order: _Ordering, new: Callable[[_Values], _Values]) -> _Values:
        """Change the object in one step; its old value."""
        target = self.calls.emitter.temporary(self.sort)
        for known in _by_order(self.calls, order):
            self.calls.emitter.emit(Update(target, self._access(known), new([target.term])[0]))
        return [target.term]

    def compare_exchange(
        self, orders: tuple[_Ordering, _Ordering], is_equal: Callable[[_Values], Term], desired: _Values
    ) -> _Values:
        """Change the object where it is as expected; otherwise it is only read, in the second order."""
        target = self.calls.emitter.temporary(self.sort)
        is_success = is_equal([target.term])
        value = self.terms.ite(is_success, desired[0], target.term)
        for order in _by_order(self.calls, orders[0]):
            for failure in _by_order(self.calls, orders[1]):
                access = self._access(order)
                self.calls.emitter.emit(Update(target, access, value, is_success, failure))
        return [target.term]

    def changed(self, name: str, operand: Term, order: _Ordering) -> tuple[Term, Term]:
        """``fetch_<name>``: the old and the new value."""
        if not isinstance(self.ctype, IntegerType | PointerType):
            raise self._unsupported()
        (old,) = self.update(order, lambda values: [_CHANGES[name](self.terms, values[0], operand)])
        return old, _CHANGES[name](self.terms, old, operand)

    def result(self, values: _Values) -> Term:
        """A value of the object's type as a value of the type of the call."""
        target = self.calls.expressions.value_type(self.node)
        if isinstance(target, VoidType):
            return self.terms.true
        if not isinstance(self.ctype, IntegerType | PointerType) and self.sort != BOOL:
            raise self._unsupported()
        return self.calls.expressions.convert(values[0], self.ctype, target)


class _RecordOperation(_Operation):
    """An operation on all scalars of a record."""

    def _type(self, pointee: CType) -> CType:
        try:
            cells_of(pointee)
        except NoLayoutError as error:
            raise self.node.unsupported(str(error)) from None
        return pointee

    def given(self, number: int) -> _Values:
        argument = self.arguments[number]
        address = self.calls.expressions.value(argument)
        return self.read(MemoryPlace(address, self.ctype, c_text(argument)))

    def pointed(self, number: int) -> Place:
        return MemoryPlace(self._argument(number), self.ctype, _target_text(self.arguments[number]))

    def read(self, place: Place) -> _Values:
        assert isinstance(place, MemoryPlace)
        return self.calls.expressions.aggregates.scalars(place, self.node)

    def write(self, place: Place, values: _Values) -> None:
        assert isinstance(place, MemoryPlace)
        self.calls.expressions.aggregates.store_scalars(place, values, self.node)

    def _place(self, order: _Ordering) -> MemoryPlace:
        """An order that is not a constant may be any, so no more than the weakest is certain."""
        known = order if isinstance(order, MemoryOrder) else MemoryOrder.RELAXED
        return MemoryPlace(self.address, self.ctype, self.text, known)

    def load(self, order: _Ordering) -> _Values:
        with self.calls.emitter.section():
            return self.read(self._place(order))

    def store(self, values: _Values, order: _Ordering) -> None:
        if order is MemoryOrder.PLAIN:
            self.write(self._place(order), values)
            return
        with self.calls.emitter.section():
            self.write(self._place(order), values)

    def update(self, order: _Ordering, new: Callable[[_Values], _Values]) -> _Values:
        with self.calls.emitter.section():
            old = self.read(self._place(order))
            self.write(self._place(order), new(old))
        return old

    def compare_exchange(
        self, orders: tuple[_Ordering, _Ordering], is_equal: Callable[[_Values], Term], desired: _Values
    ) -> _Values:
        """What is read has the order of a failure, what is written that of a success."""
        emitter = self.calls.emitter
        with emitter.section():
            old = self.read(self._place(orders[1]))
            with emitter.when(is_equal(old)):
                self.write(self._place(orders[0]), desired)
        return old

    def result(self, values: _Values) -> Term:
        """Where the record is: the prelude reads it from there."""
        place = self.calls.expressions.aggregates.temporary(self.ctype, self.node)
        self.write(place, values)
        width = 8 * self.calls.expressions.value_type(self.node).size
        return self.terms.resize(place.address, width, signed=False)


def _number(calls: Calls, argument: SyntaxNode) -> int | None:
    """An argument that says how; None if it is not a constant. It is evaluated even if that says nothing."""
    constant = argument.plain_constant()
    if isinstance(constant, int):
        return constant
    calls.expressions.value(argument)
    return None


def _order(calls: Calls, argument: SyntaxNode, *later: SyntaxNode) -> _Ordering:
    """A memory order, which is evaluated before ``later``."""
    constant = argument.plain_constant()
    if isinstance(constant, int):
        return _ORDERS[constant] if 0 <= constant < len(_ORDERS) else MemoryOrder.RELAXED
    return calls.expressions.stable(calls.expressions.value(argument), *later)


def _by_order(calls: Calls, order: _Ordering) -> Iterator[MemoryOrder]:
    """The order; or all that it may be, and what is written for each happens where it is that one."""
    if isinstance(order, MemoryOrder):
        yield order
        return
    terms, emitter = calls.terms, calls.emitter
    width = terms.width(order)
    is_it = {known: terms.eq(order, terms.bv(number, width)) for number, known in enumerate(_ORDERS)}
    is_it[MemoryOrder.RELAXED] = terms.not_(terms.or_(*(is_it[known] for known in _ORDERS[1:])))
    for known, condition in is_it.items():
        with emitter.when(condition):
            yield known


def _target_text(argument: SyntaxNode) -> str:
    text = c_text(argument)
    return text[1:] if text.startswith("&") else f"*{text}"


# --- operations on all objects ------------------------------------------------------------------------


def _load(operation: _Operation) -> Term:
    return operation.result(operation.load(operation.order(1)))


def _load_into(operation: _Operation) -> None:
    target = operation.pointed(1)
    operation.write(target, operation.load(operation.order(2)))


def _store(operation: _Operation) -> None:
    values = operation.given(1)
    operation.store(values, operation.order(2))


def _store_from(operation: _Operation) -> None:
    values = operation.read(operation.pointed(1))
    operation.store(values, operation.order(2))


def _init(operation: _Operation) -> None:
    operation.store(operation.given(1), MemoryOrder.PLAIN)


def _exchange(operation: _Operation) -> Term:
    values = operation.given(1)
    return operation.result(operation.update(operation.order(2), lambda _: values))


def _exchange_into(operation: _Operation) -> None:
    source, target = operation.pointed(1), operation.pointed(2)
    values = operation.read(source)
    operation.write(target, operation.update(operation.order(3), lambda _: values))


def _compare_exchange(
    *, is_indirect: bool = False, is_weak: bool | None = None
) -> Callable[[_Operation], Term]:
    """``is_weak`` None: an argument says it. A weak one may fail for no reason.

    The value found is stored in what was expected on failure.
    """

    def run(operation: _Operation) -> Term:
        terms, emitter, ctype = operation.terms, operation.calls.emitter, operation.ctype
        if isinstance(ctype, RecordType) and sum(cell.size for cell in cells_of(ctype)) != ctype.size:
            what = "a comparison of structs with padding, whose bytes are compared as well"
            return operation.calls.expressions.give_up(operation.node, what)
        expected = operation.pointed(1)
        desired = operation.read(operation.pointed(2)) if is_indirect else operation.given(2)
        weak = _number(operation.calls, operation.arguments[3]) != 0 if is_weak is None else is_weak
        first_order = 4 if is_weak is None else 3
        orders = operation.order(first_order), operation.order(first_order + 1)
        wanted = operation.read(expected)
        may_succeed = terms.not_(emitter.havoc(BOOL, Cause.INPUT, WEAKLY)) if weak else terms.true

        def is_equal(values: _Values) -> Term:
            return terms.and_(*(terms.eq(a, b) for a, b in zip(values, wanted, strict=True)), may_succeed)

        found = operation.compare_exchange(orders, is_equal, desired)
        success = emitter.saved(is_equal(found))
        with emitter.when(terms.not_(success)):
            operation.write(expected, found)
        return success

    return run


def _on_any(run: Callable[[_Operation], Term | None]) -> Handler:
    def handler(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term | None:
        is_record = isinstance(calls.pointee(arguments[0]), RecordType)
        return run((_RecordOperation if is_record else _Operation)(calls, node, arguments))

    return handler


# --- operations on scalars --------------------------------------------------------------------------------


def _on_scalar(run: Callable[[_Operation], Term | None]) -> Handler:
    return lambda calls, node, arguments: run(_Operation(calls, node, arguments))


def _fetch(name: str, *, is_new: bool, in_elements: bool = False) -> Handler:
    def run(operation: _Operation) -> Term:
        (operand,), terms = operation.given(1), operation.terms
        if in_elements and isinstance(operation.ctype, PointerType):
            width = 8 * operation.ctype.size
            operand = terms.mul(operand, terms.bv(operation.ctype.pointee.size, width))
        old, new = operation.changed(name, operand, operation.order(2))
        return operation.result([new if is_new else old])

    return _on_scalar(run)


def _test_and_set(operation: _Operation) -> Term:
    literal = operation.calls.expressions.literal
    (old,) = operation.update(operation.order(1), lambda _: [literal(1, operation.ctype)])
    return operation.terms.ne(old, literal(0, operation.ctype))


def _clear(operation: _Operation) -> None:
    operation.store([operation.calls.expressions.literal(0, operation.ctype)], operation.order(1))


def sync(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term | None:
    """``__sync_<operation>_<size>``: full barriers, except for the two that gcc says are locks."""
    name = node.children[0].inner().name.removeprefix("__sync_")
    base, _, size = name.rpartition("_")
    name = base if size.isdigit() else name
    operation = _Operation(calls, node, arguments)
    first, _, last = name.partition("_and_")
    if first == "fetch" and last in _CHANGES:
        return operation.result([operation.changed(last, operation.given(1)[0], MemoryOrder.SEQUENTIAL)[0]])
    if last == "fetch" and first in _CHANGES:
        return operation.result([operation.changed(first, operation.given(1)[0], MemoryOrder.SEQUENTIAL)[1]])
    match name:
        case "lock_test_and_set":
            values = operation.given(1)
            return operation.result(operation.update(MemoryOrder.ACQUIRE, lambda _: values))
        case "lock_release":
            operation.store([calls.expressions.literal(0, operation.ctype)], MemoryOrder.RELEASE)
            return None
        case "bool_compare_and_swap" | "val_compare_and_swap":
            return _sync_compare(operation, is_bool=name.startswith("bool"))
        case _:
            raise node.unsupported(f"`{node.text}`")


def _sync_compare(operation: _Operation, *, is_bool: bool) -> Term:
    terms = operation.terms
    (wanted,), (desired,) = operation.given(1), operation.given(2)
    orders = (MemoryOrder.SEQUENTIAL, MemoryOrder.SEQUENTIAL)
    (found,) = operation.compare_exchange(orders, lambda values: terms.eq(values[0], wanted), [desired])
    return terms.eq(found, wanted) if is_bool else operation.result([found])


# --- without an object -------------------------------------------------------------------------------------


def _fence(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    order = _order(calls, arguments[0]) if arguments else MemoryOrder.SEQUENTIAL
    for known in _by_order(calls, order):
        if known is not MemoryOrder.RELAXED:
            calls.emitter.emit(Fence.of(known))


def _signal_fence(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    """It orders a thread and its own signal handlers, and nothing between threads."""
    for argument in arguments:
        calls.expressions.value(argument)


def _is_lock_free(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """Whether atomic operations on so many bytes need no lock: up to 8, as all our machines have it."""
    size = arguments[0].plain_constant()
    if not isinstance(size, int):
        return calls.unmodelled(node, "atomic_is_lock_free", arguments)
    for argument in arguments[1:]:
        calls.expressions.value(argument)
    return calls.expressions.literal(size in (1, 2, 4, 8), calls.expressions.value_type(node))


_ON_ANY: dict[str, Callable[[_Operation], Term | None]] = {
    "load": _load,
    "load_into": _load_into,
    "store": _store,
    "store_from": _store_from,
    "init": _init,
    "exchange": _exchange,
    "exchange_into": _exchange_into,
    "compare_exchange": _compare_exchange(),
    "compare_exchange_from": _compare_exchange(is_indirect=True),
    "compare_exchange_strong": _compare_exchange(is_weak=False),
    "compare_exchange_weak": _compare_exchange(is_weak=True),
}
_LOCK_FREE = ("__atomic_is_lock_free", "__atomic_always_lock_free", "__c11_atomic_is_lock_free")
_PREFIXES = ("", "__", "__c11_")

HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_LOCK_FREE, _is_lock_free),
    "__sync_synchronize": _fence,
    **{f"{prefix}atomic_thread_fence": _fence for prefix in _PREFIXES},
    **{f"{prefix}atomic_signal_fence": _signal_fence for prefix in _PREFIXES},
    **{f"__sley_atomic_{name}": _on_any(run) for name, run in _ON_ANY.items()},
    "__sley_atomic_test_and_set": _on_scalar(_test_and_set),
    "__sley_atomic_clear": _on_scalar(_clear),
    "__sley_atomic_fetch_add_elements": _fetch("add", is_new=False, in_elements=True),
    "__sley_atomic_fetch_sub_elements": _fetch("sub", is_new=False, in_elements=True),
    **{f"__sley_atomic_fetch_{name}": _fetch(name, is_new=False) for name in _CHANGES},
    **{f"__sley_atomic_{name}_fetch": _fetch(name, is_new=True) for name in _CHANGES},
}
