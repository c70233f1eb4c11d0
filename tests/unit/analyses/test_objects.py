from hypothesis import given
from hypothesis import strategies as st

from sley.analyses.objects import (
    ANY,
    AbstractObjects,
    ByteClasses,
    CellClass,
    MemoryClasses,
    Offset,
    indices,
    union,
)
from tests.unit.analyses.programs import parsed

PROGRAM = parsed("""
global x : i32 = 0
global big : [1000 x i32]
global pair : { .a : i64 @0, .b : i32 @8 } size 16
code f
thread main() {
  reg p : i64
  reg n : i64
  local buf : [4 x i8]
  entry 0 exit 9
  0 -> 1 : allocate p, 16:i64, { .a : i64 @0, .b : i32 @8 } size 16 "pair"
  1 -> 2 : allocate p, n, i32
  2 -> 9 : end return
}
""")


def test_sets() -> None:
    assert list(indices(0b1011)) == [0, 1, 3]
    assert union((1, 4, 5)) == 5


def test_objects_are_numbered_as_in_the_program() -> None:
    objects = AbstractObjects(PROGRAM)
    assert [obj.name for obj in objects][1:5] == ["x", "big", "pair", "f"]
    assert objects[objects.of_local("main", 0)].name == "main::buf"
    assert objects[objects.of_site(0)].size == 16
    assert objects[objects.of_site(1)].size is None
    assert objects.heap == (objects.of_site(0), objects.of_site(1))
    assert [obj.is_static for obj in objects] == [True] * 5 + [False] * 3 + [True]
    assert objects[-1].is_thread_id


def test_classes() -> None:
    objects = AbstractObjects(PROGRAM)
    classes = MemoryClasses(objects)
    x, big, pair, code = classes.partitions[1:5]
    assert (len(x.cells), x.padding, x.life) == (1, 0, 0)
    assert (len(big.cells), big.period) == (1, 4)
    assert len(pair.cells) == 2
    assert pair.padding
    assert not code.cells
    block = classes.partitions[objects.of_site(0)]
    assert (len(block.cells), block.period) == (2, 0)
    assert block.life
    assert classes.partitions[objects.of_site(1)].period == 4
    everything = [classes.all_of(obj.index) for obj in objects]
    assert union(everything).bit_count() == sum(bits.bit_count() for bits in everything) == classes.count


def test_fields_are_told_apart() -> None:
    pair = MemoryClasses(AbstractObjects(PROGRAM)).partitions[3]
    first, second = 1 << pair.first, 1 << (pair.first + 1)
    assert pair.touched(Offset(0), 0, 8) == first
    assert pair.touched(Offset(8), 0, 4) == second
    assert pair.touched(Offset(8, 16), 0, 4) == second
    assert pair.touched(Offset(12), 0, 4) == pair.padding
    assert pair.touched(Offset(4), 0, 8) == first | second | pair.padding
    assert pair.touched(ANY, 0, 1) == pair.all_bytes


cells = st.lists(st.integers(1, 4), min_size=1, max_size=4)


@given(cells, st.sampled_from((0, 1)), st.integers(-9, 30), st.integers(0, 9), st.integers(1, 6))
def test_overlaps_are_those_of_the_bytes(
    sizes: list[int], repeats: int, residue: int, modulus: int, size: int
) -> None:
    """Against all bytes of all offsets in a window; the stride leaves two bytes of padding."""
    layout, at = [], 0
    for cell_size in sizes:
        layout.append(CellClass(at, cell_size))
        at += cell_size
    stride = at + 2
    repetitions = range(-30, 31) if repeats else range(1)
    partition = ByteClasses(
        tuple(layout), first=0, period=stride * repeats, stride=stride, padding=1 << len(layout), life=0
    )
    owner = {
        rep * stride + cell.offset + byte: (index, rep)
        for rep in repetitions
        for index, cell in enumerate(layout)
        for byte in range(cell.size)
    }
    offsets = [residue] if modulus == 0 else [residue + k * modulus for k in range(-40, 41)]
    hit: dict[int, bool] = {}
    hits_padding = False
    for offset in offsets:
        touched = [owner.get(byte) for byte in range(offset, offset + size)]
        hits_padding |= any(byte % stride >= at for byte in range(offset, offset + size))
        for index, rep in {o for o in touched if o is not None}:
            cell = layout[index]
            is_exact = offset == rep * stride + cell.offset and size == cell.size
            hit[index] = hit.get(index, True) and is_exact
    found = dict(partition.overlaps(Offset(residue, modulus), 0, size))
    assert set(found) >= set(hit)
    if abs(residue) < 20:  # the window above is wide enough to be complete
        assert set(found) == set(hit)
    for index, is_exact in found.items():
        assert not is_exact or hit.get(index, True)
    if hits_padding and repeats:
        assert partition.touched(Offset(residue, modulus), 0, size) & partition.padding
