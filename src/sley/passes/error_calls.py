"""``call(f)`` of a property file: reaching an error means calling ``f``, and nothing else.

Works on a program before inlining, so that calls through pointers and threads that start in ``f`` count too.
A failing assertion calls what the macro ``assert`` calls. If that is not ``f``, it aborts the process without
a violation, as a call of another error function does.
"""

from collections.abc import Iterator
from dataclasses import replace

from sley.program.instructions import Assume, CallUnmodelled, Check, End, Ending
from sley.program.program import Edge, Function, Origin, Program
from sley.program.properties import ASSERTION, ASSERTION_FAILURES, CALLED, Failure, Property


def only_calls_of(program: Program, error_function: str) -> Program:
    """The program in which exactly the calls of ``error_function`` violate ``Property.REACH``."""
    narrowing = _Narrowing(program, error_function, program.fresh_locations())
    unmodelled = tuple(one for one in program.unmodelled if f"`{error_function}`" not in one.what)
    return replace(program.mapped(narrowing.function), unmodelled=unmodelled)


class _Narrowing:
    def __init__(self, program: Program, error_function: str, locations: Iterator[int]) -> None:
        self.terms = program.terms
        self.error_function = error_function
        self.locations = locations
        self.failure = Failure(Property.REACH, "error-call", "", error_function, CALLED)

    def function(self, function: Function) -> Function:
        edges = tuple(new for edge in function.edges for new in self._edges(edge, function))
        if function.c_name != self.error_function:
            return replace(function, edges=edges)
        entry = next(self.locations)
        origin = Origin(function.span, f"{function.c_name}()", function.c_name)
        check = Edge(entry, function.entry, Check(self.terms.false, self.failure), origin)
        return replace(function, entry=entry, edges=(check, *edges))

    def _edges(self, edge: Edge, function: Function) -> Iterator[Edge]:
        match edge.instruction:
            case CallUnmodelled(function=called) if called == self.error_function:
                yield replace(edge, instruction=Check(self.terms.false, self.failure))
            case Check(failure=failure) as check if failure.property is Property.REACH:
                if self._is_meant(failure, edge.origin):
                    yield edge
                else:
                    yield from self._aborting(edge, check, function)
            case _:
                yield edge

    def _is_meant(self, failure: Failure, origin: Origin) -> bool:
        """Whether a thread that fails so has called the error function."""
        is_assert = failure.rule == ASSERTION and not origin.is_library
        if is_assert and self.error_function in ASSERTION_FAILURES:
            return True
        return failure.frame == CALLED and failure.subject == self.error_function

    def _aborting(self, edge: Edge, check: Check, function: Function) -> Iterator[Edge]:
        wrong = next(self.locations)
        yield replace(edge, instruction=Assume(check.condition))
        yield replace(edge, target=wrong, instruction=Assume(self.terms.not_(check.condition)))
        yield replace(edge, source=wrong, target=function.exit, instruction=End(Ending.ABORT))
