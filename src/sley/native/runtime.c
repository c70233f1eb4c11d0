// The run-time that makes a real program follow a schedule.
//
// The program and the models of the thread library are compiled with `-fsanitize=thread`, so that there is a call
// before every access to memory that other threads could see, and linked with this file instead of the sanitizer.
// What the models are written in (sley.h) is defined here too. Threads are real, but only the one with the baton
// runs: it follows the list of events that the trace has for it, and where its next event is not due yet, it hands
// the baton over. Events are recognised by what they do, the line, and the address; an access that the trace does not
// know goes along, and one that never comes is passed over at the next that does. Whatever else does not fit ends the
// run: it never counts as the failure.
//
// The schedule is read from $SLEY_SCHEDULE, what happened is written to $SLEY_OUTCOME.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { MOST_THREADS = 256, FIRST_PAGE = 4096, RED_ZONE = 64, MOST_FRAMES = 64, NO_THREAD = -1, NOWHERE = -1, TICKS = 4 };

// --- what the schedule says -------------------------------------------------------------------------

// Where calls return to, and the line that each is in.
struct place {
    uintptr_t pc;
    int file, line;
};

// One thing that a thread of the trace does.
struct event {
    int index, thread;
    char kind;                          // a letter, see `reach`
    int file, first, last;              // where the access is; NOWHERE: anywhere
    int user_file, user_first, user_last;    // and where the user called the library for it
    int object;                         // which object of the trace is accessed or made
    long offset;                        // where in it; of a new block: which object was at its place before
    long size;
    bool is_failing;
    bool is_done;
};

// A value that the program gets from outside.
struct input {
    char kind;                          // (v)alue, or whether something (f)ails that may fail
    int thread, file, first, last, user_file, user_first, user_last;
    uint64_t value;
    bool is_used;
};

// What an object holds that was never written, when an event first reads it.
struct filling {
    int event, object;
    long offset, size;
    uint64_t value;
};

// An object of the trace, once it is known where it is.
struct object {
    uintptr_t base;
    long size;                          // NOWHERE: not known; 0: it is gone when the failure happens
    bool is_block;                      // of the heap
};

static struct place *places;
static int place_count, user_files;
static struct event *events;
static int event_count;
static struct input *inputs;
static int input_count;
static struct filling *fillings;
static int filling_count;
static struct object *objects;
static int object_count;
static char goal = 'F';                 // F: a step of `failing` fails, R: two accesses race, D: deadlock, L: leak
static int failing = NO_THREAD;
static int argument_count;              // of main
static int seconds;                     // until the run is ended; 0: never
static struct event party[2];           // of a race
static int *listed;                     // the objects of a leak, or the threads of a cycle of waits
static int listed_count;

// --- threads ----------------------------------------------------------------------------------------

struct thread {
    int id;                             // its handle is one more
    sem_t turn;
    void *(*start)(void *);
    void *argument, *result;
    int at;                             // the first of `events` that may be its next one
    bool is_ended, is_joined, is_detached, is_blocked;
    bool is_lost;                       // it computes for ever, and gets the baton no more
    int section;                        // how many atomic sections of models it is in
    int own_section;                    // and of the user's
    void *section_begin[5];             // where the section can be begun again
    void **frame;                       // of its last call of the run-time
    int waits_for;
    bool has_arrived;                   // at its access of the race
    uintptr_t address;
    long size;
    char kind;
    bool is_atomic;                     // its last access
};

static struct thread *threads[MOST_THREADS];
static int thread_count;
static __thread struct thread *self;
static struct thread *volatile holder;  // of the baton
static volatile long calls;             // of the run-time
static int next_event;
static bool is_followed;                // whether all events have happened

// --- the heap ---------------------------------------------------------------------------------------

struct block {
    uintptr_t base;
    size_t size, room;
    bool is_freed;
    uintptr_t made_at;                  // in the user's code
    bool is_reachable;                  // at the end
};

static struct block *blocks;
static int block_count, block_room;

// --- places -----------------------------------------------------------------------------------------

static const struct place *place_of(uintptr_t pc)
{
    int low = 0, high = place_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (places[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < place_count && places[low].pc == pc ? &places[low] : NULL;
}

static bool is_user(const struct place *place)
{
    return place && place->file < user_files;
}

// The innermost call in the user's code; code without optimisation keeps frame pointers.
static const struct place *user_place(void **frame)
{
    for (int depth = 0; frame && depth < MOST_FRAMES; depth++) {
        const struct place *place = place_of((uintptr_t)frame[1]);
        if (!place || is_user(place))
            return place;
        frame = frame[0];
    }
    return NULL;
}

// --- the outcome ------------------------------------------------------------------------------------

static FILE *outcome_file(void)
{
    const char *name = getenv("SLEY_OUTCOME");
    FILE *file = name ? fopen(name, "w") : NULL;
    return file ? file : stderr;
}

static void write_stack(FILE *file, const char *word, int thread, void **frame)
{
    fprintf(file, "%s %d", word, thread);
    for (int depth = 0; frame && depth < MOST_FRAMES && place_of((uintptr_t)frame[1]); depth++) {
        fprintf(file, " %lx", (unsigned long)frame[1]);
        frame = frame[0];
    }
    fprintf(file, "\n");
}

void *sley_user_frame;                  // of the user's function, for a debugger

// Called right before the step that fails: a place for a breakpoint.
__attribute__((noinline)) void sley_failing_step(void)
{
    __asm__ volatile("");
}

static void tell_debugger(void)
{
    void **frame = self->frame;
    while (frame && place_of((uintptr_t)frame[1]) && !is_user(place_of((uintptr_t)frame[1])))
        frame = frame[0];
    sley_user_frame = frame && frame[0] ? (char *)frame[0] + 2 * sizeof(void *) : NULL;
    sley_failing_step();
}

static void finish(FILE *file)
{
    fclose(file);
    fflush(stdout);
    fflush(stderr);
    _exit(0);
}

// The run is over: one word for what happened, and where.
static void __attribute__((noreturn, format(printf, 2, 3))) stop(const char *word, const char *format, ...)
{
    FILE *file = outcome_file();
    va_list arguments;
    va_start(arguments, format);
    fprintf(file, "%s ", word);
    vfprintf(file, format, arguments);
    fprintf(file, "\n");
    va_end(arguments);
    if (self)
        write_stack(file, "at", self->id, self->frame);
    fprintf(file, "event %d of %d\n", next_event, event_count);
    finish(file);
    __builtin_unreachable();
}

// --- the baton --------------------------------------------------------------------------------------

static void wait_for_turn(void)
{
    while (sem_wait(&self->turn) && errno == EINTR)
        ;
    holder = self;
}

static void pass_over_what_is_done(void)
{
    while (next_event < event_count && events[next_event].is_done)
        next_event++;
    is_followed = next_event == event_count;
}

static bool can_run(int id)
{
    return id >= 0 && id < thread_count && !threads[id]->is_ended && !threads[id]->is_lost;
}

static bool is_listed(int id)
{
    for (int i = 0; i < listed_count; i++)
        if (listed[i] == id)
            return true;
    return false;
}

// Another thread that is not blocked, those of the cycle first; in turn, so that one that never waits does not keep
// the others from it.
static int any_that_can_run(void)
{
    for (int part = goal == 'D' ? 0 : 1; part < 2; part++)
        for (int step = 1; step <= thread_count; step++) {
            int id = (self->id + step) % thread_count;
            if (can_run(id) && !threads[id]->is_blocked && (part == 1 || is_listed(id)))
                return id;
        }
    return NO_THREAD;
}

// The next owner of the baton when its thread does not go on.
static int whose_turn(void)
{
    pass_over_what_is_done();
    if (!is_followed)
        return events[next_event].thread;
    if (goal == 'F')
        return failing;
    if (goal == 'R')
        return threads[party[0].thread]->has_arrived ? party[1].thread : party[0].thread;
    return any_that_can_run();
}

static void hand_over(int id)
{
    if (!can_run(id))
        stop("diverged", "thread %d does not run", id);
    sem_post(&threads[id]->turn);
}

// Another thread goes on, until it is this one's turn again.
static void let_run(int id)
{
    if (id == self->id)
        return;
    hand_over(id);
    wait_for_turn();
}

// --- following the events ---------------------------------------------------------------------------

static bool is_access(char kind)
{
    return kind == 'r' || kind == 'w' || kind == 'u' || kind == 'b';
}

static bool is_at(const struct place *place, int file, int first, int last)
{
    return file == NOWHERE || (place && place->file == file && first <= place->line && place->line <= last);
}

// What runs at the end of a thread is not called by the user.
static bool is_called_from(const struct place *user, int file, int first, int last)
{
    return !user || is_at(user, file, first, last);
}

static bool overlap(uintptr_t one, long one_size, uintptr_t other, long other_size)
{
    return one < other + other_size && other < one + one_size;
}

// The trace reads and writes the neighbours of a bit-field, for the compiler that may be one access.
static bool is_same_kind(char expected, char kind)
{
    return expected == kind || (expected == 'u' && kind == 'w') || (expected == 'b' && is_access(kind));
}

static bool fits(const struct event *event, char kind, void **frame, uintptr_t address, long size)
{
    if (!is_same_kind(event->kind, kind))
        return false;
    if (!is_at(place_of((uintptr_t)frame[1]), event->file, event->first, event->last))
        return false;
    if (!is_called_from(user_place(frame), event->user_file, event->user_first, event->user_last))
        return false;
    if (!is_access(kind) || event->object == NOWHERE)
        return true;
    if (objects[event->object].base == 0)
        return event->size == size;
    return overlap(objects[event->object].base + event->offset, event->size, address, size);
}

// The event of this thread that the call is. Only accesses may be missing before it.
static struct event *expected(char kind, void **frame, uintptr_t address, long size)
{
    for (int i = self->at; i < event_count; i++) {
        struct event *event = &events[i];
        if (event->thread != self->id || event->is_done)
            continue;
        if (fits(event, kind, frame, address, size))
            return event;
        if (!is_access(event->kind))
            return NULL;
    }
    return NULL;
}

static bool has_events(const struct thread *thread)
{
    for (int i = thread->at; i < event_count; i++)
        if (events[i].thread == thread->id && !events[i].is_done)
            return true;
    return false;
}

// The events of this thread before this index never come.
static void pass_over(int index)
{
    for (int i = self->at; i < index; i++)
        if (events[i].thread == self->id)
            events[i].is_done = true;
    self->at = index;
    pass_over_what_is_done();
}

// Whether only accesses are left that may be missing.
static bool is_nearly_through(void)
{
    for (int i = self->at; i < event_count; i++)
        if (events[i].thread == self->id && !events[i].is_done && !is_access(events[i].kind))
            return false;
    return true;
}

// Whether this is the access of the race, which no event is before any more.
static bool is_party(char kind, void **frame, uintptr_t address, long size)
{
    for (int i = 0; goal == 'R' && i < 2; i++)
        if (party[i].thread == self->id && fits(&party[i], kind, frame, address, size))
            return is_nearly_through();
    return false;
}

// A block holds what the trace says until it is written: it was made of zeros.
static void fill_in(const struct event *event)
{
    static const uint64_t zero;
    for (int i = 0; i < filling_count; i++) {
        const struct filling *one = &fillings[i];
        if (one->event != event->index || !objects[one->object].is_block)
            continue;
        void *at = (void *)(objects[one->object].base + one->offset);
        if (memcmp(at, &zero, one->size) == 0)
            memcpy(at, &one->value, one->size);
    }
}

static void happens(struct event *event, uintptr_t address, long size)
{
    event->is_done = true;
    self->at = event->index + 1;
    pass_over_what_is_done();
    if (event->object != NOWHERE && address && objects[event->object].base == 0 && event->size == size)
        objects[event->object].base = address - event->offset;
    fill_in(event);
}

// Whether the call is an event, which now happens; if none is left, it is first the turn of the others.
static bool follow(char kind, void **frame, uintptr_t address, long size)
{
    struct event *event = is_followed ? NULL : expected(kind, frame, address, size);
    if (!event && !is_followed && is_party(kind, frame, address, size))
        pass_over(event_count);
    while (!event && !is_followed && !has_events(self))
        let_run(whose_turn());
    if (!event)
        return false;
    pass_over(event->index);
    while (next_event != event->index)
        let_run(whose_turn());
    happens(event, address, size);
    if (is_followed && goal == 'F')
        tell_debugger();
    return true;
}

// --- memory that must not be used -------------------------------------------------------------------

static struct block *block_at(uintptr_t address, long size)
{
    for (int i = block_count - 1; i >= 0; i--)
        if (overlap(blocks[i].base - RED_ZONE, blocks[i].size + 2 * RED_ZONE, address, size))
            return &blocks[i];
    return NULL;
}

// What is wrong about an access; NULL if nothing can be seen.
static const char *fault(uintptr_t address, long size, const struct event *event)
{
    if (address < FIRST_PAGE)
        return "null";
    struct block *block = block_at(address, size);
    if (block && block->is_freed)
        return "freed";
    if (block && (address < block->base || address + size > block->base + block->size))
        return "outside";
    if (block || !event || event->object == NOWHERE || objects[event->object].base == 0)
        return NULL;
    const struct object *object = &objects[event->object];
    if (object->size == 0)
        return "gone";
    if (object->size > 0 && (address < object->base || address + size > object->base + object->size))
        return "outside";
    return NULL;
}

static void look_at_access(char kind, void **frame, uintptr_t address, long size)
{
    if (goal != 'F' || !is_followed || self->id != failing || size == 0 || kind == 'a' || kind == 'f')
        return;
    const struct event *last = event_count ? &events[event_count - 1] : NULL;
    bool is_last = last && last->is_failing && fits(last, kind, frame, address, size);
    const char *what = fault(address, size, is_last ? last : NULL);
    if (what)
        stop("access", "%s %c %ld", what, kind, size);
}

// --- the end of the schedule ------------------------------------------------------------------------

static void arrive(char kind, void **frame, uintptr_t address, long size)
{
    int mine = party[0].thread == self->id ? 0 : 1;
    if (party[mine].thread != self->id) {
        let_run(whose_turn());
        return;
    }
    if (self->has_arrived || !fits(&party[mine], kind, frame, address, size))
        return;
    self->has_arrived = true;
    self->address = address;
    self->size = size;
    self->kind = kind;
    struct thread *other = threads[party[1 - mine].thread];
    if (!other->has_arrived) {
        let_run(other->id);
        return;
    }
    tell_debugger();
    FILE *file = outcome_file();
    bool is_same = overlap(self->address, self->size, other->address, other->size);
    bool one_writes = self->kind != 'r' || other->kind != 'r', one_is_plain = !self->is_atomic || !other->is_atomic;
    fprintf(file, "race %d\n", is_same && one_writes && one_is_plain);
    write_stack(file, "at", other->id, other->frame);
    write_stack(file, "at", self->id, self->frame);
    finish(file);
}

static void write_waiting(FILE *file, struct thread *thread)
{
    fprintf(file, "waits %d %d\n", thread->id, thread->waits_for);
    write_stack(file, "at", thread->id, thread->frame);
}

static void stop_in_deadlock(const bool *takes_part)
{
    tell_debugger();
    FILE *file = outcome_file();
    fprintf(file, "deadlock\n");
    for (int id = 0; id < thread_count; id++)
        if (takes_part[id])
            write_waiting(file, threads[id]);
    finish(file);
}

// Whether the threads that wait for each other, from this one on, form a cycle.
static void look_for_cycle(void)
{
    bool seen[MOST_THREADS] = {false};
    int id = self->id;
    while (can_run(id) && threads[id]->is_blocked && !seen[id]) {
        seen[id] = true;
        id = threads[id]->waits_for;
    }
    if (id == self->id && seen[id])
        stop_in_deadlock(seen);
}

// The thread cannot go on now; it returns when it should try again.
static void blocked(int waits_for)
{
    self->waits_for = waits_for;
    if (goal != 'D' || !is_followed)
        stop("diverged", "thread %d has to wait", self->id);
    self->is_blocked = true;
    look_for_cycle();
    int other = any_that_can_run();
    if (other == NO_THREAD) {
        bool all[MOST_THREADS];
        for (int id = 0; id < thread_count; id++) {
            all[id] = can_run(id);
            if (threads[id]->is_lost)
                stop("diverged", "thread %d runs on", id);
        }
        stop_in_deadlock(all);
    }
    let_run(other);
}

static void nobody_is_blocked(void)
{
    for (int id = 0; id < thread_count; id++)
        threads[id]->is_blocked = false;
}

// All events have happened: what the thread does next is up to the failure.
static void go_on(char kind, void **frame, uintptr_t address, long size)
{
    if (goal == 'R')
        arrive(kind, frame, address, size);
    else if (goal == 'F')
        let_run(failing);
    else if (goal == 'D')
        let_run(any_that_can_run());
}

// A thread is about to do something that others may notice: (r)ead, (w)rite, (u)pdate, begin a (s)ection, (l)ock,
// unloc(k), (c)reate, (j)oin, (d)etach, e(x)it, (e)nd the process, (a)llocate, (f)ree.
static void reach(char kind, void **frame, uintptr_t address, long size)
{
    calls++;
    while (self->is_lost)
        wait_for_turn();
    self->frame = frame;
    if (self->section > 0) {
        look_at_access(kind, frame, address, size);
        return;
    }
    bool is_event = follow(kind, frame, address, size);
    if (is_followed && !is_event)
        go_on(kind, frame, address, size);
    look_at_access(kind, frame, address, size);
}

#define FRAME ((void **)__builtin_frame_address(0))

// The program may have a function of this name itself.
#define DEFAULT __attribute__((weak))
#define REACH(kind) reach(kind, FRAME, 0, 0)

// --- accesses: what the compiler calls --------------------------------------------------------------

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_vptr_read(void **address) { reach('r', FRAME, (uintptr_t)address, 8); }
void __tsan_vptr_update(void **address, void *value) { (void)value; reach('w', FRAME, (uintptr_t)address, 8); }
void __tsan_read_range(void *address, long size) { reach('r', FRAME, (uintptr_t)address, size); }
void __tsan_write_range(void *address, long size) { reach('w', FRAME, (uintptr_t)address, size); }

#define ACCESS(size) \
    void __tsan_read##size(void *address) { reach('r', FRAME, (uintptr_t)address, size); } \
    void __tsan_write##size(void *address) { reach('w', FRAME, (uintptr_t)address, size); } \
    void __tsan_unaligned_read##size(void *address) { reach('r', FRAME, (uintptr_t)address, size); } \
    void __tsan_unaligned_write##size(void *address) { reach('w', FRAME, (uintptr_t)address, size); } \
    void __tsan_volatile_read##size(void *address) { reach('r', FRAME, (uintptr_t)address, size); } \
    void __tsan_volatile_write##size(void *address) { reach('w', FRAME, (uintptr_t)address, size); } \
    void __tsan_unaligned_volatile_read##size(void *address) { reach('r', FRAME, (uintptr_t)address, size); } \
    void __tsan_unaligned_volatile_write##size(void *address) { reach('w', FRAME, (uintptr_t)address, size); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

static uint64_t input_of(char kind, void **frame);

static void reach_atomically(char kind, void **frame, const volatile void *address, long size)
{
    self->is_atomic = true;
    reach(kind, frame, (uintptr_t)address, size);
    self->is_atomic = false;
}

// One thread at a time: plain operations are atomic.
#define CHANGE(bits, type, name, new) \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) \
    { \
        (void)order; \
        reach_atomically('u', FRAME, at, sizeof(type)); \
        type old = *at; \
        *at = (type)(new); \
        return old; \
    }
#define COMPARE(bits, type, name, fails) \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile type *at, type *old, type value, int order, int or) \
    { \
        (void)order, (void)or; \
        reach_atomically('u', FRAME, at, sizeof(type)); \
        if (!(fails) && *at == *old) { \
            *at = value; \
            return 1; \
        } \
        *old = *at; \
        return 0; \
    }
#define ATOMIC(bits, type) \
    type __tsan_atomic##bits##_load(const volatile type *at, int order) \
    { \
        (void)order; \
        reach_atomically('r', FRAME, at, sizeof(type)); \
        return *at; \
    } \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order) \
    { \
        (void)order; \
        reach_atomically('w', FRAME, at, sizeof(type)); \
        *at = value; \
    } \
    CHANGE(bits, type, exchange, value) \
    CHANGE(bits, type, fetch_add, old + value) \
    CHANGE(bits, type, fetch_sub, old - value) \
    CHANGE(bits, type, fetch_and, old & value) \
    CHANGE(bits, type, fetch_or, old | value) \
    CHANGE(bits, type, fetch_xor, old ^ value) \
    CHANGE(bits, type, fetch_nand, ~(old & value)) \
    COMPARE(bits, type, strong, false) \
    COMPARE(bits, type, weak, input_of('v', FRAME))
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
ATOMIC(128, unsigned __int128)
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }

// --- atomic sections and waiting: what the models are written in -------------------------------------

void **__sley_section(void)
{
    return self->section_begin;
}

// Also where a section is begun again whose condition did not hold.
void __sley_section_begins(void)
{
    REACH('s');
    self->section++;
}

void __sley_atomic_end(void)
{
    self->section--;
    nobody_is_blocked();
}

static void begin_again(int waits_for)
{
    int depth = self->section;
    self->section = 0;
    blocked(waits_for);
    if (depth > 0)
        __builtin_longjmp(self->section_begin, 1);
}

static void await(bool condition, bool is_spurious, void **frame)
{
    self->frame = frame;
    if (!condition && !(is_spurious && !is_followed))
        begin_again(NO_THREAD);
}

void __sley_await(_Bool condition) { await(condition, false, FRAME); }
void __sley_await_spurious(_Bool condition) { await(condition, true, FRAME); }

void __sley_lock(int *cell)
{
    reach('l', FRAME, (uintptr_t)cell, sizeof *cell);
    while (*cell)
        begin_again(*cell - 1);
    *cell = self->id + 1;
}

void __sley_unlock(int *cell)
{
    reach('k', FRAME, (uintptr_t)cell, sizeof *cell);
    if (*cell != self->id + 1)
        stop("check", "misuse unlock-not-held");
    *cell = 0;
    nobody_is_blocked();
}

void __sley_unlock_plainly(int *cell)
{
    reach('k', FRAME, (uintptr_t)cell, sizeof *cell);
    if (*cell != self->id + 1)
        stop("check", "misuse unlock-not-held");
    *cell = 0;
    nobody_is_blocked();
}

// --- threads ----------------------------------------------------------------------------------------

unsigned long __sley_self(void) { return self->id + 1; }
_Bool __sley_joins_as_first(void) { return self->id == 0; }
unsigned long __sley_id(unsigned long handle) { return handle; }
unsigned long __sley_handle(unsigned long id) { return id; }
void __sley_end_thread(void) __attribute__((weak));

static struct thread *new_thread(void *(*start)(void *), void *argument)
{
    if (thread_count == MOST_THREADS)
        stop("limit", "more than %d threads", MOST_THREADS);
    struct thread *thread = calloc(1, sizeof *thread);
    thread->id = thread_count;
    thread->start = start;
    thread->argument = argument;
    thread->waits_for = NO_THREAD;
    sem_init(&thread->turn, 0, 0);
    threads[thread_count++] = thread;
    return thread;
}

static void process_ends(void **frame);

// Whoever has ended stays, without the baton, until the process ends.
static void __attribute__((noreturn)) thread_ends(void *result, void **frame)
{
    reach('x', frame, 0, 0);
    self->result = result;
    self->is_ended = true;
    nobody_is_blocked();
    int other = whose_turn();
    if (any_that_can_run() == NO_THREAD)
        process_ends(frame);
    hand_over(other);
    for (;;)
        wait_for_turn();
}

static void *run_thread(void *argument)
{
    self = argument;
    wait_for_turn();
    void *result = self->start(self->argument);
    if (__sley_end_thread)
        __sley_end_thread();
    thread_ends(result, FRAME);
}

unsigned long __sley_create(void *(*start)(void *), void *argument)
{
    REACH('c');
    struct thread *thread = new_thread(start, argument);
    pthread_t real;
    if (pthread_create(&real, NULL, run_thread, thread))
        stop("limit", "no thread can be created");
    return thread->id + 1;
}

static struct thread *joinable(unsigned long handle, const char *rule)
{
    struct thread *thread = handle > 0 && handle <= (unsigned long)thread_count ? threads[handle - 1] : NULL;
    if (!thread || thread->is_joined || thread->is_detached)
        stop("check", "misuse %s", rule);
    return thread;
}

void *__sley_join(unsigned long handle)
{
    REACH('j');
    struct thread *thread = joinable(handle, "invalid-join");
    while (!thread->is_ended)
        begin_again(thread->id);
    thread->is_joined = true;
    return thread->result;
}

void __sley_detach(unsigned long handle)
{
    REACH('d');
    joinable(handle, "invalid-detach")->is_detached = true;
}

void __attribute__((noreturn)) __sley_exit_thread(void *result) { thread_ends(result, FRAME); }

// --- how the process ends ---------------------------------------------------------------------------

extern char __data_start[], _end[];

// Mark the blocks that some word of this memory points into.
static bool mark_from(const char *start, const char *end)
{
    bool is_new = false;
    for (const char *at = start; at + sizeof(uintptr_t) <= end; at += sizeof(uintptr_t)) {
        uintptr_t value;
        memcpy(&value, at, sizeof value);
        for (int i = 0; i < block_count; i++) {
            struct block *block = &blocks[i];
            if (!block->is_reachable && value >= block->base && value <= block->base + block->size)
                is_new = block->is_reachable = true;
        }
    }
    return is_new;
}

// From static variables, over blocks; what frames hold is not looked at.
static void mark_reachable(void)
{
    bool is_new = mark_from(__data_start, _end);
    while (is_new) {
        is_new = false;
        for (int i = 0; i < block_count; i++) {
            const char *start = (const char *)blocks[i].base;
            if (blocks[i].is_reachable && !blocks[i].is_freed && mark_from(start, start + blocks[i].size))
                is_new = true;
        }
    }
}

static void look_for_leaks(void)
{
    mark_reachable();
    for (int i = 0; i < listed_count; i++)
        for (int b = 0; b < block_count; b++)
            if (blocks[b].base == objects[listed[i]].base && !blocks[b].is_freed && !blocks[b].is_reachable)
                stop("leak", "%zu %lx", blocks[b].size, (unsigned long)blocks[b].made_at);
}

static void process_ends(void **frame)
{
    self->frame = frame;
    pass_over_what_is_done();
    if (goal == 'L' && is_followed)
        look_for_leaks();
    stop("ended", "the program ends");
}

extern void (*__fini_array_start[])(void), (*__fini_array_end[])(void);

// The user's destructors, the last first; those of the compiler can be run twice.
static void run_destructors(void)
{
    static bool have_run;
    if (have_run)
        return;
    have_run = true;
    for (void (**one)(void) = __fini_array_end; one-- > __fini_array_start;)
        (*one)();
}

void __sley_end(int how)
{
    if (how == 0)
        run_destructors();
    REACH('e');
    process_ends(FRAME);
}

DEFAULT void __attribute__((noreturn)) sley_of_abort(void)
{
    REACH('e');
    self->frame = FRAME;
    stop("aborted", "the program aborts");
}

// --- what is checked --------------------------------------------------------------------------------

// What ends the run comes after what the others still have to do.
static void let_others_finish(void **frame)
{
    self->frame = frame;
    while (!is_followed && !has_events(self))
        let_run(whose_turn());
    if (is_followed && goal != 'D' && goal != 'L')
        let_run(whose_turn());
}

static void __attribute__((noreturn)) assertion_failed(const char *text, void **frame)
{
    let_others_finish(frame);
    stop("assertion", "%s", text);
}

void __assert_fail(const char *text, const char *file, unsigned int line, const char *function)
{
    (void)file, (void)line, (void)function;
    assertion_failed(text, FRAME);
}

// An assertion as a function, for programs that include no header.
DEFAULT int sley_of_assert(int condition)
{
    if (!condition)
        assertion_failed("", FRAME);
    return 0;
}

void sley_of_reach_error(void) { assertion_failed("reach_error", FRAME); }
void sley_of___VERIFIER_error(void) { assertion_failed("__VERIFIER_error", FRAME); }

void __sley_check(_Bool condition, const char *property, const char *rule, const char *message)
{
    (void)message;
    self->frame = FRAME;
    if (!condition)
        stop("check", "%s %s", property, rule);
}

static void assume(bool condition, void **frame)
{
    self->frame = frame;
    if (condition)
        return;
    let_others_finish(frame);
    while (self->own_section > 0 && goal == 'D')
        blocked(NO_THREAD);
    stop("diverged", "an assumption does not hold");
}

void __sley_assume(_Bool condition) { assume(condition, FRAME); }
DEFAULT void sley_of___VERIFIER_assume(int condition) { assume(condition, FRAME); }

// The user's own sections: their accesses follow each other in the trace anyway.
void sley_of___VERIFIER_atomic_begin(void) { self->own_section++; }
void sley_of___VERIFIER_atomic_end(void) { self->own_section--; }
void sley_of___CPROVER_atomic_begin(void) { self->own_section++; }
void sley_of___CPROVER_atomic_end(void) { self->own_section--; }
void sley_of___ESBMC_atomic_begin(void) { self->own_section++; }
void sley_of___ESBMC_atomic_end(void) { self->own_section--; }
void __sley_give_up(const char *reason) { self->frame = FRAME; stop("limit", "%s", reason); }

// --- small primitives -------------------------------------------------------------------------------

void __sley_fence(void) {}
void __sley_include(const void *function) { (void)function; }
void __sley_rely_on(const char *assumption) { (void)assumption; }
char *__sley_text(const char *function) { (void)function; return "text"; }

char *__sley_variable(int number)
{
    char name[32];
    snprintf(name, sizeof name, "SLEY_VARIABLE_%d", number);
    char *value = getenv(name);
    return value ? value : "text";
}

_Bool __sley_is_text(const char *text) { (void)text; return 0; }
_Bool __sley_is_argument(const char *text) { (void)text; return 0; }
_Bool __sley_is_free(char *const *arguments) { (void)arguments; return 0; }
char *__sley_rest_of(char *argument) { return argument; }

_Bool __sley_is_known(double number) { (void)number; return 1; }

int __sley_argument_kind(va_list given) { (void)given; return 0x200; }

_Bool __sley_is_known_text(const char *text) { (void)text; return 1; }
size_t __sley_piece(const void *address) { (void)address; return 1; }
void __sley_copy_padding(char *to, const char *from) { *to = *from; }

// What the user's files call; a `\\w+` in front stands for any beginning.
extern const char *const sley_called[];

static bool is_called(const char *name, size_t length)
{
    bool is_ending = length > 3 && !strncmp(name, "\\w+", 3);
    for (const char *const *one = sley_called; *one; one++) {
        size_t size = strlen(*one);
        if (is_ending ? size > length - 3 && !strncmp(*one + size - (length - 3), name + 3, length - 3)
                      : size == length && !strncmp(*one, name, length))
            return true;
    }
    return false;
}

_Bool __sley_mentions(const char *functions)
{
    for (;;) {
        size_t length = strcspn(functions, "|");
        if (is_called(functions, length))
            return true;
        if (!functions[length])
            return false;
        functions += length + 1;
    }
}

_Bool __sley_uses_errno(void) { return __sley_mentions("__errno_location"); }

_Bool __sley_is_static(const void *address)
{
    return (char *)address >= __data_start && (char *)address < _end;
}

_Bool __sley_is_same_object(const void *one, const void *other)
{
    const struct block *block = block_at((uintptr_t)one, 1);
    return block == block_at((uintptr_t)other, 1);
}

size_t __sley_offset(const void *address)
{
    const struct block *block = block_at((uintptr_t)address, 1);
    return block ? (uintptr_t)address - block->base : (uintptr_t)address;
}

#define AS_BITS(to_bits, to_number, bits, number) \
    bits to_bits(number given) { bits result; memcpy(&result, &given, sizeof result); return result; } \
    number to_number(bits given) { number result; memcpy(&result, &given, sizeof result); return result; }
AS_BITS(__sley_bits, __sley_double, unsigned long long, double)
AS_BITS(__sley_float_bits, __sley_float, unsigned int, float)

// --- inputs -----------------------------------------------------------------------------------------

static uint64_t input_of(char kind, void **frame)
{
    self->frame = frame;
    const struct place *place = place_of((uintptr_t)frame[1]), *user = user_place(frame);
    for (int i = 0; i < input_count; i++) {
        struct input *one = &inputs[i];
        if (one->kind != kind || one->thread != self->id || one->is_used)
            continue;
        if (!is_at(place, one->file, one->first, one->last))
            continue;
        if (!is_called_from(user, one->user_file, one->user_first, one->user_last))
            continue;
        one->is_used = true;
        return one->value;
    }
    return 0;
}

static uint64_t input(void **frame) { return input_of('v', frame); }
_Bool __sley_fails_anyway(void) { return (_Bool)input(FRAME); }
_Bool __sley_create_fails(const char *note) { (void)note; return (_Bool)input_of('f', FRAME); }

#define INPUT(name, type) \
    type __sley_nondet_##name(void) { return (type)input(FRAME); } \
    type __sley_unknown_##name(const char *function) { (void)function; return (type)input(FRAME); } \
    DEFAULT type sley_of___VERIFIER_nondet_##name(void) { return (type)input(FRAME); }
INPUT(bool, _Bool)
INPUT(char, char)
INPUT(schar, signed char)
INPUT(uchar, unsigned char)
INPUT(short, short)
INPUT(ushort, unsigned short)
INPUT(int, int)
INPUT(uint, unsigned int)
INPUT(unsigned, unsigned int)
INPUT(long, long)
INPUT(ulong, unsigned long)
INPUT(longlong, long long)
INPUT(ulonglong, unsigned long long)
INPUT(size_t, size_t)
INPUT(loff_t, long long)
INPUT(u8, uint8_t)
INPUT(u16, uint16_t)
INPUT(u32, uint32_t)
INPUT(u64, uint64_t)
INPUT(S8, int8_t)
INPUT(S16, int16_t)
INPUT(S32, int32_t)
INPUT(S64, int64_t)
INPUT(U8, uint8_t)
INPUT(U16, uint16_t)
INPUT(U32, uint32_t)
INPUT(U64, uint64_t)
INPUT(pointer, void *)
INPUT(pchar, char *)

#define FLOATING(name, type, bits) \
    static type name##_input(void **frame) \
    { \
        bits value = (bits)input(frame); \
        type result; \
        memcpy(&result, &value, sizeof result); \
        return result; \
    } \
    type __sley_nondet_##name(void) { return name##_input(FRAME); } \
    type __sley_unknown_##name(const char *function) { (void)function; return name##_input(FRAME); } \
    DEFAULT type sley_of___VERIFIER_nondet_##name(void) { return name##_input(FRAME); }
FLOATING(float, float, uint32_t)
FLOATING(double, double, uint64_t)

// --- the heap: nothing is ever given back, so that uses of freed blocks are seen -----------------

static uintptr_t user_pc(void **frame)
{
    const struct place *place = user_place(frame);
    return place ? place->pc : 0;
}

static uintptr_t made(size_t size, size_t alignment, void **frame)
{
    char *start = NULL;
    size_t zone = alignment > RED_ZONE ? alignment : RED_ZONE, room = size + RED_ZONE;
    if (size > SIZE_MAX / 4 || posix_memalign((void **)&start, zone, room + 2 * zone))
        return 0;
    memset(start, 0, room + 2 * zone);
    if (block_count == block_room)
        blocks = realloc(blocks, (block_room = 2 * block_room + 64) * sizeof *blocks);
    uintptr_t base = (uintptr_t)start + zone;
    blocks[block_count++] = (struct block){base, size, room, false, user_pc(frame), false};
    return base;
}

// The place of a freed block, which has the same address in the trace.
static uintptr_t made_again(int former, size_t size, size_t alignment, void **frame)
{
    uintptr_t base = former == NOWHERE ? 0 : objects[former].base;
    for (int i = 0; base && i < block_count; i++) {
        struct block *block = &blocks[i];
        if (block->base != base || !block->is_freed || size > block->room || base % alignment)
            continue;
        *block = (struct block){base, size, block->room, false, user_pc(frame), false};
        memset((void *)base, 0, size);
        return base;
    }
    return 0;
}

static void *allocate(size_t size, size_t alignment, void **frame)
{
    if (input_of('f', frame))
        return NULL;
    int before = self->at;
    reach('a', frame, 0, (long)size);
    struct event *event = self->at != before && self->at > 0 ? &events[self->at - 1] : NULL;
    bool is_known = event && event->thread == self->id && event->kind == 'a' && event->object != NOWHERE;
    uintptr_t base = is_known ? made_again((int)event->offset, size, alignment, frame) : 0;
    base = base ? base : made(size, alignment, frame);
    if (is_known) {
        objects[event->object].base = base;
        objects[event->object].is_block = base != 0;
    }
    return (void *)base;
}

static struct block *live_block(void *address)
{
    for (int i = 0; i < block_count; i++)
        if (blocks[i].base == (uintptr_t)address && !blocks[i].is_freed)
            return &blocks[i];
    return NULL;
}

// To free a block is to write all of it.
static void release(void *address, void **frame)
{
    struct block *block = address ? live_block(address) : NULL;
    reach('f', frame, (uintptr_t)address, block ? (long)block->size : 1);
    if (!address)
        return;
    block = live_block(address);
    if (!block) {
        const struct block *other = block_at((uintptr_t)address, 1);
        stop("free", "%s", other && other->is_freed && other->base == (uintptr_t)address ? "twice" : "invalid");
    }
    block->is_freed = true;
}

DEFAULT void *sley_of_malloc(size_t size) { return allocate(size, 16, FRAME); }
DEFAULT void *sley_of_valloc(size_t size) { return allocate(size, 4096, FRAME); }
DEFAULT void *sley_of_aligned_alloc(size_t alignment, size_t size) { return allocate(size, alignment, FRAME); }
DEFAULT void *sley_of_memalign(size_t alignment, size_t size) { return allocate(size, alignment, FRAME); }
void *__sley_kept_block(size_t size) { return allocate(size, 16, FRAME); }
DEFAULT void sley_of_free(void *block) { release(block, FRAME); }

DEFAULT void *sley_of_calloc(size_t count, size_t size)
{
    size_t all;
    return allocate(__builtin_mul_overflow(count, size, &all) ? SIZE_MAX : all, 16, FRAME);
}

DEFAULT int sley_of_posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = allocate(size, alignment, FRAME);
    return *block ? 0 : ENOMEM;
}

static void *copy(void *to, const void *from, size_t size, void **frame);

// As in the trace: into a block in between, so that the new one could be where the old one was.
static void *reallocate(void *old, size_t size, void **frame)
{
    if (!old)
        return allocate(size, 16, frame);
    struct block *block = live_block(old);
    if (!block)
        release(old, frame);
    size_t kept = block->size < size ? block->size : size;
    void *between = allocate(size, 16, frame);
    if (!between)
        return NULL;
    copy(between, old, kept, frame);
    release(old, frame);
    void *made = allocate(size, 16, frame);
    copy(made, between, kept, frame);
    release(between, frame);
    return made;
}

DEFAULT void *sley_of_realloc(void *block, size_t size) { return reallocate(block, size, FRAME); }

DEFAULT void *sley_of_reallocarray(void *block, size_t count, size_t size)
{
    size_t all;
    return reallocate(block, __builtin_mul_overflow(count, size, &all) ? SIZE_MAX : all, FRAME);
}

// --- copies -----------------------------------------------------------------------------------------

static void *copy(void *to, const void *from, size_t size, void **frame)
{
    if (size > 0) {
        reach('r', frame, (uintptr_t)from, (long)size);
        reach('w', frame, (uintptr_t)to, (long)size);
    }
    return memmove(to, from, size);
}

static void *fill(void *to, int value, size_t size, void **frame)
{
    if (size > 0)
        reach('w', frame, (uintptr_t)to, (long)size);
    return memset(to, value, size);
}

DEFAULT void *sley_of_memcpy(void *to, const void *from, size_t size)
{
    self->frame = FRAME;
    if (is_followed && goal == 'F' && self->id == failing && overlap((uintptr_t)to, size, (uintptr_t)from, size))
        stop("check", "deref overlap");
    return copy(to, from, size, FRAME);
}
DEFAULT void *sley_of_memmove(void *to, const void *from, size_t size) { return copy(to, from, size, FRAME); }
DEFAULT void *sley_of_memset(void *to, int value, size_t size) { return fill(to, value, size, FRAME); }
void *__tsan_memcpy(void *to, const void *from, size_t size) { return copy(to, from, size, FRAME); }
void *__tsan_memmove(void *to, const void *from, size_t size) { return copy(to, from, size, FRAME); }
void *__tsan_memset(void *to, int value, size_t size) { return fill(to, value, size, FRAME); }

// --- output: what the program prints is shown -----------------------------------------------------------

// Standard streams are those of the machine where the model has no state for them.
extern char sley_standard_input __attribute__((weak)), sley_standard_output __attribute__((weak));
extern char sley_standard_error __attribute__((weak));
_Bool sley_writes_to(void *file), sley_flushes(void *file), sley_begins_reading(void *file);
int sley_of_vfprintf(FILE *stream, const char *format, va_list given) __attribute__((weak));

static bool is_real(const FILE *stream) { return stream == stdin || stream == stdout || stream == stderr; }

void *sley_native_stream(void *file)
{
    return file == stdin    ? &sley_standard_input
           : file == stdout ? &sley_standard_output
           : file == stderr ? &sley_standard_error
                            : file;
}

// As the front end has it: what is done to the standard streams matters only where it can be observed.
static bool is_watched(const FILE *stream)
{
    return !is_real(stream) || __sley_uses_errno()
           || __sley_mentions("ferror|ferror_unlocked|fclose|fcloseall|freopen|flockfile|ftrylockfile|\\w+_unlocked");
}

// What the model says of writing happens in any case; text is only shown where it goes to a standard stream.
static bool writes(FILE *stream, void **frame)
{
    self->frame = frame;
    return !is_watched(stream) || sley_writes_to(stream);
}

// The model reads what a format makes it read; a literal has been looked at before.
static bool prints(FILE *stream, const char *format, va_list given, void **frame)
{
    self->frame = frame;
    if (format < __data_start || !sley_of_vfprintf)
        return writes(stream, frame);
    va_list copy;
    va_copy(copy, given);
    int length = sley_of_vfprintf(stream, format, copy);
    va_end(copy);
    return length >= 0;
}

DEFAULT int sley_of_printf(const char *format, ...)
{
    va_list given;
    va_start(given, format);
    int length = prints(stdout, format, given, FRAME) ? vprintf(format, given) : EOF;
    va_end(given);
    return length;
}

DEFAULT int sley_of_fprintf(FILE *stream, const char *format, ...)
{
    va_list given;
    va_start(given, format);
    int length = !prints(stream, format, given, FRAME) ? EOF : is_real(stream) ? vfprintf(stream, format, given) : 0;
    va_end(given);
    return length;
}

DEFAULT int sley_of_puts(const char *text) { return writes(stdout, FRAME) ? puts(text) : EOF; }
DEFAULT int sley_of_putchar(int character) { return writes(stdout, FRAME) ? putchar(character) : EOF; }

DEFAULT int sley_of_fputs(const char *text, FILE *stream)
{
    if (!writes(stream, FRAME))
        return EOF;
    return is_real(stream) ? fputs(text, stream) : 1;
}

DEFAULT int sley_of_fputc(int character, FILE *stream)
{
    if (!writes(stream, FRAME))
        return EOF;
    return is_real(stream) ? fputc(character, stream) : (unsigned char)character;
}

DEFAULT int sley_of_putc(int character, FILE *stream)
{
    if (!writes(stream, FRAME))
        return EOF;
    return is_real(stream) ? fputc(character, stream) : (unsigned char)character;
}

DEFAULT size_t sley_of_fwrite(const void *source, size_t size, size_t count, FILE *stream)
{
    if (!writes(stream, FRAME))
        return 0;
    return is_real(stream) ? fwrite(source, size, count, stream) : count;
}

DEFAULT int sley_of_fflush(FILE *stream)
{
    self->frame = FRAME;
    if (stream && is_watched(stream) && !sley_flushes(stream))
        return EOF;
    return is_real(stream) || !stream ? fflush(stream) : 0;
}

DEFAULT size_t sley_of_fread(void *target, size_t size, size_t count, FILE *stream)
{
    self->frame = FRAME;
    if (!sley_begins_reading(stream))
        return 0;
    return is_real(stream) ? fread(target, size, count, stream) : 0;
}

DEFAULT void sley_of_setbuf(FILE *stream, char *buffer)
{
    if (is_real(stream))
        setbuf(stream, buffer);
}

DEFAULT int sley_of_setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    return is_real(stream) ? setvbuf(stream, buffer, mode, size) : 0;
}

// --- signals ----------------------------------------------------------------------------------------

static uintptr_t pc_of(void *context)
{
#if defined(__x86_64__)
    return (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)((ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

static void **frame_of(void *context)
{
#if defined(__x86_64__)
    return (void **)((ucontext_t *)context)->uc_mcontext.gregs[REG_RBP];
#elif defined(__aarch64__)
    return (void **)((ucontext_t *)context)->uc_mcontext.regs[29];
#else
    (void)context;
    return NULL;
#endif
}

// Where a function returns to that has just been called.
static void *caller_of(void *context)
{
#if defined(__x86_64__)
    return *(void **)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (void *)((ucontext_t *)context)->uc_mcontext.regs[30];
#else
    (void)context;
    return NULL;
#endif
}

// A trap that the compiler put in, or the processor's own. Only our own code keeps frame pointers.
static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)info;
    char *frame = (char *)frame_of(context);
    char here;
    void *called[] = {frame, caller_of(context)};
    if (self && frame > &here && frame < &here + (8 << 20))
        self->frame = pc_of(context) < FIRST_PAGE ? called : (void **)frame;
    stop("signal", "%d %lx", number, (unsigned long)pc_of(context));
}

// A thread that does nothing any more that others could notice, and has nothing left to do in the trace, must not
// keep the baton for ever.
static void look_for_endless_loop(void)
{
    static long before = -1;
    struct thread *thread = holder;
    bool is_still = calls == before && thread && !thread->is_lost && !has_events(thread);
    before = calls;
    if (!is_still || (is_followed && goal != 'R' && !(goal == 'F' && thread->id != failing)))
        return;
    thread->is_lost = true;
    int other = whose_turn();
    if (!can_run(other))
        stop("diverged", "thread %d does not run", other);
    sem_post(&threads[other]->turn);
}

static void on_alarm(int number)
{
    static int ticks;
    (void)number;
    if (++ticks >= TICKS * seconds)
        stop("slow", "the time is over");
    look_for_endless_loop();
}

// --- the start --------------------------------------------------------------------------------------

static void *table(int count, size_t size)
{
    return calloc(count + 1, size);
}

static void read_event(FILE *file, struct event *event)
{
    int is_failing;
    if (fscanf(file, "%d %c %d %d %d %d %d %d %d %ld %ld %d", &event->thread, &event->kind, &event->file,
               &event->first, &event->last, &event->user_file, &event->user_first, &event->user_last,
               &event->object, &event->offset, &event->size, &is_failing) != 12)
        stop("limit", "the schedule cannot be read");
    event->is_failing = is_failing;
}

static void read_input(FILE *file, struct input *one)
{
    unsigned long long value;
    if (fscanf(file, " %c %d %d %d %d %d %d %d %llx", &one->kind, &one->thread, &one->file, &one->first, &one->last,
               &one->user_file, &one->user_first, &one->user_last, &value) != 9)
        stop("limit", "the schedule cannot be read");
    one->value = value;
}

static void read_schedule(FILE *file)
{
    struct itimerval tick = {{0, 1000000 / TICKS}, {0, 1000000 / TICKS}};
    if (fscanf(file, "%c %d %d %d %d %d %d %d %d %d %d", &goal, &failing, &seconds, &argument_count, &user_files,
               &place_count, &event_count, &input_count, &filling_count, &object_count, &listed_count) != 11)
        stop("limit", "the schedule cannot be read");
    places = table(place_count, sizeof *places);
    events = table(event_count, sizeof *events);
    inputs = table(input_count, sizeof *inputs);
    fillings = table(filling_count, sizeof *fillings);
    objects = table(object_count, sizeof *objects);
    listed = table(listed_count, sizeof *listed);
    for (int i = 0; i < place_count; i++)
        if (fscanf(file, "%lx %d %d", &places[i].pc, &places[i].file, &places[i].line) != 3)
            stop("limit", "the schedule cannot be read");
    for (int i = 0; i < event_count; i++) {
        read_event(file, &events[i]);
        events[i].index = i;
    }
    for (int i = 0; i < input_count; i++)
        read_input(file, &inputs[i]);
    for (int i = 0; i < filling_count; i++) {
        struct filling *one = &fillings[i];
        if (fscanf(file, "%d %d %ld %ld %lx", &one->event, &one->object, &one->offset, &one->size, &one->value) != 5)
            stop("limit", "the schedule cannot be read");
    }
    for (int i = 0; i < object_count; i++)
        if (fscanf(file, "%lx %ld", &objects[i].base, &objects[i].size) != 2)
            stop("limit", "the schedule cannot be read");
    for (int i = 0; i < listed_count; i++)
        if (fscanf(file, "%d", &listed[i]) != 1)
            stop("limit", "the schedule cannot be read");
    for (int i = 0; goal == 'R' && i < 2; i++)
        read_event(file, &party[i]);
    if (seconds > 0)
        setitimer(ITIMER_REAL, &tick, NULL);
}

static void limit(void)
{
    struct rlimit none = {0, 0}, memory = {4ull << 30, 4ull << 30}, size = {64 << 20, 64 << 20};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_FSIZE, &size);
}

static void handle_signals(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    signal(SIGALRM, on_alarm);
}

// Before all constructors of the program.
__attribute__((constructor(101))) static void begin(void)
{
    const char *name = getenv("SLEY_SCHEDULE");
    FILE *file = name ? fopen(name, "r") : NULL;
    holder = self = new_thread(NULL, NULL);
    if (!file)
        stop("limit", "there is no schedule");
    limit();
    handle_signals();
    read_schedule(file);
    fclose(file);
    pass_over_what_is_done();
}

int sley_of_main(int count, char **arguments, char **environment);
void __sley_run_exit_handlers(void) __attribute__((weak));

int main(int count, char **arguments, char **environment)
{
    char **given = calloc(argument_count + 1, sizeof *given);
    for (int i = 0; i < argument_count; i++)
        given[i] = i < count ? arguments[i] : "argument";
    sley_of_main(argument_count, given, environment);
    if (__sley_run_exit_handlers)
        __sley_run_exit_handlers();
    __sley_end(0);
    return 0;
}
