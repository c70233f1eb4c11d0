"""Reading and rebuilding instructions, whatever their kind, by the types of their fields.

Passes and analyses ask what an instruction reads and writes, or map a function over its terms, without a case
distinction of their own. A field of a type that is not listed here is an error when this module is imported.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Layout, MemoryObject
from sley.program.properties import Failure

_T = TypeVar("_T")


def _same(x: _T) -> _T:
    return x


class _Map(NamedTuple):
    """What becomes of the terms, registers and objects of an instruction."""

    term: Callable[[Term], Term]
    register: Callable[[ir.Register], ir.Register]
    memory_object: Callable[[MemoryObject], MemoryObject]

    def place(self, access: ir.Access) -> ir.Access:
        address = self.term(access.address)
        return access if address == access.address else replace(access, address=address)

    def inside(self, of: ir.Faulty) -> ir.Instruction:
        return rewritten(of, term=self.term, register=self.register, memory_object=self.memory_object)


class _FieldKind(NamedTuple):
    """What a field of some type means: the terms it reads, the registers it writes, its image."""

    reads: Callable[[Any], Iterable[Term]] | None = None
    writes: Callable[[Any], Iterable[ir.Register]] | None = None
    image: Callable[[_Map, Any], Any] = lambda _, value: value


_TERM = _FieldKind(reads=lambda term: (term,), image=lambda m, term: m.term(term))
_REGISTER = _FieldKind(writes=lambda register: (register,), image=lambda m, register: m.register(register))
_KINDS: dict[object, _FieldKind] = {
    **dict.fromkeys((Term, Term | None), _TERM),
    **dict.fromkeys((ir.Register, ir.Register | None), _REGISTER),
    tuple[Term, ...]: _FieldKind(reads=_same, image=lambda m, terms: tuple(map(m.term, terms))),
    tuple[tuple[ir.Register, Term], ...]: _FieldKind(
        reads=lambda pairs: [term for _, term in pairs],
        writes=lambda pairs: [register for register, _ in pairs],
        image=lambda m, pairs: tuple((m.register(r), m.term(t)) for r, t in pairs),
    ),
    ir.Access: _FieldKind(reads=lambda access: (access.address,), image=_Map.place),
    MemoryObject: _FieldKind(image=lambda m, made: m.memory_object(made)),
    ir.Faulty: _FieldKind(reads=lambda of: read_terms(of), image=_Map.inside),
    tuple[int | None, ...]: _FieldKind(),
    **dict.fromkeys(
        (str, int, bool, ir.MemoryOrder, ir.Barrier, ir.Cause, ir.Ending, Failure, Layout), _FieldKind()
    ),
}
"""An optional field that is None reads and writes nothing, and stays None."""

_FIELDS = {
    kind: [(field.name, _KINDS[get_type_hints(kind)[field.name]]) for field in fields(kind)]
    for kind in get_args(ir.Instruction)
}
_Found = Callable[[Any], tuple[Any, ...]]


def _collector(parts: list[tuple[str, Callable[[Any], Iterable[Any]] | None]]) -> _Found:
    """What some fields of an instruction have; analyses ask it of every edge, mostly of one field or none."""
    found = [(name, get) for name, get in parts if get is not None]
    if not found:
        return lambda _: ()
    if len(found) > 1:
        each = [_collector([part]) for part in found]
        return lambda instruction: tuple([one for get in each for one in get(instruction)])
    ((name, get),) = found

    def collect(instruction: Any) -> tuple[Any, ...]:
        part = getattr(instruction, name)
        return () if part is None else tuple(get(part))

    return collect


_READS = {kind: _collector([(name, k.reads) for name, k in parts]) for kind, parts in _FIELDS.items()}
_WRITES = {kind: _collector([(name, k.writes) for name, k in parts]) for kind, parts in _FIELDS.items()}


def read_terms(instruction: ir.Instruction) -> tuple[Term, ...]:
    """The terms that the instruction evaluates, in order; of an Update first the address."""
    return _READS[type(instruction)](instruction)


def written_registers(instruction: ir.Instruction) -> tuple[ir.Register, ...]:
    """The registers that the instruction sets; a Fault sets none."""
    return _WRITES[type(instruction)](instruction)


def access_of(instruction: ir.Instruction) -> tuple[ir.Access, bool] | None:
    """The access that an instruction makes and whether it writes; None if it makes none."""
    if not isinstance(instruction, ir.Accessing):
        return None
    return instruction.access, not isinstance(instruction, ir.Load)


def used_address(instruction: ir.Instruction) -> Term | None:
    """The address of the bytes that the instruction accesses or frees, if any."""
    if isinstance(instruction, ir.Accessing):
        return instruction.access.address
    return instruction.address if isinstance(instruction, ir.Free) else None


def rewritten(
    instruction: ir.Instruction,
    *,
    term: Callable[[Term], Term] = _same,
    register: Callable[[ir.Register], ir.Register] = _same,
    memory_object: Callable[[MemoryObject], MemoryObject] = _same,
) -> ir.Instruction:
    """The instruction with its terms, registers and objects mapped.

    ``term`` also gets what an Update writes and when, in which the target means what was loaded: a caller
    that maps the target's old value has to use ``rewritten_update``.
    """
    mapping = _Map(term, register, memory_object)
    make: Callable[..., ir.Instruction] = type(instruction)
    parts = [(getattr(instruction, name), kind) for name, kind in _FIELDS[type(instruction)]]
    return make(*[None if part is None else kind.image(mapping, part) for part, kind in parts])


def rewritten_update(
    update: ir.Update, *, address: Callable[[Term], Term], loaded: Callable[[Term], Term]
) -> ir.Update:
    """The update with its address mapped, and otherwise the terms in which the target is what was loaded."""
    return replace(
        update,
        access=replace(update.access, address=address(update.access.address)),
        value=loaded(update.value),
        success=None if update.success is None else loaded(update.success),
    )


def terms_over_loaded(update: ir.Update) -> tuple[Term, ...]:
    """The terms of an update in which the target is what was loaded."""
    return (update.value,) if update.success is None else (update.value, update.success)
