"""Corners of the library and of control flow: strings, formats, sorting, the end of the process."""

from sley.program.properties import Property
from tests.fuzz.judge.draft import INT, Corner, Draft

DEREF, REACH = Property.DEREF, Property.REACH

WORDS = ("", "a", "ab", "abc", "abd", "hello", "zz", "a b", "Ab", "aab", "-12", " 42x", "0x1f")


def word(draft: Draft) -> str:
    return draft.random.choice(WORDS)


def sign(expression: str) -> str:
    """What the standard says about a comparison: its sign."""
    return f"(({expression}) > 0) - (({expression}) < 0)"


def buffer(draft: Draft, size: int) -> tuple[str, bool]:
    """An array of characters somewhere, full of zeros, and whether it must be freed."""
    name = draft.name("buffer")
    place = draft.pick("local", "static", "heap")
    if place == "local":
        draft.line(f"char {name}[{size}] = {{0}};")
    elif place == "static":
        draft.file_scope(f"static char {name}[{size}];", name)
        draft.line(f"memset({name}, 0, {size});")
    else:
        draft.line(f"char *{name} = calloc({size}, 1);")
    return name, place == "heap"


def string_queries(draft: Draft) -> None:
    """What the functions of <string.h> that only read say."""
    a, b = word(draft), word(draft)
    first, second = draft.name("s"), draft.name("t")
    draft.line(draft.pick(f'const char *{first} = "{a}";', f'char {first}[] = "{a}";'))
    draft.line(f'const char *{second} = "{b}";')
    count = draft.number(0, 4)
    letter = draft.pick("'a'", "'b'", "'z'", "0")
    found = draft.name("found")
    for query in draft.random.sample(
        (
            f"(int)strlen({first}) * 10 + (int)strlen({second})",
            sign(f"strcmp({first}, {second})"),
            sign(f"strncmp({first}, {second}, {count})"),
            sign(f"memcmp({first}, {second}, {min(len(a), len(b)) + 1})"),
            f"strchr({first}, {letter}) ? (int)(strchr({first}, {letter}) - {first}) : -1",
            f"strrchr({first}, {letter}) ? (int)(strrchr({first}, {letter}) - {first}) : -1",
            f"strstr({first}, {second}) ? (int)(strstr({first}, {second}) - {first}) : -1",
            f"(int)strspn({first}, {second}) * 10 + (int)strcspn({first}, {second})",
            f"(int)strnlen({first}, {count})",
            f"memchr({first}, {letter}, {len(a) + 1}) != NULL",
            f"atoi({first}) + atoi({second})",
            f"(int)strtol({first}, NULL, {draft.pick('0', '10', '16')})",
        ),
        3,
    ):
        draft.check(f"({query})")
    if draft.chance(0.3):
        draft.line(f"char *{found};")
        draft.line(f"long {found}n = strtol({second}, &{found}, 10);")
        draft.check(f"{found}n * 100 + ({found} - {second})")


def string_bounds(draft: Draft) -> None:
    """Functions that read a string or a block stop where it ends, or do not."""
    name, size = draft.name("s"), draft.number(2, 5)
    wrong = draft.fails(DEREF, what="a library function reads past the end")
    letters = ", ".join(f"'{draft.pick('a', 'b', 'c')}'" for _ in range(size))
    place = draft.pick("local", "static", "heap")
    if place == "local":
        draft.line(f"char {name}[{size}] = {{{letters}}};")
    elif place == "static":
        draft.file_scope(f"static char {name}[{size}] = {{{letters}}};", name)
    else:
        draft.line(f"char *{name} = malloc({size});")
        draft.line(f"for (int i = 0; i < {size}; i++) {name}[i] = 'a' + i;")
    form = draft.pick("strlen", "memcmp", "memchr", "strcpy", "memcpy", "strnlen")
    if form in ("strlen", "strcpy"):
        if not wrong:
            draft.line(f"{name}[{draft.number(0, size - 1)}] = 0;")
        copy = draft.name("copy")
        if form == "strcpy":
            draft.line(f"char {copy}[16];")
            draft.line(f"strcpy({copy}, {name});")
            draft.check(f"{copy}[0]")
        else:
            draft.check(f"(int)strlen({name})")
    else:
        count = draft.operand(INT, size + draft.number(1, 3) if wrong else draft.number(0, size))
        other = draft.name("other")
        draft.line(f'char {other}[16] = "{"z" if not wrong else ""}";')
        if wrong:
            draft.line(f"memcpy({other}, {name}, {size});")
        draft.check(
            {
                "memcmp": sign(f"memcmp({name}, {other}, {count})"),
                "memchr": f"memchr({name}, '!', {count}) != 0",
                "memcpy": f"((char *)memcpy({other}, {name}, {count}))[1]",
                "strnlen": f"(int)strnlen({name}, {count})",
            }[form]
        )
    if place == "heap":
        draft.line(f"free({name});")


def inner_strings(draft: Draft) -> None:
    """Strings in members have the bounds of the member."""
    tag, name, size = draft.name("person"), draft.name("who"), draft.number(3, 6)
    draft.file_scope(f"struct {tag} {{ char name[{size}]; char rest[8]; int age; }};", tag)
    wrong = draft.fails(DEREF, what="a string longer than its member", unseen="it stays inside the object")
    length = size + draft.number(0, 3) if wrong else draft.number(0, size - 1)
    draft.line(f'struct {tag} {name} = {{ "", "rest", 5 }};')
    text = "abcdefghij"[:length]
    direct = f"for (int i = 0; i <= {length}; i++) {name}.name[i] = i < {length} ? 'a' : 0;"
    line = draft.pick(
        f'strcpy({name}.name, "{text}");',
        f'sprintf({name}.name, "%s", "{text}");',
        f'memcpy({name}.name, "{text}", {length + 1});',
        direct,
    )
    if wrong and line != direct:
        draft.known_as("inner-pointer")
    draft.line(line)
    draft.check(f"{name}.name[0]")
    if not wrong:
        draft.check(f"(int)strlen({name}.name) + {name}.age + {name}.rest[0]")


def output(draft: Draft) -> None:
    """What the functions that print return: an error, or what they must."""
    value, text, name = draft.number(-999, 9999), word(draft), draft.name("n")
    call, result = draft.random.choice(
        (
            (f'printf("%d\\n", {value})', len(str(value)) + 1),
            (f'printf("%s-%c\\n", "{text}", 120)', len(text) + 3),
            (f'fprintf(stdout, "%5x|\\n", {abs(value)})', max(5, len(f"{abs(value):x}")) + 2),
            ("putchar('a')", ord("a")),
            ("fputc(65, stdout)", 65),
        )
    )
    if draft.fails(REACH, what="a claim that output never fails", unseen="it works in a run"):
        draft.line(f"int {name} = {call};")
        draft.line(f"assert({name} == {result});")
    else:
        draft.line(f"int {name} = {call};")
        draft.line(f"assert({name} < 0 || {name} == {result});")
        draft.line(f'puts("{text}");')


def parameters(draft: Draft) -> None:
    """Array parameters are pointers; functions keep static locals and call themselves."""
    first, count = draft.name("first"), draft.name("count")
    tag = draft.name("item")
    draft.file_scope(f"struct {tag} {{ int x, y; }};", tag)
    body = draft.pick(
        "return v->y;", "return v == 0 ? -1 : v[1].x;", "return (v ? v : 0) != 0;", "return (*v).x;"
    )
    size = draft.pick("", "2", "static 1")
    draft.file_scope(f"static int {first}(struct {tag} v[{size}]) {{ {body} }}", first)
    name = draft.name("items")
    draft.line(f"struct {tag} {name}[2] = {{ {{1, 2}}, {{{draft.number(3, 9)}, 4}} }};")
    draft.check(f"{first}({name})")
    again = draft.name("again")
    draft.file_scope(f"static int {count}(void) {{ static int calls = 5; return calls++; }}", count)
    draft.file_scope(f"static int {again}(int n) {{ return n <= 1 ? 1 : n * {again}(n - 1); }}", again)
    draft.line(f"int {name}c = {count}();")
    draft.check(f"{count}() - {name}c")
    draft.check(f"{again}({draft.number(0, 6)})")


def loops(draft: Draft) -> None:
    """Nested loops with break, continue and goto; a switch that falls through."""
    total, i, j = draft.name("total"), draft.name("i"), draft.name("j")
    draft.line(f"int {total} = 0;")
    label = draft.name("out")
    with draft.block(f"for (int {i} = 0; {i} < {draft.number(2, 4)}; {i}++)"):
        draft.line(f"int {j} = {i};")
        with draft.block(draft.pick("while (1)", "for (;;)")):
            draft.line(f"if (++{j} > {draft.number(2, 5)}) break;")
            draft.line(f"if ({j} % 2) continue;")
            if draft.chance(0.3):
                draft.line(f"if ({total} > {draft.number(5, 20)}) goto {label};")
            with draft.block(f"switch ({j})"):
                draft.line(f"case 1: {total} += 1;")
                draft.line(f"case 2: {total} += 2;{draft.pick('', ' break;')}")
                draft.line(f"default: {total} += 10;{draft.pick('', ' continue;')}")
                draft.line(f"case 4 ... 5: {total} += 100;")
    draft.lines.append(f"{label}:;")
    draft.check(total)


def string_copies(draft: Draft) -> None:
    """Copies into a buffer that is large enough or not."""
    risky = draft.risks()
    text, more = draft.pick(*WORDS[1:6]), draft.pick(*WORDS[1:4])
    needed = len(text) + len(more) + 1
    size = draft.number(1, needed) if risky else needed + draft.number(0, 2)
    name, is_heap = buffer(draft, size)
    form = draft.pick("strcpy", "strcat", "strncpy", "strncat", "memcpy", "memmove", "memset", "copies")
    count = draft.number(0, size + 1 if risky else min(size - 1, len(text) + 1))
    if form == "strcpy":
        draft.line(f'strcpy({name}, "{text}");')
    elif form == "strcat":
        draft.line(f'strcpy({name}, "{text}");')
        draft.line(f'strcat({name}, "{more}");')
    elif form == "strncpy":
        draft.line(f'strncpy({name}, "{text}", {count});')
    elif form == "strncat":
        draft.line(f'strncat({name}, "{text}", {draft.number(0, 6) if risky else min(count, size - 1)});')
    elif form == "memcpy":
        draft.line(f'memcpy({name}, "{text}", {count});')
    elif form == "memmove":
        draft.line(f'strcpy({name}, "{text}");')
        draft.line(
            f"memmove({name} + 1, {name}, {draft.number(0, size) if risky else draft.number(0, size - 1)});"
        )
    elif form == "memset":
        draft.line(f"memset({name}, {draft.number(0, 300)}, {count});")
    else:
        source = draft.name("source")
        draft.line(f'const char *{source} = "{text}";')
        draft.line(f"char *{source}d = {name};")
        draft.line(f"while ((*{source}d++ = *{source}++)) ;")
    for _ in range(2):
        draft.check(f"{name}[{draft.number(0, size - 1)}]")
    if is_heap:
        draft.line(f"free({name});")


def overlap(draft: Draft) -> None:
    """``memcpy`` and ``strcpy`` need apart what ``memmove`` may have together."""
    name, amount, distance = draft.name("b"), draft.number(1, 4), draft.number(1, 4)
    draft.line(f'char {name}[12] = "abcdefgh";')
    is_overlapping = distance < amount
    if is_overlapping and not draft.fails(
        DEREF, Property.MISUSE, what="an overlapping memcpy", probability=1.0
    ):
        draft.line(f"memmove({name} + {distance}, {name}, {amount});")
    else:
        pair = draft.pick(f"{name} + {distance}, {name}", f"{name}, {name} + {distance}")
        draft.line(f"memcpy({pair}, {draft.operand(INT, amount)});")
    draft.check(f"{name}[{draft.number(0, 8)}]")
    draft.check(f"{name}[{distance}]")


CONVERSIONS = (
    ("%d", ("42", "-7", "0", "2147483647")),
    ("%5d", ("42", "-7")),
    ("%-5d|", ("42",)),
    ("%05d", ("42", "-7")),
    ("%+d", ("42", "0")),
    ("%u", ("42u", "4294967295u")),
    ("%x", ("255u", "48879u")),
    ("%#x", ("255u", "0u")),
    ("%#o", ("8u",)),
    ("%X", ("48879u",)),
    ("%c", ("'x'", "65")),
    ("%s", ('"abc"', '""')),
    ("%6s", ('"abc"',)),
    ("%-6s.", ('"abc"',)),
    ("%.2s", ('"abc"', '"a"')),
    ("%*d", ("4, 42", "-4, 42")),
    ("%.*s", ('2, "abc"', '-1, "abc"', '0, "abc"')),
    ("%.3d", ("7", "-7")),
    ("%ld", ("42l", "-9000000000l")),
    ("%lld", ("42ll",)),
    ("%hhd", ("300", "200")),
    ("%hd", ("70000",)),
    ("%zu", ("sizeof(int)",)),
    ("%%", ("",)),
    ("% d", ("42",)),
    ("%.1f", ("2.5", "0.25")),
    ("%5.2f", ("3.14159",)),
)


def formats(draft: Draft) -> None:
    """``snprintf`` and ``sprintf``: what they write, how much, and what they return."""
    risky = draft.risks()
    size = draft.number(1, 12) if risky else 64
    name, is_heap = buffer(draft, size)
    chosen = [draft.random.choice(CONVERSIONS) for _ in range(draft.number(1, 3))]
    pattern = draft.pick("", "n=").join(["", *(conversion for conversion, _ in chosen)])
    arguments = "".join(
        f", {argument}" for _, choices in chosen if (argument := draft.random.choice(choices))
    )
    result = draft.name("n")
    function = draft.pick("sprintf", "snprintf", "snprintf")
    if draft.chance(0.25):
        draft.line(f'const char *{result}f = "{pattern}";')
        shown = f"{result}f"
    else:
        shown = f'"{pattern}"'
    limit = draft.number(0, size + 1) if risky else draft.random.choice((1, 3, size))
    bound = f" {limit}," if function == "snprintf" else ""
    draft.line(f"int {result} = {function}({name},{bound} {shown}{arguments});")
    draft.check(result)
    for _ in range(2):
        draft.check(f"{name}[{draft.number(0, min(size - 1, 7))}]")
    if function == "sprintf" or limit <= size:
        draft.check(f"(int)strlen({name})")
    if is_heap:
        draft.line(f"free({name});")


def format_arguments(draft: Draft) -> None:
    """A string argument must be a live string, up to the precision; ``%n`` writes."""
    name, out, result = draft.name("text"), draft.name("out"), draft.name("n")
    draft.line(f"char {out}[32] = {{0}};")
    form = draft.pick("freed", "unterminated", "precision", "count", "positions")
    if form == "freed":
        draft.line(f"char *{name} = malloc(4);")
        draft.line(f'strcpy({name}, "abc");')
        wrong = draft.fails(DEREF, what="a freed argument of a format")
        if wrong:
            draft.line(f"free({name});")
        draft.line(f'int {result} = snprintf({out}, sizeof {out}, "<%s>", {name});')
        draft.check(result)
        if not wrong:
            draft.line(f"free({name});")
    elif form == "count":
        draft.line(f"int {name} = 0;")
        draft.line(
            f'int {result} = snprintf({out}, sizeof {out}, "%d%n|", {draft.number(-99, 999)}, &{name});'
        )
        draft.check(f"{result} * 10 + {name}")
    elif form == "positions":
        draft.line(f'int {result} = snprintf({out}, sizeof {out}, "%2$d,%1$d", {draft.number(0, 9)}, 10);')
        draft.check(f"{result} * 1000 + {out}[0] + {out}[3]")
    else:
        draft.line(f"char {name}[3] = {{'a', 'b', 'c'}};")
        wrong = form == "unterminated" and draft.fails(
            DEREF, what="a format reads past the end of a string", unseen="a zero may follow"
        )
        precision = "" if wrong else draft.pick(".3", ".2", ".*")
        star = f"{draft.number(0, 3)}, " if precision == ".*" else ""
        draft.line(f'int {result} = snprintf({out}, sizeof {out}, "%{precision}s", {star}{name});')
        draft.check(result)
        draft.check(f"{out}[0] + {out}[1]")


def sorting(draft: Draft) -> None:
    """``qsort`` and ``bsearch`` with a comparison of one's own."""
    compare, name = draft.name("compare"), draft.name("a")
    body = draft.pick("return (*x > *y) - (*x < *y);", "return *x - *y;", "return (*x < *y) - (*x > *y);")
    declared = "const int *x = left, *y = right;"
    draft.file_scope(
        f"static int {compare}(const void *left, const void *right) {{ {declared} {body} }}", compare
    )
    numbers = [draft.number(-9, 9) for _ in range(draft.number(2, 4))]
    draft.line(f"int {name}[] = {{{', '.join(map(str, numbers))}}};")
    count = f"sizeof {name} / sizeof *{name}"
    draft.line(f"qsort({name}, {count}, sizeof *{name}, {compare});")
    for index in range(len(numbers)):
        draft.check(f"{name}[{index}]")
    key = draft.name("key")
    draft.line(f"int {key} = {draft.random.choice(numbers) if draft.chance(0.7) else 50};")
    draft.check(f"bsearch(&{key}, {name}, {count}, sizeof *{name}, {compare}) != NULL")


def process_end(draft: Draft) -> None:
    """The process ends in a branch: what follows there never happens, what follows elsewhere does."""
    name, ends = draft.name("x"), draft.name("leave")
    draft.line(f"int {name} = {draft.operand(INT, draft.number(0, 3))};")
    end = draft.pick("exit(0);", "exit(1);", "_Exit(0);", "abort();", "return 0;")
    function = draft.chance(0.4) and end != "return 0;"
    if function:
        draft.file_scope(f"static void {ends}(int when) {{ if (when) {end} }}", ends)
    limit = draft.number(-1, 3)
    form = draft.pick("branch", "loop", "switch")
    wrong = draft.fails(REACH, what="an assertion fails where the process has not ended", probability=0.5)
    if form == "branch":
        draft.line(f"{ends}({name} > 3);" if function else f"if ({name} > 3) {end}")
    elif form == "loop":
        with draft.block("for (int i = 0; i < 3; i++)"):
            draft.line(f"{ends}(i + {name} == 9);" if function else f"if (i + {name} == 9) {{ {end} }}")
    else:
        with draft.block(f"switch ({name})"):
            draft.line(f"case 7: {ends}(1);" if function else f"case 7: {end}")
            draft.line("case 8: assert(0);")
            draft.line("default: break;")
    if wrong:
        draft.line(f"assert({name} > 3);")
    elif limit >= 0 and draft.chance():
        draft.has_ended = True
        with draft.block(f"if ({name} >= 0)"):
            if draft.chance():
                draft.line('printf("end\\n");')
            draft.line(end if end != "abort();" else "exit(0);")
            draft.line("assert(0);")
    draft.check(f"{name}")


def variable_arguments(draft: Draft) -> None:
    """A function with a variable number of arguments reads what it was given."""
    name, count = draft.name("sum"), draft.number(0, 4)
    kind = draft.pick("int", "long")
    with draft.function(f"static long {name}(int count, ...)", name):
        draft.code("va_list list;", "long result = 0;", "va_start(list, count);")
        draft.line(f"for (int i = 0; i < count; i++) result = result * 3 + va_arg(list, {kind});")
        draft.code("va_end(list);", "return result;")
    suffix = "" if kind == "int" else "l"
    numbers = "".join(f", {draft.number(-9, 99)}{suffix}" for _ in range(count))
    draft.check(f"{name}({count}{numbers})")


def structures(draft: Draft) -> None:
    """Structures are copied whole, by assignment, argument and result; functions are called by pointer."""
    tag, make, turn, apply = (draft.name(stem) for stem in ("box", "make", "turn", "apply"))
    draft.file_scope(f"struct {tag} {{ char c; int n[2]; struct {{ short s; }} inner; }};", tag)
    draft.file_scope(
        f"static struct {tag} {make}(int n) {{ return (struct {tag}){{ 'c', {{ n, n + 1 }}, {{ 7 }} }}; }}",
        make,
    )
    with draft.function(f"static struct {tag} {turn}(struct {tag} b)", turn):
        draft.code("int n = b.n[0];", "b.n[0] = b.n[1];", "b.n[1] = n;", "return b;")
    with draft.function(f"static int {apply}(struct {tag} (*change)(struct {tag}), struct {tag} *b)", apply):
        draft.code("*b = change(*b);", "return b->n[0];")
    one, two = draft.name("one"), draft.name("two")
    draft.line(f"struct {tag} {one} = {make}({draft.number(0, 50)}), {two} = {one};")
    draft.check(f"{apply}({turn}, &{draft.pick(one, two)})")
    draft.line(f"{two}.inner = {one}.inner;")
    draft.line(f"{two}.n[{draft.number(0, 1)}] += {one}.n[1];")
    draft.check(f"{one}.n[0] * 1000 + {two}.n[0] * 10 + {two}.n[1] + {two}.inner.s")
    draft.check(f"{turn}({two}).n[0]")


def characters(draft: Draft) -> None:
    """<ctype.h> and <stdlib.h> on plain values."""
    letter = draft.random.choice("aZ5 _\n")
    shown = "\\n" if letter == "\n" else letter
    name = draft.name("c")
    draft.line(f"int {name} = '{shown}';")
    for query in draft.random.sample(
        (
            f"!!isdigit({name}) + 2 * !!isalpha({name}) + 4 * !!isspace({name})",
            f"!!isupper({name}) + 2 * !!islower({name}) + 4 * !!ispunct({name})",
            f"toupper({name})",
            f"tolower({name})",
            f"!!isxdigit({name}) + 2 * !!isprint({name})",
            f"abs({draft.number(-99, 99)})",
            f"labs({draft.number(-99, 99)}l)",
            f"div({draft.number(-99, 99)}, 7).rem",
        ),
        3,
    ):
        draft.check(query)


CORNERS: dict[str, tuple[Corner, int]] = {
    "string-queries": (string_queries, 3),
    "string-copies": (string_copies, 3),
    "string-bounds": (string_bounds, 2),
    "inner-strings": (inner_strings, 1),
    "output": (output, 1),
    "parameters": (parameters, 1),
    "loops": (loops, 1),
    "overlap": (overlap, 1),
    "formats": (formats, 3),
    "format-arguments": (format_arguments, 2),
    "sorting": (sorting, 1),
    "process-end": (process_end, 3),
    "variable-arguments": (variable_arguments, 1),
    "structures": (structures, 1),
    "characters": (characters, 1),
}
