/* Walks through all states of a proof once and sees whether it is what `check` asks for.
 *
 * A state is the number of its memory and one number for each thread (`packed`). What numbers mean, and what steps do, only
 * Python knows: a step is a list of outcomes, each a list of slots and threads that get other numbers. Which outcomes a step
 * has depends on what it looks at; that is a path in a tree, whose nodes say which slot is next. Where something
 * is not known, `walk` returns with a question, and looks at the same state again when it was answered.
 *
 * The states are never changed here, and nothing is added to them: what is not found among them is missing.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t u32;
typedef uint64_t u64;

enum { NONE = 0xffffffff, COUNT = 0xfffffffe, FIRST_THREAD = 0x80000000, MOST = 64, ALL = 0xff };
enum { ACCEPTED, QUESTION, NO_MEMORY, REFUSED };
enum { STEP, STANDING, HOLDER, OVERWRITES, CONFLICT, LEAK, PARTS };
enum kind { NO_VALUE, OF_CELL, OF_BLOCK };
enum ending { GOES_ON, OVER, ENDED };
enum refusal {
    DAMAGED, NOT_RUNNING, ERROR, MISSING, NO_STEP, ENDS, WAITS_FOR_OTHER, DISTURBED, DEADLOCK, CYCLE, RACE, LEAKED, LOOP
};

/* --- maps from numbers to numbers; a key is never 0 --------------------------------------------------------- */

struct map {
    u64 *keys, *values, size, count;
};

static u64 mixed(u64 key)
{
    key ^= key >> 31;
    key *= 0x9fb21c651e98df25u;
    return key ^ key >> 28;
}

static u64 *find(const struct map *map, u64 key)
{
    for (u64 at = map->size ? mixed(key) % map->size : 0; map->size; at = at + 1 == map->size ? 0 : at + 1) {
        if (map->keys[at] == key)
            return &map->values[at];
        if (!map->keys[at])
            return 0;
    }
    return 0;
}

static int put(struct map *map, u64 key, u64 value)
{
    if (2 * map->count >= map->size) {
        struct map larger = {0};
        larger.size = 2 * map->size + 64;
        larger.keys = calloc(larger.size, sizeof(u64));
        larger.values = calloc(larger.size, sizeof(u64));
        if (!larger.keys || !larger.values) {
            free(larger.keys);
            free(larger.values);
            return 0;
        }
        for (u64 at = 0; at < map->size; at++)
            if (map->keys[at])
                put(&larger, map->keys[at], map->values[at]);
        free(map->keys);
        free(map->values);
        *map = larger;
    }
    u64 at = mixed(key) % map->size;
    while (map->keys[at] && map->keys[at] != key)
        at = at + 1 == map->size ? 0 : at + 1;
    map->count += !map->keys[at];
    map->keys[at] = key;
    map->values[at] = value;
    return 1;
}

/* --- vectors that are given, found by their contents -------------------------------------------------------- */

struct vectors {
    const u32 *words, *starts;
    u64 count;
    u32 *table; /* number + 1 */
    u64 size;
};

static u64 content(const u32 *words, u64 length)
{
    u64 sum = length;
    for (u64 i = 0; i < length; i++)
        sum = mixed(sum * 31 + words[i] + 1);
    return sum;
}

static const u32 *vector(const struct vectors *v, u64 number, u64 *length)
{
    *length = v->starts[number + 1] - v->starts[number];
    return v->words + v->starts[number];
}

static int is_indexed(struct vectors *v)
{
    v->size = 2 * v->count + 1;
    v->table = calloc(v->size, sizeof(u32));
    for (u64 number = 0; v->table && number < v->count; number++) {
        u64 length;
        const u32 *words = vector(v, number, &length);
        u64 at = content(words, length) % v->size;
        while (v->table[at])
            at = at + 1 == v->size ? 0 : at + 1;
        v->table[at] = (u32)number + 1;
    }
    return v->table != 0;
}

static u32 number_of(const struct vectors *v, const u32 *words, u64 length)
{
    for (u64 at = content(words, length) % v->size; v->table[at]; at = at + 1 == v->size ? 0 : at + 1) {
        u64 other_length;
        const u32 *other = vector(v, v->table[at] - 1, &other_length);
        if (other_length == length && !memcmp(other, words, length * sizeof(u32)))
            return v->table[at] - 1;
    }
    return NONE;
}

/* --- what Python says ---------------------------------------------------------------------------------------- */

struct list {
    void *items;
    u64 count, room;
};

struct thread { /* a thread in a state of its own */
    u32 number, place, view, has_ended, roots[2];
};

struct node {
    u32 slot, first, count; /* slot NONE: this is the answer, so many from `first` on */
};

struct outcome {
    u32 ending, is_error, is_spurious, first, writes, threads; /* pairs from `first` on: where, and the number there */
};

struct standing {
    u32 waits_for, joins, first, count; /* spans from `first` on */
};

struct span {
    u64 first, end;
    u32 is_write, is_atomic;
};

struct once {
    u32 question, thread;
    struct node answer;
};

struct walk {
    /* what Python reads */
    u32 question, thread, first, second, refusal, state;
    u64 held;
    /* what Python sets */
    struct vectors states, memories;
    const u64 *taken;
    u32 cells, asks_races, asks_deadlocks, asks_leaks;
    /* what both do */
    struct list edges; /* u32: a state with threads left out, and one that follows, two for each */
    /* its own */
    struct list threads, kinds, nodes, outcomes, pairs, standings, spans, locks, once, memory;
    struct map branches, conflicts, overwritings, helds;
    const u32 *at, *now; /* the state that is looked at, and its memory */
    u64 length, size;
};

#define AT(list, type, at) (((type *)(list).items)[at])

/* Room for so many more; 0 if there is none. */
static void *more(struct list *list, u64 count, size_t size)
{
    if (list->count + count >= list->room) {
        u64 room = 2 * list->room + count + 16;
        void *items = realloc(list->items, room * size);
        if (!items)
            return 0;
        list->items = items;
        list->room = room;
    }
    list->count += count;
    return (char *)list->items + (list->count - count) * size;
}

static int ask(struct walk *w, u32 question, u32 thread, u32 first, u32 second, u64 held)
{
    w->question = question;
    w->thread = thread;
    w->first = first;
    w->second = second;
    w->held = held;
    return QUESTION;
}

static int refuse(struct walk *w, u32 why)
{
    w->refusal = why;
    return REFUSED;
}

/* --- the vectors are what they should be --------------------------------------------------------------------- */

static int is_sound(const struct vectors *v, u64 words)
{
    if (!v->count || v->count >= NONE || v->starts[0] || v->starts[v->count] != words)
        return 0;
    for (u64 number = 0; number < v->count; number++)
        if (v->starts[number] >= v->starts[number + 1])
            return 0;
    return 1;
}

static int is_memory(const struct walk *w, const u32 *words, u64 length)
{
    if (length < 1 + (u64)w->cells || !words[length - 1])
        return 0;
    for (u64 i = 0; i < length; i++) {
        if (words[i] >= w->kinds.count)
            return 0;
        unsigned char kind = AT(w->kinds, unsigned char, words[i]);
        if (i <= w->cells ? kind != OF_CELL : kind == OF_CELL)
            return 0;
    }
    return 1;
}

static int is_state(const struct walk *w, const u32 *words, u64 length)
{
    if (length < 2 || length > 1 + MOST || words[0] >= w->memories.count)
        return 0;
    for (u64 i = 1; i < length; i++)
        if (words[i] >= w->threads.count || AT(w->threads, struct thread, words[i]).number != i - 1)
            return 0;
    return 1;
}

int begin(struct walk *w, u64 state_words, u64 memory_words)
{
    u64 length;
    if (!is_sound(&w->states, state_words) || !is_sound(&w->memories, memory_words))
        return refuse(w, DAMAGED);
    for (u64 number = 0; number < w->memories.count; number++) {
        const u32 *words = vector(&w->memories, number, &length);
        if (!is_memory(w, words, length))
            return refuse(w, DAMAGED);
    }
    for (u64 number = 0; number < w->states.count; number++) {
        const u32 *words = vector(&w->states, number, &length);
        if (!is_state(w, words, length))
            return refuse(w, DAMAGED);
    }
    return is_indexed(&w->states) && is_indexed(&w->memories) ? ACCEPTED : NO_MEMORY;
}

/* --- answers ---------------------------------------------------------------------------------------------------- */

static u32 look(const struct walk *w, u32 slot)
{
    if (slot == COUNT)
        return (u32)w->length - 1;
    if (slot >= FIRST_THREAD)
        return slot - FIRST_THREAD + 1 < w->length ? w->at[slot - FIRST_THREAD + 1] : 0;
    return slot < w->size ? w->now[slot] : 0;
}

static const struct node *in_tree(const struct walk *w, u32 at)
{
    while (at != NONE) {
        const struct node *node = &AT(w->nodes, struct node, at);
        if (node->slot == NONE)
            return node;
        u64 *next = find(&w->branches, ((u64)at + 1) << 32 | look(w, node->slot));
        at = next ? (u32)*next : NONE;
    }
    return 0;
}

static const struct node *said_once(struct walk *w, u32 question, u32 thread)
{
    for (u64 i = 0; i < w->once.count; i++) {
        struct once *once = &AT(w->once, struct once, i);
        if (once->question == question && once->thread == thread)
            return &once->answer;
    }
    ask(w, question, thread, 0, 0, 0);
    return 0;
}

static const struct node *said(struct walk *w, u32 question, u32 thread)
{
    const struct node *found = in_tree(w, AT(w->threads, struct thread, w->at[1 + thread]).roots[question]);
    return found ? found : said_once(w, question, thread);
}

/* --- steps ---------------------------------------------------------------------------------------------------- */

/* The number of the state that an outcome leads to; NONE if it is not in the proof. */
static int follow(struct walk *w, const struct outcome *outcome, u32 *number)
{
    u32 vector[1 + MOST], memory = w->at[0];
    u64 length = w->length, size = w->size;
    const u32 *pairs = &AT(w->pairs, u32, outcome->first);
    if (outcome->writes) {
        for (u32 i = 0; i < outcome->writes; i++)
            if (pairs[2 * i] >= size)
                size = (u64)pairs[2 * i] + 1;
        w->memory.count = 0;
        u32 *words = more(&w->memory, size, sizeof(u32));
        if (!words)
            return NO_MEMORY;
        memset(words, 0, size * sizeof(u32));
        memcpy(words, w->now, w->size * sizeof(u32));
        for (u32 i = 0; i < outcome->writes; i++)
            words[pairs[2 * i]] = pairs[2 * i + 1];
        while (size && !words[size - 1])
            size--;
        memory = number_of(&w->memories, words, size);
    }
    memcpy(vector, w->at, length * sizeof(u32));
    vector[0] = memory;
    for (u32 i = outcome->writes; i < outcome->writes + outcome->threads; i++) {
        if (pairs[2 * i] + 1 > length || pairs[2 * i] >= MOST)
            return refuse(w, MISSING);
        vector[1 + pairs[2 * i]] = pairs[2 * i + 1];
        length += pairs[2 * i] + 1 == length;
    }
    *number = memory == NONE ? NONE : number_of(&w->states, vector, length);
    return ACCEPTED;
}

static int check_outcome(struct walk *w, u32 thread, const struct outcome *outcome, int is_reduced)
{
    u32 number;
    if (outcome->is_error)
        return refuse(w, ERROR);
    if (outcome->ending != GOES_ON) {
        if (is_reduced)
            return refuse(w, ENDS);
        if (outcome->ending != ENDED || !w->asks_leaks)
            return ACCEPTED;
        const struct node *leak = said_once(w, LEAK, thread);
        return !leak ? QUESTION : leak->first ? refuse(w, LEAKED) : ACCEPTED;
    }
    int result = follow(w, outcome, &number);
    if (result != ACCEPTED)
        return result;
    if (number == NONE)
        return refuse(w, MISSING);
    if (is_reduced) {
        u32 *edge = more(&w->edges, 2, sizeof(u32));
        if (!edge)
            return NO_MEMORY;
        edge[0] = w->state;
        edge[1] = number;
    }
    return ACCEPTED;
}

static int check_steps(struct walk *w, u32 thread, int is_reduced, int *can_step)
{
    const struct node *answer = said(w, STEP, thread);
    if (!answer)
        return QUESTION;
    for (u32 i = 0; i < answer->count; i++) {
        const struct outcome *outcome = &AT(w->outcomes, struct outcome, answer->first + i);
        int result = check_outcome(w, thread, outcome, is_reduced);
        if (result != ACCEPTED)
            return result;
        *can_step |= !outcome->is_spurious;
    }
    return ACCEPTED;
}

/* --- threads that may be left out ---------------------------------------------------------------------------- */

/* The locks that threads of a set hold, and that others at their places cannot release. */
static int locks_kept(struct walk *w, u64 taken, u64 others, u64 *held)
{
    u64 before = 0;
    *held = 0;
    for (u32 lock = 0; lock < w->locks.count; lock++) {
        const struct node *holder = in_tree(w, AT(w->locks, u32, lock));
        if (!holder)
            return ask(w, HOLDER, lock, 0, 0, 0);
        if (holder->first && taken >> (holder->first - 1) & 1)
            *held |= 1ull << lock;
    }
    while (before != *held) {
        before = *held;
        u64 *number = find(&w->helds, before);
        for (u32 thread = 0; thread + 1 < w->length && before; thread++) {
            if (!(others >> thread & 1))
                continue;
            u32 place = AT(w->threads, struct thread, w->at[1 + thread]).place;
            u64 *released = number ? find(&w->overwritings, *number << 32 | place) : 0;
            if (!released)
                return ask(w, OVERWRITES, thread, place, 0, before);
            *held &= ~*released;
        }
    }
    return ACCEPTED;
}

static int check_persistent(struct walk *w, u64 taken, u64 running, const struct standing **standing)
{
    u64 others = 0, awaited = 0, held;
    for (u32 thread = 0; thread + 1 < w->length; thread++) {
        const struct standing *at = standing[thread];
        u64 whom = at && at->joins && at->waits_for ? 1ull << (at->waits_for - 1) : 0;
        if (taken >> thread & 1)
            awaited |= whom;
        else if (running >> thread & 1 && !(whom & taken)) /* a thread that waits for one of them cannot move before */
            others |= 1ull << thread;
    }
    if (awaited & others)
        return refuse(w, WAITS_FOR_OTHER);
    int result = locks_kept(w, taken, others, &held);
    if (result != ACCEPTED)
        return result;
    u64 *number = find(&w->helds, held), kept = number ? *number : 0;
    for (u32 other = 0; other + 1 < w->length; other++)
        for (u32 thread = 0; thread + 1 < w->length && others >> other & 1; thread++) {
            if (!(taken >> thread & 1))
                continue;
            u64 future = AT(w->threads, struct thread, w->at[1 + other]).view;
            u64 action = AT(w->threads, struct thread, w->at[1 + thread]).view;
            u64 *conflict = find(&w->conflicts, (kept + 1) << 48 | future << 24 | action);
            if (!conflict || (held && !number))
                return ask(w, CONFLICT, thread, (u32)future, (u32)action, held);
            if (*conflict)
                return refuse(w, DISTURBED);
        }
    return ACCEPTED;
}

/* --- states --------------------------------------------------------------------------------------------------- */

static int conflict(const struct span *a, const struct span *b)
{
    return (a->is_write || b->is_write) && !(a->is_atomic && b->is_atomic) && a->first < b->end && b->first < a->end;
}

static int is_race(const struct walk *w, const struct standing *a, const struct standing *b)
{
    for (u32 i = 0; i < a->count; i++)
        for (u32 j = 0; j < b->count; j++)
            if (conflict(&AT(w->spans, struct span, a->first + i), &AT(w->spans, struct span, b->first + j)))
                return 1;
    return 0;
}

/* How the running threads stand. */
static int stand(struct walk *w, u64 running, const struct standing **standing)
{
    for (u32 thread = 0; thread + 1 < w->length; thread++) {
        standing[thread] = 0;
        if (!(running >> thread & 1))
            continue;
        const struct node *answer = said(w, STANDING, thread);
        if (!answer)
            return QUESTION;
        standing[thread] = &AT(w->standings, struct standing, answer->first);
        if (standing[thread]->waits_for >= w->length)
            return refuse(w, DAMAGED);
    }
    return ACCEPTED;
}

static int has_cycle(const struct walk *w, const struct standing **standing)
{
    for (u32 first = 0; first + 1 < w->length; first++) {
        u32 at = first;
        for (u32 steps = 0; standing[at] && standing[at]->waits_for; at = standing[at]->waits_for - 1)
            if (++steps > MOST)
                return 1;
    }
    return 0;
}

static int has_race(const struct walk *w, const struct standing **standing)
{
    for (u32 thread = 0; thread + 1 < w->length; thread++)
        for (u32 other = 0; other < thread; other++)
            if (standing[thread] && standing[other] && is_race(w, standing[other], standing[thread]))
                return 1;
    return 0;
}

static int check_safety(struct walk *w, u64 running, const struct standing **standing, int can_step)
{
    if (w->asks_deadlocks && running && !can_step)
        return refuse(w, DEADLOCK);
    if (w->asks_deadlocks && has_cycle(w, standing))
        return refuse(w, CYCLE);
    if (w->asks_races && has_race(w, standing))
        return refuse(w, RACE);
    if (!w->asks_leaks || running)
        return ACCEPTED;
    const struct node *leak = said_once(w, LEAK, ALL);
    return !leak ? QUESTION : leak->first ? refuse(w, LEAKED) : ACCEPTED;
}

static int check_state(struct walk *w)
{
    const struct standing *standing[MOST];
    u64 running = 0, taken = w->taken[w->state];
    int can_step = 0, result;
    w->at = vector(&w->states, w->state, &w->length);
    w->now = vector(&w->memories, w->at[0], &w->size);
    for (u32 thread = 0; thread + 1 < w->length; thread++)
        if (!AT(w->threads, struct thread, w->at[1 + thread]).has_ended)
            running |= 1ull << thread;
    if (taken & ~running)
        return refuse(w, NOT_RUNNING);
    if (!taken && running) /* split, or no thread is taken */
        return said_once(w, PARTS, ALL) ? ACCEPTED : QUESTION;
    if ((result = stand(w, running, standing)) != ACCEPTED)
        return result;
    for (u32 thread = 0; thread + 1 < w->length; thread++)
        if (taken >> thread & 1 && (result = check_steps(w, thread, taken != running, &can_step)) != ACCEPTED)
            return result;
    if (taken != running) {
        if (!can_step)
            return refuse(w, NO_STEP);
        if ((result = check_persistent(w, taken, running, standing)) != ACCEPTED)
            return result;
    }
    return check_safety(w, running, standing, can_step);
}

/* Look at states, from where it was, but not beyond `end`. */
int walk(struct walk *w, u32 end)
{
    for (; w->state < end; w->state++) {
        u64 edges = w->edges.count;
        int result = check_state(w);
        if (result != ACCEPTED) {
            w->edges.count = edges;
            return result;
        }
        w->once.count = 0;
    }
    return ACCEPTED;
}

/* Whether no cycle consists of states with threads left out (Kahn's algorithm). */
int check_acyclic(struct walk *w)
{
    u64 count = w->states.count, edges = w->edges.count / 2, done = 0, left = 0, reduced = 0;
    const u32 *edge = w->edges.items;
    u32 *incoming = calloc(count, sizeof(u32)), *first = calloc(count + 1, sizeof(u32)), *free_ = malloc(count * sizeof(u32));
    int result = incoming && first && free_ && edges < NONE ? ACCEPTED : NO_MEMORY;
    if (result == ACCEPTED) {
        for (u64 i = 0; i < edges; i++) { /* the edges of a state are together, and states in order */
            first[edge[2 * i] + 1]++;
            incoming[edge[2 * i + 1]]++;
        }
        for (u64 at = 0; at < count; at++) {
            reduced += first[at + 1] != 0;
            first[at + 1] += first[at];
        }
        for (u64 at = 0; at < count; at++)
            if (first[at + 1] > first[at] && !incoming[at])
                free_[left++] = (u32)at;
        while (left) {
            u32 at = free_[--left];
            done++;
            for (u32 i = first[at]; i < first[at + 1]; i++) {
                u32 next = edge[2 * i + 1];
                if (!--incoming[next] && first[next + 1] > first[next])
                    free_[left++] = next;
            }
        }
        if (done != reduced)
            result = refuse(w, LOOP);
    }
    free(incoming);
    free(first);
    free(free_);
    return result;
}

/* --- for Python --------------------------------------------------------------------------------------------- */

/* The number of a state, given its memory, and its vector with any number for the memory; NONE if it is not in the proof. */
u32 find_state(struct walk *w, const u32 *memory, u64 size, u32 *words, u64 length)
{
    words[0] = number_of(&w->memories, memory, size);
    return words[0] == NONE ? NONE : number_of(&w->states, words, length);
}

struct walk *new_walk(void)
{
    return calloc(1, sizeof(struct walk));
}

void free_walk(struct walk *w)
{
    struct list *lists[] = {&w->threads, &w->kinds, &w->nodes, &w->outcomes, &w->pairs, &w->standings,
                            &w->spans, &w->locks, &w->edges, &w->once, &w->memory};
    struct map *maps[] = {&w->branches, &w->conflicts, &w->overwritings, &w->helds};
    for (u32 i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->items);
    for (u32 i = 0; i < sizeof maps / sizeof *maps; i++) {
        free(maps[i]->keys);
        free(maps[i]->values);
    }
    free(w->states.table);
    free(w->memories.table);
    free(w);
}

int add_value(struct walk *w, u32 kind)
{
    unsigned char *added = more(&w->kinds, 1, 1);
    return added ? *added = (unsigned char)kind, ACCEPTED : NO_MEMORY;
}

int add_thread(struct walk *w, u32 number, u32 place, u32 view, u32 has_ended)
{
    struct thread *added = more(&w->threads, 1, sizeof *added);
    if (!added || view >> 24)
        return NO_MEMORY;
    *added = (struct thread){number, place, view, has_ended, {NONE, NONE}};
    return ACCEPTED;
}

int add_lock(struct walk *w)
{
    u32 *added = more(&w->locks, 1, sizeof *added);
    return added ? *added = NONE, ACCEPTED : NO_MEMORY;
}

int add_span(struct walk *w, u64 first, u64 end, u32 is_write, u32 is_atomic)
{
    struct span *added = more(&w->spans, 1, sizeof *added);
    return added ? *added = (struct span){first, end, is_write, is_atomic}, ACCEPTED : NO_MEMORY;
}

/* With the last so many spans; its number is how many there were before. */
int add_standing(struct walk *w, u32 waits_for, u32 joins, u32 spans)
{
    struct standing *added = more(&w->standings, 1, sizeof *added);
    if (!added)
        return NO_MEMORY;
    *added = (struct standing){waits_for, joins, (u32)w->spans.count - spans, spans};
    return ACCEPTED;
}

int add_outcome(struct walk *w, u32 ending, u32 is_error, u32 is_spurious, const u32 *pairs, u32 writes, u32 threads)
{
    struct outcome *added = more(&w->outcomes, 1, sizeof *added);
    u64 words = 2 * ((u64)writes + threads);
    u32 *copy = more(&w->pairs, words, sizeof(u32));
    if (!added || !copy)
        return NO_MEMORY;
    memcpy(copy, pairs, words * sizeof(u32));
    *added = (struct outcome){ending, is_error, is_spurious, (u32)(w->pairs.count - words), writes, threads};
    return ACCEPTED;
}

/* The state that is looked at is split, and this is one of its parts. */
int add_part(struct walk *w, u32 part)
{
    u32 *edge = more(&w->edges, 2, sizeof(u32));
    if (!edge)
        return NO_MEMORY;
    edge[0] = w->state;
    edge[1] = part;
    return ACCEPTED;
}

/* What another process has found in the states behind those that were looked at so far. */
int add_edges(struct walk *w, const u32 *edges, u64 words)
{
    u32 *added = more(&w->edges, words, sizeof(u32));
    return added ? memcpy(added, edges, words * sizeof(u32)), ACCEPTED : NO_MEMORY;
}

int say_once(struct walk *w, u32 question, u32 thread, u32 first, u32 count)
{
    struct once *added = more(&w->once, 1, sizeof *added);
    return added ? *added = (struct once){question, thread, {NONE, first, count}}, ACCEPTED : NO_MEMORY;
}

/* For a thread, or for a lock, wherever these slots hold these numbers; QUESTION if others were looked at before. */
int say(struct walk *w, u32 question, u32 of, const u32 *slots, const u32 *numbers, u32 looks, u32 first, u32 count)
{
    u32 at = question == HOLDER ? AT(w->locks, u32, of) : AT(w->threads, struct thread, of).roots[question];
    u64 branch = 0;
    for (u32 i = 0; i <= looks; i++) {
        u32 slot = i < looks ? slots[i] : NONE;
        if (at == NONE) {
            at = (u32)w->nodes.count;
            struct node *added = more(&w->nodes, 1, sizeof *added);
            if (!added || (i && !put(&w->branches, branch, at)))
                return NO_MEMORY;
            *added = (struct node){slot, first, count};
            if (!i && question == HOLDER)
                AT(w->locks, u32, of) = at;
            else if (!i)
                AT(w->threads, struct thread, of).roots[question] = at;
        }
        if (AT(w->nodes, struct node, at).slot != slot)
            return QUESTION;
        if (i < looks) {
            branch = ((u64)at + 1) << 32 | numbers[i];
            u64 *next = find(&w->branches, branch);
            at = next ? (u32)*next : NONE;
        }
    }
    return ACCEPTED;
}

/* A number for a set of locks, which is not empty. */
static u64 number_of_held(struct walk *w, u64 held)
{
    u64 *number = find(&w->helds, held);
    if (number)
        return *number;
    u64 made = w->helds.count + 1;
    return made < 0xffff && put(&w->helds, held, made) ? made : 0;
}

int say_overwrites(struct walk *w, u32 place, u64 held, u64 released)
{
    u64 number = number_of_held(w, held);
    return number && put(&w->overwritings, number << 32 | place, released) ? ACCEPTED : NO_MEMORY;
}

int say_conflict(struct walk *w, u64 future, u64 action, u64 held, u32 conflict)
{
    u64 number = held ? number_of_held(w, held) : 0;
    if (held && !number)
        return NO_MEMORY;
    return put(&w->conflicts, (number + 1) << 48 | future << 24 | action, conflict) ? ACCEPTED : NO_MEMORY;
}
