// Streams and their lives: open, closed, locked. Whatever a file holds is arbitrary, and every call may fail.
#include "sley.h"

sley_size strlen(const char *text);
void free(void *block);
void sley_closes_stream(struct sley_stream *stream);

struct sley_stream sley_standard_input, sley_standard_output, sley_standard_error;

// A program cannot free a stream: it begins inside of its block.
struct block {
    _Atomic long unused[2];
    struct sley_stream stream;
};

static void read_text(const char *text)
{
    if (!__sley_is_text(text))
        strlen(text);
}

int sley_any_failure(void)
{
    if (__sley_nondet_bool())
        return sley_fails();
    sley_touches_errno();
    return 0;
}

// --- being used -------------------------------------------------------------------------------------

#define LOCKING "flockfile|ftrylockfile"
#define UNLOCKED "\\w+_unlocked"

static _Thread_local int sley_pretended;      // locks of streams that are held without having waited for them

static _Bool owns(struct sley_stream *stream)
{
    return __sley_mentions(LOCKING) && (stream->owner == (int)__sley_self() || sley_pretended > 0);
}

// Every function locks the stream (C11 7.21.2p8) but the unlocked ones, which race unless the thread has done so.
static void use(struct sley_stream *stream, _Bool locks)
{
    __sley_check(!stream->is_closed, "deref", "closed-stream", "the stream is closed");
    if (__sley_mentions(LOCKING) && locks && !owns(stream)) {
        __sley_atomic_begin();
        __sley_await(stream->owner == 0);
        __sley_atomic_end();
    }
    if (__sley_mentions(UNLOCKED)) {
        if (locks || owns(stream))
            __atomic_store_n(&stream->used, 1, __ATOMIC_SEQ_CST);
        else
            stream->used = 1;
    }
}

void sley_uses(struct sley_stream *stream)
{
    use(stream, 1);
}

void sley_uses_unlocked(struct sley_stream *stream)
{
    use(stream, 0);
}

// --- locks ------------------------------------------------------------------------------------------

// Whether these locks order memory, POSIX does not say (XBD 4.12): a race that they prevent is a possible one.
void flockfile(void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    int self = (int)__sley_self();
    __sley_check(!stream->is_closed, "deref", "closed-stream", "the stream is closed");
    if (stream->owner != 0 && stream->owner != self && __sley_fails_anyway()) {
        __sley_assume(__sley_unknown_bool("flockfile"));
        sley_pretended++;
        return;
    }
    __sley_atomic_begin();
    __sley_await(stream->owner == 0 || stream->owner == self);
    stream->owner = self;
    stream->depth++;
    __sley_atomic_end();
}

int ftrylockfile(void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    int self = (int)__sley_self();
    __sley_check(!stream->is_closed, "deref", "closed-stream", "the stream is closed");
    __sley_atomic_begin();
    _Bool is_free = stream->owner == 0 || stream->owner == self;
    if (is_free) {
        stream->owner = self;
        stream->depth++;
    }
    __sley_atomic_end();
    return is_free ? 0 : 1;
}

void funlockfile(void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    __sley_check(!stream->is_closed, "deref", "closed-stream", "the stream is closed");
    if (sley_pretended > 0) {
        sley_pretended--;
        return;
    }
    __sley_check(stream->owner == (int)__sley_self(), "misuse", "not-owner",
                 "a stream is unlocked that the thread has not locked");
    __sley_atomic_begin();
    int depth = stream->depth - 1;
    stream->depth = depth;
    if (depth == 0)
        stream->owner = 0;
    __sley_atomic_end();
}

// --- opening ----------------------------------------------------------------------------------------

enum { NO_MODE = -1 };

// What a stream of a mode refuses (C11 7.21.5.3); of one from outside it is unknown.
static int refused(const char *mode)
{
    if (__sley_is_text(mode))
        return 0;
    _Bool is_update = 0;
    for (const char *next = mode; *next; next++)
        is_update = is_update || *next == '+';
    char first = mode[0];
    if (first != 'r' && first != 'w' && first != 'a')
        return NO_MODE;
    return is_update ? SLEY_UPDATES : first == 'r' ? SLEY_WRITES : SLEY_READS;
}

// Where a stream begins to append is left open (POSIX fopen).
static long beginning(const char *mode)
{
    return mode[0] == 'a' ? SLEY_ANYWHERE : 0;
}

enum { NEW_DESCRIPTOR = -1 };

// A stream of a descriptor, or of the lowest one that is free.
static struct sley_stream *opened(int refuses, long position, int seeks, int descriptor)
{
    if (__sley_nondet_bool()) {
        sley_fails();
        return 0;
    }
    struct block *made = __sley_kept_block(sizeof(struct block));
    struct sley_stream *stream = &made->stream;
    if (refuses)
        stream->refuses = refuses;
    if (SLEY_SEES_POSITIONS)
        stream->position = position;
    if (seeks != SLEY_MAY_SEEK)
        stream->seeks = seeks;
    if (SLEY_SEES_DESCRIPTORS)
        stream->descriptor = (descriptor == NEW_DESCRIPTOR ? sley_opens() : descriptor) + 1;
    sley_touches_errno();
    return stream;
}

static struct sley_stream *no_stream(int error)
{
    sley_fails_with(error);
    return 0;
}

void *fopen(const char *path, const char *mode)
{
    read_text(path);
    int refuses = refused(mode);
    return refuses == NO_MODE ? no_stream(SLEY_EINVAL) : opened(refuses, beginning(mode), SLEY_MAY_SEEK, NEW_DESCRIPTOR);
}

// The position is that of the descriptor.
void *fdopen(int descriptor, const char *mode)
{
    int refuses = refused(mode);
    if (sley_is_bad(descriptor))
        return no_stream(SLEY_EBADF);
    if (refuses == NO_MODE)
        return no_stream(SLEY_EINVAL);
    return opened(refuses, SLEY_MOVED, SLEY_MAY_SEEK, descriptor);
}

void *tmpfile(void)
{
    return opened(SLEY_UPDATES, 0, SLEY_SEEKS, NEW_DESCRIPTOR);
}

void *popen(const char *command, const char *mode)
{
    read_text(command);
    int refuses = refused(mode);
    if (refuses == NO_MODE)
        return no_stream(SLEY_EINVAL);
    return opened(refuses | SLEY_IS_PIPE, 0, SLEY_SEEKS_NEVER, NEW_DESCRIPTOR);
}

// --- closing ----------------------------------------------------------------------------------------

static _Bool is_standard(struct sley_stream *stream)
{
    return stream == &sley_standard_input || stream == &sley_standard_output || stream == &sley_standard_error;
}

static void end(struct sley_stream *stream)
{
    sley_uses(stream);
    if (SLEY_SEES_DESCRIPTORS)
        sley_closes_stream(stream);
    if (is_standard(stream))
        stream->is_closed = 1;
    else
        free((char *)stream - __builtin_offsetof(struct block, stream));
}

// Whether or not it fails, the stream is closed (C11 7.21.5.1p2).
int fclose(void *file)
{
    end(SLEY_STREAM(file));
    return sley_any_failure();
}

// How the command ended, or -1.
int pclose(void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    __sley_check((stream->refuses & SLEY_IS_PIPE) != 0, "misuse", "pclose", "pclose of a stream that popen has not made");
    end(stream);
    if (__sley_nondet_bool())
        return sley_fails();
    sley_touches_errno();
    int status = __sley_nondet_int();
    __sley_assume(0 <= status && status <= 0xffff);
    return status;
}

// The stream is closed if it is not opened again (C11 7.21.5.4). Without a path only the mode changes.
void *freopen(const char *path, const char *mode, void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    if (path)
        read_text(path);
    int refuses = refused(mode);
    sley_uses(stream);
    if (refuses == NO_MODE || __sley_nondet_bool()) {
        end(stream);
        sley_fails();
        return 0;
    }
    stream->refuses = refuses;
    stream->indicators = 0;
    stream->pushed = 0;
    stream->last = 0;
    stream->position = beginning(mode);
    stream->seeks = SLEY_MAY_SEEK;
    sley_touches_errno();
    return file;
}

// --- files by their names ---------------------------------------------------------------------------

int remove(const char *path)
{
    read_text(path);
    return sley_any_failure();
}

int rename(const char *from, const char *to)
{
    read_text(from);
    read_text(to);
    return sley_any_failure();
}
