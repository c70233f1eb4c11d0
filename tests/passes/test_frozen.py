from sley.analyses.pointers import PointsTo
from sley.logic.sorts import BOOL
from sley.passes.frozen import frozen_loads, specialise, without_frozen_loads
from sley.program.instructions import Assign, End, FaultTest, Store
from sley.program.program import Program
from tests.unit.analyses.programs import parsed

TEXT = """
global table : [4 x i32] = {{ 0: 7, 2: 9 }}
global flag : bool = 1
global x : i32 = 5
global pair : {{ .a : i32 @0, .b : i32 @4 }} size 8
thread main() {{
  reg t : i32
  reg b : bool
  reg p : i64
  reg h : i64
  entry 0 exit 90
  0 -> 1 : load t, table+8
  0 -> 80 : fault load t, table+8
  1 -> 2 : load b, flag
  2 -> 3 : load t, x
  3 -> 4 : load t, pair+4
  4 -> 5 : load t, pair
  5 -> 6 : load t, table+12
  6 -> 7 : load t, table+2
  7 -> 8 : load t, table+16
  8 -> 9 : create h, worker(0:i64)
  9 -> 10 : {extra}
  10 -> 90 : end return
  error 80 : deref invalid-dereference "bad"
}}
thread worker(a : i64) {{
  entry 100 exit 109
  100 -> 101 : store x, 1:i32
  101 -> 102 : store pair, 1:i32
  102 -> 109 : exit
}}
thread never(a : i64) {{
  entry 110 exit 119
  110 -> 111 : store table, 1:i32
  111 -> 119 : exit
}}
"""


def program(extra: str = "skip") -> Program:
    return parsed(TEXT.format(extra=extra))


def values(made: Program) -> dict[int, object]:
    return {at: made.terms.value(term) for at, term in frozen_loads(made, PointsTo(made)).items()}


def test_values() -> None:
    assert values(program()) == {0: 9, 1: True, 3: 0, 5: 0}


def test_bool_loads_are_truth_values() -> None:
    made = program()
    assert made.terms.sort(frozen_loads(made, PointsTo(made))[1]) == BOOL


def test_writes_by_pointer_count() -> None:
    assert set(values(program("store *(bvadd &table (bvmul h 0:i64)), 1:i32"))) == {0, 1, 3, 5}
    assert set(values(program("store *(ite b &table+8 &pair+4), 1:i32"))) == {1, 5}


def test_writes_to_anywhere_freeze_nothing() -> None:
    assert values(program("store *(bvmul (sign_extend 32 t) 4294967296:i64), 1:i32")) == {}


def test_unmodelled_functions_write_what_they_are_given() -> None:
    assert set(values(program("call_unmodelled mystery(&flag)"))) == {0, 3, 5}


KEPT = """
global kind : i32 = 5
thread main() {{
  reg t : i32
  entry 0 exit 9
  0 -> 1 : {store}
  1 -> 2 : {load}
  2 -> 9 : end return
}}
"""


def frozen_after(store: str, load: str) -> bool:
    return 1 in values(parsed(KEPT.format(store=store, load=load)))


def test_atomic_stores_of_the_initial_value_change_nothing() -> None:
    assert frozen_after("store kind @seq_cst, 5:i32", "load t, kind @seq_cst ; library")
    assert not frozen_after("store kind @seq_cst, 4:i32", "load t, kind @seq_cst ; library")


def test_but_the_user_may_synchronise_by_them() -> None:
    assert not frozen_after("store kind @release, 5:i32", "load t, kind @acquire")


def test_what_could_race_is_not_frozen() -> None:
    assert not frozen_after("store kind @seq_cst, 5:i32", "load t, kind")
    assert not frozen_after("store kind, 5:i32", "load t, kind @seq_cst")


def test_replacement() -> None:
    made = program()
    changed = without_frozen_loads(made, PointsTo(made))
    main = changed.functions["main"]
    assert isinstance(main.outgoing[0][0].instruction, Assign)
    assert not any(isinstance(edge.instruction, FaultTest) for edge in main.edges)
    assert main.outgoing[2] == made.functions["main"].outgoing[2]
    assert without_frozen_loads(changed, PointsTo(changed)) is changed


def test_specialisation_removes_what_cannot_happen() -> None:
    """The second load is frozen only once the store behind the first has gone."""
    made = parsed("""
global kind : i32 = 0
global depth : i32 = 3
global x : i32 = 0
thread main() {
  reg t : i32
  reg u : i32
  entry 0 exit 9
  0 -> 1 : load t, kind
  1 -> 2 : assume (= t 1:i32)
  1 -> 3 : assume (not (= t 1:i32))
  2 -> 3 : store depth, 1:i32
  3 -> 4 : load u, depth
  4 -> 5 : store x, u
  5 -> 9 : end return
}
""")
    main = specialise(made).functions["main"]
    assert [type(edge.instruction) for edge in main.edges] == [Store, End]
    store = main.edges[0].instruction
    assert isinstance(store, Store)
    assert made.terms.number(store.value) == 3
