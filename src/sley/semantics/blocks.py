"""Steps compiled to Python: one function per location where code begins.

A block function takes the memory and the thread's state and runs the local tree of code below its location
until a stop or a place where paths meet; there it returns the thread's state. ``None`` means blocked. A
block that touches an undetermined value raises TypeError: the caller then runs the step in the reference
interpreter.
"""

from collections.abc import Callable
from typing import assert_never

from sley.base.errors import GaveUpError
from sley.base.reasons import reason_by_value
from sley.logic.sorts import BOOL, width_of
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge
from sley.program.rewriting import written_registers
from sley.semantics.code import Code, nothing
from sley.semantics.expressions import PythonSource
from sley.semantics.memory import StepMemory, new_cells
from sley.semantics.state import ABORTED, CUT, ENDED, ThreadState, local_kind

DEEPEST_NESTING = 30
"""Deeper trees of branches are cut into several blocks."""

BlockFunction = Callable[[StepMemory, ThreadState], ThreadState | None]


def give_up(reason: str) -> None:
    """Called by compiled code that cannot go on."""
    raise GaveUpError(reason)


class Blocks:
    """The compiled blocks of a program, made when first needed."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.source = PythonSource(code.program.terms)
        self.source.constants.update(CUT=CUT, ENDED=ENDED, ABORTED=ABORTED, give_up=give_up)
        self.source.constants.update(Reason=reason_by_value)
        self.functions: dict[int, BlockFunction] = {}
        """Those that were made, by the location where they begin."""
        self._has_unmodelled = any(
            isinstance(e.instruction, ir.CallUnmodelled)
            for f in code.program.functions.values()
            for e in f.edges
        )

    def at(self, location: int) -> BlockFunction:
        """The block that begins at ``location``."""
        function = self.functions.get(location)
        if function is None:
            text = _BlockWriter(self, location).write()
            exec(compile(text, f"<block {location}>", "exec"), self.source.constants)
            made: BlockFunction = self.source.constants["block"]  # type: ignore[assignment]
            function = self.functions[location] = made
        return function

    def constant(self, value: object) -> str:
        """A name under which compiled code finds ``value``."""
        name = f"c{len(self.source.constants)}"
        self.source.constants[name] = value
        return name

    def flat_cell(self, access: ir.Access) -> int | None:
        """The flat cell of an access whose address is a constant."""
        address = self.code.program.terms.number(access.address)
        if address is None or self._has_unmodelled:
            return None
        return self.code.memory_map.flat_cell(address, access.size)


class _BlockWriter:
    """Writes the text of one block."""

    def __init__(self, blocks: Blocks, location: int) -> None:
        self.blocks = blocks
        self.code = blocks.code
        self.location = location
        self.function = self.code.function_at[location]
        self.lines: list[str] = []
        self.names: dict[Term, str] = {r.term: f"r{i}" for i, r in enumerate(self.function.registers)}
        self.names[self.code.program.self_handle] = "m.handle"
        shift = self.code.memory_map.offset_bits
        for address, slot in self.code.address_slots[self.function.name].items():
            self.names[address] = f"(m.base + {slot} << {shift})"

    def write(self) -> str:
        live = self.code.live[self.location]
        self.lines.append("def block(m, t):")
        if live:
            self._line(1, f"_, {', '.join(self.names[r.term] for r in live)} = t")
        self._code(self.location, 1, frozenset(r.term for r in live), is_first=True)
        return "\n".join(self.lines)

    def _line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _expression(self, term: Term) -> str:
        return self.blocks.source.expression(term, self.names)

    def _name(self, register: ir.Register) -> str:
        return self.names[register.term]

    def _code(self, location: int, depth: int, defined: frozenset[Term], *, is_first: bool = False) -> None:
        """Write what happens from ``location`` on; ``defined`` are the registers that have a value."""
        meets = len(self.function.incoming.get(location, ())) > 1
        if not is_first and (location in self.code.stops or meets or depth > DEEPEST_NESTING):
            live = [
                self._name(r) if r.term in defined else repr(nothing(r)) for r in self.code.live[location]
            ]
            self._line(depth, f"return ({', '.join([str(location), *live])},)")
            return
        edges = self.code.out.get(location, ())
        if not edges:
            self._line(depth, "return CUT")
        elif len(edges) > 1 and all(isinstance(e.instruction, ir.Assume) for e in edges):
            self._branches(edges, depth, defined)
        else:
            faults = [e for e in edges if isinstance(e.instruction, ir.FaultTest)]
            (edge,) = [e for e in edges if not isinstance(e.instruction, ir.FaultTest)]
            if self._instruction(edge, faults[0] if faults else None, depth, defined):
                written = {r.term for r in written_registers(edge.instruction)}
                self._code(edge.target, depth, defined | written)

    def _branches(self, edges: tuple[Edge, ...], depth: int, defined: frozenset[Term]) -> None:
        terms = self.code.program.terms
        seen: list[Term] = []
        word = "if"
        for edge in edges:
            assert isinstance(edge.instruction, ir.Assume)
            condition = edge.instruction.condition
            is_last = len(seen) == 1 and terms.not_(seen[0]) == condition
            self._line(depth, "else:" if is_last else f"{word} {self._expression(condition)}:")
            self._code(edge.target, depth + 1, defined)
            seen.append(condition)
            word = "elif"
            if is_last:
                return
        self._line(depth, f"else: return {self._failed(edges[0])}")

    def _failed(self, edge: Edge) -> str:
        """What a failed assumption leads to: outside atomic sections the run is cut, inside it is blocked."""
        return "None" if edge.source in self.code.inside else "CUT"

    def _fault(self, condition: str, fault: Edge | None, depth: int, defined: frozenset[Term]) -> None:
        """If ``condition``, the instruction is wrong: go to the fault's target, or cut the run."""
        self._line(depth, f"if {condition}:")
        if fault is None:
            self._line(depth + 1, "return CUT")
        else:
            self._code(fault.target, depth + 1, defined)

    def _address(
        self, access: ir.Access, fault: Edge | None, depth: int, defined: frozenset[Term], *, writes: bool
    ) -> None:
        """Write the computation and the check of a dynamic address; it is in ``a`` then."""
        self._line(depth, f"a = {self._expression(access.address)}")
        self._fault(f"not m.is_valid(a, {access.size}, writes={writes})", fault, depth, defined)

    def _instruction(  # noqa: C901, PLR0912, PLR0915 - a total match
        self, edge: Edge, fault: Edge | None, depth: int, defined: frozenset[Term]
    ) -> bool:
        """Write one instruction; False if it ends the step."""
        expression, line = self._expression, self._line
        match edge.instruction:
            case ir.Assign(assignments=assignments):
                if assignments:
                    targets = ", ".join(self._name(register) for register, _ in assignments)
                    line(depth, f"{targets} = {', '.join(expression(term) for _, term in assignments)}")
            case ir.Assume(condition=condition):
                line(depth, f"if not {expression(condition)}: return {self._failed(edge)}")
            case ir.Havoc(target=target, cause=cause, text=text):
                line(depth, f"{self._name(target)} = {self._arbitrary(target, cause, text)}")
            case ir.Load(target=target, access=access):
                self._get(access, self._name(target), fault, depth, defined, writes=False)
            case ir.Store(access=access, value=value):
                self._store(access, expression(value), fault, depth, defined)
            case ir.Update(target=target, access=access, value=value):
                self._get(access, self._name(target), fault, depth, defined)
                self._put(access, expression(value), depth)
            case ir.Fence() | ir.AtomicBegin() | ir.AtomicEnd():
                pass
            case ir.Allocate(target=target, size=size, layout=layout, is_zeroed=is_zeroed, name=name):
                number = self.code.memory_map.layout_number(layout)
                line(
                    depth,
                    f"{self._name(target)} = m.allocate({expression(size)}, {number}, {edge.source}, "
                    f"zeroed={is_zeroed}, text={name!r})",
                )
            case ir.Free(address=address):
                line(depth, f"a = {expression(address)}")
                self._fault("not m.can_free(a)", fault, depth, defined)
                line(depth, "m.free(a)")
            case ir.Enter(object=obj, is_zeroed=is_zeroed):
                slot = self.code.slots[self.function.name][obj.name]
                layout_number = self.code.memory_map.layout_number(obj.layout)
                cells = new_cells(obj, is_zeroed=is_zeroed)
                given = (
                    f"{slot}, {layout_number}, {obj.size}, {self.blocks.constant(cells)}, {local_kind(obj)}"
                )
                line(depth, f"m.enter({given})")
            case ir.Leave(object=obj):
                line(depth, f"m.leave({self.code.slots[self.function.name][obj.name]})")
            case ir.Create(target=target, function=name, arguments=arguments):
                self._create(target, name, arguments, depth)
            case ir.Join(target=joined, handle=handle):
                line(depth, f"a = {expression(handle)}")
                self._fault("not m.can_join(a)", fault, depth, defined)
                line(depth, "v = m.joined(a)")
                line(depth, "if v is None: return None")
                if joined is not None:
                    line(depth, f"{self._name(joined)} = v")
            case ir.Detach(handle=handle):
                line(depth, f"a = {expression(handle)}")
                self._fault("not m.can_join(a)", fault, depth, defined)
                line(depth, "m.detach(a)")
            case ir.Exit(value=exit_value):
                line(depth, f"return m.exit({'0' if exit_value is None else expression(exit_value)})")
                return False
            case ir.End(ending=ending):
                line(depth, "return ABORTED" if ending is ir.Ending.ABORT else "return ENDED")
                return False
            case ir.Lock(access=access):
                self._get(access, "v", fault, depth, defined)
                line(depth, "if v ^ 0: return None")
                self._put(access, "m.handle", depth)
            case ir.Unlock(access=access):
                self._get(access, "v", fault, depth, defined)
                self._fault("v ^ m.handle", fault, depth, defined)
                self._put(access, "0", depth)
            case ir.Await(condition=condition, is_spurious=is_spurious):
                otherwise = "m.spurious = True" if is_spurious else "return None"
                line(depth, f"if not {expression(condition)}: {otherwise}")
            case ir.CallUnmodelled(target=result, function=name, arguments=arguments):
                given = ", ".join(expression(a) for a in arguments)
                line(
                    depth, f"m.scramble({name!r}, tuple(v for v in ({given}{',' if given else ''}) if v ^ 0))"
                )
                if result is not None:
                    line(
                        depth, f"{self._name(result)} = {self._arbitrary(result, ir.Cause.UNMODELLED, name)}"
                    )
            case ir.GiveUp(reason=reason):
                line(depth, f"give_up({reason!r})")
                line(depth, "return CUT")
                return False
            case (
                ir.Check() | ir.Call() | ir.CallPointer() | ir.CreatePointer() | ir.Return() | ir.FaultTest()
            ):
                raise AssertionError(f"{type(edge.instruction).__name__} in a prepared program")
            case _:
                assert_never(edge.instruction)
        return True

    def _arbitrary(self, target: ir.Register, cause: ir.Cause, text: str) -> str:
        if target.sort == BOOL:
            return "bool(m.choose(2))"
        return f"m.arbitrary({width_of(target.sort)}, {self.blocks.constant(cause)}, {text!r})"

    def _get(
        self,
        access: ir.Access,
        name: str,
        fault: Edge | None,
        depth: int,
        defined: frozenset[Term],
        *,
        writes: bool = True,
    ) -> None:
        """Read the accessed cell into the Python variable ``name``."""
        flat = self.blocks.flat_cell(access)
        if flat is None:
            self._address(access, fault, depth, defined, writes=writes)
        cell = f"m.load(a, {access.size})" if flat is None else f"m.cells[{flat}]"
        cell = "0" if access.is_unused else cell
        # memory holds a truth value as a byte
        self._line(depth, f"{name} = " + (f"bool({cell} ^ 0)" if access.sort == BOOL else cell))

    def _store(
        self, access: ir.Access, value: str, fault: Edge | None, depth: int, defined: frozenset[Term]
    ) -> None:
        if self.blocks.flat_cell(access) is None:
            self._address(access, fault, depth, defined, writes=not access.is_first)
        self._put(access, value, depth)

    def _put(self, access: ir.Access, value: str, depth: int) -> None:
        """Store; for a dynamic access the address is in ``a``."""
        if access.sort == BOOL:
            value = f"int({value})"
        flat = self.blocks.flat_cell(access)
        if flat is not None:
            self._line(depth, f"m.set_flat({flat}, {value})")
        else:
            self._line(depth, f"m.store(a, {access.size}, {value})")

    def _create(self, target: ir.Register, name: str, arguments: tuple[Term, ...], depth: int) -> None:
        function = self.code.program.functions[name]
        given = dict(zip(function.parameters, arguments, strict=False))
        live = [
            self._expression(given[r]) if r in given else repr(nothing(r))
            for r in self.code.live[function.entry]
        ]
        thread = f"({', '.join([str(function.entry), *live])},)"
        objects = self.blocks.constant(self.code.thread_objects(function))
        self._line(depth, f"{self._name(target)} = m.create({thread}, {objects})")
