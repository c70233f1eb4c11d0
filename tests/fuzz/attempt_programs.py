"""Random programs with readers that look at the end whether what they have read is good, and else try again.

Sequence locks, and what is nearly one: numbers that come back, wrap around or do not change, writers that
forget a half, readers that do something in an attempt or remember something of it, data that is not atomic.
"""

from random import Random

HEADER = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Atomic unsigned char a, b, d[2];
_Atomic int out;
int z;
"""

NUMBERS = (
    *("_Atomic int s;", "_Atomic int s;", "_Atomic unsigned s = 2;"),
    *("_Atomic unsigned char s = 254;", "_Atomic int s = -2;", "_Atomic unsigned char s = 252;"),
)
BEGINS = (
    *("s++;", "s++;", "s++;", "atomic_fetch_add(&s, 1);", "s = s + 1;", "unsigned n = s; s = n + 1;", ""),
    *("s--;", "s ^= 1;", "s = 1;", "if (s < 3) s = s + 1;", "atomic_fetch_add(&s, 3);"),
)
ENDS = (
    *("s++;", "s++;", "s++;", "atomic_fetch_add(&s, 1);", "s = s + 1;", "s += 3;", ""),
    *("s--;", "s ^= 1;", "s = 0;", "s = s & 3;"),
)
WRITES = (
    *("a++; b++;", "a++; b++;", "a = i; b = i;", "d[0]++; d[1]++;", "b++; a++;", "a = 1; b = 1;"),
    *("a++;", "a = b + 1; b = a;", "z++;", "a++; z++; b++;", "a++; b++; a--;", "a ^= 1; b ^= 1;"),
)
READS = (
    *("x = a; y = b;", "x = a; y = b;", "x = a; y = b;", "x = d[0]; y = d[1];", "y = b; x = a;"),
    *("x = a; if (x) y = b; else y = 0;", "x = a; y = __VERIFIER_nondet_bool() ? b : a;", "x = a; y = x;"),
    *("x = a; y = b; k++;", "x = a; y = b; out = x;", "x = a; assert(x < 2); y = b;", "x = a; y = z;"),
    *("x = a; out++; y = b;", "x = a; y = b; if (x != y) k = 1;", "x = y; y = b;", "x += a; y += b;"),
    *("for (int i = 0; i < 2; i++) x = d[i]; y = x;", "x = y = 0; for (int i = 0; i < 2; i++) y = d[i ^ x];"),
    *(
        "x = a; y = b; if (x > 1) return 0;",
        "pthread_mutex_lock(&m); x = a; pthread_mutex_unlock(&m); y = b;",
    ),
    *("x = a; y = b; if (y == 2) return 0;", "x = a; while (!b) ; y = b;", "x = a; y = b; o = n;"),
    *("x = a; y = b; z = 1;", "x = 100 / (a + 1); y = b;", "x = a; y = b; (void)out;"),
)
LOOPS = (
    "do { n = s; READS } while (n & 1 || n != s);",
    "do { n = s; READS } while (n != s || n & 1);",
    "do { do n = s; while (n & 1); READS } while (s != n);",
    "do { do n = s; while (n & 1); READS } while (s != n);",
    "do { n = s; READS } while (n != s);",
    "for (;;) { n = s; if (n & 1) continue; READS if (n == s) break; }",
    "for (;;) { n = s; if (n & 1) continue; READS if (n == s) break; k++; }",
    "for (k = 0; k < 2; k++) { n = s; READS if (n == s) break; }",
    "do { n = s; READS } while (s - n);",
    "do { n = s; READS } while (s > n);",
    "do { n = s; READS w = s; } while (w != n);",
    "n = s; do { w = n; READS n = s; } while (w != n);",
    "do { n = s; READS w = n; } while (!atomic_compare_exchange_strong(&s, &w, n + 2));",
    "do { n = s; READS w = n; } while (!atomic_compare_exchange_weak(&s, &w, n + 1));",
    "n = s; do { READS } while (!atomic_compare_exchange_strong(&s, &n, n + 2));",
    "do { o = n; n = s; READS } while (n != s);",
    "n = s; READS if (n != s) return 0;",
    "n = s; READS if (n != s) { n = s; READS }",
)
AFTERS = (
    *("assert(x == y);", "assert(x == y);", "assert(x <= y + 1);", "out = x;", "assert(k < 1);", ""),
    *("assert(x != 1 || y != 2);", "assert(o == 0);", "a = y;", "s++;", "assert(out < 3);", "z = x;"),
)


class AttemptGenerator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"attempts {seed}")

    def program(self) -> str:
        """The text of the program."""
        choice = self.random.choice
        number = choice(NUMBERS)
        sort = number.removeprefix("_Atomic ").split(" s")[0]
        readers = [self._reader(f"r{i}", sort) for i in range(choice((1, 1, 2)))]
        writers = [self._writer(f"w{i}") for i in range(choice((1, 1, 1, 2)))]
        started = [
            f"{kind}{choice(range(len(made)))}"
            for kind, made in (("w", writers), ("r", readers))
            for _ in range(max(len(made), choice((1, 1, 2))))
        ][:3]
        self.random.shuffle(started)
        return "\n".join([HEADER + number, *readers, *writers, self._main(started)])

    def _writer(self, name: str) -> str:
        choice = self.random.choice
        lock, unlock = choice((("", ""), ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);")))
        inside = f"{choice(BEGINS)} {choice(WRITES)} {choice(ENDS)}"
        rounds = choice((1, 1, 2, 2, 3))
        return (
            f"void *{name}(void *arg) {{\n  for (int i = 1; i <= {rounds}; i++) {{\n"
            f"    {lock} {inside} {unlock}\n  }}\n  return 0;\n}}\n"
        )

    def _reader(self, name: str, sort: str) -> str:
        choice = self.random.choice
        loop = choice(LOOPS).replace("READS", choice(READS))
        return (
            f"void *{name}(void *arg) {{\n  {sort} n = 0, o = 0, w = 0;\n"
            f"  int x = 0, y = 0, k = 0;\n  {loop}\n  {choice(AFTERS)}\n  return 0;\n}}\n"
        )

    def _main(self, started: list[str]) -> str:
        lines = [f"  pthread_t t[{len(started)}];"]
        lines += [f"  pthread_create(&t[{i}], 0, {name}, 0);" for i, name in enumerate(started)]
        if self.random.random() < 0.8:
            lines += [f"  pthread_join(t[{i}], 0);" for i in range(len(started))]
            lines.append(self.random.choice(("", "", "  assert(a == b);", "  assert(out < 2);")))
        return "int main(void) {\n" + "\n".join(lines) + "\n  return 0;\n}\n"


def attempt_program(seed: int) -> str:
    """The program with this seed."""
    return AttemptGenerator(seed).program()
