"""Horn clauses for z3's Spacer: terms to formulas over integers, and back."""

import time
from typing import Any, NamedTuple

import z3

from sley.logic.operators import Op, Value, to_signed
from sley.logic.sorts import BitVecSort, BoolSort, Sort
from sley.logic.terms import Term, Terms
from sley.solvers.horn import (
    Application,
    HornClause,
    HornProblem,
    IntegerReading,
    Interpretation,
    NoInterpretation,
)
from sley.solvers.limits import ask_in_thread
from sley.solvers.translation import Translation

STRATEGIES: tuple[dict[str, bool | int], ...] = (
    {"fp.spacer.ctp": False},
    {"fp.spacer.iuc": 0},
    {"fp.spacer.global": True},
    {},
)
"""Settings of Spacer: where one diverges, another often ends at once."""

_SIGNED, _UNSIGNED = True, False


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
            return Interpretation(self._read(model, _Reading), self._read(model, _WrappingReading))
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
        formula = z3.Implies(z3.And(*bounds, *body), head)
        return z3.ForAll(variables, formula) if variables else formula

    def _applied(self, application: Application) -> Any:
        parameters = self.problem.relations[application.relation]
        arguments = [
            self.integers.argument(argument, parameter)
            for argument, parameter in zip(application.arguments, parameters, strict=True)
        ]
        return self.relations[application.relation](*arguments)

    def _read(self, model: Any, reading: type["_Reading"]) -> dict[str, Term]:
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
    return f"nothing found in {time_limit:.0f} s" if "cancel" in reason and time_limit else reason


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
        return self._as(native, is_signed=parameter not in self.unsigned)

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

    def constant(self, value: Value, sort: Sort) -> Any:
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

    def _as(self, number: _Number, *, is_signed: bool) -> Any:
        """The integer that a bit-vector is, with or without sign."""
        if number.constant is not None:
            value = to_signed(number.constant, number.width) if is_signed else number.constant
            return z3.IntVal(value)
        low, high = _span(number.width, is_signed=is_signed)
        if number.is_signed == is_signed or not self.wraps or (low <= number.low and number.high <= high):
            return number.expression
        size = 1 << number.width
        if is_signed:
            return z3.If(number.expression > high, number.expression - size, number.expression)
        return z3.If(number.expression < 0, number.expression + size, number.expression)

    def _jointly(self, *numbers: _Number) -> bool:
        """Whether numbers that meet are read with sign."""
        variable = [number for number in numbers if number.constant is None]
        return all(number.is_signed for number in variable)

    def _bounds(self, number: _Number, *, is_signed: bool) -> tuple[int, int]:
        if number.constant is not None:
            value = to_signed(number.constant, number.width) if is_signed else number.constant
            return value, value
        low, high = _span(number.width, is_signed=is_signed)
        if number.is_signed == is_signed or (low <= number.low and number.high <= high):
            return number.low, number.high
        return low, high

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

    def _made(self, op: Op, term: Term, args: list[Any]) -> Any:  # noqa: C901, PLR0911, PLR0912 - a table
        match op:
            case Op.NOT:
                return z3.Not(args[0])
            case Op.AND:
                return z3.And(*args)
            case Op.OR:
                return z3.Or(*args)
            case Op.EQ:
                if not isinstance(args[0], _Number):
                    return args[0] == args[1]
                if not isinstance(self.terms.sort(self.terms.args(term)[0]), BitVecSort):
                    return None
                return self._compared(args, lambda a, b: a == b, is_signed=self._jointly(*args))
            case Op.ITE:
                return self._chosen(term, args)
            case Op.BVULT:
                return self._compared(args, lambda a, b: a < b, is_signed=False)
            case Op.BVULE:
                return self._compared(args, lambda a, b: a <= b, is_signed=False)
            case Op.BVSLT:
                return self._compared(args, lambda a, b: a < b, is_signed=True)
            case Op.BVSLE:
                return self._compared(args, lambda a, b: a <= b, is_signed=True)
            case Op.SADDO:
                return self._overflows(args, lambda a, b: a + b)
            case Op.SSUBO:
                return self._overflows(args, lambda a, b: a - b)
            case Op.BVADD | Op.BVSUB | Op.BVMUL | Op.BVNEG | Op.BVNOT:
                return self._arithmetic(op, args)
            case Op.EXTRACT | Op.ZERO_EXTEND | Op.SIGN_EXTEND | Op.CONCAT:
                return self._resized(op, term, args)
            case Op.BVAND | Op.BVUREM | Op.BVUDIV | Op.BVLSHR | Op.BVSHL:
                return self._by_constant(op, args)
            case _:
                return None

    def _compared(self, args: list[_Number], compare: Any, *, is_signed: bool) -> Any:
        return compare(self._as(args[0], is_signed=is_signed), self._as(args[1], is_signed=is_signed))

    def _overflows(self, args: list[_Number], combine: Any) -> Any:
        result = combine(self._as(args[0], is_signed=True), self._as(args[1], is_signed=True))
        low, high = _span(args[0].width, is_signed=True)
        return z3.Or(result < low, result > high)

    def _chosen(self, term: Term, args: list[Any]) -> Any:
        condition, then, otherwise = args
        if not isinstance(then, _Number):
            return z3.If(condition, then, otherwise)
        if not isinstance(self.terms.sort(term), BitVecSort):
            return None
        is_signed = self._jointly(then, otherwise)
        (low, high), (other_low, other_high) = (
            self._bounds(number, is_signed=is_signed) for number in (then, otherwise)
        )
        made = z3.If(condition, self._as(then, is_signed=is_signed), self._as(otherwise, is_signed=is_signed))
        return _Number(made, is_signed, then.width, min(low, other_low), max(high, other_high))

    def _arithmetic(self, op: Op, args: list[_Number]) -> Any:
        width, is_signed = args[0].width, self._jointly(*args)
        # a constant is added with its sign: x - 1 is not x + 4294967295
        readings = [(is_signed and number.constant is None) or number.constant is not None for number in args]
        values = [self._as(n, is_signed=r) for n, r in zip(args, readings, strict=True)]
        spans = [self._bounds(n, is_signed=r) for n, r in zip(args, readings, strict=True)]
        (low, high), (other_low, other_high) = spans[0], spans[-1]
        match op:
            case Op.BVADD:
                made, low, high = values[0] + values[1], low + other_low, high + other_high
            case Op.BVSUB:
                made, low, high = values[0] - values[1], low - other_high, high - other_low
            case Op.BVNEG:
                made, low, high = -values[0], -high, -low
            case Op.BVNOT if is_signed:
                made, low, high = -values[0] - 1, -high - 1, -low - 1
            case Op.BVNOT:
                most = (1 << width) - 1
                made, low, high = most - values[0], most - high, most - low
            case _ if any(number.constant is not None for number in args):
                ends = [a * b for a in (low, high) for b in (other_low, other_high)]
                made, low, high = values[0] * values[1], min(ends), max(ends)
            case _:
                return None
        return self._wrapped(made, low, high, width, is_signed=is_signed)

    def _resized(self, op: Op, term: Term, args: list[_Number]) -> Any:
        width, number = self.terms.width(term), args[0]
        if op is Op.SIGN_EXTEND or (op is Op.ZERO_EXTEND and not self.wraps and number.is_signed):
            low, high = self._bounds(number, is_signed=True)
            return _Number(self._as(number, is_signed=True), _SIGNED, width, low, high)
        low, high = self._bounds(number, is_signed=False)
        value = self._as(number, is_signed=False)
        if op is Op.ZERO_EXTEND:
            return _Number(value, _UNSIGNED, width, low, high)
        if op is Op.CONCAT:
            below = args[1]
            other_low, other_high = self._bounds(below, is_signed=False)
            size = 1 << below.width
            made = value * size + self._as(below, is_signed=False)
            return _Number(made, _UNSIGNED, width, low * size + other_low, high * size + other_high)
        payload = self.terms.payload(term)
        assert isinstance(payload, tuple)
        start = payload[1]
        if start == 0 and not self.wraps:
            return number._replace(width=width)
        if start:
            value, low, high = value / (1 << start), low >> start, high >> start
        if high >> width:
            value, low, high = value % (1 << width), 0, (1 << width) - 1
        return _Number(value, _UNSIGNED, width, low, high)

    def _by_constant(self, op: Op, args: list[_Number]) -> Any:
        number, width = args[0], args[0].width
        given = args[1].constant
        if op is Op.BVAND and given is None:
            number, given = args[1], args[0].constant
        if given is None or (op is not Op.BVSHL and given == 0):
            return None
        low, high = self._bounds(number, is_signed=False)
        value = self._as(number, is_signed=False)
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


class _Whole(NamedTuple):
    """An integer expression: what it is between, and how to write it in a given width."""

    low: int
    high: int
    kind: str
    parts: tuple[Any, ...]


class _Reading:
    """A formula of z3's over integers as a term with exactly that meaning."""

    def __init__(self, integers: _Integers, names: dict[str, Term]) -> None:
        self.terms: Terms = integers.terms
        self.integers = integers
        self.names = names
        self._memo: dict[int, Any] = {}

    def formula(self, expression: Any) -> Term:
        """The term; sub-expressions first."""
        stack = [expression]
        while stack:
            top = stack[-1]
            if top.get_id() in self._memo:
                stack.pop()
                continue
            if not z3.is_app(top):
                raise _BeyondTermsError("an invariant with quantifiers")
            missing = [child for child in top.children() if child.get_id() not in self._memo]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self._memo[top.get_id()] = self._made(top, [self._memo[c.get_id()] for c in top.children()])
        result = self._memo[expression.get_id()]
        assert not isinstance(result, _Whole)
        return result  # type: ignore[no-any-return]

    def _made(self, expression: Any, args: list[Any]) -> Any:  # noqa: C901, PLR0911, PLR0912 - a table
        t = self.terms
        if z3.is_int_value(expression):
            value = expression.as_long()
            return _Whole(value, value, "constant", (value,))
        kind = expression.decl().kind()
        match kind:
            case z3.Z3_OP_TRUE:
                return t.true
            case z3.Z3_OP_FALSE:
                return t.false
            case z3.Z3_OP_UNINTERPRETED:
                return self._variable(expression)
            case z3.Z3_OP_NOT:
                return self._negated(expression.children()[0], args[0])
            case z3.Z3_OP_AND:
                return t.and_(*args)
            case z3.Z3_OP_OR:
                return t.or_(*args)
            case z3.Z3_OP_IMPLIES:
                return t.implies(args[0], args[1])
            case z3.Z3_OP_ITE if not isinstance(args[1], _Whole):
                return t.ite(*args)
            case z3.Z3_OP_ITE:
                _, then, otherwise = args
                return _Whole(
                    min(then.low, otherwise.low), max(then.high, otherwise.high), "choice", tuple(args)
                )
            case z3.Z3_OP_EQ if not isinstance(args[0], _Whole):
                return t.eq(args[0], args[1])
            case z3.Z3_OP_EQ:
                return self._compared("=", args[0], args[1])
            case z3.Z3_OP_DISTINCT if len(args) == 2:
                same = self._compared("=", *args) if isinstance(args[0], _Whole) else t.eq(*args)
                return t.not_(same)
            case z3.Z3_OP_LE:
                return self._compared("<=", args[0], args[1])
            case z3.Z3_OP_GE:
                return self._compared("<=", args[1], args[0])
            case z3.Z3_OP_LT:
                return self._less(args[0], args[1])
            case z3.Z3_OP_GT:
                return self._less(args[1], args[0])
            case z3.Z3_OP_ADD:
                return _Whole(sum(a.low for a in args), sum(a.high for a in args), "sum", tuple(args))
            case z3.Z3_OP_SUB:
                negated = [_product(-1, a) for a in args[1:]]
                parts = (args[0], *negated)
                return _Whole(sum(a.low for a in parts), sum(a.high for a in parts), "sum", parts)
            case z3.Z3_OP_UMINUS:
                return _product(-1, args[0])
            case z3.Z3_OP_MUL if len(args) == 2 and any(a.low == a.high for a in args):
                factor, other = args if args[0].low == args[0].high else args[::-1]
                return _product(factor.low, other)
            case z3.Z3_OP_MOD if args[1].low == args[1].high > 0 and args[0].low >= 0:
                return _Whole(0, args[1].low - 1, "remainder", tuple(args))
            case z3.Z3_OP_IDIV if args[1].low == args[1].high > 0 and args[0].low >= 0:
                by = args[1].low
                return _Whole(args[0].low // by, args[0].high // by, "quotient", tuple(args))
            case _:
                raise _BeyondTermsError(f"an invariant with {expression.decl().name()}")

    def _negated(self, inner: Any, term: Term) -> Term:
        return self.terms.not_(term)

    def _less(self, one: _Whole, other: _Whole) -> Term:
        return self.terms.not_(self._compared("<=", other, one))

    def _variable(self, expression: Any) -> Any:
        parameter = self.names.get(expression.decl().name())
        if parameter is None:
            raise _BeyondTermsError("an invariant with an unknown name")
        sort = self.terms.sort(parameter)
        if isinstance(sort, BoolSort):
            return parameter
        if not isinstance(sort, BitVecSort):
            raise _BeyondTermsError("an invariant over floats")
        is_signed = parameter not in self.integers.unsigned
        return _Whole(*_span(sort.width, is_signed=is_signed), "variable", (parameter, is_signed))

    def _compared(self, how: str, one: _Whole, other: _Whole) -> Term:
        t = self.terms
        if one.high < other.low or other.high < one.low:
            return t.boolean(how == "<=" and one.high < other.low)
        if how == "<=" and one.high <= other.low:
            return t.true
        is_signed = min(one.low, other.low) < 0
        width = self._width(one, other, is_signed=is_signed)
        first, second = (self._written(part, width) for part in (one, other))
        if how == "=":
            return t.eq(first, second)
        return t.sle(first, second) if is_signed else t.ule(first, second)

    def _width(self, *roots: _Whole, is_signed: bool) -> int:
        """So many bits that nothing in the expressions wraps around."""
        low = high = 0
        waiting = list(roots)
        while waiting:
            part = waiting.pop()
            low, high = min(low, part.low), max(high, part.high)
            waiting.extend(inner for inner in part.parts if isinstance(inner, _Whole))
        if low < 0 and not is_signed:
            is_signed = True
        bits = max(high.bit_length(), (-low - 1).bit_length() if low < 0 else 0)
        return max(1, bits + (1 if is_signed else 0))

    def _written(self, root: _Whole, width: int) -> Term:
        """The expression in so many bits; children before parents."""
        t = self.terms
        done: dict[int, Term] = {}
        stack = [root]
        while stack:
            top = stack[-1]
            missing = [p for p in top.parts if isinstance(p, _Whole) and id(p) not in done]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            args = [done[id(p)] for p in top.parts if isinstance(p, _Whole)]
            match top.kind:
                case "constant":
                    made = t.bv(top.parts[0], width)
                case "variable":
                    made = t.resize(top.parts[0], width, signed=top.parts[1])
                case "sum":
                    made = args[0]
                    for arg in args[1:]:
                        made = t.add(made, arg)
                case "product":
                    made = t.mul(args[0], t.bv(top.parts[0], width))
                case "choice":
                    made = t.ite(top.parts[0], args[0], args[1])
                case "remainder":
                    made = t.apply(Op.BVUREM, args[0], args[1])
                case _:
                    made = t.apply(Op.BVUDIV, args[0], args[1])
            done[id(top)] = made
        return done[id(root)]


class _WrappingReading(_Reading):
    """Bounds of sums are read as equations in the width of the variables, where sums wrap around.

    What is an equation of integers has become two bounds in z3's answer; in the arithmetic of machines, only
    the equation is true after an overflow.
    """

    def _negated(self, inner: Any, term: Term) -> Term:
        """Not a <= b: b + 1 = a."""
        if z3.is_le(inner) or z3.is_ge(inner):
            one, other = (self._memo[child.get_id()] for child in inner.children())
            lower, upper = (one, other) if z3.is_le(inner) else (other, one)
            return self._less(upper, lower)
        return super()._negated(inner, term)

    def _less(self, one: _Whole, other: _Whole) -> Term:
        next_one = _Whole(one.low + 1, one.high + 1, "sum", (one, _Whole(1, 1, "constant", (1,))))
        equation = self._equation(next_one, other)
        return super()._less(one, other) if equation is None else equation

    def _compared(self, how: str, one: _Whole, other: _Whole) -> Term:
        equation = self._equation(one, other)
        return super()._compared(how, one, other) if equation is None else equation

    def _equation(self, one: _Whole, other: _Whole) -> Term | None:
        """The two sides as equal numbers of machines, if at least two variables of one width are there."""
        variables: list[Term] = []
        waiting = [one, other]
        while waiting:
            part = waiting.pop()
            if part.kind == "variable":
                variables.append(part.parts[0])
            elif part.kind not in ("sum", "product", "constant"):
                return None
            waiting.extend(inner for inner in part.parts if isinstance(inner, _Whole))
        widths = {self.terms.width(v) for v in variables}
        if len(variables) < 2 or len(widths) != 1:
            return None
        (width,) = widths
        return self.terms.eq(self._written(one, width), self._written(other, width))


def _product(factor: int, whole: _Whole) -> _Whole:
    ends = (factor * whole.low, factor * whole.high)
    return _Whole(min(ends), max(ends), "product", (factor, whole))
