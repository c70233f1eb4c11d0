"""No address of a local object equals null, or another mark that is the address of nothing.

So ``if (out != NULL) *out = 1;`` in an inlined function is no use of an address: the test is decided.
"""

from collections.abc import Iterator
from dataclasses import replace

from sley.logic.operators import Op, to_signed
from sley.logic.terms import Term
from sley.passes.lifetimes import Lifetimes
from sley.program.memory import NO_ADDRESS
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import read_terms, rewritten


def without_null_tests(program: Program) -> Program:
    """The flat program in which no address of a local object is compared with a mark; itself if none is."""
    changed = {}
    for name, function in program.functions.items():
        if function.objects and (tests := _tests(program, function)):
            changed[name] = _decided(program, function, tests)
    return replace(program, functions={**program.functions, **changed}) if changed else program


def _tests(program: Program, function: Function) -> dict[Term, Term]:
    """Each comparison, which is false in every layout of memory."""
    terms, addresses = program.terms, {o.address for o in function.objects}
    read = dict.fromkeys(term for edge in function.edges for term in read_terms(edge.instruction))
    mentioning = [term for term in read if not addresses.isdisjoint(terms.variables(term))]
    lifetimes = Lifetimes(program, function)
    return dict.fromkeys(_null_tests(program, lifetimes, mentioning), terms.false)


def _null_tests(program: Program, lifetimes: Lifetimes, read: list[Term]) -> Iterator[Term]:
    terms = program.terms
    for part in terms.walk(read):
        if terms.op(part) is Op.EQ:
            address, mark = sorted(terms.args(part), key=terms.is_const)
            place, number = lifetimes.place_of(address), terms.number(mark)
            if place is None or number is None or terms.is_const(address):
                continue
            is_inside = place[1] <= place[0].size
            if is_inside and abs(to_signed(number, program.pointers.width)) <= NO_ADDRESS:
                yield part


def _decided(program: Program, function: Function, tests: dict[Term, Term]) -> Function:
    substitution = program.terms.substitution(tests)

    def decided(edge: Edge) -> Edge:
        instruction = rewritten(edge.instruction, term=substitution)
        return edge if instruction == edge.instruction else replace(edge, instruction=instruction)

    return replace(function, edges=tuple(map(decided, function.edges)))
