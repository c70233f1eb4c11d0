"""Writing a function's graph: the current location, the origin of what is written, scopes of objects."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Protocol

from sley.base.source import Span
from sley.logic.sorts import Sort
from sley.logic.terms import Term, Terms
from sley.program import instructions as ir
from sley.program.builder import FunctionBuilder
from sley.program.memory import MemoryObject
from sley.program.program import Origin
from sley.program.properties import Failure

_MAKES_VALUE = (
    ir.Load,
    ir.Havoc,
    ir.Call,
    ir.CallPointer,
    ir.Create,
    ir.CreatePointer,
    ir.Join,
    ir.Allocate,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment in the writing of a function."""

    edges: int
    here: int
    is_live: bool
    origin: Origin


MANY_TESTS = 4
"""So many tests of one address are not made one after the other if none of them can hold."""


class _OpaqueAt(Protocol):
    """When an address is inside an object that is not modelled, and which one that is."""

    def __call__(self, address: Term, /, *, is_read: bool) -> Iterable[tuple[Term, str]]: ...


class Emitter:
    """Appends instructions at ``here``; where ``is_live`` is false nothing can get there."""

    def __init__(
        self,
        builder: FunctionBuilder,
        *,
        c_name: str,
        is_library: bool,
        opaque_at: "_OpaqueAt" = lambda _, is_read: (),
        outside: "Callable[[Emitter, ir.Access, ir.Register], int | None]" = lambda *_: None,
        unusual_at: Callable[[Term], Iterable[Term]] = lambda _: (),
    ) -> None:
        self.builder = builder
        self.register = builder.register
        self._opaque_at = opaque_at
        self._outside = outside
        self._unusual_at = unusual_at
        self.terms: Terms = builder.terms
        self._c_name = c_name
        self._is_library = is_library
        self.here = builder.entry
        self.is_live = True
        self._reached = {builder.entry}
        self._statements = 0
        self._written_out = 0
        self.origin = Origin(None, "", c_name, is_library=is_library)

    def at(self, span: Span | None, text: str) -> Origin:
        """From now on, what is written comes from this place; the former origin is returned."""
        former = self.origin
        self._statements += 1
        self.origin = Origin(
            span, text, self._c_name, is_library=self._is_library, statement=self._statements
        )
        return former

    def emit(self, instruction: ir.Instruction, target: int | None = None) -> None:
        """One step from here to ``target`` (a new location if not given), which becomes here."""
        if isinstance(instruction, ir.Accessing):
            found = list(self._opaque_at(instruction.access.address, is_read=False))
            with self._if_any([is_inside for is_inside, _ in found]):
                self._give_up_in(found)
        self.step(instruction, target)

    def step(self, instruction: ir.Instruction, target: int | None = None) -> None:
        """The same for an access whose object does not matter."""
        if target is None:
            target = self.builder.location()
        if self.is_live:
            self.edge(self.here, target, instruction)
        self.here = target

    def _give_up_in(self, opaque: Iterable[tuple[Term, str]]) -> None:
        """No run gets past an access to an object that is not modelled."""
        for is_inside, what in opaque:
            self.give_up_if(is_inside, f"{what} are not modelled")

    def _if_any(self, conditions: Sequence[Term]) -> AbstractContextManager[None]:
        """What is written meanwhile does nothing unless one of these holds; many are asked at once before."""
        return self.when(self.terms.or_(*conditions)) if len(conditions) >= MANY_TESTS else nullcontext()

    @contextmanager
    def section(self) -> Iterator[None]:
        """What is written meanwhile is one step."""
        self.emit(ir.AtomicBegin())
        yield
        self.emit(ir.AtomicEnd())

    @contextmanager
    def writing_out(self) -> Iterator[None]:
        """What is written meanwhile is a call of the library: its arguments are there already."""
        former = self.origin
        self._written_out += 1
        self.origin = replace(former, written_out=self._written_out)
        yield
        self.origin = former

    def give_up(self, reason: str) -> None:
        """To get here is to know nothing more; nothing comes after it."""
        if self.is_live:
            self.end(ir.GiveUp(reason))

    def pass_over(self, reason: str) -> None:
        """The same, but what comes after it is written, for engines that pass it over."""
        if self.is_live:
            self.step(ir.GiveUp(reason))

    def give_up_if(self, condition: Term, reason: str) -> None:
        """No run gets past here where the condition holds, but for engines that pass it over."""
        with self.when(condition):
            self.pass_over(reason)

    @contextmanager
    def when(self, condition: Term) -> Iterator[None]:
        """What is written meanwhile happens only where the condition holds."""
        inside, onward = self.location(), self.location()
        self.branch(condition, inside, onward)
        self.move(inside)
        yield
        self.jump(onward)
        self.move(onward)

    def mark(self) -> Mark:
        """What is written so far, to come back to."""
        return Mark(len(self.builder.edges), self.here, self.is_live, self.origin)

    def rewind(self, mark: Mark) -> None:
        """Forget what was written since the mark; new registers and locations stay, unused."""
        del self.builder.edges[mark.edges :]
        self.here, self.is_live, self.origin = mark.here, mark.is_live, mark.origin

    def edge(self, source: int, target: int, instruction: ir.Instruction) -> None:
        """One step between two locations; where we are does not change."""
        self.builder.edge(source, target, instruction, self.origin)
        self._reached.add(target)

    def location(self) -> int:
        """A new location."""
        return self.builder.location()

    def move(self, location: int, *, is_live: bool | None = None) -> None:
        """Go on writing at a location; it is live if something goes there, unless said otherwise."""
        if is_live:
            self._reached.add(location)
        self.here = location
        self.is_live = location in self._reached if is_live is None else is_live

    def jump(self, target: int) -> None:
        """Go to ``target``; what is written next cannot be reached unless something moves there."""
        if self.is_live:
            self.edge(self.here, target, ir.Assign())
        self.stop()

    def stop(self) -> None:
        """Nothing goes on from here."""
        self.here = self.builder.location()
        self.is_live = False

    def branch(self, condition: Term, then: int, otherwise: int) -> None:
        """Go to one of two locations; afterwards nothing goes on from here."""
        if self.is_live:
            if condition != self.terms.false:
                self.edge(self.here, then, ir.Assume(condition))
            if condition != self.terms.true:
                self.edge(self.here, otherwise, ir.Assume(self.terms.not_(condition)))
        self.stop()

    def temporary(self, sort: Sort) -> ir.Register:
        """A new register that the user does not see."""
        return self.builder.register("t", sort)

    def assign(self, register: ir.Register, value: Term) -> None:
        """Register = value; if the last step made the value, it is made in the register right away."""
        if not self._redirect(register, value):
            self.emit(ir.Assign(((register, value),)))

    def _redirect(self, register: ir.Register, value: Term) -> bool:
        """Let the last step write ``register`` instead of a temporary that holds ``value``."""
        if not self.builder.edges or not self.is_live:
            return False
        last = self.builder.edges[-1]
        instruction = last.instruction
        if last.target != self.here or not isinstance(instruction, _MAKES_VALUE):
            return False
        made = instruction.target
        if made is None or made.term != value or made.c_name or made is not self.builder.registers[-1]:
            return False
        self.builder.registers.pop()
        self.builder.edges[-1] = replace(last, instruction=replace(instruction, target=register))
        return True

    def result_of(self, sort: Sort | None, make: Callable[[ir.Register | None], ir.Instruction]) -> Term:
        """One step that yields a value, if it has a sort; else what stands for it does not matter."""
        target = None if sort is None else self.temporary(sort)
        self.emit(make(target))
        return self.terms.true if target is None else target.term

    def saved(self, value: Term) -> Term:
        """The value as it is now, whatever is assigned later."""
        if not self.terms.has_variables(value):
            return value
        register = self.temporary(self.terms.sort(value))
        self.assign(register, value)
        return register.term

    def load(self, access: ir.Access) -> Term:
        """The value in memory, in a new register."""
        register = self.temporary(access.sort)
        with self._if_any(list(self._unusual_at(access.address))):
            elsewhere = self._outside(self, access, register)
            self._give_up_in(self._opaque_at(access.address, is_read=True))
        self.step(ir.Load(register, access))
        if elsewhere is not None:
            self.jump(elsewhere)
            self.move(elsewhere)
        return register.term

    def store(self, access: ir.Access, value: Term) -> None:
        """Put a value into memory."""
        self.emit(ir.Store(access, value))

    def havoc(self, sort: Sort, cause: ir.Cause, text: str = "") -> Term:
        """An arbitrary value."""
        register = self.temporary(sort)
        self.emit(ir.Havoc(register, cause, text))
        return register.term

    def end(self, instruction: ir.Instruction) -> None:
        """A last step: nothing of the function comes after it."""
        self.emit(instruction, self.builder.exit)
        self.stop()

    def fail(self, failure: Failure) -> None:
        """To get here is a violation; nothing comes after it."""
        self.emit(ir.Check(self.terms.false, failure))
        self.end(ir.End(ir.Ending.ABORT))

    def check(self, condition: Term, failure: Failure) -> None:
        """The condition must hold; nothing is written if it always does.

        Also where it never holds something comes after it: the run goes on where the property is not selected
        (overflow wraps).
        """
        if condition != self.terms.true:
            self.emit(ir.Check(condition, failure))


@dataclass(frozen=True)
class SizedObjects:
    """A declared object of variable size: that of ``objects`` which ``address`` names."""

    address: ir.Register
    objects: tuple[MemoryObject, ...]


@dataclass(frozen=True, eq=False)
class Cleanup:
    """What is to be done when a variable goes out of scope, before it dies."""

    run: Callable[[], None]


Ends = MemoryObject | SizedObjects | Cleanup
"""What needs a step when its scope is left."""
Declared = Ends | ir.Register


@dataclass
class Scope:
    """A block: what is declared in it, in order."""

    declared: list[Declared]

    def objects(self, count: int | None = None) -> list[Ends]:
        """What ends among the first ``count`` declarations, or all."""
        return [d for d in self.declared[:count] if not isinstance(d, ir.Register)]


Snapshot = tuple[tuple[Scope, int], ...]
"""The blocks around a place, and how many declarations of each come before it."""


class Scopes:
    """The blocks around the current place, and what of them is alive there."""

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter
        self.open: list[Scope] = [Scope([])]

    def push(self) -> None:
        """Enter a block."""
        self.open.append(Scope([]))

    def pop(self) -> None:
        """Leave the innermost block: its objects die."""
        scope = self.open.pop()
        self._leave(scope.objects())

    def declare(self, made: Declared) -> None:
        """Something is declared in the innermost block."""
        if made not in self.open[-1].declared:
            self.open[-1].declared.append(made)

    def enter(self, made: MemoryObject, *, is_zeroed: bool) -> None:
        """An object of the innermost block begins to live."""
        self._emitter.emit(ir.Enter(made, is_zeroed))
        self.declare(made)

    def leave_down_to(self, depth: int) -> None:
        """Write the ends of all objects in blocks deeper than ``depth``; the blocks stay open."""
        for scope in reversed(self.open[depth:]):
            self._leave(scope.objects())

    def snapshot(self) -> Snapshot:
        """What surrounds the current place."""
        return tuple((scope, len(scope.declared)) for scope in self.open)

    def move_between(self, source: Snapshot, target: Snapshot) -> None:
        """Write what a jump from one place to another does to what is declared.

        Blocks that only the source is in are left. In blocks that only the target is in, what is declared
        before the target begins to live with an arbitrary value, although the jump passes its declaration
        by. In common blocks everything that lives goes on living, and what is declared between the two
        places begins to; but what has a variable size or is cleaned up ends when its declaration comes after
        the target.
        """
        common = 0
        while common < min(len(source), len(target)) and source[common][0] is target[common][0]:
            common += 1
        for scope, count in reversed(source[common:]):
            self._leave(scope.objects(count))
        for (scope, count), (_, kept) in zip(source[:common], target, strict=False):
            passed = scope.declared[kept:count]
            self._leave([made for made in passed if isinstance(made, SizedObjects | Cleanup)])
        for position, (scope, count) in enumerate(target):
            known = source[position][1] if position < common else 0
            for made in scope.declared[known:count]:
                self._begin(made)

    def _begin(self, made: Declared) -> None:
        assert not isinstance(made, SizedObjects), "no jump leads into the scope of such an object"
        if isinstance(made, ir.Register):
            self._emitter.emit(ir.Havoc(made, ir.Cause.UNINITIALISED, made.c_name))
        elif isinstance(made, MemoryObject):
            self._emitter.emit(ir.Enter(made))

    def _leave(self, ending: Sequence[Ends]) -> None:
        for made in reversed(ending):
            if isinstance(made, SizedObjects):
                self._leave_one(made)
            elif isinstance(made, Cleanup):
                made.run()
            else:
                self._emitter.emit(ir.Leave(made))

    def _leave_one(self, made: SizedObjects) -> None:
        emitter = self._emitter
        if not emitter.is_live:
            return
        start, end = emitter.here, emitter.location()
        for one in made.objects:
            chosen = emitter.location()
            emitter.edge(start, chosen, ir.Assume(emitter.terms.eq(made.address.term, one.address)))
            emitter.move(chosen)
            emitter.emit(ir.Leave(one), end)
        emitter.move(end)
