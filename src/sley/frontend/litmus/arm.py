"""Instructions of AArch64 in litmus tests. ``W0`` is a part of ``X0``, and here the same."""

import re

from sley.frontend.fences import MACHINE_FENCES
from sley.frontend.litmus.machine_code import Assembler, ConditionalJump
from sley.logic.operators import Op
from sley.logic.terms import Term
from sley.program.instructions import MemoryOrder

_PLACE = re.compile(
    r"\[\s*(\w+)\s*(?:,\s*(?:#0|(\w+)(?:\s*,\s*(?:[su]xtw|lsl)(?:\s*#0)?)?)\s*)?\]$", re.IGNORECASE
)
_REGISTER = re.compile(r"[WX](\d+|ZR)$", re.IGNORECASE)
_LOADS = {"ldr": MemoryOrder.PLAIN, "ldar": MemoryOrder.SEQUENTIAL, "ldapr": MemoryOrder.ACQUIRE}
_STORES = {"str": MemoryOrder.PLAIN, "stlr": MemoryOrder.RELEASE}
_UPDATES = re.compile(r"(swp|ldadd|stadd)(al|a|l|)$")
_ORDERS = {
    "": MemoryOrder.RELAXED,
    "a": MemoryOrder.ACQUIRE,
    "l": MemoryOrder.RELEASE,
    "al": MemoryOrder.ACQUIRE_RELEASE,
}
_OPERATIONS = {"eor": Op.BVXOR, "sub": Op.BVSUB, "add": Op.BVADD, "and": Op.BVAND, "orr": Op.BVOR}
_CONDITIONS = ("eq", "ne", "lt", "le", "gt", "ge")


def arm_step(made: Assembler, text: str) -> ConditionalJump | None:
    """What an instruction does."""
    name, _, rest = text.strip().partition(" ")
    name, operands = name.lower(), [part.strip() for part in re.split(r",(?![^\[]*\])", rest) if part.strip()]
    fence = " ".join([name, *operands]).lower()
    if fence in MACHINE_FENCES:
        made.pending.append(MACHINE_FENCES[fence])
        return None
    condition = name[1:].lstrip(".") if name.startswith("b") else ""
    if condition in _CONDITIONS and len(operands) == 1:
        return made.branch(condition, operands[0])
    if name == "b" and len(operands) == 1:
        return made.jump(operands[0])
    if name in ("cbz", "cbnz") and len(operands) == 2:
        is_zero = made.terms.eq(_value(made, operands[0]), made.terms.bv(0, 32))
        return ConditionalJump(operands[1], is_zero if name == "cbz" else made.terms.not_(is_zero))
    if not _of_values(made, name, operands) and not _of_memory(made, name, operands) and name != "nop":
        raise made.unsupported(f"the instruction `{text}`")
    return None


def _of_values(made: Assembler, name: str, operands: list[str]) -> bool:
    """Whether it is an instruction that only computes."""
    if len(operands) not in (2, 3) or any("[" in one for one in operands):
        return False
    first, second, *third = operands
    if name == "mov" and not third:
        made.assign(_register(made, first), _value(made, second))
    elif name == "cmp" and not third:
        made.compare(_value(made, first), _value(made, second))
    elif name in ("eor", "sub") and third:
        values = (_value(made, second), _value(made, third[0]))
        made.assign(_register(made, first), made.difference(_OPERATIONS[name], *values))
    elif name in _OPERATIONS and third:
        result = made.terms.apply(_OPERATIONS[name], _value(made, second), _value(made, third[0]))
        made.assign(_register(made, first), result)
    else:
        return False
    return True


def _of_memory(made: Assembler, name: str, operands: list[str]) -> bool:
    """Whether it is an access."""
    update = _UPDATES.match(name)
    if name in _LOADS and len(operands) == 2:
        made.load(_register(made, operands[0]), *_place(made, operands[1]), _LOADS[name])
    elif name in _STORES and len(operands) == 2:
        address, location = _place(made, operands[1])
        made.store(address, _value(made, operands[0]), location, _STORES[name])
    elif update and len(operands) == (2 if update[1] == "stadd" else 3):
        _update(made, update, operands)
    else:
        return False
    return True


def _update(made: Assembler, name: re.Match[str], operands: list[str]) -> None:
    """``ldadd Ws,Wt,[Xn]``: Wt gets what is there, to which Ws is added; ``swp`` puts Ws there."""
    source, *targets, place = operands
    target = made.register(_register(made, targets[0])) if targets else made.register("stadd.result")
    added = _value(made, source)
    if added == target.term:
        raise made.unsupported("an update of its own operand")
    value = added if name[1] == "swp" else made.terms.apply(Op.BVADD, target.term, added)
    address, location = _place(made, place)
    made.update(target, address, value, location, _ORDERS[name[2]])


def _register(made: Assembler, name: str) -> str:
    match = _REGISTER.match(name)
    if match is None or match[1].upper() == "ZR":
        raise made.unsupported(f"the register `{name}`")
    return f"X{int(match[1])}"


def _value(made: Assembler, text: str) -> Term:
    if text.upper() in ("WZR", "XZR"):
        return made.terms.bv(0, 32)
    if text.startswith("#") or text.isdigit():
        return made.number(text.lstrip("#"))
    return made.value(_register(made, text))


def _place(made: Assembler, text: str) -> tuple[Term, str]:
    """``[X1]``, or ``[X1,W2,SXTW]``; one of the two registers holds an address."""
    match = _PLACE.match(text)
    if match is None:
        raise made.unsupported(f"the address `{text}`")
    base = _register(made, match[1])
    if match[2] is not None:
        return made.indexed(base, _register(made, match[2]))
    location = made.held_address(base)
    if location is None:
        raise made.unsupported(f"the address `{text}`")
    return made.location(location), location
