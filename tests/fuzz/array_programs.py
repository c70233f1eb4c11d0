"""A generator of small programs about arrays: same seed, same program.

A global array, a block of the heap or an array of variable length, small or larger than anybody would take
apart, its length known or an input between bounds. Threads work on halves of it, on elements that they are
told, or on elements that an input chooses; some go one too far, forget the lock, or free it too soon.
"""

from tests.fuzz.written_programs import HEADER, Writer

SIZES = (2, 3, 4, 4, 70, 100, 1000)
SMALL = 4
"""Arrays up to this size are walked through, of others only some elements are used."""
KINDS = {
    "fill": 2,
    "total": 2,
    "element": 3,
    "chosen": 2,
    "swap": 1,
    "whole": 1,
    "own": 2,
    "search": 1,
    "resize": 1,
    "walk": 1,
}


class ArrayGenerator(Writer):
    """Writes one program; ``a`` is the array, ``n`` its length."""

    family = "arrays"
    share_of_open = 0.15
    kinds = KINDS

    def program(self, threads: int | None = None) -> str:
        """The text of the program."""
        self.size = self.random.choice(SIZES)
        self.type = self.pick("int", "int", "int", "char", "struct item")
        self.at = ".count" if self.type == "struct item" else ""
        self.is_input = self.size <= SMALL and self.chance(0.6)
        self.storage = self.pick("global", "heap", "heap", "variable")
        functions = self.random.choice((1, 1, 2))
        bodies = [self.body(self.random.randint(1, 2)) for _ in range(functions)]
        parts = [HEADER, self._globals()]
        parts += [
            f"void *t{number}(void *arg) {{\n  int id = (int)(long)arg;\n{body}  return 0;\n}}\n"
            for number, body in enumerate(bodies)
        ]
        return "\n".join([*parts, self._main(functions, threads)])

    def _globals(self) -> str:
        array = f"{self.type} a[{self.size}];" if self.storage == "global" else f"{self.type} *a;"
        return (
            "struct item { char kind; int count; };\n"
            f"{array}\nint n{'' if self.is_input else f' = {self.size}'};\nint x;\n_Atomic int v;\n"
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        )

    def _main(self, functions: int, threads: int | None) -> str:
        before = self._length() + self._allocation()
        after = self.lines(self._look(), self._release())
        if self.is_open:
            head = (
                "while (__VERIFIER_nondet_bool())"
                if threads is None
                else f"for (int i = 0; i < {threads}; i++)"
            )
            started = self.lines(
                "pthread_t t; int i0 = 0;",
                f"{head} {{ pthread_create(&t, 0, t0, (void *)(long)i0); i0 = 1; }}",
            )
            return f"int main(void) {{\n{before}{started}  return 0;\n}}\n"
        names = ["t0", "t1" if functions == 2 else "t0"][: self.random.choice((1, 2, 2))]
        starts = [f"pthread_create(&t[{i}], 0, {name}, (void *){i}L);" for i, name in enumerate(names)]
        joins = [f"pthread_join(t[{i}], 0);" for i in range(len(names)) if self.chance(0.92)]
        threads_ = self.lines("pthread_t t[2];", *starts, *joins)
        return f"int main(void) {{\n{before}{threads_}{after}  return 0;\n}}\n"

    def _length(self) -> str:
        if not self.is_input:
            return ""
        low = self.pick("0 < n", "0 < n", "0 <= n", "1 < n")
        return self.lines(
            self.pick(
                f"n = __VERIFIER_nondet_int(); __VERIFIER_assume({low} && n <= {self.size});",
                f"n = __VERIFIER_nondet_uchar() % {self.size} + 1;",
                f"unsigned char c = __VERIFIER_nondet_uchar(); if (c > {self.size}) return 0; n = c;",
            )
        )

    def _allocation(self) -> str:
        if self.storage == "global":
            return ""
        if self.storage == "variable":
            clear = self.pick("memset(own, 0, sizeof own);", f"own[0]{self.at} = 0;")
            return self.lines(f"{self.type} own[n]; {clear} a = own;")
        most = self.pick("n", "n", "n - 1") if self.size <= SMALL else "2"
        return self.lines(
            self.pick(
                f"a = malloc(n * sizeof({self.type}));",
                f"a = calloc(n, sizeof({self.type}));",
                "a = calloc(n, sizeof *a);",
                "a = malloc(n * sizeof *a); memset(a, 0, n * sizeof *a);",
                f"a = malloc(n * sizeof *a); for (int i = 0; i < {most}; i++) a[i]{self.at} = i;",
                f"a = malloc({self.pick('n', '4 * n', '(unsigned char)(n * 64)')});",
            )
        )

    def _release(self) -> str:
        if self.storage != "heap":
            return ""
        return self.pick(
            *["free(a);"] * 5, "", "free(a + 1);", "free(a); free(a);", "free(a); v = a[0]" + self.at + ";"
        )

    def _look(self) -> str:
        element = f"a[{self.index()}]{self.at}"
        return self.pick(
            f"assert({element} != {self.number()});", f"assert(x < {self.number()});", f"x = {element};", ""
        )

    # --- values ------------------------------------------------------------------------------------------

    def number(self) -> str:
        """A small one."""
        return str(self.random.randint(0, 3))

    def index(self, id_: str = "0") -> str:
        """Mostly one that fits."""
        fitting = ("0", "0", "n - 1", "n / 2", "(n - 1) / 2", f"{id_}", "v % n")
        risky = (self.number(), "n", "v", "v - 1", "__VERIFIER_nondet_uchar() & 3", "n / 2 + 1")
        return self.random.choice(fitting if self.chance(0.8) else risky)

    def element(self) -> str:
        """One of the array."""
        return f"a[{self.index('id')}]{self.at}"

    def half(self, i: str) -> str:
        """The head of a loop over a half, or over all."""
        if self.size > SMALL:
            first = self.pick("0", f"{self.size - 2}", "n / 2")
            return f"for (int {i} = {first}; {i} < {first} + {self.pick('2', '2', '3')}; {i}++)"
        low, high = self.random.choice(
            (("id * n / 2", "(id + 1) * n / 2"), ("id ? n / 2 : 0", "id ? n : n / 2"), ("0", "n"))
        )
        return f"for (int {i} = {low}; {i} {self.pick(*['<'] * 5, '<=')} {high}; {i}++)"

    # --- statements --------------------------------------------------------------------------------------

    def _fill(self) -> str:
        i = self.fresh("i")
        return self.locked(self.lines(f"{self.half(i)} a[{i}]{self.at} = {self.pick(i, '1', 'id')};"), 0.3)

    def _total(self) -> str:
        i, all_ = self.fresh("i"), self.fresh("s")
        walk = self.locked(self.lines(f"{self.half(i)} {all_} += a[{i}]{self.at};"), 0.4)
        end = self.pick(
            f"v = {all_};", f"assert({all_} != {self.number()});", f"assert({all_} >= 0);", f"v += {all_};"
        )
        return self.lines(f"int {all_} = 0;") + walk + self.lines(end)

    def _element(self) -> str:
        one, other = self.element(), self.element()
        act = self.pick(
            f"{one} = {self.number()};", f"{one}++;", f"{one} = {other};", f"x = {one};", f"{one} += {other};"
        )
        return self.locked(self.lines(act), 0.6)

    def _chosen(self) -> str:
        i = self.fresh("i")
        bound = self.pick("n", "n", "n", f"{self.size}", "n + 1")
        choose = (
            f"unsigned char {i} = __VERIFIER_nondet_uchar(); __VERIFIER_assume({i} < {bound} && {i} < 4);"
        )
        place = f"a[{i}]{self.at}"
        act = self.pick(f"{place} = 1;", f"{place} = {place} + 1;", f"assert({place} < 3);", f"v = {place};")
        return self.lines(choose) + self.locked(self.lines(act), 0.6)

    def _swap(self) -> str:
        kept, i, j = self.fresh("k"), self.index("id"), self.index("id")
        return self.locked(self.lines(f"{self.type} {kept} = a[{i}]; a[{i}] = a[{j}]; a[{j}] = {kept};"), 0.8)

    def _whole(self) -> str:
        count = self.pick("n", "n", "n / 2", "n + 1", "1")
        act = self.pick(
            f"memset(a, {self.pick('0', '1')}, {count} * sizeof *a);",
            f"memmove(a, a + 1, ({count} - 1) * sizeof *a);",
            f"{self.type} own[2]; memcpy(own, a, n > 1 ? sizeof own : sizeof *a); x = own[0]{self.at};",
        )
        return self.locked(self.lines(f"{{ {act} }}"), 0.7)

    def _own(self) -> str:
        """The element that the thread was told, by index or by address."""
        at = self.fresh("p")
        act = self.pick(
            f"{at}->count++;" if self.at else f"++*{at};", f"{at}[0]{self.at} = id;", f"v = {at}[0]{self.at};"
        )
        return self.lines(
            f"if (id < n) {{ {self.type} *{at} = {self.pick('&a[id]', 'a + id', '&a[n - 1 - id]')}; {act} }}"
        )

    def _search(self) -> str:
        i = self.fresh("i")
        bound = self.pick("n", "n", "n + 1") if self.size <= SMALL else "2"
        found = self.pick(
            f"v = a[{i}]{self.at};", f"assert({i} != {self.number()});", f"a[{i}]{self.at} = 1;"
        )
        test = self.pick(f"{i} < {bound} && a[{i}]{self.at} == 0", f"a[{i}]{self.at} == 0 && {i} < {bound}")
        return self.locked(
            self.lines(f"int {i} = 0; while ({test}) {i}++;", f"if ({i} < {bound}) {found}"), 0.6
        )

    def _resize(self) -> str:
        if self.storage != "heap":
            return self._element()
        act = self.pick(
            "a = realloc(a, (n + 1) * sizeof *a); n++;",
            "a = realloc(a, (n + 1) * sizeof *a); a[n] = a[0]; n++;",
            "free(a); a = calloc(n, sizeof *a);",
            "free(a); a = 0;",
        )
        return self.locked(self.lines(f"if (v == {self.number()}) {{ {act} }}"), 0.8)

    def _walk(self) -> str:
        at = self.fresh("p")
        steps = "a + n" if self.size <= SMALL else "a + 2"
        use = f"{at}->count" if self.at else f"*{at}"
        act = self.pick(f"{use} = 1;", f"v = {use};", f"{use} += 1;")
        test = self.pick("!=", "<", "<=") if self.chance(0.3) else "!="
        return self.locked(self.lines(f"for ({self.type} *{at} = a; {at} {test} {steps}; {at}++) {act}"), 0.6)
