"""Corners that the standard leaves open: whoever relies on one of the possible outcomes is wrong."""

from sley.program.properties import Property
from tests.fuzz.judge.draft import Corner, Draft

REACH, DEREF = Property.REACH, Property.DEREF


def layout(draft: Draft) -> None:
    """Equality of pointers is fixed; the numbers behind different objects are not."""
    a, b = draft.name("a"), draft.name("b")
    place = draft.pick("local", "static", "heap", "member")
    if place == "local":
        draft.line(f"int {a} = 1, {b} = 2;")
        first, second = f"&{a}", f"&{b}"
    elif place == "static":
        draft.file_scope(f"static int {a} = 1, {b} = 2;", a, b)
        first, second = f"&{a}", f"&{b}"
    elif place == "heap":
        draft.line(f"int *{a} = malloc(sizeof(int)), *{b} = malloc(sizeof(int));")
        first, second = a, b
    else:
        draft.line(f"struct {{ int first, second; }} {a} = {{1, 2}};")
        first, second = f"&{a}.first", f"&{a}.second"
    x, y = f"(uintptr_t)({first})", f"(uintptr_t)({second})"
    wrong = draft.fails(REACH, what="a claim about where objects are", unseen="the layout of a run")
    if wrong and place != "member":
        mask, near = draft.random.choice((32, 64, 4096)), draft.random.choice((64, 4096))
        rest = draft.random.choice((0, 16) if place == "heap" else (0, 4, 8, 12))  # as aligned as malloc's
        draft.line(
            draft.pick(
                f"assert({x} {draft.pick('<', '>')} {y});",
                f"assert({y} - {x} == {draft.random.choice((4, 8, 16, 32, -4, -8))});",
                f"assert({x} % {mask} {draft.pick('==', '!=')} {rest});",
                f"assert(({x} / 16 * 2654435761u >> 7) % 5 {draft.pick('==', '!=')} {draft.number(0, 4)});",
                f"assert(((unsigned){x} ^ (unsigned){y}) {draft.pick('>', '<')} {near});",
                f"assert((unsigned char)({x} >> 8) {draft.pick('==', '!=')} {draft.number(0, 255)});",
            )
        )
    elif wrong:
        draft.line(f"assert({x} % 64 {draft.pick('==', '!=')} {draft.random.choice((0, 8, 16, 32))});")
    else:
        draft.check(f"({first}) == ({second})")
        draft.check(f"{x} != 0 && {x} % _Alignof(int) == 0")
        draft.check(f"(int *){x} == ({first})")
        if place == "member":
            draft.check(f"(int)({y} - {x})")
    if place == "heap":
        draft.code(f"free({a});", f"free({b});")


def environment(draft: Draft) -> None:
    """What the world tells a program can be anything that its description allows."""
    name = draft.name("e")
    form = draft.pick("getenv", "rand", "time", "getpid", "getchar", "clock")
    wrong = draft.fails(REACH, what="a claim about the environment", unseen="it may hold by chance")
    if form == "getenv":
        draft.line(f'char *{name} = getenv("{draft.pick("HOME", "SLEY", "PATH")}");')
        if wrong:
            draft.line(f"assert({name} {draft.pick('== 0', '!= 0')});")
        elif draft.chance():
            draft.line(f"if ({name}) assert(strlen({name}) < (size_t)-1);")
        else:
            draft.line(f"if ({name} && {name}[0]) assert({name}[0] != 0);")
    elif form == "rand":
        draft.line(f"int {name} = rand();")
        least = draft.number(1, 9)
        draft.line(f"assert({name} >= {least});" if wrong else f"assert({name} >= 0 && {name} <= RAND_MAX);")
    elif form == "getchar":
        draft.line(f"int {name} = getchar();")
        draft.line(f"assert({name} {draft.pick('== EOF', '!= 65')});" if wrong else f"assert({name} >= EOF);")
    elif form == "time":
        draft.line(f"time_t {name} = time(0);")
        draft.line(f"assert({name} % 2 == {draft.number(0, 1)});" if wrong else f"assert({name} == {name});")
    elif form == "clock":
        draft.line(f"struct timespec {name};")
        draft.line(f"clock_gettime(CLOCK_MONOTONIC, &{name});")
        claim = (
            f"{name}.tv_nsec < 500000000" if wrong else f"{name}.tv_nsec >= 0 && {name}.tv_nsec < 1000000000"
        )
        draft.line(f"assert({claim});")
    else:
        draft.line(f"int {name} = getpid();")
        draft.line(
            f"assert({name} % 2 == {draft.number(0, 1)});" if wrong else f"assert({name} == getpid());"
        )


def unspecified(draft: Draft) -> None:
    """Results of which only the sign is fixed, bytes that are padding, operands in any order."""
    form = draft.pick("strcmp", "memcmp", "padding", "order", "arguments")
    wrong = draft.fails(
        REACH, what=f"a claim about something unspecified ({form})", unseen="one choice of many"
    )
    name = draft.name("u")
    if form in ("strcmp", "memcmp"):
        more = ", 2" if form == "memcmp" else ""
        draft.line(f'int {name} = {form}("ab", "a{draft.pick("d", "e")}"{more});')
        value = draft.random.choice((-1, -2, -3))
        draft.line(f"assert({name} {draft.pick('==', '!=')} {value});" if wrong else f"assert({name} < 0);")
    elif form == "padding":
        draft.line(f"struct {{ char c; int n; }} {name}, {name}o;")
        draft.line(f"{name}.c = {name}o.c = 1, {name}.n = {name}o.n = 2;")
        if wrong:
            draft.line(f"assert(memcmp(&{name}, &{name}o, sizeof {name}) {draft.pick('==', '!=')} 0);")
        else:
            draft.line(f"assert({name}.c == {name}o.c && {name}.n == {name}o.n);")
    else:
        counter, next_ = draft.name("counter"), draft.name("next")
        draft.file_scope(f"static int {counter};", counter)
        draft.file_scope(f"static int {next_}(void) {{ return ++{counter}; }}", next_)
        pair = draft.name("pair")
        draft.file_scope(f"static int {pair}(int x, int y) {{ return x * 10 + y; }}", pair)
        both = f"{next_}() * 10 + {next_}()" if form == "order" else f"{pair}({next_}(), {next_}())"
        draft.line(f"{counter} = 0;")
        draft.line(f"int {name} = {both};")
        if wrong:
            draft.known_as("evaluation-order")
            draft.line(f"assert({name} == {draft.pick('12', '21')});")
        else:
            draft.line(f"assert({name} == 12 || {name} == 21);")


def wild_pointer(draft: Draft) -> None:
    """A number is no pointer, unless it came from one."""
    name, target = draft.name("w"), draft.name("target")
    wrong = draft.fails(DEREF, what="use of an address out of nowhere")
    draft.line(f"int {target} = {draft.number(1, 99)};")
    if wrong:
        number = draft.random.choice(("4096", "0x10", "8", "0xdeadbee0", "(1 << 12)", "1ul << 40"))
        draft.line(f"uintptr_t {name}n = {number};")
        shown = draft.pick(f"(int *)({number})", f"(int *){name}n")
    else:
        draft.line(f"uintptr_t {name}n = (uintptr_t)&{target};")
        shown = draft.pick(f"(int *){name}n", f"(int *)(void *)({name}n + 0)")
    draft.line(f"int *{name} = {shown};")
    draft.line(draft.pick(f"*{name} += 1;", f"{name}[0] = 7;", ";"))
    draft.check(f"*{name}")


CORNERS: dict[str, tuple[Corner, int]] = {
    "layout": (layout, 3),
    "environment": (environment, 2),
    "unspecified": (unspecified, 2),
    "wild-pointer": (wild_pointer, 1),
}
