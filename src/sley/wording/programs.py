"""What a program's text says about its variables: names of threads, and what stands behind temporaries."""

from collections import Counter
from collections.abc import Iterable

from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge, Function, user_origin
from sley.program.rewriting import written_registers
from sley.semantics.code import Code
from sley.semantics.symbolic_step import Shape


class ThreadNames:
    """Names for threads; those that run the same function are numbered in order of creation."""

    def __init__(self, code: Code, shapes: Iterable[Shape]) -> None:
        self.code = code
        self._most: Counter[str] = Counter()
        for shape in shapes:
            self._most |= Counter(self._functions(shape))

    def _functions(self, shape: Shape) -> list[str]:
        return [self.code.program.functions[name].c_name for name in shape.threads]

    def __call__(self, shape: Shape, thread: int) -> str:
        """The name of a thread."""
        functions = self._functions(shape)
        if thread >= len(functions):
            return f"thread {thread + 1}"
        name = functions[thread]
        if self._most[name] <= 1:
            return name
        return f"{name}#{functions[: thread + 1].count(name)}"


class ProgramWords:
    """What program text says about variables without names: thread handles, locks, copies."""

    def __init__(self, code: Code) -> None:
        self.registers: dict[str, set[Term]] = {}
        self.cells: set[Term] = set()
        """Addresses of objects that hold thread handles."""
        self.locks: set[Term] = set()
        """Addresses of cells that are locks themselves."""
        self._definitions: dict[tuple[str, str], Edge] = {}
        for function in code.program.functions.values():
            self._note_handles(function)
            self._note_cells(function)

    def _note_handles(self, function: Function) -> None:
        found = self.registers.setdefault(function.name, set())
        for edge in function.edges:
            for register in written_registers(edge.instruction):
                self._definitions.setdefault((function.name, register.name), edge)
            match edge.instruction:
                case ir.Create(target=target):
                    found.add(target.term)
                case ir.Join(handle=handle) | ir.Detach(handle=handle):
                    found.add(handle)
                case ir.Lock(access=access):
                    self.locks.add(access.address)
                case _:
                    pass

    def _note_cells(self, function: Function) -> None:
        handles = self.registers[function.name]
        for edge in function.edges:
            match edge.instruction:
                case ir.Load(target=target, access=access) if target.term in handles:
                    self.cells.add(access.address)
                case ir.Store(access=access, value=value) if value in handles:
                    self.cells.add(access.address)
                case _:
                    pass

    def source(self, function: Function, register: ir.Register) -> str:
        """Where the value of a temporary comes from."""
        edge = self._definitions.get((function.name, register.name))
        if edge is None:
            return "value"
        match edge.instruction:
            case ir.Load(access=access) | ir.Update(access=access) if access.text:
                return access.text
            case ir.Allocate(name=name):
                return f"new_{name or 'block'}"
            case ir.Create():
                return "handle"
            case _:
                pass
        span = user_origin(edge.origin).span
        return f"line{span.line}" if span is not None else "value"
