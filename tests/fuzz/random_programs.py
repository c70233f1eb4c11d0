"""A generator of small concurrent C programs: same seed, same program.

The programs are legal C with pthreads, mostly wrong in some way: races, failing assertions, deadlocks,
invalid accesses. They are small enough for an exhaustive search without any reduction.
"""

from random import Random

HEADER = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""

GLOBALS = """\
int x, y;
int arr[2];
int *p = &x;
_Atomic int a;
_Bool ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
"""

PLAIN = ("x", "y", "*p", "arr[0]", "arr[a & 1]")

ENDS = ("abort();", "exit(1);", "_Exit(0);", "return 0;", "pthread_exit(0);")
"""The end of the process or, by some, of a thread: of the process again if that is main, which may return."""


class Generator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.locals = 0
        self.is_atomic = False

    def program(self) -> str:
        """The text of the program."""
        threads = self.random.choice((1, 2, 2, 2, 3))
        parts = [HEADER, GLOBALS]
        budget = {1: 5, 2: 4, 3: 2}[threads]
        for number in range(threads):
            self.locals = 0
            body = self.block(self.random.randint(1, budget), 1)
            parts.append(f"void *t{number}(void *arg) {{\n{body}  return 0;\n}}\n")
        parts.append(self.main(threads))
        return "\n".join(parts)

    def main(self, threads: int) -> str:
        """The main function: starts the threads, joins most of them, asserts something."""
        self.locals = 0
        lines = [f"  pthread_t id[{threads}];"]
        for number in range(threads):
            lines.append(f"  pthread_create(&id[{number}], 0, t{number}, 0);")
            if self.random.random() < 0.2:
                lines.append(self.statement(1).rstrip("\n"))
        joined = [number for number in range(threads) if self.random.random() < 0.85]
        lines.extend(f"  pthread_join(id[{number}], 0);" for number in joined)
        lines.append(f"  assert({self.condition()});")
        return "int main(void) {\n" + "\n".join(lines) + "\n  return 0;\n}\n"

    def block(self, length: int, depth: int) -> str:
        """Some statements."""
        return "".join(self.statement(depth) for _ in range(length))

    def statement(self, depth: int) -> str:
        """One statement."""
        kinds = ["assign", "assign", "add", "local", "atomic", "lock", "assert"]
        if depth < 3:
            kinds += ["if", "loop", "digits", "choice", "section", "gate", "inputs"]
        kinds += ["cas", "pointer", "signal", "heap", "assume", "two_locks", "divide", "end"]
        if self.is_atomic:
            kinds = ["assign", "add", "atomic", "assume", "pointer", "end"]
            if depth < 3:
                kinds += ["if", "loop"]
        made: str = getattr(self, "_" + self.random.choice(kinds))(depth)
        return made

    def variable(self) -> str:
        """A place that can be written."""
        return self.random.choice(PLAIN)

    def expression(self) -> str:
        """An int expression with at most two shared reads."""
        kind = self.random.randrange(5)
        if kind == 0:
            return str(self.random.randint(0, 2))
        if kind == 1:
            return self.variable()
        if kind == 2:
            return f"{self.variable()} + {self.random.randint(1, 2)}"
        if kind == 3:
            return f"{self.variable()} {self.random.choice('+-&^')} {self.variable()}"
        return "a"

    def condition(self) -> str:
        """A truth value."""
        relation = self.random.choice(("==", "!=", "<", "<=", ">"))
        simple = f"{self.variable()} {relation} {self.random.randint(0, 2)}"
        if self.random.random() < 0.25:
            return f"{simple} {self.random.choice(('&&', '||'))} {self.variable()} != 1"
        return simple

    def _assign(self, depth: int) -> str:
        return f"{'  ' * depth}{self.variable()} = {self.expression()};\n"

    def _add(self, depth: int) -> str:
        operation = self.random.choice(("++", " += 2", "--"))
        return f"{'  ' * depth}{self.random.choice(('x', 'y', 'a'))}{operation};\n"

    def _local(self, depth: int) -> str:
        self.locals += 1
        name = f"l{self.locals}"
        pad = "  " * depth
        return f"{pad}int {name} = {self.expression()};\n{pad}{self.variable()} = {name} + 1;\n"

    def _atomic(self, depth: int) -> str:
        operation = self.random.choice(
            ("atomic_fetch_add(&a, 1)", "atomic_store(&a, 1)", "atomic_exchange(&a, 2)", "a = 0")
        )
        return f"{'  ' * depth}{operation};\n"

    def _cas(self, depth: int) -> str:
        pad = "  " * depth
        self.locals += 1
        expected = f"e{self.locals}"
        return (
            f"{pad}int {expected} = {self.random.randint(0, 1)};\n"
            f"{pad}if (atomic_compare_exchange_strong(&a, &{expected}, 2)) {self.variable()} = 1;\n"
        )

    def _lock(self, depth: int) -> str:
        pad, lock = "  " * depth, self.random.choice("mn")
        inside = self._assign(depth) if self.random.random() < 0.5 else self._add(depth)
        return f"{pad}pthread_mutex_lock(&{lock});\n{inside}{pad}pthread_mutex_unlock(&{lock});\n"

    def _two_locks(self, depth: int) -> str:
        pad = "  " * depth
        first, second = self.random.sample("mn", 2)
        return (
            f"{pad}pthread_mutex_lock(&{first}); pthread_mutex_lock(&{second});\n{self._add(depth)}"
            f"{pad}pthread_mutex_unlock(&{second}); pthread_mutex_unlock(&{first});\n"
        )

    def _signal(self, depth: int) -> str:
        pad = "  " * depth
        if self.random.random() < 0.5:
            wake = self.random.choice(("signal", "broadcast"))
            return (
                f"{pad}pthread_mutex_lock(&m); ready = 1; pthread_cond_{wake}(&c); "
                "pthread_mutex_unlock(&m);\n"
            )
        test = self.random.choice(("while", "if"))
        return (
            f"{pad}pthread_mutex_lock(&m); {test} (!ready) pthread_cond_wait(&c, &m); "
            "pthread_mutex_unlock(&m);\n"
        )

    def _if(self, depth: int) -> str:
        pad = "  " * depth
        text = f"{pad}if ({self.condition()}) {{\n{self.block(1, depth + 1)}{pad}}}"
        if self.random.random() < 0.4:
            text += f" else {{\n{self.block(1, depth + 1)}{pad}}}"
        return text + "\n"

    def _choice(self, depth: int) -> str:
        pad = "  " * depth
        return f"{pad}if (__VERIFIER_nondet_bool()) {{\n{self.block(1, depth + 1)}{pad}}}\n"

    def _loop(self, depth: int) -> str:
        self.locals += 1
        name, pad = f"i{self.locals}", "  " * depth
        early = f"{pad}  if ({self.condition()}) continue;\n" if self.random.random() < 0.4 else ""
        body = early + self.block(1, depth + 1)
        return f"{pad}for (int {name} = 0; {name} < 2; {name}++) {{\n{body}{pad}}}\n"

    def _digits(self, depth: int) -> str:
        """A loop over a local variable with several ways back to its head."""
        self.locals += 1
        name, pad = f"n{self.locals}", "  " * depth
        early = self.random.choice((f"if ({name} % 2) continue; ", f"if ({name} == 2) break; ", ""))
        return (
            f"{pad}for (int {name} = {self.random.choice('xy')} & 3; {name} > 0;) {{ {name}--; {early}"
            f"if ({name} == 1) continue; a = {name}; }}\n"
        )

    def _inputs(self, depth: int) -> str:
        """A loop, often endless, whose states repeat only when an input was told apart."""
        pad, place = "  " * depth, self.random.choice("xy")
        again = self.random.choice(("1", "1", self.condition()))
        first = f"{place} = __VERIFIER_nondet_int(); __VERIFIER_assume({place} != 0); "
        return (
            f"{pad}{first if self.random.random() < 0.7 else ''}a = {self.random.randint(0, 2)};\n"
            f"{pad}while ({again}) {{ if ({place}) {place} = 0; else {place} = __VERIFIER_nondet_int(); }}\n"
        )

    def _section(self, depth: int) -> str:
        pad = "  " * depth
        self.is_atomic = True
        body = self.block(self.random.randint(1, 2), depth)
        self.is_atomic = False
        return f"{pad}__VERIFIER_atomic_begin();\n{body}{pad}__VERIFIER_atomic_end();\n"

    def _assume(self, depth: int) -> str:
        return f"{'  ' * depth}__VERIFIER_assume({self.condition()});\n"

    def _gate(self, depth: int) -> str:
        pad, end = "  " * depth, self.random.choice(ENDS)
        read, written = self.random.choice("xya"), self.random.choice("xya")
        return (
            f"{pad}__VERIFIER_atomic_begin(); if ({read} == {self.random.randint(0, 1)}) {end} "
            f"{written} = {self.random.randint(0, 2)}; __VERIFIER_atomic_end();\n"
        )

    def _end(self, depth: int) -> str:
        end = self.random.choice(ENDS)
        return f"{'  ' * depth}if ({self.condition()}) {end}\n"

    def _assert(self, depth: int) -> str:
        return f"{'  ' * depth}assert({self.condition()});\n"

    def _pointer(self, depth: int) -> str:
        return f"{'  ' * depth}p = {self.random.choice(('&x', '&y', '&arr[1]', '&x', '&arr[2]', '0'))};\n"

    def _heap(self, depth: int) -> str:
        self.locals += 1
        name, pad = f"h{self.locals}", "  " * depth
        release = "" if self.random.random() < 0.2 else f" free({name});"
        return f"{pad}int *{name} = malloc(sizeof(int)); *{name} = {self.expression()};{release}\n"

    def _divide(self, depth: int) -> str:
        return f"{'  ' * depth}{self.variable()} = 4 / ({self.variable()} + 1);\n"


def random_program(seed: int) -> str:
    """The program with this seed."""
    return Generator(seed).program()
