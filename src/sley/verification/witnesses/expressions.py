"""Expressions of C in witnesses: read completely, evaluated as far as that is certain.

An expression over integers in plain variables can be evaluated; what has a pointer, a member, a cast or a
floating-point number in it is C, too, but its value is left open.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from sley.base.errors import InputError
from sley.base.source import Span

RESULT = "\\result"
"""What a function returns, in ACSL."""


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: int


@dataclass(frozen=True, slots=True)
class Name:
    """A variable."""

    text: str


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator and what it is applied to."""

    operator: str
    operands: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Opaque:
    """C whose value is left open."""


Expression = Number | Name | Operation | Opaque

Value = int | None
"""None: left open."""

_MOST_TOKENS = 5_000
_DEEPEST = 60
_TALLEST = 200
"""Operators inside each other, as a chain of them is read; the value of more is left open."""
_TOKEN = re.compile(
    r"""[ \t\n]*(?:
    (?P<float>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?[fFlL]?|\d+[eE][+-]?\d+[fFlL]?)
  | (?P<number>(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*)
  | (?P<char>'(?:[^'\\\n]|\\[^\n])')
  | (?P<string>"(?:[^"\\\n]|\\[^\n])*")
  | (?P<name>\\result\b|[A-Za-z_$][\w$]*)
  | (?P<symbol><<|>>|<=|>=|==|!=|&&|\|\||->|\+\+|--|[-+*/%&|^~!<>?:()\[\].,=])
    )""",
    re.VERBOSE,
)

_LEVELS = (
    *(("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">=")),
    *(("<<", ">>"), ("+", "-"), ("*", "/", "%")),
)
"""Binary operators, those that bind least first."""

_TYPES = frozenset(
    {
        *("void", "_Bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned"),
        *("const", "volatile", "struct", "union", "enum"),
    }
)


def parse(text: str, span: Span) -> Expression:
    """The expression that a text is; several with semicolons between them hold together."""
    parts = _parts(text)
    if not parts:
        raise InputError("an empty expression", span)
    found = [_ExpressionParser(part, span).whole() for part in parts]
    whole = found[0]
    for other in found[1:]:
        whole = Operation("&&", (whole, other))
    return whole if _height(whole) <= _TALLEST else Opaque()


def _height(expression: Expression) -> int:
    level, height = [expression], 0
    while level:
        level = [part for one in level if isinstance(one, Operation) for part in one.operands]
        height += 1
    return height


def _parts(text: str) -> list[str]:
    """Expressions with semicolons between them; those in strings and characters are of these."""
    pieces = re.split(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|;)""", text)
    joined = "".join("\0" if one == ";" else one for one in pieces)
    return [part for part in joined.split("\0") if part.strip()]


def require_no_call(text: str, span: Span) -> None:
    """InputError unless it is an expression without calls; assignments are none at all."""
    parse(text, span)
    parsers = [_ExpressionParser(part, span) for part in _parts(text)]
    for parser in parsers:
        parser.whole()
    if any(parser.calls for parser in parsers):
        raise InputError(effects(text), span)


def effects(text: str) -> str:
    """What is wrong with an invariant that may do something."""
    return f"the invariant `{' '.join(text.split())}` calls a function or has other effects"


def printed(text: str, span: Span) -> str:
    """An expression again, from what was read of it: no comment is left, and no two tokens run together."""
    parts = [" ".join(_ExpressionParser(part, span).read()) for part in _parts(text)]
    return parts[0] if len(parts) == 1 else " && ".join(f"({part})" for part in parts)


class _ExpressionParser:
    """Recursive descent, a method for each level."""

    def __init__(self, text: str, span: Span) -> None:
        self.text, self.span = text, span
        self.tokens = list(islice(self._split(), _MOST_TOKENS + 1))
        if len(self.tokens) > _MOST_TOKENS:
            raise InputError(f"an expression of more than {_MOST_TOKENS} tokens", span)
        self.depth = 0
        self.at = 0
        self.calls = False

    def _split(self) -> Iterator[tuple[str, str]]:
        at, text = 0, self.text.rstrip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None or found.lastgroup is None:
                raise self._wrong()
            yield found.lastgroup, found[found.lastgroup]
            at = found.end()

    def _wrong(self) -> InputError:
        return InputError(f"`{self.text.strip()}` is not a C expression", self.span)

    def _next(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def _take(self, *symbols: str) -> str | None:
        """The next token, if it is one of some symbols."""
        if self.at < len(self.tokens) and self.tokens[self.at][1] in symbols:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def _need(self, symbol: str) -> None:
        if self._take(symbol) is None:
            raise self._wrong()

    def read(self) -> list[str]:
        """The tokens of the whole text."""
        self.whole()
        return [text for _, text in self.tokens]

    def whole(self) -> Expression:
        """The whole text."""
        found = self._conditional()
        if self.at < len(self.tokens):
            raise self._wrong()
        return found

    def _conditional(self) -> Expression:
        with self._deeper():
            return self._condition()

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        """Each level of an expression takes several of Python's."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise InputError("an expression that is too deep", self.span)
        yield
        self.depth -= 1

    def _condition(self) -> Expression:
        condition = self._binary(0)
        if self._take("?") is None:
            return condition
        then = self._conditional()
        self._need(":")
        return Operation("?:", (condition, then, self._conditional()))

    def _binary(self, level: int) -> Expression:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while (operator := self._take(*_LEVELS[level])) is not None:
            left = Operation(operator, (left, self._binary(level + 1)))
        return left

    def _unary(self) -> Expression:
        with self._deeper():
            return self._prefixed()

    def _prefixed(self) -> Expression:
        operator = self._take("-", "+", "!", "~", "*", "&")
        if operator is not None:
            operand = self._unary()
            return Opaque() if operator in "*&" else Operation(operator, (operand,))
        if self._next() == "sizeof":
            self.at += 1
            self._unary()
            return Opaque()
        if self._is_cast():
            self._unary()
            return Opaque()
        return self._postfix()

    def _is_cast(self) -> bool:
        """Whether a type in parentheses is next; then it is read."""
        end = self.at + 1
        while end < len(self.tokens) and (self.tokens[end][0] == "name" or self.tokens[end][1] == "*"):
            end += 1
        inside = [text for _, text in self.tokens[self.at + 1 : end]]
        is_type = bool(inside) and (inside[0] in _TYPES or inside[-1] == "*")
        if self._next() != "(" or not is_type or [t for _, t in self.tokens[end : end + 1]] != [")"]:
            return False
        self.at = end + 1
        return True

    def _postfix(self) -> Expression:
        found = self._primary()
        while (symbol := self._take("[", ".", "->", "(")) is not None:
            found = Opaque()
            self.calls |= symbol == "("
            if symbol in (".", "->"):
                self._identifier()
            else:
                self._arguments("]" if symbol == "[" else ")")
        return found

    def _identifier(self) -> None:
        if self.at >= len(self.tokens) or self.tokens[self.at][0] != "name":
            raise self._wrong()
        self.at += 1

    def _arguments(self, end: str) -> None:
        if self._take(end) is not None:
            return
        self._conditional()
        while self._take(",") is not None:
            self._conditional()
        self._need(end)

    def _primary(self) -> Expression:
        if self._take("(") is not None:
            found = self._conditional()
            self._need(")")
            return found
        if self.at >= len(self.tokens):
            raise self._wrong()
        kind, text = self.tokens[self.at]
        self.at += 1
        match kind:
            case "number":
                return Number(_number(text))
            case "name" if text not in _TYPES:
                return Name(text)
            case "float" | "char" | "string":
                return Opaque()
            case _:
                raise self._wrong()


def _number(text: str) -> int:
    digits = text.rstrip("uUlL")
    if len(digits) > 100:
        return 10**100
    if digits[:2] in ("0x", "0X"):
        return int(digits, 16)
    is_octal = len(digits) > 1 and digits[0] == "0" and not re.search("[89]", digits)
    return int(digits, 8 if is_octal else 10)


# --- meaning ---------------------------------------------------------------------------------------


def conjuncts(expression: Expression) -> Iterator[Expression]:
    """What has to hold, each for itself."""
    if isinstance(expression, Operation) and expression.operator == "&&":
        for operand in expression.operands:
            yield from conjuncts(operand)
    else:
        yield expression


def evaluate(expression: Expression, value_of: Callable[[str], Value]) -> Value:
    """The value, where no rule of C for mixed or overflowing arithmetic could make it another one."""
    match expression:
        case Number(value=value):
            return value
        case Name(text=text):
            return value_of(text)
        case Opaque():
            return None
        case Operation(operator="?:", operands=(condition, then, otherwise)):
            chosen = evaluate(condition, value_of)
            return None if chosen is None else evaluate(then if chosen else otherwise, value_of)
        case Operation(operator=operator, operands=operands):
            return _applied(operator, [evaluate(operand, value_of) for operand in operands])


def _applied(operator: str, values: list[Value]) -> Value:
    if operator in ("&&", "||"):
        return _connected(operator, values)
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    if len(known) == 1:
        return _of_one(operator, known[0])
    return _of_two(operator, *known)


def _connected(operator: str, values: list[Value]) -> Value:
    """Truth is known if one side decides, or both are known."""
    deciding = operator == "||"
    if any(value is not None and bool(value) is deciding for value in values):
        return int(deciding)
    return None if None in values else int(not deciding)


def _of_one(operator: str, value: int) -> Value:
    return {"!": int(not value), "-": -value, "+": value}.get(operator)


_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _of_two(operator: str, a: int, b: int) -> Value:
    if operator in _COMPARISONS:
        return int(_COMPARISONS[operator](a, b))
    result = {"+": a + b, "-": a - b, "*": a * b}.get(operator)
    return result if result is not None and abs(result) < 2**31 else None


def bound(expression: Expression) -> tuple[str, str, int] | None:
    """A comparison of a variable with a constant: the variable, the operator, the constant."""
    if not isinstance(expression, Operation) or expression.operator not in _COMPARISONS:
        return None
    left, right = expression.operands
    if isinstance(right, Name) and not isinstance(left, Name):
        mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
        left, right = right, left
        expression = Operation(mirrored.get(expression.operator, expression.operator), (left, right))
    constant = evaluate(right, lambda _: None)
    if not isinstance(left, Name) or constant is None:
        return None
    return left.text, expression.operator, constant


def satisfies(operator: str, value: int, constant: int) -> bool:
    """Whether a value is in the relation to a constant."""
    return _COMPARISONS[operator](value, constant)
