"""Each rule of well-formedness, broken once."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.logic.sorts import I8, I32
from sley.program.instructions import Access, Assign, Assume, Load, Register, Store
from sley.program.program import Edge, Function, Program
from tests.textual.parser import parse_program
from tests.textual.validation import InvalidProgramError, validate
from tests.unit.program.random_programs import random_program

TEXT = """
program lp64
global x : i32
code f
thread main {
  reg t : i32
  reg h : i64
  local buf : [4 x i8]
  entry 0 exit 9
  error 8 : reach rule "message"
%s
}
thread f(p : i64) -> i64 {
  entry 100 exit 101
  100 -> 101 : exit 0:i64
}
"""


def check(body: str, *, is_flat: bool = True) -> None:
    validate(parse_program(TEXT % body), is_flat=is_flat)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9))
def test_random_programs_are_well_formed_until_one_edge_is_changed(seed: int) -> None:
    program, random = random_program(seed), Random(seed)
    validate(program, is_flat=False)
    function = random.choice([f for f in program.functions.values() if f.edges])
    edge = random.choice(function.edges)
    others = [other for other in function.edges if other is not edge]
    nowhere = replace(edge, target=1 + max(function.locations))
    from_exit = replace(edge, source=function.exit)
    beside = replace(
        edge, instruction=Assign() if isinstance(edge.instruction, Assume) else Assume(program.terms.true)
    )
    for edges in ([*others, nowhere], [*function.edges, from_exit], [*function.edges, beside]):
        broken = replace(function, edges=tuple(edges))
        with pytest.raises(InvalidProgramError):
            validate(replace(program, functions={**program.functions, function.name: broken}), is_flat=False)


@pytest.mark.parametrize(
    "body",
    [
        "0 -> 9 : end return",
        "0 -> 1 : load t, *h\n0 -> 8 : fault load t, *h\n1 -> 9 : exit",
        "0 -> 1 : assume (= t 0:i32)\n0 -> 1 : assume (= t 1:i32)\n1 -> 1 : skip",
        "0 -> 1 : atomic_begin\n1 -> 2 : skip\n2 -> 1 : skip",
        "0 -> 1 : atomic_begin\n1 -> 2 : assume (= t 0:i32)\n1 -> 8 : assume (not (= t 0:i32))\n"
        "2 -> 3 : atomic_end\n3 -> 9 : exit",
        "0 -> 1 : create h, f(h)\n1 -> 2 : join h, h\n2 -> 9 : exit",
    ],
)
def test_well_formed(body: str) -> None:
    check(body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("0 -> 9 : return", "a call is left at location 0"),
        ("0 -> 1 : skip", "nothing leaves location 1"),
        ("0 -> 1 : skip\n0 -> 9 : exit\n1 -> 9 : exit", "location 0 has steps that exclude each other"),
        (
            "0 -> 1 : skip\n0 -> 9 : assume true\n1 -> 9 : exit",
            "location 0 has steps that exclude each other",
        ),
        (
            "0 -> 9 : load t, x\n0 -> 8 : fault load t, x+4",
            "the fault at location 0 is not that of its sibling",
        ),
        ("0 -> 9 : exit\n9 -> 9 : skip", "the exit location has an outgoing edge"),
        ("0 -> 8 : skip\n8 -> 9 : exit", "error location 8 has an outgoing edge"),
        (
            "0 -> 1 : atomic_begin\n1 -> 2 : atomic_begin\n2 -> 2 : skip",
            "begins inside another at location 1",
        ),
        ("0 -> 9 : atomic_end", "no atomic section ends at location 0"),
        (
            "0 -> 1 : assume true\n0 -> 2 : assume false\n1 -> 2 : atomic_begin\n2 -> 2 : skip",
            "location 2 is inside and outside of an atomic section",
        ),
        ("0 -> 9 : create h, g(h)", "there is no function `g` at location 0"),
        ("0 -> 9 : create h, f(t)", "the arguments do not fit the parameters of `f` at location 0"),
        ("0 -> 9 : create t, f(h)", "a handle has sort i32 instead of i64 at location 0"),
        ("0 -> 9 : free t", "an address has sort i32 instead of i64 at location 0"),
        ("0 -> 9 : allocate t, h, i8", "the address of a block has sort i32"),
        ("0 -> 9 : t := 1:i32, t := 2:i32", "two values for one register at location 0"),
        ("0 -> 9 : load t, x : i8", "an access of sort i8 has a value of sort i32"),
        ("0 -> 100 : skip\n100 -> 9 : exit", "location 100 is in `main` and in `f`"),
        ("0 -> 9 : lock x : bool", "a lock has sort bool"),
    ],
)
def test_ill_formed(body: str, message: str) -> None:
    with pytest.raises(InvalidProgramError) as caught:
        check(body)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("0 -> 9 : skip", "location 0 falls off the end"),
        ("0 -> 9 : call t, f(h)", "the result of `f` does not fit `t`"),
        ("0 -> 9 : call *t()", "a function pointer has sort i32"),
        ("0 -> 9 : return t", "a returned value has another sort than the result"),
    ],
)
def test_ill_formed_before_inlining(body: str, message: str) -> None:
    with pytest.raises(InvalidProgramError) as caught:
        check(body, is_flat=False)
    assert message in str(caught.value)


def changed(**changes: object) -> Program:
    program = parse_program(TEXT % "0 -> 1 : load t, x\n1 -> 9 : exit")
    functions = dict(program.functions)
    functions["main"] = replace(functions["main"], **changes)  # type: ignore[arg-type]
    return replace(program, functions=functions)


def test_registers_belong_to_the_function() -> None:
    with pytest.raises(InvalidProgramError, match="register `t` at location 0 is not its own"):
        validate(changed(registers=()), is_flat=True)
    program = changed()
    foreign = Register("t", I32, program.terms.var("f::t", I32))
    edges = (Edge(0, 9, Assign(((foreign, foreign.term),)), program.functions["f"].edges[0].origin),)
    with pytest.raises(InvalidProgramError, match="is not its own"):
        validate(_with_edges(program, edges), is_flat=True)


def test_variables_belong_to_the_function() -> None:
    program = changed()
    stranger = Access(program.terms.var("&stranger", program.terms.sort(program.objects[0].address)), I32)
    value = program.functions["main"].registers[0].term
    edges = (Edge(0, 9, Store(stranger, value), program.functions["f"].edges[0].origin),)
    with pytest.raises(InvalidProgramError, match="variable `&stranger` at location 0 is not its own"):
        validate(_with_edges(program, edges), is_flat=True)


def test_sorts_of_accesses() -> None:
    program = changed()
    (load, *_) = program.functions["main"].edges
    assert isinstance(load.instruction, Load)
    wrong = replace(load.instruction, access=replace(load.instruction.access, sort=I8))
    with pytest.raises(InvalidProgramError, match="an access of sort i8 has a value of sort i32"):
        validate(_with_edges(program, (replace(load, target=9, instruction=wrong),)), is_flat=True)


def test_objects_have_their_numbers_and_fit() -> None:
    program = changed()
    x, f = program.objects
    for objects, message in (
        ((f, x), f"object `f` has number {program.pointers.first_object} but another address"),
        ((x, replace(f, name="x")), "two objects are named `x`"),
        ((replace(x, initial=((1, 0),)), f), "object `x` has no cell 1 to initialise"),
        ((replace(x, initial=((0, 2**32),)), f), "value 4294967296 does not fit into cell 0"),
        ((replace(x, size=2**40), f), "object `x` has a size of"),
    ):
        with pytest.raises(InvalidProgramError) as caught:
            validate(replace(program, objects=objects), is_flat=True)
        assert message in str(caught.value)


def test_the_entry_exists_and_functions_are_filed_under_their_names() -> None:
    program = changed()
    with pytest.raises(InvalidProgramError, match="no function `start`"):
        validate(replace(program, entry="start"), is_flat=True)
    with pytest.raises(InvalidProgramError, match="function `main` is filed under `other`"):
        validate(
            replace(program, functions={"main": program.functions["main"], "other": _main(program)}),
            is_flat=True,
        )


def _main(program: Program) -> Function:
    return program.functions["main"]


def _with_edges(program: Program, edges: tuple[Edge, ...]) -> Program:
    return replace(program, functions={**program.functions, "main": replace(_main(program), edges=edges)})
