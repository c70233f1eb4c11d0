"""Choices: conditions, short circuits, ``?:``; branches only where computing something takes a step."""

from collections.abc import Callable

from sley.frontend.arithmetic import COMPARISONS
from sley.frontend.builtins.verifier import is_assertion
from sley.frontend.c_types import VoidType, is_scalar
from sley.frontend.clang_library import Binary, CursorKind, Unary
from sley.frontend.conversions import truth
from sley.frontend.part import Lowering
from sley.frontend.places import RegisterPlace
from sley.frontend.syntax import SyntaxNode
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.instructions import Assign, Assume, Cause, Havoc

LOGICAL = (Binary.LOGICAL_AND, Binary.LOGICAL_OR)


class Choices(Lowering):
    """Where the expressions of one function go one way or another."""

    def _is_quiet(self, node: SyntaxNode) -> bool:
        """Whether the expression reads registers and constants only, and cannot go wrong."""
        for part in node.walk():
            match part.kind:
                case CursorKind.REFERENCE:
                    if not isinstance(self._expressions.locals.get(part.declaration), RegisterPlace):
                        return False
                case CursorKind.BINARY:
                    if part.binary_operator not in COMPARISONS and part.binary_operator not in LOGICAL:
                        return False
                case CursorKind.UNARY:
                    if part.unary_operator != Unary.LOGICAL_NOT:
                        return False
                case (
                    CursorKind.UNEXPOSED_EXPRESSION
                    | CursorKind.PARENTHESES
                    | CursorKind.INTEGER
                    | CursorKind.CHARACTER
                ):
                    pass
                case _:
                    return False
        return True

    def condition(self, node: SyntaxNode) -> Term:
        """Whether the value counts as true."""
        inner = _without_parentheses(node)
        if inner.kind == CursorKind.BINARY:
            operator = inner.binary_operator
            if operator in LOGICAL:
                return self._short_circuit(inner, is_and=operator == Binary.LOGICAL_AND)
            if operator in COMPARISONS:
                return self._expressions.comparison(inner, operator)
        if inner.kind == CursorKind.UNARY and inner.unary_operator == Unary.LOGICAL_NOT:
            return self._terms.not_(self.condition(inner.children[0]))
        value = self._expressions.value(inner)
        return truth(self._terms, value, self._expressions.value_type(inner))

    def branch(self, node: SyntaxNode, then: int, otherwise: int) -> None:
        """Go to one of two locations, depending on a condition."""
        inner = _without_parentheses(node)
        operator = inner.binary_operator if inner.kind == CursorKind.BINARY else None
        if operator in LOGICAL and not self._is_quiet(inner.children[1]):
            middle = self._emitter.location()
            if operator == Binary.LOGICAL_AND:
                self.branch(inner.children[0], middle, otherwise)
            else:
                self.branch(inner.children[0], then, middle)
            self._emitter.move(middle)
            self.branch(inner.children[1], then, otherwise)
        elif inner.kind == CursorKind.UNARY and inner.unary_operator == Unary.LOGICAL_NOT:
            self.branch(inner.children[0], otherwise, then)
        else:
            self._emitter.branch(self.condition(inner), then, otherwise)

    def _short_circuit(self, node: SyntaxNode, *, is_and: bool) -> Term:
        terms, emitter = self._terms, self._emitter
        left = self.condition(node.children[0])
        if terms.is_const(left):
            is_decided = left == terms.boolean(not is_and)
            return left if is_decided else self.condition(node.children[1])
        start, was_live, second = emitter.here, emitter.is_live, emitter.location()
        emitter.move(second, is_live=was_live)
        right = self.condition(node.children[1])
        if emitter.here == second:
            emitter.move(start, is_live=was_live)
            return terms.and_(left, right) if is_and else terms.or_(left, right)
        result, join = emitter.temporary(BOOL), emitter.location()
        emitter.emit(Assign(((result, right),)), join)
        goes_on = left if is_and else terms.not_(left)
        if was_live:
            shortcut = emitter.location()
            emitter.edge(start, second, Assume(goes_on))
            emitter.edge(start, shortcut, Assume(terms.not_(goes_on)))
            emitter.edge(shortcut, join, Assign(((result, terms.boolean(not is_and)),)))
        emitter.move(join)
        return result.term

    def conditional(self, node: SyntaxNode) -> Term:
        """``condition ? then : otherwise``."""
        condition, then, otherwise = node.children
        if is_assertion(self._expressions.calls, condition, then, otherwise):
            return self._terms.true
        test = self.condition(condition)
        value = self._choice(node, test, lambda: self._arm(node, then), lambda: self._arm(node, otherwise))
        return self._expressions.wide_bit_fields.settled(node, value)

    def _arm(self, node: SyntaxNode, arm: SyntaxNode) -> Term:
        ctype = self._expressions.value_type(node)
        if not is_scalar(ctype):
            return self._expressions.value(arm)
        return self._expressions.value_as(arm, ctype)

    def binary_conditional(self, node: SyntaxNode) -> Term:
        """``first ?: otherwise``; clang lists the first operand three times."""
        first, otherwise = node.children[0], node.children[-1]
        value = self._emitter.saved(self._expressions.value(first))
        test = truth(self._terms, value, self._expressions.value_type(first))
        kept = self._expressions.converted(value, first, self._expressions.value_type(node))
        return self._choice(node, test, lambda: kept, lambda: self._arm(node, otherwise))

    def or_anything(self, test: Term, value: Term, text: str) -> Term:
        """The value if the test holds, else any of its sort."""
        emitter, result = self._emitter, self._emitter.temporary(self._terms.sort(value))
        known, unknown, join = emitter.location(), emitter.location(), emitter.location()
        emitter.branch(test, known, unknown)
        emitter.move(unknown)
        emitter.emit(Havoc(result, Cause.INPUT, text), join)
        emitter.move(known)
        emitter.emit(Assign(((result, value),)), join)  # last: this assignment must not redirect it
        emitter.move(join)
        return result.term

    def _choice(
        self, node: SyntaxNode, test: Term, then: Callable[[], Term], otherwise: Callable[[], Term]
    ) -> Term:
        """One of two values; branches only if computing one of them takes a step."""
        terms, emitter = self._terms, self._emitter
        if terms.is_const(test):
            return then() if test == terms.true else otherwise()
        start, was_live = emitter.here, emitter.is_live
        first, second = emitter.location(), emitter.location()
        emitter.move(first, is_live=was_live)
        a = then()
        first_end, first_is_live = emitter.here, emitter.is_live
        emitter.move(second, is_live=was_live)
        b = otherwise()
        second_end, second_is_live = emitter.here, emitter.is_live
        is_void = isinstance(node.ctype, VoidType)
        if first_end == first and second_end == second:
            emitter.move(start, is_live=was_live)
            return terms.true if is_void else terms.ite(test, a, b)
        if was_live:
            emitter.edge(start, first, Assume(test))
            emitter.edge(start, second, Assume(terms.not_(test)))
        join = emitter.location()
        result = None if is_void else emitter.temporary(terms.sort(a))
        for end, is_live, value in ((first_end, first_is_live, a), (second_end, second_is_live, b)):
            if is_live:
                emitter.edge(end, join, Assign(((result, value),) if result is not None else ()))
        emitter.move(join)
        return terms.true if result is None else result.term


def _without_parentheses(node: SyntaxNode) -> SyntaxNode:
    while node.kind == CursorKind.PARENTHESES:
        node = node.children[0]
    return node
