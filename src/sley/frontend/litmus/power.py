"""Instructions of Power in litmus tests."""

import re

from sley.frontend.fences import MACHINE_FENCES
from sley.frontend.litmus.machine_code import Assembler, ConditionalJump
from sley.logic.operators import Op
from sley.logic.terms import Term

_WORDS = re.compile(r"[\s,]+")
_PLACE = re.compile(r"(-?\w+)\(([\w%]+)\)$")
_LOADS = frozenset({"lwz", "ld"})
_STORES = frozenset({"stw", "std"})
_INDEXED_LOADS = frozenset({"lwzx", "ldx"})
_INDEXED_STORES = frozenset({"stwx", "stdx"})
_OPERATIONS = {"xor": Op.BVXOR, "add": Op.BVADD, "and": Op.BVAND, "or": Op.BVOR, "mullw": Op.BVMUL}
_WITH_NUMBER = {"addi": Op.BVADD, "xori": Op.BVXOR, "andi.": Op.BVAND, "ori": Op.BVOR}
_BRANCHES = {"beq": "eq", "bne": "ne", "blt": "lt", "ble": "le", "bgt": "gt", "bge": "ge"}


def power_step(made: Assembler, text: str) -> ConditionalJump | None:
    """What an instruction does."""
    name, *operands = _WORDS.split(text.strip())
    name = name.lower()
    if name in MACHINE_FENCES and not operands:
        made.pending.append(MACHINE_FENCES[name])
        return None
    if name in _BRANCHES and len(operands) == 1:
        return made.branch(_BRANCHES[name], operands[0])
    if name == "b" and len(operands) == 1:
        return made.jump(operands[0])
    if len(operands) == 2 and _of_two(made, name, *operands):
        return None
    if len(operands) == 3 and _of_three(made, name, *operands):
        return None
    if name != "nop":
        raise made.unsupported(f"the instruction `{text}`")
    return None


def _of_two(made: Assembler, name: str, first: str, second: str) -> bool:
    """Whether it is an instruction with two operands."""
    if name == "li":
        made.assign(first, made.number(second))
    elif name == "mr":
        made.assign(first, made.value(second))
    elif name in _LOADS:
        made.load(first, *_place(made, second))
    elif name in _STORES:
        address, location = _place(made, second)
        made.store(address, made.value(first), location)
    elif name in ("cmpw", "cmpd"):
        made.compare(made.value(first), made.value(second))
    elif name in ("cmpwi", "cmpdi"):
        made.compare(made.value(first), made.number(second))
    else:
        return False
    return True


def _of_three(made: Assembler, name: str, first: str, second: str, third: str) -> bool:
    """Whether it is an instruction with three operands."""
    if name in _LOADS | _STORES:
        return _of_two(made, name, first, f"{second}({third})")
    if name in ("xor", "subf"):
        a, b = made.value(third), made.value(second)
        made.assign(first, made.difference(Op.BVXOR if name == "xor" else Op.BVSUB, a, b))
    elif name in _OPERATIONS:
        made.assign(first, made.terms.apply(_OPERATIONS[name], made.value(second), made.value(third)))
    elif name in _WITH_NUMBER:
        made.assign(first, made.terms.apply(_WITH_NUMBER[name], made.value(second), made.number(third)))
    elif name in _INDEXED_LOADS:
        made.load(first, *made.indexed(second, third))
    elif name in _INDEXED_STORES:
        address, location = made.indexed(second, third)
        made.store(address, made.value(first), location)
    else:
        return False
    return True


def _place(made: Assembler, text: str) -> tuple[Term, str]:
    """``0(r2)``, where r2 holds an address."""
    match = _PLACE.match(text)
    location = None if match is None else made.held_address(match[2])
    if match is None or location is None or match[1] != "0":
        raise made.unsupported(f"the address `{text}`")
    return made.location(location), location
