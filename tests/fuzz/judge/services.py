"""Corners of what the system does for a program: streams, descriptors, the environment, errors of threads.

What a call may answer on another machine is never claimed, except as a fault that this machine does not show.
"""

from sley.program.properties import Property
from tests.fuzz.judge.draft import Corner, Draft

DEREF, FREE, MISUSE, REACH = Property.DEREF, Property.FREE, Property.MISUSE, Property.REACH


def streams(draft: Draft) -> None:
    """A stream lives from an ``fopen`` that succeeds to its ``fclose``."""
    name = draft.name("stream")
    form = draft.pick("null", "unchecked", "closed", "twice")
    wrong = draft.fails(DEREF, FREE, MISUSE, what=f"a stream that is {form}", unseen="the C library goes on")
    uses = (
        f"(clearerr({name}), feof({name}) * 2 + ferror({name}))",
        f"fputc('a', {name}) >= -1",
        f'fputs("text", {name}) >= -1',
        f"fflush({name}) >= -1",
        f"(fgetc({name}) | 255) >= -1",
        f"ungetc('q', {name}) == 'q' && fgetc({name}) == 'q'",
        f"fileno({name}) >= 0",
    )
    use = draft.random.choice(uses)
    if wrong and form == "null":
        draft.line(f"FILE *{name} = 0;")
        draft.check(use)
        return
    draft.line(f"FILE *{name} = {draft.pick('tmpfile()', _opened(draft))};")
    if wrong and form == "unchecked":
        draft.check(use)
        draft.line(f"fclose({name});")
        return
    with draft.block(f"if ({name})"):
        draft.check(use)
        draft.line(f"rewind({name});")
        draft.check(draft.random.choice(uses))
        draft.check(f"fclose({name}) >= -1")
        if wrong:
            draft.line(f"fclose({name});" if form == "twice" else f"fputc('b', {name});")


def _opened(draft: Draft) -> str:
    return f'fopen("{draft.pick("/dev/null", "/tmp/sley_judge")}", "{draft.pick("w+", "a+")}")'


CLAIMS_OF_DESCRIPTORS = (
    "lseek({p}[0], 0, SEEK_CUR) == -1 && errno == ESPIPE",
    'write({p}[0], "a", 1) == -1 && errno == EBADF',
    "read({p}[1], {p}b, 1) == -1 && errno == EBADF",
    "{p}[0] != {p}[1] && {p}[0] >= 0 && {p}[1] >= 0",
    'write({p}[1], "abc", 3) <= 3',
    "dup({p}[0]) != {p}[0]",
    "close(-1) == -1 && errno == EBADF",
    "read(-1, {p}b, 1) == -1 && errno == EBADF",
)


def descriptors(draft: Draft) -> None:
    """The two ends of a pipe: what they are for, and what is left when they are closed."""
    name = draft.name("ends")
    wrong = draft.fails(REACH, what="a claim about a descriptor", unseen="it is so in this run")
    draft.line(f"int {name}[2];")
    draft.line(f"char {name}b[4] = {{0}};")
    if wrong and draft.chance(0.4):
        draft.line(draft.pick(f"assert(pipe({name}) == 0);", 'assert(open("/dev/null", O_RDONLY) >= 0);'))
        return
    with draft.block(f"if (pipe({name}) == 0)"):
        for claim in draft.random.sample(CLAIMS_OF_DESCRIPTORS, 2):
            draft.check(claim.format(p=name))
        if wrong:
            draft.line(f"assert({name}[{draft.number(0, 1)}] {draft.pick('> 2', '!= 0')});")
        draft.line(f"close({name}[1]);")
        draft.check(f"close({name}[1]) == -1 && errno == EBADF")
        draft.line(f"close({name}[0]);")
        draft.check(f"read({name}[0], {name}b, 1) == -1 && errno == EBADF")


def environment_variables(draft: Draft) -> None:
    """Variables of the environment stay as they are until they are set; none must be there."""
    name, value = draft.name("variable"), draft.pick("abc", "", "1 2")
    form = draft.pick("stable", "set", "removed", "invalid")
    if draft.fails(DEREF, what="a variable that need not be there"):
        draft.check(f'(int)strlen(getenv("SLEY_{draft.pick("NONE", "MISSING")}")) >= 0')
    elif form == "stable":
        variable = draft.pick("HOME", "PATH", "SLEY_NONE")
        draft.line(f'char *{name} = getenv("{variable}");')
        draft.check(f'!{name} == !getenv("{variable}")')
        draft.check(f'!{name} || strlen({name}) == strlen(getenv("{variable}"))')
    elif form == "invalid":
        draft.check(f'setenv("{draft.pick("A=B", "")}", "x", 1) == -1 && errno == EINVAL')
    else:
        with draft.block(f'if (setenv("SLEY_{name}", "{value}", 1) == 0)'):
            draft.check(f'strcmp(getenv("SLEY_{name}"), "{value}")')
            if form == "removed":
                draft.line(f'unsetenv("SLEY_{name}");')
                draft.check(f'getenv("SLEY_{name}") == NULL')
            else:
                draft.line(f'setenv("SLEY_{name}", "other", 0);')
                draft.check(f'strcmp(getenv("SLEY_{name}"), "{value}")')


MUTEX = "pthread_mutexattr_t {o}a; pthread_mutexattr_init(&{o}a); pthread_mutexattr_settype(&{o}a, {kind}); \
pthread_mutex_t {o}; pthread_mutex_init(&{o}, &{o}a);"
CHECKING = MUTEX.replace("{kind}", "PTHREAD_MUTEX_ERRORCHECK")
RECURSIVE = MUTEX.replace("{kind}", "PTHREAD_MUTEX_RECURSIVE")
PLAIN = "pthread_mutex_t {o} = PTHREAD_MUTEX_INITIALIZER;"
SHARED = "pthread_rwlock_t {o} = PTHREAD_RWLOCK_INITIALIZER;"
COUNTING = "sem_t {o}; sem_init(&{o}, 0, {n});"
ERRORS_OF_THREADS = (
    (CHECKING, "pthread_mutex_lock(&{o})", "pthread_mutex_lock(&{o})", "pthread_mutex_unlock(&{o})"),
    (CHECKING, "", "pthread_mutex_unlock(&{o})", ""),
    (RECURSIVE, "pthread_mutex_lock(&{o})", "pthread_mutex_unlock(&{o})", "pthread_mutex_unlock(&{o})"),
    (PLAIN, "pthread_mutex_lock(&{o})", "pthread_mutex_trylock(&{o})", "pthread_mutex_unlock(&{o})"),
    (PLAIN, "", "pthread_mutex_trylock(&{o})", "pthread_mutex_unlock(&{o})"),
    (SHARED, "pthread_rwlock_wrlock(&{o})", "pthread_rwlock_trywrlock(&{o})", "pthread_rwlock_unlock(&{o})"),
    (SHARED, "pthread_rwlock_wrlock(&{o})", "pthread_rwlock_tryrdlock(&{o})", "pthread_rwlock_unlock(&{o})"),
    (COUNTING, "", "sem_getvalue(&{o}, &{o}n) * 10 + {o}n", ""),
    (COUNTING, "sem_post(&{o})", "sem_trywait(&{o})", ""),
    (COUNTING, "while (sem_trywait(&{o}) == 0)", "sem_trywait(&{o}) == -1 && errno == EAGAIN", ""),
    ("sem_t {o};", "", "sem_init(&{o}, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL", ""),
    ("pthread_barrier_t {o};", "", "pthread_barrier_init(&{o}, 0, 0)", ""),
    ("pthread_attr_t {o}; pthread_attr_init(&{o});", "", "pthread_attr_setdetachstate(&{o}, 77)", ""),
    ("pthread_t {o} = pthread_self();", "", "pthread_equal({o}, pthread_self()) != 0", ""),
)
"""An object, what is done before, a call whose result POSIX fixes, and what is done after."""
MISUSES_OF_THREADS = (
    (PLAIN, "pthread_mutex_unlock(&{o})"),
    (PLAIN, "pthread_mutex_lock(&{o}); pthread_mutex_destroy(&{o})"),
    (SHARED, "pthread_rwlock_unlock(&{o})"),
    (COUNTING, "sem_destroy(&{o}); sem_post(&{o})"),
)


def thread_errors(draft: Draft) -> None:
    """What functions for threads return where they cannot do what they are asked for."""
    name = draft.name("o")
    given = {"o": name, "n": draft.number(0, 2), "kind": ""}
    if draft.fails(MISUSE, what="a wrong use of an object for threads", unseen="nothing happens"):
        kind, use = draft.random.choice(MISUSES_OF_THREADS)
        draft.code(kind.format(**given), f"{use.format(**given)};")
        return
    kind, before, call, after = draft.random.choice(ERRORS_OF_THREADS)
    draft.code(kind.format(**given), f"int {name}n = 0;")
    draft.line(f"{before.format(**given)};")
    draft.check(call.format(**given))
    draft.line(f"{after.format(**given)};")


CORNERS: dict[str, tuple[Corner, int]] = {
    "streams": (streams, 2),
    "descriptors": (descriptors, 2),
    "environment-variables": (environment_variables, 1),
    "thread-errors": (thread_errors, 2),
}
