"""A generator of small programs about heap blocks: same seed, same program.

Threads share blocks by pointers, by whole integers, by halves and by integers with all bits turned over; they
use, free, replace and reallocate what they find there, in any order, sometimes under a lock or in an atomic
section. Where they look they note what they saw, and main asserts that it was not one random outcome.
"""

from random import Random

HEADER = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int *_Atomic p, *_Atomic q;
_Atomic uintptr_t whole, turned;
_Atomic uint32_t low, high;
int g, *plain;
_Atomic int saw;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""

SHARED = ("p", "p", "q")
HIDDEN = (
    "(int *)whole",
    "(int *)whole",
    "(int *)((uintptr_t)high << 32 | low)",
    "turned ? (int *)~turned : 0",
)


class HeapGenerator:
    """Writes one program; half of them hide no pointers."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"heap {seed}")
        self.locals = 0
        self.is_inside = False
        self.hides = self.random.random() < 0.5

    def program(self) -> str:
        """The text of the program."""
        threads = self.random.choice((1, 1, 1, 1, 2))
        budget = {1: 3, 2: 1}[threads]
        parts = [HEADER]
        parts += [
            f"void *t{number}(void *arg) {{\n{self._thread(budget)}  return 0;\n}}\n"
            for number in range(threads)
        ]
        parts.append(self._main(threads, budget))
        return "\n".join(parts)

    def _thread(self, budget: int) -> str:
        self.locals = 0
        return self._block(self.random.randint(1, budget), 1)

    def _main(self, threads: int, budget: int) -> str:
        self.locals = 0
        lines = [f"  pthread_t id[{threads}];\n", "  plain = calloc(2, sizeof(int)); p = plain;\n"]
        if self.hides or self.random.random() < 0.4:
            lines.append(self._hide(1))
        lines += [f"  pthread_create(&id[{number}], 0, t{number}, plain);\n" for number in range(threads)]
        lines.append(self._block(self.random.randint(0, budget), 1))
        lines += [f"  pthread_join(id[{n}], 0);\n" for n in range(threads) if self.random.random() < 0.8]
        if self.random.random() < 0.3:
            lines.append(self._block(1, 1))
        return (
            "int main(void) {\n"
            + "".join(lines)
            + f"  assert(saw != {self.random.randint(1, 3)});\n  return 0;\n}}\n"
        )

    def _block(self, length: int, depth: int) -> str:
        return "".join(self._statement(depth) for _ in range(length))

    def _statement(self, depth: int) -> str:
        kinds = ["use", "use", "use", "free", "free", "take", "replace", "hide", "same", "look"]
        if not self.is_inside:
            kinds += ["realloc", "lock", "section", "choice"]
        made: str = getattr(self, "_" + self.random.choice(kinds))(depth)
        return made

    def _pointer(self) -> str:
        """An expression for a pointer that may be null, stale, or somebody else's."""
        if self.hides and self.random.random() < 0.5:
            return self.random.choice(HIDDEN)
        return self.random.choice((*SHARED, "plain", "(int *)whole"))

    def _local(self, depth: int) -> tuple[str, str]:
        self.locals += 1
        return f"l{self.locals}", "  " * depth

    def _use(self, depth: int) -> str:
        name, pad = self._local(depth)
        at = self.random.choice(("", "", "[1]"))
        place = f"{name}{at}" if at else f"*{name}"
        use = self.random.choice(
            (f"{place} = {self.random.randint(1, 2)}", f"saw = {place} + 1", f"++{place}")
        )
        return f"{pad}int *{name} = {self._pointer()};\n{pad}if ({name}) {use};\n"

    def _free(self, depth: int) -> str:
        name, pad = self._local(depth)
        after = self.random.choice(("", " p = 0;", " q = 0;", " whole = 0;"))
        return f"{pad}int *{name} = {self._pointer()};\n{pad}free({name});{after}\n"

    def _take(self, depth: int) -> str:
        """Whoever gets the pointer is the only one who has it, unless it is somewhere else, too."""
        name, pad = self._local(depth)
        use = self.random.choice(("", f"*{name} = 2; ", f"saw = *{name} + 1; "))
        return (
            f"{pad}int *{name} = atomic_exchange(&{self.random.choice(SHARED)}, 0);\n"
            f"{pad}if ({name}) {{ {use}free({name}); }}\n"
        )

    def _replace(self, depth: int) -> str:
        name, pad = self._local(depth)
        made = self.random.choice(
            ("calloc(2, sizeof(int))", "malloc(2 * sizeof(int))", "calloc(1, sizeof(int))")
        )
        exchange = f"atomic_exchange(&{self.random.choice(SHARED)}, {name})"
        return f"{pad}int *{name} = {made};\n{pad}" + (
            f"free({exchange});\n" if self.random.random() < 0.5 else f"{exchange};\n"
        )

    def _hide(self, depth: int) -> str:
        pad, shared = "  " * depth, self.random.choice(SHARED)
        if not self.hides or self.random.random() < 0.3:
            return f"{pad}whole = (uintptr_t){shared};\n"
        if self.random.random() < 0.5:
            return f"{pad}turned = ~(uintptr_t){shared};\n"
        return f"{pad}low = (uint32_t)(uintptr_t){shared}; high = (uint32_t)((uintptr_t){shared} >> 32);\n"

    def _same(self, depth: int) -> str:
        one, other = self.random.choice((("p", "q"), ("p", "plain"), ("p", "(int *)whole")))
        return f"{'  ' * depth}if ({one} == {other}) saw = {self.random.randint(1, 3)};\n"

    def _look(self, depth: int) -> str:
        return f"{'  ' * depth}saw = {self.random.choice(('g', 'p == 0', '!q'))} + 1;\n"

    def _realloc(self, depth: int) -> str:
        name, pad = self._local(depth)
        return f"{pad}int *{name} = realloc({self._pointer()}, 2 * sizeof(int));\n{pad}q = {name};\n"

    def _lock(self, depth: int) -> str:
        pad = "  " * depth
        return f"{pad}pthread_mutex_lock(&m);\n{self._held(depth)}{pad}pthread_mutex_unlock(&m);\n"

    def _section(self, depth: int) -> str:
        pad = "  " * depth
        return f"{pad}__VERIFIER_atomic_begin();\n{self._held(depth)}{pad}__VERIFIER_atomic_end();\n"

    def _held(self, depth: int) -> str:
        self.is_inside = True
        body = self._block(self.random.randint(1, 2), depth)
        self.is_inside = False
        return body

    def _choice(self, depth: int) -> str:
        pad = "  " * depth
        return f"{pad}if (__VERIFIER_nondet_bool()) {{\n{self._block(1, depth + 1)}{pad}}}\n"
