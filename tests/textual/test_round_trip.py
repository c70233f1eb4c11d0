"""parse . print: every program that can be printed is read back as the same program."""

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from sley.base.errors import Unsupported
from sley.base.source import Span
from sley.logic.sorts import BOOL, I8, I32, Sort
from sley.logic.terms import Term, Terms
from sley.passes import InlineOptions, prepare
from sley.program.instructions import Assign, Register
from sley.program.memory import Cell, Display, Layout, MemoryObject, PointerLayout, Storage
from sley.program.printer import FunctionPrinter, print_program
from sley.program.program import Edge, Function, Origin, Program
from tests.textual.parser import parse_program
from tests.unit.logic.random_terms import FLOATS, Generator, any_sort, make, random_value, variables
from tests.unit.program.random_programs import random_program, with_random_origins

SEEDS = st.integers(0, 10**9)
NOWHERE = Origin(None, "", "")


def without_addresses(objects: tuple[MemoryObject, ...]) -> list[MemoryObject]:
    """Objects of two arenas, made comparable."""
    return [replace(declared, address=Term(0)) for declared in objects]


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_a_program_survives_print_and_parse(seed: int) -> None:
    program = with_random_origins(random_program(seed), seed)
    text = print_program(program)
    read = parse_program(text)
    assert print_program(read) == text
    for name, function in program.functions.items():
        assert [e.origin for e in read.functions[name].edges] == [e.origin for e in function.edges]
    assert without_addresses(read.objects) == without_addresses(program.objects)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_a_prepared_program_survives_print_and_parse(seed: int) -> None:
    text = print_program(prepare(random_program(seed), inlining=InlineOptions(recursion_bound=2)))
    assert print_program(parse_program(text)) == text


def one_assignment(terms: Terms, target: Register, registers: list[Register], term: Term) -> Program:
    edge = Edge(0, 1, Assign(((target, term),)), NOWHERE)
    main = Function("main", "main", (), (target, *registers), (), 0, 1, (edge,))
    return Program(terms, {"main": main}, ())


@settings(max_examples=300, deadline=None)
@given(SEEDS)
def test_a_term_keeps_its_meaning_through_print_and_parse(seed: int) -> None:
    rng = random.Random(seed)
    generator = Generator(rng, widths=(1, 8, 32, 64), floats=FLOATS)
    tree = generator.tree(any_sort(generator), 4)
    terms = Terms()
    term = make(terms, tree)
    found = list(variables(tree))
    registers = [_register(terms, name, sort) for name, sort in found]
    program = one_assignment(terms, _register(terms, "target", terms.sort(term)), registers, term)
    text = print_program(program)
    read = parse_program(text)
    assert print_program(read) == text
    again = read.functions["main"].edges[0].instruction
    assert isinstance(again, Assign)
    values = {(name, sort): random_value(rng, sort) for name, sort in found}
    by_name = {r.name: r.term for r in read.functions["main"].registers}
    expected = terms.evaluate(term, {terms.var(name, sort): v for (name, sort), v in values.items()})
    assert expected == read.terms.evaluate(
        again.assignments[0][1], {by_name[f"{name}_{sort}"]: v for (name, sort), v in values.items()}
    )


def _register(terms: Terms, name: str, sort: Sort) -> Register:
    full = name if name == "target" else f"{name}_{sort}"
    return Register(full, sort, terms.var(name, sort), display=Display.HIDDEN)


def test_a_deep_term_needs_no_deep_stack() -> None:
    terms = Terms()
    x = Register("x", I32, terms.var("main::x", I32), display=Display.HIDDEN)
    term = x.term
    for _ in range(1500):
        term = terms.bvnot(terms.add(term, terms.bv(1, 32)))
    text = print_program(one_assignment(terms, x, [], term))
    assert print_program(parse_program(text)) == text


def test_names_that_look_like_something_else() -> None:
    terms = Terms()
    names = ["self", "true", "const", "a b", 'quo"te', "x-1", "1x", "", "é", "&x", "load"]
    registers = [Register(n, BOOL, terms.var(f"main::{n}", BOOL), display=Display.HIDDEN) for n in names]
    term = terms.and_(*(r.term for r in registers))
    text = print_program(one_assignment(terms, registers[0], registers[1:], term))
    read = parse_program(text)
    assert print_program(read) == text
    assert [r.name for r in read.functions["main"].registers] == names


def test_layouts_initial_values_and_flags() -> None:
    terms = Terms()
    pointers = PointerLayout(32, 20)
    node = Layout((Cell(0, I32, ".next", Display.POINTER), Cell(4, I8, ".a[1]", Display.CHAR)), 8)
    declared = [
        ("array", 12, Layout((Cell(0, I32),), 4), ((1, 5), (2, 2**32 - 1))),
        ("nodes", 24, node, ((0, pointers.address(pointers.first_object, 4)), (3, 7))),
        ("odd", 7, Layout((Cell(0, I32),), 4), ()),
        ("padded", 8, Layout((Cell(0, I8),), 8), ()),
        ("empty", 0, Layout((), 1), ()),
        ("flag", 1, Layout((Cell(0, BOOL, "", Display.BOOL),), 1), ((0, 1),)),
    ]
    objects = tuple(
        MemoryObject(name, size, layout, Storage.GLOBAL, terms.bv(pointers.address(i), 32), initial)
        for i, (name, size, layout, initial) in enumerate(declared, pointers.first_object)
    )
    objects = (*objects[:-1], replace(objects[-1], is_read_only=True, c_name="f", span=Span("a.c", 1, 2)))
    main = Function("main", "main", (), (), (), 0, 1, (Edge(0, 1, Assign(), NOWHERE),))
    program = Program(
        terms,
        {"main": main},
        objects,
        pointers=pointers,
        assumptions=("no signals",),
        keeps_frames=True,
        unmodelled=(Unsupported("call to `f`: no model of this function", Span("a.c", 3, 4, 3, 9)),),
    )
    read = parse_program(print_program(program))
    assert print_program(read) == print_program(program)
    assert without_addresses(read.objects) == without_addresses(objects)
    assert read.keeps_frames
    assert (read.pointers, read.assumptions, read.unmodelled) == (
        program.pointers,
        program.assumptions,
        program.unmodelled,
    )


def test_an_address_is_printed_by_name_unless_the_name_is_hidden() -> None:
    text = """
program lp64
global x : [2 x i32]
thread main {
  local %s : i32
  entry 0 exit 1
  0 -> 1 : store x+4, 1:i32
}
"""
    for local in ("y", "x"):
        program = parse_program(text % local)
        printer = FunctionPrinter(program, program.functions["main"])
        (edge,) = program.functions["main"].edges
        assert printer.instruction(edge.instruction) == "store x+4, 1:i32"
        address = program.pointers.address(program.pointers.first_object, 4)
        expected = "&x+4" if local == "y" else f"{address}:i64"
        assert printer.term(program.terms.bv(address, 64)) == expected
