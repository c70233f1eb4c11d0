// Reading from streams and writing to them: what comes is arbitrary, and both may fail at any time.
//
// The functions with formats are lowered by the front end, which calls `sley_…` here.
#include "sley.h"

sley_size strlen(const char *text);
void *realloc(void *block, sley_size size);

// Where the indicators are never read, an end of the file is not told from an error, after which the next call may read
// something again.
static void set(struct sley_stream *stream, int indicator)
{
    if (!SLEY_SEES_INDICATORS)
        return;
    __sley_atomic_begin();
    stream->indicators = stream->indicators | indicator;
    __sley_atomic_end();
}

void sley_finds_error(struct sley_stream *stream)
{
    set(stream, SLEY_IN_ERROR);
    sley_fails();
}

// Output may follow input that has met the end of the file.
static void ends_turn(struct sley_stream *stream)
{
    if (stream->refuses & SLEY_UPDATES)
        stream->last = 0;
}

// What comes back to a reader instead of a character comes with an indicator (C11 7.21.7.1p3).
void sley_finds_end(struct sley_stream *stream)
{
    if (__sley_nondet_bool()) {
        set(stream, SLEY_AT_END);
        ends_turn(stream);
        sley_touches_errno();
    } else {
        sley_finds_error(stream);
    }
}

static void moves(struct sley_stream *stream)
{
    if (SLEY_SEES_POSITIONS)
        stream->position = SLEY_MOVED;
}

static _Atomic int all_flushed;               // how often

// Between output and input, in either order, a stream for update is flushed or moved (C11 7.21.5.3p7).
static void takes_turn(struct sley_stream *stream, int what)
{
    if (!(stream->refuses & SLEY_UPDATES))
        return;
    int last = stream->last;
    __sley_check(last != SLEY_WRITES || what == last || stream->flushes != all_flushed, "misuse", "input-after-output",
                 "a stream is read after it was written, without fflush, fseek, fsetpos or rewind in between");
    __sley_check(last != SLEY_READS || what == last, "misuse", "output-after-input",
                 "a stream is written after it was read, without fseek, fsetpos or rewind in between");
    stream->last = what;
    stream->flushes = all_flushed;
}

static _Bool refuses(struct sley_stream *stream, int what)
{
    sley_uses(stream);
    takes_turn(stream, what);
    if (!(stream->refuses & what)) {
        moves(stream);
        return 0;
    }
    set(stream, SLEY_IN_ERROR);
    sley_fails_with(SLEY_EBADF);
    return 1;
}

// --- reading ----------------------------------------------------------------------------------------

_Bool sley_reads(struct sley_stream *stream)
{
    if (refuses(stream, SLEY_READS))
        return 0;
    return !SLEY_SEES_INDICATORS || !(stream->indicators & SLEY_AT_END);
}

// The character that was pushed back, and one; 0 if there is none.
static int take_pushed(struct sley_stream *stream)
{
    if (!__sley_mentions("ungetc"))
        return 0;
    __sley_atomic_begin();
    int pushed = stream->pushed;
    if (pushed)
        stream->pushed = 0;
    __sley_atomic_end();
    return pushed;
}

static int next_character(struct sley_stream *stream)
{
    _Bool may_read = sley_reads(stream);
    int pushed = take_pushed(stream);
    if (pushed)
        return pushed - 1;
    if (!may_read)
        return -1;
    int character = __sley_nondet_int();
    __sley_assume(-1 <= character && character <= 255);
    if (character < 0)
        sley_finds_end(stream);
    else
        sley_touches_errno();
    return character;
}

// A read of more than a character begins, and ends with fewer than there should be, or with all.
_Bool sley_begins_reading(void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    _Bool may_read = sley_reads(stream);
    return take_pushed(stream) || may_read;
}

void sley_sets_buffer(void *file)
{
    sley_uses(SLEY_STREAM(file));
    sley_touches_errno();
}

// The same for a scan, which the end of the file, or an error, may stop behind what was read. A stream at -1 is the
// standard input.
_Bool sley_read_from(void *file)
{
    struct sley_stream *stream = file == (void *)-1L ? &sley_standard_input : SLEY_STREAM(file);
    _Bool may_read = sley_begins_reading(stream);
    if (may_read && SLEY_SEES_INDICATORS && __sley_nondet_bool())
        sley_finds_end(stream);
    else
        sley_touches_errno();
    return may_read;
}

void sley_end_of_stream(void *file)
{
    struct sley_stream *stream = file == (void *)-1L ? &sley_standard_input : SLEY_STREAM(file);
    if (!SLEY_SEES_INDICATORS || !stream->indicators)
        sley_finds_end(stream);
}

void *sley_output(void)
{
    return &sley_standard_output;
}

void sley_ends_reading(void *file, _Bool is_short)
{
    if (is_short)
        sley_finds_end(SLEY_STREAM(file));
    else
        sley_touches_errno();
}

int getc(void *file)
{
    return next_character(SLEY_STREAM(file));
}

int fgetc(void *file)
{
    return next_character(SLEY_STREAM(file));
}

int getchar(void)
{
    return next_character(&sley_standard_input);
}

// There is room for one character (C11 7.21.7.10p3).
int ungetc(int character, void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    sley_uses(stream);
    if (character == -1)
        return -1;
    takes_turn(stream, SLEY_READS);
    if (stream->pushed)
        __sley_give_up("a second character is pushed back with ungetc");
    stream->pushed = (unsigned char)character + 1;
    moves(stream);
    if (SLEY_SEES_INDICATORS) {
        __sley_atomic_begin();
        stream->indicators = stream->indicators & SLEY_IN_ERROR;
        __sley_atomic_end();
    }
    return (unsigned char)character;
}

// What is read up to a newline, or the end of the file, or as long as there is room: one character at least, and a
// zero behind. Characters may be zero, too. After an error there is no such zero. How many there are; 0: none.
static sley_size read_line(char *target, sley_size most, struct sley_stream *stream)
{
    _Bool may_read = sley_reads(stream);
    int pushed = take_pushed(stream);
    if (!pushed) {
        if (!may_read)
            return 0;
        if (__sley_nondet_bool()) {
            sley_finds_end(stream);
            return 0;
        }
    }
    sley_size at = 0;
    char last = pushed ? (char)(pushed - 1) : __sley_nondet_char();
    while (at + 1 < most && __sley_nondet_bool()) {
        __sley_assume(last != '\n');
        target[at++] = last;
        last = __sley_nondet_char();
    }
    target[at++] = last;
    if (__sley_nondet_bool()) {
        __sley_assume(at < most && last != '\n');
        sley_finds_error(stream);
        return 0;
    }
    target[at] = 0;
    if (at < most && last != '\n') {
        if (SLEY_SEES_INDICATORS)
            set(stream, SLEY_AT_END);
        ends_turn(stream);
    }
    sley_touches_errno();
    return at;
}

char *fgets(char *target, int size, void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    if (size <= 0)
        __sley_give_up("fgets with a size that is not positive");
    if (size == 1) {
        sley_uses(stream);
        target[0] = 0;
        return target;
    }
    return read_line(target, size - 1, stream) ? target : 0;
}

// A line goes into a block that is made, or grown, as needed.
long getline(char **line, sley_size *size, void *file)
{
    enum { LONGEST_LINE = 40 };
    struct sley_stream *stream = SLEY_STREAM(file);
    __sley_rely_on("getline reads lines of less than 40 characters");
    sley_uses(stream);
    if (!line || !size)
        return sley_fails_with(SLEY_EINVAL);
    if (!*line || *size < LONGEST_LINE) {
        char *grown = realloc(*line, LONGEST_LINE);
        if (!grown)
            return -1;
        *line = grown;
        *size = LONGEST_LINE;
    }
    sley_size count = read_line(*line, LONGEST_LINE - 1, stream);
    return count ? (long)count : -1;
}

// --- writing ----------------------------------------------------------------------------------------

_Bool sley_writes(struct sley_stream *stream)
{
    if (refuses(stream, SLEY_WRITES))
        return 0;
    if (__sley_nondet_bool()) {
        sley_finds_error(stream);
        return 0;
    }
    sley_touches_errno();
    return 1;
}

_Bool sley_writes_to(void *file)
{
    return sley_writes(SLEY_STREAM(file));
}

_Bool sley_prints(void)
{
    return sley_writes(&sley_standard_output);
}

// Nothing to be written may be all there is.
_Bool sley_flushes(void *file)
{
    if (!file) {
        if (__sley_mentions("fopen|fdopen|freopen|tmpfile"))
            all_flushed = all_flushed + 1;
        return !sley_any_failure();
    }
    struct sley_stream *stream = SLEY_STREAM(file);
    int last = stream->last;
    ends_turn(stream);
    _Bool is_flushed = sley_writes(stream);
    if (stream->refuses & SLEY_UPDATES)
        stream->last = last == SLEY_READS ? last : 0;    // what was read is not flushed
    return is_flushed;
}

// The text that goes in front of the message may be missing.
void perror(const char *text)
{
    if (text && !__sley_is_text(text))
        strlen(text);
    sley_writes(&sley_standard_error);
}

// --- indicators -------------------------------------------------------------------------------------

static int is_set(struct sley_stream *stream, int indicator)
{
    int result = __sley_nondet_int();
    __sley_assume(result != 0);
    return stream->indicators & indicator ? result : 0;
}

int feof(void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    sley_uses(stream);
    return is_set(stream, SLEY_AT_END);
}

int ferror(void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    sley_uses(stream);
    return is_set(stream, SLEY_IN_ERROR);
}

void clearerr(void *file)
{
    struct sley_stream *stream = SLEY_STREAM(file);
    sley_uses(stream);
    stream->indicators = 0;
}

// --- the same without locks -------------------------------------------------------------------------

int getc_unlocked(void *file)
{
    sley_uses_unlocked(SLEY_STREAM(file));
    return getc(file);
}

int fgetc_unlocked(void *file)
{
    sley_uses_unlocked(SLEY_STREAM(file));
    return getc(file);
}

int getchar_unlocked(void)
{
    sley_uses_unlocked(&sley_standard_input);
    return getchar();
}

char *fgets_unlocked(char *target, int size, void *file)
{
    sley_uses_unlocked(SLEY_STREAM(file));
    return fgets(target, size, file);
}

int feof_unlocked(void *file)
{
    sley_uses_unlocked(SLEY_STREAM(file));
    return feof(file);
}

int ferror_unlocked(void *file)
{
    sley_uses_unlocked(SLEY_STREAM(file));
    return ferror(file);
}

void clearerr_unlocked(void *file)
{
    sley_uses_unlocked(SLEY_STREAM(file));
    clearerr(file);
}
