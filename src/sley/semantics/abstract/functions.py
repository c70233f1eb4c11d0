"""What functions do, by their text alone, whatever is known of states."""

from collections.abc import Collection, Iterable, Iterator

from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Terms
from sley.program import instructions as ir
from sley.program.program import Edge, Program
from sley.program.rewriting import read_terms, written_registers
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.objects import ObjectKind, Objects
from sley.semantics.abstract.values import object_of


def made_in(context: Context, objects: Objects) -> Iterator[int]:
    """The objects of which a function itself makes instances in a context."""
    for edge in objects.program.functions[context.function].edges:
        match edge.instruction:
            case ir.Allocate():
                yield objects.block(context.function, edge.source, context.maker)
            case ir.Enter(object=entered):
                yield objects.local(context.function, entered)
            case ir.Create() | ir.CreatePointer():
                yield objects.thread(context.function, edge.source, context.maker)
            case _:
                pass


def starts_threads(made: Iterable[int], objects: Objects) -> bool:
    """Whether threads are among what a call makes."""
    return any(obj >= 0 and objects.kind(obj) is ObjectKind.THREAD for obj in made)


class Mentions:
    """The static objects that functions name."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._own: dict[str, tuple[set[int], set[str]]] = {}
        """Function -> the objects that it names, and the functions that it calls by name."""

    def of(self, function: str) -> set[int]:
        """Those that a function names, or one that it calls by name, and so on."""
        found: set[int] = set()
        seen, waiting = {function}, [function]
        while waiting:
            objs, called = self._named_in(waiting.pop())
            found |= objs
            waiting += called - seen
            seen |= called
        return found

    def _named_in(self, function: str) -> tuple[set[int], set[str]]:
        if function not in self._own:
            program = self._objects.program
            edges = program.functions[function].edges
            numbers = (number for edge in edges for number in _numbers(program.terms, edge))
            places = (self._objects.static_place(number) for number in numbers)
            self._own[function] = (
                {object_of(place[0]) for place in places if place is not None},
                {edge.instruction.function for edge in edges if isinstance(edge.instruction, ir.Call)},
            )
        return self._own[function]


def _numbers(terms: Terms, edge: Edge) -> Iterator[int]:
    """The constants in a step."""
    for term in terms.walk(read_terms(edge.instruction)):
        if terms.op(term) is Op.CONST and isinstance(terms.sort(term), BitVecSort):
            yield int(terms.value(term))


def handing_back(objects: Objects) -> set[str]:
    """The functions that return no addresses but those of what their arguments lead to at once.

    They load none from memory, and make none. So what was returned to another caller is not returned here.
    """
    program = objects.program
    found = {name for name, function in program.functions.items() if not function.objects}
    while True:
        kept = {
            name
            for name in found
            if all(_hands_back(e, found, objects) for e in program.functions[name].edges)
        }
        if kept == found:
            return found
        found = kept


def _hands_back(edge: Edge, functions: Collection[str], objects: Objects) -> bool:
    """Whether no address comes from anywhere else in a step."""
    program, instruction = objects.program, edge.instruction
    terms, width = program.terms, program.pointers.width
    if isinstance(instruction, ir.Call):
        return instruction.function in functions
    is_copy = isinstance(instruction, ir.Assign)
    written = (one.sort for one in written_registers(instruction))
    if not is_copy and any(isinstance(sort, BitVecSort) and sort.width >= width for sort in written):
        return False
    return all(objects.static_place(number) is None for number in _numbers(terms, edge))


def ending(program: Program) -> set[str]:
    """The functions that may free blocks, or join or detach threads, as do those that call them."""
    callers: dict[str, set[str]] = {}
    found: set[str] = set()
    for function in program.functions.values():
        for edge in function.edges:
            match edge.instruction:
                case ir.Free() | ir.Join() | ir.Detach() | ir.CallPointer():
                    found.add(function.name)
                case ir.Call(function=called):
                    callers.setdefault(called, set()).add(function.name)
                case _:
                    pass
    waiting = list(found)
    while waiting:
        added = callers.get(waiting.pop(), set()) - found
        found |= added
        waiting += added
    return found
