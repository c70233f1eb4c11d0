"""Terms as rows of a table: an operator and the rows of its arguments, which come earlier."""

from collections.abc import Iterable, Mapping
from typing import Any

from sley.evidence.encoding.anything import Symbol
from sley.evidence.encoding.shapes import DamagedError, NodeReader, NodeWriter, Raw, shape_of
from sley.logic.arrays import ArrayValue
from sley.logic.operators import Op
from sley.logic.sorts import BOOL, ArraySort, Sort, width_of
from sley.logic.terms import Term, Terms
from sley.program.program import Program
from sley.semantics.roles import RegisterRole

CONST, VAR = Op.CONST.name, Op.VAR.name

_UNARY = frozenset({Op.NOT, Op.BVNOT, Op.BVNEG, Op.FP_NEG, Op.FP_TO_BITS})
_WITH_BITS = frozenset({Op.ZERO_EXTEND, Op.SIGN_EXTEND})
_WITH_SORT = frozenset({Op.FP_TO_FP, Op.FP_TO_SBV, Op.FP_TO_UBV, Op.SBV_TO_FP, Op.UBV_TO_FP, Op.FP_FROM_BITS})
_WITH_PAYLOAD = _WITH_BITS | _WITH_SORT | {Op.EXTRACT}
_ANY_NUMBER = frozenset({Op.AND, Op.OR})

_PAYLOADS: Mapping[Op, Any] = {
    **dict.fromkeys(_WITH_BITS, int),
    **dict.fromkeys(_WITH_SORT, Sort),
}


def _arity(op: Op) -> int | None:
    """How many arguments; None: any number."""
    if op in _ANY_NUMBER:
        return None
    if op in (Op.ITE, Op.STORE):
        return 3
    return 1 if op in _UNARY or op in _WITH_PAYLOAD else 2


def _is_number(raw: Raw, width: int) -> bool:
    return type(raw) is int and 0 <= raw < 1 << width


class TermTable:
    """Collects rows."""

    def __init__(self, terms: Terms, writer: NodeWriter) -> None:
        self.terms = terms
        self.writer = writer
        self.rows: list[tuple[Raw, ...]] = []
        self._numbers: dict[Term, int] = {}

    def number(self, term: Term) -> int:
        """The row of a term; those of its parts come before."""
        if term not in self._numbers:
            for part in self.terms.walk((term,)):
                if part not in self._numbers:
                    self.rows.append(self._row(part))
                    self._numbers[part] = len(self.rows) - 1
        return self._numbers[term]

    def _row(self, term: Term) -> tuple[Raw, ...]:
        t, sort = self.terms, str(self.terms.sort(term))
        match t.op(term):
            case Op.CONST if (array := t.array_value(term)) is not None:
                return CONST, sort, array.default, *array.others
            case Op.CONST:
                return CONST, sort, t.value(term)
            case Op.VAR:
                return VAR, sort, shape_of(Symbol).write(self.writer, t.symbol(term))
            case Op.EXTRACT as op:
                return op.name, t.payload(term), *self._arguments(term)
            case op if op in _WITH_PAYLOAD:
                return (
                    op.name,
                    shape_of(_PAYLOADS[op]).write(self.writer, t.payload(term)),
                    *self._arguments(term),
                )
            case op:
                return op.name, *self._arguments(term)

    def _arguments(self, term: Term) -> Iterable[int]:
        return (self._numbers[one] for one in self.terms.args(term))


class TermRows:
    """Makes the terms of rows, in the arena of a program."""

    def __init__(self, program: Program, rows: Raw, reader: NodeReader) -> None:
        self.terms = program.terms
        self.reader = reader
        self._registers = {register.name for f in program.functions.values() for register in f.registers}
        self.made: list[Term] = []
        if not isinstance(rows, list):
            raise DamagedError("the terms are no list")
        for number, row in enumerate(rows):
            try:
                self.made.append(self._made(row))
            except (DamagedError, AssertionError) as error:
                raise DamagedError(f"term {number}: {error}") from None

    def term(self, raw: Raw) -> Term:
        """The term of a row."""
        if type(raw) is not int or not 0 <= raw < len(self.made):
            raise DamagedError(f"there is no term {raw!r} before this place")
        return self.made[raw]

    def _made(self, row: Raw) -> Term:
        if not isinstance(row, list) or not row or not isinstance(row[0], str):
            raise DamagedError("a row without an operator")
        name, *parts = row
        if name == CONST:
            return self._constant(parts)
        if name == VAR:
            return self._variable(parts)
        op = Op.__members__.get(name)
        if op is None:
            raise DamagedError(f"an unknown operator {name!r}")
        payload = self._payload(op, parts.pop(0)) if op in _WITH_PAYLOAD and parts else None
        if len(parts) != _arity(op) and _arity(op) is not None:
            raise DamagedError(f"{len(parts)} arguments of {name}")
        return self.terms.make(op, [self.term(one) for one in parts], payload)

    def _payload(self, op: Op, raw: Raw) -> object:
        if op is not Op.EXTRACT:
            return shape_of(_PAYLOADS[op]).read(self.reader, raw)
        if not isinstance(raw, list) or len(raw) != 2 or any(type(one) is not int for one in raw):
            raise DamagedError("bits that are no two numbers")
        return tuple(raw)

    def _constant(self, parts: list[Raw]) -> Term:
        sort: Sort | None = shape_of(Sort).read(self.reader, parts[0]) if parts else None
        if isinstance(sort, ArraySort):
            return self._array(sort, parts[1:])
        if len(parts) != 2 or sort is None:
            raise DamagedError("a constant needs a sort and a value")
        value = shape_of(bool if sort == BOOL else int).read(self.reader, parts[1])
        if not 0 <= value < 1 << width_of(sort):
            raise DamagedError(f"{value} is no value of {sort}")
        return self.terms.const(value, sort)

    def _array(self, sort: ArraySort, parts: list[Raw]) -> Term:
        default, *others = parts or [None]
        if not _is_number(default, sort.element):
            raise DamagedError("an array without a default")
        for pair in others:
            is_pair = isinstance(pair, list) and len(pair) == 2
            if not (is_pair and _is_number(pair[0], sort.index) and _is_number(pair[1], sort.element)):
                raise DamagedError("an element needs an index and a value")
        return self.terms.const(ArrayValue.of(default, map(tuple, others)), sort)

    def _variable(self, parts: list[Raw]) -> Term:
        if len(parts) != 2:
            raise DamagedError("a variable needs a sort and what it stands for")
        sort: Sort = shape_of(Sort).read(self.reader, parts[0])
        symbol = shape_of(Symbol).read(self.reader, parts[1])
        if isinstance(symbol, RegisterRole) and symbol.name not in self._registers:
            raise DamagedError(f"the program has no register {symbol.name!r}")
        return self.terms.var(symbol, sort)
