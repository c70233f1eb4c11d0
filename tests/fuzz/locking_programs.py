"""A generator of small programs about locks, joins and counters: same seed, same program.

Threads note what they see; at the end main asserts that they did not see one random outcome. So most
violations need a particular order, and engines that leave out orders are likely to be caught.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

HEADER = """\
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""

GLOBALS = """\
int x, y;
_Atomic int a, b;
signed char c = 100;
unsigned short h = 65534;
_Atomic unsigned char w = 254;
int *heap;
__thread int own;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, again, strict;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
pthread_spinlock_t spin;
mtx_t mtx;
sem_t sem;
_Bool ready;
_Atomic _Bool taken;
_Atomic int turn;
"""

VARIABLES = ("x", "y", "a", "b", "c", "h", "w")
SPECIAL = {"c": (100, 102, -56), "h": (65534, 0, 1), "w": (254, 0, 1)}
"""Values that are likely, where they are not small."""


class Lock(NamedTuple):
    """A way to keep others out."""

    begin: str
    end: str
    tried: str
    """Whether it could be taken at once."""
    made: str = ""
    """How main makes it."""


MUTEX = Lock("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);", "pthread_mutex_trylock(&m) == 0")
LOCKS = (
    MUTEX,
    MUTEX,
    Lock("pthread_mutex_lock(&n);", "pthread_mutex_unlock(&n);", "pthread_mutex_trylock(&n) == 0"),
    Lock("pthread_mutex_lock(&n);", "pthread_mutex_unlock(&n);", "pthread_mutex_trylock(&n) == 0"),
    Lock(
        "pthread_mutex_lock(&again);",
        "pthread_mutex_unlock(&again);",
        "pthread_mutex_lock(&again) == 0",
        "pthread_mutexattr_t is_again; pthread_mutexattr_init(&is_again); "
        "pthread_mutexattr_settype(&is_again, PTHREAD_MUTEX_RECURSIVE); "
        "pthread_mutex_init(&again, &is_again);",
    ),
    Lock(
        "pthread_mutex_lock(&strict);",
        "pthread_mutex_unlock(&strict);",
        "pthread_mutex_lock(&strict) == 0",
        "pthread_mutexattr_t is_strict; pthread_mutexattr_init(&is_strict); "
        "pthread_mutexattr_settype(&is_strict, PTHREAD_MUTEX_ERRORCHECK); "
        "pthread_mutex_init(&strict, &is_strict);",
    ),
    Lock("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);", "pthread_rwlock_trywrlock(&rw) == 0"),
    Lock("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);", "pthread_rwlock_tryrdlock(&rw) == 0"),
    Lock(
        "pthread_spin_lock(&spin);",
        "pthread_spin_unlock(&spin);",
        "pthread_spin_trylock(&spin) == 0",
        "pthread_spin_init(&spin, 0);",
    ),
    Lock(
        "mtx_lock(&mtx);",
        "mtx_unlock(&mtx);",
        "mtx_trylock(&mtx) == thrd_success",
        "mtx_init(&mtx, mtx_plain);",
    ),
    Lock("sem_wait(&sem);", "sem_post(&sem);", "sem_trywait(&sem) == 0", "sem_init(&sem, 0, 1);"),
    Lock(
        "__VERIFIER_atomic_begin(); if (taken) abort(); taken = 1; __VERIFIER_atomic_end();",
        "__VERIFIER_atomic_begin(); if (!taken) exit(1); taken = 0; __VERIFIER_atomic_end();",
        "!taken",
    ),
    Lock(
        "__VERIFIER_atomic_begin(); if (turn) { if (turn > 1) _Exit(0); turn = 2; } else turn = 1; "
        "__VERIFIER_atomic_end();",
        "__VERIFIER_atomic_begin(); turn--; __VERIFIER_atomic_end();",
        "turn < 2",
    ),
)

STOPS = (
    "return 0;",
    "pthread_exit((void *)1);",
    "exit(0);",
    "abort();",
    "__VERIFIER_assume(0);",
    "while (1) ;",
    "pthread_mutex_lock(&m);",
    "pthread_mutex_unlock(&n);",
    "pthread_mutex_init(&m, 0);",
)

ENDS = ("abort();", "exit(0);", "_Exit(1);", "return 0;", "pthread_exit(0);")

SIMPLE_KINDS = ("write", "write", "add", "add", "atomic", "exchange", "see", "see", "own", "heap")

KINDS = (
    *SIMPLE_KINDS,
    "section",
    "section",
    "section",
    "two_locks",
    "two_locks",
    "maybe_locked",
    "tried",
    "signal",
    "post",
    "atomic_section",
    "branch",
    "branch",
    "loop",
    "stop",
    "end",
    "assume",
    "assertion",
)

MOST_SEEN = 5


class LockingGenerator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"locking {seed}")
        self.variables = self.random.sample(VARIABLES, self.random.choice((1, 2, 2, 3)))
        self.locks = self.random.sample(LOCKS, self.random.choice((1, 2, 2, 3)))
        self.names = 0
        self.seen = 0
        self.is_main = False

    def program(self) -> str:
        """The text of the program."""
        threads = self.random.choice((2, 2, 2, 3))
        are_alike = self.random.random() < 0.35
        budget = 4 if threads == 2 else 2
        functions = ["t0"] * threads if are_alike else [f"t{number}" for number in range(threads)]
        bodies: list[str] = []
        for name in dict.fromkeys(functions):
            body = self.block(self.random.randint(1, budget), 1, KINDS)
            bodies.append(f"void *{name}(void *arg)\n{{\n{body}  return {self.result()};\n}}\n")
        self.is_main = True
        main = self.main(functions)
        seen = "".join(f"_Atomic int s{number};\n" for number in range(self.seen))
        return "\n".join((HEADER, GLOBALS + seen, *bodies, main))

    # --- main -------------------------------------------------------------------------------------

    def main(self, functions: Sequence[str]) -> str:
        """Starts the threads, joins some of them, and asserts something."""
        count = len(functions)
        lines = [f"  pthread_t id[{count}];", "  void *r;", *self.initialisations()]
        if self.random.random() < 0.3:
            lines.append(self.block(1, 1, SIMPLE_KINDS).rstrip("\n"))
        argument = self.random.choice(("0", "0", "(void *)%s", "&id"))
        if len(set(functions)) == 1 and self.random.random() < 0.5:
            shown = argument.replace("%s", "(long)i")
            lines.append(f"  for (int i = 0; i < {count}; i++)")
            lines.append(f"    pthread_create(&id[i], 0, {functions[0]}, {shown});")
        else:
            for number, function in enumerate(functions):
                shown = argument.replace("%s", str(number))
                creation = f"pthread_create(&id[{number}], 0, {function}, {shown});"
                if self.random.random() < 0.05:
                    creation = f"if (__VERIFIER_nondet_bool()) {creation}"
                lines.append(f"  {creation}")
                if self.random.random() < 0.25:
                    lines.append(self.block(1, 1, (*SIMPLE_KINDS, "section")).rstrip("\n"))
        lines += self.joins(count)
        lines.append(f"  assert({self.outcome()});")
        if self.random.random() < 0.2:
            lines.append(self.block(1, 1, ("section", "assertion", "write")).rstrip("\n"))
        lines.append(self.random.choice(("  return 0;", "  return 0;", "  return 0;", "  pthread_exit(0);")))
        return "int main(void)\n{\n" + "\n".join(lines) + "\n}\n"

    def initialisations(self) -> list[str]:
        """What cannot be initialised where it is defined."""
        lines = [f"  {made}" for made in dict.fromkeys(lock.made for lock in self.locks) if made]
        if "sem_init" not in "".join(lines):
            lines.append(f"  sem_init(&sem, 0, {self.random.choice((0, 1, 1, 2))});")
        if self.random.random() < 0.5:
            lines.append("  heap = malloc(sizeof *heap); *heap = 0;")
        return lines

    def joins(self, count: int) -> list[str]:
        """Some joins, with other things between them."""
        numbers = [number for number in range(count) if self.random.random() < 0.9]
        if self.random.random() < 0.3:
            self.random.shuffle(numbers)
        lines: list[str] = []
        for number in numbers:
            lines.append("  " + self.join(number))
            if self.random.random() < 0.2:
                lines.append(self.block(1, 1, (*SIMPLE_KINDS, "assertion", "section")).rstrip("\n"))
        return lines

    def join(self, number: int) -> str:
        """A join of one thread, or something like it."""
        plain = f"pthread_join(id[{number}], 0);"
        chance = self.random.random()
        if chance < 0.6:
            return plain
        if chance < 0.75:
            return f"pthread_join(id[{number}], &r); {self.new_seen()} = (long)r;"
        if chance < 0.85:
            return f"if ({self.condition()}) {plain}"
        if chance < 0.92:
            return f"{self.new_seen()} = pthread_tryjoin_np(id[{number}], 0);"
        return f"pthread_detach(id[{number}]);"

    def outcome(self) -> str:
        """Not everything that was seen, and what is there now, is as in one random outcome."""
        places = [f"s{number}" for number in range(self.seen)]
        places += self.random.sample(self.variables, self.random.randint(0, len(self.variables)))
        self.random.shuffle(places)
        asked = places[: self.random.randint(1, 3)] or [self.variable()]
        return "!(" + " && ".join(self.comparison(place) for place in asked) + ")"

    def comparison(self, place: str) -> str:
        """A place has a likely value."""
        relation = self.random.choice(("==", "==", "==", "!=", ">"))
        return f"{place} {relation} {self.random.choice(SPECIAL.get(place, (0, 1, 2)))}"

    # --- statements -------------------------------------------------------------------------------

    def block(self, length: int, depth: int, kinds: Sequence[str]) -> str:
        """Some statements."""
        return "".join(self.statement(depth, kinds) for _ in range(length))

    def statement(self, depth: int, kinds: Sequence[str]) -> str:
        """One statement."""
        possible = kinds if depth < 3 else SIMPLE_KINDS
        made: str = getattr(self, "_" + self.random.choice(possible))(depth)
        return made

    def inside(self, depth: int) -> str:
        """What a critical section does."""
        chance = self.random.random()
        kinds = SIMPLE_KINDS if chance < 0.7 else (*SIMPLE_KINDS, "stop", "assume", "branch", "assertion")
        return self.block(self.random.choice((1, 1, 2)), depth, kinds)

    def new_name(self, letter: str) -> str:
        """A name that is not used yet."""
        self.names += 1
        return f"{letter}{self.names}"

    def new_seen(self) -> str:
        """A variable that only main reads."""
        if self.seen == MOST_SEEN:
            return f"s{self.random.randrange(MOST_SEEN)}"
        self.seen += 1
        return f"s{self.seen - 1}"

    def variable(self) -> str:
        """A place that can be written."""
        return self.random.choice(self.variables)

    def expression(self) -> str:
        """A number."""
        return self.random.choice(
            (
                str(self.random.randint(0, 2)),
                self.variable(),
                f"{self.variable()} + 1",
                f"{self.variable()} {self.random.choice('+-*&')} {self.variable()}",
                "(__VERIFIER_nondet_uchar() & 3)",
                "(int)(long)arg" if not self.is_main else "1",
            )
        )

    def condition(self) -> str:
        """A truth value."""
        if self.random.random() < 0.3:
            return "__VERIFIER_nondet_bool()"
        return self.comparison(self.random.choice((*self.variables, *(f"s{n}" for n in range(self.seen)))))

    def result(self) -> str:
        """What a thread returns."""
        return self.random.choice(("0", "0", "0", f"(void *)(long){self.variable()}"))

    def _write(self, depth: int) -> str:
        return f"{'  ' * depth}{self.variable()} = {self.expression()};\n"

    def _add(self, depth: int) -> str:
        operation = self.random.choice(("++", "++", " += 2", "--", " *= 2"))
        return f"{'  ' * depth}{self.variable()}{operation};\n"

    def _atomic(self, depth: int) -> str:
        place = self.random.choice(("a", "a", "b", "w"))
        operation = self.random.choice(
            (
                f"atomic_fetch_add(&{place}, 1)",
                f"atomic_fetch_sub(&{place}, 1)",
                f"atomic_exchange(&{place}, 2)",
                f"atomic_fetch_or(&{place}, 1)",
            )
        )
        target = f"{self.new_seen()} = " if self.random.random() < 0.5 else ""
        return f"{'  ' * depth}{target}{operation};\n"

    def _exchange(self, depth: int) -> str:
        pad, name, place = "  " * depth, self.new_name("e"), self.random.choice("ab")
        before = self.random.choice(("0", "1", place))
        after = self.random.choice(("1", "2", f"{name} + 1"))
        then = self.random.choice((f"{self.variable()} = 1", f"{self.new_seen()} = 1", f"{place}++"))
        return (
            f"{pad}int {name} = {before};\n"
            f"{pad}if (atomic_compare_exchange_strong(&{place}, &{name}, {after})) {then};\n"
        )

    def _see(self, depth: int) -> str:
        return (
            f"{'  ' * depth}{self.new_seen()} = {self.random.choice((self.variable(), self.expression()))};\n"
        )

    def _own(self, depth: int) -> str:
        pad = "  " * depth
        return pad + self.random.choice(
            (
                f"own = {self.variable()};\n",
                "own++;\n",
                f"{self.variable()} = own;\n",
                f"own += 2; {self.new_seen()} = own;\n",
            )
        )

    def _heap(self, depth: int) -> str:
        pad = "  " * depth
        return pad + self.random.choice(
            (
                "if (heap) *heap = 1;\n",
                "if (heap) ++*heap;\n",
                f"if (heap) {self.new_seen()} = *heap;\n",
                "free(heap); heap = 0;\n",
                f"{{ int *p = malloc(4); *p = {self.expression()}; {self.variable()} = *p; free(p); }}\n",
            )
        )

    def _section(self, depth: int) -> str:
        pad = "  " * depth
        begin, end, _, _ = self.random.choice(self.locks)
        inside = self.inside(depth + 1)
        if self.random.random() < 0.1:
            begin += " " + begin
            end += " " + end if self.random.random() < 0.7 else ""
        return f"{pad}{begin}\n{inside}{pad}{end}\n"

    def _two_locks(self, depth: int) -> str:
        pad = "  " * depth
        one, other = (
            self.random.choices(self.locks, k=2)
            if len(self.locks) == 1
            else self.random.sample(self.locks, 2)
        )
        first, second = (one, other) if self.random.random() < 0.5 else (other, one)
        parts = [one.begin, "", other.begin, "", first.end, "", second.end]
        text = ""
        for part in parts:
            if part:
                text += f"{pad}{part}\n"
            elif self.random.random() < 0.55:
                text += self.statement(depth + 1, (*SIMPLE_KINDS, *SIMPLE_KINDS, "stop", "assume"))
        return text

    def _maybe_locked(self, depth: int) -> str:
        pad, name = "  " * depth, self.new_name("is")
        begin, end, _, _ = self.random.choice(self.locks)
        if self.random.random() < 0.3:
            other = self.random.choice("mn")
            chosen = f"pthread_mutex_t *{name} = {self.condition()} ? &m : &{other};\n"
            begin, end = f"pthread_mutex_lock({name});", f"pthread_mutex_unlock({name});"
            return f"{pad}{chosen}{pad}{begin}\n{self.inside(depth + 1)}{pad}{end}\n"
        if self.random.random() < 0.3:
            return (
                f"{pad}_Bool {name} = {self.condition()};\n{pad}if ({name}) {begin}\n"
                f"{self.inside(depth + 1)}{pad}if ({name}) {end}\n"
            )
        return (
            f"{pad}if ({self.condition()}) {{\n{pad}  {begin}\n{self.inside(depth + 1)}{pad}  {end}\n"
            f"{pad}}} else {{\n{self.inside(depth + 1)}{pad}}}\n"
        )

    def _tried(self, depth: int) -> str:
        pad = "  " * depth
        lock = self.random.choice(self.locks)
        text = f"{pad}if ({lock.tried}) {{\n{self.inside(depth + 1)}{pad}  {lock.end}\n{pad}}}"
        if self.random.random() < 0.4:
            text += f" else {{\n{self.inside(depth + 1)}{pad}}}"
        return text + "\n"

    def _signal(self, depth: int) -> str:
        pad = "  " * depth
        if self.random.random() < 0.5:
            wake = self.random.choice(("signal", "broadcast"))
            return (
                f"{pad}pthread_mutex_lock(&m); ready = 1; {self.variable()} = 1; "
                f"pthread_cond_{wake}(&changed); pthread_mutex_unlock(&m);\n"
            )
        test = self.random.choice(("while", "if"))
        return (
            f"{pad}pthread_mutex_lock(&m); {test} (!ready) pthread_cond_wait(&changed, &m);\n"
            f"{self.inside(depth + 1)}{pad}pthread_mutex_unlock(&m);\n"
        )

    def _post(self, depth: int) -> str:
        return f"{'  ' * depth}{self.random.choice(('sem_post(&sem);', 'sem_wait(&sem);'))}\n"

    def _atomic_section(self, depth: int) -> str:
        pad = "  " * depth
        kinds = ("write", "write", "add", "add", "see", "see", "atomic", "assume", "end", "ending_loop")
        body = self.block(self.random.randint(1, 3), depth + 1, kinds)
        return f"{pad}__VERIFIER_atomic_begin();\n{body}{pad}__VERIFIER_atomic_end();\n"

    def _branch(self, depth: int) -> str:
        pad = "  " * depth
        text = f"{pad}if ({self.condition()}) {{\n{self.block(1, depth + 1, KINDS)}{pad}}}"
        if self.random.random() < 0.4:
            text += f" else {{\n{self.block(1, depth + 1, KINDS)}{pad}}}"
        return text + "\n"

    def _loop(self, depth: int) -> str:
        pad, name = "  " * depth, self.new_name("i")
        body = self.block(1, depth + 1, (*SIMPLE_KINDS, "section"))
        head = self.random.choice(
            (
                f"for (int {name} = 0; {name} < 2; {name}++)",
                f"for (int {name} = __VERIFIER_nondet_bool(); {name} < 2; {name}++)",
                "while (__VERIFIER_nondet_bool())",
                f"while ({self.comparison(self.random.choice('ab'))})",
            )
        )
        return f"{pad}{head} {{\n{body}{pad}}}\n"

    def _stop(self, depth: int) -> str:
        pad, stop = "  " * depth, self.random.choice(STOPS)
        if self.random.random() < 0.6:
            return f"{pad}if ({self.condition()}) {stop}\n"
        return f"{pad}{stop}\n"

    def _end(self, depth: int) -> str:
        return f"{'  ' * depth}if ({self.condition()}) {self.random.choice(ENDS)}\n"

    def _ending_loop(self, depth: int) -> str:
        pad, name = "  " * depth, self.new_name("i")
        body = self.block(1, depth + 1, ("write", "add", "see")) + self._end(depth + 1)
        return f"{pad}for (int {name} = 0; {name} < 2; {name}++) {{\n{body}{pad}}}\n"

    def _assume(self, depth: int) -> str:
        return f"{'  ' * depth}__VERIFIER_assume({self.condition()});\n"

    def _assertion(self, depth: int) -> str:
        places = [*self.variables, "x", *(f"s{number}" for number in range(self.seen))]
        asked = self.random.sample(places, 2)
        return f"{'  ' * depth}assert(!({' && '.join(self.comparison(place) for place in asked)}));\n"
