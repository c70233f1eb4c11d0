"""What the parser understands, and how it says what it does not."""

import pytest

from sley.base.errors import InputError
from sley.base.source import Span
from sley.program.instructions import FaultTest, Load, MemoryOrder, Store
from sley.program.memory import Display
from tests.textual.parser import parse_program

BODY = """
program lp64
global x : i32 = 3          # a comment
thread main(argc : i32 as "argc") -> i32 {   ; main.c:1:1
  reg t : i32
  local buf : [4 x i8]
  entry 0 exit 9
  %s
}
"""


def test_everything_of_a_line() -> None:
    line = '7 -> 9 : load t, x+0 @acquire bytes 0 4 "x"'
    line += ' ; main.c:3:4-3:6 "t = x" in main library via f a.c:1:2 "f()"'
    program = parse_program(BODY % line)
    main = program.functions["main"]
    (edge,) = main.edges
    assert isinstance(edge.instruction, Load)
    access = edge.instruction.access
    assert (access.order, access.location, access.text) == (MemoryOrder.ACQUIRE, (0, 4), "x")
    assert program.terms.number(access.address) == program.pointers.address(program.pointers.first_object)
    origin = edge.origin
    assert (origin.span, origin.text, origin.function) == (Span("main.c", 3, 4, 3, 6), "t = x", "main")
    assert origin.is_library
    assert [(c.function, c.span, c.text, c.is_library) for c in origin.calls] == [
        ("f", Span("a.c", 1, 2), "f()", False)
    ]
    assert main.span == Span("main.c", 1, 1)
    assert [(r.name, r.c_name, r.display) for r in main.registers] == [
        ("argc", "argc", Display.SIGNED),
        ("t", "", Display.HIDDEN),
    ]
    assert program.objects[0].initial == ((0, 3),)


def test_a_store_takes_the_sort_of_its_value_and_a_fault_wraps_an_instruction() -> None:
    program = parse_program(BODY % "0 -> 9 : fault store *&buf+1, 5:i8")
    (edge,) = program.functions["main"].edges
    assert isinstance(edge.instruction, FaultTest)
    assert isinstance(edge.instruction.of, Store)
    assert edge.instruction.of.access.size == 1


def test_objects_can_be_used_before_their_line() -> None:
    text = BODY % "0 -> 9 : load t, later"
    program = parse_program(text + "global later : i32\n")
    assert [o.name for o in program.objects] == ["x", "later"]
    (edge,) = program.functions["main"].edges
    assert isinstance(edge.instruction, Load)
    assert edge.instruction.access.address == program.objects[1].address


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("0 -> 9 : jump t", 12, "unknown instruction 'jump'"),
        ("0 -> 9 : load u, x", 17, "no register is named 'u'"),
        ("0 -> 9 : load t, z", 20, "no object is named 'z'"),
        ("0 -> 9 : assume t", 19, "expected a term of sort bool, found i32"),
        ("0 -> 9 : t := (bvadd t 1:i8)", 30, "bvadd cannot be applied to i32 i8"),
        ("0 -> 9 : t := (plus t t)", 18, "unknown operator 'plus'"),
        ("0 -> 9 : t := 5:i8", 17, "expected a term of sort i32, found i8"),
        ("0 -> 9 : load t, x @relax", 23, "expected a memory order, found 'relax'"),
        ("0 -> 9 : enter tub", 18, "no local object is named 'tub'"),
        ("0 -> 9 : assume true 5", 24, "expected end of line, found '5'"),
        ("0 -> 9 : assume ?", 19, "unexpected character '?'"),
        ("0 9 : skip", 5, "expected '->', found '9'"),
        ("reg t : i32", 7, "two registers are named 't'"),
        ("reg u : j32", 11, "unknown sort 'j32'"),
        ("reg u : i3222222222222222", 11, "unknown sort 'i3222222222222222'"),
        ("error 4 : reached rule", 13, "expected a property, found 'reached'"),
        ("0 -> 9 : fault skip", 18, "this instruction has no fault"),
        ("0 -> 9 : skip ; !", 19, "unexpected character '!'"),
        ("0 -> 9 : skip ; in main f", 27, "expected end of line, found 'f'"),
        ('0 -> 9 : skip ; "a\\q"', 19, "malformed string"),
        ("0 -> 9 : t := (extract 40 0 t)", 32, "extract cannot be applied to i32"),
    ],
)
def test_errors_have_line_and_column(line: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_program(BODY % line, "test.txt")
    assert str(caught.value) == f"test.txt:8:{column}: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 'program', found 'end of text'"),
        ("program ilp64\n", "unknown data model 'ilp64'"),
        ("program lp64\n", "no function is named 'main'"),
        ("program lp64\nthread main {\n}\n", "function 'main' needs a line `entry N exit M`"),
        ("program lp64\nglobal x : i32\ncode x\n", "two objects are named 'x'"),
        ("program lp64\nthread main {\n", "expected a line of a function, found 'end of text'"),
    ],
)
def test_errors_of_whole_programs(text: str, message: str) -> None:
    with pytest.raises(InputError, match=r"^<program>") as caught:
        parse_program(text)
    assert caught.value.message == message
