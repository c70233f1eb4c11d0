"""Rules for negation, conjunction, disjunction and choice."""

from sley.logic.arena import Arena, Payload, Term
from sley.logic.operators import Op
from sley.logic.sorts import BOOL

_Args = tuple[Term, ...]

_LARGEST_TO_FLATTEN = 32
"""Larger conjunctions stay nested: a path condition that grows part by part would need quadratic room."""


def negation(t: Arena, args: _Args, _: Payload) -> Term | None:
    """``not not a`` is ``a``."""
    (a,) = args
    return t.args(a)[0] if t.op(a) is Op.NOT else None


def conjunction(t: Arena, args: _Args, _: Payload) -> Term | None:
    """See ``_flat``."""
    return _flat(t, args, Op.AND)


def disjunction(t: Arena, args: _Args, _: Payload) -> Term | None:
    """See ``_flat``."""
    return _flat(t, args, Op.OR)


def _flat(t: Arena, args: _Args, op: Op) -> Term:
    """Flatten, sort, drop units, repetitions and what the other parts decide."""
    unit, zero = (t.true, t.false) if op is Op.AND else (t.false, t.true)
    if any(t.op(arg) is Op.NOT and t.args(arg)[0] in args for arg in args):
        return zero  # flattening would hide it: ``(a or b) or not (a or b)``
    parts: dict[Term, None] = {}
    for arg in args:
        is_nested = t.op(arg) is op and len(t.args(arg)) <= _LARGEST_TO_FLATTEN
        for part in t.args(arg) if is_nested else (arg,):
            if part == zero:
                return zero
            if part != unit:
                parts[part] = None
    if len(parts) > 1:
        if _is_decided(t, parts, op):
            return zero
        shorter = _absorbed(t, parts, Op.OR if op is Op.AND else Op.AND)
        if shorter is not None:
            return t.make(op, shorter)
        return t.intern(op, tuple(sorted(parts)), None, BOOL)
    return next(iter(parts), unit)


def _is_decided(t: Arena, parts: dict[Term, None], op: Op) -> bool:
    """Whether a part and its negation occur; under AND also ``x = 1, x = 2``, under OR ``x != 1, x != 2``."""
    values: dict[Term, Term] = {}
    for part in parts:
        kind = t.op(part)
        if kind is Op.NOT:
            (part,) = t.args(part)
            if part in parts:
                return True
            if op is Op.AND or t.op(part) is not Op.EQ:
                continue
        elif kind is not Op.EQ or op is Op.OR:
            continue
        subject, value = t.args(part)
        if t.is_const(value) and values.setdefault(subject, value) != value:
            return True
    return False


def _absorbed(t: Arena, parts: dict[Term, None], dual: Op) -> list[Term] | None:
    """Under AND: ``a, (a or b)`` is ``a``, and ``a, (not a or b)`` is ``a, b``; under OR the mirror image.

    None if nothing changes.
    """
    if dual not in [t.op(part) for part in parts]:
        return None
    kept: list[Term] = []
    has_changed = False
    for part in parts:
        if t.op(part) is not dual:
            kept.append(part)
            continue
        inside = t.args(part)
        if any(x in parts for x in inside):
            has_changed = True
            continue
        open_ = [x for x in inside if t.not_(x) not in parts]
        has_changed = has_changed or len(open_) < len(inside)
        kept.append(t.make(dual, open_) if len(open_) < len(inside) else part)
    if not has_changed and len(kept) == 2:
        merged = _resolved(t, kept[0], kept[1], dual)
        return None if merged is None else [merged]
    return kept if has_changed else None


def _resolved(t: Arena, a: Term, b: Term, dual: Op) -> Term | None:
    """Under OR: ``(r and c) or (r and not c)`` is ``r``; under AND the mirror image."""
    if t.op(a) is not dual or t.op(b) is not dual or len(t.args(a)) != len(t.args(b)):
        return None
    left = [x for x in t.args(a) if x not in t.args(b)]
    right = [x for x in t.args(b) if x not in t.args(a)]
    if len(left) == len(right) == 1 and t.not_(left[0]) == right[0]:
        return t.make(dual, [x for x in t.args(a) if x != left[0]])
    return None


def choice(t: Arena, args: _Args, _: Payload) -> Term | None:
    """``condition ? a : b``; of truth values it is written with AND and OR where that is no longer."""
    c, a, b = args
    if c == t.true or a == b:
        return a
    if c == t.false:
        return b
    if t.op(c) is Op.NOT:
        return t.ite(t.args(c)[0], b, a)
    if t.is_boolean(a):
        return _boolean_choice(t, c, a, b)
    if t.op(c) is Op.EQ and t.args(c) in ((a, b), (b, a)):  # x == y ? x : y
        return b
    if t.op(a) is Op.ITE and t.args(a)[0] == c:
        return t.ite(c, t.args(a)[1], b)
    if t.op(b) is Op.ITE:
        d, x, y = t.args(b)
        if d == c:
            return t.ite(c, a, y)
        if x == a:  # c ? a : (d ? a : y)
            return t.ite(t.or_(c, d), a, y)
    return None


def _boolean_choice(t: Arena, c: Term, a: Term, b: Term) -> Term | None:
    if a in (t.true, c):
        return t.or_(c, b)
    if a == t.false:
        return t.and_(t.not_(c), b)
    if b in (t.false, c):
        return t.and_(c, a)
    if b == t.true:
        return t.or_(t.not_(c), a)
    if t.not_(a) == b:
        return t.eq(c, a)
    return None
