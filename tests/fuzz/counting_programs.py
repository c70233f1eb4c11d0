"""A generator of small programs with as many threads as a loop creates: same seed, same program.

Threads are created in a loop over an array of ids, each with a number of its own or not, and mostly joined in
another. They count: themselves inside a section, tickets, readers, places in an array. Main knows what has to
come out, or is off by one; some loops forget a thread, join one twice, or hand out the same number twice.
"""

import re

from tests.fuzz.written_programs import HEADER, Writer

GLOBALS = """\
struct work { int number; int done; };
int x, inside, readers, writing;
_Atomic int v, left, arrived;
_Atomic unsigned char ticket, serving;
int slot[4];
struct work works[4];
int *_Atomic latest;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
sem_t sem;
"""
VALUES = (
    "(void *)(long)i",
    "(void *)(long)i",
    "(void *)(long)i",
    "(void *)(long)(i / 2)",
    "(void *)1L",
    "0",
)
ADDRESSES = ("&numbers[i]", "&numbers[i]", "&i", "&numbers[0]")
COUNTERS = ("x", "v", "arrived", "left", "slot[0]", "slot[1]", "ticket", "serving", "works[0].done")
KINDS = {
    "count": 3,
    "mutual": 2,
    "ticket": 2,
    "reader": 1,
    "writer": 1,
    "slot": 2,
    "work": 1,
    "semaphore": 1,
    "meet": 1,
    "largest": 1,
    "last": 1,
    "child": 1,
    "end": 1,
    "block": 1,
}


class CountingGenerator(Writer):
    """Writes one program."""

    family = "counting"
    share_of_open = 0.4
    kinds = KINDS

    def program(self, threads: int | None = None) -> str:
        """The text of the program."""
        self.threads = self.random.choice((2, 2, 2, 3))
        self.argument = self.random.choice(VALUES if self.is_open or self.chance(0.8) else ADDRESSES)
        body = self.body(self.random.choice((1, 1, 2)))
        child = self.lines(self.pick("v++;", "x++;", "arrived++;"), "return 0;")
        told = "*(int *)arg" if self.argument in ADDRESSES else "(int)(long)arg"
        parts = [HEADER, GLOBALS, f"void *u(void *arg) {{\n{child}}}\n"]
        parts.append(f"void *t(void *arg) {{\n  int id = {told};\n{body}  return 0;\n}}\n")
        return "\n".join([*parts, self._open(threads) if self.is_open else self._closed(body)])

    def _open(self, threads: int | None) -> str:
        head = "while (__VERIFIER_nondet_bool())" if threads is None else f"while (i < {threads})"
        detach = self.pick("", "", " pthread_detach(id);")
        step = f"pthread_create(&id, 0, t, {self.argument});{detach}"
        lines = [self._ready(), "pthread_t id; int i = 0;", f"{head} {{ {step} i++; }}"]
        return f"int main(void) {{\n{self.lines(*lines)}  return 0;\n}}\n"

    def _closed(self, body: str) -> str:
        number, length = f"{self.threads}", ""
        if self.chance(0.35):
            length = f"int n = __VERIFIER_nondet_int(); __VERIFIER_assume(0 < n && n <= {number});"
            number = "n"
        start = f"numbers[i] = i; pthread_create(&ids[i], 0, t, {self.argument});"
        lines = [self._ready(), f"pthread_t ids[{self.threads}]; int i, numbers[{self.threads}]; {length}"]
        lines += [f"for (i = 0; i < {number}; i++) {{ {start} }}"]
        lines += [self._joins(number), self._look(number, body)]
        lines += [self.pick("return 0;", "return 0;", "pthread_exit(0);")]
        return f"int main(void) {{\n{self.lines(*lines)}}}\n"

    def _joins(self, number: str) -> str:
        every = f"for (int i = 0; i < {number}; i++) pthread_join(ids[i], 0);"
        return self.pick(
            *[every] * 8,
            f"for (int i = 1; i < {number}; i++) pthread_join(ids[i], 0);",
            f"for (int i = {number} - 1; i >= 0; i--) pthread_join(ids[i], 0);",
            f"for (int i = 0; i < {number}; i++) pthread_join(ids[0], 0);",
            f"for (int i = 0; i < {number}; i += 2) pthread_join(ids[i], 0);",
            f"for (int i = 0; i < {number}; i++) {{ if (x == 1) break; pthread_join(ids[i], 0); }}",
            f"for (int i = 0; i < {number}; i++) pthread_detach(ids[i]);",
            f"while (v < {number}) ;",
            "",
        )

    def _look(self, number: str, body: str) -> str:
        counted = [place for place in COUNTERS if re.search(rf"\b{place.split('[')[0]}\b", body)]
        counter = self.random.choice(counted or COUNTERS)
        return self.pick(
            f"assert({counter} == {number});",
            f"assert({counter} <= {number});",
            f"assert({counter} < {number});",
            f"assert({counter} != {self.random.randint(0, 3)});",
            "assert(inside == 0 && readers == 0);",
        )

    def _ready(self) -> str:
        return f"sem_init(&sem, 0, {self.pick('1', '1', '2', '0')}); left = {self.threads};"

    def number(self) -> str:
        """About as many as there are threads."""
        return str(self.threads + self.random.choice((-1, 0, 0, 0, 1)))

    # --- statements --------------------------------------------------------------------------------------

    def _count(self) -> str:
        act = self.pick("x++;", "x = x + 1;", "int c = x; x = c + 1;", "if (x < 2) x++;", "x += id + 1;")
        look = self.pick("", "", f"assert(x <= {self.number()});", "assert(x > 0);")
        rounds = "for (int r = 0; r < 2; r++)" if self.chance(0.15) else ""
        inside = self.locked(self.lines(f"{act} {look}"), 0.8)
        return self.lines(f"{rounds} {{") + inside + self.lines("}")

    def _mutual(self) -> str:
        begin, end = self.random.choice(
            (
                ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
                ("sem_wait(&sem);", "sem_post(&sem);"),
                ("while (atomic_exchange(&v, 1)) ;", "v = 0;"),
                (
                    "__VERIFIER_atomic_begin(); __VERIFIER_assume(v < 2); v++; __VERIFIER_atomic_end();",
                    "v--;",
                ),
                ("", ""),
            )
        )
        most = self.pick("== 1", "== 1", "<= 2", f"<= {self.number()}")
        return self.lines(begin, f"inside++; assert(inside {most}); inside--;", end)

    def _ticket(self) -> str:
        take = self.pick(
            *["unsigned char mine = ticket++;"] * 3, "unsigned char mine = ticket; ticket = mine + 1;"
        )
        wait = self.pick(
            *["while (serving != mine) ;", "__VERIFIER_assume(serving == mine);"] * 3,
            "while (serving < mine) ;",
        )
        leave = self.pick("serving++;", "serving = mine + 1;", "serving = serving + 1;", "")
        look = self.pick(
            "inside++; assert(inside == 1); inside--;",
            "x++;",
            "assert(serving == mine);",
            "assert(serving < ticket);",
        )
        return self.lines(f"{{ {take} {wait} {look} {leave} }}")

    def _reader(self) -> str:
        last = self.pick("if (--readers == 0)", "if (--readers == 0)", "readers--; if (readers == 0)")
        begin = (
            "pthread_mutex_lock(&m); if (readers++ == 0) pthread_mutex_lock(&k); pthread_mutex_unlock(&m);"
        )
        if self.chance(0.5):
            begin = (
                "__VERIFIER_atomic_begin(); __VERIFIER_assume(!writing); readers++; __VERIFIER_atomic_end();"
            )
            end = "__VERIFIER_atomic_begin(); readers--; __VERIFIER_atomic_end();"
        else:
            end = f"pthread_mutex_lock(&m); {last} pthread_mutex_unlock(&k); pthread_mutex_unlock(&m);"
        return self.lines(
            begin, self.pick("assert(!writing);", "v = x;", f"assert(readers <= {self.number()});"), end
        )

    def _writer(self) -> str:
        guard = self.pick("!writing && !readers", "!writing && readers == 0", "!writing", "!readers")
        return self.lines(
            f"__VERIFIER_atomic_begin(); __VERIFIER_assume({guard}); writing = 1; __VERIFIER_atomic_end();",
            self.pick("assert(readers == 0);", "x = 1; assert(x == 1);", "x++;"),
            "__VERIFIER_atomic_begin(); writing = 0; __VERIFIER_atomic_end();",
        )

    def _slot(self) -> str:
        index = self.pick("id", "id", "id & 3", "id & 1", "id % 2", "3 - (id & 3)", "id + 1", "0")
        act = self.pick(
            f"slot[{index}]++;", f"slot[{index}] = id;", f"slot[{index}] += 1; assert(slot[{index}] == 1);"
        )
        return self.locked(self.lines(act), 0.3)

    def _work(self) -> str:
        act = self.pick(
            "w->done++;", "w->number = id; w->done = w->number;", "if (!w->done) { w->done = 1; v++; }"
        )
        return self.lines(f"{{ struct work *w = &works[{self.pick('id', 'id & 3', '0')}]; {act} }}")

    def _semaphore(self) -> str:
        act = self.pick("x++;", "v++; assert(v <= 2); v--;", "inside++; inside--;")
        return self.lines("sem_wait(&sem);", act, self.pick("sem_post(&sem);", "sem_post(&sem);", ""))

    def _meet(self) -> str:
        wait = self.pick("while ({0}) ;", "if ({0}) __VERIFIER_assume(0);", "__VERIFIER_assume(!({0}));")
        return self.lines(
            "arrived++;",
            wait.format(f"arrived < {self.threads}"),
            self.pick(
                f"assert(arrived <= {self.number()});", f"assert(arrived == {self.number()});", "x = 1;"
            ),
        )

    def _largest(self) -> str:
        return self.locked(
            self.lines("if (id > x) x = id;", self.pick("assert(x >= id);", "assert(x < 3);")), 0.7
        )

    def _last(self) -> str:
        test = self.pick("--left == 0", "--left == 0", "left-- == 1", "left-- == 0")
        then = self.pick("assert(!x);", "x = 1;", "slot[0]++;", f"assert(v <= {self.number()});")
        return self.lines(f"if ({test}) {{ {then} }}")

    def _child(self) -> str:
        join = self.pick("pthread_join(c, 0);", "pthread_join(c, 0);", "pthread_detach(c);", "")
        return self.lines(f"{{ pthread_t c; if (id == 0) {{ pthread_create(&c, 0, u, 0); {join} }} }}")

    def _end(self) -> str:
        end = self.pick("return 0;", "pthread_exit(0);", "exit(0);", "abort();")
        return self.lines(f"if ({self.pick('id == 1', 'x == 1', 'v > 1')}) {end}")

    def _block(self) -> str:
        """A block of its own, sometimes shown to the others."""
        show = self.pick(
            "",
            "",
            "latest = b;",
            "int *o = latest; if (o) x = *o;",
            "free(atomic_exchange(&latest, b)); b = 0;",
        )
        look = self.pick("if (b) assert(*b == id);", "")
        return self.lines(f"{{ int *b = malloc(sizeof *b); *b = id; {show} {look} free(b); }}")
