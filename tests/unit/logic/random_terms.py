"""Random terms as plain trees, so that their meaning can be computed without the code under test."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sley.logic.arrays import ArrayValue
from sley.logic.floats import encode_float
from sley.logic.operators import MEANING, AnyValue, Op
from sley.logic.sorts import BOOL, F32, F64, F80, ArraySort, BitVecSort, FloatSort, Sort, bitvec
from sley.logic.terms import Term, Terms


@dataclass(frozen=True)
class Tree:
    """An application, a constant (payload: its value) or a variable (payload: its name)."""

    op: Op
    args: tuple["Tree", ...]
    payload: object
    sort: Sort


def make(terms: Terms, tree: Tree) -> Term:
    """The tree through the simplifying constructors."""
    if tree.op is Op.CONST:
        assert isinstance(tree.payload, bool | int | ArrayValue)
        return terms.const(tree.payload, tree.sort)
    if tree.op is Op.VAR:
        return terms.var(str(tree.payload), tree.sort)
    return terms.make(tree.op, [make(terms, arg) for arg in tree.args], tree.payload)


def meaning(tree: Tree, values: Mapping[tuple[str, Sort], AnyValue]) -> AnyValue:
    """The value of the tree by the table of meanings alone."""
    if tree.op is Op.CONST:
        assert isinstance(tree.payload, bool | int | ArrayValue)
        return tree.payload
    if tree.op is Op.VAR:
        return values[str(tree.payload), tree.sort]
    arguments = [meaning(arg, values) for arg in tree.args]
    return MEANING[tree.op](arguments, tuple(arg.sort for arg in tree.args), tree.sort, tree.payload)


def variables(tree: Tree) -> dict[tuple[str, Sort], None]:
    """The variables of the tree."""
    if tree.op is Op.VAR:
        return {(str(tree.payload), tree.sort): None}
    return {variable: None for arg in tree.args for variable in variables(arg)}


def random_value(rng: random.Random, sort: Sort) -> AnyValue:
    """A value of the sort, often a special one."""
    match sort:
        case BitVecSort(width=width):
            special = [0, 1, 2, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1]
            value = rng.choice(special) if rng.random() < 0.5 else rng.getrandbits(width)
            return value & ((1 << width) - 1)
        case FloatSort():
            special_floats = [0.0, -0.0, 1.0, -1.5, 3e38, -1e-45, 1e300, float("inf"), float("nan"), 2.0**31]
            if rng.random() < 0.6:
                return encode_float(rng.choice(special_floats), sort)
            bits = rng.getrandbits(sort.width)
            return MEANING[Op.FP_FROM_BITS]([bits], (bitvec(sort.width),), sort, sort)
        case ArraySort():
            default, *others = (rng.getrandbits(sort.element) for _ in range(rng.randrange(1, 4)))
            return ArrayValue.of(default, ((rng.getrandbits(sort.index), one) for one in others))
        case _:
            return rng.random() < 0.5


class Generator:
    """Random trees; ``widths`` are the bit-vector widths that occur, ``floats`` the formats."""

    def __init__(
        self,
        rng: random.Random,
        *,
        widths: tuple[int, ...] = (1, 2, 3, 4, 8),
        floats: tuple[FloatSort, ...] = (),
        has_division: bool = True,
        arrays: tuple[ArraySort, ...] = (),
    ) -> None:
        self.rng = rng
        self.widths = widths
        self.floats = floats
        self.has_division = has_division
        self.arrays = arrays

    def tree(self, sort: Sort, depth: int) -> Tree:
        """A random tree of the sort."""
        if depth == 0 or self.rng.random() < 0.1:
            return self._leaf(sort)
        choices: list[Callable[[int], Tree]] = [lambda d: self._choice(sort, d)]
        match sort:
            case BitVecSort(width=width):
                choices += [lambda d: self._arithmetic(width, d)] * 4
                choices += [lambda d: self._bits(width, d)] * 3
                choices += [
                    lambda d, a=array: self._element(a, d) for array in self.arrays if array.element == width
                ] * 3
                if self.floats:
                    choices += [lambda d: self._bits_of_float(width, d)]
            case FloatSort():
                choices += [lambda d: self._float(sort, d)] * 4
            case ArraySort():
                choices += [lambda d: self._written(sort, d)] * 4
            case _:
                choices += [lambda d: self._connective(d), lambda d: self._relation(d)] * 2
        return self.rng.choice(choices)(depth - 1)

    def _leaf(self, sort: Sort) -> Tree:
        if self.rng.random() < 0.35:
            return Tree(Op.CONST, (), random_value(self.rng, sort), sort)
        return Tree(Op.VAR, (), self.rng.choice("xy"), sort)

    def _make(self, op: Op, sort: Sort, *args: Tree, payload: object = None) -> Tree:
        return Tree(op, args, payload, sort)

    def _choice(self, sort: Sort, depth: int) -> Tree:
        condition = self.tree(BOOL, depth)
        return self._make(Op.ITE, sort, condition, self.tree(sort, depth), self.tree(sort, depth))

    def _connective(self, depth: int) -> Tree:
        op = self.rng.choice([Op.NOT, Op.AND, Op.OR, Op.EQ])
        count = {Op.NOT: 1, Op.EQ: 2}.get(op, self.rng.randrange(4))
        return self._make(op, BOOL, *(self.tree(BOOL, depth) for _ in range(count)))

    def _relation(self, depth: int) -> Tree:
        if self.floats and self.rng.random() < 0.3:
            op = self.rng.choice([Op.EQ, Op.FP_EQ, Op.FP_LT, Op.FP_LE])
            sort: Sort = self.rng.choice(self.floats)
        else:
            ops = [Op.EQ, Op.EQ, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE, Op.SADDO, Op.SSUBO, Op.SMULO]
            op = self.rng.choice(ops)
            sort = bitvec(self.rng.choice(self.widths))
        return self._make(op, BOOL, self.tree(sort, depth), self.tree(sort, depth))

    def _arithmetic(self, width: int, depth: int) -> Tree:
        ops = [Op.BVAND, Op.BVOR, Op.BVXOR, Op.BVADD, Op.BVSUB, Op.BVSHL, Op.BVLSHR, Op.BVASHR]
        if self.has_division:
            ops += [Op.BVMUL, Op.BVUDIV, Op.BVSDIV, Op.BVUREM, Op.BVSREM]
        sort = bitvec(width)
        return self._make(self.rng.choice(ops), sort, self.tree(sort, depth), self.tree(sort, depth))

    def _bits(self, width: int, depth: int) -> Tree:
        sort = bitvec(width)
        op = self.rng.choice([Op.BVNOT, Op.BVNEG, Op.EXTRACT, Op.CONCAT, Op.ZERO_EXTEND, Op.SIGN_EXTEND])
        if op is Op.EXTRACT:
            wide = self.rng.choice([w for w in (*self.widths, width) if w >= width])
            low = self.rng.randrange(wide - width + 1)
            bits = (low + width - 1, low)
            return self._make(op, sort, self.tree(bitvec(wide), depth), payload=bits)
        if op in (Op.BVNOT, Op.BVNEG) or width == 1:
            return self._make(Op.BVNOT if op is not Op.BVNEG else op, sort, self.tree(sort, depth))
        narrow = self.rng.randrange(1, width)
        if op is Op.CONCAT:
            high, low_part = self.tree(bitvec(narrow), depth), self.tree(bitvec(width - narrow), depth)
            return self._make(op, sort, high, low_part)
        return self._make(op, sort, self.tree(bitvec(narrow), depth), payload=width - narrow)

    def _element(self, sort: ArraySort, depth: int) -> Tree:
        index = self.tree(bitvec(sort.index), depth)
        return self._make(Op.SELECT, bitvec(sort.element), self.tree(sort, depth), index)

    def _written(self, sort: ArraySort, depth: int) -> Tree:
        index, element = self.tree(bitvec(sort.index), min(depth, 2)), self.tree(bitvec(sort.element), 1)
        return self._make(Op.STORE, sort, self.tree(sort, depth), index, element)

    def _bits_of_float(self, width: int, depth: int) -> Tree:
        source = self.rng.choice(self.floats)
        if width == source.width:
            return self._make(Op.FP_TO_BITS, bitvec(width), self.tree(source, depth))
        op = self.rng.choice([Op.FP_TO_SBV, Op.FP_TO_UBV])
        return self._make(op, bitvec(width), self.tree(source, depth), payload=bitvec(width))

    def _float(self, sort: FloatSort, depth: int) -> Tree:
        arithmetic = (Op.FP_NEG, Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV)
        op = self.rng.choice([*arithmetic, Op.FP_TO_FP, Op.SBV_TO_FP, Op.UBV_TO_FP, Op.FP_FROM_BITS])
        match op:
            case Op.FP_NEG:
                return self._make(op, sort, self.tree(sort, depth))
            case Op.FP_TO_FP:
                return self._make(op, sort, self.tree(self.rng.choice(self.floats), depth), payload=sort)
            case Op.SBV_TO_FP | Op.UBV_TO_FP:
                source = bitvec(self.rng.choice(self.widths))
                return self._make(op, sort, self.tree(source, depth), payload=sort)
            case Op.FP_FROM_BITS:
                return self._make(op, sort, self.tree(bitvec(sort.width), depth), payload=sort)
            case _:
                return self._make(op, sort, self.tree(sort, depth), self.tree(sort, depth))


def any_sort(generator: Generator) -> Sort:
    """A sort that the generator can make."""
    sorts: list[Sort] = [BOOL, BOOL, *(bitvec(w) for w in generator.widths), *generator.floats]
    return generator.rng.choice(sorts)


FLOATS = (F32, F64, F80)
