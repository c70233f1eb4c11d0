"""Corners of texts and numbers: what is read from texts, written to them, cut out of them, and computed."""

from sley.program.properties import Property
from tests.fuzz.judge.draft import Corner, Draft

DEREF, FREE, LEAK, REACH = Property.DEREF, Property.FREE, Property.LEAK, Property.REACH

NUMERALS = (
    "42",
    " -7x",
    "0x1fg",
    "077",
    "1.5e2,",
    "-.25",
    "",
    "+",
    "1e",
    "99999999999999999999",
    "12 34",
    "inf",
)


def numerals(draft: Draft) -> None:
    """Numbers at the start of a text: their value, where they end, and what happens to ``errno``."""
    name, text = draft.name("text"), draft.random.choice(NUMERALS)
    draft.line(f'const char *{name} = "{text}";')
    draft.line(f"char *{name}e = 0;")
    base = draft.pick("0", "10", "16", "36")
    call = draft.pick(
        f"strtol({name}, &{name}e, {base})",
        f"(long long)strtoul({name}, &{name}e, {base})",
        f"strtoll({name}, &{name}e, {base})",
        f"(strtod({name}, &{name}e) > 1e15 ? 1e15 : strtod({name}, 0)) * 8",
        f"(strtof({name}, &{name}e) > 1e9f ? 1e9f : strtof({name}, 0)) * 4",
    )
    if draft.fails(DEREF, what="a number is read from no text"):
        draft.check(call.replace(name, f"(char *)0 + 0 * (long){name}", 1).replace(f"&{name}e", "0"))
        return
    draft.line("errno = 0;")
    draft.check(call)
    draft.check(f"{name}e ? {name}e - {name} : -1")
    draft.check("errno == ERANGE")


SCANS = (
    ('"12 abc"', '"%d %3s"', 'int {a} = 0; char {b}[4] = "";', "&{a}, {b}", "{a} + {b}[0]"),
    ('"k = v"', '"%7[^= ] = %7s"', 'char {a}[8] = "", {b}[8] = "";', "{a}, {b}", "{a}[0] * 256 + {b}[0]"),
    ('"2.5,x"', '"%lf%c"', "double {a} = 0; char {b} = 0;", "&{a}, &{b}", "{a} * 8 + {b}"),
    ('"1234567"', '"%3hd%ln"', "short {a} = 0; long {b} = 0;", "&{a}, &{b}", "{a} * 10 + {b}"),
    ('" ff 10"', '"%x%n"', "unsigned {a} = 0; int {b} = 0;", "&{a}, &{b}", "{a} * 16 + {b}"),
    ('"x7"', '"%d %d"', "int {a} = 1, {b} = 2;", "&{a}, &{b}", "{a} * 10 + {b}"),
    ('""', '"%d%d"', "int {a} = 1, {b} = 2;", "&{a}, &{b}", "{a} * 10 + {b}"),
    ('"5:30"', '"%2d:%*c%d"', "int {a} = 1, {b} = 2;", "&{a}, &{b}", "{a} * 10 + {b}"),
)
"""A text, a format, variables, what is given for them, and what they are then."""
MISFITS = (
    ('"1"', '"%d"', "char {a};", "(void *)&{a}"),
    ('"1"', '"%ld"', "int {a};", "(void *)&{a}"),
    ('"abc"', '"%3s"', "char {a}[3];", "{a}"),
    ('"abcd"', '"%s"', "char {a}[4];", "{a}"),
    ('"aaa"', '"%3[a]"', "char {a}[3];", "{a}"),
    ('"1"', '"%d"', "int *{a} = 0;", "{a}"),
)


def scans(draft: Draft) -> None:
    """``sscanf``: how many, which values, and whether they fit where they go."""
    names = {"a": draft.name("a"), "b": draft.name("b")}
    if draft.fails(DEREF, what="a conversion writes more than there is place for"):
        text, pattern, declared, given = draft.random.choice(MISFITS)
        draft.line(declared.format(**names))
        draft.check(f"sscanf({text}, {pattern}, {given.format(**names)})")
        return
    text, pattern, declared, given, value = draft.random.choice(SCANS)
    draft.line(declared.format(**names))
    draft.check(f"sscanf({text}, {pattern}, {given.format(**names)})")
    draft.check(value.format(**names))


PIECES = (
    'strtok_r({t}, ",", &{t}p)',
    'strsep(&{t}q, ",;")',
    'strpbrk({t}, ";b")',
    "index({t}, ',')",
    "rindex({t}, 'a')",
    "strchrnul({t}, 'z')",
    'memmem({t}, 5, ";b", 2)',
    'strcasestr({t}, "B")',
    "(char *)memccpy({t}c, {t}, 'b', 5)",
    "stpcpy({t}c, {t})",
)


def pieces(draft: Draft) -> None:
    """Texts are taken apart, and compared without case."""
    name = draft.name("text")
    draft.line(f'char {name}[] = "{draft.pick("a,b;c", ",,b;a", "aaaaa", ";b,;b")}", {name}c[8] = "";')
    draft.line(f"char *{name}p = 0, *{name}q = {name};")
    for piece in draft.random.sample(PIECES, 2):
        call, found = piece.format(t=name), draft.name("found")
        draft.line(f"char *{found} = {call};")
        origin = f"{name}c" if f"{name}c" in call else name
        draft.check(f"{found} ? (int)({found} - {origin}) : -1")
    draft.check(f'strcasecmp({name}, "A,B;C") == 0')
    draft.check(f'strncasecmp({name}, "A,", 2) == 0')
    draft.check(f"{name}[1] * 256 + {name}[{draft.number(2, 4)}]")


def duplicates(draft: Draft) -> None:
    """Texts in blocks of their own, which must be freed as they are."""
    name, text = draft.name("copy"), draft.pick("", "a", "hello")
    copied = draft.pick(f'strdup("{text}")', f'strndup("{text}", 3)')
    draft.line(f"char *{name} = {copied};")
    form = draft.pick("forgotten", "inner", "twice", "past")
    prop = {"forgotten": LEAK, "past": DEREF}.get(form, FREE)
    wrong = draft.fails(prop, what=f"a copied text is {form}")
    with draft.block(f"if ({name})"):
        draft.check(f"(int)strlen({name}) * 256 + {name}[0]")
        if wrong and form == "past":
            draft.check(f"{name}[strlen({name}) + 1]")
        if not (wrong and form == "forgotten"):
            draft.line(f"free({name}{' + 1' if wrong and form == 'inner' else ''});")
        if wrong and form == "twice":
            draft.line(f"free({name});")
        draft.line(f"{name} = 0;")


DATES = ("%Y-%m-%d", "%H:%M:%S", "%j", "%y%m%d", "%a %b %e", "%%%d", "%F %T", "%I %p", "%u%w")


def dates(draft: Draft) -> None:
    """Seconds become dates, and dates become texts, if they have room; bad times are refused."""
    name, pattern = draft.name("when"), draft.random.choice(DATES)
    seconds = draft.random.choice((0, 86399, 951782400, 1700000000, -1))
    draft.line(f"time_t {name} = {seconds};")
    draft.line(f"struct tm {name}t;")
    if draft.fails(DEREF, what="a date that there is none of"):
        draft.line(f"{name} = LONG_MAX;")
        draft.check(f"gmtime(&{name})->tm_sec >= 0")
        return
    draft.line(f"char {name}c[24] = {{0}};")
    with draft.block(f"if (gmtime_r(&{name}, &{name}t))"):
        draft.check(f"{name}t.tm_year * 1000 + {name}t.tm_yday")
        draft.check(f"{name}t.tm_hour * 100 + {name}t.tm_min * 10 + {name}t.tm_wday")
        draft.check(f'(int)strftime({name}c, {draft.pick("24", "4")}, "{pattern}", &{name}t) <= 24')
        draft.check(f'(int)strftime({name}c, 24, "{pattern}", &{name}t)')
        draft.check(f"{name}c[0] * 256 + {name}c[2]")
    draft.line(f"struct timespec {name}s = {{0, {draft.pick('-1', '1000000000')}}};")
    draft.check(f"nanosleep(&{name}s, 0) == -1 && errno == EINVAL")


REALS = ("0.0", "-0.0", "2.5", "-3.75", "1e3", "0.125", "7.0", "-0.5", "1e300", "0x1p-1060")
OF_ONE = ("floor", "ceil", "trunc", "rint", "nearbyint", "round", "fabs")
OF_TWO = ("fmod", "copysign", "fmin", "fmax", "fdim")
KINDS = (
    "isnormal",
    "signbit",
    "isnan",
    "isinf",
    "isfinite",
    "FP_ZERO == fpclassify",
    "FP_NORMAL == fpclassify",
)


def reals(draft: Draft) -> None:
    """Functions on floating-point numbers whose results are exact."""
    name, n = draft.name("x"), draft.number(-3, 4)
    draft.line(f"volatile double {name}v = {draft.random.choice(REALS)};")
    draft.line(f"double {name} = {name}v, {name}y = {draft.random.choice(REALS[2:8])}, {name}w = 0;")
    draft.line(f"int {name}n = 0;")
    same = draft.pick(
        f"{draft.random.choice(OF_ONE)}({name})",
        f"{draft.random.choice(OF_TWO)}({name}, {name}y)",
        f"ldexp({name}, {n})",
        f"scalbn({name}, {n})",
        f"frexp({name}, &{name}n)",
        f"modf({name}, &{name}w)",
    )
    draft.line(f"double {name}r = {same};")
    draft.check(f"({name}r > 1e15 ? 1e15 : {name}r < -1e15 ? -1e15 : {name}r) * 64")
    draft.check(f"({name}w > 1e15 ? 1e15 : {name}w) + {name}n * 2 + !!signbit({name}r)")
    draft.check(f"!!({draft.random.choice(KINDS)}({name})) + 2 * !!({draft.random.choice(KINDS)}({name}r))")
    if draft.fails(REACH, what="minus zero has no sign", probability=0.3):
        draft.line("assert(!signbit(-0.0 * 1));")


REAL_FORMATS = (
    "%.2f",
    "%g",
    "%e",
    "%.0f",
    "%7.1f|",
    "%-8.3g|",
    "%+.1e",
    "%G",
    "%#g",
    "%08.2f",
    "%.10g",
    "%f",
)


def real_formats(draft: Draft) -> None:
    """Floating-point numbers as texts, and back."""
    name, value = draft.name("out"), draft.random.choice((*REALS[:8], "1e-5", "123456.5", "1234567.0", "0.1"))
    pattern = draft.random.choice(REAL_FORMATS)
    if draft.fails(DEREF, what="a number that has no room", probability=0.4):
        draft.line(f"char {name}[6];")
        draft.check(f'sprintf({name}, "%f", {draft.random.choice(REALS[:8])})')
        return
    draft.line(f"char {name}[32] = {{0}};")
    draft.check(f'snprintf({name}, {draft.pick("32", "3")}, "{pattern}", {value})')
    draft.check(f"{name}[0] * 65536 + {name}[1] * 256 + {name}[2]")
    draft.check(f"{name}[4] * 256 + {name}[6]")
    draft.check(f"atof({name}) * 16")


CORNERS: dict[str, tuple[Corner, int]] = {
    "numerals": (numerals, 2),
    "scans": (scans, 2),
    "pieces": (pieces, 2),
    "duplicates": (duplicates, 1),
    "dates": (dates, 1),
    "reals": (reals, 2),
    "real-formats": (real_formats, 2),
}
