"""Bitwuzla's interpolants as terms.

Interpolants use more operators than we have; each is written with ours. What has no counterpart (floats,
whose interpolants are about Bitwuzla's inner encoding) gives no term: the caller has to do without.
"""

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from typing import Any

from bitwuzla import Kind

from sley.logic.operators import Op
from sley.logic.terms import Term, Terms
from sley.solvers.bitwuzla_terms import DIRECT
from sley.solvers.translation import fold

_Build = Callable[[Terms, list[Term], list[int]], Term]


def from_bitwuzla(terms: Terms, root: Any, constants: dict[Any, Term]) -> Term | None:
    """The term that says what ``root`` says; ``constants`` are the known leaves. None if there is none."""

    def made(native: Any, parts: list[Term | None]) -> Term | None:
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        if not parts:
            return _leaf(terms, native, constants)
        build = _BUILD.get(native.kind())
        return None if build is None else build(terms, known, list(native.indices()))

    return fold(root, lambda native: native.children(), made, {})


def _leaf(terms: Terms, native: Any, constants: dict[Any, Term]) -> Term | None:
    if native.is_true() or native.is_false():
        return terms.boolean(native.is_true())
    if native.is_value() and native.sort().is_bv():
        return terms.bv(int(native.value(), 2), native.sort().bv_size())
    return constants.get(native)


def _plain(op: Op) -> _Build:
    return lambda t, a, i: t.make(op, a)


def _left_to_right(op: Op) -> _Build:
    return lambda t, a, i: reduce(lambda x, y: t.make(op, (x, y)), a)


def _swapped(op: Op) -> _Build:
    return lambda t, a, i: t.make(op, (a[1], a[0]))


def _complement(op: Op) -> _Build:
    return lambda t, a, i: t.bvnot(t.make(op, a))


def _chain(t: Terms, args: list[Term], _: list[int]) -> Term:
    return t.and_(*(t.eq(x, y) for x, y in pairwise(args)))


def _distinct(t: Terms, args: list[Term], _: list[int]) -> Term:
    return t.and_(*(t.ne(x, y) for i, x in enumerate(args) for y in args[i + 1 :]))


def _all_ones(t: Terms, args: list[Term], _: list[int]) -> Term:
    return t.bool_to_bv(t.eq(args[0], t.bv(-1, t.width(args[0]))), 1)


def _any_one(t: Terms, args: list[Term], _: list[int]) -> Term:
    return t.bool_to_bv(t.ne(args[0], t.bv(0, t.width(args[0]))), 1)


def _parity(t: Terms, args: list[Term], _: list[int]) -> Term:
    bits = [t.extract(args[0], i, i) for i in range(t.width(args[0]))]
    return reduce(lambda x, y: t.apply(Op.BVXOR, x, y), bits)


def _repeat(t: Terms, args: list[Term], indices: list[int]) -> Term:
    return reduce(t.concat, [args[0]] * indices[0])


_BUILD: dict[Any, _Build] = {
    **{kind: _plain(op) for op, kind in DIRECT.items() if not op.name.startswith("FP_")},
    Kind.IMPLIES: lambda t, a, i: t.implies(a[0], a[1]),
    Kind.IFF: _chain,
    Kind.XOR: lambda t, a, i: reduce(t.ne, a),
    Kind.EQUAL: _chain,
    Kind.DISTINCT: _distinct,
    Kind.BV_AND: _left_to_right(Op.BVAND),
    Kind.BV_OR: _left_to_right(Op.BVOR),
    Kind.BV_XOR: _left_to_right(Op.BVXOR),
    Kind.BV_NAND: _complement(Op.BVAND),
    Kind.BV_NOR: _complement(Op.BVOR),
    Kind.BV_XNOR: _complement(Op.BVXOR),
    Kind.BV_ADD: _left_to_right(Op.BVADD),
    Kind.BV_MUL: _left_to_right(Op.BVMUL),
    Kind.BV_INC: lambda t, a, i: t.add(a[0], t.bv(1, t.width(a[0]))),
    Kind.BV_DEC: lambda t, a, i: t.add(a[0], t.bv(-1, t.width(a[0]))),
    Kind.BV_UGT: _swapped(Op.BVULT),
    Kind.BV_UGE: _swapped(Op.BVULE),
    Kind.BV_SGT: _swapped(Op.BVSLT),
    Kind.BV_SGE: _swapped(Op.BVSLE),
    Kind.BV_COMP: lambda t, a, i: t.bool_to_bv(t.eq(a[0], a[1]), 1),
    Kind.BV_CONCAT: lambda t, a, i: reduce(t.concat, a),
    Kind.BV_EXTRACT: lambda t, a, i: t.extract(a[0], i[0], i[1]),
    Kind.BV_ZERO_EXTEND: lambda t, a, i: t.zero_extend(a[0], i[0]),
    Kind.BV_SIGN_EXTEND: lambda t, a, i: t.sign_extend(a[0], i[0]),
    Kind.BV_REPEAT: _repeat,
    Kind.BV_REDAND: _all_ones,
    Kind.BV_REDOR: _any_one,
    Kind.BV_REDXOR: _parity,
}
