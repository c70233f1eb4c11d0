"""Programs of any length with threads, locks, structures and lists, as an application has them.

A program is made of *modules* of some fifty lines: a locked list, a ring buffer, a table of accounts. Two
entries of a module, one before threads are created and one for these, work on its own data and call those of
two later modules, so that calls are as deep as the logarithm of their number. All modules call two functions
of the whole program, one of them with a lock of its own. Threads of four kinds start in the first modules. No
check fails.
"""

KINDS = 4
"""Of threads: as many functions start one."""

HEAD = """\
#include <pthread.h>
#include <stdlib.h>

struct job {
    int key;
    unsigned rounds;
};

struct statistics {
    pthread_mutex_t lock;
    unsigned calls;
    unsigned long sum;
};

static struct statistics statistics = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static unsigned clamp(unsigned value, unsigned most)
{
    return value < most ? value : most;
}

static void record(struct statistics *at, unsigned value)
{
    pthread_mutex_lock(&at->lock);
    at->calls++;
    at->sum += clamp(value, 1000);
    pthread_mutex_unlock(&at->lock);
}
"""

LIST = """
struct item_@ {
    int key;
    unsigned uses;
    struct item_@ *next;
};

static struct {
    pthread_mutex_t lock;
    struct item_@ *first;
    unsigned size;
} shelf_@ = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static struct item_@ *find_@(int key)
{
    struct item_@ *at = shelf_@.first;
    while (at && at->key != key)
        at = at->next;
    return at;
}

static void add_@(int key)
{
    struct item_@ *made = malloc(sizeof *made);
    if (!made)
        return;
    made->key = key;
    made->uses = 0;
    pthread_mutex_lock(&shelf_@.lock);
    made->next = shelf_@.first;
    shelf_@.first = made;
    shelf_@.size++;
    pthread_mutex_unlock(&shelf_@.lock);
}

static void open_@(void)
{
    add_@(0);
    add_@(@);
%open
static unsigned work_@(const struct job *job)
{
    unsigned uses = 0;
    add_@(job->key);
    pthread_mutex_lock(&shelf_@.lock);
    struct item_@ *found = find_@(job->key);
    if (found)
        uses = ++found->uses;
    pthread_mutex_unlock(&shelf_@.lock);
    record(&statistics, uses);
%work"""

RING = """
struct ring_@ {
    pthread_mutex_t lock;
    unsigned head, count;
    int slots[16];
};

static struct ring_@ ring_@ = { PTHREAD_MUTEX_INITIALIZER, 0, 0, { 0 } };

static int put_@(struct ring_@ *ring, int value)
{
    int is_done = 0;
    pthread_mutex_lock(&ring->lock);
    if (ring->count < 16) {
        ring->slots[(ring->head + ring->count) % 16] = value;
        ring->count++;
        is_done = 1;
    }
    pthread_mutex_unlock(&ring->lock);
    return is_done;
}

static int take_@(struct ring_@ *ring, int *value)
{
    int is_done = 0;
    pthread_mutex_lock(&ring->lock);
    if (ring->count > 0) {
        *value = ring->slots[ring->head % 16];
        ring->head = (ring->head + 1) % 16;
        ring->count--;
        is_done = 1;
    }
    pthread_mutex_unlock(&ring->lock);
    return is_done;
}

static void open_@(void)
{
    put_@(&ring_@, @);
%open
static unsigned work_@(const struct job *job)
{
    int value = 0;
    unsigned uses = 0;
    for (unsigned i = 0; i < job->rounds; i++) {
        if (put_@(&ring_@, job->key) && take_@(&ring_@, &value))
            uses++;
    }
    record(&statistics, clamp((unsigned)value, 100));
%work"""

TABLE = """
struct account_@ {
    unsigned balance;
    unsigned changes;
};

struct bank_@ {
    pthread_mutex_t lock;
    struct account_@ accounts[8];
};

static struct bank_@ bank_@ = { PTHREAD_MUTEX_INITIALIZER, { { 0, 0 } } };

static unsigned withdraw_@(struct account_@ *from, unsigned amount)
{
    unsigned taken = clamp(amount, from->balance);
    from->balance -= taken;
    from->changes++;
    return taken;
}

static unsigned move_@(struct bank_@ *bank, unsigned from, unsigned to, unsigned amount)
{
    unsigned moved;
    pthread_mutex_lock(&bank->lock);
    moved = withdraw_@(&bank->accounts[from % 8], amount);
    bank->accounts[to % 8].balance += moved;
    pthread_mutex_unlock(&bank->lock);
    return moved;
}

static void open_@(void)
{
    for (unsigned i = 0; i < 8; i++)
        bank_@.accounts[i].balance = 100 + @;
%open
static unsigned work_@(const struct job *job)
{
    unsigned uses = move_@(&bank_@, (unsigned)job->key, job->rounds, 10);
    if (uses < 10)
        uses += move_@(&bank_@, job->rounds, (unsigned)job->key, 10 - uses);
    record(&statistics, uses);
%work"""

MODULES = (LIST, RING, TABLE)

THREAD = """
static void *worker_@(void *given)
{
    const struct job *job = given;
    record(&statistics, work_@(job));
    return 0;
}
"""


MAIN = """
static struct job jobs[4] = { { 7, 3 }, { 5, 2 }, { 3, 1 }, { 2, 4 } };

int main(void)
{
    static pthread_t threads[@];
    open_0();
    open_1();
    open_2();
    open_3();
    for (int i = 0; i < @; i++) {
        if (i % 4 == 0)
            pthread_create(&threads[i], 0, worker_0, &jobs[0]);
        else if (i % 4 == 1)
            pthread_create(&threads[i], 0, worker_1, &jobs[1]);
        else if (i % 4 == 2)
            pthread_create(&threads[i], 0, worker_2, &jobs[2]);
        else
            pthread_create(&threads[i], 0, worker_3, &jobs[3]);
    }
    for (int i = 0; i < @; i++)
        pthread_join(threads[i], 0);
    return 0;
}
"""


def program(lines: int, threads: int = KINDS) -> str:
    """A program of about so many lines that creates and joins so many threads."""
    frame = _lines(HEAD) + KINDS * _lines(THREAD) + _lines(MAIN)
    count, length = 0, frame
    while count < KINDS or length < lines:
        length += _lines(_module(count, 0)) + 2
        count += 1
    modules = [_module(number, count) for number in reversed(range(count))]
    workers = [THREAD.replace("@", str(kind)) for kind in range(KINDS)]
    return "".join([HEAD, *modules, *workers, MAIN.replace("@", str(threads))])


def _lines(text: str) -> int:
    return text.count("\n")


def _module(number: int, count: int) -> str:
    """A module with its calls of those below it."""
    below = [child for child in (2 * number + KINDS, 2 * number + KINDS + 1) if child < count]
    opened = "".join(f"    open_{child}();\n" for child in below)
    worked = "".join(f"    uses += work_{child}(job);\n" for child in below)
    text = MODULES[number % len(MODULES)].replace("@", str(number))
    return text.replace("%open", opened + "}\n").replace("%work", worked + "    return uses;\n}\n")
