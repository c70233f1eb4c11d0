"""Which functions a pointer that comes out of memory can name.

Most addresses of functions are handed straight to their callers: the start function of a thread, the
comparison of a sort. Inlining knows these calls without looking; only an address that is kept somewhere can
come back through a pointer of which nothing is known. Law: a function that is not in the result is never the
target of such a call, unless the program invents its address; inlining gives up there, so that no answer
rests on it.
"""

from sley.logic.terms import Term, Terms
from sley.program.instructions import Call, CallPointer, CreatePointer, Instruction
from sley.program.memory import Storage
from sley.program.program import Program
from sley.program.rewriting import read_terms, written_registers


def kept_functions(program: Program) -> frozenset[Term]:
    """The addresses of functions that are stored, compared, returned: anything but called or handed on."""
    code = [o.address for o in program.objects if o.storage is Storage.CODE]
    objects = [*program.objects, *(o for f in program.functions.values() for o in f.objects)]
    initial = {value for o in objects for _, value in o.initial}
    kept, handed = _uses(program)
    kept |= {address for address in code if program.terms.number(address) in initial}
    waiting = list(kept)
    while waiting:
        for argument in handed.get(waiting.pop(), ()):
            if argument not in kept:
                kept.add(argument)
                waiting.append(argument)
    return frozenset(kept.intersection(code))


def _uses(program: Program) -> tuple[set[Term], dict[Term, list[Term]]]:
    """Constants and variables that are kept, and for each parameter what is handed on as it."""
    kept_roots: list[Term] = []
    handed: dict[Term, list[Term]] = {}
    for edge in program.edges:
        instruction = edge.instruction
        if isinstance(instruction, Call):
            parameters = program.functions[instruction.function].parameters
            for parameter, argument in zip(parameters, instruction.arguments, strict=True):
                if program.terms.args(argument):
                    kept_roots.append(argument)
                else:
                    handed.setdefault(parameter.term, []).append(argument)
        else:
            kept_roots += _kept_terms(instruction, program.terms)
        kept_roots += [register.term for register in written_registers(instruction)]
    return set(program.terms.walk(kept_roots)), handed


def _kept_terms(instruction: Instruction, terms: Terms) -> tuple[Term, ...]:
    """All that the instruction reads; a pointer that it calls only if it computes it (``c ? f : g``)."""
    if isinstance(instruction, CallPointer | CreatePointer) and not terms.args(instruction.pointer):
        return instruction.arguments
    return read_terms(instruction)
