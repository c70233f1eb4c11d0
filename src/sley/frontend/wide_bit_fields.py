"""Bit-fields wider than ``int``: C leaves open what type their values have (6.3.1.1p2).

gcc computes in so many bits, clang in the declared type. Where the two differ, the run is given up.
"""

from sley.frontend.c_types import INT, IntegerType, unatomic
from sley.frontend.clang_library import Binary, CursorKind, Unary
from sley.frontend.part import Lowering
from sley.frontend.places import BitFieldPlace, Place
from sley.frontend.syntax import SyntaxNode
from sley.logic.terms import Term

_BY_BITS = frozenset({Binary.ADD, Binary.SUB, Binary.MUL, Binary.SHL, Binary.AND, Binary.OR, Binary.XOR})
"""The low bits of the result depend on those of the operands only."""
_SHIFTS = frozenset({Binary.SHL, Binary.SHR})
_KEEPING = frozenset({Unary.PLUS, Unary.MINUS, Unary.NOT, Unary.EXTENSION})
_REASON = "arithmetic on a bit-field wider than `int`, whose type depends on the compiler"


class WideBitFields(Lowering):
    """What the expressions of one function do with bit-fields wider than ``int``."""

    def _begin(self) -> None:
        self.are_met = False
        """Whether one was read or written."""

    def note(self, place: Place) -> None:
        """A member is read or written."""
        if isinstance(place, BitFieldPlace) and place.width > INT.width:
            self.are_met = True

    def settle(
        self, operands: list[SyntaxNode], operator: int, values: list[Term], result: Term | None = None
    ) -> None:
        """Give up where an operation differs; a comparison has no result that could."""
        kind = self._common(operands, operator) if self.are_met else None
        if kind is not None:
            is_by_bits = result is not None and operator in _BY_BITS
            for value in [result] if is_by_bits and result is not None else values:
                self._require_fit(value, kind)

    def settled(self, node: SyntaxNode, result: Term) -> Term:
        """The result of an operation on values that are the same; give up where it differs."""
        kind = self._type(node) if self.are_met else None
        if kind is not None:
            self._require_fit(result, kind)
        return result

    def _require_fit(self, value: Term, kind: IntegerType) -> None:
        terms = self._terms
        if terms.is_boolean(value) or terms.width(value) <= kind.width:
            return
        low = terms.extract(value, kind.width - 1, 0)
        fits = terms.eq(terms.resize(low, terms.width(value), signed=kind.is_signed), value)
        self._emitter.give_up_if(terms.not_(fits), _REASON)

    def _common(self, operands: list[SyntaxNode], operator: int) -> IntegerType | None:
        """The narrower of the types that the operands may be converted to."""
        if operator in _SHIFTS:
            return self._type(operands[0])
        kinds = [self._type(operand) for operand in operands]
        wide = [kind for kind in kinds if kind is not None]
        if not wide:
            return None
        for operand, kind in zip(operands, kinds, strict=True):
            other = unatomic(operand.inner().ctype)
            if kind is None and (not isinstance(other, IntegerType) or other.width > INT.width):
                is_mixed = isinstance(other, IntegerType) and other.is_signed and not wide[0].is_signed
                return IntegerType(other.width - 1, is_signed=False) if is_mixed else None  # type: ignore[union-attr]
        return IntegerType(max(kind.width for kind in wide), all(kind.is_signed for kind in wide))

    def _type(self, node: SyntaxNode) -> IntegerType | None:
        """The type that an expression may have instead of the declared one."""
        while node.kind in (CursorKind.PARENTHESES, CursorKind.UNEXPOSED_EXPRESSION):
            if len(node.children) != 1 or not _is_same(node, node.children[0]):
                return None
            node = node.children[0]
        match node.kind:
            case CursorKind.MEMBER if node.member.bits is not None:
                ctype, width = unatomic(node.ctype), node.member.bits[1]
                is_wide = isinstance(ctype, IntegerType) and INT.width < width < ctype.width
                return IntegerType(width, ctype.is_signed) if is_wide else None  # type: ignore[union-attr]
            case CursorKind.UNARY if node.unary_operator in _KEEPING:
                return self._type(node.children[0])
            case CursorKind.COMPOUND_ASSIGNMENT:
                return self._type(node.children[0])
            case CursorKind.BINARY if node.binary_operator == Binary.ASSIGN:
                return self._type(node.children[0])
            case CursorKind.BINARY if node.binary_operator == Binary.COMMA:
                return self._type(node.children[1])
            case CursorKind.BINARY:
                found = self._common(node.children, node.binary_operator)
                is_kept = found is not None and isinstance(unatomic(node.ctype), IntegerType)
                is_narrow = is_kept and found is not None and found.width < node.ctype.size * 8 - 1
                return found if is_narrow else None
            case CursorKind.CONDITIONAL:
                return self._common(node.children[1:], Binary.DIV)
            case _:
                return None


def _is_same(one: SyntaxNode, other: SyntaxNode) -> bool:
    a, b = unatomic(one.ctype), unatomic(other.ctype)
    if not isinstance(a, IntegerType) or not isinstance(b, IntegerType):
        return False
    return (a.width, a.is_signed) == (b.width, b.is_signed)
