"""Threaded programs around the corners of the thread library: right by construction, or wrong on purpose."""

from collections.abc import Callable
from random import Random

from sley.program.properties import Property
from tests.fuzz.judge.draft import Draft

RACE, REACH, DEADLOCK, DEREF = Property.RACE, Property.REACH, Property.DEADLOCK, Property.DEREF
FREE, LEAK, MISUSE = Property.FREE, Property.LEAK, Property.MISUSE
CHANCE = "the schedules of a few runs may miss it"


class Threads:
    """A draft of a threaded program: functions of threads, their creation and their end."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.handles: list[str] = []

    def thread(self, body: Callable[[Draft], None], name: str = "", end: str = "return 0;") -> str:
        """A function of threads with this body."""
        draft = self.draft
        name = name or draft.name("work")
        with draft.function(f"static void *{name}(void *argument)", name):
            draft.line("(void)argument;")
            body(draft)
            draft.line(
                end if end != "return 0;" else draft.pick("return 0;", "return 0;", "pthread_exit(0);")
            )
        return name

    def start(self, function: str, argument: str = "0") -> str:
        handle = self.draft.name("t")
        self.handles.append(handle)
        self.draft.line(f"pthread_t {handle};")
        self.draft.line(f"pthread_create(&{handle}, 0, {function}, {argument});")
        return handle

    def join(self, *handles: str) -> None:
        for handle in handles or self.handles:
            self.draft.line(f"pthread_join({handle}, 0);")


def mutex(draft: Draft, stem: str = "m") -> str:
    """A mutex of file scope."""
    name = draft.name(stem)
    if draft.chance(0.8):
        draft.file_scope(f"static pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;", name)
    else:
        draft.file_scope(f"static pthread_mutex_t {name};", name)
        draft.line(f"pthread_mutex_init(&{name}, 0);")
    return name


def shared(draft: Draft, kind: str = "int", value: str = "0", stem: str = "shared") -> str:
    """A variable of file scope."""
    name = draft.name(stem)
    draft.file_scope(f"static {kind} {name} = {value};", name)
    return name


# --- counting ---------------------------------------------------------------------------------------


def guards(draft: Draft, x: str) -> dict[str, Callable[[], None]]:
    """Right ways to add one to a shared number."""
    m = draft.name("guard")

    def increment() -> None:
        if draft.chance():
            draft.line(f"{x}++;")
        else:
            local = draft.name("local")
            draft.line(f"int {local} = {x};")
            draft.pause()
            draft.line(f"{x} = {local} + 1;")

    def between(before: str, after: str) -> Callable[[], None]:
        def write() -> None:
            draft.line(before)
            increment()
            draft.line(after)

        return write

    return {
        f"static pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;": between(
            f"pthread_mutex_lock(&{m});", f"pthread_mutex_unlock(&{m});"
        ),
        f"static pthread_rwlock_t {m} = PTHREAD_RWLOCK_INITIALIZER;": between(
            f"pthread_rwlock_wrlock(&{m});", f"pthread_rwlock_unlock(&{m});"
        ),
        f"static atomic_flag {m} = ATOMIC_FLAG_INIT;": between(
            f"while (atomic_flag_test_and_set(&{m})) ;", f"atomic_flag_clear(&{m});"
        ),
        f"static _Atomic int {m};": between(
            f"while (atomic_exchange(&{m}, 1)) ;", f"atomic_store_explicit(&{m}, 0, memory_order_release);"
        ),
        f"static sem_t {m};": between(f"sem_wait(&{m});", f"sem_post(&{m});"),
        f"static pthread_spinlock_t {m};": between(
            f"pthread_spin_lock(&{m});", f"pthread_spin_unlock(&{m});"
        ),
        f"static int {m};": between("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
    }


def counting(draft: Draft) -> None:
    """Threads that add to a number, guarded or not."""
    threads = Threads(draft)
    x = shared(draft, value=str(draft.number(0, 3)))
    ways = guards(draft, x)
    declaration = draft.random.choice(list(ways))
    name = declaration.removesuffix(";").split(" = ")[0].split()[-1]
    draft.file_scope(declaration, name)
    if "sem_t" in declaration:
        draft.line(f"sem_init(&{name}, 0, 1);")
    if "spinlock" in declaration:
        draft.line(f"pthread_spin_init(&{name}, 0);")
    wrong = draft.fails(RACE, what="an unguarded access", unseen=CHANCE)
    form = draft.pick("unguarded", "early", "half") if wrong else ""
    rounds = draft.number(1, 2)

    def body(draft: Draft) -> None:
        draft.pause()
        if rounds > 1:
            with draft.block(f"for (int i = 0; i < {rounds}; i++)"):
                ways[declaration]()
        else:
            ways[declaration]()

    def bare(draft: Draft) -> None:
        draft.pause()
        draft.line(f"{x}++;" if form != "half" else f"int seen = {x}; (void)seen;")

    work = threads.thread(body)
    other = threads.thread(bare) if form in ("unguarded", "half") else work
    threads.start(work)
    threads.start(other)
    if form == "early":
        threads.join(threads.handles[0])
        draft.line(f"int result = {x};")
        threads.join(threads.handles[1])
        draft.line("(void)result;")
    else:
        threads.join()
        if not wrong:
            draft.check(x)
    if "sem_t" in declaration:
        draft.line(f"sem_destroy(&{name});")


def atomic_counting(draft: Draft) -> None:
    """Threads that add to an atomic number in one step, or in two."""
    threads = Threads(draft)
    x = shared(draft, "_Atomic int" if draft.chance() else "atomic_int")
    wrong = draft.fails(REACH, what="a lost update", unseen=CHANCE)
    if wrong:
        lines = draft.random.choice(
            (
                [f"int old = {x};", "PAUSE();", f"{x} = old + 1;"],
                [f"int old = atomic_load(&{x});", "PAUSE();", f"atomic_store(&{x}, old + 1);"],
                [f"int old = {x};", "PAUSE();", f"if ({x} == old) {x} = old + 1;"],
            )
        )
    else:
        lines = draft.random.choice(
            (
                [f"{x}++;"],
                [f"{x} += 1;"],
                [f"atomic_fetch_add(&{x}, 1);"],
                [f"atomic_fetch_add_explicit(&{x}, 1, memory_order_relaxed);"],
                [f"__atomic_fetch_add(&{x}, 1, __ATOMIC_SEQ_CST);"],
                [f"int old = {x};", f"while (!atomic_compare_exchange_weak(&{x}, &old, old + 1)) ;"],
                [f"int old = {x};", f"while (!atomic_compare_exchange_strong(&{x}, &old, old + 1)) PAUSE();"],
            )
        )

    def body(draft: Draft) -> None:
        draft.pause()
        draft.code(*lines)

    work = threads.thread(body)
    threads.start(work)
    threads.start(work)
    threads.join()
    if wrong:
        draft.line(f"assert({x} == 2);")
    else:
        draft.check(x)


# --- messages ---------------------------------------------------------------------------------------


def message(draft: Draft) -> None:
    """A value handed over: by atomics, locks, semaphores, conditions, barriers, or by nothing."""
    threads = Threads(draft)
    data, flag = shared(draft, stem="data"), draft.name("flag")
    value = draft.number(1, 99)
    right = ("atomic", "release", "mutex", "semaphore", "condition", "barrier", "fence")
    wrong = draft.fails(RACE, REACH, what="a value handed over without order", unseen=CHANCE)
    form = draft.pick("relaxed", "volatile", "plain", "early", "trylock") if wrong else draft.pick(*right)
    if form == "fence":
        draft.disbelieved = "ThreadSanitizer does not know fences"
    write, read = f"{data} = {value};", f"assert({data} == {value});"
    kinds = {
        "atomic": "_Atomic int",
        "early": "_Atomic int",
        "release": "_Atomic int",
        "relaxed": "_Atomic int",
        "fence": "_Atomic int",
        "volatile": "volatile int",
        "plain": "int",
        "mutex": "int",
        "condition": "int",
        "trylock": "int",
    }
    if form in kinds:
        draft.file_scope(f"static {kinds[form]} {flag};", flag)
    m, c = draft.name("m"), draft.name("c")
    if form in ("mutex", "condition", "trylock"):
        draft.file_scope(f"static pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;", m)
    if form == "condition":
        draft.file_scope(f"static pthread_cond_t {c} = PTHREAD_COND_INITIALIZER;", c)
    lock, unlock = f"pthread_mutex_lock(&{m});", f"pthread_mutex_unlock(&{m});"
    if form == "semaphore":
        draft.file_scope(f"static sem_t {m};", m)
        draft.line(f"sem_init(&{m}, 0, 0);")
        sender, receiver = [write, f"sem_post(&{m});"], [f"sem_wait(&{m});", read]
    elif form == "barrier":
        draft.file_scope(f"static pthread_barrier_t {m};", m)
        draft.line(f"pthread_barrier_init(&{m}, 0, 2);")
        sender, receiver = [write, f"pthread_barrier_wait(&{m});"], [f"pthread_barrier_wait(&{m});", read]
    elif form == "mutex":
        sender = [lock, write, f"{flag} = 1;", unlock]
        receiver = [lock, f"if ({flag}) {read}", unlock]
    elif form == "trylock":
        sender = [lock, write, f"{flag} = 1;", unlock]
        receiver = [f"int busy = pthread_mutex_trylock(&{m});", f"if ({flag}) {read}", f"if (!busy) {unlock}"]
    elif form == "condition":
        wake = draft.pick(f"pthread_cond_signal(&{c});", f"pthread_cond_broadcast(&{c});")
        sender = [lock, write, f"{flag} = 1;", wake, unlock]
        receiver = [lock, f"while (!{flag}) pthread_cond_wait(&{c}, &{m});", unlock, read]
    elif form in ("release", "relaxed"):
        store, load = (
            ("release", "acquire")
            if form == "release"
            else draft.random.choice((("relaxed", "acquire"), ("release", "relaxed"), ("relaxed", "relaxed")))
        )
        sender = [write, f"atomic_store_explicit(&{flag}, 1, memory_order_{store});"]
        receiver = [f"if (atomic_load_explicit(&{flag}, memory_order_{load})) {read}"]
    elif form == "fence":
        sender = [write, "atomic_thread_fence(memory_order_release);",
                  f"atomic_store_explicit(&{flag}, 1, memory_order_relaxed);"]  # fmt: skip
        receiver = [f"if (atomic_load_explicit(&{flag}, memory_order_relaxed)) {{",
                    "    atomic_thread_fence(memory_order_acquire);", f"    {read}", "}"]  # fmt: skip
    else:
        sender, receiver = [write, f"{flag} = 1;"], [f"if ({flag}) {read}"]
        if form == "early":
            sender.reverse()

    def sending(draft: Draft) -> None:
        for line in sender:
            draft.pause()
            draft.line(line)

    def receiving(draft: Draft) -> None:
        draft.pause()
        draft.code(*receiver)

    first, second = threads.thread(sending), threads.thread(receiving)
    if draft.chance():
        first, second = second, first
    threads.start(first)
    threads.start(second)
    threads.join()
    draft.check(data)


# --- deadlocks --------------------------------------------------------------------------------------


def lock_order(draft: Draft) -> None:
    """Two mutexes taken in one order, in two, behind a third, or with a way back."""
    threads = Threads(draft)
    a, b, gate = mutex(draft, "a"), mutex(draft, "b"), mutex(draft, "gate")
    x = shared(draft)
    wrong = draft.fails(DEADLOCK, what="locks in two orders", unseen=CHANCE)
    form = "" if wrong else draft.pick("same", "gate", "back", "apart")

    def section(draft: Draft, first: str, second: str) -> None:
        if form == "gate":
            draft.line(f"pthread_mutex_lock(&{gate});")
        draft.line(f"pthread_mutex_lock(&{first});")
        draft.pause()
        if form == "apart":
            draft.line(f"pthread_mutex_unlock(&{first});")
        if form == "back" and first == b:
            with draft.block(f"if (pthread_mutex_trylock(&{second}) == 0)"):
                draft.line(f"{x}++;")
                draft.line(f"pthread_mutex_unlock(&{second});")
        else:
            draft.line(f"pthread_mutex_lock(&{second});")
            draft.line(f"{x}++;" if form != "apart" else ";")
            draft.line(f"pthread_mutex_unlock(&{second});")
        if form != "apart":
            draft.line(f"pthread_mutex_unlock(&{first});")
        if form == "gate":
            draft.line(f"pthread_mutex_unlock(&{gate});")

    one = threads.thread(lambda draft: section(draft, a, b))
    two = threads.thread(lambda draft: section(draft, a, b) if form == "same" else section(draft, b, a))
    threads.start(one)
    threads.start(two)
    threads.join()
    if form in ("same", "gate"):
        draft.check(x)


def missing_unlock(draft: Draft) -> None:
    """A mutex is given back on every path, or not on one."""
    threads = Threads(draft)
    m, x = mutex(draft), shared(draft)
    wrong = draft.fails(DEADLOCK, what="a mutex that is not given back")
    kind = draft.pick("branch", "twice", "goto")
    lock, unlock = f"pthread_mutex_lock(&{m});", f"pthread_mutex_unlock(&{m});"

    def body(draft: Draft) -> None:
        draft.line(lock)
        if kind == "branch":
            with draft.block(f"if ({x}++ {'>=' if wrong else '<'} 0)"):
                draft.line("PAUSE();" if wrong else unlock)
                draft.line("return 0;")
        elif kind == "twice":
            if wrong:
                draft.line(lock)
            draft.line(f"{x}++;")
        else:
            draft.line(f"if ({x}++ > {-1 if wrong else 5}) goto out;")
        draft.line(unlock)
        if kind == "goto":
            draft.lines.append("out:;")

    if kind == "branch" and not wrong:
        kind = "twice"
    work = threads.thread(body)
    threads.start(work)
    threads.start(work)
    threads.join()
    if not wrong:
        draft.check(x)


def mutex_kinds(draft: Draft) -> None:
    """Recursive and error-checking mutexes, and what their calls return."""
    threads = Threads(draft)
    m, attr, x = draft.name("m"), draft.name("attr"), shared(draft)
    kind = draft.pick("RECURSIVE", "ERRORCHECK")
    draft.file_scope(f"static pthread_mutex_t {m};", m)
    draft.code(
        f"pthread_mutexattr_t {attr};",
        f"pthread_mutexattr_init(&{attr});",
        f"pthread_mutexattr_settype(&{attr}, PTHREAD_MUTEX_{kind});",
        f"pthread_mutex_init(&{m}, &{attr});",
        f"pthread_mutexattr_destroy(&{attr});",
    )

    def body(draft: Draft) -> None:
        draft.line(f"pthread_mutex_lock(&{m});")
        draft.line(f"int again = pthread_mutex_lock(&{m});")
        draft.check("again != 0")
        draft.line(f"{x}++;")
        draft.line(f"if (!again) pthread_mutex_unlock(&{m});")
        draft.pause()
        draft.line(f"pthread_mutex_unlock(&{m});")

    work = threads.thread(body)
    threads.start(work)
    threads.start(work)
    threads.join()
    draft.check(x)
    draft.check(f"pthread_mutex_trylock(&{m})")
    draft.line(f"pthread_mutex_unlock(&{m});")
    draft.line(f"pthread_mutex_destroy(&{m});")


def condition(draft: Draft) -> None:
    """Waiting for a condition: with its predicate checked again, once, never, or set outside the lock."""
    threads = Threads(draft)
    m, c, ready = mutex(draft), draft.name("c"), shared(draft, stem="ready")
    draft.file_scope(f"static pthread_cond_t {c} = PTHREAD_COND_INITIALIZER;", c)
    wrong = draft.fails(DEADLOCK, RACE, REACH, what="a condition waited for in a wrong way", unseen=CHANCE)
    form = draft.pick("never", "outside", "taken", "silent") if wrong else draft.pick("while", "after")
    lock, unlock = f"pthread_mutex_lock(&{m});", f"pthread_mutex_unlock(&{m});"
    wake = f"pthread_cond_{draft.pick('signal', 'broadcast')}(&{c});"
    if form == "taken":
        wake = f"pthread_cond_broadcast(&{c});"

    def waiting(draft: Draft) -> None:
        draft.line(lock)
        word = {"never": "", "taken": f"if ({ready} == 0) "}.get(form, f"while ({ready} == 0) ")
        draft.line(f"{word}pthread_cond_wait(&{c}, &{m});")
        if form == "taken":
            draft.line(f"assert({ready} > 0);")
        draft.line(f"{ready}--;")
        draft.line(unlock)

    def waking(draft: Draft) -> None:
        draft.pause()
        if form == "outside":
            draft.code(f"{ready}++;", lock, wake, unlock)
        elif form == "silent":
            draft.code(lock, f"{ready}++;", unlock)
        elif form == "after":
            draft.code(lock, f"{ready}++;", unlock, wake)
        else:
            draft.code(lock, f"{ready}++;", wake, unlock)

    one, two = threads.thread(waiting), threads.thread(waking)
    threads.start(one)
    if form == "taken":
        threads.start(one)
    threads.start(two)
    if form == "taken":
        threads.start(two)
    threads.join()
    if not wrong:
        draft.check(ready)
        draft.line(f"pthread_cond_destroy(&{c});")


def barrier(draft: Draft) -> None:
    """Phases between barriers; a barrier for more threads than come; one destroyed when all have left."""
    threads = Threads(draft)
    b, slots = draft.name("b"), draft.name("slots")
    draft.file_scope(f"static pthread_barrier_t {b};", b)
    draft.file_scope(f"static int {slots}[2];", slots)
    wrong = draft.fails(RACE, DEADLOCK, what="a phase without its barrier", unseen=CHANCE)
    form = draft.pick("missing", "count") if wrong else ""
    draft.line(f"pthread_barrier_init(&{b}, 0, {3 if form == 'count' else 2});")

    def body(draft: Draft, mine: int) -> None:
        draft.line(f"{slots}[{mine}] = {mine + 5};")
        draft.pause()
        if form != "missing":
            draft.line(f"pthread_barrier_wait(&{b});")
        draft.line(f"int other = {slots}[{1 - mine}];")
        if form == "missing":
            draft.line("(void)other;")
        else:
            draft.check("other")
            if draft.chance():
                draft.line(f"pthread_barrier_wait(&{b});")
                draft.line(f"{slots}[{mine}] += other;")
                return
        draft.line(";")

    seed = draft.random.randrange(1 << 30)

    def same(mine: int) -> Callable[[Draft], None]:
        def write(draft: Draft) -> None:
            saved, draft.random = draft.random, Random(seed)
            body(draft, mine)
            draft.random = saved

        return write

    one, two = threads.thread(same(0)), threads.thread(same(1))
    threads.start(one)
    threads.start(two)
    threads.join()
    if not wrong:
        draft.line(f"pthread_barrier_destroy(&{b});")
        draft.check(f"{slots}[0] * 100 + {slots}[1]")


def read_write(draft: Draft) -> None:
    """Readers beside each other, writers alone; a writer that only has the read lock."""
    threads = Threads(draft)
    lock, x = draft.name("rw"), shared(draft)
    draft.file_scope(f"static pthread_rwlock_t {lock} = PTHREAD_RWLOCK_INITIALIZER;", lock)
    wrong = draft.fails(RACE, what="a write under a read lock", unseen=CHANCE)

    def reading(draft: Draft) -> None:
        draft.line(f"pthread_rwlock_rdlock(&{lock});")
        draft.line(f"int one = {x};")
        draft.pause()
        draft.line(f"assert(one >= 0 && one <= 2 {'' if wrong else f'&& one == {x}'});")
        draft.line(f"pthread_rwlock_unlock(&{lock});")

    def writing(draft: Draft) -> None:
        draft.line(f"pthread_rwlock_{'rd' if wrong else 'wr'}lock(&{lock});")
        draft.line(f"{x}++;")
        draft.pause()
        draft.line(f"pthread_rwlock_unlock(&{lock});")

    one, two = threads.thread(reading), threads.thread(writing)
    for work in draft.random.sample((one, two, two), 3):
        threads.start(work)
    threads.join()
    if not wrong:
        draft.check(x)


# --- memory between threads -------------------------------------------------------------------------


def heap_given(draft: Draft) -> None:
    """A block given to a thread, which frees it; or both free it, nobody does, or one still uses it."""
    threads = Threads(draft)
    value, got = draft.number(1, 99), draft.name("got")
    draft.file_scope(f"static int {got};", got)
    wrong = draft.fails(
        DEREF, FREE, LEAK, RACE, what="a block freed twice, never, or too early", unseen=CHANCE
    )
    form = draft.pick("both", "nobody", "late") if wrong else "right"
    is_hidden = draft.chance(0.4)
    key = draft.number(0, 1 << 20)

    def body(draft: Draft) -> None:
        draft.pause()
        if is_hidden:
            draft.line(f"int *mine = (int *)((uintptr_t)argument ^ {key}ul);")
        else:
            draft.line("int *mine = argument;")
        draft.line(f"{got} = *mine;")
        if form != "nobody":
            draft.line("free(mine);")

    work = threads.thread(body)
    draft.line("int *block = malloc(sizeof *block);")
    draft.line(f"*block = {value};")
    threads.start(work, f"(void *)((uintptr_t)block ^ {key}ul)" if is_hidden else "block")
    draft.pause()
    if form == "late":
        draft.line(draft.pick("*block = 3;", "int late = *block; (void)late;", "free(block);"))
    threads.join()
    if form == "both":
        draft.line("free(block);")
    draft.line("block = 0;")
    if form == "right":
        draft.check(got)


def stack_given(draft: Draft) -> None:
    """A local given to a thread that ends before the local does, or after."""
    threads = Threads(draft)
    wrong = draft.fails(DEREF, RACE, what="a thread uses a local after its block", unseen=CHANCE)

    def body(draft: Draft) -> None:
        draft.line("PAUSE();")
        draft.line("int *there = argument;")
        draft.line("*there += 1;")

    work = threads.thread(body)
    handle = draft.name("t")
    draft.line(f"pthread_t {handle};")
    value = draft.number(1, 99)
    with draft.block(draft.pick("", "for (int i = 0; i < 1; i++)", "if (1)")):
        draft.line(f"int local = {value};")
        draft.line(f"pthread_create(&{handle}, 0, {work}, &local);")
        if not wrong:
            draft.line(f"pthread_join({handle}, 0);")
            draft.check("local")
    if wrong:
        draft.line(f"pthread_join({handle}, 0);")


def results(draft: Draft) -> None:
    """What a thread returns or exits with is what its join gets."""
    work, value = draft.name("work"), draft.number(1, 99)
    wrong = draft.fails(DEREF, what="a thread returns its local", unseen="its stack may still be there")
    form = "local" if wrong else draft.pick("number", "heap", "static", "exit", "argument")
    bodies = {
        "local": [f"int local = {value};", "int *there = &local;", "return there;"],
        "number": [f"return (void *){value}l;"],
        "heap": ["int *mine = malloc(sizeof *mine);", f"*mine = {value};", "return mine;"],
        "static": [f"static int mine = {value};", "mine++;", "return &mine;"],
        "exit": [f"pthread_exit((void *){value}l);", "return 0;"],
        "argument": ["*(int *)argument *= 2;", "return argument;"],
    }
    with draft.function(f"static void *{work}(void *argument)", work):
        draft.line("(void)argument;")
        draft.code(*bodies[form])
    draft.line(f"int number = {value};")
    draft.line("pthread_t t;")
    draft.line(f"pthread_create(&t, 0, {work}, &number);")
    draft.line("void *result;")
    draft.line("pthread_join(t, &result);")
    draft.check("(long)result" if form in ("number", "exit") else "*(int *)result")
    if form == "heap":
        draft.line("free(result);")


# --- ends, misuse, and the rest ---------------------------------------------------------------------


def ends(draft: Draft) -> None:
    """A path of a thread, a section or a loop ends the process; the other paths go on."""
    threads = Threads(draft)
    x, m = shared(draft), mutex(draft)
    wrong = draft.fails(REACH, what="an assertion fails where the process has not ended", unseen=CHANCE)
    before, after = draft.random.choice(
        (
            (f"pthread_mutex_lock(&{m});", f"pthread_mutex_unlock(&{m});"),
            ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
        )
    )
    end = draft.pick("exit(0);", "_Exit(0);", "exit(0);")

    def body(draft: Draft) -> None:
        draft.pause()
        draft.line(before)
        if draft.chance():
            draft.line(f"if ({x} == 1) {end}")
        else:
            with draft.block(f"while ({x} == 1)"):
                draft.line(end)
        draft.line(f"{x} += 1;")
        draft.line(after)
        draft.line(before)
        draft.line(f"assert({x} {'!=' if wrong else '=='} 1);")
        draft.line(after)

    work = threads.thread(body)
    threads.start(work)
    threads.start(work)
    threads.join()
    draft.line("assert(0);" if not wrong else ";")


def misuse(draft: Draft) -> None:
    """Locks that are unlocked by who does not hold them, destroyed while locked, used after their end."""
    threads = Threads(draft)
    m, x = mutex(draft), shared(draft)
    wrong = draft.fails(MISUSE, what="a wrong use of a mutex", unseen="it does no harm in a run")
    form = draft.pick("unlock", "locked", "destroyed", "twice") if wrong else ""
    lock, unlock = f"pthread_mutex_lock(&{m});", f"pthread_mutex_unlock(&{m});"

    def body(draft: Draft) -> None:
        draft.code(lock, f"{x}++;", unlock)
        if form == "twice":
            draft.line(unlock)

    work = threads.thread(body)
    threads.start(work)
    threads.join()
    if form == "unlock":
        draft.line(unlock)
    elif form == "locked":
        draft.code(lock, f"pthread_mutex_destroy(&{m});")
    elif form == "destroyed":
        draft.code(f"pthread_mutex_destroy(&{m});", lock, unlock)
    else:
        draft.code(lock, unlock, f"pthread_mutex_destroy(&{m});")
        if draft.chance():
            draft.code(f"pthread_mutex_init(&{m}, 0);", lock, unlock)
    if not wrong:
        draft.check(x)


def once_and_own(draft: Draft) -> None:
    """``pthread_once``, and variables that each thread has for itself."""
    threads = Threads(draft)
    once, own, x, setup = draft.name("once"), draft.name("own"), shared(draft), draft.name("setup")
    draft.file_scope(f"static pthread_once_t {once} = PTHREAD_ONCE_INIT;", once)
    draft.file_scope(f"static _Thread_local int {own} = 1;", own)
    draft.file_scope(f"static void {setup}(void) {{ {x}++; }}", setup)
    wrong = draft.fails(RACE, what="an initialisation that is not once", unseen=CHANCE)

    def body(draft: Draft) -> None:
        draft.pause()
        draft.line(f"{own} += 1;")
        draft.line(f"{setup}();" if wrong else f"pthread_once(&{once}, {setup});")
        draft.check(own)
        if not wrong:
            draft.check(x)

    work = threads.thread(body)
    threads.start(work)
    threads.start(work)
    threads.join()
    if not wrong:
        draft.check(f"{own} * 10 + {x}")


def mixture(draft: Draft) -> None:
    """Random accesses of two threads in random sections; wrong if an access left its section."""
    threads = Threads(draft)
    locks = [mutex(draft, stem) for stem in ("a", "b")]
    variables = [shared(draft, stem=stem) for stem in ("x", "y", "z")]
    guard = {variable: draft.random.choice(locks) for variable in variables}
    wrong = draft.risks()

    def access(draft: Draft, variable: str) -> None:
        other = draft.random.choice(variables)
        form = draft.pick("add", "set", "read", "copy")
        if form == "copy" and guard[other] == guard[variable]:
            draft.line(f"{variable} = {other};")
        elif form == "read":
            draft.line(f"if ({variable} > {draft.number(0, 3)}) {variable} = 0;")
        elif form == "set":
            draft.line(f"{variable} = {draft.number(0, 3)};")
        else:
            draft.line(f"{variable} += {draft.number(1, 2)};")

    def body(draft: Draft) -> None:
        for _ in range(draft.number(1, 3)):
            variable = draft.random.choice(variables)
            draft.pause()
            if wrong and draft.chance(0.3):
                access(draft, variable)
                continue
            lock = draft.random.choice(locks) if wrong and draft.chance(0.2) else guard[variable]
            draft.line(f"pthread_mutex_lock(&{lock});")
            if wrong and draft.chance(0.3):
                inner = next(name for name in locks if name != lock)
                draft.line(f"pthread_mutex_lock(&{inner});")
                draft.pause()
                access(draft, draft.random.choice(variables))
                draft.line(f"pthread_mutex_unlock(&{inner});")
            access(draft, variable)
            if wrong and draft.chance(0.2):
                draft.line(f"assert({variable} < {draft.number(1, 6)});")
            draft.line(f"pthread_mutex_unlock(&{lock});")

    one, two = threads.thread(body), threads.thread(body)
    threads.start(one)
    threads.start(two)
    threads.join()


SHAPES: dict[str, tuple[Callable[[Draft], None], int]] = {
    "counting": (counting, 4),
    "atomic-counting": (atomic_counting, 2),
    "message": (message, 4),
    "lock-order": (lock_order, 2),
    "missing-unlock": (missing_unlock, 1),
    "mutex-kinds": (mutex_kinds, 1),
    "condition": (condition, 2),
    "barrier": (barrier, 2),
    "read-write": (read_write, 2),
    "heap-given": (heap_given, 2),
    "stack-given": (stack_given, 2),
    "results": (results, 2),
    "ends": (ends, 2),
    "misuse": (misuse, 1),
    "once-and-own": (once_and_own, 1),
    "mixture": (mixture, 5),
}
