"""Which code is that of the first thread: models ask, as it has an id only where the program wants that."""

from dataclasses import replace

from sley.program.program import Edge, Function, Program
from sley.program.rewriting import read_terms, rewritten


def settle_first(program: Program) -> Program:
    """The flat program in which each template knows whether it is the first thread, whose handle is 1."""
    terms = program.terms
    is_first = terms.eq(program.self_handle, terms.const(1, terms.sort(program.self_handle)))

    def settled(function: Function) -> Function:
        known = terms.substitution({is_first: terms.boolean(function.name == program.entry)})

        def changed(edge: Edge) -> Edge:
            if all(known(term) == term for term in read_terms(edge.instruction)):
                return edge
            return replace(edge, instruction=rewritten(edge.instruction, term=known))

        return replace(function, edges=tuple(map(changed, function.edges)))

    return program.mapped(settled)
