"""Horn clauses for z3's Spacer: terms to formulas over integers, and back."""

import operator
import time
from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import z3

from sley.base.reasons import Reason, Why
from sley.logic.operators import AnyValue, Op, to_signed
from sley.logic.sorts import BitVecSort, BoolSort, Sort
from sley.logic.terms import Term, Terms
from sley.solvers.horn_clauses import (
    Application,
    HornClause,
    HornProblem,
    IntegerReading,
    Interpretation,
    NoInterpretation,
)
from sley.solvers.limits import ask_in_thread
from sley.solvers.translation import Translation, fold
from sley.solvers.z3_terms import conjunction, disjunction

STRATEGIES: tuple[dict[str, bool | int], ...] = (
    {"fp.spacer.ctp": False},
    {"fp.spacer.iuc": 0},
    {"fp.spacer.global": True},
    {},
)
"""Settings of Spacer: where one diverges, another often ends at once."""

_SIGNED, _UNSIGNED = True, False

_RELATIONS: dict[Op, tuple[Callable[[Any, Any], Any], bool]] = {
    Op.BVULT: (operator.lt, _UNSIGNED),
    Op.BVULE: (operator.le, _UNSIGNED),
    Op.BVSLT: (operator.lt, _SIGNED),
    Op.BVSLE: (operator.le, _SIGNED),
}


class Spacer:
    """One problem and its translation."""

    def __init__(self, problem: HornProblem, arithmetic: IntegerReading) -> None:
        self.problem = problem
        self.terms = problem.terms
        self.integers = _Integers(problem, arithmetic)
        self.relations = {
            name: z3.Function(
                name, *(self.integers.sort_of(self.terms.sort(p)) for p in parameters), z3.BoolSort()
            )
            for name, parameters in problem.relations.items()
        }

    def solve(self, time_limit: float | None, strategy: int) -> Interpretation | NoInterpretation:
        """Ask, in a thread so that signals are heard; the limit is on computing time."""
        solver = z3.SolverFor("HORN")
        solver.set(ctrl_c=False)
        for option, value in STRATEGIES[strategy % len(STRATEGIES)].items():
            solver.set(option, value)
        for clause in self.problem.clauses:
            solver.add(self._formula(clause))
        end = None if time_limit is None else time.process_time() + time_limit
        answer = ask_in_thread(
            solver.check, lambda: end is not None and time.process_time() > end, solver.interrupt
        )
        if answer == z3.unsat:
            return NoInterpretation(is_certain=True, reason="the clauses contradict each other")
        if answer != z3.sat:
            return NoInterpretation(is_certain=False, reason=_reason(solver, time_limit))
        try:
            model = solver.model()
            return Interpretation(self._read(model, _HornReading), self._read(model, _WrappingReading))
        except (_BeyondTermsError, z3.Z3Exception) as beyond:
            return NoInterpretation(is_certain=False, reason=str(beyond))

    def _formula(self, clause: HornClause) -> Any:
        roots = [*clause.constraints]
        for application in (*clause.premises, *filter(None, (clause.conclusion,))):
            roots += application.arguments
        body = [self._applied(premise) for premise in clause.premises]
        body += [self.integers.native(constraint) for constraint in clause.constraints]
        head = z3.Or() if clause.conclusion is None else self._applied(clause.conclusion)
        variables, bounds = self.integers.variables(roots)
        formula = z3.Implies(conjunction(*bounds, *body), head)
        return z3.ForAll(variables, formula) if variables else formula

    def _applied(self, application: Application) -> Any:
        parameters = self.problem.relations[application.relation]
        arguments = [
            self.integers.argument(argument, parameter)
            for argument, parameter in zip(application.arguments, parameters, strict=True)
        ]
        return self.relations[application.relation](*arguments)

    def _read(self, model: Any, reading: type["_HornReading"]) -> dict[str, Term]:
        found = {}
        for name, parameters in self.problem.relations.items():
            formals = [self.integers.argument(p, p) for p in parameters]
            names = {native.decl().name(): p for native, p in zip(formals, parameters, strict=True)}
            known = model[self.relations[name]]
            value = z3.And() if known is None else known.else_value() if formals else known
            found[name] = reading(self.integers, names).formula(z3.substitute_vars(value, *formals))
        return found


def _reason(solver: Any, time_limit: float | None) -> str:
    reason = str(solver.reason_unknown())
    late = Reason(f"nothing found in {time_limit:.0f} s", Why.SHARE) if time_limit else None
    return late if late is not None and "cancel" in reason else reason


class _Number(NamedTuple):
    """A bit-vector as an integer expression, read with or without sign, and what it is between."""

    expression: Any
    is_signed: bool
    width: int
    low: int
    high: int
    constant: int | None = None


def _span(width: int, *, is_signed: bool) -> tuple[int, int]:
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, (1 << width) - 1)


class _Integers(Translation[Any]):
    """Terms as integers and truth values."""

    def __init__(self, problem: HornProblem, arithmetic: IntegerReading) -> None:
        super().__init__(problem.terms)
        self.unsigned = set(problem.unsigned)
        self.ranges = problem.ranges
        self.wraps = arithmetic is IntegerReading.WRAPPING
        self._fresh: dict[Term, Any] = {}

    def sort_of(self, sort: Sort) -> Any:
        """Z3's sort; what is neither a truth value nor a number is a number that says nothing."""
        return z3.BoolSort() if isinstance(sort, BoolSort) else z3.IntSort()

    def argument(self, term: Term, parameter: Term) -> Any:
        """A term as the argument of a relation, read as its parameter is."""
        native = self.native(term)
        if not isinstance(native, _Number):
            return native
        return self._read(native, is_signed=parameter not in self.unsigned).expression

    def variables(self, roots: list[Term]) -> tuple[list[Any], list[Any]]:
        """All variables that the terms mention, and what they are between."""
        found: list[Any] = []
        bounds: list[Any] = []
        for term in self.terms.walk(roots):
            native = self._fresh.get(term)
            if native is None and self.terms.is_var(term):
                native = self.native(term)
            if native is None:
                continue
            if isinstance(native, _Number):
                found.append(native.expression)
                if self.wraps or term in self.ranges or term in self._fresh:
                    bounds += [native.expression >= native.low, native.expression <= native.high]
            else:
                found.append(native)
        return found, bounds

    # --- leaves ---------------------------------------------------------------------------------------

    def constant(self, value: AnyValue, sort: Sort) -> Any:
        """A constant."""
        if isinstance(sort, BoolSort):
            return z3.BoolVal(value)
        if isinstance(sort, BitVecSort):
            assert isinstance(value, int)
            number = to_signed(value, sort.width)
            return _Number(z3.IntVal(number), _SIGNED, sort.width, number, number, value)
        return _Number(z3.IntVal(0), _UNSIGNED, 1, 0, 0, 0)

    def variable(self, term: Term) -> Any:
        """A variable."""
        sort, name = self.terms.sort(term), self.terms.name(term)
        if isinstance(sort, BoolSort):
            return z3.Bool(name)
        if not isinstance(sort, BitVecSort):
            return _Number(z3.Int(name), _UNSIGNED, 1, 0, 1)
        is_signed = term not in self.unsigned
        low, high = self.ranges.get(term, _span(sort.width, is_signed=is_signed))
        return _Number(z3.Int(name), is_signed, sort.width, low, high)

    def _arbitrary(self, term: Term) -> Any:
        """A value that integers cannot express."""
        sort, name = self.terms.sort(term), f"!any{len(self._fresh)}"
        native: Any
        if isinstance(sort, BoolSort):
            native = z3.Bool(name)
        elif isinstance(sort, BitVecSort):
            native = _Number(z3.Int(name), _UNSIGNED, sort.width, *_span(sort.width, is_signed=False))
        else:
            native = _Number(z3.Int(name), _UNSIGNED, 1, 0, 1)
        self._fresh[term] = native
        return native

    # --- readings -------------------------------------------------------------------------------------

    def _read(self, number: _Number, *, is_signed: bool) -> _Number:
        """The same bit-vector as an integer with or without sign."""
        low, high = _span(number.width, is_signed=is_signed)
        made = number.expression
        if number.constant is not None:
            low = high = to_signed(number.constant, number.width) if is_signed else number.constant
            made = z3.IntVal(low)
        elif number.is_signed == is_signed or (low <= number.low and number.high <= high):
            low, high = number.low, number.high
        elif self.wraps and is_signed:
            made = z3.If(made > high, made - (1 << number.width), made)
        elif self.wraps:
            made = z3.If(made < 0, made + (1 << number.width), made)
        return _Number(made, is_signed, number.width, low, high, number.constant)

    def _jointly(self, *numbers: _Number) -> bool:
        """Whether numbers that meet are read with sign."""
        return all(number.is_signed for number in numbers if number.constant is None)

    def _wrapped(self, expression: Any, low: int, high: int, width: int, *, is_signed: bool) -> _Number:
        """A result that may be out of range."""
        least, most = _span(width, is_signed=is_signed)
        if not self.wraps or (least <= low and high <= most):
            return _Number(expression, is_signed, width, max(low, least), min(high, most))
        size = 1 << width
        if least - size <= low and high <= most + size:
            wrapped = expression
            if high > most:
                wrapped = z3.If(expression > most, expression - size, wrapped)
            if low < least:
                wrapped = z3.If(expression < least, expression + size, wrapped)
        else:
            wrapped = (expression - least) % size + least
        return _Number(wrapped, is_signed, width, least, most)

    # --- applications ---------------------------------------------------------------------------------

    def application(self, term: Term, args: list[Any]) -> Any:
        """An application."""
        made = self._made(self.terms.op(term), term, args)
        return self._arbitrary(term) if made is None else made

    def _made(self, op: Op, term: Term, args: list[Any]) -> Any:
        match op:
            case Op.NOT:
                return z3.Not(args[0])
            case Op.AND:
                return conjunction(*args)
            case Op.OR:
                return disjunction(*args)
            case Op.EQ if not isinstance(args[0], _Number):
                return args[0] == args[1]
            case Op.EQ if isinstance(self.terms.sort(self.terms.args(term)[0]), BitVecSort):
                return self._related(args, operator.eq, is_signed=self._jointly(*args))
            case Op.ITE:
                return self._chosen(term, args)
            case _ if op in _RELATIONS:
                relation, is_signed = _RELATIONS[op]
                return self._related(args, relation, is_signed=is_signed)
            case Op.SADDO | Op.SSUBO:
                sum_ = self._related(args, operator.add if op is Op.SADDO else operator.sub, is_signed=True)
                low, high = _span(args[0].width, is_signed=True)
                return z3.Or(sum_ < low, sum_ > high)
            case Op.BVADD | Op.BVSUB | Op.BVMUL | Op.BVNEG | Op.BVNOT:
                return self._arithmetic(op, args)
            case Op.EXTRACT | Op.ZERO_EXTEND | Op.SIGN_EXTEND | Op.CONCAT:
                return self._resized(op, term, args)
            case Op.BVAND | Op.BVUREM | Op.BVUDIV | Op.BVLSHR | Op.BVSHL:
                return self._by_constant(op, args)
            case _:
                return None

    def _related(self, args: list[_Number], relation: Callable[[Any, Any], Any], *, is_signed: bool) -> Any:
        return relation(*(self._read(number, is_signed=is_signed).expression for number in args))

    def _chosen(self, term: Term, args: list[Any]) -> Any:
        condition, then, otherwise = args
        if not isinstance(then, _Number):
            return z3.If(condition, then, otherwise)
        if not isinstance(self.terms.sort(term), BitVecSort):
            return None
        is_signed = self._jointly(then, otherwise)
        one, other = (self._read(number, is_signed=is_signed) for number in (then, otherwise))
        made = z3.If(condition, one.expression, other.expression)
        return _Number(made, is_signed, then.width, min(one.low, other.low), max(one.high, other.high))

    def _arithmetic(self, op: Op, args: list[_Number]) -> Any:
        width, is_signed = args[0].width, self._jointly(*args)
        # a constant is added with its sign: x - 1 is not x + 4294967295
        read = [self._read(n, is_signed=is_signed or n.constant is not None) for n in args]
        (a, *_, low, high, _), (b, *_, other_low, other_high, _) = read[0], read[-1]
        match op:
            case Op.BVADD:
                made, low, high = a + b, low + other_low, high + other_high
            case Op.BVSUB:
                made, low, high = a - b, low - other_high, high - other_low
            case Op.BVNEG:
                made, low, high = -a, -high, -low
            case Op.BVNOT if is_signed:
                made, low, high = -a - 1, -high - 1, -low - 1
            case Op.BVNOT:
                most = (1 << width) - 1
                made, low, high = most - a, most - high, most - low
            case _ if any(number.constant is not None for number in args):
                ends = [x * y for x in (low, high) for y in (other_low, other_high)]
                made, low, high = a * b, min(ends), max(ends)
            case _:
                return None
        return self._wrapped(made, low, high, width, is_signed=is_signed)

    def _resized(self, op: Op, term: Term, args: list[_Number]) -> Any:
        width = self.terms.width(term)
        is_signed = op is Op.SIGN_EXTEND or (op is Op.ZERO_EXTEND and not self.wraps and args[0].is_signed)
        value, _, _, low, high, _ = self._read(args[0], is_signed=is_signed)
        if op in (Op.SIGN_EXTEND, Op.ZERO_EXTEND):
            return _Number(value, is_signed, width, low, high)
        if op is Op.CONCAT:
            below, size = self._read(args[1], is_signed=False), 1 << args[1].width
            made = value * size + below.expression
            return _Number(made, _UNSIGNED, width, low * size + below.low, high * size + below.high)
        payload = self.terms.payload(term)
        assert isinstance(payload, tuple)
        start = payload[1]
        if start == 0 and not self.wraps:
            return args[0]._replace(width=width)
        if start:
            value, low, high = value / (1 << start), low >> start, high >> start
        if high >> width:
            value, low, high = value % (1 << width), 0, (1 << width) - 1
        return _Number(value, _UNSIGNED, width, low, high)

    def _by_constant(self, op: Op, args: list[_Number]) -> Any:
        number, given = args[0], args[1].constant
        if op is Op.BVAND and given is None:
            number, given = args[1], args[0].constant
        if given is None or (op is not Op.BVSHL and given == 0):
            return None
        value, _, width, low, high, _ = self._read(number, is_signed=False)
        match op:
            case Op.BVAND if given & (given + 1) == 0:
                return _Number(value % (given + 1), _UNSIGNED, width, 0, given)
            case Op.BVUREM:
                return _Number(value % given, _UNSIGNED, width, 0, given - 1)
            case Op.BVUDIV:
                return _Number(value / given, _UNSIGNED, width, low // given, high // given)
            case Op.BVLSHR if given < width:
                return _Number(value / (1 << given), _UNSIGNED, width, low >> given, high >> given)
            case Op.BVSHL if given < width:
                scaled = value * (1 << given)
                return self._wrapped(scaled, low << given, high << given, width, is_signed=False)
            case _:
                return None


class _BeyondTermsError(Exception):
    """A formula of z3's that we do not write as a term."""


def _truth_values(expression: Any) -> list[Any]:
    return [part for part in expression.children() if z3.is_bool(part)]


def _numbers(expression: Any) -> list[Any]:
    return [part for part in expression.children() if z3.is_int(part)]


def _kind(expression: Any) -> int:
    if not z3.is_app(expression):
        raise _BeyondTermsError("an invariant with quantifiers")
    return int(expression.decl().kind())


def _beyond(expression: Any) -> _BeyondTermsError:
    return _BeyondTermsError(f"an invariant with {expression.decl().name()}")


class _HornReading:
    """A formula of z3's over integers as a term with exactly that meaning."""

    def __init__(self, integers: _Integers, names: dict[str, Term]) -> None:
        self.terms: Terms = integers.terms
        self.unsigned = integers.unsigned
        self.names = names
        self._formulas: dict[int, Term] = {}
        self._spans: dict[int, tuple[int, int]] = {}

    # --- truth values ---------------------------------------------------------------------------------

    def formula(self, expression: Any) -> Term:
        """The term."""
        return fold(expression, _truth_values, self._formula, self._formulas, z3.AstRef.get_id)

    def _formula(self, expression: Any, args: list[Term]) -> Term:  # noqa: C901, PLR0911, PLR0912 - a table
        t, parts = self.terms, expression.children()
        match _kind(expression):
            case z3.Z3_OP_TRUE:
                return t.true
            case z3.Z3_OP_FALSE:
                return t.false
            case z3.Z3_OP_UNINTERPRETED:
                return self._parameter(expression)
            case z3.Z3_OP_NOT:
                return self._negated(parts[0], args[0])
            case z3.Z3_OP_AND:
                return t.and_(*args)
            case z3.Z3_OP_OR:
                return t.or_(*args)
            case z3.Z3_OP_IMPLIES:
                return t.implies(*args)
            case z3.Z3_OP_ITE:
                return t.ite(*args)
            case z3.Z3_OP_EQ:
                return t.eq(*args) if args else self._compared("=", *parts)
            case z3.Z3_OP_DISTINCT if len(parts) == 2:
                return t.not_(t.eq(*args) if args else self._compared("=", *parts))
            case z3.Z3_OP_LE:
                return self._compared("<=", *parts)
            case z3.Z3_OP_GE:
                return self._compared("<=", *reversed(parts))
            case z3.Z3_OP_LT:
                return self._less(*parts)
            case z3.Z3_OP_GT:
                return self._less(*reversed(parts))
            case _:
                raise _beyond(expression)

    def _parameter(self, expression: Any) -> Term:
        parameter = self.names.get(expression.decl().name())
        if parameter is None:
            raise _BeyondTermsError("an invariant with an unknown name")
        if not isinstance(self.terms.sort(parameter), BoolSort | BitVecSort):
            raise _BeyondTermsError("an invariant over floats")
        return parameter

    def _negated(self, inner: Any, term: Term) -> Term:
        return self.terms.not_(term)

    def _less(self, one: Any, other: Any) -> Term:
        return self.terms.not_(self._compared("<=", other, one))

    def _compared(self, how: str, one: Any, other: Any) -> Term:
        t = self.terms
        (low, high), (other_low, other_high) = self._span(one), self._span(other)
        if high < other_low or other_high < low:
            return t.boolean(how == "<=" and high < other_low)
        if how == "<=" and high <= other_low:
            return t.true
        is_signed = min(low, other_low) < 0
        width = self._width(one, other)
        first, second = self._written(one, width), self._written(other, width)
        if how == "=":
            return t.eq(first, second)
        return t.sle(first, second) if is_signed else t.ule(first, second)

    # --- integers -------------------------------------------------------------------------------------

    def _span(self, expression: Any) -> tuple[int, int]:
        """What an integer expression is between."""
        return fold(expression, _numbers, self._spanned, self._spans, z3.AstRef.get_id)

    def _spanned(self, expression: Any, spans: list[tuple[int, int]]) -> tuple[int, int]:
        if z3.is_int_value(expression):
            return expression.as_long(), expression.as_long()
        lows, highs = [low for low, _ in spans], [high for _, high in spans]
        match _kind(expression):
            case z3.Z3_OP_UNINTERPRETED:
                parameter = self._parameter(expression)
                return _span(self.terms.width(parameter), is_signed=parameter not in self.unsigned)
            case z3.Z3_OP_ITE:
                return min(lows), max(highs)
            case z3.Z3_OP_ADD:
                return sum(lows), sum(highs)
            case z3.Z3_OP_SUB:
                return lows[0] - sum(highs[1:]), highs[0] - sum(lows[1:])
            case z3.Z3_OP_UMINUS:
                return -highs[0], -lows[0]
            case z3.Z3_OP_MUL if len(spans) == 2 and any(low == high for low, high in spans):
                ends = [a * b for a in spans[0] for b in spans[1]]
                return min(ends), max(ends)
            case z3.Z3_OP_MOD if lows[1] == highs[1] > 0 and lows[0] >= 0:
                return 0, lows[1] - 1
            case z3.Z3_OP_IDIV if lows[1] == highs[1] > 0 and lows[0] >= 0:
                return lows[0] // lows[1], highs[0] // lows[1]
            case _:
                raise _beyond(expression)

    def _width(self, *roots: Any) -> int:
        """So many bits that nothing in the expressions wraps around."""
        low = high = 0
        waiting = list(roots)
        while waiting:
            part = waiting.pop()
            least, most = self._span(part)
            low, high = min(low, least), max(high, most)
            waiting.extend(_numbers(part))
        return max(1, high.bit_length() if low >= 0 else 1 + max(high.bit_length(), (-low - 1).bit_length()))

    def _written(self, root: Any, width: int) -> Term:
        """An integer expression in so many bits."""
        t = self.terms

        def made(expression: Any, args: list[Term]) -> Term:
            if z3.is_int_value(expression):
                return t.bv(expression.as_long(), width)
            match _kind(expression):
                case z3.Z3_OP_UNINTERPRETED:
                    parameter = self._parameter(expression)
                    return t.resize(parameter, width, signed=parameter not in self.unsigned)
                case z3.Z3_OP_ITE:
                    return t.ite(self.formula(expression.children()[0]), *args)
                case z3.Z3_OP_UMINUS:
                    return t.sub(t.bv(0, width), args[0])
                case z3.Z3_OP_MOD:
                    return t.apply(Op.BVUREM, *args)
                case z3.Z3_OP_IDIV:
                    return t.apply(Op.BVUDIV, *args)
                case kind:
                    return reduce(_COMBINED[kind](t), args)

        return fold(root, _numbers, made, {}, z3.AstRef.get_id)


class _WrappingReading(_HornReading):
    """Bounds of sums are read as equations in the width of the variables, where sums wrap around.

    What is an equation of integers has become two bounds in z3's answer; in the arithmetic of machines, only
    the equation is true after an overflow.
    """

    def _negated(self, inner: Any, term: Term) -> Term:
        """Not a <= b: b + 1 = a."""
        if z3.is_le(inner) or z3.is_ge(inner):
            one, other = inner.children()
            return self._less(other, one) if z3.is_le(inner) else self._less(one, other)
        return super()._negated(inner, term)

    def _less(self, one: Any, other: Any) -> Term:
        equation = self._equation(one + 1, other)
        return super()._less(one, other) if equation is None else equation

    def _compared(self, how: str, one: Any, other: Any) -> Term:
        equation = self._equation(one, other)
        return super()._compared(how, one, other) if equation is None else equation

    def _equation(self, one: Any, other: Any) -> Term | None:
        """The two sides as equal numbers of machines, if at least two variables of one width are there."""
        variables: list[Term] = []
        waiting = [one, other]
        while waiting:
            part = waiting.pop()
            if z3.is_const(part) and not z3.is_int_value(part):
                variables.append(self._parameter(part))
            elif not (z3.is_int_value(part) or _kind(part) == z3.Z3_OP_UMINUS or _kind(part) in _COMBINED):
                return None
            waiting.extend(_numbers(part))
        widths = {self.terms.width(v) for v in variables}
        if len(variables) < 2 or len(widths) != 1:
            return None
        (width,) = widths
        return self.terms.eq(self._written(one, width), self._written(other, width))


_COMBINED: dict[int, Callable[[Terms], Callable[[Term, Term], Term]]] = {
    z3.Z3_OP_ADD: lambda t: t.add,
    z3.Z3_OP_SUB: lambda t: t.sub,
    z3.Z3_OP_MUL: lambda t: t.mul,
}
