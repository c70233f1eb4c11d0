"""Rules for arrays: reads see through writes, and writes to different places have one order.

A read of an array that was written becomes a choice between the elements that were written and one of the
array before; a read of a choice between arrays a choice between reads. So ``select`` is only ever applied to
a variable, or to a constant array that has different elements, and arrays need not be compared anywhere.
"""

from sley.logic.arena import Arena, Payload, Term
from sley.logic.linear import are_distinct
from sley.logic.operators import Op
from sley.logic.sorts import ArraySort

_Args = tuple[Term, ...]

_LONGEST_SORTED = 64
"""So many writes are looked at to put a new one into its place."""


def read(t: Arena, args: _Args, _: Payload) -> Term | None:
    """Read over write."""
    array, index = args
    if t.op(array) is Op.STORE:
        return _read_over_writes(t, array, index)
    if t.op(array) is Op.ITE:
        return _read_of_choice(t, array, index)
    value = t.array_value(array)
    if value is not None and not value.others:
        assert value.default is not None
        return t.bv(value.default, _element_width(t, array))
    return None


def _element_width(t: Arena, array: Term) -> int:
    sort = t.sort(array)
    assert isinstance(sort, ArraySort)
    return sort.element


def _read_over_writes(t: Arena, array: Term, index: Term) -> Term:
    """The writes from the last to the first, as far as they may be to this place."""
    choices: list[tuple[Term, Term]] = []
    found: Term | None = None
    while found is None:
        if t.op(array) is not Op.STORE:
            found = t.select(array, index)
            break
        array, place, element = t.args(array)
        if place == index:
            found = element
        elif not are_distinct(t, place, index):
            choices.append((t.eq(place, index), element))
    for is_here, element in reversed(choices):
        found = t.ite(is_here, element, found)
    return found


def _read_of_choice(t: Arena, choice: Term, index: Term) -> Term:
    """The reads of all arrays between which is chosen, without recursion."""
    done: dict[Term, Term] = {}
    stack = [choice]
    while stack:
        top = stack[-1]
        if t.op(top) is not Op.ITE:
            done[stack.pop()] = t.select(top, index)
            continue
        condition, then, otherwise = t.args(top)
        missing = [array for array in (then, otherwise) if array not in done]
        if missing:
            stack.extend(missing)
        else:
            done[stack.pop()] = t.ite(condition, done[then], done[otherwise])
    return done[choice]


def write(t: Arena, args: _Args, _: Payload) -> Term | None:
    """A write that changes nothing is none; later writes to a place replace earlier ones.

    Writes to places that are known to differ are sorted by their places, so that the order in which they were
    made does not tell arrays apart.
    """
    array, index, element = args
    if t.op(element) is Op.SELECT and t.args(element) == (array, index):
        return array
    above: list[tuple[Term, Term]] = []
    below = array
    while t.op(below) is Op.STORE and len(above) < _LONGEST_SORTED:
        inner, place, other = t.args(below)
        if place == index:
            return _written(t, inner, [(index, element), *reversed(above)])
        if place < index or not are_distinct(t, place, index):
            break
        above.append((place, other))
        below = inner
    return _written(t, below, [(index, element), *reversed(above)]) if above else None


def _written(t: Arena, array: Term, writes: list[tuple[Term, Term]]) -> Term:
    """The array after these writes, which are in order."""
    for place, element in writes:
        if t.is_const(array) and t.is_const(place) and t.is_const(element):
            array = t.store(array, place, element)
        else:
            array = t.intern(Op.STORE, (array, place, element), None, t.sort(array))
    return array
