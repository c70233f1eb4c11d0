"""Formulas over the variables of a proof, said in C as far as C can say them.

A clause that C cannot say is left out: what is left is weaker, and still true. Sums and products are written
without a sign, where C computes as terms do.
"""

from collections.abc import Iterable, Mapping, Sequence

from sley.evidence.source_invariants.samples import number_in_c
from sley.evidence.source_invariants.variables import ScalarName
from sley.logic.operators import Op, to_signed
from sley.logic.readable import Clause, readable_clauses
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term, Terms
from sley.program.memory import Display

MOST_CASES = 4
"""Of a disjunction of more cases only what they have in common is said."""

_RELATIONS = {Op.EQ: ("==", "!="), Op.BVSLT: ("<", ">="), Op.BVSLE: ("<=", ">")} | {
    Op.BVULT: ("<", ">="),
    Op.BVULE: ("<=", ">"),
}
_SIGNED = (Op.BVSLT, Op.BVSLE)
_UNSIGNED = (Op.BVULT, Op.BVULE)
_ARITHMETIC = {Op.BVADD: "+", Op.BVSUB: "-", Op.BVMUL: "*", Op.BVAND: "&", Op.BVOR: "|", Op.BVXOR: "^"}
_CASTS = {32: ("(unsigned)", "u"), 64: ("(unsigned long long)", "ull")}

Case = frozenset[str]
"""Conjuncts."""


class FormulaWriter:
    """Writes formulas over some variables; ``names`` says which terms they are."""

    def __init__(self, terms: Terms, names: Mapping[Term, ScalarName]) -> None:
        self.terms = terms
        self.names = names

    def case(self, formulas: Iterable[Term], known: Mapping[Term, Term]) -> Case:
        """What a conjunction says, where some values are known."""
        clauses = readable_clauses(self.terms, list(formulas), known)
        return frozenset(text for clause in clauses if (text := self._clause(clause)) is not None)

    def _clause(self, clause: Clause) -> str | None:
        texts = [self._part(part) for part in clause]
        said = [text for text in texts if text is not None]
        if len(said) < len(texts) or not said:
            return None
        return " || ".join(f"({text})" if " && " in text else text for text in said)

    def _part(self, formula: Term) -> str | None:
        """A literal, or a conjunction of literals: of that, what can be said must be all."""
        if self.terms.op(formula) is not Op.AND:
            return self._literal(formula, is_negated=False)
        texts = [self._literal(part, is_negated=False) for part in self.terms.args(formula)]
        said = [text for text in texts if text is not None]
        return " && ".join(said) if len(said) == len(texts) else None

    def _literal(self, formula: Term, *, is_negated: bool) -> str | None:
        t = self.terms
        op = t.op(formula)
        if op is Op.NOT:
            return self._literal(t.args(formula)[0], is_negated=not is_negated)
        if op not in _RELATIONS or not isinstance(t.sort(t.args(formula)[0]), BitVecSort):
            return None
        left, right = t.args(formula)
        pair = self._plain_pair(op, left, right) or self._computed_pair(op, left, right)
        return None if pair is None else f"{pair[0]} {_RELATIONS[op][is_negated]} {pair[1]}"

    # --- variables and constants ----------------------------------------------------------------------

    def _plain_pair(self, op: Op, left: Term, right: Term) -> tuple[str, str] | None:
        """Two variables of one type, or one and a number."""
        found = [self.names[one] for one in (left, right) if one in self.names]
        if not found or any(
            one not in self.names and self.terms.number(one) is None for one in (left, right)
        ):
            return None
        variable = found[0]
        if not all(_are_alike(variable, other) for other in found) or not _fits(op, variable):
            return None
        first, second = (self._plain(one, variable) for one in (left, right))
        return None if first is None or second is None else (first, second)

    def _plain(self, term: Term, variable: ScalarName) -> str | None:
        if term in self.names:
            return self.names[term].text
        number = self.terms.number(term)
        assert number is not None
        match variable.display:
            case Display.POINTER:
                return "0" if number == 0 else None
            case Display.SIGNED:
                return number_in_c(to_signed(number, variable.width))
            case Display.CHAR if number >> (variable.width - 1):
                return None
            case _:
                return number_in_c(number)

    # --- arithmetic -----------------------------------------------------------------------------------

    def _computed_pair(self, op: Op, left: Term, right: Term) -> tuple[str, str] | None:
        if op in _SIGNED:
            return None
        first, second = self._computed(left), self._computed(right)
        return None if first is None or second is None else (first, second)

    def _computed(self, term: Term) -> str | None:
        t = self.terms
        if t.width(term) not in _CASTS:
            return None
        cast, suffix = _CASTS[t.width(term)]
        number = t.number(term)
        if number is not None:
            return f"{number}{suffix}"
        if term in self.names:
            variable = self.names[term]
            return (
                f"{cast}{variable.text}" if variable.display in (Display.SIGNED, Display.UNSIGNED) else None
            )
        if t.op(term) not in _ARITHMETIC:
            return None
        parts = [self._computed(argument) for argument in t.args(term)]
        said = [part for part in parts if part is not None]
        return f"({f' {_ARITHMETIC[t.op(term)]} '.join(said)})" if len(said) == len(parts) else None


def _are_alike(one: ScalarName, other: ScalarName) -> bool:
    return (one.display, one.width) == (other.display, other.width)


def _fits(op: Op, variable: ScalarName) -> bool:
    """Whether C compares variables of this type as the operator does."""
    if op in _SIGNED:
        return variable.display is Display.SIGNED
    return op is Op.EQ or variable.display in (Display.UNSIGNED, Display.BOOL)


def disjunction(cases: Iterable[Case]) -> str | None:
    """What holds if one of the cases does; None: nothing that can be said."""
    weakest = _weakest(list(dict.fromkeys(cases)))
    if not weakest:
        return None
    common = frozenset.intersection(*weakest)
    rest = [case - common for case in weakest]
    parts = [f"({text})" if " || " in text else text for text in sorted(common)]
    if all(rest) and len(rest) <= MOST_CASES:
        inner = [" && ".join(f"({t})" if " || " in t else t for t in sorted(case)) for case in rest]
        either = " || ".join(f"({text})" if " && " in text else text for text in sorted(set(inner)))
        parts.append(f"({either})" if parts and len(rest) > 1 else either)
    return " && ".join(parts) or None


def _weakest(cases: Sequence[Case]) -> list[Case]:
    return [case for case in cases if not any(other < case for other in cases)]
