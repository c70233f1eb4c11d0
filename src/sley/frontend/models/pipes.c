// Pipes: what is written at one end is read at the other one, in order. A reader waits for bytes, or for the last
// writer to be gone.
#include "sley.h"

enum { MOST_PIPES = 3, ROOM = 64, GONE = -1 };

struct pipe {
    int reader, writer;                       // their descriptors
    sley_size count;
    unsigned char bytes[ROOM];
};

static struct pipe sley_pipes[MOST_PIPES];    // only looked at in atomic sections
static int sley_pipe_count;

int pipe(int *descriptors)
{
    __sley_rely_on("what is written to a pipe happens before it is read");
    if (__sley_nondet_bool())
        return sley_fails();
    int reader = sley_opens(), writer = sley_opens();
    __sley_atomic_begin();
    int place = sley_pipe_count;
    _Bool has_room = place < MOST_PIPES;
    if (has_room) {
        sley_pipes[place].reader = reader;
        sley_pipes[place].writer = writer;
        sley_pipe_count = place + 1;
    }
    __sley_atomic_end();
    if (!has_room)
        __sley_give_up("more than three pipes");
    descriptors[0] = reader;
    descriptors[1] = writer;
    sley_touches_errno();
    return 0;
}

int pipe2(int *descriptors, int flags)
{
    enum { CLOSED_BY_EXEC = 02000000 };
    if (flags & ~CLOSED_BY_EXEC)
        __sley_give_up("a pipe that does not wait");
    return pipe(descriptors);
}

// In atomic sections: the pipe of which a descriptor is an end, or null.
static struct pipe *read_by(int descriptor)
{
    for (int at = 0; at < sley_pipe_count; at++)
        if (sley_pipes[at].reader == descriptor)
            return &sley_pipes[at];
    return 0;
}

static struct pipe *written_by(int descriptor)
{
    for (int at = 0; at < sley_pipe_count; at++)
        if (sley_pipes[at].writer == descriptor)
            return &sley_pipes[at];
    return 0;
}

_Bool sley_is_end_of_pipe(int descriptor)
{
    __sley_atomic_begin();
    _Bool is_end = read_by(descriptor) || written_by(descriptor);
    __sley_atomic_end();
    return is_end;
}

// Which end it is, is seen before anything else can fail.
static _Bool is_reader(int descriptor)
{
    __sley_atomic_begin();
    _Bool is_one = read_by(descriptor) != 0;
    __sley_atomic_end();
    return is_one;
}

void sley_close_end_of_pipe(int descriptor)
{
    __sley_atomic_begin();
    struct pipe *read = read_by(descriptor), *written = written_by(descriptor);
    if (read)
        read->reader = GONE;
    if (written)
        written->writer = GONE;
    __sley_atomic_end();
}

// Waits for bytes, and takes what there is; none if there are no writers any more.
static long take(int descriptor, unsigned char *bytes, sley_size most)
{
    __sley_atomic_begin();
    struct pipe *from = read_by(descriptor);
    __sley_await(!from || from->count > 0 || from->writer == GONE);
    sley_size count = !from ? 0 : from->count < most ? from->count : most;
    for (sley_size at = 0; at < count; at++)
        bytes[at] = from->bytes[at];
    if (count) {
        for (sley_size at = count; at < from->count; at++)
            from->bytes[at - count] = from->bytes[at];
        from->count -= count;
    }
    __sley_atomic_end();
    return from ? (long)count : sley_fails_with(SLEY_EBADF);
}

long sley_reads_pipe(int descriptor, char *target, sley_size most)
{
    unsigned char bytes[ROOM];
    if (!is_reader(descriptor))
        return sley_fails_with(SLEY_EBADF);
    if (__sley_nondet_bool())
        return sley_fails();
    if (most == 0)
        return 0;
    long count = take(descriptor, bytes, most);
    for (long at = 0; at < count; at++)
        target[at] = (char)bytes[at];
    sley_touches_errno();
    return count;
}

// What a writer without a reader gets: a signal, whose default action ends the process.
static long write_in_vain(void)
{
    if (!__sley_unknown_bool("write"))
        __sley_end(1);
    return sley_fails_with(SLEY_EPIPE);
}

// All or nothing goes into a pipe at once, as far as we have room for it (POSIX write: up to PIPE_BUF bytes).
long sley_writes_pipe(int descriptor, const char *source, sley_size size)
{
    unsigned char bytes[ROOM];
    if (is_reader(descriptor))
        return sley_fails_with(SLEY_EBADF);
    if (size > ROOM)
        __sley_give_up("more than 64 bytes are written to a pipe at once");
    for (sley_size at = 0; at < size; at++)
        bytes[at] = (unsigned char)source[at];
    if (__sley_nondet_bool())
        return sley_fails();
    __sley_atomic_begin();
    struct pipe *to = written_by(descriptor);
    _Bool is_closed = !to, is_broken = to && to->reader == GONE;
    _Bool is_full = to && to->count + size > ROOM;
    if (!is_closed && !is_broken && !is_full) {
        for (sley_size at = 0; at < size; at++)
            to->bytes[to->count + at] = bytes[at];
        to->count += size;
    }
    __sley_atomic_end();
    if (is_closed)
        return sley_fails_with(SLEY_EBADF);
    if (is_broken)
        return write_in_vain();
    if (is_full)
        __sley_give_up("more than 64 bytes are in a pipe");
    sley_touches_errno();
    return (long)size;
}
