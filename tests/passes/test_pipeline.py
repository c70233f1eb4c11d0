"""All passes in their order."""

from sley.passes import prepare
from sley.program.printer import print_program
from sley.program.program import Program
from sley.program.properties import Property
from tests.textual.parser import parse_program
from tests.textual.validation import validate
from tests.unit.program.random_programs import random_program

TEXT = """
program lp64
assumption "sequential consistency"
function main(p : i64 as "p") -> i32 {
  reg t : i32
  entry 0 exit 1
  0 -> 2 : load t, *p "*p"
  2 -> 3 : check (not (= t 0:i32)), division division-by-zero "division by zero"
  3 -> 1 : return t
}
"""


def test_every_pass_is_shown_a_well_formed_program() -> None:
    names: list[str] = []

    def listen(name: str, program: Program) -> None:
        names.append(name)
        validate(program, is_flat=True)

    prepare(parse_program(TEXT), after_pass=listen)
    assert names == [
        "inline",
        "ids",
        "first thread",
        "constants",
        "known",
        "pieces",
        "private",
        "instances",
        "properties",
        "merge",
        "dead code",
        "merge again",
        "dead code again",
    ]


def test_unselected_properties_become_assumptions() -> None:
    def assumptions(*selected: Property) -> tuple[str, ...]:
        return prepare(parse_program(TEXT), frozenset(selected)).assumptions

    first = "sequential consistency"
    deref, division = "an invalid dereference ends the run", "a division by zero ends the run"
    assert assumptions(Property.DEREF, Property.DIVISION) == (first,)
    assert assumptions(Property.DEREF) == (first, division)
    assert assumptions(Property.REACH) == (first, deref, division)


def test_preparing_is_deterministic_and_leaves_its_input_alone() -> None:
    program = random_program(7)
    before = print_program(program)
    first = print_program(prepare(program))
    assert print_program(program) == before
    assert print_program(prepare(random_program(7))) == first


def test_preparing_twice_changes_nothing_that_matters() -> None:
    once = prepare(parse_program(TEXT))
    validate(prepare(once), is_flat=True)
    assert len(prepare(once).functions["main"].edges) == len(once.functions["main"].edges)
