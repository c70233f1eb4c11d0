"""Terms as Python source text: what compiled steps are made of.

Equality of numbers is written ``not a ^ b`` and not ``a == b``, so that an undetermined value raises
TypeError instead of comparing unequal in silence. The meaning of each operator is that of
``logic.operators``; a property test ties the two together.
"""

from collections.abc import Callable, Mapping

from sley.logic.operators import (
    MEANING,
    Op,
    signed_quotient,
    signed_remainder,
    unsigned_quotient,
)
from sley.logic.sorts import BOOL, BitVecSort
from sley.logic.terms import Term, Terms

_INFIX = {Op.BVAND: "&", Op.BVOR: "|", Op.BVXOR: "^"}
_WRAPPING = {Op.BVADD: "+", Op.BVSUB: "-", Op.BVMUL: "*"}
_UNSIGNED = {Op.BVULT: "<", Op.BVULE: "<="}
_SIGNED = {Op.BVSLT: "<", Op.BVSLE: "<="}

LONGEST_TEXT = 4000

GLOBALS: dict[str, object] = {
    "udiv": unsigned_quotient,
    "sdiv": signed_quotient,
    "srem": signed_remainder,
}
"""Names that generated code may use."""


class PythonSource:
    """Writes terms of one arena as Python expressions; ``constants`` collects what has no literal."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.constants: dict[str, object] = dict(GLOBALS)

    def expression(self, root: Term, names: Mapping[Term, str]) -> str:
        """A Python expression for ``root``; ``names`` says how each variable is written.

        Shared subterms are written out each time; a term that becomes too long that way is evaluated by
        walking it instead.
        """
        text: dict[Term, str] = {}
        for term in self.terms.walk((root,)):
            written = self._one(term, [text[a] for a in self.terms.args(term)], names)
            text[term] = written if len(written) <= LONGEST_TEXT else self._by_walking(term, names)
        return text[root]

    def _by_walking(self, term: Term, names: Mapping[Term, str]) -> str:
        terms, variables, name = self.terms, self.terms.variables(term), f"w{term}"

        def compute(*values: object) -> object:
            if not all(isinstance(value, int | bool) for value in values):
                raise TypeError("undetermined value")
            return terms.evaluate(term, dict(zip(variables, values, strict=True)))  # type: ignore[arg-type]

        self.constants[name] = compute
        return f"{name}({', '.join(names[v] for v in variables)})"

    def _one(self, term: Term, args: list[str], names: Mapping[Term, str]) -> str:
        t = self.terms
        op = t.op(term)
        sort = t.sort(term)
        match op:
            case Op.CONST:
                return repr(t.value(term))
            case Op.VAR:
                return names[term]
            case Op.NOT:
                return f"(not {args[0]})"
            case Op.AND:
                return "(" + " and ".join(args) + ")"
            case Op.OR:
                return "(" + " or ".join(args) + ")"
            case Op.ITE:
                return f"({args[1]} if {args[0]} else {args[2]})"
            case Op.EQ:
                compared = t.sort(t.args(term)[0])
                if compared == BOOL:
                    return f"({args[0]} == {args[1]})"
                return f"(not {args[0]} ^ {args[1]})"
            case _ if isinstance(sort, BitVecSort):
                return self._bits(term, op, sort.width, args)
            case _:
                return self._relation(term, op, args)

    def _bits(self, term: Term, op: Op, width: int, args: list[str]) -> str:
        mask = (1 << width) - 1
        payload = self.terms.payload(term)
        match op:
            case Op.BVAND | Op.BVOR | Op.BVXOR:
                return f"({args[0]} {_INFIX[op]} {args[1]})"
            case Op.BVADD | Op.BVSUB | Op.BVMUL:
                return f"({args[0]} {_WRAPPING[op]} {args[1]} & {mask})"
            case Op.BVNOT:
                return f"({args[0]} ^ {mask})"
            case Op.BVNEG:
                return f"(-{args[0]} & {mask})"
            case Op.BVUDIV:
                return f"udiv({args[0]}, {args[1]}, {width})"
            case Op.BVSDIV:
                return f"sdiv({args[0]}, {args[1]}, {width})"
            case Op.BVSREM:
                return f"srem({args[0]}, {args[1]}, {width})"
            case Op.CONCAT:
                low = self.terms.width(self.terms.args(term)[1])
                return f"({args[0]} << {low} | {args[1]})"
            case Op.EXTRACT:
                assert isinstance(payload, tuple)
                shifted = f"{args[0]} >> {payload[1]}" if payload[1] else args[0]
                return f"({shifted} & {mask})"
            case Op.ZERO_EXTEND:
                return args[0]
            case Op.SIGN_EXTEND:
                sign = 1 << (self.terms.width(self.terms.args(term)[0]) - 1)
                return f"(({args[0]} ^ {sign}) - {sign} & {mask})"
            case _:
                return self._by_table(term, op, args)

    def _relation(self, term: Term, op: Op, args: list[str]) -> str:
        if op in _UNSIGNED:
            return f"({args[0]} {_UNSIGNED[op]} {args[1]})"
        first = self.terms.args(term)[0] if args else None
        if op in _SIGNED or op in (Op.SADDO, Op.SSUBO):
            assert first is not None
            sign = 1 << (self.terms.width(first) - 1)
            a, b = f"({args[0]} ^ {sign})", f"({args[1]} ^ {sign})"
            if op in _SIGNED:
                return f"({a} {_SIGNED[op]} {b})"
            if op is Op.SADDO:
                return f"(not {sign} <= {a} + {b} < {3 * sign})"
            return f"(not {-sign} <= {a} - {b} < {sign})"
        return self._by_table(term, op, args)

    def _by_table(self, term: Term, op: Op, args: list[str]) -> str:
        name = f"f{term}"
        meaning = MEANING[op]
        sorts = tuple(self.terms.sort(a) for a in self.terms.args(term))
        sort, payload = self.terms.sort(term), self.terms.payload(term)

        def compute(*values: object) -> object:
            if not all(isinstance(value, int | bool) for value in values):
                raise TypeError("undetermined value")
            return meaning(list(values), sorts, sort, payload)

        self.constants[name] = compute
        return f"{name}({', '.join(args)})"


def compile_term(source: PythonSource, term: Term) -> Callable[[Mapping[Term, object]], object]:
    """A Python function from the values of the term's variables to its value."""
    names = {v: f"v[{v}]" for v in source.terms.variables(term)}
    made: Callable[[Mapping[Term, object]], object]
    made = eval(f"lambda v: {source.expression(term, names)}", source.constants)
    return made
