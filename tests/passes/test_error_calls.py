"""``call(f)``: exactly the calls of f are violations."""

from sley.base.errors import Unsupported
from sley.logic.terms import Terms
from sley.passes.error_calls import only_calls_of
from sley.program.builder import FunctionBuilder
from sley.program.instructions import Assume, Call, CallUnmodelled, Check, End, Ending, Instruction
from sley.program.program import Function, Origin, Program
from sley.program.properties import CALLED, Failure, Property


def function(terms: Terms, name: str, *steps: tuple[Instruction, str]) -> Function:
    builder = FunctionBuilder(terms, name)
    at = builder.entry
    for number, (instruction, text) in enumerate(steps, start=1):
        target = builder.exit if number == len(steps) else builder.location()
        builder.edge(at, target, instruction, Origin(None, text, name))
        at = target
    return builder.finish(c_name=name)


def failing_checks(made: Function) -> list[Failure]:
    return [edge.instruction.failure for edge in made.edges if isinstance(edge.instruction, Check)]


def program_with(terms: Terms, *functions: Function, unmodelled: tuple[Unsupported, ...] = ()) -> Program:
    return Program(terms, {made.name: made for made in functions}, (), unmodelled=unmodelled)


def assertion(terms: Terms) -> tuple[Instruction, str]:
    return Check(terms.false, Failure(Property.REACH, "assertion", "assertion can fail")), "assert(0);"


def test_entering_the_error_function_fails_whoever_calls_it() -> None:
    terms = Terms()
    main = function(terms, "main", (Call(None, "failed", ()), "failed();"), assertion(terms))
    failed = function(terms, "failed", assertion(terms))
    narrowed = only_calls_of(program_with(terms, main, failed), "failed")
    made = narrowed.functions["failed"]
    (entry,) = made.outgoing[made.entry]
    assert isinstance(entry.instruction, Check)
    assert entry.instruction.condition == terms.false
    assert entry.instruction.failure.message == "`failed()` can be called"
    assert entry.target == failed.entry


def test_other_assertions_abort() -> None:
    terms = Terms()
    main = function(terms, "main", assertion(terms))
    narrowed = only_calls_of(program_with(terms, main), "reach_error").functions["main"]
    assert failing_checks(narrowed) == []
    instructions = [edge.instruction for edge in narrowed.edges]
    assert instructions == [Assume(terms.false), Assume(terms.true), End(Ending.ABORT)]
    assert narrowed.edges[1].target == narrowed.edges[2].source


def test_assertions_call_what_the_macro_calls() -> None:
    terms = Terms()
    main = function(terms, "main", assertion(terms))
    narrowed = only_calls_of(program_with(terms, main), "__assert_fail").functions["main"]
    assert [failure.rule for failure in failing_checks(narrowed)] == ["assertion"]


def test_calls_that_the_front_end_knows_stay_errors() -> None:
    terms = Terms()
    known = Failure(Property.REACH, "reach-error", "", "reach_error", CALLED)
    main = function(terms, "main", (Check(terms.false, known), "reach_error();"))
    program = program_with(terms, main)
    assert failing_checks(only_calls_of(program, "reach_error").functions["main"]) == [known]
    assert failing_checks(only_calls_of(program, "other").functions["main"]) == []


def test_other_properties_stay() -> None:
    terms = Terms()
    overflow = Failure(Property.OVERFLOW, "signed-overflow", "overflow")
    main = function(terms, "main", (Check(terms.false, overflow), "x + 1"))
    assert failing_checks(only_calls_of(program_with(terms, main), "f").functions["main"]) == [overflow]


def test_an_error_function_without_a_body_is_no_missing_model() -> None:
    terms = Terms()
    main = function(terms, "main", (CallUnmodelled(None, "failed", ()), "failed();"))
    missing = tuple(
        Unsupported(f"call to `{name}`: no model of this function", None) for name in ("failed", "other")
    )
    narrowed = only_calls_of(program_with(terms, main, unmodelled=missing), "failed")
    assert [failure.property for failure in failing_checks(narrowed.functions["main"])] == [Property.REACH]
    assert narrowed.unmodelled == missing[1:]
