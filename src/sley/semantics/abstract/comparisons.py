"""Whether values may be equal, and addresses lead into the same object."""

from sley.analyses.ranges import Fact
from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort, BoolSort, Sort
from sley.logic.terms import Term, Terms
from sley.program.memory import PointerLayout
from sley.semantics.abstract.objects import ObjectKind, Objects
from sley.semantics.abstract.values import (
    EITHER,
    FALSE,
    OTHER,
    SELF,
    TRUE,
    ZERO,
    Value,
    fact_meet,
    is_no_address,
    object_of,
)

HANDLE_BITS = 32
"""No run has so many threads that the handle of one does not fit."""

HANDLE = Value(Fact(1, (1 << (HANDLE_BITS - 1)) - 1))
"""The handle of any thread."""


def equal(objects: Objects, a: Value, b: Value, sort: Sort) -> Value:
    """Whether two values of a sort are equal, as a truth value."""
    if not isinstance(sort, BoolSort | BitVecSort):
        return EITHER
    if a.symbol is not None and b.symbol is not None:
        tokens = {a.symbol[0], b.symbol[0]}
        if tokens == {SELF, OTHER} and a.symbol[1] == b.symbol[1]:
            return FALSE
        if len(tokens) == 1 and OTHER not in tokens:
            return TRUE if a.symbol[1] == b.symbol[1] else FALSE
    if not a.places and not b.places:
        if a.number is None or b.number is None:
            return EITHER
        if fact_meet(a.number, b.number) is None:
            return FALSE
        return TRUE if a.number.modulus == 0 == b.number.modulus else EITHER
    if _may_meet(objects, a, b):
        return EITHER
    return FALSE


def _may_meet(objects: Objects, a: Value, b: Value) -> bool:
    if a.number is not None and b.number is not None and fact_meet(a.number, b.number) is not None:
        return True
    if (a.places and not is_no_address(b)) or (b.places and not is_no_address(a)):
        return True
    if may_be_handle(objects, a, b) or may_be_handle(objects, b, a):
        return True
    return any(
        objects.may_be_equal(reference, offset, other, other_offset)
        for reference, offset in a.places
        for other, other_offset in b.places
    )


def may_be_handle(objects: Objects, a: Value, b: Value) -> bool:
    """Whether one may be the handle of a thread, which is a small number, and the other that number."""
    return (
        b.number is not None
        and b.number.high > 0
        and any(objects.kind(object_of(reference)) is ObjectKind.THREAD for reference, _ in a.places)
    )


def as_number(objects: Objects, value: Value) -> Value:
    """The handle of a thread is a small number, where it is computed with."""
    is_handle = value.number is None and all(
        objects.kind(object_of(reference)) is ObjectKind.THREAD and offset == ZERO.number
        for reference, offset in value.places
    )
    return HANDLE if is_handle else value


def tested_object(
    terms: Terms, pointers: PointerLayout, arguments: tuple[Term, ...]
) -> tuple[Term, int] | None:
    """The address and the number of the object, where it is tested whether it is one into that."""
    left, right = sorted(arguments, key=terms.is_const)
    number = terms.number(right)
    is_of_object = terms.op(left) is Op.EXTRACT
    if number is None or not is_of_object or terms.payload(left) != pointers.object_bits:
        return None
    return terms.args(left)[0], number


def is_in(objects: Objects, value: Value, tested: int) -> Value:
    """Whether an address is one into the object with this number, from its start on."""
    static = objects.static_place(objects.program.pointers.address(tested >> 1)) if tested % 2 == 0 else None
    if static is None:
        return EITHER
    is_none = is_no_address(value)
    hits = [place for place in value.places if place[0] == static[0]]
    if not hits and is_none:
        return FALSE
    is_all = value.number is None and len(hits) == len(value.places) == 1
    return TRUE if is_all and hits[0][1].low >= 0 else EITHER
