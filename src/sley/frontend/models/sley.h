// What the models of library functions are written in.
//
// The front end turns a call of each function below into a single instruction of the program; everything else
// in a model is ordinary C and goes through the same front end as the user's code. These rules keep models
// right:
//   - What a model keeps for itself is `_Atomic`, so that it never races; what belongs to the user (a copied
//     string, the result of a join) is accessed plainly, so that it can.
//   - A wait that no lock or join expresses is an `__sley_await` inside an atomic section, together with the
//     reading of what it waits for and the change that follows.
//   - Checks stand outside of atomic sections: a failed one ends the run, inside it would block the thread.
//   - What a model cannot do right, it gives up on; it never guesses.
#ifndef SLEY_H
#define SLEY_H

typedef __SIZE_TYPE__ sley_size;
typedef void *(*sley_start)(void *);

// All between the two is one step, taken only if some way through it completes.
void __sley_atomic_begin(void);
void __sley_atomic_end(void);

// Blocked until the condition holds; a spurious one may go on regardless, but is not counted on to do so.
void __sley_await(_Bool condition);
void __sley_await_spurious(_Bool condition);

// The cell holds 0 (free) or the handle of its owner.
void __sley_lock(_Atomic int *cell);
void __sley_unlock(_Atomic int *cell);
void __sley_unlock_plainly(_Atomic int *cell);    // on machines a store like others

// Threads are named by handles: 1 is main, and every new thread has the next number.
unsigned long __sley_self(void);
_Bool __sley_joins_as_first(void);                        // whether that is 1, asked in a join
unsigned long __sley_create(sley_start start, void *argument);

// Whether a thread is refused, or another object that threads share, and what a trace says then, beginning with the
// name of a function; false unless the user wants to know what happens.
_Bool __sley_create_fails(const char *note);

// The handle as an id for the user, which can be compared with others; nothing else is known about it.
unsigned long __sley_id(unsigned long handle);

// The other way round; something else, which is no handle, of what is no id.
unsigned long __sley_handle(unsigned long id);
void *__sley_join(unsigned long handle);
void __sley_detach(unsigned long handle);
void __sley_exit_thread(void *result) __attribute__((noreturn));

// How the process ends: 0 is exit, 1 is abort.
void __sley_end(int how) __attribute__((noreturn));

// A failed assumption cuts the run; a failed check is a violation of the named property.
void __sley_assume(_Bool condition);
void __sley_check(_Bool condition, const char *property, const char *rule, const char *message, ...);
void __sley_give_up(const char *reason) __attribute__((noreturn));

void __sley_fence(void);

// A text of the library, and whether a string comes from outside and nothing is known of it: only its first character
// can be looked at.
char *__sley_text(const char *function);
_Bool __sley_is_text(const char *text);

// The value of a variable of the environment, of which the first few are known by their numbers.
enum { SLEY_VARIABLES = 4 };
char *__sley_variable(int number);

// Whether a string is an argument of the program, or such a value, which may be any, and what is decided of it
// (arguments.c): how much is left of it, the number that it begins with, and where that ends.
_Bool __sley_is_argument(const char *text);
sley_size sley_argument_length(const char *text);
long long sley_argument_number(const char *text);
char *sley_argument_end(const char *text, long long number);

// Whether a number, or a text, is made in the program, so that it can be worked with exactly: with what comes from
// outside that would take for ever. Either answer may come; where it is no, what is computed is unknown.
_Bool __sley_is_known(double number);
_Bool __sley_is_known_text(const char *text);

// Formats (formats.c): whether a conversion is one of floating-point numbers, and how large an integer with a length is.
_Bool sley_is_floating(char letter);
int sley_bytes_of(char length);

// A character of a text that is made in `target`, of `size`: what does not fit is only counted.
#define SLEY_PUT(at, character)                                                                                      \
    do {                                                                                                              \
        sley_size sley_here = (at);                                                                                   \
        if (sley_here < size)                                                                                         \
            target[sley_here] = character;                                                                            \
    } while (0)

// What kind of argument comes next in a list, which stays as it is. Numbers have the bytes of their type added, also
// behind pointers; what is an address without more is a `void *`.
int __sley_argument_kind(__builtin_va_list given);
enum {
    SLEY_NO_ARGUMENT = 0,
    SLEY_OTHER_ARGUMENT = 1,
    SLEY_INTEGER = 0x20,
    SLEY_FLOATING = 0x40,
    SLEY_ADDRESS = 0x80,
    SLEY_POINTER = 0x100,
    SLEY_ANY_ARGUMENT = 0x200,                // unknown
};

// Whether these are the arguments of the program, where they may be any; and what follows an option, or `name=`, in
// one of them: a text of which nothing more is known.
_Bool __sley_is_free(char *const *arguments);
char *__sley_rest_of(char *argument);

// Whether two pointers point into one object.
_Bool __sley_is_same_object(const void *one, const void *other);

// How far behind the start of its object a pointer points. Order and distance in an object are told by this: of the
// pointers themselves, which may be in different objects, C does not say where these lie.
sley_size __sley_offset(const void *address);

// How many bytes the scalar has that begins at an address; 1 where that is not known. What is copied in one piece
// may be a pointer: of a part of one nothing is known. Padding is marked.
sley_size __sley_piece(const void *address);
enum { SLEY_PADDING = 16 };
void __sley_copy_padding(char *to, const char *from);

// Whether an attempt fails that could succeed. It never does; but as a failed attempt orders nothing in memory,
// races are looked for as if it did.
_Bool __sley_fails_anyway(void);

// Whether the address is that of a static object: whatever else there is may hold anything before it is initialised.
_Bool __sley_is_static(const void *address);

// Whether the program looks at `errno` anywhere: where it does not, models need not set it.
_Bool __sley_uses_errno(void);

// Whether the program mentions one of these names, written as `one|other`: where it does not, models need not keep what
// only these functions tell. What is not sure is yes.
_Bool __sley_mentions(const char *names);

// A zeroed block that the library holds on to: it is not lost when nothing refers to it.
void *__sley_kept_block(sley_size size);

// Nothing happens, but the function is part of the program: to mention the end of threads needs `__sley_end_thread`.
#define __sley_require(function) __sley_include((const void *)(function))
void __sley_include(const void *function);

// What the answer rests on from here on, in the user's words.
void __sley_rely_on(const char *assumption);

// A number by the bits that IEEE 754 gives it. What is no number has the same bits always.
unsigned long long __sley_bits(double number);
unsigned int __sley_float_bits(float number);
double __sley_double(unsigned long long bits);
float __sley_float(unsigned int bits);

_Bool __sley_nondet_bool(void);
char __sley_nondet_char(void);
unsigned char __sley_nondet_uchar(void);
short __sley_nondet_short(void);
unsigned short __sley_nondet_ushort(void);
int __sley_nondet_int(void);
unsigned int __sley_nondet_uint(void);
long __sley_nondet_long(void);
unsigned long __sley_nondet_ulong(void);
long long __sley_nondet_longlong(void);
unsigned long long __sley_nondet_ulonglong(void);
float __sley_nondet_float(void);
double __sley_nondet_double(void);
void *__sley_nondet_pointer(void);

// What a library function computes from what it is given, which we do not: a bug that rests on such a value is
// a possible one only.
_Bool __sley_unknown_bool(const char *function);
char __sley_unknown_char(const char *function);
int __sley_unknown_int(const char *function);
unsigned int __sley_unknown_uint(const char *function);
long __sley_unknown_long(const char *function);
unsigned long __sley_unknown_ulong(const char *function);
long long __sley_unknown_longlong(const char *function);
unsigned long long __sley_unknown_ulonglong(const char *function);
float __sley_unknown_float(const char *function);
double __sley_unknown_double(const char *function);

// What the world outside does not go beyond.
enum {
    SLEY_LATEST_TIME = 2130000000,            // seconds: some months before 2038, when 31 bits are used up
    SLEY_MOST_PROCESSES = 1 << 22,
    SLEY_LONGEST_TEXT = 1 << 17,              // what Linux takes for an argument or a variable of the environment
};

// Error numbers of Linux.
enum {
    SLEY_ERRORS = 134,                        // all are below
    SLEY_EPERM = 1,
    SLEY_ENOENT = 2,
    SLEY_ESRCH = 3,
    SLEY_EINTR = 4,
    SLEY_EBADF = 9,
    SLEY_EAGAIN = 11,
    SLEY_ENOMEM = 12,
    SLEY_EBUSY = 16,
    SLEY_EEXIST = 17,
    SLEY_EINVAL = 22,
    SLEY_ENOTTY = 25,
    SLEY_ESPIPE = 29,
    SLEY_EPIPE = 32,
    SLEY_EDOM = 33,
    SLEY_ERANGE = 34,
    SLEY_EDEADLK = 35,
    SLEY_EOVERFLOW = 75,
    SLEY_ENOTSUP = 95,
    SLEY_ETIMEDOUT = 110,
    SLEY_EOWNERDEAD = 130,
    SLEY_ENOTRECOVERABLE = 131,
};

// What functions do with `errno` (errno.c). Those that fail set it; a function that may fail for more reasons than
// POSIX lists, such as one of files, may set it to any number but 0. No function sets it to 0 (C11 7.5p3).
int sley_fails(void);                         // to any; -1
int sley_any_error(void);                     // a number but 0, to be returned
int sley_fails_with(int error);               // -1
void sley_sets_errno(int error);
void sley_may_set_errno(int error);           // C leaves it open, Linux does it
void sley_might_set_errno(int error);         // C leaves it open, Linux does not
void sley_touches_errno(void);                // a success may leave any number there, too (POSIX errno)

// --- streams (streams.c) ----------------------------------------------------------------------------
// A stream lives from when it is opened to when it is closed; the three standard ones are there from the start.

enum { SLEY_AT_END = 1, SLEY_IN_ERROR = 2 };                // indicators
enum { SLEY_READS = 1, SLEY_WRITES = 2, SLEY_IS_PIPE = 4, SLEY_UPDATES = 8 };
enum { SLEY_MOVED = -1, SLEY_ANYWHERE = -2 };               // positions that are not known
enum { SLEY_MAY_SEEK, SLEY_SEEKS, SLEY_SEEKS_NEVER };

struct sley_stream {
    _Atomic int is_closed;                    // one that was there from the start
    _Atomic int refuses;                      // to be read, to be written; whether it leads to a command; is for update
    _Atomic int last;                         // of one for update: whether it was read or written since it was flushed or moved
    _Atomic int flushes;                      // how often all streams had been flushed then
    _Atomic int indicators;
    _Atomic int pushed;                       // the character that was pushed back, and one
    _Atomic int descriptor;
    _Atomic int owner;                        // handle of the thread that has locked it, 0 if none has
    _Atomic int depth;                        // how often
    _Atomic int seeks;
    _Atomic long position;
    char used;                                // written by every use, so that unlocked ones race
};

// What is observed: the rest need not be kept.
#define SLEY_SEES_INDICATORS __sley_mentions("feof|ferror|feof_unlocked|ferror_unlocked")
#define SLEY_SEES_POSITIONS __sley_mentions("ftell|ftello|fgetpos")
#define SLEY_SEES_DESCRIPTORS                                                                                        \
    (__sley_mentions("fileno|fdopen|open|openat|creat|close|dup|dup2|dup3|fcntl|mkstemp|shm_open")                    \
     || __sley_mentions("pipe|pipe2|socket|accept|accept4|epoll_create|epoll_create1"))

extern struct sley_stream sley_standard_input, sley_standard_output, sley_standard_error;

// What the user has as `FILE *`. On a real machine, standard streams are those of its library.
#ifndef SLEY_STREAM
#define SLEY_STREAM(file) ((struct sley_stream *)(file))
#endif

void sley_uses(struct sley_stream *stream);   // whatever it is for: it has to be open
void sley_uses_unlocked(struct sley_stream *stream);
_Bool sley_reads(struct sley_stream *stream);           // false if that fails at once; then it is set why
_Bool sley_writes(struct sley_stream *stream);          // false if it fails
void sley_finds_end(struct sley_stream *stream);        // or an error; one of the indicators is set
void sley_finds_error(struct sley_stream *stream);
int sley_any_failure(void);                   // 0, or -1 with `errno`

// Which descriptors are open (descriptors.c).
enum { SLEY_IS_CLOSED, SLEY_IS_OPEN, SLEY_IS_UNKNOWN };
int sley_opens(void);                         // the lowest number that is not open
_Bool sley_opens_at(int descriptor);          // this one; true if it is none
int sley_closes(int descriptor);              // what it was before
int sley_descriptor_state(int descriptor);
_Bool sley_may_be_bad(int descriptor, int state);
_Bool sley_is_bad(int descriptor);            // whether it is not open

// The insides of library objects: a type T of the user's headers has the layout of `struct sley_T`, whatever
// the headers say (they only decide its size, which is never smaller). All zero is what the static
// initialisers of the library mean; so a zeroed mutex, condition or read-write lock is as good as initialised.

enum { SLEY_ZEROED = 0, SLEY_READY = 1, SLEY_CLOSED = 2, SLEY_DESTROYED = -1 };

// What functions that make such objects rely on: the errors ENOMEM, EAGAIN and ENOSPC are left out.
#define SLEY_ROOM "the thread library has room for all objects"

// Attributes: what was not initialised, or was destroyed, has other bits here; the lower ones are the attributes.
enum { SLEY_ATTRIBUTES = 0x5a000000, SLEY_NO_ATTRIBUTES = 0x2d000000, SLEY_ATTRIBUTES_MASK = 0x7f000000 };
void sley_check_attributes(int bits);
int sley_initialise_attributes(_Atomic int *bits);
int sley_destroy_attributes(_Atomic int *bits);
int sley_attribute(const _Atomic int *bits, int shift, int most);
int sley_set_attribute(_Atomic int *bits, int shift, int most, int value);    // EINVAL if it is more, or negative

// Deadlines: `struct timespec`, which is an error only where it has to be looked at.
struct sley_deadline {
    long seconds;
    long fraction;
};
_Bool sley_is_deadline(const struct sley_deadline *deadline);
_Bool sley_has_deadlines(int clock);

enum {
    SLEY_MUTEX_NORMAL = 0,
    SLEY_MUTEX_RECURSIVE = 1,
    SLEY_MUTEX_ERRORCHECK = 2,
    SLEY_MUTEX_KINDS = 3,
    SLEY_MUTEX_TIMED = 8,                     // of C11: it may be locked with a deadline
    SLEY_MUTEX_ROBUST = 16,
    SLEY_MUTEX_OWNER_DIED = 32,
    SLEY_MUTEX_UNRECOVERABLE = 64,
    SLEY_MUTEX_BITS = 127,
    SLEY_MUTEX_DESTROYED = SLEY_DESTROYED,
};

struct sley_pthread_mutex_t {
    _Atomic int owner;                        // handle of the thread that holds it, 0 if none does
    _Atomic unsigned int depth;               // recursive: how often it is locked beyond the first time;
                                              // not recoverable: handle of the last owner
    _Atomic int is_initialised;               // by a call; only initialisation and destruction ask
#if __SIZEOF_LONG__ == 8
    _Atomic int unused;                       // puts `kind` where the static initialisers of Linux put it
#endif
    _Atomic int kind;
};

struct sley_pthread_mutexattr_t {
    _Atomic int bits;                         // kind, 16 if robust, then what is only kept
};

struct sley_pthread_cond_t {
    _Atomic unsigned long long waiters;       // the set of threads that wait: bit (handle - 1)
    struct sley_pthread_mutex_t *_Atomic mutex;    // which they have released, null if no thread waits
    _Atomic int state;
    _Atomic int is_initialised;
};

struct sley_pthread_condattr_t {
    _Atomic int bits;
};

struct sley_pthread_rwlock_t {
    _Atomic int writer;                       // handle of the thread that may write, 0 if none may
    _Atomic int waiting;                      // how many are blocked that want to write
    _Atomic unsigned long long readers;       // how many read locks each thread holds, in four bits each
    _Atomic int state;
    _Atomic int is_initialised;
};

struct sley_pthread_rwlockattr_t {
    _Atomic int kind;
    _Atomic int bits;
};

struct sley_pthread_barrier_t {
    _Atomic unsigned long long waiters;       // the set of threads that wait: bit (handle - 1)
    _Atomic unsigned int needed;              // how many set them free
    _Atomic unsigned short arrived;           // how many they are
    _Atomic short state;
};

struct sley_pthread_barrierattr_t {
    _Atomic int bits;
};

struct sley_pthread_attr_t {
    _Atomic int bits;                         // only whether it is initialised
    _Atomic int detached;
    _Atomic int policy;
    _Atomic int priority;
    _Atomic int inherit;
    _Atomic int scope;
    _Atomic sley_size guard;                  // plus 1; 0 is what the library chooses
    _Atomic sley_size size;                   // of the stack; 0 is what the library chooses
};

struct sley_sem_t {
    _Atomic unsigned int value;
    _Atomic int state;
};

struct sley_mtx_t {
    struct sley_pthread_mutex_t mutex;
};

struct sley_cnd_t {
    struct sley_pthread_cond_t condition;
};

struct sley_CRITICAL_SECTION {
    _Atomic int owner;
    _Atomic unsigned int depth;
    _Atomic int state;
};

struct sley_SRWLOCK {
    _Atomic int writer;
    _Atomic unsigned int readers;             // the set of threads that read: bit (handle - 1)
};

struct sley_CONDITION_VARIABLE {
    _Atomic unsigned long long waiters;
};

struct sley_INIT_ONCE {
    _Atomic int state;
    _Atomic int unused;
};

struct sley_SYNCHRONIZATION_BARRIER {
    struct sley_pthread_barrier_t barrier;
};

#endif
