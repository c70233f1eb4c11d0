"""Which local objects certainly live at a location, and whether an access is certainly valid."""

from functools import cached_property
from operator import and_

from sley.logic.operators import Op
from sley.logic.terms import Term
from sley.program.instructions import Access, Enter, Leave, Load
from sley.program.memory import MemoryObject, Storage
from sley.program.ordering import forward_facts
from sley.program.program import Edge, Function, Program


class Lifetimes:
    """Forward must-analysis: an object lives where every path has entered it and none has left it since.

    Under-approximation: what is said to live does live in every run.
    """

    def __init__(self, program: Program, function: Function) -> None:
        self._program = program
        self._bit = {o.name: 1 << i for i, o in enumerate(function.objects)}
        self._by_address = {o.address: o for o in function.objects}
        self._function = function

    @cached_property
    def _living(self) -> dict[int, int]:
        objects = self._function.objects
        always = sum(self._bit[o.name] for o in objects if o.storage is Storage.THREAD)
        return forward_facts(self._function, always, self._behind, and_)

    def must_be_valid(self, location: int, instruction: object, access: Access) -> bool:
        """Whether the bytes of the access are those of one live object in every run (writable for writes)."""
        found = self.place_of(access.address)
        if found is None:
            return False
        accessed, offset = found
        if offset + access.size > accessed.size or accessed.storage is Storage.CODE:
            return False
        if not (isinstance(instruction, Load) or access.is_first):
            is_constant = accessed.layout.is_constant(offset, access.size)
            if accessed.is_read_only or is_constant:
                return False
        if accessed.storage is Storage.LOCAL:
            return bool(self._living.get(location, 0) & self._bit[accessed.name])
        return True

    def is_local(self, obj: MemoryObject) -> bool:
        """Whether an object is one of the function's own."""
        return obj.address in self._by_address

    def place_of(self, address: Term) -> tuple[MemoryObject, int] | None:
        """The object and the offset that a fixed address means: a constant, or ``&a`` and so many bytes."""
        terms, pointers = self._program.terms, self._program.pointers
        value = terms.number(address)
        if value is not None:
            number, offset = pointers.number(value), pointers.offset(value)
            named = self._program.static_object(number)
            return None if named is None else (named, offset)
        if address in self._by_address:
            return self._by_address[address], 0
        if terms.op(address) is Op.BVADD:
            base, distance = sorted(terms.args(address), key=terms.is_const)
            offset_value = terms.number(distance)
            if base in self._by_address and offset_value is not None:
                return self._by_address[base], offset_value
        return None

    def _behind(self, edge: Edge, living: int) -> int:
        match edge.instruction:
            case Enter(object=entered):
                return living | self._bit[entered.name]
            case Leave(object=left):
                return living & ~self._bit[left.name]
            case _:
                return living
