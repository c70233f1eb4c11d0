from hypothesis import given, settings
from hypothesis import strategies as st

from sley.analyses.liveness import live_registers
from sley.program.instructions import FaultTest, Update
from sley.program.program import Function, Program
from sley.program.rewriting import read_terms, written_registers
from tests.unit.analyses.programs import parsed
from tests.unit.analyses.random_pointers import random_program


def live_names(program: Program) -> dict[int, list[str]]:
    live = live_registers(program.functions["main"], program.terms)
    return {location: [register.name for register in registers] for location, registers in live.items()}


def test_straight_line_and_branch() -> None:
    program = parsed("""
global x : i32 = 0
thread main() {
  reg a : i32
  reg b : i32
  reg c : i32
  entry 0 exit 9
  0 -> 1 : load a, x
  1 -> 2 : b := (bvadd a 1:i32), c := a
  2 -> 3 : assume (= c 0:i32)
  2 -> 4 : assume (not (= c 0:i32))
  3 -> 5 : store x, b
  4 -> 5 : skip
  5 -> 9 : end return
}
""")
    live = live_names(program)
    assert live[0] == []
    assert live[1] == ["a"]
    assert live[2] == ["b", "c"]
    assert live[3] == ["b"]
    assert live[4] == live[5] == live[9] == []


def test_loop_keeps_what_the_next_round_reads() -> None:
    program = parsed("""
global x : i32 = 0
thread main() {
  reg i : i32
  reg n : i32
  entry 0 exit 9
  0 -> 1 : i := 0:i32, n := 3:i32
  1 -> 2 : assume (bvslt i n)
  1 -> 9 : assume (not (bvslt i n))
  2 -> 1 : i := (bvadd i 1:i32)
}
""")
    assert live_names(program)[2] == ["i", "n"]


def test_update_reads_its_target_after_setting_it() -> None:
    program = parsed("""
global x : i32 = 0
thread main() {
  reg old : i32
  reg by : i32
  entry 0 exit 9
  0 -> 1 : by := 1:i32
  1 -> 2 : update old, x, (bvadd old by)
  2 -> 9 : end return
}
""")
    assert live_names(program)[1] == ["by"]


def test_faults_and_sections() -> None:
    program = parsed("""
global x : i32 = 0
thread main() {
  reg p : i64
  reg v : i32
  reg c : bool
  entry 0 exit 9
  0 -> 1 : p := &x, v := 2:i32
  1 -> 2 : atomic_begin
  2 -> 3 : store *p, v
  2 -> 7 : fault store *p, v
  3 -> 4 : await c
  4 -> 5 : atomic_end
  5 -> 9 : end return
  error 7 : deref invalid "bad"
}
""")
    live = live_names(program)
    assert live[1] == live[2] == ["p", "v", "c"]
    assert live[3] == ["c"]


def naive_live(function: Function, program: Program, location: int) -> set[str]:
    """Registers that some path reads before it writes them, by search over (location, register)."""
    found = set()
    for register in function.registers:
        seen = {location}
        stack = [location]
        while stack:
            for edge in function.outgoing.get(stack.pop(), ()):
                terms = read_terms(edge.instruction)
                if isinstance(edge.instruction, Update) and edge.instruction.target == register:
                    terms = terms[:1]
                if any(program.terms.mentions(term, register.term) for term in terms):
                    found.add(register.name)
                written = written_registers(edge.instruction)
                if edge.target not in seen and (
                    register not in written or isinstance(edge.instruction, FaultTest)
                ):
                    seen.add(edge.target)
                    stack.append(edge.target)
    return found


@settings(deadline=None)
@given(st.integers(0, 100_000))
def test_agrees_with_a_search_for_each_register(seed: int) -> None:
    program = random_program(seed)
    for function in program.functions.values():
        live = live_registers(function, program.terms)
        order = {register.name: i for i, register in enumerate(function.registers)}
        for location in function.locations:
            names = [register.name for register in live[location]]
            assert names == sorted(names, key=order.__getitem__)
            assert set(names) == naive_live(function, program, location)
