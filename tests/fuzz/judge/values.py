"""Corners of values: overflow, shifts, promotions, conversions, bit-fields, unions."""

from sley.program.properties import Property
from tests.fuzz.judge.draft import INT, Corner, Draft, literal
from tests.fuzz.sequential import BOOL, COMPARISONS, TYPES, Type, common, promoted

WIDE = tuple(kind for kind in TYPES if kind.bits > 1)
SIGNED = tuple(kind for kind in TYPES if kind.is_signed)


def interesting(draft: Draft, kind: Type) -> int:
    """A value of the type: near its ends, or small."""
    if kind is BOOL:
        return draft.number(0, 1)
    ends = [kind.low, kind.low + 1, kind.high, kind.high - 1, 0, 1, 2, kind.high // 2, kind.high // 2 + 1]
    if kind.is_signed:
        ends += [-1, -2]
    return (
        draft.random.choice(ends) if draft.chance(0.6) else draft.number(max(kind.low, -9), min(kind.high, 9))
    )


def arithmetic(draft: Draft) -> None:
    """An operation whose result fits or not; constant operands fold, others do not."""
    left, right = draft.random.choice(WIDE), draft.random.choice(WIDE)
    operator = draft.pick("+", "-", "*", "/", "%")
    kind = common(left, right)
    a, b = interesting(draft, left), interesting(draft, right)
    while not draft.may_fail and not defined(operator, a, b, kind):
        a, b = interesting(draft, left), interesting(draft, right)
    is_defined = defined(operator, a, b, kind)
    if not is_defined and not draft.risks():
        return
    first, second = draft.operand(left, a), draft.operand(right, b)
    target = draft.random.choice(TYPES) if draft.chance(0.3) else kind
    if not is_defined and operator in "+-*" and target.bits < kind.bits:
        draft.is_wrong(Property.OVERFLOW, what="overflow", unseen="gcc computes in the narrow type at once")
    name = draft.name("r")
    if draft.chance(0.3) and target is kind and left is kind:
        draft.line(f"{target.name} {name} = {first};")
        draft.line(f"{name} {operator}= {second};")
    else:
        draft.line(f"{target.name} {name} = {first} {operator} {second};")
    draft.check(name)


def defined(operator: str, a: int, b: int, kind: Type) -> bool:
    """Whether C defines the operation in this type."""
    a, b = wrapped(a, kind), wrapped(b, kind)
    if operator in "/%":
        return b != 0 and not (kind.is_signed and a == kind.low and b == -1)
    result = {"+": a + b, "-": a - b, "*": a * b}[operator]
    return not kind.is_signed or kind.holds(result, result)


def wrapped(number: int, kind: Type) -> int:
    """The number converted to the type."""
    if kind is BOOL:
        return int(number != 0)
    number %= 1 << kind.bits
    return number - (1 << kind.bits) if kind.is_signed and number > kind.high else number


def shift(draft: Draft) -> None:
    """A shift by a small, a large or a negative number of bits."""
    left, right = draft.random.choice(WIDE), draft.random.choice(SIGNED)
    kind = promoted(left)
    risky = draft.risks()
    a = interesting(draft, left)
    b = draft.random.choice((0, 1, kind.bits - 1, kind.bits // 2, 7))
    if risky:
        b = draft.random.choice((b, b, kind.bits, kind.bits + 1, -1, 31, 32, 63, 64))
    operator = draft.pick("<<", ">>")
    if not risky and operator == "<<" and kind.is_signed:
        a, b = draft.number(0, 9), draft.number(0, 24)
    first, second = draft.operand(left, a), draft.operand(right, b)
    name = draft.name("r")
    if draft.chance(0.3) and left is kind:
        draft.line(f"{kind.name} {name} = {first};")
        draft.line(f"{name} {operator}= {second};")
    else:
        draft.line(f"{kind.name} {name} = {first} {operator} {second};")
    draft.check(name)


def step(draft: Draft) -> None:
    """Increments, decrements, negation and absolute values at the ends of a type."""
    kind = draft.random.choice(WIDE)
    name = draft.name("n")
    risky = kind.rank < INT.rank or not kind.is_signed or draft.risks()
    start = interesting(draft, kind) if risky else draft.number(-5, 5)
    draft.line(f"{kind.name} {name} = {draft.operand(kind, start)};")
    form = draft.pick(f"{name}++", f"++{name}", f"{name}--", f"--{name}", f"-{name}", f"{name} = -{name}")
    if draft.chance(0.3):
        form = draft.pick(f"{name} < 0 ? -{name} : {name}", f"{name} += {name}", f"{name} *= 2")
        if not draft.is_open and not (-3 < start < 3) and "*=" in form:
            form = f"!{name}"
    draft.check(f"({form})")
    draft.check(name)


def promotion(draft: Draft) -> None:
    """Mixed types in one expression: promotions and the usual arithmetic conversions."""
    kinds = [draft.random.choice(TYPES) for _ in range(3)]
    operands = [draft.operand(kind, interesting(draft, kind)) for kind in kinds]
    a, b, c = operands
    one, two = draft.random.choice(COMPARISONS), draft.random.choice(COMPARISONS)
    bits = draft.pick("&", "|", "^")
    draft.check(f"({a} {one} {b})")
    draft.check(f"(({a} {bits} {b}) {two} {c})")
    draft.check(
        draft.pick(f"(~{a})", f"(!{a})", f"(int)sizeof({a} + {b})", f"(({c}) ? {a} : {b})", f"(+{b})")
    )
    narrow = draft.random.choice(WIDE)
    draft.check(f"(({narrow.name})({a} {bits} {c}))")


FLOATS = (
    *(
        "0.0",
        "0.5",
        "-0.5",
        "1.5",
        "-1.0",
        "255.0",
        "256.0",
        "-128.0",
        "-129.0",
        "65535.5",
        "0.1",
        "3.999999",
    ),
    *("2147483647.0", "2147483648.0", "-2147483648.0", "-2147483649.0", "4294967295.0", "4294967296.0"),
    *("9223372036854775808.0", "18446744073709551615.0", "1e30", "-1e30"),
)
SMALL_FLOATS = ("0.0", "0.5", "1.5", "2.25", "100.75", "126.999", "3.0")


def float_conversion(draft: Draft) -> None:
    """A conversion from floating point to an integer type, which fits or not."""
    kind = draft.random.choice(WIDE)
    source = draft.pick("float", "double", "double", "long double")
    suffix = {"float": "f", "double": "", "long double": "L"}[source]
    number = draft.random.choice(FLOATS if draft.risks() else SMALL_FLOATS) + suffix
    name, result = draft.name("d"), draft.name("r")
    if draft.chance(0.2):
        draft.line(f"{kind.name} {result} = ({kind.name}){number};")
    else:
        draft.line(f"{draft.pick('', 'volatile ', 'const ')}{source} {name} = {number};")
        cast = draft.pick("", f"({kind.name})")
        draft.line(f"{kind.name} {result} = {cast}{name};")
    draft.check(result)


def float_arithmetic(draft: Draft) -> None:
    """Floating-point values, compared and scaled to integers."""
    source = draft.pick("float", "double")
    suffix = "f" if source == "float" else ""
    a, b = (draft.random.choice(FLOATS) + suffix for _ in range(2))
    first, second = draft.name("x"), draft.name("y")
    draft.line(f"{draft.pick('', 'volatile ')}{source} {first} = {a}, {second} = {b};")
    draft.check(f"({first} {draft.random.choice(COMPARISONS)} {second})")
    draft.check(f"({first} + {second} {draft.random.choice(COMPARISONS)} {first} * {second})")
    result = draft.name("z")
    draft.line(f"{source} {result} = {first} {draft.pick('+', '-', '*')} {second};")
    draft.check(f"({result} > 1000.0 ? 1000 : {result} < -1000.0 ? -1000 : (int)({result} * 64))")
    number = interesting(draft, kind := draft.random.choice(WIDE))
    draft.check(f"(({source}){literal(kind, number)} {draft.random.choice(COMPARISONS)} {second})")
    draft.check(f"({first} == {first}) + ({second} ? 2 : 4) + (!{first} ? 8 : 16)")


def bit_fields(draft: Draft) -> None:
    """Bit-fields take what fits and keep their neighbours."""
    tag, name = draft.name("bits"), draft.name("b")
    widths = [draft.number(1, 12) for _ in range(4)]
    bases = [draft.pick("unsigned", "int", "signed", "unsigned char", "_Bool") for _ in range(4)]
    members = []
    for number, (base, width) in enumerate(zip(bases, widths, strict=True)):
        most = {"unsigned char": 8, "_Bool": 1}.get(base, 12)
        members.append(f"{base} m{number} : {min(width, most)};")
        if draft.chance(0.15):
            members.append(draft.pick("unsigned : 0;", "int : 3;", "char : 0;"))
    draft.file_scope(f"struct {tag} {{ {' '.join(members)} }};", tag)
    values = ", ".join(f".m{n} = {draft.number(0, 1)}" for n in range(4))
    draft.line(f"struct {tag} {name} = {{ {values} }};")
    for _ in range(draft.number(1, 4)):
        member = f"{name}.m{draft.number(0, 3)}"
        value = draft.operand(INT, draft.number(-20, 5000))
        form = draft.pick("= {}", "+= {}", "^= {}", "|= {}", "-= {}", "++", "--")
        if bases[int(member[-1])] == "_Bool" and form in ("++", "--"):
            form = "= {}"
        draft.line(f"{member} {form.format(value)};".replace(" ++", "++").replace(" --", "--"))
    for number in range(4):
        draft.check(f"{name}.m{number}")
    draft.check(f"({name}.m0 {draft.random.choice(COMPARISONS)} {name}.m1 - {draft.number(0, 3)})")
    draft.check(f"(int)sizeof(struct {tag})")


def unions(draft: Draft) -> None:
    """What was written as one member is read as another."""
    tag, name = draft.name("view"), draft.name("u")
    members = (
        "unsigned word; int number; float real; unsigned char bytes[8]; unsigned long wide; short half[4]"
    )
    members += "; struct { unsigned low; unsigned high; } parts"
    draft.file_scope(f"union {tag} {{ {members}; }};", tag)
    draft.line(f"union {tag} {name} = {{ .wide = {draft.operand(INT, draft.number(0, 1 << 30))} }};")
    upper = set(range(4, 8))
    """Bytes behind the smaller members whose values are specified: a store to one of these leaves none."""
    for _ in range(draft.number(1, 3)):
        index = draft.number(0, 7)
        writes: list[tuple[str, set[int] | None]] = [
            (f"real = {draft.random.choice(FLOATS)}f", None),
            (f"number = {draft.number(-70000, 70000)}", None),
            (f"bytes[{index}] = {draft.number(0, 255)}", {index}),
            (f"half[{index // 2}] = {draft.number(-32768, 32767)}", {index & 6, index | 1}),
            (f"parts.high = {draft.number(0, 1 << 31)}u", set(range(4, 8))),
        ]
        text, written = draft.random.choice(writes)
        draft.line(f"{name}.{text};")
        upper = set() if written is None else upper | written
    known = ["word", "number", "bytes[0]", "bytes[3]", "half[1]"]
    known += ["wide", "parts.high"] if upper >= set(range(4, 8)) else []
    for member in draft.random.sample(known, 4):
        draft.check(f"{name}.{member}")
    draft.check(f"(int)sizeof(union {tag})")


def enumerations(draft: Draft) -> None:
    """Enumeration constants, ``sizeof``, ``_Alignof`` and ``offsetof`` in constant expressions."""
    tag, prefix = draft.name("kind"), draft.name("K")
    start = draft.number(-5, 100)
    constants = [f"{prefix}_A = {start}", f"{prefix}_B", f"{prefix}_C = {prefix}_A * 2"]
    names = [f"{prefix}_{letter}" for letter in "ABC"]
    draft.file_scope(f"enum {tag} {{ {', '.join(constants)} }};", tag, *names)
    struct = draft.name("layout")
    kinds = [draft.random.choice(TYPES).name for _ in range(3)]
    draft.file_scope(f"struct {struct} {{ {kinds[0]} a; {kinds[1]} b[3]; {kinds[2]} c; }};", struct)
    variable = draft.name("e")
    draft.line(f"enum {tag} {variable} = {draft.random.choice(names)};")
    with draft.block(f"switch ({variable})"):
        for position, constant in enumerate(names):
            if position == 2 and start in (0, 1):
                continue
            draft.line(
                f"case {constant}: {variable} = {draft.random.choice(names)};{draft.pick('', ' break;')}"
            )
    draft.check(variable)
    draft.check(f"(int)(sizeof(struct {struct}) * 100 + offsetof(struct {struct}, c))")
    draft.check(f"(int)(offsetof(struct {struct}, b[2]) + _Alignof(struct {struct}))")
    draft.check(f"({variable} - {draft.number(0, 9)} < 0)")


CORNERS: dict[str, tuple[Corner, int]] = {
    "arithmetic": (arithmetic, 4),
    "shift": (shift, 4),
    "step": (step, 2),
    "promotion": (promotion, 2),
    "float-conversion": (float_conversion, 3),
    "float-arithmetic": (float_arithmetic, 2),
    "bit-fields": (bit_fields, 2),
    "unions": (unions, 2),
    "enumerations": (enumerations, 1),
}
