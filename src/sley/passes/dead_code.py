"""Dead code: what cannot be reached, and local steps whose results are never used.

An instruction that touches memory or other threads always stays, also if its result is dead: a Load can fault
and can race. A dead assignment to a register that the user named stays if it keeps no other register alive:
it costs nothing and a trace shows it.
"""

from dataclasses import replace

from sley.analyses.liveness import Liveness
from sley.logic.terms import Term, Terms
from sley.program.instructions import Assign, Assume, Create, Enter, Havoc, Instruction, Leave, Register
from sley.program.memory import MemoryObject
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import read_terms, written_registers


def remove_dead_code(program: Program) -> Program:
    """The flat program without what no run needs."""
    functions = {name: _cleaned(program.terms, f) for name, f in program.functions.items()}
    created = _created(functions, program.entry)
    kept = {name: function for name, function in functions.items() if name in created}
    return replace(program, functions=kept)


def _created(functions: dict[str, Function], entry: str) -> set[str]:
    """The templates that some run may start."""
    found = {entry}
    pending = [entry]
    while pending:
        for edge in functions[pending.pop()].edges:
            if isinstance(edge.instruction, Create) and edge.instruction.function not in found:
                found.add(edge.instruction.function)
                pending.append(edge.instruction.function)
    return found


def _cleaned(terms: Terms, function: Function) -> Function:
    function = _without_unreachable(terms, function)
    liveness = Liveness(terms, function)
    edges = [_with(edge, _needed(liveness, edge)) for edge in function.edges]
    edges = _without_unused_objects(terms, edges)
    return replace(
        function,
        edges=tuple(edges),
        registers=_used_registers(terms, function, edges),
        objects=_used_objects(function, edges, terms),
    )


def cut(terms: Terms, function: Function, edge: Edge) -> Edge:
    """What is left of a location at which every run is cut: not nothing, for then it would be stuck."""
    return replace(edge, target=function.exit, instruction=Assume(terms.false))


def _without_unreachable(terms: Terms, function: Function) -> Function:
    reached = {function.entry: None}
    pending = [function.entry]
    kept: dict[int, list[Edge]] = {}
    while pending:
        location = pending.pop()
        edges = function.outgoing.get(location, ())
        possible = [edge for edge in edges if edge.instruction != Assume(terms.false)]
        kept[location] = possible or [cut(terms, function, edge) for edge in edges[:1]]
        for edge in possible:
            if edge.target not in reached:
                reached[edge.target] = None
                pending.append(edge.target)
    edges = tuple(edge for location in function.locations for edge in kept.get(location, ()))
    errors = {location: failure for location, failure in function.errors.items() if location in reached}
    return replace(function, edges=edges, errors=errors)


def _with(edge: Edge, instruction: Instruction) -> Edge:
    is_same = instruction is edge.instruction
    return edge if is_same else Edge(edge.source, edge.target, instruction, edge.origin)


def _needed(liveness: Liveness, edge: Edge) -> Instruction:
    """The part of a local instruction that matters."""
    match edge.instruction:
        case Havoc(target=target):
            return edge.instruction if liveness.is_live(target.term, edge.target) else Assign()
        case Assign(assignments=assignments):
            kept = tuple((r, t) for r, t in assignments if _is_needed(liveness, edge, r, t))
            return Assign(kept) if len(kept) < len(assignments) else edge.instruction
        case _:
            return edge.instruction


def _is_needed(liveness: Liveness, edge: Edge, register: Register, term: Term) -> bool:
    if term == register.term:
        return False
    if liveness.is_live(register.term, edge.target):
        return True
    return bool(register.c_name) and not liveness.mask(term) & ~liveness.at(edge.source)


def _without_unused_objects(terms: Terms, edges: list[Edge]) -> list[Edge]:
    """Objects whose address is never used need not live."""
    used = _used_variables(terms, edges)
    return [
        _with(edge, Assign())
        if isinstance(edge.instruction, Enter | Leave) and edge.instruction.object.address not in used
        else edge
        for edge in edges
    ]


def _used_variables(terms: Terms, edges: list[Edge]) -> set[Term]:
    return {
        variable
        for term in {term for edge in edges for term in read_terms(edge.instruction)}
        for variable in terms.variables(term)
    }


def _used_registers(terms: Terms, function: Function, edges: list[Edge]) -> tuple[Register, ...]:
    used = _used_variables(terms, edges)
    used |= {r.term for edge in edges for r in written_registers(edge.instruction)}
    used |= {r.term for r in function.parameters}
    return tuple(r for r in function.registers if r.term in used)


def _used_objects(function: Function, edges: list[Edge], terms: Terms) -> tuple[MemoryObject, ...]:
    used = _used_variables(terms, edges)
    return tuple(o for o in function.objects if o.address in used)
