"""Barriers around atomic accesses, by the table of the mappings."""

import pytest

from sley.logic.sorts import bitvec
from sley.logic.terms import Terms
from sley.program.compiled_orders import barriers_of
from sley.program.instructions import Access, Barrier, Load, MemoryOrder, Register, Store, Update
from sley.program.memory_model import MemoryModel

FULL, LIGHT, STORES, CONTROL = Barrier.FULL, Barrier.LIGHTWEIGHT, Barrier.STORES, Barrier.CONTROL

CASES = [
    ("tso", "load", MemoryOrder.SEQUENTIAL, None, None),
    ("tso", "store", MemoryOrder.RELEASE, None, None),
    ("tso", "store", MemoryOrder.SEQUENTIAL, None, FULL),
    ("tso", "update", MemoryOrder.RELAXED, FULL, FULL),
    ("pso", "store", MemoryOrder.RELAXED, None, None),
    ("pso", "store", MemoryOrder.RELEASE, STORES, None),
    ("pso", "store", MemoryOrder.SEQUENTIAL, STORES, FULL),
    ("rmo", "load", MemoryOrder.ACQUIRE, None, LIGHT),
    ("rmo", "store", MemoryOrder.RELEASE, LIGHT, None),
    ("rmo", "update", MemoryOrder.ACQUIRE_RELEASE, LIGHT, LIGHT),
    ("rmo", "store", MemoryOrder.SEQUENTIAL, FULL, None),
    ("power", "load", MemoryOrder.PLAIN, None, None),
    ("power", "load", MemoryOrder.ACQUIRE, None, CONTROL),
    ("power", "store", MemoryOrder.RELEASE, LIGHT, None),
    ("power", "load", MemoryOrder.SEQUENTIAL, FULL, CONTROL),
    ("power", "store", MemoryOrder.SEQUENTIAL, FULL, None),
    ("power", "update", MemoryOrder.RELAXED, None, None),
]


@pytest.mark.parametrize(("model", "kind", "order", "before", "after"), CASES)
def test_mapping(
    model: str, kind: str, order: MemoryOrder, before: Barrier | None, after: Barrier | None
) -> None:
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
