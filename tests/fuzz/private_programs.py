"""A generator of small programs about what a thread has for itself: same seed, same program.

Locals go by address to helpers that are inlined, are chosen between, are parts of structures and small
arrays, live again in each round of a loop, and are sometimes left over, never written, or given away after
all. Blocks of the heap stay in their thread, mostly. What comes out is noted in shared variables.
"""

from tests.fuzz.written_programs import HEADER, Writer

GLOBALS = """\
struct pair { int a; int b; };
struct node { int value; struct node *next; };
int x, y;
_Atomic int v;
int *_Atomic of_other;
int *plain;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void put(int *out, int value) { *out = value; }
static int take(int *out, int value) { if (value == 1) return 0; *out = value; return 1; }
static void cas(_Atomic int *at, int old, int new, int *done) {
  __VERIFIER_atomic_begin();
  if (*at == old) { *at = new; *done = 1; } else *done = 0;
  __VERIFIER_atomic_end();
}
static void swap(int *one, int *other) { int kept = *one; *one = *other; *other = kept; }
static void turn(struct pair *p) { swap(&p->a, &p->b); p->a++; }
static struct pair turned(struct pair p) { turn(&p); return p; }
static int *larger(int *one, int *other) { return *one > *other ? one : other; }
static void either(int **out, int *one, int *other, int first) { *out = first ? one : other; }
static int sum(const int *at, int count) { return count ? *at + sum(at + 1, count - 1) : 0; }
static void down(int depth, int *out) { if (depth > 0) { down(depth - 1, out); *out += depth; } }
static int *made(int value) { int *block = malloc(sizeof(int)); *block = value; return block; }
static void drop(int **at) { free(*at); *at = 0; }
"""
KINDS = {
    "out": 2,
    "cas": 2,
    "pair": 2,
    "chosen": 2,
    "array": 2,
    "rounds": 2,
    "scope": 1,
    "unset": 1,
    "block": 3,
    "list": 1,
    "given": 2,
    "double": 1,
    "parts": 1,
    "own_lock": 1,
    "deep": 1,
    "jump": 1,
    "branch": 2,
}


class PrivateGenerator(Writer):
    """Writes one program."""

    family = "private"
    kinds = KINDS

    def program(self, threads: int | None = None) -> str:
        """The text of the program."""
        functions = self.random.choice((1, 1, 2))
        bodies = [self.body(self.random.randint(1, 3 if functions == 1 else 2)) for _ in range(functions)]
        parts = [HEADER, GLOBALS]
        parts += [
            f"void *t{number}(void *arg) {{\n{body}  return 0;\n}}\n" for number, body in enumerate(bodies)
        ]
        return "\n".join(
            [*parts, self._open(functions, threads) if self.is_open else self._closed(functions)]
        )

    def _open(self, functions: int, threads: int | None) -> str:
        head = (
            "while (__VERIFIER_nondet_bool())" if threads is None else f"for (int i = 0; i < {threads}; i++)"
        )
        start = "pthread_create(&id, 0, t0, 0);"
        if functions == 2:
            start = f"if (__VERIFIER_nondet_bool()) {start} else pthread_create(&id, 0, t1, 0);"
        return f"int main(void) {{\n  pthread_t id;\n  {head} {{ {start} }}\n  return 0;\n}}\n"

    def _closed(self, functions: int) -> str:
        copies = self.random.choice((1, 2)) if functions == 1 else 1
        started = [f"t{number}" for number in range(functions) for _ in range(copies)]
        argument = self.pick("0", "0", "&mine")
        lines = [f"pthread_t id[{len(started)}]; int mine = {self.number()};"]
        lines += [f"pthread_create(&id[{at}], 0, {name}, {argument});" for at, name in enumerate(started)]
        meanwhile = self.body(1) if self.chance(0.4) else ""
        joins = [f"pthread_join(id[{at}], 0);" for at in range(len(started)) if self.chance(0.9)]
        end = self.pick("return 0;", "return 0;", "pthread_exit(0);")
        look = f"assert({self.pick('x', 'y', 'v', 'mine')} != {self.number()});"
        return f"int main(void) {{\n{self.lines(*lines)}{meanwhile}{self.lines(*joins, look, end)}}}\n"

    # --- values ------------------------------------------------------------------------------------------

    def number(self) -> str:
        """A small one."""
        return str(self.random.randint(0, 3))

    def value(self) -> str:
        """An int, mostly known."""
        return self.pick(self.number(), self.number(), "v", "x", "__VERIFIER_nondet_bool()")

    def use(self, value: str) -> str:
        """Something that shows the value."""
        return self.pick(
            f"x = {value};",
            f"v = {value};",
            f"if ({value} == {self.number()}) y = 1;",
            f"assert({value} != {self.number()});",
            f"assert({value} < 4);",
            f"{self.pick('x', 'v')} += {value};",
        )

    # --- statements --------------------------------------------------------------------------------------

    def _out(self) -> str:
        name, start = self.fresh(), self.pick("", f" = {self.number()}")
        call = self.pick("put({0}, {1});", "if (take({0}, {1})) y = 0;", "take({0}, {1});")
        return self.lines(f"int {name}{start};", call.format(f"&{name}", self.value()), self.use(name))

    def _cas(self) -> str:
        name, old = self.fresh("d"), self.fresh()
        call = f"{old} = v; cas(&v, {old}, ({old} + 1) & 3, &{name});"
        if self.chance(0.6):
            return self.lines(f"int {name} = 0, {old}; {call} if ({name}) {self.use(old)}")
        again = self.pick(f"while (!{name})", f"for (int i = 0; i < 2 && !{name}; i++)")
        return self.lines(f"int {name} = 0, {old} = 0;", f"{again} {{ {call} }}", self.use(old))

    def _pair(self) -> str:
        one, other = self.fresh("p"), self.fresh("q")
        act = self.pick(
            f"turn(&{one});",
            f"{one} = turned({one});",
            f"struct pair {other} = {one}; turn(&{other}); if ({other}.a == 1) {one} = {other};",
            f"struct pair *{other} = &{one}; {other}->a = {other}->b; turn({other});",
            f"int *{other} = &{one}.b; *{other} = {self.value()};",
            f"int *{other} = &{one}.a; {other}[{self.pick('0', '0', '1')}] = {self.value()};",
            f"memset(&{one}, 0, sizeof {one}.a);",
            f"struct pair {other}; memcpy(&{other}, &{one}, sizeof {one}); {one}.a = {other}.b;",
        )
        made = f"struct pair {one} = {{{self.value()}, {self.number()}}};"
        return self.lines(made, act, self.use(f"{one}.{self.pick('a', 'b')}"))

    def _chosen(self) -> str:
        one, other, chosen = self.fresh(), self.fresh(), self.fresh("c")
        choose = self.pick(
            f"int *{chosen} = {self.pick('v', 'x', '__VERIFIER_nondet_bool()')} ? &{one} : &{other};",
            f"int *{chosen} = larger(&{one}, &{other});",
            f"int *{chosen}; either(&{chosen}, &{one}, &{other}, {self.value()});",
            f"int *{chosen} = &{one}; if (v == 1) {chosen} = {self.pick(f'&{other}', '&x', '0')};",
        )
        act = self.pick(f"*{chosen} = {self.value()};", f"swap({chosen}, &{other});", f"++*{chosen};")
        shown = self.pick(one, other, f"*{chosen}", f"({chosen} == &{one})")
        return self.lines(
            f"int {one} = {self.number()}, {other} = {self.number()};", choose, act, self.use(shown)
        )

    def _array(self) -> str:
        name, size = self.fresh("a"), self.random.choice((2, 3, 3))
        start = self.pick("", " = {0}", " = {1, 2}")
        index = self.pick(self.number(), "x & 1", "v", "__VERIFIER_nondet_uchar() & 1", f"{size} - 1")
        fill = self.pick(
            f"for (int i = 0; i < {size}; i++) {name}[i] = i;",
            f"for (int i = 0; i {self.pick('<', '<', '<=')} {size}; i++) put(&{name}[i], {self.number()});",
            f"{name}[{index}] = {self.value()};",
            f"int *end = {name} + {size}; for (int *at = {name}; at != end; at++) *at = {self.value()};",
        )
        shown = self.pick(
            f"{name}[{self.number()}]", f"{name}[{index}]", f"sum({name}, {size})", f"*({name} + 1)"
        )
        return self.lines(f"{{ int {name}[{size}]{start}; {fill} {self.use(shown)} }}")

    def _rounds(self) -> str:
        """Each round has its own local, and may have kept the address of the last one."""
        name, kept, i = self.fresh(), self.fresh("k"), self.fresh("i")
        look = self.pick(f"if ({kept}) {self.use('*' + kept)}", f"if ({kept}) *{kept} = 1;", "")
        keep = self.pick(
            f"{kept} = &{name};", f"if (x == 1) {kept} = &{name};", f"{kept} = &{name}; {kept} = 0;"
        )
        set_it = self.pick(f"{name} = {i};", f"if ({i}) {name} = 1;", f"put(&{name}, {self.value()});")
        inside = f"int {name}; {set_it} {look if self.chance(0.5) else ''} {keep} {self.use(name)}"
        return self.lines(
            f"int *{kept} = 0;",
            f"for (int {i} = 0; {i} < 2; {i}++) {{ {inside} }}",
            self.pick("", f"if ({kept}) {self.use('*' + kept)}"),
        )

    def _scope(self) -> str:
        name, kept = self.fresh(), self.fresh("k")
        after = self.pick(
            f"if ({kept}) {self.use('*' + kept)}",
            f"{{ int {name}x = 2; if ({kept} == &{name}x) y = 1; }}",
            f"{kept} = &x; *{kept} = 1;",
            "",
        )
        inside = f"int {name} = {self.number()}; {kept} = &{name}; {self.use('*' + kept)}"
        return self.lines(f"int *{kept} = 0;", f"{{ {inside} {self.pick('', f'{kept} = 0;')} }}", after)

    def _unset(self) -> str:
        name = self.fresh()
        return self.lines(
            f"int {name}; if ({self.pick('v == 0', 'x == 0', '1')}) {name} = 1;", self.use(name)
        )

    def _block(self) -> str:
        """A block that mostly stays in its thread and is mostly freed once."""
        name, other = self.fresh("h"), self.fresh("h")
        get = self.pick(
            f"int *{name} = malloc(2 * sizeof(int)); {name}[0] = {self.number()}; {name}[1] = 2;",
            f"int *{name} = calloc(2, sizeof(int));",
            f"int *{name} = made({self.value()});",
            f"int *{name} = malloc(sizeof(int));",
        )
        act = self.pick(
            f"*{name} = {self.value()};",
            f"put({name}, {self.value()});",
            f"int *{other} = {name}; *{other} = {self.number()};",
            f"plain = {name}; {self.pick('', 'plain = 0;')}",
            f"of_other = {name};",
            f"{name}[{self.number()}] = 1;",
            f"{name} = realloc({name}, 3 * sizeof(int)); {name}[2] = 1;",
            f"if (v == 1) {{ free({name}); {name} = made(1); }}",
        )
        release = self.pick(*[f"free({name});"] * 4, f"drop(&{name});", "", f"if (v == 0) free({name});")
        late = self.pick(*[""] * 6, self.use(f"*{name}"), f"free({name});", f"if ({name} == of_other) y = 1;")
        return self.lines(get, act, self.use(f"*{name}"), release, late)

    def _list(self) -> str:
        head, node = self.fresh("n"), self.fresh("n")
        push = (
            f"struct node *{node} = malloc(sizeof *{node}); "
            f"{node}->value = i; {node}->next = {head}; {head} = {node};"
        )
        walk = f"for (struct node *at = {head}; at; at = at->next) {self.use('at->value')}"
        pop = f"while ({head}) {{ struct node *gone = {head}; {head} = {head}->next; free(gone); }}"
        if self.chance(0.25):
            pop = self.pick(
                "", f"free({head});", f"while ({head}) {{ free({head}); {head} = {head}->next; }}"
            )
        return self.lines(f"struct node *{head} = 0;", f"for (int i = 0; i < 2; i++) {{ {push} }}", walk, pop)

    def _given(self) -> str:
        """A local that others get to, or what others have given."""
        name = self.fresh()
        return self.pick(
            self.lines(f"int {name} = {self.number()}; of_other = &{name};", self.use(name), "of_other = 0;"),
            self.lines(f"int {name} = 1; if (v == 2) of_other = &{name};", self.use(name)),
            self.lines(f"int *{name} = of_other; if ({name}) {self.use('*' + name)}"),
            self.lines(f"int *{name} = of_other; if ({name}) *{name} = {self.number()};"),
            self.lines(f"static _Thread_local int {name}; put(&{name}, {self.value()});", self.use(name)),
            self.lines(
                f"int {name} = 1; int **{name}p = &plain; {name}p = {name}p; (void){name}p;", self.use(name)
            ),
        )

    def _double(self) -> str:
        one, other, at, far = self.fresh(), self.fresh(), self.fresh("p"), self.fresh("pp")
        act = self.pick(
            f"**{far} = {self.value()};", f"*{far} = &{other}; *{at} = 3;", f"put(*{far}, {self.value()});"
        )
        return self.lines(
            f"int {one} = 1, {other} = 2, *{at} = &{one}, **{far} = &{at};",
            act,
            self.use(self.pick(one, other)),
        )

    def _parts(self) -> str:
        name = self.fresh()
        act = self.pick(
            f"*(char *)&{name} = 2;",
            f"((unsigned char *)&{name})[1] = 1;",
            f"*((short *)&{name} + {self.pick('0', '1')}) = 1;",
            f"memset(&{name}, 0, {self.pick('2', '4', 'sizeof ' + name)});",
            f"char c{name} = *(char *)&{name}; {name} = c{name};",
            f"*(unsigned *)&{name} += 1u;",
        )
        return self.lines(f"int {name} = {self.pick('0', '258', '-1')};", act, self.use(name))

    def _own_lock(self) -> str:
        name = self.fresh("own")
        release = self.pick(*[f"pthread_mutex_unlock(&{name});"] * 3, f"pthread_mutex_lock(&{name});")
        return self.lines(
            f"pthread_mutex_t {name}; pthread_mutex_init(&{name}, 0);",
            f"pthread_mutex_lock(&{name}); x++; {release}",
            self.pick("", f"pthread_mutex_destroy(&{name});"),
        )

    def _deep(self) -> str:
        name = self.fresh()
        return self.lines(f"int {name} = 0; down({self.pick('2', 'v & 1', '3')}, &{name});", self.use(name))

    def _jump(self) -> str:
        name, label, kept = self.fresh(), self.fresh("again"), self.fresh("k")
        again = self.pick(f"{name} = 1;", f"*{kept} = 1;")
        inside = f"int {name}; if ({kept}) {again} else {name} = 2; {kept} = &{name}; {self.use(name)}"
        return self.lines(
            f"int *{kept} = 0, {label}n = 0;",
            f"{label}: ;",
            f"{{ {inside} if (!{label}n++) goto {label}; }}",
        )

    def _branch(self) -> str:
        condition = self.pick("v == 0", "x == 1", "__VERIFIER_nondet_bool()", "of_other")
        self.pads += 1
        inside = self.statement()
        self.pads -= 1
        return self.lines(f"if ({condition}) {{") + inside + self.lines("}")
