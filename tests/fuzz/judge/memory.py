"""Corners of memory: lifetimes, bounds, the heap, pointers as integers, constants."""

from sley.program.properties import Property
from tests.fuzz.judge.draft import INT, Corner, Draft

DEREF, FREE, LEAK = Property.DEREF, Property.FREE, Property.LEAK


def block_local(draft: Draft) -> None:
    """A pointer to a local of a block, used while it lives or after."""
    pointer, local, value = draft.name("p"), draft.name("local"), draft.number(1, 90)
    is_array = draft.chance(0.3)
    declaration = f"int {local}[2] = {{{value}, {value + 1}}};" if is_array else f"int {local} = {value};"
    take = (
        f"{pointer} = {local if is_array and draft.chance() else '&' + local + ('[1]' if is_array else '')};"
    )
    if draft.chance(0.3):
        draft.file_scope(f"static int *{pointer};", pointer)
    else:
        draft.line(f"int *{pointer} = 0;")
    wrong = draft.fails(DEREF, what="use of a local after its block")
    use = draft.pick("read", "write", "call")
    if use == "call":
        reader = draft.name("read")
        draft.file_scope(f"static int {reader}(int *from) {{ return *from; }}", reader)
    else:
        reader = ""

    def use_it() -> None:
        if use == "write":
            draft.line(f"*{pointer} = {draft.number(0, 9)};")
        draft.check(f"{reader}({pointer})" if reader else f"*{pointer}")

    form = draft.pick("block", "if", "loop", "goto", "break", "continue", "switch", "iteration", "do")
    if form in ("block", "if", "switch", "do"):
        heads = {
            "block": "",
            "if": f"if ({draft.pick('1', f'!{pointer}')})",
            "switch": f"switch ({value})",
            "do": "do",
        }
        with draft.block(heads[form]):
            if form == "switch":
                draft.line("default:;")
            draft.code(declaration, take)
            if not wrong:
                use_it()
        if form == "do":
            draft.lines[-1] += " while (0);"
    elif form in ("loop", "break", "continue"):
        counter = draft.name("i")
        with draft.block(f"for (int {counter} = 0; {counter} < 2; {counter}++)"):
            draft.code(declaration, take)
            if not wrong:
                use_it()
            if form != "loop":
                draft.line(f"{form};")
    else:
        counter, label = draft.name("turn"), draft.name("again")
        if form == "iteration":
            head = f"for (int {counter} = 0; {counter} < 2; {counter}++)"
        else:
            head = ""
            draft.line(f"int {counter} = 0;")
            draft.lines.append(f"{label}:;")
        late = wrong and draft.chance()
        if late:
            draft.unseen("the new object is where the old one was")
        with draft.block(head):
            if late:
                draft.line(declaration)
            if wrong:
                with draft.block(f"if ({counter} == 1)"):
                    use_it()
            draft.code(*([take] if late else [declaration, take]))
            if not wrong:
                use_it()
            if form == "goto":
                draft.line(f"if ({counter}++ < 1) goto {label};")
        return
    if wrong:
        use_it()


def kept_from_before(draft: Draft) -> None:
    """A function leaves the address of a local to its next call."""
    kept, function, total = draft.name("kept"), draft.name("visit"), draft.name("total")
    wrong = draft.fails(
        DEREF, what="a local of an earlier call", unseen="the new object is where the old one was"
    )
    draft.file_scope(f"static int *{kept}, {total};", kept, total)
    storage = "" if wrong else "static "
    with draft.function(f"static void {function}(int number)", function):
        draft.line(f"{storage}int local = 1;")
        draft.line(f"if ({kept}) {total} += *{kept};")
        draft.line(f"{kept} = &local;")
        draft.line("local += number;")
    with draft.block("for (int i = 0; i < 2; i++)"):
        draft.line(f"{function}(i);")
    if not wrong:
        draft.check(total)


def returned_local(draft: Draft) -> None:
    """A function gives away the address of a local, a parameter, or of something that stays."""
    function, value = draft.name("give"), draft.number(1, 90)
    wrong = draft.fails(
        DEREF, what="use of a local after its function", unseen="gcc returns a null pointer instead"
    )
    if wrong:
        body = draft.pick(
            f"int local = {value}; int *p = &local; return p;",
            "int *p = &number; return p;",
            f"int local[3] = {{{value}, 1, 2}}; int *p = local; return p + 1;",
        )
    else:
        body = draft.pick(
            f"static int local = {value}; return &local;",
            f"static int local[3] = {{{value}, 1, 2}}; return local + number % 3;",
        )
    draft.file_scope(f"static int *{function}(int number) {{ {body} }}", function)
    draft.check(f"*{function}({draft.number(0, 9)})")


def compound_literal(draft: Draft) -> None:
    """A compound literal lives as long as the block around it."""
    pointer, value = draft.name("p"), draft.number(1, 90)
    draft.line(f"int *{pointer} = 0;")
    wrong = draft.fails(
        DEREF, what="use of a compound literal after its block", unseen="gcc does not end compound literals"
    )
    taken = draft.pick(f"&(int){{{value}}}", f"(int[]){{{value}, 2, 3}}", f"(int[3]){{[1] = {value}}} + 1")
    with draft.block(draft.pick("", "if (1)", "for (int once = 0; once < 1; once++)")):
        draft.line(f"{pointer} = {taken};")
        if not wrong:
            if draft.chance():
                draft.line(f"*{pointer} += 1;")
            draft.check(f"*{pointer}")
    if wrong:
        draft.check(f"*{pointer}")
    else:
        struct = draft.name("pair")
        draft.file_scope(f"struct {struct} {{ int x, y; }};", struct)
        total = draft.name("total")
        draft.file_scope(f"static int {total}(struct {struct} s) {{ return s.x * 10 + s.y; }}", total)
        draft.check(f"{total}((struct {struct}){{ .y = {value}, .x = {draft.number(0, 9)} }})")


def array_index(draft: Draft) -> None:
    """An index into a local, static or heap array, inside or outside."""
    kind = draft.pick("int", "char", "long", "short")
    name, count = draft.name("a"), draft.number(1, 5)
    risky = draft.risks()
    place = draft.pick("local", "static", "heap", "parameter")
    if place == "local":
        draft.line(f"{kind} {name}[{count}] = {{1}};")
    elif place == "static":
        draft.file_scope(f"static {kind} {name}[{count}] = {{1}};", name)
    else:
        draft.line(f"{kind} *{name} = calloc({count}, sizeof({kind}));")
    position = draft.number(-1, count + 1) if risky else draft.number(0, count - 1)
    index = draft.operand(INT, position)
    if place == "parameter":
        function = draft.name("at")
        draft.file_scope(f"static int {function}({kind} from[], int i) {{ return from[i]; }}", function)
        draft.check(f"{function}({name}, {index})")
    else:
        form = draft.pick(f"{name}[{index}]", f"*({name} + {index})", f"{index}[{name}]")
        if draft.chance():
            draft.line(f"{form} = {draft.number(0, 9)};")
        draft.check(form)
    if place in ("heap", "parameter"):
        draft.line(f"free({name});")


def inner_bounds(draft: Draft) -> None:
    """Members and rows have bounds of their own."""
    tag, name = draft.name("row"), draft.name("s")
    count = draft.number(2, 4)
    wrong = draft.fails(
        DEREF, what="index past an inner array", unseen="the neighbour is in the same object", probability=0.7
    )
    index = count + draft.number(0, 1) if wrong else draft.number(0, count - 1)
    if draft.chance():
        members = f"int head[{count}]; int tail[{count}];"
        draft.file_scope(f"struct {tag} {{ {members} }};", tag)
        draft.line(f"struct {tag} {name} = {{ {{1, 2}}, {{3, 4}} }};")
        inner = f"{name}.head"
    else:
        draft.line(f"int {name}[2][{count}] = {{ {{1, 2}}, {{3, 4}} }};")
        inner = f"{name}[0]"
    form = draft.pick("direct", "pointer", "call")
    if wrong and form != "direct":
        draft.known_as("inner-pointer")
    if form == "direct":
        draft.check(f"{inner}[{draft.operand(INT, index)}]")
    elif form == "pointer":
        pointer = draft.name("p")
        draft.line(f"int *{pointer} = {inner};")
        draft.check(f"{pointer}[{draft.operand(INT, index)}]")
    else:
        function = draft.name("at")
        draft.file_scope(f"static int {function}(int *from, int i) {{ return from[i]; }}", function)
        draft.check(f"{function}({inner}, {draft.operand(INT, index)})")


def past_the_end(draft: Draft) -> None:
    """A pointer may point one past the last element, be compared there, and go back."""
    name, count = draft.name("a"), draft.number(2, 5)
    pointer, sum_ = draft.name("p"), draft.name("sum")
    numbers = ", ".join(str(draft.number(0, 20)) for _ in range(count))
    draft.line(f"int {name}[{count}] = {{{numbers}}}, {sum_} = 0;")
    wrong = draft.fails(DEREF, what="use of the element past the end")
    last = "<=" if wrong else "<"
    style = draft.pick("up", "down", "difference")
    if style == "up":
        with draft.block(f"for (int *{pointer} = {name}; {pointer} {last} {name} + {count}; {pointer}++)"):
            draft.line(f"{sum_} += *{pointer};")
    elif style == "down":
        first = "" if wrong else "--"
        draft.line(f"int *{pointer} = {name} + {count};")
        draft.line(f"{sum_} += *{first}{pointer};")
    else:
        draft.line(f"int *{pointer} = &{name}[{count}];")
        draft.check(
            f"(int)({pointer} - {name}) * 10 + ({pointer} > {name}) + ({pointer} == {name} + {count})"
        )
        if wrong:
            draft.line(f"{sum_} = *{pointer};")
    draft.check(sum_)


def heap_machine(draft: Draft) -> None:
    """Random operations on a few heap blocks through a few pointers."""
    wrong = draft.risks()
    kind = draft.pick("int", "char", "long")
    pointers = [draft.name("h") for _ in range(3)]
    draft.line(f"{kind} {', '.join('*' + p + ' = 0' for p in pointers)};")
    held: dict[str, int | None] = dict.fromkeys(pointers)
    """How many elements a pointer's block has, as long as nothing goes wrong."""
    for _ in range(draft.number(4, 9)):
        p = draft.random.choice(pointers)
        size = held[p]
        form = draft.pick("allocate", "write", "read", "free", "realloc", "move")
        count = draft.number(1, 4)
        if form == "allocate" and (size is None or (wrong and draft.chance(0.1))):
            call = draft.pick(f"malloc({count} * sizeof *{p})", f"calloc({count}, sizeof({kind}))")
            draft.line(f"{p} = {call};")
            draft.line(f"for (int i = 0; i < {count}; i++) {p}[i] = i;")
            held[p] = count
        elif form in ("write", "read") and (size is not None or (wrong and draft.chance(0.15))):
            limit = (size or 1) if wrong and draft.chance(0.2) else (size or 1) - 1
            index = draft.number(0, limit)
            if form == "write":
                draft.line(f"{p}[{index}] = {draft.number(0, 99)};")
            else:
                draft.check(f"{p}[{index}]")
        elif form == "free" and (size is not None or draft.chance(0.2) or wrong):
            draft.line(f"free({p});")
            if not wrong or draft.chance(0.7):
                draft.line(f"{p} = 0;")
            held[p] = None
        elif form == "realloc" and size is not None:
            draft.line(f"{p} = realloc({p}, {count} * sizeof({kind}));")
            held[p] = count
            if size < count:
                draft.line(f"for (int i = {size}; i < {count}; i++) {p}[i] = 7;")
        elif form == "move" and size is not None:
            free = [q for q in pointers if held[q] is None and q != p]
            if free:
                q = draft.random.choice(free)
                draft.line(f"{q} = {p};")
                held[q] = size
                if not wrong or draft.chance(0.6):
                    draft.line(f"{p} = 0;")
                held[p] = None
    for p in pointers:
        if not wrong or draft.chance(0.9):
            draft.line(f"free({p});")
    draft.code(*(f"{p} = 0;" for p in pointers))


def lost_block(draft: Draft) -> None:
    """A block is freed, kept by a global, or lost."""
    wrong = draft.fails(LEAK, what="a lost block", unseen="a stale copy may be on the stack")
    form = draft.pick("list", "local", "global", "overwrite")
    if form == "list":
        tag, head, next_ = draft.name("node"), draft.name("head"), draft.name("next")
        draft.file_scope(f"struct {tag} {{ int value; struct {tag} *next; }};", tag)
        draft.line(f"struct {tag} *{head} = 0;")
        count = draft.number(1, 3)
        with draft.block(f"for (int i = 0; i < {count}; i++)"):
            draft.line(f"struct {tag} *{next_} = malloc(sizeof *{next_});")
            draft.line(f"*{next_} = (struct {tag}){{ i, {head} }};")
            draft.line(f"{head} = {next_};")
        draft.check(f"{head}->value")
        with draft.block(f"while ({head} && {head}->next)" if wrong else f"while ({head})"):
            draft.line(f"struct {tag} *{next_} = {head}->next;")
            draft.line(f"free({head});")
            draft.line(f"{head} = {next_};")
        if wrong:
            draft.line(f"{head} = 0;")
        return
    pointer = draft.name("p")
    if form == "global":
        draft.file_scope(f"static int *{pointer};", pointer)
        draft.line(f"if (!{pointer}) {pointer} = malloc(4);")
        if wrong:
            draft.line(f"{pointer} = 0;")
    else:
        draft.line(f"int *{pointer} = malloc(4);")
        if form == "overwrite":
            if not wrong:
                draft.line(f"free({pointer});")
            draft.line(f"{pointer} = malloc(8);")
            draft.line(f"free({pointer});")
        elif not wrong:
            draft.line(f"free({pointer});")
        draft.line(f"{pointer} = 0;")


def bad_free(draft: Draft) -> None:
    """``free`` takes what ``malloc`` gave, once, and nothing else."""
    pointer = draft.name("p")
    draft.line(f"char *{pointer} = malloc({draft.number(2, 6)});")
    draft.line(f"{pointer}[1] = {draft.number(0, 9)};")
    draft.check(f"{pointer}[1]")
    if draft.fails(FREE, DEREF, what="an invalid free"):
        other = draft.name("q")
        form = draft.pick("inside", "twice", "array", "moved", "literal")
        if form == "inside":
            draft.code(f"free({pointer} + 1);")
        elif form == "twice":
            draft.code(f"char *{other} = {pointer};", f"free({pointer});", f"free({other});")
        elif form == "array":
            draft.code(
                f"free({pointer});", f"char {other}[4] = {{0}};", f"{pointer} = {other};", f"free({pointer});"
            )
        elif form == "moved":
            draft.code(f"char *{other} = realloc({pointer}, 100);", f"free({other});", f"free({other});")
        else:
            draft.code(f"free({pointer});", f'{pointer} = (char *)"text";', f"free({pointer});")
    else:
        draft.line(f"free({pointer});")
        draft.line("free(NULL);")


def hidden_pointer(draft: Draft) -> None:
    """A pointer that travels as an integer is the same pointer."""
    pointer, hidden, back = draft.name("p"), draft.name("hidden"), draft.name("back")
    draft.line(f"int *{pointer} = malloc(2 * sizeof(int));")
    draft.line(f"{pointer}[0] = {draft.number(1, 50)}, {pointer}[1] = {draft.number(1, 50)};")
    form = draft.pick("plain", "xor", "halves", "doubled", "bytes", "negated", "added")
    number = draft.name("k")
    if form == "plain":
        draft.code(f"uintptr_t {hidden} = (uintptr_t){pointer};", f"int *{back} = (int *){hidden};")
    elif form == "xor":
        draft.code(
            f"uintptr_t {number} = {draft.number(1, 1 << 30)};",
            f"uintptr_t {hidden} = (uintptr_t){pointer} ^ {number};",
            f"int *{back} = (int *)({hidden} ^ {number});",
        )
    elif form == "halves":
        draft.code(
            f"unsigned {hidden} = (unsigned)((uintptr_t){pointer} >> 32);",
            f"unsigned {number} = (unsigned)(uintptr_t){pointer};",
            f"int *{back} = (int *)(((uintptr_t){hidden} << 32) | {number});",
        )
    elif form == "doubled":
        draft.code(
            f"uintptr_t {hidden} = (uintptr_t){pointer} * 2;",
            f"int *{back} = (int *)({hidden} / 2);",
        )
    elif form == "bytes":
        draft.code(
            f"unsigned char {hidden}[sizeof {pointer}];",
            f"memcpy({hidden}, &{pointer}, sizeof {pointer});",
            f"int *{back};",
            f"for (unsigned i = 0; i < sizeof {back}; i++) ((unsigned char *)&{back})[i] = {hidden}[i];",
        )
    elif form == "negated":
        draft.code(f"uintptr_t {hidden} = ~(uintptr_t){pointer};", f"int *{back} = (int *)~{hidden};")
    else:
        draft.code(f"uintptr_t {hidden} = (uintptr_t){pointer} + 4;", f"int *{back} = (int *){hidden} - 1;")
    draft.check(f"({back} == {pointer}) + {back}[1]")
    wrong = draft.fails(DEREF, FREE, LEAK, what="a hidden pointer is used after free, freed twice or lost")
    if not wrong:
        draft.line(f"free({draft.pick(pointer, back)});")
    elif draft.chance():
        draft.line(f"free({back});")
        draft.check(f"{pointer}[{draft.number(0, 1)}]")
    else:
        draft.line(f"free({pointer});")
        draft.line(draft.pick(f"free({back});", f"*{back} = 1;"))


def constant_object(draft: Draft) -> None:
    """An object defined ``const`` is not written; one that is not may be, through any pointer."""
    wrong = draft.fails(
        DEREF, what="a write to a const object", unseen="const objects on the stack can be written"
    )
    name, pointer = draft.name("k"), draft.name("p")
    const = "const " if wrong else ""
    form = draft.pick("local", "global", "array", "member", "literal")
    if form == "local":
        draft.line(f"{const}int {name} = {draft.number(1, 9)};")
        draft.line(f"int *{pointer} = (int *)(const int *)&{name};")
    elif form == "global":
        draft.file_scope(f"static {const}int {name} = {draft.number(1, 9)};", name)
        draft.line(f"int *{pointer} = (int *)(const int *)&{name};")
    elif form == "array":
        draft.file_scope(f"{const}int {name}[2] = {{1, 2}};", name)
        draft.line(f"int *{pointer} = (int *)(const int *){name} + 1;")
    elif form == "member":
        draft.line(f"struct {{ int a; {const}int b; }} {name} = {{1, 2}};")
        draft.line(f"int *{pointer} = (int *)(const int *)&{name}.b;")
    else:
        declared = f'char *{name} = "text";' if wrong else f'char {name}[] = "text";'
        draft.line(declared)
        draft.line(f"char *{pointer} = {name} + 1;")
    draft.check(f"*{pointer}")
    draft.line(f"*{pointer} = {draft.number(10, 99)};")
    draft.check(f"*{pointer}")


def null_pointer(draft: Draft) -> None:
    """Null pointers are compared and passed on, not used."""
    pointer, tag = draft.name("p"), draft.name("thing")
    draft.file_scope(f"struct {tag} {{ int a; int b[2]; struct {tag} *next; }};", tag)
    wrong = draft.fails(DEREF, what="use of a null pointer")
    draft.line(f"struct {tag} one = {{1, {{2, 3}}, 0}};".replace("one", (one := draft.name("one"))))
    draft.line(f"struct {tag} *{pointer} = {'0' if wrong and draft.chance() else '&' + one};")
    draft.check(f"{pointer} == NULL")
    if wrong:
        draft.line(f"if ({pointer}) {pointer} = {pointer}->next;")
        draft.check(draft.pick(f"{pointer}->b[1]", f"(*{pointer}).a", f"{pointer}->next == 0"))
    else:
        guard = draft.pick(f"{pointer}->next ? {pointer}->next->a : -1", f"{pointer} && {pointer}->next && 1")
        draft.check(f"({guard})")
        draft.line(f"{pointer} = {pointer}->next;")
        draft.check(f"(!{pointer})")


def variable_length(draft: Draft) -> None:
    """Variable-length arrays and flexible array members have the size asked for."""
    risky = draft.risks()
    count = draft.number(1, 4)
    length, name = draft.operand(INT, count), draft.name("v")
    index = draft.operand(INT, draft.number(0, count if risky else count - 1))
    if draft.chance():
        draft.line(f"int {name}[{length}];")
        draft.line(f"for (int i = 0; i < {count}; i++) {name}[i] = i * 3;")
        draft.check(f"(int)sizeof {name}")
        draft.check(f"{name}[{index}]")
    else:
        tag = draft.name("flexible")
        draft.file_scope(f"struct {tag} {{ int count; int items[]; }};", tag)
        draft.line(f"struct {tag} *{name} = malloc(sizeof *{name} + {length} * sizeof(int));")
        draft.line(f"{name}->count = {count};")
        draft.line(f"for (int i = 0; i < {name}->count; i++) {name}->items[i] = i * 3;")
        draft.check(f"{name}->items[{index}]")
        draft.line(f"free({name});")


def initialised_flexible(draft: Draft) -> None:
    """A flexible array member that an initialiser gives elements."""
    tag, name = draft.name("flexible"), draft.name("f")
    count = draft.number(1, 3)
    draft.file_scope(f"struct {tag} {{ int count; char items[]; }};", tag)
    items = ", ".join(str(draft.number(1, 99)) for _ in range(count))
    draft.file_scope(f"static struct {tag} {name} = {{ {count}, {{ {items} }} }};", name)
    wrong = draft.fails(DEREF, what="an element past an initialised flexible array", unseen="padding follows")
    index = draft.operand(INT, count + draft.number(8, 9) if wrong else draft.number(0, count - 1))
    draft.check(f"{name}.items[{index}]")
    draft.check(f"{name}.count")


def uninitialised(draft: Draft) -> None:
    """Nobody knows what an object holds that was not initialised."""
    name, wrong = draft.name("x"), False
    form = draft.pick("local", "heap", "struct")
    wrong = draft.fails(
        Property.REACH, what="a claim about an indeterminate value", unseen="it may hold by chance"
    )
    value = draft.number(1, 1000)
    place = name
    if form == "local":
        draft.line(f"int {name};")
        draft.line(f"int *{name}p = &{name};")
        place = f"*{name}p"
    elif form == "heap":
        draft.line(f"int *{name} = malloc(sizeof(int));")
        place = f"*{name}"
    else:
        draft.line(f"struct {{ int a, b; }} {name};")
        draft.line(f"{name}.a = {value};")
        place = f"{name}.b" if wrong else f"{name}.a"
    if not wrong and form != "struct":
        draft.line(f"{place} = {value};")
    if wrong:
        draft.line(f"assert({place} == {value});")
    else:
        draft.check(place)
    if form == "heap":
        draft.line(f"free({name});")


CORNERS: dict[str, tuple[Corner, int]] = {
    "block-local": (block_local, 4),
    "returned-local": (returned_local, 1),
    "kept-from-before": (kept_from_before, 1),
    "compound-literal": (compound_literal, 2),
    "array-index": (array_index, 3),
    "inner-bounds": (inner_bounds, 2),
    "past-the-end": (past_the_end, 2),
    "heap-machine": (heap_machine, 5),
    "lost-block": (lost_block, 2),
    "bad-free": (bad_free, 2),
    "hidden-pointer": (hidden_pointer, 3),
    "constant-object": (constant_object, 2),
    "null-pointer": (null_pointer, 1),
    "variable-length": (variable_length, 2),
    "initialised-flexible": (initialised_flexible, 1),
    "uninitialised": (uninitialised, 1),
}
