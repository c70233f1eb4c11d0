"""Instructions of x86 in litmus tests, in Intel's notation."""

import re

from sley.frontend.fences import MACHINE_FENCES
from sley.frontend.litmus.machine_code import Assembler, ConditionalJump
from sley.logic.operators import Op
from sley.logic.terms import Term

_PLACE = re.compile(r"\[(\w+)\]$")
_NUMBER = re.compile(r"\$?-?\d\w*$")
_OPERATIONS = {"add": Op.BVADD, "and": Op.BVAND, "or": Op.BVOR}
_JUMPS = {"je": "eq", "jne": "ne", "jl": "lt", "jle": "le", "jg": "gt", "jge": "ge"}


def x86_step(made: Assembler, text: str) -> ConditionalJump | None:
    """What an instruction does."""
    name, _, rest = re.sub(r"^lock\s*;?\s+", "", text.strip(), flags=re.IGNORECASE).partition(" ")
    is_locked = text.lower().startswith("lock")
    name, operands = name.lower(), [part.strip() for part in rest.split(",") if part.strip()]
    if name in MACHINE_FENCES and not operands:
        made.pending.append(MACHINE_FENCES[name])
        return None
    if name in _JUMPS and len(operands) == 1:
        return made.branch(_JUMPS[name], operands[0])
    if name == "jmp" and len(operands) == 1:
        return made.jump(operands[0])
    if name in ("inc", "dec") and len(operands) == 1:
        name, operands = "add", [operands[0], "1" if name == "inc" else "-1"]
    if len(operands) != 2 or not _of_two(made, name, (operands[0], operands[1]), is_locked=is_locked):
        raise made.unsupported(f"the instruction `{text}`")
    return None


def _of_two(made: Assembler, name: str, operands: tuple[str, str], *, is_locked: bool) -> bool:
    """Whether it is an instruction with two operands."""
    first, second = operands
    place = _PLACE.match(first)
    if name in ("xchg", "xadd"):
        return _exchange(made, name, operands)
    if place is not None:
        return _to_memory(made, name, place[1], second, is_locked=is_locked)
    if (source := _PLACE.match(second)) is not None:
        if name == "mov":
            made.load(first, made.location(source[1]), source[1])
        return name == "mov"
    value = _value(made, second)
    if name == "mov":
        made.assign(first, value)
    elif name in ("xor", "sub"):
        made.assign(first, made.difference(Op.BVXOR if name == "xor" else Op.BVSUB, made.value(first), value))
    elif name in _OPERATIONS:
        made.assign(first, made.terms.apply(_OPERATIONS[name], made.value(first), value))
    elif name == "cmp":
        made.compare(made.value(first), value)
    else:
        return False
    return True


def _to_memory(made: Assembler, name: str, location: str, source: str, *, is_locked: bool) -> bool:
    """Whether it is a store, or a locked operation on a location."""
    address, value = made.location(location), _value(made, source)
    if name == "mov":
        made.store(address, value, location)
    elif name in _OPERATIONS and is_locked:
        old = made.builder.register("old", made.register("old.value").sort)
        made.update(old, address, made.terms.apply(_OPERATIONS[name], old.term, value), location)
    else:
        return False
    return True


def _exchange(made: Assembler, name: str, operands: tuple[str, str]) -> bool:
    """Whether it is ``xchg`` or ``xadd`` with a location: locked even where that is not said."""
    place = _PLACE.match(operands[0]) or _PLACE.match(operands[1])
    if place is None:
        return False
    register = operands[1] if _PLACE.match(operands[0]) else operands[0]
    old = made.builder.register("old", made.register(register).sort)
    mine = made.value(register)
    new = mine if name == "xchg" else made.terms.add(old.term, mine)
    made.update(old, made.location(place[1]), new, place[1])
    made.assign(register, old.term)
    return True


def _value(made: Assembler, text: str) -> Term:
    return made.number(text) if _NUMBER.match(text) else made.value(text)
