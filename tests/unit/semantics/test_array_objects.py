"""Objects with arrays: which cells are one place together, and what an access there reads and writes."""

import pytest

from sley.analyses.objects import Offset
from sley.logic.operators import Op
from sley.logic.sorts import I64
from sley.logic.terms import Term
from sley.semantics.code import Code
from sley.semantics.places import _restricted
from sley.semantics.symbolic_memory import AccessTarget, SymbolicAccess, elements, is_valid
from sley.semantics.symbolic_violations import lost_memory
from sley.semantics.vocabulary import HeapShape, Instance, Vocabulary
from tests.textual.parser import parse_program

OBJECTS = """program lp64
global plain : [100 x i32]
global records : [100 x { .a : i32 @0, .b : i32 @4, .c : i32 @8 } size 12]
global mixed : [100 x { .a : i32 @0, .b : i64 @8 } size 16]
global one : { .n : i64 @0, .x : i32 @8, .y : i32 @12, .z : i32 @16, .c : i8 @20 } size 24
thread main() -> i32 {
  entry 0 exit 1
  0 -> 1 : end return
}
"""


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary(Code(parse_program(OBJECTS)), ["main"], most_cells=4)


def instance(vocabulary: Vocabulary, name: str) -> Instance:
    objects = vocabulary.code.program.objects
    position = next(i for i, obj in enumerate(objects) if obj.name == name)
    return vocabulary.instances[vocabulary.pointers.first_object + position]


def places(vocabulary: Vocabulary, name: str, size: int) -> list[tuple[int, int, int]]:
    return [target[1:] for target in elements(instance(vocabulary, name), size)]


def test_cells_of_one_size_that_are_evenly_spaced_are_one_place(vocabulary: Vocabulary) -> None:
    assert places(vocabulary, "plain", 4) == [(0, 4, 100)]
    assert places(vocabulary, "plain", 8) == []
    assert places(vocabulary, "records", 4) == [(0, 4, 300)]
    assert places(vocabulary, "mixed", 4) == [(0, 16, 100)]
    assert places(vocabulary, "mixed", 8) == [(8, 16, 100)]
    assert places(vocabulary, "one", 4) == [(8, 4, 3)]
    assert places(vocabulary, "one", 8) == [(0, 0, 1)]


def test_places_at_some_offsets_are_evenly_spaced_too() -> None:
    every = AccessTarget(7, 0, 4, 300)
    assert list(_restricted(every, Offset(8, 12))) == [AccessTarget(7, 8, 12, 100)]
    assert list(_restricted(every, Offset(0, 1))) == [every]
    assert list(_restricted(every, Offset(2, 4))) == []
    assert list(_restricted(every, Offset(6, 10))) == [AccessTarget(7, 16, 20, 60)]


def access(vocabulary: Vocabulary, target: AccessTarget, *, writes: bool) -> tuple[SymbolicAccess, Term]:
    address = vocabulary.terms.var("p", I64)
    return SymbolicAccess(vocabulary, address, 4, [target], writes=writes), address


def test_an_access_is_one_case_and_covers_exactly_its_places(vocabulary: Vocabulary) -> None:
    t, number = vocabulary.terms, instance(vocabulary, "records").number
    made, address = access(vocabulary, AccessTarget(number, 8, 12, 100), writes=False)
    assert len(made.cases) == 1
    for offset in (0, 4, 8, 9, 20, 1196, 1197, 1200, 1208):
        values = {address: vocabulary.pointers.address(number, offset)}
        is_place = offset in range(8, 1200, 12)
        assert t.evaluate(made.covered, values) is is_place
        is_inside = t.evaluate(is_valid(vocabulary, address, 4, writes=False), values)
        assert is_inside is (offset + 4 <= 1200)
        assert t.evaluate(made.unknown, values) is (is_inside and not is_place)


def test_places_that_are_no_cells_are_no_case(vocabulary: Vocabulary) -> None:
    number = instance(vocabulary, "mixed").number
    for wrong in (
        AccessTarget(number, 0, 8, 100),
        AccessTarget(number, 0, 16, 101),
        AccessTarget(number, 2, 16, 9),
    ):
        assert access(vocabulary, wrong, writes=False)[0].cases == []


def test_a_write_is_seen_by_reads_of_the_same_place(vocabulary: Vocabulary) -> None:
    t, target = vocabulary.terms, AccessTarget(instance(vocabulary, "plain").number, 0, 4, 100)
    written, _ = access(vocabulary, target, writes=True)
    value = t.var("v", t.sort(written.read(t.sort(t.bv(0, 32)))))
    after = written.write(value)
    read, _ = access(vocabulary, target, writes=False)
    assert t.substitute(read.read(t.sort(value)), after) == value
    (array,) = after
    assert t.op(after[array]) is Op.STORE


def test_what_a_large_array_may_refer_to_is_not_known_to_be_lost() -> None:
    program = parse_program(OBJECTS.replace("[100 x i32]", "[500 x i64]"))
    code = Code(program)
    base = code.memory_map.heap_base
    made = HeapShape(program.objects[2].layout, 16)
    for most_cells, is_known in ((None, True), (64, False)):
        vocabulary = Vocabulary(code, ["main"], {base: made}, most_cells)
        lost = lost_memory(vocabulary, {}, None)
        t = vocabulary.terms
        assert (lost.unknown == t.false) is is_known
        assert (lost.holds == t.false) is not is_known
