"""Random sequential C programs, with gcc as the oracle: same seed, same program.

A program computes values of all integer types and checks some of them. gcc compiles and runs it, which tells
the values; with these values as assertions the program must be SAFE, and with one value changed it must be a
BUG. Programs have no undefined behaviour by construction: every expression knows an interval that
contains its value, and a part of an expression that another part might change does not occur.
"""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.fuzz import campaign

SECONDS = 20.0


@dataclass(frozen=True)
class Type:
    """An integer type of LP64."""

    name: str
    bits: int
    is_signed: bool
    rank: int

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.is_signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - self.is_signed)) - 1

    def holds(self, low: int, high: int) -> bool:
        return self.low <= low and high <= self.high


BOOL = Type("_Bool", 1, is_signed=False, rank=0)
INT = Type("int", 32, is_signed=True, rank=3)
UINT = Type("unsigned", 32, is_signed=False, rank=3)
LONG = Type("long", 64, is_signed=True, rank=4)
ULONG = Type("unsigned long", 64, is_signed=False, rank=4)
TYPES = (
    BOOL,
    Type("char", 8, is_signed=True, rank=1),
    Type("signed char", 8, is_signed=True, rank=1),
    Type("unsigned char", 8, is_signed=False, rank=1),
    Type("short", 16, is_signed=True, rank=2),
    Type("unsigned short", 16, is_signed=False, rank=2),
    INT,
    UINT,
    LONG,
    ULONG,
    Type("long long", 64, is_signed=True, rank=5),
    Type("unsigned long long", 64, is_signed=False, rank=5),
)
WIDE_ENOUGH = tuple(t for t in TYPES if t.bits >= 8)


def promoted(kind: Type) -> Type:
    return kind if kind.rank >= INT.rank else INT


def common(left: Type, right: Type) -> Type:
    """The usual arithmetic conversions."""
    left, right = promoted(left), promoted(right)
    if left.is_signed == right.is_signed:
        return left if left.rank >= right.rank else right
    signed, unsigned = (left, right) if left.is_signed else (right, left)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.bits > unsigned.bits:
        return signed
    return next(t for t in TYPES if t.rank == signed.rank and not t.is_signed)


@dataclass(frozen=True)
class Value:
    """An expression, its type, and an interval around its value."""

    text: str
    kind: Type
    low: int
    high: int

    def converted(self, kind: Type) -> tuple[int, int]:
        """The interval after a conversion."""
        if kind is BOOL:
            return 0, 1
        return (self.low, self.high) if kind.holds(self.low, self.high) else (kind.low, kind.high)


@dataclass(frozen=True)
class Place:
    """A scalar lvalue; ``width`` is less than the type's for bit-fields."""

    text: str
    kind: Type
    width: int = 0

    @property
    def value(self) -> Value:
        bits = self.width or self.kind.bits
        field_type = Type("", bits, self.kind.is_signed, 0)
        kind = INT if self.width and bits < INT.bits else self.kind
        return Value(self.text, kind, field_type.low, field_type.high)


@dataclass
class Function:
    """A generated function and what a call of it may change: the functions it calls."""

    name: str
    result: Type
    parameters: tuple[Type, ...]
    touches: frozenset[str]


@dataclass
class Frame:
    """What can be named at some point of a function."""

    places: list[Place]
    arrays: list[tuple[str, Type, int]]
    """Name, element type, and number of elements (a power of two)."""
    effects: list[Place]
    """Variables that expressions may change; nothing else in the same expression uses them."""
    used: set[str] = field(default_factory=set)
    """Effects and functions already in the current full expression."""
    touched: set[str] = field(default_factory=set)


LITERALS = (0, 1, 2, 3, 7, 15, 31, 63, 100, 127, 128, 255, 256, 1000, 32767, 32768, 65535, 65536)
WIDE_LITERALS = (2147483647, 2147483648, 4294967295, 4294967296, 1 << 40, (1 << 63) - 1)
STRING = r'"sley\x80\377\0end"'
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Expressions:
    """Writes expressions over a frame."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.functions: list[Function] = []
        self.frame = Frame([], [], [])
        self.call_weight = 1
        """Functions call others less often than main: inlined programs grow fast."""

    def full(self, depth: int = 3) -> Value:
        """A full expression: what follows sees all its effects."""
        self.frame.used.clear()
        return self.value(depth)

    def value(self, depth: int) -> Value:
        if depth <= 0:
            return self.leaf()
        forms: dict[Callable[[int], Value], int] = {
            self.leaf: 2,
            self.arithmetic: 6,
            self.bitwise: 3,
            self.division: 3,
            self.shift: 3,
            self.comparison: 3,
            self.logical: 2,
            self.conditional: 2,
            self.cast: 3,
            self.unary: 3,
            self.effect: 3,
            self.comma: 1,
            self.call: self.call_weight,
            self.odd: 2,
        }
        form = self.random.choices(list(forms), list(forms.values()))[0]
        return form(depth - 1)

    # --- leaves -----------------------------------------------------------------------------------

    def leaf(self, _depth: int = 0) -> Value:
        if self.frame.places and self.random.random() < 0.7:
            return self.place().value
        return self.literal()

    def literal(self) -> Value:
        number = self.random.choice(LITERALS if self.random.random() < 0.7 else WIDE_LITERALS)
        choices = [(kind, suffix) for kind, suffix in _SUFFIXES if kind.holds(number, number)]
        kind, suffix = self.random.choice(choices)
        style = self.random.choice((str(number), hex(number), oct(number).replace("0o", "0")))
        if style != str(number) and suffix == "" and not INT.holds(number, number):
            style = str(number)
        kind = LONG if suffix == "" and not INT.holds(number, number) else kind
        return Value(style + suffix, kind, number, number)

    def place(self) -> Place:
        """Something to read, or to assign to after the rest is evaluated."""
        frame = self.frame
        if frame.arrays and self.random.random() < 0.3:
            name, kind, count = self.random.choice(frame.arrays)
            return Place(self.element(name, count), kind)
        return self.random.choice(frame.places)

    def element(self, name: str, count: int) -> str:
        index = self.index(count)
        return self.random.choice(
            (
                f"{name}[{index}]",
                f"(*({name} + {index}))",
                f"{index}[{name}]",
                f"(*(&{name}[{index}]))",
                f"(&{name}[{count}])[(int){index} - {count}]",
                f"(*({name} + {count} - ({index} + 1)))",
            )
        )

    def index(self, count: int) -> str:
        if self.random.random() < 0.4 or not self.frame.places:
            return str(self.random.randrange(count))
        chosen = self.random.choice(self.frame.places)
        return f"({chosen.text} & {count - 1})" if chosen.kind is not BOOL else str(count - 1)

    # --- operators --------------------------------------------------------------------------------

    def small(self, value: Value, bound: int) -> Value:
        """A value within ``-bound .. bound``, computed from another."""
        if -bound <= value.low and value.high <= bound:
            return value
        kind = promoted(value.kind)
        if value.low < 0 and self.random.random() < 0.5:
            high = min(bound, kind.high)
            return Value(f"({value.text} % {high})", kind, -(high - 1), high - 1)
        mask = (1 << (min(bound, kind.high).bit_length() - 1)) - 1
        return Value(f"({value.text} & {mask})", kind, 0, mask)

    def arithmetic(self, depth: int) -> Value:
        left, right = self.value(depth), self.value(depth)
        operator = self.random.choice("++--**")
        kind = common(left.kind, right.kind)
        if kind.is_signed and not kind.holds(*self.result(operator, left, right)):
            root = 1 << (kind.bits // 2 - 2)
            bound = root if operator == "*" else kind.high // 4
            left, right = self.small(left, bound), self.small(right, bound)
            kind = common(left.kind, right.kind)
        interval = self.result(operator, left, right)
        low, high = interval if kind.holds(*interval) else (kind.low, kind.high)
        assert kind.holds(*interval) or not kind.is_signed
        return Value(f"({left.text} {operator} {right.text})", kind, low, high)

    @staticmethod
    def result(operator: str, left: Value, right: Value) -> tuple[int, int]:
        kind = common(left.kind, right.kind)
        (a, b), (c, d) = left.converted(kind), right.converted(kind)
        if operator == "+":
            return a + c, b + d
        if operator == "-":
            return a - d, b - c
        products = (a * c, a * d, b * c, b * d)
        return min(products), max(products)

    def bitwise(self, depth: int) -> Value:
        left, right = self.value(depth), self.value(depth)
        kind = common(left.kind, right.kind)
        text = f"({left.text} {self.random.choice(('&', '|', '^'))} {right.text})"
        return Value(text, kind, kind.low, kind.high)

    def division(self, depth: int) -> Value:
        left, divisor = self.value(depth), self.small(self.value(depth), 100)
        shifted = divisor.high + 1 - divisor.low
        is_negative = divisor.kind.is_signed and self.random.random() < 0.5
        right = Value(f"({divisor.text} + {shifted})", common(divisor.kind, INT), 1, 2 * shifted + 1)
        if divisor.low < 0 or divisor.high + shifted > 500:
            right = Value(f"(({divisor.text} & 15) + 1)", common(divisor.kind, INT), 1, 16)
        if is_negative and right.kind.is_signed:
            right = Value(f"(-{right.text})", right.kind, -right.high, -1)
        kind = common(left.kind, right.kind)
        if right.low < 0 and kind.is_signed:
            left = self.small(left, kind.high)
            kind = common(left.kind, right.kind)
        text = f"({left.text} {self.random.choice('/%')} {right.text})"
        return Value(text, kind, kind.low, kind.high)

    def shift(self, depth: int) -> Value:
        left, amount = self.value(depth), self.value(depth)
        kind = promoted(left.kind)
        most = self.random.choice((3, 7, 15, kind.bits - 1))
        count = f"({amount.text} & {most})"
        if self.random.random() < 0.5:
            return Value(f"({left.text} >> {count})", kind, kind.low, kind.high)
        if kind.is_signed:
            most = self.random.choice((3, 7, 15))
            count = f"({amount.text} & {most})"
            left = Value(f"({left.text} & 255)", kind, 0, 255)
        high = left.high << most
        high = high if high <= kind.high else kind.high
        return Value(f"({left.text} << {count})", kind, 0, high)

    def comparison(self, depth: int) -> Value:
        left, right = self.value(depth), self.value(depth)
        return Value(f"({left.text} {self.random.choice(COMPARISONS)} {right.text})", INT, 0, 1)

    def logical(self, depth: int) -> Value:
        left, right = self.value(depth), self.value(depth)
        return Value(f"({left.text} {self.random.choice(('&&', '||'))} {right.text})", INT, 0, 1)

    def conditional(self, depth: int) -> Value:
        condition, then, otherwise = self.value(depth), self.value(depth), self.value(depth)
        kind = common(then.kind, otherwise.kind)
        (a, b), (c, d) = then.converted(kind), otherwise.converted(kind)
        text = f"({condition.text} ? {then.text} : {otherwise.text})"
        return Value(text, kind, min(a, c), max(b, d))

    def cast(self, depth: int) -> Value:
        inner, kind = self.value(depth), self.random.choice(TYPES)
        return Value(f"(({kind.name}){inner.text})", kind, *inner.converted(kind))

    def unary(self, depth: int) -> Value:
        inner = self.value(depth)
        kind = promoted(inner.kind)
        operator = self.random.choice("-~!+")
        if operator == "!":
            return Value(f"(!{inner.text})", INT, 0, 1)
        if operator == "+":
            return Value(f"(+{inner.text})", kind, inner.low, inner.high)
        if operator == "-" and kind.is_signed:
            inner = self.small(inner, kind.high)
            return Value(f"(-{inner.text})", promoted(inner.kind), -inner.high, -inner.low)
        return Value(f"({operator}{inner.text})", kind, kind.low, kind.high)

    # --- effects ----------------------------------------------------------------------------------

    def effect(self, depth: int) -> Value:
        """Change a variable that nothing else in the full expression uses."""
        free = [place for place in self.frame.effects if place.text not in self.frame.used]
        if not free:
            return self.leaf()
        place = self.random.choice(free)
        self.frame.used.add(place.text)
        if self.random.random() < 0.5:
            text = self.random.choice(("{}++", "++{}", "{}--", "--{}")).format(place.text)
            if not place.kind.is_signed or place.kind.bits < INT.bits:
                return Value(f"({text})", place.kind, place.kind.low, place.kind.high)
        inner = self.value(depth)
        operator = self.random.choice(("=", "^=", "|=", "&="))
        return Value(f"({place.text} {operator} {inner.text})", place.kind, place.kind.low, place.kind.high)

    def comma(self, depth: int) -> Value:
        first, second = self.value(depth), self.value(depth)
        return Value(f"({first.text}, {second.text})", second.kind, second.low, second.high)

    def call(self, depth: int) -> Value:
        free = [f for f in self.functions if not f.touches & self.frame.used]
        if not free:
            return self.leaf()
        function = self.random.choice(free)
        self.frame.used |= function.touches
        self.frame.touched |= function.touches
        arguments = ", ".join(self.value(depth - 1).text for _ in function.parameters)
        kind = function.result
        name = self.random.choice((function.name, function.name, f"(*{function.name})", f"p_{function.name}"))
        return Value(f"{name}({arguments})", kind, kind.low, kind.high)

    def odd(self, depth: int) -> Value:
        """Forms that are rarer in programs."""
        inner = self.value(depth)
        char = TYPES[1]
        number = self.random.randrange(8)
        if number == 0:
            return Value(f"sizeof(({inner.kind.name}){inner.text})", ULONG, 1, 8)
        if number == 1:
            return Value(f"{STRING}[{inner.text} & 7]", char, char.low, char.high)
        if number == 2:
            return Value(self.random.choice(("RED", "GREEN", "BLUE")), INT, -5, 1000)
        if number == 3:
            return (
                Value(
                    f"({{ {inner.kind.name} t = {inner.text}; t; }})",
                    promoted(inner.kind),
                    inner.low,
                    inner.high,
                )
                if inner.kind.rank >= INT.rank
                else inner
            )
        if number == 4 and inner.kind.bits >= INT.bits:
            return Value(
                f"(({inner.kind.name}[]){{ {inner.text}, 7 }})[0]", inner.kind, inner.low, inner.high
            )
        if number == 5:
            bounded = self.small(inner, 1 << 20)
            return Value(f"((int)({bounded.text} * 0.75))", INT, -(1 << 20), 1 << 20)
        if number == 6:
            text = self.random.choice(("'a'", r"'\n'", r"'\xff'", r"'\0'"))
            return Value(text, INT, -128, 127)
        return Value(f"_Alignof({inner.kind.name})", ULONG, 1, 8)


_SUFFIXES = ((INT, ""), (UINT, "u"), (LONG, "L"), (ULONG, "UL"), (TYPES[-2], "ll"), (TYPES[-1], "ull"))

PRELUDE = """\
#include <stddef.h>
enum colour { RED = -5, GREEN, BLUE = 1000 };
struct inner { short first; unsigned char bytes[4]; long last; };
struct bits { unsigned low : 3; int middle : 7; unsigned long wide : 40; signed char tail : 5; };
struct outer { int number; struct inner one; struct inner many[2]; struct bits bits; union view *link; };
union view { unsigned int word; int number; unsigned char bytes[4]; short halves[2]; };
"""


def fields(base: str, *, is_view: bool) -> list[Place]:
    """The scalars inside an object of type ``union view`` or ``struct outer``."""
    kinds = {kind.name: kind for kind in TYPES}
    if is_view:
        views = [Place(f"{base}.word", UINT), Place(f"{base}.number", INT)]
        views += [Place(f"{base}.bytes[{i}]", kinds["unsigned char"]) for i in range(4)]
        return views + [Place(f"{base}.halves[{i}]", kinds["short"]) for i in range(2)]
    found = [Place(f"{base}.number", INT)]
    for part in (f"{base}.one", f"{base}.many[0]", f"{base}.many[1]"):
        found += [Place(f"{part}.first", kinds["short"]), Place(f"{part}.last", LONG)]
        found += [Place(f"{part}.bytes[{i}]", kinds["unsigned char"]) for i in range(4)]
    found += [Place(f"{base}.bits.low", UINT, 3), Place(f"{base}.bits.middle", INT, 7)]
    found += [Place(f"{base}.bits.tail", kinds["signed char"], 5)]
    return found


class Generator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.expressions = Expressions(self.random)
        self.lines: list[str] = []
        self.indent = 0
        self.names = 0
        self.checks = 0
        self.labels = 0
        self.globals: list[Place] = []
        self.global_arrays: list[tuple[str, Type, int]] = []

    def program(self) -> str:
        self.lines.append(PRELUDE)
        self.declare_globals()
        for number in range(self.random.randint(1, 3)):
            self.function(number)
        self.main()
        return "\n".join(self.lines) + "\n"

    # --- declarations -----------------------------------------------------------------------------

    def write(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def name(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def constant(self, kind: Type) -> str:
        if kind is BOOL:
            return str(self.random.randrange(2))
        number = self.random.choice(
            (self.random.randint(kind.low, kind.high), self.random.randint(-9, 9), kind.low, kind.high)
        )
        number = max(kind.low, min(kind.high, number))
        return literal(number) if kind.is_signed else f"{number}u" if kind.bits <= 32 else f"{number}ull"

    def declare_globals(self) -> None:
        for _ in range(self.random.randint(2, 5)):
            kind, name = self.random.choice(TYPES), self.name("g")
            storage = self.random.choice(("", "static ", "volatile "))
            value = f" = {self.constant(kind)}" if self.random.random() < 0.7 else ""
            self.write(f"{storage}{kind.name} {name}{value};")
            self.globals.append(Place(name, kind))
        for _ in range(self.random.randint(1, 2)):
            self.global_arrays.append(self.array(self.name("a"), storage=""))
        outer, view = self.name("s"), self.name("u")
        start = "{ 1, { 2, { 3, 4 }, 5 }, .many[1].bytes[2] = 6, .bits = { 7, -8 } }"
        self.write(f"struct outer {outer} = {start};")
        self.write(f"union view {view} = {{ .number = {self.constant(INT)} }};")
        self.globals += self.random.sample(fields(outer, is_view=False), 5)
        self.globals += self.random.sample(fields(view, is_view=True), 3)
        pointer = self.name("p")
        self.write(f"struct outer *{pointer} = &{outer};")
        self.globals += [Place(f"{pointer}->one.last", LONG), Place(f"(*{pointer}).number", INT)]
        self.globals.append(Place(f"{pointer}->bits.middle", INT, 7))
        byte_pointer = self.name("p")
        seen = self.random.choice((f"{outer}.number", f"{outer}.one.last", f"{view}.word"))
        self.write(f"unsigned char *{byte_pointer} = (unsigned char *)&{seen};")
        self.globals.append(Place(f"{byte_pointer}[1]", TYPES[3]))
        self.outer = outer

    def array(self, name: str, storage: str) -> tuple[str, Type, int]:
        kind, count = self.random.choice(TYPES), self.random.choice((2, 4, 8))
        values = ", ".join(self.constant(kind) for _ in range(self.random.randint(1, count)))
        position = self.random.randrange(count)
        form = self.random.choice((f"{{ {values} }}", f"{{ [{position}] = {self.constant(kind)} }}", "{ 0 }"))
        self.write(f"{storage}{kind.name} {name}[{count}] = {form};")
        return name, kind, count

    def function(self, number: int) -> None:
        kind = self.random.choice(TYPES)
        parameters = tuple(self.random.choice(TYPES) for _ in range(self.random.randint(0, 3)))
        name = f"f{number}"
        names = [f"x{i}" for i in range(len(parameters))]
        listed = ", ".join(f"{p.name} {n}" for p, n in zip(parameters, names, strict=True)) or "void"
        self.write(f"\nstatic {kind.name} {name}({listed})\n{{")
        places = [Place(n, p) for p, n in zip(parameters, names, strict=True)]
        touched = self.body(places, statements=self.random.randint(1, 3), is_main=False)
        self.write(f"return {self.expressions.full().text};\n}}")
        self.indent = 0
        touched |= self.expressions.frame.touched
        types = ", ".join(p.name for p in parameters) or "void"
        self.write(f"static {kind.name} (*p_{name})({types}) = {name};")
        self.expressions.functions.append(Function(name, kind, parameters, frozenset(touched | {name})))

    def body(self, places: list[Place], statements: int, *, is_main: bool) -> set[str]:
        """Declarations and statements; a function only changes what is its own."""
        self.indent = 1
        static = self.name("kept")
        static_kind = self.random.choice(TYPES)
        self.write(f"static {static_kind.name} {static} = {self.constant(static_kind)};")
        own = [*places, Place(static, static_kind)]
        effects: list[Place] = []
        frame = self.expressions.frame = Frame(own + self.globals, list(self.global_arrays), effects)
        for _ in range(self.random.randint(1, 3)):
            kind, name = self.random.choice(TYPES), self.name("v")
            self.write(f"{kind.name} {name} = {self.expressions.full(2).text};")
            own.append(Place(name, kind))
            frame.places.append(own[-1])
        own_arrays = [self.array(self.name("b"), storage=self.random.choice(("", "static ")))]
        frame.arrays += own_arrays
        for _ in range(2):
            kind, name = self.random.choice(TYPES), self.name("e")
            self.write(f"{kind.name} {name} = {self.constant(kind)};")
            effects.append(Place(name, kind))
        self.local_objects(own, frame)
        if is_main:
            own, own_arrays = own + self.globals, own_arrays + self.global_arrays
        self.targets, self.target_arrays = own, own_arrays
        for _ in range(statements):
            self.statement(2)
            if is_main:
                self.check(self.random.choice([p.value for p in own] + [self.expressions.full()]).text)
        return frame.touched

    def local_objects(self, own: list[Place], frame: Frame) -> None:
        """A local struct that is a copy, a pointer to a local, a walk over a local's bytes."""
        if self.random.random() < 0.6:
            name = self.name("s")
            start = self.random.choice(
                (self.outer, "(struct outer){ .number = 3, .many = { { 1 }, { .last = 9 } } }")
            )
            self.write(f"struct outer {name} = {start};")
            chosen = self.random.sample(fields(name, is_view=False), 4)
            own += chosen
            frame.places += chosen
        targets = [p for p in own if p.text.isidentifier() and p.kind.bits >= 8]
        if targets and self.random.random() < 0.7:
            target, name = self.random.choice(targets), self.name("p")
            self.write(f"{target.kind.name} *{name} = &{target.text};")
            own.append(Place(f"(*{name})", target.kind))
            frame.places.append(own[-1])

    # --- statements -------------------------------------------------------------------------------

    def statement(self, depth: int) -> None:
        forms: dict[Callable[[int], None], int] = {
            self.assignment: 5,
            self.compound: 4,
            self.step: 2,
            self.void: 1,
        }
        if depth > 0:
            forms |= {self.conditional: 2, self.loop: 2, self.switch: 1, self.jump: 1, self.copies: 1}
        form = self.random.choices(list(forms), list(forms.values()))[0]
        form(depth - 1)

    def target(self) -> Place:
        if self.target_arrays and self.random.random() < 0.3:
            name, kind, count = self.random.choice(self.target_arrays)
            return Place(self.expressions.element(name, count), kind)
        return self.random.choice(self.targets)

    def assignment(self, _depth: int) -> None:
        target = self.target()
        self.write(f"{target.text} = {self.expressions.full().text};")

    def compound(self, _depth: int) -> None:
        target, value = self.target(), self.expressions.full(2)
        kind = common(target.kind, value.kind)
        if self.random.random() < 0.3:
            rest = self.random.choice(("/= 7", "%= 5", ">>= 3", "/= 3u"))
            self.write(f"{target.text} {rest};")
            return
        operators = ["&=", "|=", "^="]
        is_small = value.low >= -(1 << 20) and value.high <= 1 << 20
        if not kind.is_signed:
            operators += ["+=", "-=", "*="]
        elif target.value.kind.bits < INT.bits and is_small:
            operators += ["+=", "-="]
        self.write(f"{target.text} {self.random.choice(operators)} {value.text};")

    def step(self, _depth: int) -> None:
        target = self.target()
        operator = self.random.choice(("++", "--"))
        if target.kind.is_signed and target.value.kind.bits >= INT.bits:
            self.write(f"if ({target.text} > -1000 && {target.text} < 1000) {target.text}{operator};")
        else:
            self.write(f"{self.random.choice((target.text + operator, operator + target.text))};")

    def void(self, _depth: int) -> None:
        self.write(f"(void){self.expressions.full().text};")

    def block(self, depth: int, most: int = 2) -> None:
        self.indent += 1
        for _ in range(self.random.randint(1, most)):
            self.statement(depth)
        self.indent -= 1

    def conditional(self, depth: int) -> None:
        self.write(f"if ({self.expressions.full().text}) {{")
        self.block(depth)
        if self.random.random() < 0.5:
            self.write("} else {")
            self.block(depth)
        self.write("}")

    def loop(self, depth: int) -> None:
        counter, rounds = self.name("i"), self.random.randint(1, 4)
        place = Place(counter, self.random.choice(WIDE_ENOUGH))
        form = self.random.randrange(3)
        kind = place.kind.name
        if form == 0:
            self.write(f"for ({kind} {counter} = 0; {counter} < {rounds}; {counter}++) {{")
        else:
            self.write(f"{kind} {counter} = {rounds};")
            self.write(f"while ({counter}--) {{" if form == 1 else "do {")
        self.expressions.frame.places.append(place)
        if self.random.random() < 0.4:
            jump = self.random.choice(("break", "continue"))
            if not (jump == "continue" and form == 2):
                self.write(f"    if ({self.expressions.full(2).text}) {jump};")
        self.block(depth)
        self.expressions.frame.places.remove(place)
        self.write("}" if form != 2 else f"}} while (--{counter} > 0);")

    def switch(self, depth: int) -> None:
        self.write(f"switch ({self.expressions.full().text} & 7) {{")
        cases = self.random.sample(range(8), self.random.randint(1, 4))
        default = self.random.randrange(len(cases) + 1)
        for position, number in enumerate(cases):
            if position == default:
                self.write("default:")
            self.write(f"case {number}:" if number < 6 else f"case {number} ... {number}:")
            self.block(depth, most=1)
            if self.random.random() < 0.6:
                self.write("    break;")
        self.write("}")

    def jump(self, depth: int) -> None:
        self.labels += 1
        label, counter = f"again{self.labels}", self.name("n")
        self.write(
            f"static int {counter}; {counter} = 0;" if self.random.random() < 0.3 else f"int {counter} = 0;"
        )
        self.write(f"{label}:")
        self.write(f"if ({self.expressions.full(2).text}) goto out{self.labels};")
        number = self.labels
        self.block(depth)
        self.write(f"if (++{counter} < 3) goto {label};")
        self.write(f"out{number}:;")

    def copies(self, depth: int) -> None:
        """Struct assignment, and an object written through its bytes."""
        self.write("{")
        self.indent += 1
        copy = self.name("s")
        self.write(f"struct outer {copy}; {copy} = {self.outer};")
        chosen = self.random.sample(fields(copy, is_view=False), 3)
        self.expressions.frame.places += chosen
        self.write(f"{self.random.choice(chosen).text} = {self.expressions.full(2).text};")
        self.statement(depth)
        if self.outer in self.targets[-1].text or self.targets[-len(self.globals) :] == self.globals:
            self.write(self.random.choice((f"{self.outer} = {copy};", f"{self.outer}.one = {copy}.many[1];")))
        for place in chosen:
            self.expressions.frame.places.remove(place)
        self.indent -= 1
        self.write("}")

    # --- checks -----------------------------------------------------------------------------------

    def check(self, text: str) -> None:
        self.write(f"CHECK({self.checks}, {text});")
        self.checks += 1

    def main(self) -> None:
        self.write("\nint main(void)\n{")
        self.expressions.call_weight = 3
        self.body([], statements=self.random.randint(3, 7), is_main=True)
        for place in self.targets + self.expressions.frame.effects:
            self.check(place.text)
        for name, _, count in self.target_arrays:
            for index in range(count):
                self.check(f"{name}[{index}]")
        self.write("return 0;")
        self.indent = 0
        self.write("}")


def random_sequential(seed: int) -> str:
    """A program that calls ``CHECK(number, value)`` on some values."""
    return Generator(seed).program()


def literal(number: int) -> str:
    """A number of type ``long long`` in C."""
    return f"({number + 1}ll - 1)" if number < 0 else f"{number}ll"


def printing(program: str) -> str:
    """The program, printing its values."""
    return f'#include <stdio.h>\n#define CHECK(k, e) printf("%d %lld\\n", k, (long long)(e))\n{program}'


def asserting(program: str, expected: Sequence[int]) -> str:
    """The program, asserting its values."""
    values = "\n".join(f"#define EXPECTED_{k} {literal(value)}" for k, value in enumerate(expected))
    check = "#define CHECK(k, e) assert((long long)(e) == EXPECTED_##k)"
    return f"#include <assert.h>\n{values}\n{check}\n{program}"


def observed(program: str, folder: Path, options: Sequence[str] = ()) -> list[int]:
    """The values that the compiled program prints."""
    source, binary = folder / "oracle.c", folder / "oracle"
    source.write_text(printing(program))
    command = ["gcc", "-std=gnu11", "-O0", "-w", *options, "-o", str(binary), str(source)]
    subprocess.run(command, check=True, timeout=SECONDS)
    run = subprocess.run([str(binary)], check=True, timeout=SECONDS, capture_output=True, text=True)
    if run.stderr:
        raise AssertionError(f"the generated program is not clean: {run.stderr}")
    lines = [line.split() for line in run.stdout.splitlines()]
    assert [int(number) for number, _ in lines] == list(range(len(lines))), "a check was left out"
    return [int(value) for _, value in lines]


def answer_to(text: str, path: Path) -> Result:
    """What the tool says about a program."""
    path.write_text(text)
    return verify(Task(paths=(path,), selection=Selection(ALL_PROPERTIES), limits=Limits(seconds=SECONDS)))


def problems(seed: int, folder: Path, options: Sequence[str] = ()) -> Iterator[str]:
    """How the tool disagrees with gcc about a program."""
    program = random_sequential(seed)
    expected = observed(program, folder, options)
    path = folder / f"sequential_{seed}.c"
    right = answer_to(asserting(program, expected), path)
    if right.answer is not Answer.SAFE:
        yield f"seed {seed}: {described(right)} instead of SAFE"
    wrong = list(expected)
    wrong[Random(seed).randrange(len(wrong))] ^= 1
    changed = answer_to(asserting(program, wrong), path.with_stem(f"sequential_{seed}_wrong"))
    violated = {trace.failure.property for trace in changed.traces}
    if changed.answer is not Answer.BUG or violated != {Property.REACH}:
        yield f"seed {seed}: {described(changed)} instead of BUG, with a value changed"


def described(result: Result) -> str:
    """An answer in one line."""
    failures = "; ".join(f"{t.failure.message} ({t.failure.property.value})" for t in result.traces)
    return f"{result.answer.value} {result.reason or ''} {failures}".strip()


def sequential_compared(seed: int, path: Path, limits: campaign.Limits) -> campaign.Comparison:
    """The tool and gcc on one program; small as it is, it gets all the time it needs."""
    del limits
    found = list(problems(seed, path.parent))
    return campaign.Comparison("wrong" if found else "same", "; ".join(found) or None)
