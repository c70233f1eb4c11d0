"""A generator of small symmetric C programs: same seed, same templates, for any number of threads.

One or two functions are run by two, three or unboundedly many threads that do not know who they are. All
variables have few values, so that an exhaustive search decides two and three threads. Most programs are built
around an idiom that is right (a lock, a counter that only grows, a baton that is handed on), often with a
part of it left out; the rest is random. So some are safe for a reason, and others fail with two threads
or only with three. A run that fails with some threads also fails with more: the others need not do anything.
"""

from collections.abc import Callable, Sequence
from random import Random

HEADER = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""

GLOBALS = """\
_Atomic _Bool f;
_Atomic unsigned char s;
_Atomic int v;
int x, y;
unsigned char c;
_Bool taken;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
"""

PLACES = ("f", "s", "v", "x", "y", "c")
LOCALS = ("l", "k")
LARGEST = 3
"""All values are between 0 and this; a power of two less 1."""
ATOMIC_BEGIN, ATOMIC_END = "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"
LOCKS = (
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    (f"{ATOMIC_BEGIN} __VERIFIER_assume(!taken); taken = 1; {ATOMIC_END}", "taken = 0;"),
    ("while (atomic_exchange(&f, 1)) ;", "f = 0;"),
    (f"{ATOMIC_BEGIN} if (taken) abort(); taken = 1; {ATOMIC_END}", "taken = 0;"),
    (ATOMIC_BEGIN, ATOMIC_END),
)
"""Ways to be alone."""
IDIOMS = (
    *("pair", "inside", "grows", "grows", "largest", "first", "baton", "handover", "crowd", "crowd", "since"),
    *("random", "random", "random"),
)


def symmetric_program(seed: int, threads: int | None) -> str:
    """The program with this seed for so many threads; None: for unboundedly many."""
    return SymmetricGenerator(seed).program(threads)


class SymmetricGenerator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"symmetric {seed}")
        self.places: Sequence[str] = PLACES
        """What random statements may write."""
        self.used: Sequence[str] = ()
        """What the idiom needs."""
        self.has_loop = False

    def program(self, threads: int | None) -> str:
        """The text of the program; only main depends on the number of threads."""
        idiom: Callable[[], list[str]] = getattr(self, "_" + self.random.choice(IDIOMS))
        bodies = idiom()
        parts = [HEADER, GLOBALS]
        for name, body in zip("tu", bodies, strict=False):
            start = self.random.choice(("0", "0", "1", "__VERIFIER_nondet_bool()"))
            lines = f"  unsigned char l = {start};\n  int k = 0;\n{body}  return 0;\n"
            parts.append(f"void *{name}(void *unused) {{\n{lines}}}\n")
        parts.append(self.main(threads, is_single=len(bodies) == 1))
        return "\n".join(parts)

    def main(self, threads: int | None, *, is_single: bool) -> str:
        """The main function: starts the threads, and sometimes looks at what they do."""
        has_leader = self.random.random() < 0.4
        watched = self.assertion(1) if self.random.random() < 0.1 else ""
        lines = ["  pthread_t id;"]
        start_t, start_u = (f"pthread_create(&id, 0, {name}, 0);" for name in "tu")
        rest = threads
        if is_single:
            started = start_t
        elif has_leader:
            lines.append(f"  {start_u}")
            started, rest = start_t, None if threads is None else threads - 1
        else:
            started = f"if (__VERIFIER_nondet_bool()) {start_t} else {start_u}"
        head = "while (__VERIFIER_nondet_bool())" if rest is None else f"for (int i = 0; i < {rest}; i++)"
        lines.append(f"  {head} {{ {started} }}")
        body = "\n".join(lines)
        return f"int main(void) {{\n  unsigned char l = 0;\n  int k = 0;\n{body}\n{watched}  return 0;\n}}\n"

    def kept(self, begin: str, inside: str, end: str, depth: int = 1) -> str:
        """The inside between begin and end, which are sometimes left out."""
        pad = "  " * depth
        if self.random.random() < 0.3:
            return inside
        return f"{pad}{begin}\n{inside}{pad}{end}\n"

    def alone(self, inside: str, depth: int = 1) -> str:
        """The inside, mostly under a lock."""
        return self.kept(*self.lock(inside), depth)

    def lock(self, inside: str) -> tuple[str, str, str]:
        """A way to be alone that does not stand in the way of the inside."""
        begin, end = self.random.choice(
            [lock for lock in LOCKS if "&f" not in lock[0] or "f" not in self.used]
        )
        if begin == ATOMIC_BEGIN and "while" in inside:
            begin, end = LOCKS[0]
        return begin, inside, end

    # --- idioms ------------------------------------------------------------------------------------------

    def _pair(self) -> list[str]:
        """Two variables that are equal whenever nobody is inside."""
        self.use("x", "y")
        begin, end = self.random.choice(LOCKS)
        value = self.random.choice(("l", "(l + 1) & 3", "(x + 1) & 3", "__VERIFIER_nondet_bool()"))
        write = self.kept(begin, f"  k = {value};\n  x = k;\n  y = k;\n", end)
        look = self.kept(begin, "  assert(x == y);\n", end)
        return self.split(write, look)

    def _inside(self) -> list[str]:
        """Mutual exclusion."""
        self.use("c")
        begin, end = self.random.choice(LOCKS[:-1])
        inside = self.random.choice(
            ("  c = c + 1;\n  assert(c == 1);\n  c = c - 1;\n", "  c = 0;\n  c = 1;\n  assert(c == 1);\n")
        )
        return [self.around(self.kept(begin, inside, end))]

    def _grows(self) -> list[str]:
        """A counter that only grows, as far as it can: it is above what one has counted from."""
        self.use("s", "v")
        place = self.random.choice("sv")
        relation, top = self.random.choice((">", ">=")), self.random.choice((2, 3))
        if self.random.random() < 0.5:
            step = self.kept(ATOMIC_BEGIN, f"  k = {place};\n  if (k < {top}) {place} = k + 1;\n", ATOMIC_END)
        else:
            step = (
                f"  {'int' if place == 'v' else 'unsigned char'} e = {place};\n"
                f"  while (e < {top} && !atomic_compare_exchange_strong(&{place}, &e, e + 1)) ;\n  k = e;\n"
            )
        look = f"  if (k < {top}) assert({place} {relation} k);\n"
        return [self.around(step + (self.noise(1) if self.random.random() < 0.3 else "") + look)]

    def _largest(self) -> list[str]:
        """A maximum is never below what one has put in."""
        self.use("x", "v")
        place = self.random.choice("xv")
        value = self.random.choice(("l", "__VERIFIER_nondet_bool() + 1", "2 * __VERIFIER_nondet_bool()"))
        put = self.alone(f"  if (k > {place}) {place} = k;\n")
        return [self.around(f"  k = {value};\n{put}{self.noise(1)}  assert(k <= {place});\n")]

    def _first(self) -> list[str]:
        """Only the first thread works, and finds what it has left."""
        self.use("f", "x")
        claims = ("!atomic_exchange(&f, 1)", "!atomic_exchange(&f, 1)", "!f && (f = 1)")
        claim = self.random.choice(claims)
        if self.random.random() < 0.5:
            work = "    x = (x + 1) & 3;\n    l = (l + 1) & 3;\n    assert(x == l);\n"
        else:
            work = (
                "    while (__VERIFIER_nondet_bool()) {\n"
                "      x = !x;\n      l = !l;\n      assert(x == l);\n"
                "    }\n"
            )
        return [self.around(f"  l = 0;\n  if ({claim}) {{\n{work}  }}\n")]

    def _baton(self) -> list[str]:
        """Who takes the baton from 0 to 1 is the one who takes it on."""
        self.use("s", "x")
        last = self.random.choice((2, 3))
        take = "{ unsigned char e = 0; k = atomic_compare_exchange_strong(&s, &e, 1); }"
        if self.random.random() < 0.3:
            take = "k = s == 0; if (k) s = 1;"
        work = "    x = l;\n    s = 2;\n    assert(x == l && s == 2);\n"
        back = "    s = 3;\n" if last == 3 else ""
        end = self.random.choice(("    s = 0;\n", ""))
        return [self.around(f"  {take}\n  if (k) {{\n{work}{back}{end}  }}\n")]

    def _handover(self) -> list[str]:
        """What was written before a flag is there for all who see the flag."""
        self.use("f", "x")
        writes = ["  x = 1;\n", "  f = 1;\n"]
        if self.random.random() < 0.25:
            writes.reverse()
        give = "".join(writes)
        look = self.random.choice(("  if (f) assert(x == 1);\n", "  while (!f) ;\n  assert(x == 1);\n"))
        return self.split(give, look)

    def _crowd(self) -> list[str]:
        """So many threads in one place at the same time, and no more."""
        self.use("c", "s")
        most = self.random.choice((1, 2, 2, 3))
        place = self.random.choice("cs")
        enter = f"{ATOMIC_BEGIN} if ({place} < {LARGEST}) {{ {place} = {place} + 1; k = 1; }} {ATOMIC_END}"
        if self.random.random() < 0.4:
            enter = enter.replace(f"< {LARGEST}", f"< {most}")
        leave = f"  if (k) {{ {ATOMIC_BEGIN} {place} = {place} - 1; {ATOMIC_END} }}\n"
        if self.random.random() < 0.3:
            leave = ""
        return [self.around(f"  {enter}\n{self.noise(1)}  assert({place} <= {most});\n{leave}")]

    def _since(self) -> list[str]:
        """What one has seen set is still set, unless somebody takes it back."""
        self.use("v", "s")
        watch = "  k = v;\n  l = s;\n  assert(k == 0 || l != 0);\n"
        act = "  s = 1;\n  v = 1;\n" if self.random.random() < 0.7 else "  v = 1;\n  s = 1;\n"
        if self.random.random() < 0.3:
            act += self.random.choice(("  v = 0;\n  s = 0;\n", "  s = 0;\n  v = 0;\n"))
        return self.split(act, watch)

    def _random(self) -> list[str]:
        """No idea."""
        self.use()
        count = self.random.choice((1, 1, 2))
        length = 4 if count == 1 else 3
        return [self.block(self.random.randint(2, length), 1) + self.assertion(1) for _ in range(count)]

    def use(self, *places: str) -> None:
        """Keep random statements away from what the idiom needs, most of the time."""
        self.used = places
        if self.random.random() < 0.85:
            self.places = tuple(place for place in PLACES if place not in places)

    def split(self, act: str, look: str) -> list[str]:
        """Both for all threads one after the other, or one for each of two templates."""
        if self.random.random() < 0.5:
            return [self.around(act + look)]
        return [self.around(look), self.around(act)]

    def around(self, body: str) -> str:
        """The body with something before and after."""
        before = self.noise(1) if self.random.random() < 0.3 else ""
        after = self.noise(1) if self.random.random() < 0.3 else ""
        return before + body + after

    # --- statements --------------------------------------------------------------------------------------

    def noise(self, depth: int) -> str:
        """A statement that does not touch the local variables of an idiom."""
        if self.random.random() < 0.4:
            return ""
        place = self.random.choice(self.places)
        return "  " * depth + self.random.choice(
            (
                f"{place} = {self.random.randint(0, 2)};\n",
                f"{place} = ({place} + 1) & {LARGEST};\n",
                f"if ({self.condition(shared=True)}) {place} = 1;\n",
                f"__VERIFIER_assume({self.condition(shared=True)});\n",
                f"if ({self.condition(shared=True)}) {self.random.choice(('abort();', 'exit(0);'))}\n",
                f"{ATOMIC_BEGIN} {place} = !{place}; {ATOMIC_END}\n",
            )
        )

    def block(self, length: int, depth: int) -> str:
        """Some statements."""
        return "".join(self.statement(depth) for _ in range(length))

    def statement(self, depth: int) -> str:
        """One statement."""
        kinds = ["read", "read", "write", "write", "local", "add", "assume", "swap", "exchange", "assertion"]
        kinds += ["end"]
        if depth < 3:
            kinds += ["branch", "branch", "section", "locked", "loop"]
        made: str = getattr(self, "_s_" + self.random.choice(kinds))(depth)
        return made

    def condition(self, *, shared: bool = False) -> str:
        """A truth value about shared variables, or about those and local ones."""
        place = self.random.choice(PLACES)
        if shared or self.random.random() < 0.5:
            return f"{place} {self.random.choice(('==', '!='))} {self.random.randint(0, 2)}"
        return f"{place} {self.random.choice(('==', '!=', '<', '<='))} {self.random.choice(LOCALS)}"

    def assertion(self, depth: int) -> str:
        """What does not often fail."""
        conditions = [self.condition() for _ in range(self.random.choice((1, 2, 2, 3)))]
        return f"{'  ' * depth}assert(!({' && '.join(conditions)}));\n"

    def value(self) -> str:
        """Of a small range."""
        local = self.random.choice(LOCALS)
        return self.random.choice((str(self.random.randint(0, 2)), local, f"({local} + 1) & {LARGEST}"))

    def _s_read(self, depth: int) -> str:
        return f"{'  ' * depth}{self.random.choice(LOCALS)} = {self.random.choice(PLACES)};\n"

    def _s_write(self, depth: int) -> str:
        return f"{'  ' * depth}{self.random.choice(self.places)} = {self.value()};\n"

    def _s_local(self, depth: int) -> str:
        return f"{'  ' * depth}{self.random.choice(LOCALS)} = {self.value()};\n"

    def _s_add(self, depth: int) -> str:
        place = self.random.choice(self.places)
        return f"{'  ' * depth}{place} = ({place} + 1) & {LARGEST};\n"

    def _s_assume(self, depth: int) -> str:
        return f"{'  ' * depth}__VERIFIER_assume({self.condition()});\n"

    def _s_swap(self, depth: int) -> str:
        pad, value = "  " * depth, self.random.choice(("0", "1", "l & 1"))
        done = self.random.choice((f"{self.random.choice(self.places)} = 1;", "k = 2;", "return 0;"))
        return (
            f"{pad}{{ unsigned char e = {value}; "
            f"if (atomic_compare_exchange_strong(&s, &e, (e + 1) & {LARGEST})) {done} }}\n"
        )

    def _s_exchange(self, depth: int) -> str:
        local, value = self.random.choice(LOCALS), self.random.randint(0, 1)
        return f"{'  ' * depth}{local} = atomic_exchange(&f, {value});\n"

    def _s_assertion(self, depth: int) -> str:
        return self.assertion(depth)

    def _s_end(self, depth: int) -> str:
        end = self.random.choice(("abort();", "exit(0);", "return 0;", "pthread_exit(0);"))
        return f"{'  ' * depth}if ({self.condition()}) {end}\n"

    def _s_branch(self, depth: int) -> str:
        pad = "  " * depth
        chosen = self.random.choice((self.condition(), self.condition(), "__VERIFIER_nondet_bool()"))
        text = f"{pad}if ({chosen}) {{\n{self.statement(depth + 1)}{pad}}}"
        return text + (
            f" else {{\n{self.statement(depth + 1)}{pad}}}\n" if self.random.random() < 0.4 else "\n"
        )

    def _s_section(self, depth: int) -> str:
        pad = "  " * depth
        kinds = (self._s_read, self._s_write, self._s_add, self._s_assume, self._s_end)
        inside = "".join(self.random.choice(kinds)(depth + 1) for _ in range(self.random.randint(1, 3)))
        return f"{pad}{ATOMIC_BEGIN}\n{inside}{pad}{ATOMIC_END}\n"

    def _s_locked(self, depth: int) -> str:
        pad, lock = "  " * depth, self.random.choice("mn")
        inside = "".join(
            self.random.choice((self._s_read, self._s_write, self._s_add))(depth + 1)
            for _ in range(self.random.randint(1, 2))
        )
        return f"{pad}pthread_mutex_lock(&{lock});\n{inside}{pad}pthread_mutex_unlock(&{lock});\n"

    def _s_loop(self, depth: int) -> str:
        pad = "  " * depth
        if self.has_loop or self.random.random() < 0.5:
            return f"{pad}while ({self.condition(shared=True)}) ;\n"
        self.has_loop = True  # several have too many states
        body = self.random.choice((self._s_write, self._s_add, self._s_read))(depth + 1)
        return f"{pad}while (__VERIFIER_nondet_bool()) {{\n{body}{pad}}}\n"
