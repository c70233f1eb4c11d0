"""More threaded programs: objects of the library, accesses by library functions, threads that end."""

from collections.abc import Callable

from tests.fuzz.judge.draft import Draft
from tests.fuzz.judge.threads import (
    CHANCE,
    DEADLOCK,
    DEREF,
    FREE,
    LEAK,
    MISUSE,
    RACE,
    REACH,
    Threads,
    mutex,
    shared,
)

KINDS = {
    "mutex": ("pthread_mutex_t", "pthread_mutex_init(&{0}, 0);", "pthread_mutex_destroy(&{0});",
              "pthread_mutex_lock(&{0}); pthread_mutex_unlock(&{0});"),
    "rwlock": ("pthread_rwlock_t", "pthread_rwlock_init(&{0}, 0);", "pthread_rwlock_destroy(&{0});",
               "pthread_rwlock_rdlock(&{0}); pthread_rwlock_unlock(&{0});"),
    "spin": ("pthread_spinlock_t", "pthread_spin_init(&{0}, 0);", "pthread_spin_destroy(&{0});",
             "pthread_spin_lock(&{0}); pthread_spin_unlock(&{0});"),
    "semaphore": ("sem_t", "sem_init(&{0}, 0, 1);", "sem_destroy(&{0});", "sem_wait(&{0}); sem_post(&{0});"),
    "condition": ("pthread_cond_t", "pthread_cond_init(&{0}, 0);", "pthread_cond_destroy(&{0});",
                  "pthread_cond_signal(&{0});"),
    "barrier": ("pthread_barrier_t", "pthread_barrier_init(&{0}, 0, 1);", "pthread_barrier_destroy(&{0});",
                "pthread_barrier_wait(&{0});"),
}  # fmt: skip
"""Objects: type, initialisation, end, use."""


def lives(draft: Draft) -> None:
    """Objects are initialised once, used, destroyed once, and perhaps begun anew."""
    threads = Threads(draft)
    kind, begin, end, use = KINDS[draft.pick(*KINDS)]
    name = draft.name("object")
    draft.file_scope(f"static {kind} {name};", name)
    wrong = draft.fails(MISUSE, what="an object used outside its life", unseen="it does no harm in a run")
    steps = [begin, use, end]
    if wrong:
        faults = [[begin, end, use], [begin, use, end, end], [begin, use, begin, use, end]]
        # a spin lock is one number, which does not tell that it was initialised before
        steps = draft.random.choice(faults[:2] if kind == "pthread_spinlock_t" else faults)
    elif draft.chance():
        steps += [begin, use, end]

    def body(draft: Draft) -> None:
        draft.line(use.format(name))

    if draft.chance() and not wrong:
        work = threads.thread(body)
        draft.line(begin.format(name))
        threads.start(work)
        threads.start(work)
        draft.line(use.format(name))
        threads.join()
        draft.line(end.format(name))
    else:
        draft.code(*(step.format(name) for step in steps))
    draft.check("1")


def library_accesses(draft: Draft) -> None:
    """Library functions read and write what they are given, like anybody."""
    threads = Threads(draft)
    text, lock = draft.name("text"), mutex(draft)
    draft.file_scope(f'static char {text}[16] = "abc";', text)
    wrong = draft.fails(RACE, what="a library function races with an access", unseen=CHANCE)
    is_write = draft.chance(0.3)
    if is_write:
        uses = [
            f'snprintf({text}, sizeof {text}, "%d", 42);',
            f'strcpy({text}, "xy");',
            f"memset({text}, 'm', 3);",
            f'memcpy({text}, "pq", 3);',
        ]
    else:
        uses = [
            f"int n = (int)strlen({text}); (void)n;",
            f'char out[32]; snprintf(out, sizeof out, "%s", {text});',
            f'int n = strcmp({text}, "abd"); (void)n;',
            f"char out[16]; memcpy(out, {text}, 4);",
            f'printf("%.2s\\n", {text});',
            f"char *found = strchr({text}, 'z'); (void)found;",
        ]
    use = draft.random.choice(uses)
    other = f"char first = {text}[0]; (void)first;" if is_write else f"{text}[{draft.number(0, 1)}] = 'q';"

    def body(draft: Draft, line: str, is_guarded: bool) -> None:
        draft.pause()
        if is_guarded:
            draft.line(f"pthread_mutex_lock(&{lock});")
        draft.line(line)
        if is_guarded:
            draft.line(f"pthread_mutex_unlock(&{lock});")

    careless = draft.number(0, 1)
    one = threads.thread(lambda draft: body(draft, use, not wrong or careless == 0))
    two = threads.thread(lambda draft: body(draft, other, not wrong or careless == 1))
    threads.start(one)
    threads.start(two)
    threads.join()


def neighbours(draft: Draft) -> None:
    """Elements and members are apart, bit-fields side by side are not."""
    threads = Threads(draft)
    name = draft.name("n")
    wrong = draft.fails(RACE, what="two threads write the same place", unseen=CHANCE)
    form = draft.pick("bits", "struct", "element") if wrong else draft.pick("chars", "members", "zero")
    if form in ("bits", "members", "zero", "struct"):
        tag = draft.name("both")
        members = {
            "bits": "unsigned a : 3; unsigned b : 5;",
            "members": "char a; char b;",
            "zero": "unsigned a : 3; unsigned : 0; unsigned b : 5;",
            "struct": "int a; int b;",
        }[form]
        draft.file_scope(f"struct {tag} {{ {members} }};", tag)
        draft.file_scope(f"static struct {tag} {name};", name)
        first, second = f"{name}.a = 1;", f"{name}.b = 2;"
        if form == "struct":
            first = f"{name} = (struct {tag}){{ 3, 4 }};"
        result = f"{name}.a * 10 + {name}.b"
    else:
        draft.file_scope(f"static char {name}[2];", name)
        first, second = f"{name}[0] = 1;", f"{name}[{0 if wrong else 1}] = 2;"
        result = f"{name}[0] * 10 + {name}[1]"
    one, two = (
        threads.thread(lambda draft: draft.line(first)),
        threads.thread(lambda draft: draft.line(second)),
    )
    threads.start(one)
    threads.start(two)
    threads.join()
    if not wrong:
        draft.check(result)


def wakeups(draft: Draft) -> None:
    """A wait may return without a signal, and a timed wait may time out."""
    threads = Threads(draft)
    m, c, ready = mutex(draft), draft.name("c"), shared(draft, stem="ready")
    draft.file_scope(f"static pthread_cond_t {c} = PTHREAD_COND_INITIALIZER;", c)
    wrong = draft.fails(REACH, what="a wait without a loop", unseen="wake-ups without a signal are rare")
    lock, unlock = f"pthread_mutex_lock(&{m});", f"pthread_mutex_unlock(&{m});"
    timed = draft.chance(0.3)

    def waiting(draft: Draft) -> None:
        draft.line(lock)
        word = "if" if wrong else "while"
        if timed:
            draft.line("struct timespec until = { 2000000000, 0 };")
            draft.line(f"{word} (!{ready}) pthread_cond_timedwait(&{c}, &{m}, &until);")
        else:
            draft.line(f"{word} (!{ready}) pthread_cond_wait(&{c}, &{m});")
        draft.line(f"assert({ready} == 1);")
        draft.line(unlock)

    def waking(draft: Draft) -> None:
        draft.pause()
        draft.code(lock, f"{ready} = 1;", f"pthread_cond_signal(&{c});", unlock)

    one, two = threads.thread(waiting), threads.thread(waking)
    threads.start(one)
    threads.start(two)
    threads.join()
    draft.check(ready)


def loop_variable(draft: Draft) -> None:
    """Threads are given a loop's counter by value, or its address."""
    draft.name("t")
    sum_, lock = shared(draft, stem="sum"), mutex(draft)
    wrong = draft.fails(RACE, DEREF, what="threads read the counter that main changes", unseen=CHANCE)
    threads = Threads(draft)

    def body(draft: Draft) -> None:
        draft.line("int mine = *(int *)argument;" if wrong else "int mine = (int)(long)argument;")
        draft.line(f"pthread_mutex_lock(&{lock});")
        draft.line(f"{sum_} += mine + 1;")
        draft.line(f"pthread_mutex_unlock(&{lock});")

    work = threads.thread(body)
    draft.line("pthread_t all[2];")
    argument = "&i" if wrong else "(void *)(long)i"
    draft.line(f"for (int i = 0; i < 2; i++) pthread_create(&all[i], 0, {work}, {argument});")
    draft.line("for (int i = 0; i < 2; i++) pthread_join(all[i], 0);")
    if not wrong:
        draft.check(sum_)


def main_leaves(draft: Draft) -> None:
    """Main ends before its threads: by return, which ends them, or by ``pthread_exit``, which does not."""
    threads = Threads(draft)
    x = shared(draft, "_Atomic int")
    form = draft.pick("exit", "return", "detached")
    wrong = form == "exit" and draft.fails(
        LEAK, REACH, DEREF, what="a thread that main does not wait for goes wrong", unseen=CHANCE
    )
    bad = draft.pick("leak", "assert", "local") if wrong else ""

    def body(draft: Draft) -> None:
        draft.line("PAUSE();")
        if bad == "leak":
            draft.line("int *lost = malloc(4); *lost = 1; lost = 0;")
        elif bad == "assert":
            draft.line(f"assert({x} == 0);")
        elif bad == "local":
            draft.line("*(int *)argument = 1;")
        else:
            draft.line(f"assert({x} >= 0);")
            draft.line("int *mine = malloc(4); *mine = 1; free(mine);")

    work = threads.thread(body)
    if bad == "local":
        draft.line("int local = 0;")
    handle = threads.start(work, "&local" if bad == "local" else "0")
    if form == "detached":
        draft.line(f"pthread_detach({handle});")
    draft.line(f"{x} = 1;")
    if form == "exit":
        draft.disbelieved = "its own thread keeps the process alive after main"
        draft.line("pthread_exit(0);")


def semaphores(draft: Draft) -> None:
    """Counting semaphores, ``sem_trywait`` and ``sem_getvalue``."""
    threads = Threads(draft)
    s, x = draft.name("s"), shared(draft)
    start = draft.number(0, 1)
    draft.file_scope(f"static sem_t {s};", s)
    draft.line(f"sem_init(&{s}, 0, {start});")
    wrong = draft.fails(
        DEADLOCK, RACE, what="more waits than posts, or a try taken for a wait", unseen=CHANCE
    )
    form = draft.pick("starved", "try") if wrong else "right"

    def body(draft: Draft) -> None:
        draft.pause()
        draft.line(f"sem_{'trywait' if form == 'try' else 'wait'}(&{s});")
        draft.line(f"{x}++;")
        if form != "starved":
            draft.line(f"sem_post(&{s});")

    work = threads.thread(body)
    threads.start(work)
    threads.start(work)
    if start == 0:
        draft.line(f"sem_post(&{s});")
    threads.join()
    if not wrong:
        draft.check(x)
        value = draft.name("value")
        draft.line(f"int {value} = -1;")
        draft.line(f"sem_getvalue(&{s}, &{value});")
        draft.check(value)
        draft.check(f"sem_trywait(&{s})")
        draft.check(f"sem_trywait(&{s})")
        draft.line(f"sem_destroy(&{s});")


def own_variables(draft: Draft) -> None:
    """The address of a thread's own variable is good as long as the thread lives."""
    threads = Threads(draft)
    own, where, s = draft.name("own"), draft.name("where"), draft.name("s")
    draft.file_scope(f"static _Thread_local int {own} = 5;", own)
    draft.file_scope(f"static int *{where};", where)
    draft.file_scope(f"static sem_t {s}, {s}done;", s, f"{s}done")
    draft.code(f"sem_init(&{s}, 0, 0);", f"sem_init(&{s}done, 0, 0);")
    wrong = draft.fails(
        DEREF, what="a variable of a thread that has ended", unseen="its memory may still be there"
    )

    def body(draft: Draft) -> None:
        draft.line(f"{own}++;")
        draft.line(f"{where} = &{own};")
        draft.line(f"sem_post(&{s});")
        if not wrong:
            draft.line(f"sem_wait(&{s}done);")

    work = threads.thread(body)
    threads.start(work)
    draft.line(f"sem_wait(&{s});")
    if wrong:
        threads.join()
    draft.check(f"*{where}")
    draft.line(f"sem_post(&{s}done);")
    if not wrong:
        threads.join()


def atomic_structure(draft: Draft) -> None:
    """A structure that is atomic as a whole."""
    threads = Threads(draft)
    tag, name = draft.name("pair"), draft.name("p")
    draft.file_scope(f"struct {tag} {{ int a, b; }};", tag)
    wrong = draft.fails(RACE, what="a structure that is not atomic", unseen=CHANCE)
    draft.file_scope(f"static {'' if wrong else '_Atomic '}struct {tag} {name};", name)

    def writing(draft: Draft) -> None:
        draft.line(f"struct {tag} next = {{ 1, 1 }};")
        draft.pause()
        draft.line(f"{name} = next;")

    def reading(draft: Draft) -> None:
        draft.pause()
        draft.line(f"struct {tag} now = {name};")
        draft.line("assert(now.a == now.b);" if not wrong else "(void)now;")

    one, two = threads.thread(writing), threads.thread(reading)
    threads.start(one)
    threads.start(two)
    threads.join()
    draft.line(f"struct {tag} last = {name};")
    if not wrong:
        draft.check("last.a + last.b")


def hidden_in_threads(draft: Draft) -> None:
    """A pointer kept as a number, which one thread frees or writes through and another uses."""
    threads = Threads(draft)
    block, hidden, lock = draft.name("block"), draft.name("hidden"), mutex(draft)
    draft.file_scope(f"static int *{block};", block)
    draft.file_scope(f"static uintptr_t {hidden};", hidden)
    key = draft.number(1, 1 << 16)
    encode, decode = draft.random.choice(
        (
            ("{0}", "{0}"),
            (f"{{0}} ^ {key}ul", f"{{0}} ^ {key}ul"),
            (f"{{0}} + {key}ul", f"{{0}} - {key}ul"),
            ("~{0}", "~{0}"),
            ("{0} << 8 | {0} >> 56", "{0} >> 8 | {0} << 56"),
        )
    )
    back = f"(int *)({decode.format(hidden)})"
    wrong = draft.fails(
        DEREF, FREE, RACE, what="a block freed through a number while it is used", unseen=CHANCE
    )
    act = draft.pick("free", "write")

    def acting(draft: Draft) -> None:
        draft.pause()
        draft.line(f"pthread_mutex_lock(&{lock});" if not wrong else ";")
        draft.line(f"free({back});" if act == "free" and wrong else f"*{back} = 4;")
        draft.line(f"pthread_mutex_unlock(&{lock});" if not wrong else ";")

    def using(draft: Draft) -> None:
        draft.pause()
        draft.line(f"pthread_mutex_lock(&{lock});")
        draft.line(draft.pick(f"*{block} = 3;", f"int seen = *{block}; (void)seen;"))
        draft.line(f"pthread_mutex_unlock(&{lock});")

    one, two = threads.thread(acting), threads.thread(using)
    draft.line(f"{block} = malloc(sizeof(int));")
    draft.line(f"*{block} = 1;")
    draft.line(f"{hidden} = {encode.format(f'(uintptr_t){block}')};")
    for work in draft.random.sample((one, two), 2):
        threads.start(work)
    threads.join()
    if not (wrong and act == "free"):
        draft.line(f"free({draft.pick(block, back)});")


def serial(draft: Draft) -> None:
    """One thread of a barrier is told that it is the one; it may destroy the barrier."""
    threads = Threads(draft)
    b, x = draft.name("b"), shared(draft, "_Atomic int")
    draft.file_scope(f"static pthread_barrier_t {b};", b)
    draft.line(f"pthread_barrier_init(&{b}, 0, 2);")
    destroys = draft.chance(0.4)
    if destroys:
        draft.disbelieved = (
            "it takes the end of a barrier for an access that races with those who are leaving"
        )

    def body(draft: Draft) -> None:
        draft.pause()
        with draft.block(f"if (pthread_barrier_wait(&{b}) == PTHREAD_BARRIER_SERIAL_THREAD)"):
            draft.line(f"{x}++;")
            if destroys:
                draft.line(f"pthread_barrier_destroy(&{b});")

    work = threads.thread(body)
    threads.start(work)
    threads.start(work)
    threads.join()
    draft.check(x)


def nested_threads(draft: Draft) -> None:
    """A thread starts another and joins it, or leaves that to nobody."""
    threads = Threads(draft)
    x = shared(draft)
    wrong = draft.fails(RACE, what="a grandchild that nobody waits for", unseen=CHANCE)
    inner = threads.thread(lambda draft: draft.code("PAUSE();", f"{x} += 1;"))

    def body(draft: Draft) -> None:
        draft.line("pthread_t child;")
        draft.line(f"pthread_create(&child, 0, {inner}, 0);")
        draft.pause()
        draft.line("pthread_detach(child);" if wrong else "pthread_join(child, 0);")

    outer = threads.thread(body)
    threads.start(outer)
    threads.join()
    if wrong:
        draft.line(f"{x} = 5;")
    else:
        draft.check(x)


def try_locks(draft: Draft) -> None:
    """A try that succeeds holds the lock; one that fails holds nothing and orders nothing."""
    threads = Threads(draft)
    kind = draft.pick("mutex", "rwlock", "spin")
    type_, begin, _, _ = KINDS[kind]
    lock, x = draft.name("lock"), shared(draft)
    draft.file_scope(f"static {type_} {lock};", lock)
    draft.line(begin.format(lock))
    take = {"mutex": "pthread_mutex_lock", "rwlock": "pthread_rwlock_wrlock", "spin": "pthread_spin_lock"}[
        kind
    ]
    attempt = {
        "mutex": "pthread_mutex_trylock",
        "rwlock": "pthread_rwlock_trywrlock",
        "spin": "pthread_spin_trylock",
    }[kind]
    give = f"pthread_{kind}_unlock(&{lock});"
    wrong = draft.fails(RACE, MISUSE, what="a failed try is taken for a lock", unseen=CHANCE)
    form = draft.pick("ignored", "inverted", "busy") if wrong else ""

    def trying(draft: Draft) -> None:
        draft.pause()
        if form == "ignored":
            draft.code(f"{attempt}(&{lock});", f"{x}++;", give)
        elif form == "inverted":
            with draft.block(f"if ({attempt}(&{lock}))"):
                draft.line(f"{x}++;")
            with draft.block("else"):
                draft.line(give)
        elif form == "busy":
            with draft.block(f"if ({attempt}(&{lock}) != 0)"):
                draft.line(f"int seen = {x}; (void)seen;")
            with draft.block("else"):
                draft.line(give)
        else:
            with draft.block(f"if ({attempt}(&{lock}) == 0)"):
                draft.line(f"{x}++;")
                draft.line(give)

    def taking(draft: Draft) -> None:
        draft.code(f"{take}(&{lock});", f"{x}++;", "PAUSE();", give)

    one, two = threads.thread(taking), threads.thread(trying)
    threads.start(one)
    threads.start(two)
    threads.join()
    if not wrong:
        draft.line(f"assert({x} == 1 || {x} == 2);")


def sections(draft: Draft) -> None:
    """Atomic sections and functions: a path that ends the process is not the only one."""
    threads = Threads(draft)
    x, name, require = shared(draft), draft.name("__VERIFIER_atomic_step"), draft.name("require")
    end = draft.pick("abort();", "exit(0);", "_Exit(0);")
    draft.file_scope(f"static void {require}(int condition) {{ if (!condition) {end} }}", require)
    limit = draft.number(0, 2)
    wrong = draft.fails(REACH, what="an assertion fails on the path that goes on", unseen=CHANCE)
    with draft.function(f"static void {name}(void)", name):
        draft.line(f"{require}({x} < {limit + 1});")
        draft.line(f"{x} += 1;")
        draft.line(f"assert({x} {f'!= {limit + 1}' if wrong and limit < 2 else f'<= {limit + 1}'});")

    def calls(draft: Draft) -> None:
        draft.line("__VERIFIER_atomic_begin();")
        draft.line(f"{name}();")
        draft.line("__VERIFIER_atomic_end();")

    work = threads.thread(calls)
    threads.start(work)
    threads.start(work)
    if wrong and limit == 2:
        draft.line("__VERIFIER_atomic_begin();")
        draft.line(f"assert({x} < 2);")
        draft.line("__VERIFIER_atomic_end();")
    threads.join()


def handles(draft: Draft) -> None:
    """Threads are joined once or detached; ids are only good for comparing."""
    threads = Threads(draft)
    x = shared(draft, "pthread_t", stem="id")
    wrong = draft.fails(
        MISUSE,
        REACH,
        DEADLOCK,
        what="a thread joined twice, or a claim about ids",
        unseen="undefined, without a report",
    )
    form = draft.pick("order", "number", "distance", "twice") if wrong else ""
    work = threads.thread(lambda draft: draft.line(f"{x} = pthread_self();"))
    handle = threads.start(work)
    second = threads.start(threads.thread(lambda draft: draft.pause()))
    if form == "order":
        draft.line(f"assert({handle} {draft.pick('<', '>')} {second});")
    elif form == "number":
        draft.line(f"assert((unsigned long){handle} % 4096 == {draft.random.choice((0, 1, 1792))});")
    elif form == "distance":
        draft.line(f"assert((unsigned long){handle} - (unsigned long){second} < 100000000);")
    threads.join()
    if form == "twice":
        draft.line(f"int again = pthread_join({second}, 0); (void)again;")
    if not wrong:
        draft.check(f"pthread_equal({x}, {handle}) != 0")
        draft.check(f"pthread_equal({handle}, pthread_self()) != 0")


SHAPES: dict[str, tuple[Callable[[Draft], None], int]] = {
    "lives": (lives, 3),
    "library-accesses": (library_accesses, 3),
    "neighbours": (neighbours, 2),
    "wakeups": (wakeups, 1),
    "loop-variable": (loop_variable, 1),
    "main-leaves": (main_leaves, 2),
    "semaphores": (semaphores, 2),
    "own-variables": (own_variables, 1),
    "atomic-structure": (atomic_structure, 1),
    "handles": (handles, 1),
    "hidden-in-threads": (hidden_in_threads, 2),
    "serial": (serial, 1),
    "nested-threads": (nested_threads, 1),
    "try-locks": (try_locks, 2),
    "sections": (sections, 2),
}
