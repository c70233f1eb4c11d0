"""What the generators of programs as people write them have in common.

A program is *closed*: so many threads, which main joins before it looks at what they left; or *open*: main
starts threads as long as an input says so, and nobody waits for them. Of an open program there is also a text
for two and for three threads, whose runs are among its runs.
"""

from collections.abc import Mapping
from random import Random

HEADER = """\
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""

OPEN_COUNTS = (2, 3)
"""How many threads the texts of an open program have that can be explored."""


class Writer:
    """Writes one program from statements."""

    family = ""
    kinds: Mapping[str, int] = {}
    """Of statements, each a method, and how often they come up."""
    share_of_open = 0.3

    def __init__(self, seed: int) -> None:
        self.random = Random(f"{self.family} {seed}")
        self.is_open = self.random.random() < self.share_of_open
        self.names = 0
        self.pads = 1

    def program(self, threads: int | None = None) -> str:
        """The text; of an open program for so many threads, or for any number of them."""
        raise NotImplementedError

    def fresh(self, letter: str = "l") -> str:
        """A name that nothing has yet."""
        self.names += 1
        return f"{letter}{self.names}"

    def chance(self, probability: float) -> bool:
        """True so often."""
        return self.random.random() < probability

    def pick(self, *choices: str) -> str:
        """One of them."""
        return self.random.choice(choices)

    def lines(self, *lines: str) -> str:
        """Indented, without those that are empty."""
        return "".join(f"{'  ' * self.pads}{line}\n" for line in lines if line)

    def body(self, length: int) -> str:
        """Some statements."""
        return "".join(self.statement() for _ in range(length))

    def statement(self) -> str:
        """One statement."""
        (kind,) = self.random.choices(list(self.kinds), list(self.kinds.values()))
        made: str = getattr(self, f"_{kind}")()
        return made

    def locked(self, inside: str, often: float = 0.7) -> str:
        """Mostly under a lock, sometimes in an atomic section."""
        if not self.chance(often):
            return inside
        begin, end = self.random.choice(
            (
                ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
                ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
                ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
            )
        )
        return self.lines(begin) + inside + self.lines(end)
