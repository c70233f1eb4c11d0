"""Hash-consed terms in an integer arena.

A :class:`Terms` object owns all terms; a :data:`Term` is the index of a term in it. Equal terms have
equal indices, so equality, hashing and sharing cost nothing, and no walk over terms recurses. The integer
form is the fastest that was measured in Python (half a microsecond per new term).

All terms are made by the constructors below, which fold constants and apply cheap rules; a constructor
never returns a term of another sort than promised. Terms of two arenas must not be mixed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NewType

from sley.logic.operators import COMMUTATIVE, MEANING, ArrayValue, Op, Value
from sley.logic.sorts import BOOL, ArraySort, BitVecSort, FloatSort, Sort, bitvec

Term = NewType("Term", int)
Payload = object

_BOOLEAN_RESULT = frozenset(
    {Op.NOT, Op.AND, Op.OR, Op.EQ, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE}
    | {Op.SADDO, Op.SSUBO, Op.SMULO, Op.FP_EQ, Op.FP_LT, Op.FP_LE}
)
_PAYLOAD_IS_RESULT = frozenset(
    {Op.FP_TO_FP, Op.FP_TO_SBV, Op.FP_TO_UBV, Op.SBV_TO_FP, Op.UBV_TO_FP, Op.FP_FROM_BITS}
)


class Terms:
    """An arena of terms; see the module docstring."""

    def __init__(self) -> None:
        self._table: dict[tuple[object, ...], Term] = {}
        self._op: list[Op] = []
        self._args: list[tuple[Term, ...]] = []
        self._payload: list[Payload] = []
        self._sort: list[Sort] = []
        self._mask: list[int] = []  # bit i set: the i-th variable occurs
        self._variables: list[Term] = []
        self.true = self._intern(Op.CONST, (), payload=True, sort=BOOL)
        self.false = self._intern(Op.CONST, (), payload=False, sort=BOOL)

    # --- looking at terms ---------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._op)

    def op(self, term: Term) -> Op:
        """The operator at the top."""
        return self._op[term]

    def args(self, term: Term) -> tuple[Term, ...]:
        """The arguments."""
        return self._args[term]

    def payload(self, term: Term) -> Payload:
        """What is not a term: a constant's value, a variable's name, bit positions, a target sort."""
        return self._payload[term]

    def sort(self, term: Term) -> Sort:
        """The sort."""
        return self._sort[term]

    def width(self, term: Term) -> int:
        """The width of a bit-vector term."""
        sort = self._sort[term]
        assert isinstance(sort, BitVecSort), f"not a bit-vector: {sort}"
        return sort.width

    def is_const(self, term: Term) -> bool:
        """Whether the term is a constant."""
        return self._op[term] is Op.CONST

    def is_var(self, term: Term) -> bool:
        """Whether the term is a variable."""
        return self._op[term] is Op.VAR

    def value(self, term: Term) -> Value:
        """The value of a constant."""
        assert self._op[term] is Op.CONST
        value = self._payload[term]
        assert isinstance(value, bool | int | ArrayValue)
        return value

    def number(self, term: Term) -> int | None:
        """The value of a bit-vector or float constant, else None."""
        if self._op[term] is not Op.CONST:
            return None
        value = self._payload[term]
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def name(self, term: Term) -> str:
        """The name of a variable."""
        assert self._op[term] is Op.VAR
        return str(self._payload[term])

    def variables(self, term: Term) -> tuple[Term, ...]:
        """The variables that occur, in order of creation."""
        mask = self._mask[term]
        found = []
        while mask:
            low = mask & -mask
            found.append(self._variables[low.bit_length() - 1])
            mask ^= low
        return tuple(found)

    def has_variables(self, term: Term) -> bool:
        """Whether any variable occurs."""
        return self._mask[term] != 0

    def mentions(self, term: Term, variable: Term) -> bool:
        """Whether ``variable`` occurs in ``term``."""
        return bool(self._mask[term] & self._mask[variable])

    def walk(self, roots: Iterable[Term]) -> list[Term]:
        """All subterms of the roots, each once, arguments before what uses them."""
        order: list[Term] = []
        seen: set[Term] = set()
        stack = [(root, False) for root in reversed(list(roots))]
        while stack:
            term, expanded = stack.pop()
            if expanded:
                order.append(term)
            elif term not in seen:
                seen.add(term)
                stack.append((term, True))
                stack.extend((arg, False) for arg in reversed(self._args[term]))
        return order

    # --- making terms -------------------------------------------------------------------------

    def _intern(self, op: Op, args: tuple[Term, ...], payload: Payload, sort: Sort) -> Term:
        key = (op, args, payload, sort)
        found = self._table.get(key)
        if found is not None:
            return found
        term = Term(len(self._op))
        mask = 0
        for arg in args:
            mask |= self._mask[arg]
        if op is Op.VAR:
            mask = 1 << len(self._variables)
            self._variables.append(term)
        self._table[key] = term
        self._op.append(op)
        self._args.append(args)
        self._payload.append(payload)
        self._sort.append(sort)
        self._mask.append(mask)
        return term

    def const(self, value: Value, sort: Sort) -> Term:
        """A constant; ``value`` must be in range (see ``operators``)."""
        return self._intern(Op.CONST, (), value, sort)

    def bv(self, value: int, width: int) -> Term:
        """A bit-vector constant, taken modulo ``2**width``."""
        return self._intern(Op.CONST, (), value & ((1 << width) - 1), bitvec(width))

    def boolean(self, value: bool) -> Term:  # noqa: FBT001 - it is the value
        """A truth value."""
        return self.true if value else self.false

    def var(self, name: str, sort: Sort) -> Term:
        """The variable of that name and sort."""
        return self._intern(Op.VAR, (), name, sort)

    def make(self, op: Op, args: Sequence[Term], payload: Payload = None) -> Term:
        """The simplified term ``op(args)``; the one door through which every application comes."""
        args = tuple(args)
        sort = self._result_sort(op, args, payload)
        if op not in (Op.AND, Op.OR) and all(self._op[a] is Op.CONST for a in args):
            values = [self._payload[a] for a in args]
            sorts = tuple(self._sort[a] for a in args)
            return self.const(MEANING[op](values, sorts, sort, payload), sort)
        rule = _RULES.get(op)
        if rule is not None:
            simpler = rule(self, args, payload)
            if simpler is not None:
                return simpler
        if op in COMMUTATIVE and args[0] > args[1]:
            args = (args[1], args[0])
        return self._intern(op, args, payload, sort)

    def _result_sort(self, op: Op, args: tuple[Term, ...], payload: Payload) -> Sort:
        if op in _BOOLEAN_RESULT:
            return BOOL
        if op in _PAYLOAD_IS_RESULT:
            assert isinstance(payload, BitVecSort | FloatSort)
            return payload
        match op:
            case Op.ITE:
                assert self._sort[args[1]] == self._sort[args[2]], "branches of two sorts"
                return self._sort[args[1]]
            case Op.CONCAT:
                return bitvec(self.width(args[0]) + self.width(args[1]))
            case Op.EXTRACT:
                assert isinstance(payload, tuple)
                return bitvec(payload[0] - payload[1] + 1)
            case Op.ZERO_EXTEND | Op.SIGN_EXTEND:
                assert isinstance(payload, int)
                return bitvec(self.width(args[0]) + payload)
            case Op.FP_TO_BITS:
                sort = self._sort[args[0]]
                assert isinstance(sort, FloatSort)
                return bitvec(sort.width)
            case Op.SELECT:
                array = self._sort[args[0]]
                assert isinstance(array, ArraySort)
                return array.element
            case _:
                return self._sort[args[0]]

    # Booleans

    def not_(self, a: Term) -> Term:
        """Negation."""
        return self.make(Op.NOT, (a,))

    def and_(self, *args: Term) -> Term:
        """Conjunction of any number of terms."""
        return self.make(Op.AND, args)

    def or_(self, *args: Term) -> Term:
        """Disjunction of any number of terms."""
        return self.make(Op.OR, args)

    def implies(self, a: Term, b: Term) -> Term:
        """Implication."""
        return self.or_(self.not_(a), b)

    def ite(self, condition: Term, then: Term, otherwise: Term) -> Term:
        """If-then-else of any sort."""
        return self.make(Op.ITE, (condition, then, otherwise))

    def eq(self, a: Term, b: Term) -> Term:
        """Equality (of floats: of their bits; ``fp_eq`` is the IEEE comparison)."""
        assert self._sort[a] == self._sort[b], f"{self._sort[a]} = {self._sort[b]}"
        return self.make(Op.EQ, (a, b))

    def ne(self, a: Term, b: Term) -> Term:
        """Inequality."""
        return self.not_(self.eq(a, b))

    # bit-vectors; ``apply`` covers the binary operators that need no comment

    def apply(self, op: Op, a: Term, b: Term) -> Term:
        """A binary operator on two terms of one sort."""
        assert self._sort[a] == self._sort[b], f"{op.name} {self._sort[a]} {self._sort[b]}"
        return self.make(op, (a, b))

    def add(self, a: Term, b: Term) -> Term:
        """Sum, wrapping."""
        return self.apply(Op.BVADD, a, b)

    def sub(self, a: Term, b: Term) -> Term:
        """Difference, wrapping."""
        return self.apply(Op.BVSUB, a, b)

    def mul(self, a: Term, b: Term) -> Term:
        """Product, wrapping."""
        return self.apply(Op.BVMUL, a, b)

    def neg(self, a: Term) -> Term:
        """Two's complement."""
        return self.make(Op.BVNEG, (a,))

    def bvnot(self, a: Term) -> Term:
        """Bitwise complement."""
        return self.make(Op.BVNOT, (a,))

    def ult(self, a: Term, b: Term) -> Term:
        """Unsigned less-than."""
        return self.apply(Op.BVULT, a, b)

    def ule(self, a: Term, b: Term) -> Term:
        """Unsigned at-most."""
        return self.apply(Op.BVULE, a, b)

    def slt(self, a: Term, b: Term) -> Term:
        """Signed less-than."""
        return self.apply(Op.BVSLT, a, b)

    def sle(self, a: Term, b: Term) -> Term:
        """Signed at-most."""
        return self.apply(Op.BVSLE, a, b)

    def extract(self, a: Term, high: int, low: int) -> Term:
        """Bits ``high`` down to ``low``, both included."""
        if low == 0 and high == self.width(a) - 1:
            return a
        return self.make(Op.EXTRACT, (a,), (high, low))

    def concat(self, high: Term, low: Term) -> Term:
        """``high`` above ``low``."""
        return self.make(Op.CONCAT, (high, low))

    def zero_extend(self, a: Term, by: int) -> Term:
        """Widen with zeros by that many bits."""
        return self.make(Op.ZERO_EXTEND, (a,), by) if by else a

    def sign_extend(self, a: Term, by: int) -> Term:
        """Widen with copies of the sign by that many bits."""
        return self.make(Op.SIGN_EXTEND, (a,), by) if by else a

    def resize(self, a: Term, width: int, *, signed: bool) -> Term:
        """Convert to ``width`` bits as C converts integers: cut off, or extend by ``signed``."""
        by = width - self.width(a)
        if by < 0:
            return self.extract(a, width - 1, 0)
        return self.sign_extend(a, by) if signed else self.zero_extend(a, by)

    def bool_to_bv(self, a: Term, width: int) -> Term:
        """1 if ``a`` else 0."""
        return self.ite(a, self.bv(1, width), self.bv(0, width))

    # --- whole terms --------------------------------------------------------------------------

    def substitute(self, term: Term, mapping: Mapping[Term, Term]) -> Term:
        """Replace variables (all at once); shared subterms are rebuilt once."""
        relevant = 0
        for variable in mapping:
            relevant |= self._mask[variable]
        if not self._mask[term] & relevant:
            return term
        done: dict[Term, Term] = dict(mapping)
        stack = [term]
        while stack:
            top = stack[-1]
            if top in done:
                stack.pop()
            elif not self._mask[top] & relevant:
                done[top] = top
                stack.pop()
            else:
                missing = [a for a in self._args[top] if a not in done]
                if missing:
                    stack.extend(missing)
                else:
                    args = tuple(done[a] for a in self._args[top])
                    done[top] = self.make(self._op[top], args, self._payload[top])
                    stack.pop()
        return done[term]

    def evaluate(self, term: Term, values: Mapping[Term, Value]) -> Value:
        """The value of ``term`` under ``values`` for its variables (KeyError if one is missing)."""
        done: dict[Term, Value] = {}
        for t in self.walk((term,)):
            op = self._op[t]
            if op is Op.CONST:
                done[t] = self.value(t)
            elif op is Op.VAR:
                done[t] = values[t]
            else:
                args = self._args[t]
                sorts = tuple(self._sort[a] for a in args)
                arguments = [done[a] for a in args]
                done[t] = MEANING[op](arguments, sorts, self._sort[t], self._payload[t])
        return done[term]


# --- simplification rules: None means "no rule applies" ------------------------------------------

_Rule = Callable[[Terms, tuple[Term, ...], Payload], Term | None]


def _not(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    (a,) = args
    return t.args(a)[0] if t.op(a) is Op.NOT else None


def _flat(t: Terms, args: tuple[Term, ...], op: Op) -> Term:
    """Flatten, sort, drop units and repetitions; a term and its negation give the zero element."""
    unit, zero = (t.true, t.false) if op is Op.AND else (t.false, t.true)
    parts: dict[Term, None] = {}
    for arg in args:
        for part in t.args(arg) if t.op(arg) is op else (arg,):
            if part == zero:
                return zero
            if part != unit:
                parts[part] = None
    for part in parts:
        if t.op(part) is Op.NOT and t.args(part)[0] in parts:
            return zero
    if not parts:
        return unit
    if len(parts) == 1:
        return next(iter(parts))
    return t._intern(op, tuple(sorted(parts)), None, BOOL)


def _eq(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    a, b = args
    if a == b:
        return t.true
    if t.is_const(a):
        a, b = b, a
    if t.sort(a) == BOOL and t.is_const(b):
        return a if b == t.true else t.not_(a)
    if t.is_const(b):
        op = t.op(a)
        if op is Op.ITE:  # (c ? 1 : 0) == 1 is the usual trip of a truth value through an int
            condition, then, otherwise = t.args(a)
            if t.is_const(then) and t.is_const(otherwise):
                return t.or_(t.and_(condition, t.eq(then, b)), t.and_(t.not_(condition), t.eq(otherwise, b)))
        elif op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND):
            inner = t.args(a)[0]
            narrow = t.extract(b, t.width(inner) - 1, 0)
            return t.eq(inner, narrow) if t.make(op, (narrow,), t.payload(a)) == b else t.false
    return None


def _ite(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    c, a, b = args
    if c == t.true or a == b:
        return a
    if c == t.false:
        return b
    if t.op(c) is Op.NOT:
        return t.ite(t.args(c)[0], b, a)
    if t.sort(a) == BOOL:
        if a == t.true or a == c:
            return t.or_(c, b)
        if a == t.false:
            return t.and_(t.not_(c), b)
        if b == t.false or b == c:
            return t.and_(c, a)
        if b == t.true:
            return t.or_(t.not_(c), a)
    return None


def _sum(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    a, b = args
    if t.number(a) == 0:
        return b
    if t.number(b) == 0:
        return a
    if t.is_const(a):
        a, b = b, a
    if t.is_const(b) and t.op(a) is Op.BVADD:  # (x + 3) + 4 -> x + 7
        for x, y in (t.args(a), t.args(a)[::-1]):
            if t.is_const(y):
                return t.add(x, t.add(y, b))
    return None


def _difference(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    a, b = args
    if a == b:
        return t.bv(0, t.width(a))
    if t.is_const(b):
        return t.add(a, t.neg(b))
    return None


def _product(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    for x, y in (args, args[::-1]):
        if t.number(x) == 0:
            return x
        if t.number(x) == 1:
            return y
    return None


def _bitand(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    for x, y in (args, args[::-1]):
        if t.number(x) == 0 or x == y:
            return x
        if t.number(x) == (1 << t.width(x)) - 1:
            return y
    return None


def _bitor(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    for x, y in (args, args[::-1]):
        if t.number(x) == 0:
            return y
        if x == y or t.number(x) == (1 << t.width(x)) - 1:
            return x
    return None


def _bitxor(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    for x, y in (args, args[::-1]):
        if t.number(x) == 0:
            return y
        if x == y:
            return t.bv(0, t.width(x))
    return None


def _right_unit(unit: int) -> _Rule:
    def rule(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
        return args[0] if t.number(args[1]) == unit else None

    return rule


def _strict(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    return t.false if args[0] == args[1] else None


def _weak(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    return t.true if args[0] == args[1] else None


def _ult(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    a, b = args
    if a == b or t.number(b) == 0:
        return t.false
    if t.number(b) == 1:
        return t.eq(a, t.bv(0, t.width(a)))
    return None


def _same_op(op: Op) -> _Rule:
    """op(op(x)) = x."""

    def rule(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
        return t.args(args[0])[0] if t.op(args[0]) is op else None

    return rule


def _extract(t: Terms, args: tuple[Term, ...], payload: Payload) -> Term | None:
    assert isinstance(payload, tuple)
    (a,), (high, low) = args, payload
    match t.op(a):
        case Op.EXTRACT:
            inner = t.payload(a)
            assert isinstance(inner, tuple)
            return t.extract(t.args(a)[0], high + inner[1], low + inner[1])
        case Op.CONCAT:
            top, bottom = t.args(a)
            split = t.width(bottom)
            if high < split:
                return t.extract(bottom, high, low)
            if low >= split:
                return t.extract(top, high - split, low - split)
        case Op.ZERO_EXTEND | Op.SIGN_EXTEND:
            inside = t.args(a)[0]
            if high < t.width(inside):
                return t.extract(inside, high, low)
            if low == 0:
                return t.make(t.op(a), (inside,), high + 1 - t.width(inside))
        case _:
            pass
    return None


def _concat(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    high, low = args
    if t.op(high) is Op.EXTRACT and t.op(low) is Op.EXTRACT and t.args(high) == t.args(low):
        upper, lower = t.payload(high), t.payload(low)
        assert isinstance(upper, tuple)
        assert isinstance(lower, tuple)
        if upper[1] == lower[0] + 1:
            return t.extract(t.args(high)[0], upper[0], lower[1])
    return None


def _extend(op: Op) -> _Rule:
    def rule(t: Terms, args: tuple[Term, ...], payload: Payload) -> Term | None:
        assert isinstance(payload, int)
        (a,) = args
        if t.op(a) is op:
            inner = t.payload(a)
            assert isinstance(inner, int)
            return t.make(op, t.args(a), payload + inner)
        if op is Op.SIGN_EXTEND and t.op(a) is Op.ZERO_EXTEND:  # the sign bit is known to be 0
            return t.zero_extend(a, payload)
        if t.op(a) is Op.ITE:
            c, x, y = t.args(a)
            if t.is_const(x) and t.is_const(y):
                return t.ite(c, t.make(op, (x,), payload), t.make(op, (y,), payload))
        return None

    return rule


def _select(t: Terms, args: tuple[Term, ...], _: Payload) -> Term | None:
    array, index = args
    if t.op(array) is Op.STORE:
        base, written, element = t.args(array)
        if written == index:
            return element
        if t.is_const(written) and t.is_const(index):
            return t.make(Op.SELECT, (base, index))
    return None


_RULES: dict[Op, _Rule] = {
    Op.NOT: _not,
    Op.AND: lambda t, args, _: _flat(t, args, Op.AND),
    Op.OR: lambda t, args, _: _flat(t, args, Op.OR),
    Op.EQ: _eq,
    Op.ITE: _ite,
    Op.BVNOT: _same_op(Op.BVNOT),
    Op.BVNEG: _same_op(Op.BVNEG),
    Op.BVAND: _bitand,
    Op.BVOR: _bitor,
    Op.BVXOR: _bitxor,
    Op.BVADD: _sum,
    Op.BVSUB: _difference,
    Op.BVMUL: _product,
    Op.BVUDIV: _right_unit(1),
    Op.BVSDIV: _right_unit(1),
    Op.BVSHL: _right_unit(0),
    Op.BVLSHR: _right_unit(0),
    Op.BVASHR: _right_unit(0),
    Op.BVULT: _ult,
    Op.BVULE: _weak,
    Op.BVSLT: _strict,
    Op.BVSLE: _weak,
    Op.EXTRACT: _extract,
    Op.CONCAT: _concat,
    Op.ZERO_EXTEND: _extend(Op.ZERO_EXTEND),
    Op.SIGN_EXTEND: _extend(Op.SIGN_EXTEND),
    Op.SELECT: _select,
}
