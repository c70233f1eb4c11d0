"""Corners of the language: initialisers, assignments, temporaries, function pointers, jumps, ends."""

from sley.program.properties import Property
from tests.fuzz.judge.draft import INT, Corner, Draft
from tests.fuzz.judge.values import FLOATS
from tests.fuzz.sequential import TYPES

DEREF, REACH = Property.DEREF, Property.REACH


def initialisers(draft: Draft) -> None:
    """Designators, braces left out, strings without their end, addresses in static objects."""
    tag, name = draft.name("record"), draft.name("r")
    draft.file_scope(f"struct {tag} {{ int a; char s[4]; struct {{ int x, y; }} in[2]; int *p; }};", tag)
    target = draft.name("target")
    draft.file_scope(
        f"static int {target}[3] = {{ [2] = {draft.number(1, 9)}, [0] = {draft.number(1, 9)} }};", target
    )
    text = draft.pick("ab", "abc", "abcd")
    value = draft.pick(
        f'{{ 1, "{text}", {{ {{2, 3}}, {{4}} }}, &{target}[1] }}',
        f'{{ .s = "{text}", .in[1].y = 7, .p = {target} + 2 }}',
        f'{{ 5, {{ "{text}" }}, 1, 2, 3, 4, {target} }}',
        f"{{ .in = {{ [1] = {{ .x = {draft.number(1, 9)} }} }}, .a = 3, .p = &{target}[0] }}",
        f"{{ .a = 1, .a = {draft.number(2, 9)}, .in[0] = {{ 4, 5 }}, .in[0].y = 6, .p = {target} }}",
    )
    if draft.chance():
        draft.file_scope(f"static struct {tag} {name} = {value};", name)
    else:
        draft.line(f"struct {tag} {name} = {value};")
    for member in ("a", "s[0]", "s[3]", "in[0].x", "in[0].y", "in[1].x", "in[1].y"):
        draft.check(f"{name}.{member}")
    draft.check(f"*{name}.p + (int)({name}.p - {target})")


def compound_assignment(draft: Draft) -> None:
    """An assignment with an operator computes in the common type and converts back."""
    kind, name = draft.random.choice([kind for kind in TYPES if kind.bits > 1]), draft.name("n")
    draft.line(f"{kind.name} {name} = {draft.operand(kind, draft.number(0, 100))};")
    if draft.chance(0.4):
        risky = draft.risks()
        factor = draft.random.choice(FLOATS if risky else ("0.5", "0.25", "1.0"))
        operator = draft.pick("*=", "*=", "+=") if risky else "*="
        draft.line(f"{name} {operator} {factor}{draft.pick('', 'f')};")
        draft.check(name)
        return
    other = draft.random.choice([kind for kind in TYPES if kind.bits > 1])
    operator = draft.pick("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ">>=", "<<=")
    value = draft.number(1, 6)
    draft.line(f"{name} {operator} {draft.operand(other, value)};")
    draft.check(name)
    draft.check(f"({name} {draft.pick('+=', '^=', '|=')} {draft.operand(INT, draft.number(0, 9))})")
    flag = draft.name("b")
    draft.line(f"_Bool {flag} = {draft.pick('0.5', '-0.0', '256', f'{name}', '(char)0', '1e-30')};")
    draft.check(flag)


def temporaries(draft: Draft) -> None:
    """A structure that a function returns lives until the end of the full expression."""
    tag, make, name = draft.name("value"), draft.name("make"), draft.name("p")
    draft.file_scope(f"struct {tag} {{ int a[3]; int n; }};", tag)
    draft.file_scope(
        f"static struct {tag} {make}(int n) {{ struct {tag} v = {{ {{ n, n + 1, n + 2 }}, n }}; return v; }}",
        make,
    )
    number, index = draft.number(0, 50), draft.number(0, 2)
    wrong = draft.fails(
        DEREF, what="use of a temporary after its expression", unseen="gcc keeps it to the block's end"
    )
    if wrong:
        draft.line(f"int *{name} = {make}({number}).a;")
        draft.check(f"{name}[{index}]")
    else:
        draft.check(f"{make}({number}).a[{index}]")
        draft.check(f"*({make}({number}).a + {index}) + {make}({index}).n")
        draft.check(f"(1 ? {make}(3) : {make}(4)).a[1]")


def function_pointers(draft: Draft) -> None:
    """Functions in tables, chosen at run time, compared, or null."""
    table, add, sub = draft.name("table"), draft.name("add"), draft.name("sub")
    draft.file_scope(f"static int {add}(int a, int b) {{ return a + b; }}", add)
    draft.file_scope(f"static int {sub}(int a, int b) {{ return a - b; }}", sub)
    draft.file_scope(f"static int (*{table}[3])(int, int) = {{ {add}, &{sub} }};", table)
    wrong = draft.fails(DEREF, what="a call of a null function")
    index = draft.operand(INT, 2 if wrong else draft.number(0, 1))
    draft.check(f"({add} == {sub}) + 2 * ({table}[0] == {add}) + 4 * ({table}[2] == 0)")
    draft.check(
        draft.pick(f"{table}[{index}](7, 3)", f"(*{table}[{index}])(7, 3)", f"(**{table}[{index}])(7, 3)")
    )


def cases(draft: Draft) -> None:
    """A switch converts its labels to the promoted type of what it switches on."""
    kind, name = draft.random.choice([kind for kind in TYPES if kind.bits > 1]), draft.name("n")
    value = draft.random.choice((kind.low, kind.high, 0, 1, 5))
    draft.line(f"{kind.name} {name} = {draft.operand(kind, value)};")
    result = draft.name("r")
    draft.line(f"int {result} = 0;")
    with draft.block(f"switch ({name})"):
        for number, label in enumerate(
            draft.random.sample(("0", "1", "-1", "5", "127", "255", "-128", "65535"), 4)
        ):
            draft.line(f"case {label}: {result} += {number + 1};{draft.pick('', ' break;', ' break;')}")
        if draft.chance():
            draft.line(f"default: {result} += 100;")
    draft.check(result)


def long_jumps(draft: Draft) -> None:
    """Jumps over declarations and out of blocks; what was computed before stays."""
    name, label, other = draft.name("n"), draft.name("there"), draft.name("m")
    draft.line(f"int {name} = {draft.number(0, 2)}, {other} = 0;")
    with draft.block(f"if ({name} > 0)"):
        draft.line(f"goto {label};")
    draft.line(f"{other} = 10;")
    with draft.block():
        draft.line(f"int inner = {draft.number(1, 9)};")
        draft.line("inner++;")
        draft.lines.append(f"{label}:")
        draft.line(f"inner = {name} * 3;")
        draft.line(f"{other} += inner;")
        draft.line(f"if ({name}-- > 1) goto {label};")
    draft.check(other)
    draft.check(name)


def conditions(draft: Draft) -> None:
    """``&&``, ``||``, ``?:`` and the comma evaluate what they must and nothing else."""
    name, pointer = draft.name("n"), draft.name("p")
    draft.line(f"int {name} = {draft.number(0, 3)}, *{pointer} = {draft.pick('0', f'&{name}')};")
    draft.check(f"({pointer} && *{pointer} > 1) + 2 * (!{pointer} || {name}++)")
    draft.check(f"({name} ? {name}-- : ++{name})")
    draft.check(f"({name} > 1 || ({name} = 9)) + {draft.number(0, 4)}")
    draft.check(name)
    draft.check(f"(int)sizeof({name}++) + {name}")
    draft.check(f"({name} ?: 42)")


def unions_of_pointers(draft: Draft) -> None:
    """A pointer copied byte by byte, in a union or inside a structure is that pointer."""
    name, target = draft.name("u"), draft.name("target")
    draft.line(f"int {target}[2] = {{ {draft.number(1, 9)}, {draft.number(10, 19)} }};")
    form = draft.pick("union", "memcpy", "struct")
    if form == "union":
        draft.line(f"union {{ int *p; uintptr_t n; }} {name};")
        draft.line(f"{name}.p = {target};")
        draft.line(f"{name}.n += sizeof(int);")
        pointer = f"{name}.p"
    elif form == "memcpy":
        draft.line(f"int *{name} = &{target}[1], *{name}c;")
        draft.line(f"memcpy(&{name}c, &{name}, sizeof {name});")
        pointer = f"{name}c"
    else:
        draft.line(f"struct {{ char c; int *p; }} {name} = {{ 1, {target} + 1 }}, {name}c;")
        draft.line(f"memcpy(&{name}c, &{name}, sizeof {name});")
        pointer = f"{name}c.p"
    draft.line(f"*{pointer} += 1;")
    draft.check(f"{target}[1] + ({pointer} == {target} + 1)")
    if draft.fails(DEREF, what="a copied pointer past the end"):
        draft.check(f"{pointer}[1]")


def exits(draft: Draft) -> None:
    """Functions registered with ``atexit`` run in reverse order, but not at ``_Exit``."""
    first, second, x = draft.name("first"), draft.name("second"), draft.name("x")
    end = draft.pick("exit(0);", "return 0;", "_Exit(0);")
    wrong = end != "_Exit(0);" and draft.fails(REACH, what="an assertion in an exit handler fails")
    draft.file_scope(f"static int {x} = 1;", x)
    draft.file_scope(f"static void {first}(void) {{ assert({x} == {3 if wrong else 2}); }}", first)
    draft.file_scope(f"static void {second}(void) {{ {x}++; }}", second)
    draft.has_ended = True
    draft.line(f"atexit({first});")
    draft.line(f"atexit({second});")
    draft.line(end)


def string_tools(draft: Draft) -> None:
    """``strdup``, ``strtok``, ``sscanf``, ``snprintf`` without a buffer."""
    name, size = draft.name("s"), draft.name("n")
    form = draft.pick("strdup", "strtok", "sscanf", "measure", "limits")
    if form == "strdup":
        draft.line(f'char *{name} = strdup("{draft.pick("abc", "hello", "")}");')
        draft.line(f"{name}[0] = 'z';")
        draft.check(f"{name}[0]")
        if not draft.fails(Property.LEAK, what="a copied string is lost", unseen="a stale copy may be there"):
            draft.line(f"free({name});")
        draft.line(f"{name} = 0;")
    elif form == "strtok":
        draft.line(f'char {name}[] = "{draft.pick("a,b,c", "aa;b", ",,x,y", "")}";')
        draft.line(f"int {size} = 0;")
        with draft.block(f'for (char *t = strtok({name}, ",;"); t; t = strtok(0, ",;"))'):
            draft.line(f"{size} = {size} * 10 + (int)strlen(t);")
        draft.check(size)
    elif form == "sscanf":
        draft.line(f"int {name} = 0, {name}b = 0;")
        draft.line(
            f'int {size} = sscanf("{draft.pick("12 34", "7 x", "", "-5,6")}", "%d %d", &{name}, &{name}b);'
        )
        draft.check(f"{size} * 10000 + {name} * 100 + {name}b")
    elif form == "measure":
        draft.line(
            f'int {size} = snprintf(0, 0, "%d-%s", {draft.number(0, 9999)}, "{draft.pick("a", "bcd")}");'
        )
        draft.line(f"char *{name} = malloc({size} + 1);")
        risk = draft.risks()
        extra = draft.number(0, 2) if risk else draft.number(0, 1)
        draft.line(f"memset({name}, 'x', {size} + {extra});")
        draft.check(f"{name}[{size} - 1]")
        draft.line(f"free({name});")
    else:
        text = draft.pick("99999999999999999999", "-99999999999999999999", "12abc", "", "+7", "0x10")
        draft.line(f'long {name} = strtol("{text}", 0, {draft.pick("0", "10")});')
        draft.check(name)
        draft.check(f'strtoul("{draft.pick("-1", "42", "18446744073709551615")}", 0, 10) > 100')


CORNERS: dict[str, tuple[Corner, int]] = {
    "initialisers": (initialisers, 2),
    "compound-assignment": (compound_assignment, 2),
    "temporaries": (temporaries, 1),
    "function-pointers": (function_pointers, 1),
    "cases": (cases, 1),
    "long-jumps": (long_jumps, 1),
    "conditions": (conditions, 1),
    "unions-of-pointers": (unions_of_pointers, 1),
    "exits": (exits, 1),
    "string-tools": (string_tools, 2),
}
