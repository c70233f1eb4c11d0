"""A generator of small programs that take several locks, mostly in one order: same seed, same program.

Locks are named, in arrays, in structures that are reached by pointers, on the heap; normal, recursive,
error-checking ones and spin locks; waited for, tried, or waited for with a deadline. Some are taken the other
way round, behind a gate or not; some are kept by threads that end, or held while others are joined.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

HEADER = """\
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct pair { pthread_mutex_t one, two; int value; };
struct pair pair = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 0 };
struct pair *heap;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t many[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
pthread_mutex_t again, strict;
pthread_spinlock_t spin;
struct timespec soon;
_Atomic int x;
"""


class Lock(NamedTuple):
    """A lock, by an expression for its address."""

    address: str
    is_spin: bool = False
    made: str = ""
    """How main makes it."""

    def call(self, what: str) -> str:
        """Such a call, which succeeds if it returns 0."""
        kind = "spin" if self.is_spin else "mutex"
        deadline = ", &soon" if what == "timedlock" else ""
        return f"pthread_{kind}_{what}({self.address}{deadline})"


def _typed(name: str, kind: str) -> Lock:
    return Lock(
        f"&{name}",
        made=f"pthread_mutexattr_t of_{name}; pthread_mutexattr_init(&of_{name}); "
        f"pthread_mutexattr_settype(&of_{name}, PTHREAD_MUTEX_{kind}); "
        f"pthread_mutex_init(&{name}, &of_{name});",
    )


_HEAP = (
    "heap = malloc(sizeof *heap); pthread_mutex_init(&heap->one, 0); pthread_mutex_init(&heap->two, 0); "
    "heap->value = 0;"
)

LOCKS = (
    Lock("&m"),
    Lock("&m"),
    Lock("&n"),
    Lock("&n"),
    Lock("&many[0]"),
    Lock("&many[1]"),
    Lock("&many[x & 1]"),
    Lock("&pair.one"),
    Lock("&pair.two"),
    Lock("&p->one"),
    Lock("&p->two"),
    Lock("&heap->one", made=_HEAP),
    Lock("&heap->two", made=_HEAP),
    Lock("(x ? &m : &n)"),
    Lock("&spin", is_spin=True, made="pthread_spin_init(&spin, 0);"),
    _typed("again", "RECURSIVE"),
    _typed("strict", "ERRORCHECK"),
)


class NestedGenerator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"nested {seed}")
        self.locks = self.random.sample(LOCKS, self.random.choice((2, 2, 3)))
        self.disorder = self.random.choice((0.0, 0.0, 0.15, 0.4))
        self.mischief = self.random.choice((0.0, 0.0, 0.1))

    def program(self) -> str:
        """The text of the program."""
        threads = self.random.choice((2, 2, 2, 3))
        are_alike = self.chance(0.4)
        names = ["t0"] * threads if are_alike else [f"t{number}" for number in range(threads)]
        bodies = [self.function(name, 2 if threads == 2 else 1) for name in dict.fromkeys(names)]
        if self.chance(0.15):
            bodies.append(self.starter(names[0]))
            names[0] = "starter"
        return "\n".join((HEADER, *bodies, self.main(names)))

    def chance(self, of: float) -> bool:
        """Whether something happens."""
        return self.random.random() < of

    # --- functions --------------------------------------------------------------------------------

    def function(self, name: str, most: int) -> str:
        """What a thread does."""
        body = "".join(self.section("  ") for _ in range(self.random.randint(1, most)))
        return f"void *{name}(void *arg)\n{{\n  struct pair *p = arg;\n{body}  return 0;\n}}\n"

    def starter(self, function: str) -> str:
        """A thread that starts another one."""
        lines = ["  pthread_t id;", f"  pthread_create(&id, 0, {function}, arg);"]
        if self.chance(0.8):
            lines.append(self.joined("id"))
        body = "\n".join(lines)
        return f"void *starter(void *arg)\n{{\n  struct pair *p = arg;\n{body}\n  return 0;\n}}\n"

    def main(self, functions: Sequence[str]) -> str:
        """Starts threads and joins them."""
        count = len(functions)
        made = [f"  {made}" for made in dict.fromkeys(lock.made for lock in self.locks) if made]
        given = "heap" if any(_HEAP in line for line in made) and self.chance(0.5) else "&pair"
        lines = [f"  struct pair *p = {given};", *made]
        lines.append("  " + " ".join(f"pthread_t id{number};" for number in range(count)))
        if self.chance(0.3):
            lines.append(self.section("  ").rstrip("\n"))
        keeps = self.random.choice(self.locks) if self.chance(0.15) else None
        if keeps is not None:
            lines.append(f"  {keeps.call('lock')};")
        if len(set(functions)) == 1 and self.chance(0.4):
            lines.append(f"  for (int i = 0; i < {count}; i++) pthread_create(&id0, 0, {functions[0]}, p);")
            functions = functions[:1]
        else:
            for number, function in enumerate(functions):
                lines.append(f"  pthread_create(&id{number}, 0, {function}, p);")
                if self.chance(0.15):
                    lines.append(self.joined(f"id{number}"))
        if keeps is not None:
            lines.append(f"  {keeps.call('unlock')};")
        if self.chance(0.4):
            lines.append(self.section("  ").rstrip("\n"))
        joined = " ".join(lines)
        lines += [
            self.joined(f"id{number}")
            for number in range(len(functions))
            if f"pthread_join(id{number}," not in joined and self.chance(0.85)
        ]
        if self.chance(0.2):
            lines.append(self.section("  ").rstrip("\n"))
        lines.append(self.random.choice(("  return 0;", "  return 0;", "  return 0;", "  pthread_exit(0);")))
        return "int main(void)\n{\n" + "\n".join(lines) + "\n}\n"

    def joined(self, handle: str) -> str:
        """A join, sometimes with a lock in hand."""
        join = f"pthread_join({handle}, 0);"
        if not self.chance(0.12):
            return f"  {join}"
        lock = self.random.choice(self.locks)
        return f"  {lock.call('lock')}; {join} {lock.call('unlock')};"

    # --- sections ---------------------------------------------------------------------------------

    def section(self, pad: str) -> str:
        """Some locks, one inside of the other."""
        count = self.random.choice((1, 2, 2, 2, 3))
        taken = sorted(self.random.sample(range(len(self.locks)), min(count, len(self.locks))))
        is_gated = self.chance(0.2)
        if self.chance(self.disorder):
            self.random.shuffle(taken)
            is_gated = self.chance(0.4)
        locks = [self.locks[index] for index in taken]
        if is_gated:
            locks.insert(0, Lock("&gate"))
        text = self.nested(pad, locks)
        if self.chance(0.15):
            return f"{pad}if ({self.condition()}) {{\n{text}{pad}}}\n"
        if self.chance(0.05):
            return f"{pad}while ({self.condition()}) {{\n{text}{pad}}}\n"
        return text

    def condition(self) -> str:
        """A truth value."""
        return self.random.choice(("__VERIFIER_nondet_bool()", "x", "x == 1"))

    def nested(self, pad: str, locks: Sequence[Lock]) -> str:
        """Take the first, then the others; give all back."""
        if not locks:
            return self.inside(pad)
        first, rest = locks[0], locks[1:]
        unlock = "" if self.chance(self.mischief / 2) else f"{first.call('unlock')};"
        if self.chance(0.15):
            what = "trylock" if first.is_spin or self.chance(0.5) else "timedlock"
            tried = f"{pad}if ({first.call(what)} == 0) {{\n"
            return f"{tried}{self.nested(pad + '  ', rest)}{pad}  {unlock}\n{pad}}}\n"
        again = self.chance(0.25) and first.address == "&again"
        begin = f"{first.call('lock')};"
        if again or self.chance(self.mischief / 4):
            begin, unlock = f"{begin} {begin}", f"{unlock} {unlock}"
        if len(rest) == 1 and self.chance(0.2):
            second = rest[0]
            return (
                f"{pad}{begin}\n{pad}{second.call('lock')};\n{self.inside(pad)}"
                f"{pad}{unlock}\n{pad}{second.call('unlock')};\n"
            )
        return f"{pad}{begin}\n{self.nested(pad, rest)}{pad}{unlock}\n"

    def inside(self, pad: str) -> str:
        """What happens when all are taken."""
        if self.chance(self.mischief):
            kinds = ("return 0;", "pthread_exit(0);", "while (1) ;", "__VERIFIER_assume(x == 0);", "exit(0);")
            return f"{pad}if ({self.condition()}) {self.random.choice(kinds)}\n"
        if self.chance(0.1):
            waits = self.random.choice(("x = 1;", "__VERIFIER_assume(x == 1);", "if (x) x = 0;"))
            return f"{pad}__VERIFIER_atomic_begin(); {waits} __VERIFIER_atomic_end();\n"
        return f"{pad}x = {self.random.choice((0, 1))};\n" if self.chance(0.5) else ""
