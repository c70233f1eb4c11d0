"""``call(f)`` of a property file: reaching an error means calling ``f``, and nothing else.

Works on a program before inlining, so that calls through pointers and threads that start in ``f`` count too.
A failing assertion, or a call of another error function, then ends the run without a violation.
"""

from dataclasses import replace

from sley.program.instructions import Assume, CallUnmodelled, Check, Instruction
from sley.program.program import Edge, Function, Origin, Program
from sley.program.properties import Failure, Property


def only_calls_of(program: Program, error_function: str) -> Program:
    """The program in which exactly the calls of ``error_function`` violate ``Property.REACH``."""
    failure = Failure(Property.REACH, "error-call", f"`{error_function}` can be called")
    next_location = 1 + max(location for f in program.functions.values() for location in f.locations)
    functions: dict[str, Function] = {}
    for name, function in program.functions.items():
        narrowed = _narrowed(function, program, error_function, failure)
        if function.c_name == error_function:
            narrowed = _failing_at_entry(narrowed, program, failure, next_location)
            next_location += 1
        functions[name] = narrowed
    unmodelled = tuple(one for one in program.unmodelled if f"`{error_function}`" not in one.what)
    return replace(program, functions=functions, unmodelled=unmodelled)


def _narrowed(function: Function, program: Program, error_function: str, failure: Failure) -> Function:
    """The function with all other assertions as silent ends, and unmodelled calls of ours as errors."""
    edges = tuple(
        replace(edge, instruction=_instruction(edge, program, error_function, failure))
        for edge in function.edges
    )
    return replace(function, edges=edges)


def _instruction(edge: Edge, program: Program, error_function: str, failure: Failure) -> Instruction:
    match edge.instruction:
        case CallUnmodelled(function=called) if called == error_function:
            return Check(program.terms.false, failure)
        case Check(condition=condition, failure=other) if other.property is Property.REACH:
            if _is_call_of(edge.origin, error_function) and other.rule != "assertion":
                return edge.instruction
            return Assume(condition)
        case instruction:
            return instruction


def _is_call_of(origin: Origin, error_function: str) -> bool:
    return origin.text.lstrip().startswith(error_function)


def _failing_at_entry(function: Function, program: Program, failure: Failure, location: int) -> Function:
    """The function with a check in front that always fails."""
    origin = Origin(function.span, f"{function.c_name}()", function.c_name)
    check = Edge(location, function.entry, Check(program.terms.false, failure), origin)
    return replace(function, entry=location, edges=(check, *function.edges))
