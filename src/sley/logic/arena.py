"""The arena that owns terms: storage, hash-consing, sorts, constructors.

A :data:`Term` is an index into its arena. Equal terms have equal indices, so equality, hashing and sharing
cost nothing, and no walk over terms recurses. The integer form is the fastest that was measured in Python.

Two facts keep ``make`` cheap. Its table is asked *before* anything is simplified and remembers what each
application became, so that a rule runs once per application ever written. And every term has a signature, a
fixed number of bits in which each of its variables sets one; it decides "no variable" exactly (such terms are
always constants, because they are folded) and "this variable does not occur" almost always. The exact set of
variables as a bit mask was tried: with the fresh variables of long paths it costs more than the terms.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NewType

from sley.logic.arrays import ArrayValue
from sley.logic.operators import COMMUTATIVE, MEANING, AnyValue, Op, Value
from sley.logic.sorts import BOOL, ArraySort, BitVecSort, BoolSort, FloatSort, Sort, bitvec

Term = NewType("Term", int)
Payload = object
Rule = Callable[["Arena", tuple[Term, ...], Payload], Term | None]
"""A rule sees the arguments of one application; None means that it does not apply."""

_SIGNATURE_BITS = 255

_BOOLEAN_ARGUMENTS = frozenset({Op.NOT, Op.AND, Op.OR})
_RELATIONS = frozenset(
    {Op.EQ, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE}
    | {Op.SADDO, Op.SSUBO, Op.SMULO, Op.FP_EQ, Op.FP_LT, Op.FP_LE}
)
_PAYLOAD_IS_RESULT = frozenset(
    {Op.FP_TO_FP, Op.FP_TO_SBV, Op.FP_TO_UBV, Op.SBV_TO_FP, Op.UBV_TO_FP, Op.FP_FROM_BITS}
)


def _unary(op: Op) -> Callable[["Arena", Term], Term]:
    return lambda arena, a: arena.make(op, (a,))


def _binary(op: Op) -> Callable[["Arena", Term, Term], Term]:
    return lambda arena, a, b: arena.make(op, (a, b))


class Arena:
    """Terms and their constructors; ``rules`` and constant folding decide what a constructor returns."""

    def __init__(self, rules: Mapping[Op, Rule]) -> None:
        self._rules = rules
        self._table: dict[tuple[object, ...], Term] = {}
        self._op: list[Op] = []
        self._args: list[tuple[Term, ...]] = []
        self._payload: list[Payload] = []
        self._sort: list[Sort] = []
        self._signature: list[int] = []
        self._variables: dict[Term, tuple[Term, ...]] = {}
        self._variable_count = 0
        self.true = self.const(value=True, sort=BOOL)
        self.false = self.const(value=False, sort=BOOL)

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
        """What is not a term: a constant's value, a variable's symbol, bit positions, a target sort."""
        return self._payload[term]

    def sort(self, term: Term) -> Sort:
        """The sort."""
        return self._sort[term]

    def width(self, term: Term) -> int:
        """The width of a bit-vector term."""
        sort = self._sort[term]
        assert isinstance(sort, BitVecSort), f"not a bit-vector: {sort}"
        return sort.width

    def is_boolean(self, term: Term) -> bool:
        """Whether the term is a truth value."""
        return isinstance(self._sort[term], BoolSort)

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
        assert isinstance(value, bool | int)
        return value

    def any_value(self, term: Term) -> AnyValue:
        """The value of a constant, or of a constant array."""
        found = self.array_value(term)
        return self.value(term) if found is None else found

    def array_value(self, term: Term) -> ArrayValue | None:
        """The value of a constant array, else None."""
        value = self._payload[term] if self._op[term] is Op.CONST else None
        return value if isinstance(value, ArrayValue) else None

    def number(self, term: Term) -> int | None:
        """The value of a bit-vector or float constant, else None."""
        if self._op[term] is not Op.CONST:
            return None
        value = self._payload[term]
        return value if type(value) is int else None

    def symbol(self, variable: Term) -> object:
        """What a variable was made of: its name, or an object that says what it stands for."""
        assert self._op[variable] is Op.VAR
        return self._payload[variable]

    def name(self, variable: Term) -> str:
        """The name of a variable."""
        return str(self.symbol(variable))

    def variables(self, term: Term) -> tuple[Term, ...]:
        """The variables that occur, in order of creation."""
        found = self._variables.get(term)
        if found is None:
            found = tuple(sorted(t for t in self.walk((term,)) if self._op[t] is Op.VAR))
            self._variables[term] = found
        return found

    def has_variables(self, term: Term) -> bool:
        """Whether any variable occurs."""
        return self._signature[term] != 0

    def mentions(self, term: Term, variable: Term) -> bool:
        """Whether ``variable`` occurs in ``term``."""
        may_occur = self._signature[term] & self._signature[variable]
        return may_occur != 0 and variable in self.variables(term)

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

    def make(self, op: Op, args: Sequence[Term], payload: Payload = None) -> Term:
        """The simplified term ``op(args)``; the one door through which every application comes."""
        args = tuple(args)
        key = (op, args, payload)
        known = self._table.get(key)
        if known is not None:
            return known
        made = self._simplified(op, args, payload)
        self._table[key] = made
        return made

    def intern(self, op: Op, args: tuple[Term, ...], payload: Payload, sort: Sort) -> Term:
        """The application, without asking the rules again: for a rule that has nothing left to simplify."""
        key = (op, args, payload)
        known = self._table.get(key)
        if known is None:
            signature = 0
            for arg in args:
                signature |= self._signature[arg]
            known = self._table[key] = self._append(op, args, payload, sort, signature)
        return known

    def _simplified(self, op: Op, args: tuple[Term, ...], payload: Payload) -> Term:
        sort = self._result_sort(op, args, payload)
        signatures = self._signature
        for arg in args:
            if signatures[arg]:
                break
        else:  # no variables
            values = [self._payload[a] for a in args]
            sorts = tuple(self._sort[a] for a in args)
            return self.const(MEANING[op](values, sorts, sort, payload), sort)
        if op in COMMUTATIVE:
            a, b = args
            if not signatures[a] or (a > b and signatures[b]):  # by age, a constant last
                args = (b, a)
        rule = self._rules.get(op)
        if rule is not None:
            simpler = rule(self, args, payload)
            if simpler is not None:
                return simpler
        return self.intern(op, args, payload, sort)

    def _result_sort(self, op: Op, args: tuple[Term, ...], payload: Payload) -> Sort:
        """The sort of an application; an assertion fails where the arguments' sorts do not fit."""
        if op in _RELATIONS:
            self._check_same_sort(op, args[0], args[1])
            assert not isinstance(self._sort[args[0]], ArraySort), "arrays are not compared"
            return BOOL
        if op in _BOOLEAN_ARGUMENTS:
            for arg in args:
                assert isinstance(self._sort[arg], BoolSort), f"{op.name} of {self._sort[arg]}"
            return BOOL
        if op in _PAYLOAD_IS_RESULT:
            assert isinstance(payload, BitVecSort | FloatSort)
            return payload
        special = _SPECIAL_SORTS.get(op)
        if special is not None:
            return special(self, args, payload)
        if len(args) == 2:
            self._check_same_sort(op, args[0], args[1])
        return self._sort[args[0]]

    def _check_same_sort(self, op: Op, a: Term, b: Term) -> None:
        first, second = self._sort[a], self._sort[b]
        assert first is second or first == second, f"{op.name} of {first} and {second}"

    def _append(self, op: Op, args: tuple[Term, ...], payload: Payload, sort: Sort, signature: int) -> Term:
        term = Term(len(self._op))
        self._op.append(op)
        self._args.append(args)
        self._payload.append(payload)
        self._sort.append(sort)
        self._signature.append(signature)
        return term

    # leaves

    def const(self, value: AnyValue, sort: Sort) -> Term:
        """A constant; ``value`` must be in range (see ``operators``), and an array decided everywhere."""
        if isinstance(sort, BitVecSort):
            assert isinstance(value, int)
            return self.bv(value, sort.width)
        assert not isinstance(value, ArrayValue) or value.default is not None, "an array in part"
        key = (Op.CONST, value, sort)
        known = self._table.get(key)
        if known is None:
            known = self._table[key] = self._append(Op.CONST, (), value, sort, 0)
        return known

    def bv(self, value: int, width: int) -> Term:
        """A bit-vector constant, taken modulo ``2**width``."""
        value = value & ((1 << width) - 1)
        key = (Op.CONST, value, width)  # hashes faster than the sort
        known = self._table.get(key)
        if known is None:
            known = self._append(Op.CONST, (), value, bitvec(width), 0)
            self._table[key] = known
        return known

    def boolean(self, value: bool) -> Term:  # noqa: FBT001 - it is the value
        """A truth value."""
        return self.true if value else self.false

    def var(self, symbol: object, sort: Sort) -> Term:
        """The variable of that name and sort: ``symbol`` is the name, or prints as it and says what it is of.

        Solvers tell variables apart by their names, so a name that stands for something must not be made up.
        """
        key = (Op.VAR, str(symbol), sort)
        known = self._table.get(key)
        if known is None:
            signature = 1 << (self._variable_count % _SIGNATURE_BITS)
            self._variable_count += 1
            known = self._table[key] = self._append(Op.VAR, (), symbol, sort, signature)
        assert isinstance(symbol, str) or self._payload[known] == symbol, f"{symbol} is taken"
        return known

    # Booleans

    not_ = _unary(Op.NOT)
    """Negation."""

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

    eq = _binary(Op.EQ)
    """Equality (of floats: of their bits; ``fp_eq`` is the IEEE comparison)."""

    def ne(self, a: Term, b: Term) -> Term:
        """Inequality."""
        return self.not_(self.make(Op.EQ, (a, b)))

    # bit-vectors; ``apply`` covers the binary operators that need no comment

    def apply(self, op: Op, a: Term, b: Term) -> Term:
        """A binary operator on two terms of one sort."""
        return self.make(op, (a, b))

    add = _binary(Op.BVADD)
    """Sum, wrapping."""
    sub = _binary(Op.BVSUB)
    """Difference, wrapping."""
    mul = _binary(Op.BVMUL)
    """Product, wrapping."""
    neg = _unary(Op.BVNEG)
    """Two's complement."""
    bvnot = _unary(Op.BVNOT)
    """Bitwise complement."""
    ult = _binary(Op.BVULT)
    """Unsigned less-than."""
    ule = _binary(Op.BVULE)
    """Unsigned at-most."""
    slt = _binary(Op.BVSLT)
    """Signed less-than."""
    sle = _binary(Op.BVSLE)
    """Signed at-most."""

    def extract(self, a: Term, high: int, low: int) -> Term:
        """Bits ``high`` down to ``low``, both included."""
        return self.make(Op.EXTRACT, (a,), (high, low))

    concat = _binary(Op.CONCAT)
    """``high`` above ``low``."""

    def zero_extend(self, a: Term, by: int) -> Term:
        """Widen with zeros by that many bits."""
        return self.make(Op.ZERO_EXTEND, (a,), by)

    def sign_extend(self, a: Term, by: int) -> Term:
        """Widen with copies of the sign by that many bits."""
        return self.make(Op.SIGN_EXTEND, (a,), by)

    def resize(self, a: Term, width: int, *, signed: bool) -> Term:
        """Convert to ``width`` bits as C converts integers: cut off, or extend by ``signed``."""
        by = width - self.width(a)
        if by < 0:
            return self.extract(a, width - 1, 0)
        return self.sign_extend(a, by) if signed else self.zero_extend(a, by)

    # arrays

    def select(self, array: Term, index: Term) -> Term:
        """The element of an array at an index."""
        return self.make(Op.SELECT, (array, index))

    def store(self, array: Term, index: Term, element: Term) -> Term:
        """The array with another element at an index."""
        return self.make(Op.STORE, (array, index, element))

    def bool_to_bv(self, a: Term, width: int) -> Term:
        """1 if ``a`` else 0."""
        return self.ite(a, self.bv(1, width), self.bv(0, width))


# --- result sorts that are neither Boolean, nor the payload, nor the first argument's ------------------


def _choice_sort(arena: Arena, args: tuple[Term, ...], _: Payload) -> Sort:
    condition, then, otherwise = (arena.sort(a) for a in args)
    assert isinstance(condition, BoolSort), "a condition that is not a truth value"
    assert then is otherwise or then == otherwise, f"branches of two sorts, {then} and {otherwise}"
    return then


def _concat_sort(arena: Arena, args: tuple[Term, ...], _: Payload) -> Sort:
    return bitvec(arena.width(args[0]) + arena.width(args[1]))


def _extract_sort(arena: Arena, args: tuple[Term, ...], payload: Payload) -> Sort:
    assert isinstance(payload, tuple)
    high, low = payload
    assert 0 <= low <= high < arena.width(args[0]), f"bits {high}..{low} of {arena.sort(args[0])}"
    return bitvec(high - low + 1)


def _extend_sort(arena: Arena, args: tuple[Term, ...], payload: Payload) -> Sort:
    assert isinstance(payload, int)
    assert payload >= 0, "an extension by less than nothing"
    return bitvec(arena.width(args[0]) + payload)


def _bits_sort(arena: Arena, args: tuple[Term, ...], _: Payload) -> Sort:
    sort = arena.sort(args[0])
    assert isinstance(sort, FloatSort), f"not a float: {sort}"
    return bitvec(sort.width)


def _element_sort(arena: Arena, args: tuple[Term, ...], _: Payload) -> Sort:
    array = arena.sort(args[0])
    assert isinstance(array, ArraySort), f"not an array: {array}"
    assert arena.width(args[1]) == array.index, f"{array} at {arena.sort(args[1])}"
    return bitvec(array.element)


def _store_sort(arena: Arena, args: tuple[Term, ...], payload: Payload) -> Sort:
    element = _element_sort(arena, args, payload)
    assert arena.sort(args[2]) == element, f"{arena.sort(args[2])} in {arena.sort(args[0])}"
    return arena.sort(args[0])


_SPECIAL_SORTS: dict[Op, Callable[[Arena, tuple[Term, ...], Payload], Sort]] = {
    Op.ITE: _choice_sort,
    Op.CONCAT: _concat_sort,
    Op.EXTRACT: _extract_sort,
    Op.ZERO_EXTEND: _extend_sort,
    Op.SIGN_EXTEND: _extend_sort,
    Op.FP_TO_BITS: _bits_sort,
    Op.SELECT: _element_sort,
    Op.STORE: _store_sort,
}
