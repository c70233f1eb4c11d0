"""Sorts, layouts and terms of the textual form (see ``notation``)."""

from collections.abc import Mapping

from sley.logic.operators import Op, Value
from sley.logic.sorts import BOOL, F32, F64, F80, BitVecSort, FloatSort, Sort, bitvec, width_of
from sley.logic.terms import Term, Terms
from sley.program.memory import Cell, Display, Layout
from sley.program.notation import INDEX_COUNT, OPERATOR_NAMES, SORT_INDEXED
from sley.program.program import HANDLE, SELF
from tests.textual.tokens import TokenCursor, TokenKind

_DISPLAYS = {display.value: display for display in Display}
_OPERATORS = {name: op for op, name in OPERATOR_NAMES.items()}
_FLOATS = {"f32": F32, "f64": F64, "f80": F80}


MOST_DIGITS = 6
"""Of the name of a sort: numbers of more bits are a mistake, and cannot be computed with."""


def parse_sort(cursor: TokenCursor) -> Sort:
    """``bool``, ``i32``, ``f64``."""
    token = cursor.take(TokenKind.NAME, "a sort")
    sort = _scalar_sort(token.text)
    if sort is None:
        raise cursor.error(f"unknown sort {token.text!r}", token)
    return sort


def _scalar_sort(word: str) -> Sort | None:
    if word == "bool":
        return BOOL
    if word in _FLOATS:
        return _FLOATS[word]
    if word[0] == "i" and word[1:].isdecimal() and len(word) <= MOST_DIGITS and int(word[1:]) > 0:
        return bitvec(int(word[1:]))
    return None


def parse_display(cursor: TokenCursor) -> Display | None:
    """How a value is shown, if the text says so."""
    if cursor.token.kind is not TokenKind.NAME or cursor.token.text not in _DISPLAYS:
        return None
    return _DISPLAYS[cursor.word()]


def parse_layout(cursor: TokenCursor) -> Layout:
    """A scalar or ``{ .a : i32 @0, ... } size N``."""
    start = cursor.token
    if not cursor.accept("{"):
        scalar = Cell(0, parse_sort(cursor), "", parse_display(cursor) or Display.SIGNED)
        return Layout((scalar,), scalar.size)
    cells = cursor.listed(lambda: _parse_cell(cursor), "}")
    cursor.expect("size")
    stride = cursor.number("a size")
    if stride <= 0:
        raise cursor.error("a layout needs a positive size", start)
    constant: list[tuple[int, int]] = []
    while cursor.accept("constant"):
        constant.append((cursor.number("a byte"), cursor.number("a byte")))
    return Layout(tuple(cells), stride, tuple(constant))


def _parse_cell(cursor: TokenCursor) -> Cell:
    path = cursor.name("a field")
    cursor.expect(":")
    sort = parse_sort(cursor)
    display = parse_display(cursor) or Display.SIGNED
    cursor.expect("@")
    return Cell(cursor.number("an offset"), sort, path, display)


def parse_sized_layout(cursor: TokenCursor) -> tuple[Layout, int]:
    """``LAYOUT``, ``[N x LAYOUT]`` or ``LAYOUT bytes N``, with the size in bytes."""
    if cursor.accept("["):
        repetitions = cursor.number("the number of elements")
        cursor.expect("x")
        layout = parse_layout(cursor)
        cursor.expect("]")
        return layout, repetitions * layout.stride
    layout = parse_layout(cursor)
    return layout, cursor.number("a size") if cursor.accept("bytes") else layout.stride


class TermParser:
    """Reads terms over the names of one function."""

    def __init__(
        self, cursor: TokenCursor, terms: Terms, addresses: Mapping[str, Term], variables: Mapping[str, Term]
    ) -> None:
        self.cursor = cursor
        self.terms = terms
        self.addresses = addresses
        self.variables = variables

    def term(self) -> Term:
        """One term; deep ones are no problem for the stack."""
        open_applications: list[tuple[Op, object, list[Term]]] = []
        while True:
            if self.cursor.is_at("("):
                self.cursor.position += 1
                open_applications.append((*self._operator(), []))
                continue
            made = self._atom()
            while open_applications:
                op, payload, args = open_applications[-1]
                args.append(made)
                if not self.cursor.is_at(")"):
                    break
                made = self._apply(op, args, payload)
                self.cursor.position += 1
                open_applications.pop()
            if not open_applications:
                return made

    def place(self) -> Term:
        """``x`` or ``x+4``: the address of a named object."""
        token = self.cursor.token
        name = self.cursor.name("the name of an object")
        address = self.addresses.get(name)
        if address is None:
            raise self.cursor.error(f"no object is named {name!r}", token)
        if not self.cursor.accept("+"):
            return address
        return self.terms.add(address, self.terms.bv(self.cursor.number(), self.terms.width(address)))

    def _atom(self) -> Term:
        cursor, token = self.cursor, self.cursor.token
        if cursor.accept("&"):
            return self.place()
        if token.kind is TokenKind.CONSTANT:
            return self.terms.const(*self._constant())
        if cursor.is_at("("):
            return self.terms.const(*self._constant())
        if token.kind is TokenKind.NAME and token.text in ("true", "false"):
            return self.terms.const(*self._constant())
        name = cursor.name("a term")
        if token.kind is TokenKind.NAME and name == SELF:
            return self.terms.var(SELF, HANDLE)
        if name not in self.variables:
            raise cursor.error(f"no register is named {name!r}", token)
        return self.variables[name]

    def _constant(self) -> tuple[Value, Sort]:
        cursor = self.cursor
        if cursor.accept("true"):
            return True, BOOL
        if cursor.accept("false"):
            return False, BOOL
        token = cursor.take(TokenKind.CONSTANT)
        digits, word = token.text.split(":")
        sort = _scalar_sort(word)
        if not isinstance(sort, BitVecSort | FloatSort):
            raise cursor.error(f"unknown sort {word!r}", token)
        return int(digits, 0) & ((1 << width_of(sort)) - 1), sort

    def _operator(self) -> tuple[Op, object]:
        cursor, token = self.cursor, self.cursor.token
        word = "=" if cursor.accept("=") else cursor.word("an operator")
        op = _OPERATORS.get(word)
        if op is None:
            raise cursor.error(f"unknown operator {word!r}", token)
        if op in SORT_INDEXED:
            return op, parse_sort(cursor)
        if op is Op.EXTRACT:
            return op, (cursor.number(), cursor.number())
        return op, cursor.number() if op in INDEX_COUNT else None

    def _apply(self, op: Op, args: list[Term], payload: object) -> Term:
        if not _fits(self.terms, op, args, payload):
            sorts = " ".join(str(self.terms.sort(a)) for a in args)
            raise self.cursor.error(f"{op.name.lower()} cannot be applied to {sorts}")
        return self.terms.make(op, args, payload)


_UNARY = frozenset(
    {Op.BVNOT, Op.BVNEG, Op.EXTRACT, Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.SBV_TO_FP, Op.UBV_TO_FP}
    | {Op.FP_FROM_BITS, Op.FP_TO_BITS, Op.FP_NEG, Op.FP_TO_FP, Op.FP_TO_SBV, Op.FP_TO_UBV}
)


def _fits(terms: Terms, op: Op, args: list[Term], payload: object) -> bool:
    """Whether the arguments have the number and sorts that the operator needs."""
    sorts = [terms.sort(a) for a in args]
    if op in _UNARY:
        return len(sorts) == 1 and _fits_unary(op, sorts[0], payload)
    match op:
        case Op.NOT:
            return sorts == [BOOL]
        case Op.AND | Op.OR:
            return all(sort == BOOL for sort in sorts)
        case Op.EQ:
            return len(sorts) == 2 and sorts[0] == sorts[1]
        case Op.ITE:
            return len(sorts) == 3 and sorts[0] == BOOL and sorts[1] == sorts[2]
        case Op.SELECT | Op.STORE:
            return False  # programs have memory instead of arrays
        case Op.CONCAT:
            return len(sorts) == 2 and all(isinstance(s, BitVecSort) for s in sorts)
        case _:
            wanted = FloatSort if op.name.startswith("FP_") else BitVecSort
            return len(sorts) == 2 and sorts[0] == sorts[1] and isinstance(sorts[0], wanted)


def _fits_unary(op: Op, sort: Sort, payload: object) -> bool:
    match op, payload:
        case Op.EXTRACT, (int(high), int(low)):
            return isinstance(sort, BitVecSort) and sort.width > high >= low >= 0
        case ((Op.ZERO_EXTEND | Op.SIGN_EXTEND), int(by)):
            return isinstance(sort, BitVecSort) and by >= 0
        case Op.FP_FROM_BITS, FloatSort():
            return sort == bitvec(width_of(payload))
        case ((Op.SBV_TO_FP | Op.UBV_TO_FP), _):
            return isinstance(sort, BitVecSort) and isinstance(payload, FloatSort)
        case _:
            return isinstance(sort, FloatSort if op.name.startswith("FP_") else BitVecSort)
