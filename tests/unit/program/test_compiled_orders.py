"""Barriers around atomic accesses, by the table of the mappings."""

import pytest

from sley.logic.sorts import bitvec
from sley.logic.terms import Terms
from sley.program.compiled_orders import barriers_of
from sley.program.instructions import Access, Barrier, Load, Order, Register, Store, Update
from sley.program.memory_model import MemoryModel

FULL, LIGHT, STORES, CONTROL = Barrier.FULL, Barrier.LIGHTWEIGHT, Barrier.STORES, Barrier.CONTROL

CASES = [
    ("tso", "load", Order.SEQUENTIAL, None, None),
    ("tso", "store", Order.RELEASE, None, None),
    ("tso", "store", Order.SEQUENTIAL, None, FULL),
    ("tso", "update", Order.RELAXED, FULL, FULL),
    ("pso", "store", Order.RELAXED, None, None),
    ("pso", "store", Order.RELEASE, STORES, None),
    ("pso", "store", Order.SEQUENTIAL, STORES, FULL),
    ("rmo", "load", Order.ACQUIRE, None, LIGHT),
    ("rmo", "store", Order.RELEASE, LIGHT, None),
    ("rmo", "update", Order.ACQUIRE_RELEASE, LIGHT, LIGHT),
    ("rmo", "store", Order.SEQUENTIAL, FULL, None),
    ("power", "load", Order.PLAIN, None, None),
    ("power", "load", Order.ACQUIRE, None, CONTROL),
    ("power", "store", Order.RELEASE, LIGHT, None),
    ("power", "load", Order.SEQUENTIAL, FULL, CONTROL),
    ("power", "store", Order.SEQUENTIAL, FULL, None),
    ("power", "update", Order.RELAXED, None, None),
]


@pytest.mark.parametrize(("model", "kind", "order", "before", "after"), CASES)
def test_mapping(model: str, kind: str, order: Order, before: Barrier | None, after: Barrier | None) -> None:
    terms = Terms()
    value = terms.bv(1, 32)
    access = Access(value, bitvec(32), order)
    register = Register("r", bitvec(32), terms.var("r", bitvec(32)))
    made: dict[str, Load | Store | Update] = {
        "load": Load(register, access),
        "store": Store(access, value),
        "update": Update(register, access, value),
    }
    assert barriers_of(made[kind], MemoryModel(model)) == (before, after)
