"""The textual form of programs: the words for operators, layouts and orders.

The form is line-oriented; ``#`` starts a comment, ``;`` starts where a line comes from in C::

    program lp64
    global x : i32 = 0
    thread main() -> i32 {
      reg t : i32
      entry 0 exit 4
      0 -> 1 : load t, x "x"                   ; main.c:5:3-5:8 "x = x + 1" in main
      1 -> 2 : store x, (bvadd t 1:i32) "x"
      2 -> 3 : assume (= t 0:i32)
      2 -> 5 : assume (not (= t 0:i32))
      3 -> 4 : end return
      error 5 : reach assertion "assertion can fail"
    }

* Terms are S-expressions with SMT-LIB's names for operators; constants carry their sort (``5:i32``,
  ``0x3f800000:f32`` for the bits of a float); ``self`` is the own handle, ``&x+4`` an address.
* An access is ``x``, ``x+4`` (an object by name and an offset) or ``*term``, then optionally its order
  (``@seq_cst``) and its C text.
* A compare-exchange says when it succeeds, and the order of the load that it is if not:
  ``update t, x @acq_rel, (ite (= t 0:i32) 1:i32 t) if (= t 0:i32) else relaxed``.
* Layouts are ``i32``, ``[3 x i32]``, ``{ .next : i64 pointer @0, .value : i32 @8 } size 16``, and arrays
  of those.
* A name that is not made of letters, digits and ``_ . $ % # -`` is written as a string.
"""

import json
import re
from string import Formatter

from sley.logic.operators import Op
from sley.program import instructions as ir
from sley.program.memory import PointerLayout

NAME_PATTERN = r"(?:[^\W\d]|[.$%])[\w.$%#]*(?:-[\w.$%#]+)*"
FILE_PATTERN = r'[^\s":;#]+'
"""The name of a file that need not be quoted."""
RESERVED = frozenset({"true", "false", "self", "const"})
"""Words that mean something in a term; a register of that name is written as a string."""

_OTHER_NAMES = {
    Op.EQ: "=",
    Op.SADDO: "bvsaddo",
    Op.SSUBO: "bvssubo",
    Op.SMULO: "bvsmulo",
    Op.FP_NEG: "fp.neg",
    Op.FP_ADD: "fp.add",
    Op.FP_SUB: "fp.sub",
    Op.FP_MUL: "fp.mul",
    Op.FP_DIV: "fp.div",
    Op.FP_EQ: "fp.eq",
    Op.FP_LT: "fp.lt",
    Op.FP_LE: "fp.leq",
    Op.FP_TO_FP: "fp.to_fp",
    Op.FP_TO_SBV: "fp.to_sbv",
    Op.FP_TO_UBV: "fp.to_ubv",
    Op.FP_FROM_BITS: "fp.from_bits",
    Op.FP_TO_BITS: "fp.to_bits",
}

OPERATOR_NAMES = {op: _OTHER_NAMES.get(op, op.name.lower()) for op in Op if op not in (Op.CONST, Op.VAR)}
"""SMT-LIB's names where it has the operator."""

INDEX_COUNT = {Op.EXTRACT: 2, Op.ZERO_EXTEND: 1, Op.SIGN_EXTEND: 1}
"""Operators that are followed by numbers: ``(extract 7 0 t)``."""

SORT_INDEXED = frozenset(
    {Op.FP_TO_FP, Op.FP_TO_SBV, Op.FP_TO_UBV, Op.SBV_TO_FP, Op.UBV_TO_FP, Op.FP_FROM_BITS}
)
"""Operators that are followed by the result's sort: ``(fp.to_sbv i32 t)``."""

POINTER_LAYOUTS = {"lp64": PointerLayout(64, 32), "ilp32": PointerLayout(32, 16)}


_FORMS: tuple[tuple[type[ir.Instruction], str], ...] = (
    (ir.Assume, "assume {condition}"),
    (ir.Check, "check {condition}, {failure}"),
    (ir.Havoc, "havoc {target}, {cause}{text}{about}"),
    (ir.Load, "load {target}, {access}"),
    (ir.Store, "store {access}, {value:term}{is_late:late}"),
    (ir.Update, "update {target}, {access}, {value:term}{success:if}{failure:else}"),
    (ir.Lock, "lock {access:cell}"),
    (ir.Unlock, "unlock {access:cell}{is_plain:plain}"),
    (ir.Fence, "fence {order} {barrier}"),
    (
        ir.Allocate,
        "allocate {target}, {size:term}, {layout}{is_zeroed:zeroed}{is_kept:kept}{alignment}{name:text}",
    ),
    (ir.Free, "free {address:term}"),
    (ir.Enter, "enter {object}{is_zeroed:zeroed}"),
    (ir.Leave, "leave {object}"),
    (ir.Create, "create {target}, {function}{arguments}"),
    (ir.CreatePointer, "create {target}, *{pointer:term}{arguments}"),
    (ir.Join, "join {target:result}{handle}"),
    (ir.Detach, "detach {handle}"),
    (ir.Exit, "exit {value:returned}"),
    (ir.End, "end {ending}"),
    (ir.AtomicBegin, "atomic_begin"),
    (ir.AtomicEnd, "atomic_end"),
    (ir.Await, "await {condition}{is_spurious:spurious}"),
    (ir.Call, "call {target:result}{function}{arguments}"),
    (ir.CallPointer, "call {target:result}*{pointer:term}{arguments}"),
    (ir.CallUnmodelled, "call_unmodelled {target:result}{function}{arguments}{extents}"),
    (ir.Return, "return {value:returned}"),
    (ir.GiveUp, "give_up {reason}"),
    (ir.FaultTest, "fault {of}"),
)

FORMS = {
    kind: tuple((text, field, way or field) for text, field, way, _ in Formatter().parse(form))
    for kind, form in _FORMS
}
"""Kind of an instruction -> texts, each with the field behind it, if any, and the way how that is written.

What may be left out brings its own blank or comma. Assignments are the only instructions without a word.
"""


def quoted(text: str) -> str:
    """``text`` as a string literal."""
    return json.dumps(text, ensure_ascii=False)


def name_text(name: str) -> str:
    """``name`` as the textual form writes it."""
    if name in RESERVED or re.fullmatch(NAME_PATTERN, name) is None:
        return quoted(name)
    return name
