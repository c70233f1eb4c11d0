"""Ids of threads lose their marks: from here on they are numbers like others."""

from dataclasses import replace

from sley.program.program import Edge, Program
from sley.program.rewriting import read_terms, rewritten


def without_id_marks(program: Program) -> Program:
    """The program without ``program.id_mark``, which is 0."""
    terms, mark = program.terms, program.id_mark
    substitution = terms.substitution({mark: terms.bv(0, terms.width(mark))})

    def unmarked(edge: Edge) -> Edge:
        if any(terms.mentions(term, mark) for term in read_terms(edge.instruction)):
            return replace(edge, instruction=rewritten(edge.instruction, term=substitution))
        return edge

    return program.mapped(lambda function: replace(function, edges=tuple(map(unmarked, function.edges))))
