"""Random small concurrent programs with calls: well-formed, without endless loops, with few states."""

import random
from collections.abc import Callable
from dataclasses import replace

from sley.base.source import Span
from sley.logic.operators import Op
from sley.logic.sorts import BOOL, I8, I32, I64
from sley.logic.terms import Term, Terms
from sley.program.builder import FunctionBuilder
from sley.program.instructions import (
    Access,
    Allocate,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Await,
    Call,
    CallPointer,
    Cause,
    Check,
    Create,
    CreatePointer,
    End,
    Ending,
    Enter,
    Fence,
    Free,
    Havoc,
    Instruction,
    Join,
    Leave,
    Load,
    Lock,
    MemoryOrder,
    Register,
    Return,
    Store,
    Unlock,
    Update,
)
from sley.program.memory import AddressOf, Cell, Display, Layout, MemoryObject, PointerLayout, Storage
from sley.program.program import CallSite, Edge, Function, Origin, Program
from sley.program.properties import Failure, Property

POINTERS = PointerLayout()
BYTE = Layout((Cell(0, I8),), 1)
LOCK = Layout((Cell(0, I32, "", Display.HIDDEN),), 4)
HELPERS = ("first", "second")


def random_program(seed: int) -> Program:
    """The program of that number."""
    return _Generator(random.Random(seed)).program()


def with_random_origins(program: Program, seed: int) -> Program:
    """The program with places, texts and call strings of all kinds on its edges."""
    choose = random.Random(seed)

    def edge(old: Edge) -> Edge:
        return replace(old, origin=_random_origin(choose))

    functions = {name: replace(f, edges=tuple(map(edge, f.edges))) for name, f in program.functions.items()}
    return replace(program, functions=functions)


def _random_span(choose: random.Random) -> Span | None:
    files = ("main.c", "my file.c", 'quote".c', "c:\\x.c", "ünï.c")
    position = [choose.randint(1, 300) for _ in range(choose.choice((2, 4)))]
    return choose.choice((None, Span(choose.choice(files), *position)))


def _random_text(choose: random.Random) -> str:
    return choose.choice(("", "x = 1", 'puts("a;b")', "a -> b # c", "tab\tand\nline", "é\\"))


def _random_origin(choose: random.Random) -> Origin:
    functions = ("main", "", "in", "via", "library", "odd name")
    calls = tuple(
        CallSite(
            choose.choice(("f", "via", "library", "x y")),
            _random_span(choose),
            _random_text(choose),
            is_library=choose.random() < 0.5,
        )
        for _ in range(choose.choice((0, 0, 1, 2)))
    )
    return Origin(
        _random_span(choose),
        _random_text(choose),
        choose.choice(functions),
        calls,
        is_library=choose.random() < 0.5,
    )


class _Generator:
    """Chooses a program: two helpers, a worker, and main, which creates workers."""

    def __init__(self, choose: random.Random) -> None:
        self.choose = choose
        self.terms = Terms()
        names = ("x", "y", "lock", *HELPERS, "worker")
        self.addresses = {
            name: self.terms.bv(POINTERS.address(number), 64)
            for number, name in enumerate(names, POINTERS.first_object)
        }

    def program(self) -> Program:
        functions = [
            self._function("first", depth=1, helpers=()),
            self._function("second", depth=1, helpers=("first",)),
            self._function("worker", depth=2, helpers=HELPERS),
            self._main(),
        ]
        return Program(self.terms, {f.name: f for f in functions}, self._objects())

    def _objects(self) -> tuple[MemoryObject, ...]:
        def made(name: str, layout: Layout, storage: Storage) -> MemoryObject:
            return MemoryObject(name, layout.stride, layout, storage, self.addresses[name], c_name=name)

        return (
            *(replace(made(n, BYTE, Storage.GLOBAL), initial=((0, 1),)) for n in ("x", "y")),
            made("lock", LOCK, Storage.GLOBAL),
            *(made(n, Layout((), 1), Storage.CODE) for n in (*HELPERS, "worker")),
        )

    def _function(self, name: str, *, depth: int, helpers: tuple[str, ...]) -> Function:
        body = _Body(self, name, helpers)
        parameter = body.builder.register("pointer", I64, c_name="pointer", display=Display.POINTER)
        body.pointers.append(parameter)
        body.begin()
        body.block(depth, self.choose.randint(2, 5))
        result = self.terms.resize(body.value(), 64, signed=False)
        body.step(Return(result), body.builder.exit)
        return body.builder.finish(c_name=name, parameters=(parameter,), result=I64)

    def _main(self) -> Function:
        body = _Body(self, "main", HELPERS)
        handles = [body.builder.register(f"thread{i}", I64) for i in range(self.choose.randint(1, 2))]
        body.begin()
        for handle in handles:
            argument = (self.addresses[self.choose.choice("xy")],)
            if self.choose.random() < 0.3:
                body.step(CreatePointer(handle, self.addresses["worker"], argument))
            else:
                body.step(Create(handle, "worker", argument))
        body.block(1, 3)
        for handle in handles:
            if self.choose.random() < 0.8:
                body.step(Join(None, handle.term))
        body.block(1, 2)
        body.step(Store(body.access(), body.value()))
        ending = self.choose.choice((Return(self.terms.bv(0, 32)), End(Ending.EXIT)))
        body.step(ending, body.builder.exit)
        return body.builder.finish(c_name="main", result=I32)


class _Body:
    """Adds statements to one function."""

    def __init__(self, generator: _Generator, name: str, helpers: tuple[str, ...]) -> None:
        self.generator = generator
        self.choose = generator.choose
        self.terms = generator.terms
        self.helpers = helpers
        self.builder = FunctionBuilder(self.terms, name)
        self.at = self.builder.entry
        self.numbers: list[Register] = []
        self.pointers: list[Register] = []
        self.has_lock = False

    def begin(self) -> None:
        """Every register has a value before it is read."""
        for i in range(3):
            c_name = self.choose.choice(("", f"n{i}"))
            self.numbers.append(self.builder.register(f"n{i}", I8, c_name=c_name))
        self.step(Assign(tuple((r, self.terms.bv(i, 8)) for i, r in enumerate(self.numbers))))
        local = self.builder.register("p", I64)
        self.step(Assign(((local, self.generator.addresses[self.choose.choice("xy")]),)))
        self.pointers.append(local)
        for register in self.choose.sample(self.numbers, self.choose.randint(0, 2)):
            self.step(Load(register, self.access()))

    def step(self, instruction: Instruction, target: int | None = None) -> None:
        target = self.builder.location() if target is None else target
        text = type(instruction).__name__
        self.builder.edge(self.at, target, instruction, Origin(None, text, self.builder.name))
        self.at = target

    # --- terms --------------------------------------------------------------------------------

    def value(self) -> Term:
        a, b = (self.choose.choice(self.numbers).term for _ in range(2))
        op = self.choose.choice((Op.BVADD, Op.BVSUB, Op.BVAND, Op.BVXOR, Op.BVMUL))
        operand = self.choose.choice((b, self.terms.bv(self.choose.randint(0, 3), 8)))
        return self.choose.choice((a, self.terms.apply(op, a, operand), self.terms.bv(2, 8)))

    def condition(self) -> Term:
        a, b = self.value(), self.value()
        relation = self.choose.choice((self.terms.ult, self.terms.eq, self.terms.sle))
        return relation(a, b)

    def access(self, order: MemoryOrder = MemoryOrder.PLAIN) -> Access:
        address = self.choose.choice(
            (
                self.generator.addresses["x"],
                self.generator.addresses["y"],
                *(pointer.term for pointer in self.pointers),
            )
        )
        return Access(address, I8, order, "cell")

    # --- statements ---------------------------------------------------------------------------

    def block(self, depth: int, length: int) -> None:
        statements: list[Callable[[], None]] = [
            self._assign,
            self._assign,
            self._copy,
            self._copy,
            self._load,
            self._load,
            self._store,
            self._store,
            self._update,
            self._update,
            self._check,
            self._havoc,
            self._skip,
        ]
        if depth:
            statements += [
                lambda: self._branch(depth - 1),
                lambda: self._loop(depth - 1),
                lambda: self._atomic(depth - 1),
                lambda: self._object(depth - 1),
                self._heap,
                self._call,
                self._call,
            ]
            if not self.has_lock:
                statements.append(lambda: self._locked(depth - 1))
        for _ in range(length):
            self.choose.choice(statements)()

    def _assign(self) -> None:
        targets = self.choose.sample(self.numbers, self.choose.randint(1, 2))
        self.step(Assign(tuple((target, self.value()) for target in targets)))

    def _copy(self) -> None:
        a, b = self.choose.sample(self.numbers, 2)
        self.step(Assign(((a, b.term),)))

    def _load(self) -> None:
        temporary = self.builder.register("t", I8)
        self.step(
            Load(temporary, self.access(self.choose.choice((MemoryOrder.PLAIN, MemoryOrder.SEQUENTIAL))))
        )
        self.step(Assign(((self.choose.choice(self.numbers), temporary.term),)))

    def _store(self) -> None:
        value = self.terms.apply(Op.BVAND, self.value(), self.terms.bv(3, 8))
        self.step(Store(self.access(), value))

    def _update(self) -> None:
        old = self.choose.choice((self.builder.register("old", I8), *self.numbers))
        if self.choose.random() < 0.5:
            self.step(Assign(((old, self.value()),)))
        value = self.terms.apply(Op.BVAND, self.terms.add(old.term, self.value()), self.terms.bv(3, 8))
        success = None
        if self.choose.random() < 0.3:
            success = self.terms.eq(old.term, self.value())
            value = self.terms.ite(success, value, old.term)
        self.step(Update(old, self.access(MemoryOrder.ACQUIRE_RELEASE), value, success, MemoryOrder.RELAXED))
        if self.choose.random() < 0.5:
            self.step(Assign(((self.choose.choice(self.numbers), old.term),)))

    def _check(self) -> None:
        prop = self.choose.choice((Property.REACH, Property.OVERFLOW, Property.DIVISION))
        condition = self.terms.or_(*(self.condition() for _ in range(self.choose.randint(1, 4))))
        self.step(Check(condition, Failure(prop, "rule", f"check {self.at}")))

    def _havoc(self) -> None:
        flag = self.builder.register("flag", BOOL)
        self.step(Havoc(flag, Cause.INPUT, "nondet()"))
        target = self.choose.choice(self.numbers)
        self.step(Assign(((target, self.terms.bool_to_bv(flag.term, 8)),)))

    def _skip(self) -> None:
        self.step(self.choose.choice((Assign(), Fence.of(MemoryOrder.SEQUENTIAL))))

    def _branch(self, depth: int) -> None:
        condition, start, end = self.condition(), self.at, self.builder.location()
        for branch in (condition, self.terms.not_(condition)):
            self.at = start
            self.step(Assume(branch))
            self.block(depth, self.choose.randint(0, 2))
            self.step(Assign(), end)

    def _loop(self, depth: int) -> None:
        counter = self.builder.register("i", I8, c_name="i")
        self.step(Assign(((counter, self.terms.bv(0, 8)),)))
        head, end = self.at, self.builder.location()
        goes_on = self.terms.ult(counter.term, self.terms.bv(2, 8))
        self.step(Assume(self.terms.not_(goes_on)), end)
        self.at = head
        self.step(Assume(goes_on))
        self.block(depth, 1)
        self.step(Assign(((counter, self.terms.add(counter.term, self.terms.bv(1, 8))),)), head)
        self.at = end

    def _atomic(self, depth: int) -> None:
        self.step(AtomicBegin())
        if self.choose.random() < 0.3:
            self.step(Await(self.terms.not_(self.terms.eq(self.value(), self.value()))))
        self.block(depth, 2)
        self.step(AtomicEnd())

    def _locked(self, depth: int) -> None:
        self.has_lock = True
        access = Access(self.generator.addresses["lock"], I32, MemoryOrder.SEQUENTIAL, "lock")
        self.step(Lock(access))
        self.block(depth, 1)
        self.step(Unlock(access))
        self.has_lock = False

    def _object(self, depth: int) -> None:
        name = self.builder.unique("object")
        address = self.terms.var(AddressOf(name), I64)
        made = MemoryObject(name, 1, BYTE, Storage.LOCAL, address, c_name=name)
        self.builder.objects.append(made)
        pointer = self.builder.register("to_object", I64)
        self.step(Enter(made, is_zeroed=True))
        self.step(Assign(((pointer, address),)))
        self.pointers.append(pointer)
        self.block(depth, 1)
        self.step(Load(self.choose.choice(self.numbers), Access(pointer.term, I8, text="object")))
        self.pointers.remove(pointer)
        self.step(Leave(made))
        if self.choose.random() < 0.1:
            self.step(Load(self.choose.choice(self.numbers), Access(pointer.term, I8, text="dead object")))

    def _heap(self) -> None:
        block = self.builder.register("block", I64)
        is_kept = bool(self.pointers)
        size = self.terms.bv(1, 64)
        self.step(Allocate(block, size, BYTE, is_zeroed=True, name="block", is_kept=is_kept))
        self.step(Store(Access(block.term, I8), self.value()))
        self.step(Free(block.term))
        if self.choose.random() < 0.05:
            self.step(Free(block.term))

    def _call(self) -> None:
        if not self.helpers:
            return
        result = self.builder.register("result", I64)
        name = self.choose.choice(self.helpers)
        argument = (self.choose.choice(self.pointers).term,)
        if self.choose.random() < 0.7:
            self.step(Call(result, name, argument))
        else:
            pointer = self.builder.register("function", I64)
            known = self.generator.addresses[name]
            other = self.choose.choice((self.terms.bv(0, 64), self.generator.addresses[self.helpers[0]]))
            chosen = self.terms.ite(self.condition(), known, other)
            self.step(Assign(((pointer, chosen),)))
            self.step(CallPointer(result, pointer.term, argument))
        target = self.choose.choice(self.numbers)
        self.step(Assign(((target, self.terms.extract(result.term, 7, 0)),)))
