"""Terms of truth values and bit-vectors to literals and clauses.

A term becomes a word, a truth value a word of one bit. Floats are beyond this (``BeyondBitsError``).
An element that is read from an array variable is a word of its own, and two of them are the same where their
indices are (Ackermann); nothing else can be read from but constant arrays (``logic.simplify.arrays``).
Asserted formulas become clauses with as few gates as possible:

* a conjunction is split, nested disjunctions are one clause;
* ``g -> (x == y)`` needs no gate for the equality: two clauses for each bit;
* an equality that is asserted once and for all and whose one side is a variable not seen before is its
  definition: the variable gets the literals of the other side, and no clause is made.
"""

from collections.abc import Callable

from sley.logic.arrays import ArrayValue
from sley.logic.operators import AnyValue, Op
from sley.logic.sorts import ArraySort, BitVecSort, BoolSort, Sort
from sley.logic.terms import Payload, Term, Terms
from sley.solvers.gates import TRUE, Clause, Gates, Literal
from sley.solvers.port import BeyondBitsError
from sley.solvers.translation import Translation
from sley.solvers.words import Word, Words, constant_word, invert

_LONG = 3
"""A disjunction with more literals than that is abbreviated before it is copied."""

Work = list[tuple[Term, int, Clause]]
"""What is left to assert: a formula, 1 or -1 for its negation, and literals of which one may hold instead."""


class BitTranslation(Translation[Word]):
    """Terms to words over one set of gates."""

    def __init__(self, terms: Terms, gates: Gates) -> None:
        super().__init__(terms)
        self._words = Words(gates)
        self.known: Callable[[Term], Word | None] = self._memo.get
        """The word of a term that was translated before."""
        self.reads: dict[Term, list[tuple[Word, Word]]] = {}
        """Of array variables: the indices that were read, with the elements."""

    def literal(self, formula: Term) -> Literal:
        """The literal that holds exactly if the formula does."""
        return self.native(formula)[0]

    def define(self, variable: Term, meaning: Term) -> bool:
        """Let a variable that was never seen, not even in ``meaning``, stand for it; whether that was so."""
        if not self.terms.is_var(variable) or variable in self._memo:
            return False
        word = self.native(meaning)
        return self._memo.setdefault(variable, word) is word

    def constant(self, value: AnyValue, sort: Sort) -> Word:
        """The bits of a constant; an array has none."""
        if isinstance(sort, ArraySort):
            return ()
        width = _width(sort)
        assert isinstance(value, int)
        return constant_word(value, width)

    def variable(self, term: Term) -> Word:
        """New literals; an array has none."""
        if isinstance(self.terms.sort(term), ArraySort):
            return ()
        width = _width(self.terms.sort(term))
        return tuple([self._words.gates.variable() for _ in range(width)])

    def application(self, term: Term, args: list[Word]) -> Word:
        """The circuit of the operator."""
        op = self.terms.op(term)
        if op is Op.SELECT:
            return self._element(term, args[1])
        circuit = _CIRCUITS.get(op)
        if circuit is None:
            raise BeyondBitsError(f"the operator {op.name} is not translated into clauses")
        return circuit(self._words, args, self.terms.payload(term))

    def _element(self, term: Term, index: Word) -> Word:
        """The element of an array variable, or of a constant array."""
        array, width = self.terms.args(term)[0], self.terms.width(term)
        value = self.terms.array_value(array)
        if value is not None:
            return self._element_of(value, index, width)
        assert self.terms.is_var(array), "a read of an array that was written"
        element = tuple([self._words.gates.variable() for _ in range(width)])
        reads = self.reads.setdefault(array, [])
        for place, other in reads:
            is_elsewhere = -self._words.equal(place, index)
            for i, j in zip(element, other, strict=True):
                self._words.gates.add((is_elsewhere, -i, j))
                self._words.gates.add((is_elsewhere, i, -j))
        reads.append((index, element))
        return element

    def _element_of(self, value: ArrayValue, index: Word, width: int) -> Word:
        assert value.default is not None
        found = constant_word(value.default, width)
        for place, element in value.others:
            is_here = self._words.equal(index, constant_word(place, len(index)))
            found = self._words.choose(is_here, constant_word(element, width), found)
        return found


class Clausifier:
    """Asserts formulas as clauses."""

    def __init__(self, translation: BitTranslation, gates: Gates) -> None:
        self._translation = translation
        self._terms = translation.terms
        self._gates = gates

    def assert_formula(self, formula: Term) -> None:
        """Assert that the formula holds."""
        work: Work = [(formula, 1, ())]
        while work:
            term, sign, clause = work.pop()
            op = self._terms.op(term)
            if self._translation.known(term) is not None:
                self._assert_literal(term, sign, clause)
            elif op is Op.NOT:
                work.append((self._terms.args(term)[0], -sign, clause))
            elif op is Op.AND or op is Op.OR:
                if op is (Op.AND if sign > 0 else Op.OR):
                    self._assert_all(term, sign, clause, work)
                else:
                    self._assert_one(term, sign, clause, work)
            elif op is Op.EQ:
                self._assert_equality(term, sign, clause)
            elif op is Op.ITE:
                self._assert_choice(term, sign, clause, work)
            else:
                self._assert_literal(term, sign, clause)

    def _assert_literal(self, term: Term, sign: int, clause: Clause) -> None:
        literal = self._translation.literal(term)
        self._gates.add((*clause, sign * literal))

    def _assert_all(self, term: Term, sign: int, clause: Clause, work: Work) -> None:
        clause = self._shortened(clause)
        work.extend([(arg, sign, clause) for arg in reversed(self._terms.args(term))])

    def _assert_choice(self, term: Term, sign: int, clause: Clause, work: Work) -> None:
        condition, then, otherwise = self._terms.args(term)
        literal = self._translation.literal(condition)
        work.append((otherwise, sign, (*clause, literal)))
        work.append((then, sign, (*clause, -literal)))

    def _assert_one(self, term: Term, sign: int, clause: Clause, work: Work) -> None:
        """One clause, or several if a disjunct is best split up; the others become literals."""
        terms, translation = self._terms, self._translation
        known = [translation.known(arg) for arg in terms.args(term)]
        if None not in known:  # by far the most frequent case
            self._gates.add((*clause, *[sign * word[0] for word in known if word is not None]))
            return
        split: tuple[Term, int] | None = None
        literals: list[Literal] = []
        stack = [(term, sign)]
        while stack:
            top, sign = stack.pop()
            word = translation.known(top)
            if word is not None:
                literals.append(sign * word[0])
                continue
            op = terms.op(top)
            if op is Op.NOT and not terms.is_var(terms.args(top)[0]):
                stack.append((terms.args(top)[0], -sign))
            elif op is (Op.OR if sign > 0 else Op.AND):
                stack.extend([(arg, sign) for arg in reversed(terms.args(top))])
            elif split is None and self._is_best_split(top, sign):
                split = (top, sign)
            else:
                literal = translation.literal(top)
                literals.append(sign * literal)
        if split is None:
            self._gates.add((*clause, *literals))
        else:
            work.append((*split, (*clause, *literals)))

    def _is_best_split(self, term: Term, sign: int) -> bool:
        op = self._terms.op(term)
        return (sign > 0 and op is Op.EQ) or op is (Op.AND if sign > 0 else Op.OR)

    def _assert_equality(self, term: Term, sign: int, clause: Clause) -> None:
        a, b = self._terms.args(term)
        translation = self._translation
        if sign > 0 and not clause and (translation.define(a, b) or translation.define(b, a)):
            return
        x, y = translation.native(a), translation.native(b)
        if len(x) == 1:
            y = y if sign > 0 else invert(y)
        elif sign < 0:
            differ = self._gates.differ
            self._gates.add((*clause, *[differ(i, j) for i, j in zip(x, y, strict=True)]))
            return
        self._assert_same(x, y, self._shortened(clause) if len(x) > 1 else clause)

    def _assert_same(self, x: Word, y: Word, clause: Clause) -> None:
        add = self._gates.add
        for i, j in zip(x, y, strict=True):
            if i != j:
                add((*clause, -i, j))
                add((*clause, i, -j))

    def _shortened(self, clause: Clause) -> Clause:
        """One literal in place of a long clause: it cannot hold unless one of the clause does."""
        if len(clause) <= _LONG:
            return clause
        if TRUE in clause:
            return (TRUE,)
        abbreviation = self._gates.variable()
        self._gates.add((*clause, -abbreviation))
        return (abbreviation,)


def _width(sort: Sort) -> int:
    match sort:
        case BoolSort():
            return 1
        case BitVecSort(width=width):
            return width
        case _:
            raise BeyondBitsError(f"values of {sort} are not translated into clauses")


Circuit = Callable[[Words, list[Word], Payload], Word]


def _extract(_words: Words, args: list[Word], payload: Payload) -> Word:
    assert isinstance(payload, tuple)
    high, low = payload
    return args[0][low : high + 1]


def _zero_extend(_words: Words, args: list[Word], payload: Payload) -> Word:
    assert isinstance(payload, int)
    return args[0] + (-TRUE,) * payload


def _sign_extend(_words: Words, args: list[Word], payload: Payload) -> Word:
    assert isinstance(payload, int)
    return args[0] + args[0][-1:] * payload


_CIRCUITS: dict[Op, Circuit] = {
    Op.NOT: lambda w, v, p: (-v[0][0],),
    Op.AND: lambda w, v, p: (w.gates.conjunction([a for (a,) in v]),),
    Op.OR: lambda w, v, p: (w.gates.disjunction([a for (a,) in v]),),
    Op.EQ: lambda w, v, p: (w.equal(v[0], v[1]),),
    Op.ITE: lambda w, v, p: w.choose(v[0][0], v[1], v[2]),
    Op.BVNOT: lambda w, v, p: invert(v[0]),
    Op.BVNEG: lambda w, v, p: w.negate(v[0]),
    Op.BVAND: lambda w, v, p: w.bitwise(w.gates.both, v[0], v[1]),
    Op.BVOR: lambda w, v, p: w.bitwise(w.gates.either, v[0], v[1]),
    Op.BVXOR: lambda w, v, p: w.bitwise(w.gates.differ, v[0], v[1]),
    Op.BVADD: lambda w, v, p: w.add(v[0], v[1]),
    Op.BVSUB: lambda w, v, p: w.subtract(v[0], v[1]),
    Op.BVMUL: lambda w, v, p: w.multiply(v[0], v[1]),
    Op.BVUDIV: lambda w, v, p: w.divide(v[0], v[1])[0],
    Op.BVSDIV: lambda w, v, p: w.divide_signed(v[0], v[1])[0],
    Op.BVUREM: lambda w, v, p: w.divide(v[0], v[1])[1],
    Op.BVSREM: lambda w, v, p: w.divide_signed(v[0], v[1])[1],
    Op.BVSHL: lambda w, v, p: w.shift_left(v[0], v[1]),
    Op.BVLSHR: lambda w, v, p: w.shift_right(v[0], v[1], -TRUE),
    Op.BVASHR: lambda w, v, p: w.shift_right(v[0], v[1], v[0][-1]),
    Op.BVULT: lambda w, v, p: (w.less(v[0], v[1], signed=False),),
    Op.BVULE: lambda w, v, p: (w.less(v[0], v[1], signed=False, or_equal=True),),
    Op.BVSLT: lambda w, v, p: (w.less(v[0], v[1], signed=True),),
    Op.BVSLE: lambda w, v, p: (w.less(v[0], v[1], signed=True, or_equal=True),),
    Op.CONCAT: lambda w, v, p: v[1] + v[0],
    Op.EXTRACT: _extract,
    Op.ZERO_EXTEND: _zero_extend,
    Op.SIGN_EXTEND: _sign_extend,
    Op.SADDO: lambda w, v, p: (w.sum_overflows(v[0], v[1]),),
    Op.SSUBO: lambda w, v, p: (w.difference_overflows(v[0], v[1]),),
    Op.SMULO: lambda w, v, p: (w.product_overflows(v[0], v[1]),),
}
