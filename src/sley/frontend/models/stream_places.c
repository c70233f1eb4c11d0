// Where a stream is in its file, and which descriptor it has.
#include "sley.h"

// --- positions --------------------------------------------------------------------------------------
// What is read or written is not counted: after it, a position is any. From a call of `ftell` to the next move it stays.

static int sought(struct sley_stream *stream, long position)
{
    stream->seeks = SLEY_SEEKS;
    stream->position = position;
    stream->pushed = 0;
    if (SLEY_SEES_INDICATORS) {
        __sley_atomic_begin();
        stream->indicators = stream->indicators & ~SLEY_AT_END;
        __sley_atomic_end();
    }
    sley_touches_errno();
    return 0;
}

enum { FROM_START, FROM_HERE, FROM_END, MOST_ORIGINS = 4 };     // Linux looks for data and holes, too

int fseek(void *file, long offset, int origin)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    sley_uses(stream);
    stream->last = 0;
    if (origin < 0 || origin > MOST_ORIGINS || (origin == FROM_START && offset < 0))
        return sley_fails_with(SLEY_EINVAL);
    if (stream->seeks == SLEY_SEEKS_NEVER)
        return sley_fails_with(SLEY_ESPIPE);
    if (__sley_nondet_bool())
        return sley_fails();
    return sought(stream, origin == FROM_START ? offset : origin == FROM_END ? SLEY_ANYWHERE : SLEY_MOVED);
}

int fseeko(void *file, long offset, int origin)
{
    return fseek(file, offset, origin);
}

// If the position cannot change, only `errno` tells.
void rewind(void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    sley_uses(stream);
    stream->position = 0;
    stream->pushed = 0;
    stream->last = 0;
    stream->indicators = 0;
    sley_touches_errno();
}

// What is found stays: of two threads that ask, the second gets what the first has found.
static long found_position(struct sley_stream *stream, long before)
{
    long found;
    if (before == SLEY_ANYWHERE)
        found = __sley_nondet_long();
    else
        found = __sley_unknown_long("ftell");
    __sley_assume(found >= 0);
    __sley_atomic_begin();
    if (stream->position == before)
        stream->position = found;
    else if (stream->position >= 0)
        found = stream->position;
    __sley_atomic_end();
    return found;
}

static _Bool is_seekable(struct sley_stream *stream)
{
    int found = __sley_nondet_bool() ? SLEY_SEEKS : SLEY_SEEKS_NEVER;
    __sley_atomic_begin();
    int seeks = stream->seeks;
    if (seeks == SLEY_MAY_SEEK)
        stream->seeks = seeks = found;
    __sley_atomic_end();
    return seeks == SLEY_SEEKS;
}

long ftell(void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    sley_uses(stream);
    if (!is_seekable(stream))
        return sley_fails_with(SLEY_ESPIPE);
    sley_touches_errno();
    long position = stream->position;
    return position < 0 ? found_position(stream, position) : position;
}

long ftello(void *file)
{
    return ftell(file);
}

// A position begins with its number.
int fgetpos(void *file, long *position)
{
    long found = ftell(file);
    if (found < 0)
        return -1;
    *position = found;
    return 0;
}

int fsetpos(void *file, const long *position)
{
    return fseek(file, *position, FROM_START);
}

// --- descriptors ------------------------------------------------------------------------------------

static int standard_descriptor(struct sley_stream *stream)
{
    if (stream == &sley_standard_input)
        return 0;
    if (stream == &sley_standard_output)
        return 1;
    return stream == &sley_standard_error ? 2 : -1;
}

static int descriptor_of(struct sley_stream *stream)
{
    int standard = standard_descriptor(stream);
    return standard >= 0 ? standard : stream->descriptor - 1;
}

void sley_closes_stream(struct sley_stream *stream)
{
    sley_closes(descriptor_of(stream));
}

int fileno(void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    sley_uses(stream);
    sley_touches_errno();
    return descriptor_of(stream);
}
