"""What an attack is: files in a folder, a command, and what must not happen."""

from collections.abc import Mapping
from dataclasses import dataclass, field

ANSWERS = (0, 1, 2, 3, 4)
REFUSED = (2, 3, 4)
"""Exit codes of everything but an answer."""


@dataclass(frozen=True)
class Fifo:
    """A named pipe into which nobody writes."""


@dataclass(frozen=True)
class Folder:
    """A folder where a file is expected."""


@dataclass(frozen=True)
class Link:
    """A symbolic link."""

    target: str


@dataclass(frozen=True)
class Sparse:
    """A file of zeros that takes no space on the disk."""

    megabytes: int


@dataclass(frozen=True)
class Asset:
    """What `sley check` writes with some flags, changed by a function of `bench.attacks.forging`."""

    flags: tuple[str, ...]
    suffix: str
    forged: str = ""
    seed: int = 0
    source: str = "safe.c"


Content = str | bytes | Fifo | Folder | Link | Sparse | Asset


@dataclass(frozen=True)
class Attack:
    """One attack; ``words`` is the command line behind ``sley``."""

    group: str
    name: str
    words: tuple[str, ...] = ()
    files: Mapping[str, Content] = field(default_factory=dict)
    codes: tuple[int, ...] = ANSWERS
    """The exit codes that are right."""
    says: str = ""
    """A pattern that the output must have."""
    never: str = ""
    """A pattern that the output must not have."""
    script: str = ""
    """What Python runs instead of the command."""
    shell: str = ""
    """What a shell runs instead of the command; ``$SLEY`` starts sley."""
    environment: Mapping[str, str | None] = field(default_factory=dict)
    """What is set there, or unset."""
    is_process: bool = False
    """Whether the command needs a process of its own, from the first import on."""
    seconds: float = 20.0
    """Of real time, on a machine that has nothing else to do."""
    megabytes: int = 600
    results: tuple[int, ...] = (0, 1)
    """How many lines may begin with ``RESULT:``."""


SAFE = """\
#include <assert.h>
#include <pthread.h>
int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    counter = counter + 1;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    worker(0);
    pthread_join(a, 0);
    assert(counter == 2);
    return 0;
}
"""
RACY = SAFE.replace("    pthread_mutex_lock(&lock);\n", "").replace("    pthread_mutex_unlock(&lock);\n", "")
QUIET = RACY.replace("    assert(counter == 2);\n", "")
"""A race, and no assertion that could fail."""
BUGGY = "#include <assert.h>\nint main(void) {\n    int x = 1;\n    assert(x == 2);\n    return 0;\n}\n"
LOOP = """\
int main(void) {
    int i = 0;
    int *p = &i;
    while (i < 3) {
        i = i + 1;
    }
    i = i;
    return 0;
}
"""

COUNTING = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *worker(void *unused) {
    for (int i = 0; i < 100; i++)
        x = i;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    assert(x >= 0);
    pthread_join(a, 0);
    return 0;
}
"""
WRONG = {"safe.c": "racy.c", "counting.c": "rising.c"}
"""Programs that are right, and the ones that forgers want to be so."""

ALWAYS: Mapping[str, str] = {
    "counting.c": COUNTING,
    "rising.c": COUNTING.replace("x >= 0", "x < 99"),
    "safe.c": SAFE,
    "racy.c": RACY,
    "quiet.c": QUIET,
    "buggy.c": BUGGY,
    "loop.c": LOOP,
}
"""What is in every folder."""
