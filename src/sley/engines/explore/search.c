/* The search of `algorithm`, over states that are vectors of numbers. What the numbers mean, only Python knows.
 *
 * A state is the number of its memory and one number for each thread; a memory has one number for each slot.
 * What a step leads to depends on what it looks at, slot by slot, and so does every other question about a
 * thread. Answers are kept in decision trees: a node says which slot is looked at next, or has the answer.
 * Where a tree does not go on, `run` returns and Python answers; then the state is looked at once more.
 *
 * The search is depth first, until `broaden` is called: then several workers go on. Some thousand states that are still to be looked at,
 * the last that were found, are a round, in parts. Workers look at the states of one part after another, and write down what follows: each part
 * has a copy of `struct search`, in which all that they change is its own; all else stays as it is while they are at work. Then what they wrote
 * down is visited in the order of the states, and states are looked at that there was a question about. So what is found, and in
 * which order, does not depend on how many workers there are.
 *
 * There is no stack then. So loops in which threads are left out for ever are closed in the end: all threads are taken at some state of
 * each, and the search goes on, until there is none.
 */

#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t u32;
typedef uint64_t u64;

enum { NONE = 0xffffffff, COUNT = 0xfffffffe, FIRST_THREAD = 0x80000000, FIRST_SPLIT = 0x80000000, MOST_THREADS = 64 };
enum question { STEP, ACCESS, WAITS, DISTURBS, OVERWRITES, RACE, LEAK };
enum { TREES = 3, ALL = 0xff };
enum event { DONE, PAUSED, ASKS, FULL, LOOPS };
enum ending { GOES_ON, OVER, ENDED };
enum { PARTS = 32, MOST_WORKERS = 64 };

/* --- sequences that grow --------------------------------------------------------------------------- */

struct list {
    void *items;
    u64 count, room;
};

struct search;
static _Noreturn void full(struct search *);

static void *more(struct search *s, struct list *list, u64 count, size_t size)
{
    if (list->count + count >= list->room) {
        u64 room = 2 * list->room + count + 16;
        void *items = realloc(list->items, room * size);
        if (!items)
            full(s);
        list->items = items;
        list->room = room;
    }
    void *added = (char *)list->items + list->count * size;
    list->count += count;
    return added;
}

#define ADD(s, list, type) ((type *)more(s, list, 1, sizeof(type)))
#define AT(list, type, at) (((type *)(list).items)[at])

/* --- vectors, each with a number ----------------------------------------------------------------------- */

struct vectors {
    struct list words, starts; /* u32; the end of each is the start of the next */
    u32 *table; /* pairs: hash, number + 1 */
    u64 mask;
};

static u32 hash_of(const u32 *words, u32 length)
{
    u64 hash = length * 0x9e3779b97f4a7c15u;
    for (u32 i = 0; i < length; i++)
        hash = (hash ^ words[i]) * 0xff51afd7ed558ccdu, hash ^= hash >> 32;
    return (u32)hash;
}

static u32 vector_count(const struct vectors *v)
{
    return v->starts.count ? (u32)v->starts.count - 1 : 0;
}

static const u32 *vector(const struct vectors *v, u32 number, u32 *length)
{
    u32 start = AT(v->starts, u32, number);
    *length = AT(v->starts, u32, number + 1) - start;
    return &AT(v->words, u32, start);
}

static void enlarge(struct search *s, struct vectors *v)
{
    u64 size = v->table ? 2 * (v->mask + 1) : 64;
    u32 *table = calloc(size, 2 * sizeof(u32));
    if (!table)
        full(s);
    for (u64 old = 0; v->table && old <= v->mask; old++)
        if (v->table[2 * old + 1]) {
            u64 at = v->table[2 * old] & (size - 1);
            while (table[2 * at + 1])
                at = (at + 1) & (size - 1);
            table[2 * at] = v->table[2 * old];
            table[2 * at + 1] = v->table[2 * old + 1];
        }
    free(v->table);
    v->table = table;
    v->mask = size - 1;
}

/* The number of a vector; if it has none, it gets one (`is_new`), or NONE if it is not wanted: then nothing is changed. */
static u32 number_of(struct search *s, struct vectors *v, const u32 *words, u32 length, int *is_new)
{
    if (is_new && (!v->table || 3 * (u64)vector_count(v) > 2 * v->mask))
        enlarge(s, v);
    if (is_new && !v->starts.count)
        *ADD(s, &v->starts, u32) = 0;
    if (!v->table)
        return NONE;
    u32 hash = hash_of(words, length);
    u64 at = hash & v->mask;
    for (; v->table[2 * at + 1]; at = (at + 1) & v->mask)
        if (v->table[2 * at] == hash) {
            u32 number = v->table[2 * at + 1] - 1, found;
            const u32 *other = vector(v, number, &found);
            if (found == length && !memcmp(other, words, length * sizeof(u32)))
                return number;
        }
    if (!is_new)
        return NONE;
    if (v->words.count + length >= NONE)
        full(s);
    u32 number = vector_count(v);
    memcpy(more(s, &v->words, length, sizeof(u32)), words, length * sizeof(u32));
    *ADD(s, &v->starts, u32) = (u32)v->words.count;
    v->table[2 * at] = hash;
    v->table[2 * at + 1] = number + 1;
    *is_new = 1;
    return number;
}

static void free_vectors(struct vectors *v)
{
    free(v->words.items);
    free(v->starts.items);
    free(v->table);
}

/* --- what Python says ------------------------------------------------------------------------------- */

struct node {
    u32 slot, answer; /* slot NONE: this is the answer */
};

struct thread { /* a thread in a state of its own */
    u32 spot, place;
    unsigned char has_ended, accesses, waits, joins;
};

struct range { /* of a list: what an answer is made of */
    u32 first, count;
};

struct outcome {
    u32 thread, ending, failure, is_spurious;
    struct range writes, threads; /* pairs: where, and the number there */
};

struct span {
    u64 first, end;
    u32 is_write, is_atomic;
};

struct frame {
    u32 state;
    u64 first, next, end; /* of what is still to be visited, in `todo` */
};

struct step { /* of a thread of the state that is looked at */
    u32 outcome, number, length, size; /* of the vector, and of its memory behind it, if that is not known */
    u64 words;
};

struct entry { /* what follows a state; its vector and its memory are behind it */
    u32 parent, outcome, length, size, is_reduced; /* whether threads are left out there, or it is split */
};

struct edge {
    u32 from, to;
};

struct once {
    u32 question, thread, answer;
};

struct search {
    /* what Python reads */
    u32 question, thread, first, second;
    u32 state, is_broad; /* the one that is looked at; whether several workers search */
    u64 held, steps;
    struct vectors states, memories;
    struct list parents, arrivals, taken; /* u32, u32, u64, for each state */
    struct list found; /* u32: a failure, where, and by which outcome or NONE, three for each */
    /* what Python sets */
    u32 asks_races, asks_cycles, asks_deadlocks, asks_leaks, is_reduced, deadlock, notes_edges;
    struct list threads, roots[TREES], nodes, answers[2], outcomes, pairs, spans, handles, locks;
    /* its own */
    struct vectors branches, disturbances, overwritings;
    struct list children, disturbs, overwrites;
    struct list marks; /* char: on the stack; with several workers: all threads are taken */
    struct list edges; /* of states with threads left out, and of split ones */
    struct list stack, todo, once, scratch, steps_found, memory, reported;
    struct range steps_of[MOST_THREADS];
    u64 has_steps;
    u32 last, is_waiting, is_split;
    u32 leaves_out;
    struct search *parts;
    u32 largest_round, small_round; /* in states; a small one has one worker */
    u32 worker_count, taken_parts, merged; /* how many parts a worker has taken, and of how many all is visited */
    struct list pending, round, open; /* u32: states that are to be looked at, now, and once more as there was a question */
    u64 first_of_part, end_of_part, next, next_open; /* in `round`; in `todo` and `open` */
    int event;
    u32 count, at[MOST_THREADS];
    u32 memory_number, memory_length;
    u32 running[MOST_THREADS], running_count;
    u32 awaited[MOST_THREADS];
    u64 holders, waiting;
    jmp_buf out;
};

static void full(struct search *s)
{
    longjmp(s->out, 1);
}

static int asks(struct search *s, u32 question, u32 thread)
{
    s->question = question;
    s->thread = thread;
    return 0;
}

/* --- questions ---------------------------------------------------------------------------------------- */

static u32 look(struct search *s, u32 slot)
{
    if (slot == COUNT)
        return s->count;
    if (slot >= FIRST_THREAD)
        return slot - FIRST_THREAD < s->count ? s->at[slot - FIRST_THREAD] : 0;
    if (slot >= s->memory_length)
        return 0;
    u32 length;
    return vector(&s->memories, s->memory_number, &length)[slot];
}

static int answered_once(struct search *s, u32 question, u32 thread, u32 *answer)
{
    for (u64 i = 0; i < s->once.count; i++) {
        struct once *once = &AT(s->once, struct once, i);
        if (once->question == question && once->thread == thread) {
            *answer = once->answer;
            return 1;
        }
    }
    return asks(s, question, thread);
}

static int answered(struct search *s, u32 question, u32 thread, u32 *answer)
{
    u32 at = AT(s->roots[question], u32, s->at[thread]);
    while (at != NONE) {
        struct node node = AT(s->nodes, struct node, at);
        if (node.slot == NONE) {
            *answer = node.answer;
            return 1;
        }
        u32 key[2] = {at, look(s, node.slot)};
        u32 branch = number_of(s, &s->branches, key, 2, 0);
        at = branch == NONE ? NONE : AT(s->children, u32, branch);
    }
    return answered_once(s, question, thread, answer);
}

/* --- violations ---------------------------------------------------------------------------------------- */

static void report(struct search *s, u32 failure, u32 state, u32 outcome)
{
    while (s->reported.count <= failure)
        *ADD(s, &s->reported, char) = 0;
    if (!AT(s->reported, char, failure)) {
        AT(s->reported, char, failure) = 1;
        u32 *found = more(s, &s->found, 3, sizeof(u32));
        found[0] = failure;
        found[1] = state;
        found[2] = outcome;
    }
}

static int conflict(const struct span *a, const struct span *b)
{
    return (a->is_write || b->is_write) && !(a->is_atomic && b->is_atomic) && a->first < b->end && b->first < a->end;
}

static int conflicts(struct search *s, struct range a, struct range b)
{
    for (u32 i = 0; i < a.count; i++)
        for (u32 j = 0; j < b.count; j++)
            if (conflict(&AT(s->spans, struct span, a.first + i), &AT(s->spans, struct span, b.first + j)))
                return 1;
    return 0;
}

static int looked_for_races(struct search *s, u32 state)
{
    struct range spans[MOST_THREADS];
    u32 count = 0, answer, is_race = 0;
    for (u32 i = 0; i < s->running_count; i++) {
        u32 thread = s->running[i];
        if (!AT(s->threads, struct thread, s->at[thread]).accesses)
            continue;
        if (!answered(s, ACCESS, thread, &answer))
            return 0;
        spans[count] = AT(s->answers[ACCESS], struct range, answer);
        for (u32 j = 0; j < count; j++)
            is_race |= conflicts(s, spans[j], spans[count]);
        count++;
    }
    if (!is_race)
        return 1;
    if (!answered_once(s, RACE, ALL, &answer))
        return 0;
    if (answer)
        report(s, answer - 1, state, NONE);
    return 1;
}

static int looked_for_waiting(struct search *s, u32 state)
{
    for (u32 i = 0; i < s->count; i++)
        s->awaited[i] = 0;
    s->waiting = 0;
    for (u32 i = 0; i < s->running_count; i++) {
        u32 thread = s->running[i];
        struct thread *at = &AT(s->threads, struct thread, s->at[thread]);
        if (!at->waits || !(s->asks_cycles || at->joins))
            continue;
        if (!answered(s, WAITS, thread, &s->awaited[thread]))
            return 0;
        if (at->joins)
            s->waiting |= 1ull << thread;
    }
    for (u32 i = 0; i < s->count && s->asks_cycles; i++) {
        u32 at = i, length = 0;
        while (s->awaited[at] && length++ <= s->count)
            at = s->awaited[at] - 1;
        if (s->awaited[at]) {
            report(s, s->deadlock, state, NONE);
            break;
        }
    }
    return 1;
}

/* --- steps ------------------------------------------------------------------------------------------- */

static void take(struct search *s, u32 number)
{
    struct outcome *outcome = &AT(s->outcomes, struct outcome, number);
    struct step step = {number, NONE, 0, 0, s->scratch.count};
    if (outcome->ending == GOES_ON && outcome->failure == NONE) {
        u32 memory = s->memory_number, length = s->count, size = s->memory_length;
        if (outcome->writes.count) {
            const u32 *pairs = &AT(s->pairs, u32, 2 * outcome->writes.first);
            for (u32 i = 0; i < outcome->writes.count; i++)
                size = pairs[2 * i] >= size ? pairs[2 * i] + 1 : size;
            s->memory.count = 0;
            u32 *words = more(s, &s->memory, size, sizeof(u32)), was;
            memcpy(words, vector(&s->memories, memory, &was), s->memory_length * sizeof(u32));
            memset(words + s->memory_length, 0, (size - s->memory_length) * sizeof(u32));
            for (u32 i = 0; i < outcome->writes.count; i++)
                words[pairs[2 * i]] = pairs[2 * i + 1];
            while (size && !words[size - 1])
                size--;
            memory = number_of(s, &s->memories, words, size, 0);
        }
        step.size = memory == NONE ? size : 0;
        u32 *words = more(s, &s->scratch, 1 + MOST_THREADS + step.size, sizeof(u32));
        words[0] = memory;
        memcpy(words + 1, s->at, length * sizeof(u32));
        const u32 *pairs = &AT(s->pairs, u32, 2 * outcome->threads.first);
        for (u32 i = 0; i < outcome->threads.count; i++) {
            words[1 + pairs[2 * i]] = pairs[2 * i + 1];
            length = pairs[2 * i] >= length ? pairs[2 * i] + 1 : length;
        }
        step.length = 1 + length;
        s->scratch.count = step.words + step.length + step.size;
        if (step.size)
            memcpy(words + step.length, s->memory.items, step.size * sizeof(u32));
        else
            step.number = number_of(s, &s->states, words, step.length, 0);
    }
    *ADD(s, &s->steps_found, struct step) = step;
}

static int stepped(struct search *s, u32 thread)
{
    u32 answer;
    if (s->has_steps >> thread & 1)
        return 1;
    if (!answered(s, STEP, thread, &answer))
        return 0;
    struct range outcomes = AT(s->answers[STEP], struct range, answer);
    s->steps_of[thread] = (struct range){(u32)s->steps_found.count, outcomes.count};
    for (u32 i = 0; i < outcomes.count; i++)
        take(s, outcomes.first + i);
    s->has_steps |= 1ull << thread;
    return 1;
}

static struct step *steps_of(struct search *s, u32 thread)
{
    return &AT(s->steps_found, struct step, s->steps_of[thread].first);
}

/* --- persistent sets (see `reduction`) ------------------------------------------------------------------ */

enum closed { UNKNOWN = -2, NO_THREAD = -1 };

static u64 held_by(struct search *s, u64 members)
{
    u64 held = 0;
    for (u32 i = 0; i < s->locks.count; i++) {
        u32 value = look(s, AT(s->locks, u32, i));
        unsigned char handle = AT(s->handles, unsigned char, value);
        if (handle && members >> (handle - 1) & 1)
            held |= 1ull << i;
    }
    return held;
}

static int stays_held(struct search *s, const u32 *others, u32 count, u64 *held)
{
    for (u64 before = 0; *held && before != *held;) {
        u64 overwritten = 0;
        before = *held;
        for (u32 i = 0; i < count; i++) {
            u32 place = AT(s->threads, struct thread, s->at[others[i]]).place;
            u32 key[3] = {place, (u32)*held, (u32)(*held >> 32)};
            u32 number = number_of(s, &s->overwritings, key, 3, 0);
            if (number == NONE) {
                s->first = place;
                s->held = *held;
                return asks(s, OVERWRITES, others[i]);
            }
            overwritten |= AT(s->overwrites, u64, number);
        }
        *held &= ~overwritten;
    }
    return 1;
}

static u32 spot(struct search *s, u32 thread)
{
    return AT(s->threads, struct thread, s->at[thread]).spot;
}

/* A thread outside the set that can disturb a step of the set. */
static int disturbing(struct search *s, u64 members)
{
    u32 others[MOST_THREADS], here[MOST_THREADS], count = 0, inside = 0;
    for (u32 i = 0; i < s->running_count; i++) {
        u32 thread = s->running[i], is_known = 0;
        if (members >> thread & 1) {
            for (u32 j = 0; j < inside; j++)
                is_known |= spot(s, here[j]) == spot(s, thread);
            if (!is_known)
                here[inside++] = thread;
        } else if (!(s->waiting >> thread & 1 && s->awaited[thread] && members >> (s->awaited[thread] - 1) & 1)) {
            for (u32 j = 0; j < count; j++)
                is_known |= spot(s, others[j]) == spot(s, thread);
            if (!is_known)
                others[count++] = thread;
        }
    }
    u64 held = held_by(s, members);
    if (!stays_held(s, others, count, &held))
        return UNKNOWN;
    for (u32 i = 0; i < count; i++)
        for (u32 j = 0; j < inside; j++) {
            u32 key[4] = {spot(s, others[i]), spot(s, here[j]), (u32)held, (u32)(held >> 32)};
            u32 number = number_of(s, &s->disturbances, key, 4, 0);
            if (number == NONE) {
                s->first = key[0];
                s->second = key[1];
                s->held = held;
                asks(s, DISTURBS, others[i]);
                return UNKNOWN;
            }
            if (AT(s->disturbs, char, number))
                return (int)others[i];
        }
    u64 needed = 0;
    for (u32 i = 0; i < s->running_count; i++)
        if (members >> s->running[i] & s->waiting >> s->running[i] & 1 && s->awaited[s->running[i]])
            needed |= 1ull << (s->awaited[s->running[i]] - 1);
    for (u32 i = 0; i < s->running_count; i++)
        if ((needed & ~members) >> s->running[i] & 1)
            return (int)s->running[i];
    return NO_THREAD;
}

/* Those that hold a lock, wait, or are waited for. */
static u64 involved(struct search *s)
{
    u64 found = s->waiting;
    for (u32 i = 0; i < s->count; i++)
        if (s->waiting >> i & 1 && s->awaited[i])
            found |= 1ull << (s->awaited[i] - 1);
    for (u32 i = 0; i < s->locks.count; i++) {
        unsigned char handle = AT(s->handles, unsigned char, look(s, AT(s->locks, u32, i)));
        if (handle)
            found |= 1ull << (handle - 1);
    }
    return found;
}

static u64 alike(struct search *s, u32 thread)
{
    u64 others = involved(s), found = 0;
    if (others >> thread & 1)
        return 0;
    for (u32 i = 0; i < s->running_count; i++)
        if (spot(s, s->running[i]) == spot(s, thread))
            found |= 1ull << s->running[i];
    return found & ~others;
}

/* Without a stack, only the state itself is known to be on it. */
static int is_on_stack(struct search *s, u32 number)
{
    return s->is_broad ? number == s->state : AT(s->marks, char, number);
}

/* Whether a set is accepted: the three conditions of `algorithm`. */
static int suffices(struct search *s, u64 members, int *is_enough)
{
    *is_enough = 0;
    for (u32 thread = 0; thread < s->count; thread++)
        if (members >> thread & 1) {
            if (!stepped(s, thread))
                return 0;
            struct step *steps = steps_of(s, thread);
            for (u32 i = 0; i < s->steps_of[thread].count; i++) {
                struct outcome *outcome = &AT(s->outcomes, struct outcome, steps[i].outcome);
                u32 number = steps[i].number;
                if (!steps[i].length || (number != NONE && is_on_stack(s, number))) {
                    *is_enough = 0;
                    return 1;
                }
                *is_enough |= !outcome->is_spurious;
            }
        }
    return 1;
}

/* The threads to take; 0: all. */
static int chosen(struct search *s, u64 *members)
{
    u64 grown[MOST_THREADS], known = 0;
    u32 others[MOST_THREADS], count = 0, sets = 0;
    int is_enough, extra;
    *members = 0;
    if (!s->is_reduced || s->running_count < 2 || (s->is_broad && AT(s->marks, char, s->state)))
        return 1;
    for (u32 i = 0; i < s->running_count; i++) {
        u64 single = 1ull << s->running[i];
        extra = disturbing(s, single);
        if (extra == UNKNOWN)
            return 0;
        if (extra != NO_THREAD)
            others[count++] = s->running[i];
        else if (!suffices(s, single, &is_enough))
            return 0;
        else if (is_enough) {
            *members = single;
            return 1;
        }
    }
    for (u32 i = 0; i < count; i++) {
        if (known >> others[i] & 1)
            continue;
        u64 set = 1ull << others[i];
        while ((extra = disturbing(s, set)) >= 0)
            set |= alike(s, (u32)extra) | 1ull << extra;
        if (extra == UNKNOWN)
            return 0;
        u32 is_known = 0;
        for (u32 j = 0; j < sets; j++)
            is_known |= grown[j] == set;
        if (!is_known)
            grown[sets++] = set;
        known |= alike(s, others[i]) & set;
    }
    for (u32 size = 1; size < s->running_count; size++)
        for (u32 i = 0; i < sets; i++)
            if ((u32)__builtin_popcountll(grown[i]) == size) {
                if (!suffices(s, grown[i], &is_enough))
                    return 0;
                if (is_enough) {
                    *members = grown[i];
                    return 1;
                }
            }
    return 1;
}

/* --- the search ---------------------------------------------------------------------------------------- */

static void stand_at(struct search *s, u32 state)
{
    u32 length, unused = 0, arrival = AT(s->arrivals, u32, state);
    const u32 *words = vector(&s->states, state, &length);
    s->state = state;
    s->last = arrival >= FIRST_SPLIT ? 0 : AT(s->outcomes, struct outcome, arrival).thread;
    s->memory_number = words[0];
    s->count = length - 1;
    memcpy(s->at, words + 1, s->count * sizeof(u32));
    vector(&s->memories, s->memory_number, &s->memory_length);
    s->running_count = 0;
    for (u32 i = 0; i <= s->count; i++) { /* the last one that acted before the others */
        u32 thread = i ? i - 1 : s->last;
        if ((i && thread == s->last) || AT(s->threads, struct thread, s->at[thread]).has_ended)
            continue;
        s->running[s->running_count++] = thread;
    }
    s->has_steps = unused;
    s->steps_found.count = s->scratch.count = 0;
}

static int looked_for_deadlock(struct search *s, u32 state)
{
    for (u32 i = 0; i < s->running_count; i++) {
        u32 thread = s->running[i];
        if (!stepped(s, thread))
            return 0;
        for (u32 j = 0; j < s->steps_of[thread].count; j++)
            if (!AT(s->outcomes, struct outcome, steps_of(s, thread)[j].outcome).is_spurious)
                return 1;
    }
    report(s, s->deadlock, state, NONE);
    return 1;
}

static int looked_for_leaks(struct search *s, u32 state, u32 thread, u32 outcome)
{
    u32 answer;
    if (!answered_once(s, LEAK, thread, &answer))
        return 0;
    if (answer)
        report(s, answer - 1, state, outcome);
    return 1;
}

/* What follows a state is to be visited: a vector, in which the number of the memory is NONE if the memory comes behind it. */
static void add_entry(struct search *s, struct entry entry, const u32 *words)
{
    u32 count = entry.length + entry.size, header = sizeof entry / sizeof(u32);
    u32 *added = more(s, &s->todo, header + count, sizeof(u32));
    memcpy(added, &entry, sizeof entry);
    memcpy(added + header, words, count * sizeof(u32));
}

static void note_edge(struct search *s, u32 from, u32 to)
{
    if (s->notes_edges)
        *ADD(s, &s->edges, struct edge) = (struct edge){from, to};
}

static void follow(struct search *s, u32 thread)
{
    for (u32 i = 0; i < s->steps_of[thread].count; i++) {
        struct step *step = steps_of(s, thread) + i;
        struct outcome *outcome = &AT(s->outcomes, struct outcome, step->outcome);
        s->steps++;
        if (outcome->failure != NONE)
            report(s, outcome->failure, s->state, step->outcome);
        else if (step->number != NONE && s->leaves_out)
            note_edge(s, s->state, step->number);
        else if (step->length && step->number == NONE)
            add_entry(s, (struct entry){s->state, step->outcome, step->length, step->size, s->leaves_out}, &AT(s->scratch, u32, step->words));
    }
}

static int by_number(const void *a, const void *b)
{
    return (int)*(const u32 *)a - (int)*(const u32 *)b;
}

/* Check a state, and say what follows; 0 if there is a question first. */
static int expand(struct search *s, u32 state)
{
    u64 members;
    stand_at(s, state);
    if ((s->asks_races && !looked_for_races(s, state)) || !looked_for_waiting(s, state))
        return 0;
    if (!s->running_count && s->asks_leaks && !looked_for_leaks(s, state, ALL, NONE))
        return 0;
    if (!chosen(s, &members))
        return 0;
    if (members) /* in order; of all, the last one that acted comes first */
        qsort(s->running, s->running_count, sizeof(u32), by_number);
    else {
        if (s->asks_deadlocks && s->running_count && !looked_for_deadlock(s, state))
            return 0;
        for (u32 i = 0; i < s->running_count; i++)
            members |= 1ull << s->running[i];
    }
    for (u32 i = 0; i < s->running_count; i++) {
        u32 thread = s->running[i];
        if (!(members >> thread & 1))
            continue;
        if (!stepped(s, thread))
            return 0;
        for (u32 j = 0; j < s->steps_of[thread].count && s->asks_leaks; j++) {
            u32 outcome = steps_of(s, thread)[j].outcome;
            if (AT(s->outcomes, struct outcome, outcome).ending == ENDED &&
                !looked_for_leaks(s, state, thread, outcome))
                return 0;
        }
    }
    s->leaves_out = (u32)__builtin_popcountll(members) < s->running_count;
    for (u32 i = 0; i < s->running_count; i++)
        if (members >> s->running[i] & 1)
            follow(s, s->running[i]);
    AT(s->taken, u64, state) = members;
    return 1;
}

/* The number of a state, which may be new. */
static u32 arrive(struct search *s, const u32 *words, u32 length, u32 parent, u32 arrival, int *is_new)
{
    u32 number = number_of(s, &s->states, words, length, is_new);
    if (*is_new) {
        *ADD(s, &s->parents, u32) = parent;
        *ADD(s, &s->arrivals, u32) = arrival;
        *ADD(s, &s->taken, u64) = 0;
        *ADD(s, &s->marks, char) = 0;
        if (s->is_broad)
            *ADD(s, &s->pending, u32) = number;
    }
    return number;
}

static const struct entry *entry_at(const struct list *todo, u64 at)
{
    return (const struct entry *)&AT(*todo, u32, at);
}

/* Visit what is written down next; its number, or NONE if it is new and there are as many states as there may be. */
static u32 visit(struct search *s, struct list *todo, u64 *next, u32 most, int *is_new)
{
    struct entry entry = *entry_at(todo, *next);
    u32 *words = &AT(*todo, u32, *next + sizeof entry / sizeof(u32));
    int is_new_memory = 0;
    if (entry.size)
        words[0] = number_of(s, &s->memories, words + entry.length, entry.size, &is_new_memory);
    if (vector_count(&s->states) >= most && number_of(s, &s->states, words, entry.length, 0) == NONE)
        return NONE;
    u32 number = arrive(s, words, entry.length, entry.parent, entry.outcome, is_new);
    if (entry.is_reduced)
        note_edge(s, entry.parent, number);
    *next += sizeof entry / sizeof(u32) + entry.length + entry.size;
    return number;
}

/* Look at a state; what is next to do, or DONE. */
static int look_at(struct search *s, u32 state)
{
    if (!s->is_split && !expand(s, state))
        return ASKS;
    s->is_waiting = s->is_split = 0;
    s->once.count = 0;
    return DONE;
}

static void push(struct search *s, u32 state)
{
    AT(s->marks, char, state) = 1;
    *ADD(s, &s->stack, struct frame) = (struct frame){state, s->todo.count, s->todo.count, s->todo.count};
    s->is_waiting = 1;
}

static int run_deep(struct search *s, u32 most)
{
    while (s->stack.count) {
        struct frame *frame = &AT(s->stack, struct frame, s->stack.count - 1);
        if (s->is_waiting) {
            if (look_at(s, frame->state) == ASKS)
                return ASKS;
            frame->end = s->todo.count;
        }
        if (frame->next == frame->end) {
            AT(s->marks, char, frame->state) = 0;
            s->todo.count = frame->first;
            s->stack.count--;
            continue;
        }
        int is_new = 0, is_part = entry_at(&s->todo, frame->next)->outcome >= FIRST_SPLIT;
        u32 number = visit(s, &s->todo, &frame->next, most, &is_new);
        if (number == NONE)
            return PAUSED;
        if (is_part && is_on_stack(s, number))
            return LOOPS; /* a split closes a loop, in which others might be postponed for ever */
        if (is_new)
            push(s, number);
    }
    return DONE;
}

/* --- several workers ---------------------------------------------------------------------------------------- */

enum { OWNS = 9 };

static struct list *own(struct search *part, u32 number)
{
    struct list *lists[OWNS] = {
        &part->scratch, &part->steps_found, &part->memory,   &part->todo, &part->open,
        &part->found,   &part->reported,    &part->once,     &part->edges,
    };
    return lists[number];
}

/* What a worker changes is its part's own, and empty at first; all else is that of the search. */
static void begin_part(struct search *s, struct search *part, u64 first, u64 end)
{
    struct list kept[OWNS];
    for (u32 i = 0; i < OWNS; i++)
        kept[i] = *own(part, i);
    *part = *s;
    for (u32 i = 0; i < OWNS; i++) {
        *own(part, i) = kept[i];
        own(part, i)->count = 0;
    }
    part->steps = part->next = part->next_open = 0;
    part->first_of_part = first;
    part->end_of_part = end;
}

static void look_at_part(struct search *part)
{
    part->event = DONE;
    if (setjmp(part->out)) {
        part->event = FULL;
        return;
    }
    for (; part->first_of_part < part->end_of_part; part->first_of_part++) {
        u32 state = AT(part->round, u32, part->first_of_part);
        if (!expand(part, state))
            *ADD(part, &part->open, u32) = state;
    }
}

static void *work(void *search)
{
    struct search *s = search;
    for (u32 i; (i = __atomic_fetch_add(&s->taken_parts, 1, __ATOMIC_RELAXED)) < PARTS;)
        look_at_part(&s->parts[i]);
    return 0;
}

/* Look at the states of a round, and write down what follows. */
static void look_at_round(struct search *s)
{
    pthread_t threads[MOST_WORKERS];
    u64 size = s->round.count, workers = size < s->small_round ? 1 : s->worker_count, started = 0;
    for (u32 i = 0; i < PARTS; i++)
        begin_part(s, &s->parts[i], size * i / PARTS, size * (i + 1) / PARTS);
    s->taken_parts = 0;
    while (started + 1 < workers && !pthread_create(&threads[started], 0, work, s))
        started++;
    work(s);
    while (started)
        pthread_join(threads[--started], 0);
    for (u32 i = 0; i < PARTS; i++) {
        struct search *part = &s->parts[i];
        if (part->event == FULL)
            full(s);
        s->steps += part->steps;
        if (part->edges.count)
            memcpy(more(s, &s->edges, part->edges.count, sizeof(struct edge)), part->edges.items,
                   part->edges.count * sizeof(struct edge));
        for (u64 at = 0; at < part->found.count; at += 3)
            report(s, AT(part->found, u32, at), AT(part->found, u32, at + 1), AT(part->found, u32, at + 2));
    }
}

/* Visit what follows, as far as it was written down for states before this one. */
static int visit_all(struct search *s, struct list *todo, u64 *next, u32 before, u32 most)
{
    int is_new = 0;
    for (; *next < todo->count && entry_at(todo, *next)->parent < before; is_new = 0)
        if (visit(s, todo, next, most, &is_new) == NONE)
            return PAUSED;
    return DONE;
}

/* Visit what was written down for a part, and look at what there was a question about, in the order of the states. */
static int merge(struct search *s, struct search *part, u32 most)
{
    for (;;) {
        u32 open = part->next_open < part->open.count ? AT(part->open, u32, part->next_open) : NONE;
        int event = visit_all(s, &part->todo, &part->next, open, most);
        if (event != DONE || open == NONE)
            return event;
        if (!s->todo.count)
            s->is_waiting = 1;
        if (s->is_waiting && look_at(s, open) == ASKS)
            return ASKS;
        if ((event = visit_all(s, &s->todo, &s->next, NONE, most)) != DONE)
            return event;
        s->todo.count = s->next = 0;
        part->next_open++;
    }
}

/* The edges by where they begin, without those of states at which all threads are taken: `first` has where those of each state
 * begin in `to`, and where the last ones end. */
static void sort_edges(struct search *s, u32 *first, u32 *to)
{
    u32 count = vector_count(&s->states);
    memset(first, 0, (count + 2) * sizeof(u32));
    for (u64 i = 0; i < s->edges.count; i++)
        first[AT(s->edges, struct edge, i).from + 2] += !AT(s->marks, char, AT(s->edges, struct edge, i).from);
    for (u32 state = 0; state < count; state++)
        first[state + 2] += first[state + 1];
    for (u64 i = 0; i < s->edges.count; i++) {
        struct edge edge = AT(s->edges, struct edge, i);
        if (!AT(s->marks, char, edge.from))
            to[first[edge.from + 1]++] = edge.to;
    }
}

/* Mark states, so that no loop is left in which threads are left out: those from which a search depth first comes back to its stack. */
static int mark_loops(struct search *s, const u32 *first, const u32 *to, u32 *stack, u32 *next, char *is_seen)
{
    for (u32 start = 0; start < vector_count(&s->states); start++) {
        u32 depth = 0;
        if (!is_seen[start])
            stack[depth++] = start;
        while (depth) {
            u32 state = stack[depth - 1];
            if (!is_seen[state]) {
                is_seen[state] = 1; /* and on the stack */
                next[state] = first[state];
            }
            if (next[state] == first[state + 1]) {
                is_seen[state] = 2;
                depth--;
                continue;
            }
            u32 target = to[next[state]++];
            if (!is_seen[target])
                stack[depth++] = target;
            else if (is_seen[target] == 1 && !AT(s->marks, char, state) && !AT(s->marks, char, target)) {
                u32 marked = AT(s->taken, u64, target) ? target : state;
                if (!AT(s->taken, u64, marked))
                    return LOOPS; /* both are split */
                *ADD(s, &s->parts[0].open, u32) = marked;
                AT(s->marks, char, marked) = 1;
            }
        }
    }
    return DONE;
}

/* When everything is visited: all threads are to be taken at some state of each loop in which threads are left out. */
static int close_loops(struct search *s)
{
    u64 count = vector_count(&s->states);
    u32 *first = malloc((count + 2) * sizeof(u32)), *to = malloc((s->edges.count + 1) * sizeof(u32));
    u32 *stack = malloc(count * sizeof(u32)), *next = malloc(count * sizeof(u32));
    char *is_seen = calloc(count, 1);
    int event = first && to && stack && next && is_seen && s->edges.count < NONE ? DONE : FULL;
    for (u32 i = 0; i < PARTS; i++)
        begin_part(s, &s->parts[i], 0, 0);
    if (event == DONE) {
        sort_edges(s, first, to);
        event = mark_loops(s, first, to, stack, next, is_seen);
    }
    free(first);
    free(to);
    free(stack);
    free(next);
    free(is_seen);
    return event;
}

static int run_broad(struct search *s, u32 most)
{
    for (;;) {
        for (; s->merged < PARTS; s->merged++) {
            int event = merge(s, &s->parts[s->merged], most);
            if (event != DONE)
                return event;
        }
        if (s->pending.count) {
            u64 count = s->pending.count < s->largest_round ? s->pending.count : s->largest_round;
            s->round.count = 0;
            s->pending.count -= count;
            memcpy(more(s, &s->round, count, sizeof(u32)), &AT(s->pending, u32, s->pending.count), count * sizeof(u32));
            look_at_round(s);
        } else {
            int event = close_loops(s);
            if (event != DONE || !s->parts[0].open.count)
                return event;
        }
        s->merged = 0;
    }
}

/* Go on, with at most so many states; what is next to do. */
int run(struct search *s, u32 most)
{
    if (setjmp(s->out))
        return FULL;
    return s->is_broad ? run_broad(s, most) : run_deep(s, most);
}

/* Go on with several workers: what is still to be visited is visited now. */
int broaden(struct search *s, u32 workers, u32 largest_round, u32 small_round)
{
    if (setjmp(s->out))
        return FULL;
    s->largest_round = largest_round;
    s->small_round = small_round;
    s->worker_count = workers < MOST_WORKERS ? workers : MOST_WORKERS;
    s->parts = calloc(PARTS, sizeof *s->parts);
    if (!s->parts)
        return FULL;
    s->is_broad = 1;
    s->merged = PARTS;
    for (u64 i = 0; i < s->stack.count; i++) {
        struct frame *frame = &AT(s->stack, struct frame, i);
        struct list until = {s->todo.items, frame->end, 0};
        AT(s->marks, char, frame->state) = 0;
        visit_all(s, &until, &frame->next, NONE, NONE);
    }
    s->stack.count = s->todo.count = 0;
    return DONE;
}

/* --- for Python --------------------------------------------------------------------------------------- */

struct search *new_search(void)
{
    return calloc(1, sizeof(struct search));
}

void free_search(struct search *s)
{
    struct list *lists[] = {
        &s->parents, &s->arrivals, &s->taken, &s->found, &s->threads, &s->roots[0], &s->roots[1], &s->roots[2], &s->nodes,
        &s->answers[0], &s->answers[1], &s->outcomes, &s->pairs, &s->spans, &s->handles, &s->locks, &s->children,
        &s->disturbs, &s->overwrites, &s->marks, &s->edges, &s->pending, &s->round, &s->stack, &s->todo, &s->once, &s->scratch, &s->steps_found,
        &s->memory, &s->reported, &s->open,
    };
    struct vectors *vectors[] = {&s->states, &s->memories, &s->branches, &s->disturbances, &s->overwritings};
    for (u32 i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->items);
    for (u32 i = 0; i < sizeof vectors / sizeof *vectors; i++)
        free_vectors(vectors[i]);
    for (u32 i = 0; s->parts && i < PARTS; i++)
        for (u32 j = 0; j < OWNS; j++)
            free(own(&s->parts[i], j)->items);
    free(s->parts);
    free(s);
}

int begin(struct search *s, const u32 *memory, u32 length, u32 thread)
{
    if (setjmp(s->out))
        return FULL;
    int is_new = 0;
    u32 words[2] = {number_of(s, &s->memories, memory, length, &is_new), thread};
    push(s, arrive(s, words, 2, NONE, NONE, &is_new));
    return DONE;
}

/* The state that is looked at is split: here is a part, with any number for its memory. */
int add_part(struct search *s, const u32 *memory, u32 size, u32 *words, u32 length, u32 arrival)
{
    if (setjmp(s->out))
        return FULL;
    int is_new = 0;
    words[0] = number_of(s, &s->memories, memory, size, &is_new);
    add_entry(s, (struct entry){s->state, arrival, length, 0, 1}, words);
    s->is_split = 1;
    return DONE;
}

int add_value(struct search *s, unsigned char handle)
{
    if (setjmp(s->out))
        return FULL;
    *ADD(s, &s->handles, unsigned char) = handle;
    return DONE;
}

int add_lock(struct search *s, u32 slot)
{
    if (setjmp(s->out))
        return FULL;
    *ADD(s, &s->locks, u32) = slot;
    return DONE;
}

int add_thread(struct search *s, u32 spot, u32 place, int has_ended, int accesses, int waits, int joins)
{
    if (setjmp(s->out))
        return FULL;
    *ADD(s, &s->threads, struct thread) = (struct thread){
        spot, place, (unsigned char)has_ended, (unsigned char)accesses, (unsigned char)waits, (unsigned char)joins};
    for (u32 i = 0; i < TREES; i++)
        *ADD(s, &s->roots[i], u32) = NONE;
    return DONE;
}

int add_span(struct search *s, u64 first, u64 end, u32 is_write, u32 is_atomic)
{
    if (setjmp(s->out))
        return FULL;
    *ADD(s, &s->spans, struct span) = (struct span){first, end, is_write, is_atomic};
    return DONE;
}

/* An outcome, with what it writes: pairs of a slot and a number, and then of a thread and a number. */
int add_outcome(struct search *s, u32 thread, u32 ending, u32 failure, u32 is_spurious, const u32 *pairs, u32 writes,
                u32 threads)
{
    if (setjmp(s->out))
        return FULL;
    u32 first = (u32)(s->pairs.count / 2);
    memcpy(more(s, &s->pairs, 2 * (writes + threads), sizeof(u32)), pairs, 2 * (writes + threads) * sizeof(u32));
    *ADD(s, &s->outcomes, struct outcome) =
        (struct outcome){thread, ending, failure, is_spurious, {first, writes}, {first + writes, threads}};
    return DONE;
}

/* The last so many outcomes or spans are an answer. */
int add_answer(struct search *s, u32 question, u32 count)
{
    if (setjmp(s->out))
        return FULL;
    u64 end = question == STEP ? s->outcomes.count : s->spans.count;
    *ADD(s, &s->answers[question], struct range) = (struct range){(u32)(end - count), count};
    return DONE;
}

/* Answer a question about the state that is looked at, whatever else is the same. */
int answer_once(struct search *s, u32 question, u32 thread, u32 answer)
{
    if (setjmp(s->out))
        return FULL;
    *ADD(s, &s->once, struct once) = (struct once){question, thread, answer};
    return DONE;
}

/* Answer a question about a thread wherever these slots hold these numbers; -1 if other slots were looked at before. */
int answer_where(struct search *s, u32 question, u32 thread, const u32 *slots, const u32 *numbers, u32 count, u32 answer)
{
    if (setjmp(s->out))
        return FULL;
    u32 branch = NONE, at = AT(s->roots[question], u32, thread);
    for (u32 i = 0; i <= count; i++) {
        u32 slot = i < count ? slots[i] : NONE;
        if (at == NONE) {
            at = (u32)s->nodes.count;
            *ADD(s, &s->nodes, struct node) = (struct node){slot, answer};
            if (i)
                AT(s->children, u32, branch) = at;
            else
                AT(s->roots[question], u32, thread) = at;
        }
        if (AT(s->nodes, struct node, at).slot != slot)
            return -1;
        if (i == count)
            break;
        int is_new = 0;
        u32 key[2] = {at, numbers[i]};
        branch = number_of(s, &s->branches, key, 2, &is_new);
        if (is_new)
            *ADD(s, &s->children, u32) = NONE;
        at = AT(s->children, u32, branch);
    }
    return DONE;
}

int answer_disturbs(struct search *s, u32 other, u32 spot, u64 held, int disturbs)
{
    if (setjmp(s->out))
        return FULL;
    int is_new = 0;
    u32 key[4] = {other, spot, (u32)held, (u32)(held >> 32)};
    number_of(s, &s->disturbances, key, 4, &is_new);
    *ADD(s, &s->disturbs, char) = (char)disturbs;
    return DONE;
}

int answer_overwrites(struct search *s, u32 place, u64 held, u64 overwritten)
{
    if (setjmp(s->out))
        return FULL;
    int is_new = 0;
    u32 key[3] = {place, (u32)held, (u32)(held >> 32)};
    number_of(s, &s->overwritings, key, 3, &is_new);
    *ADD(s, &s->overwrites, u64) = overwritten;
    return DONE;
}

/* A state, or a memory. */
const u32 *vector_at(const struct vectors *v, u32 number, u32 *length)
{
    return vector(v, number, length);
}
