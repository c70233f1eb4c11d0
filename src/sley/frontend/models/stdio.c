// Streams and files: what is read is arbitrary, what is written is only looked at.
//
// The functions with formats are lowered by the front end, which calls the first ones here.
#include "sley.h"

int *__errno_location(void);
sley_size strlen(const char *text);

// Somebody looks at a text; of one from outside, it does not matter how long it is.
static void read_text(const char *text)
{
    if (!__sley_is_text(text))
        strlen(text);
}
sley_size strnlen(const char *text, sley_size most);
void *realloc(void *block, sley_size size);

// --- reading ----------------------------------------------------------------------------------------

// At most so many characters, of which none is zero, and a zero.
void sley_any_text(char *target, sley_size most)
{
    sley_size at = 0;
    for (; at < most && __sley_nondet_bool(); at++) {
        char character = __sley_nondet_char();
        __sley_assume(character != 0);
        target[at] = character;
    }
    target[at] = 0;
}

void sley_unknown_text(char *target, sley_size most)
{
    sley_size at = 0;
    for (; at < most && __sley_unknown_bool("sscanf"); at++) {
        char character = __sley_unknown_char("sscanf");
        __sley_assume(character != 0);
        target[at] = character;
    }
    target[at] = 0;
}

// --- the state of a stream --------------------------------------------------------------------------
// Which stream was found at its end or in error last, and which one a character was pushed back to.

enum { NOTHING_PUSHED = -1, IS_AT_END = 1, IS_IN_ERROR = 2 };

#define STANDARD_INPUT ((void *)-1L)

static void *_Atomic sley_ended_stream;
static _Atomic int sley_indicators;
static void *_Atomic sley_pushed_stream;
static _Atomic int sley_pushed;               // the character and one

// What comes back to a reader instead of a character comes with an indicator (C11 7.21.7.1p3).
void sley_end_of_stream(void *stream)
{
    int indicators = __sley_nondet_bool() ? IS_AT_END : IS_IN_ERROR;
    __sley_atomic_begin();
    sley_ended_stream = stream;
    sley_indicators = indicators;
    __sley_atomic_end();
}

static void clear(void *stream, int kept)
{
    __sley_atomic_begin();
    _Bool is_known = sley_ended_stream == stream;
    if (is_known || !kept) {
        sley_indicators = is_known ? sley_indicators & kept : 0;
        sley_ended_stream = stream;
    }
    __sley_atomic_end();
}

// For those who read more than a character, of whom it is not known where they leave the stream.
void sley_read_from(void *stream)
{
    if (sley_pushed && sley_pushed_stream == stream)
        __sley_give_up("something else than a character is read after ungetc");
    __sley_atomic_begin();
    if (sley_ended_stream == stream)
        sley_ended_stream = 0;
    __sley_atomic_end();
}

static void discard_pushed(void *stream)
{
    __sley_atomic_begin();
    if (sley_pushed && sley_pushed_stream == stream)
        sley_pushed = 0;
    __sley_atomic_end();
}

static int next_character(void *stream)
{
    __sley_atomic_begin();
    int pushed = sley_pushed_stream == stream ? sley_pushed : 0;
    if (pushed)
        sley_pushed = 0;
    _Bool is_at_end = sley_ended_stream == stream && (sley_indicators & IS_AT_END);
    __sley_atomic_end();
    if (pushed)
        return pushed - 1;
    if (is_at_end)
        return -1;
    int character = __sley_nondet_int();
    __sley_assume(-1 <= character && character <= 255);
    if (character < 0)
        sley_end_of_stream(stream);
    return character;
}

int getc(void *stream)
{
    return next_character(stream);
}

int fgetc(void *stream)
{
    return next_character(stream);
}

int getchar(void)
{
    return next_character(STANDARD_INPUT);
}

// There is room for one character (C11 7.21.7.10p3).
int ungetc(int character, void *stream)
{
    if (character == -1)
        return -1;
    if (sley_pushed)
        __sley_give_up("a second character is pushed back with ungetc");
    clear(stream, IS_IN_ERROR);
    __sley_atomic_begin();
    sley_pushed_stream = stream;
    sley_pushed = (unsigned char)character + 1;
    __sley_atomic_end();
    return (unsigned char)character;
}

// At the end of the stream nothing is written.
char *fgets(char *target, int size, void *stream)
{
    if (size <= 0)
        __sley_give_up("fgets with a size that is not positive");
    sley_read_from(stream);
    if (__sley_nondet_bool()) {
        sley_end_of_stream(stream);
        return 0;
    }
    sley_any_text(target, size - 1);
    return target;
}

// A line goes into a block that is made, or grown, as needed.
long getline(char **line, sley_size *size, void *stream)
{
    enum { LONGEST_LINE = 40 };
    __sley_rely_on("getline reads lines of less than 40 characters");
    sley_read_from(stream);
    if (!*line || *size < LONGEST_LINE) {
        char *grown = realloc(*line, LONGEST_LINE);
        if (!grown)
            return -1;
        *line = grown;
        *size = LONGEST_LINE;
    }
    if (__sley_nondet_bool()) {
        sley_end_of_stream(stream);
        return -1;
    }
    char first = __sley_nondet_char();
    __sley_assume(first != 0);
    (*line)[0] = first;
    sley_any_text(*line + 1, LONGEST_LINE - 2);
    return (long)strlen(*line);
}

// The text that goes in front of the message may be missing.
void perror(const char *text)
{
    if (text)
        read_text(text);
}

// --- streams ----------------------------------------------------------------------------------------

void *fopen(const char *path, const char *mode)
{
    read_text(path);
    return __sley_nondet_pointer();
}

void *fdopen(int descriptor, const char *mode)
{
    return __sley_nondet_pointer();
}

void *freopen(const char *path, const char *mode, void *stream)
{
    return __sley_nondet_pointer();
}

void *tmpfile(void)
{
    return __sley_nondet_pointer();
}

void *popen(const char *command, const char *mode)
{
    read_text(command);
    return __sley_nondet_pointer();
}

static int any_result(void)
{
    return __sley_nondet_bool() ? 0 : -1;
}

int fclose(void *stream)
{
    discard_pushed(stream);
    sley_read_from(stream);
    return any_result();
}

int pclose(void *stream)
{
    return __sley_nondet_int();
}

int fseek(void *stream, long offset, int origin)
{
    if (__sley_nondet_bool())
        return -1;
    discard_pushed(stream);
    clear(stream, IS_IN_ERROR);
    return 0;
}

long ftell(void *stream)
{
    long position = __sley_nondet_long();
    __sley_assume(position >= -1);
    return position;
}

void rewind(void *stream)
{
    discard_pushed(stream);
    clear(stream, 0);
}

// The indicators that are known to be set; who writes to a stream may get it into an error at any time.
static int known_indicators(void *stream)
{
    __sley_atomic_begin();
    int indicators = sley_ended_stream == stream ? sley_indicators : -1;
    __sley_atomic_end();
    return indicators;
}

static int any_but_zero(void)
{
    int result = __sley_nondet_int();
    __sley_assume(result != 0);
    return result;
}

int feof(void *stream)
{
    int indicators = known_indicators(stream);
    if (indicators < 0)
        return __sley_unknown_int("feof");
    return indicators & IS_AT_END ? any_but_zero() : 0;
}

int ferror(void *stream)
{
    int indicators = known_indicators(stream);
    if (indicators < 0 || !(indicators & IS_IN_ERROR))
        return __sley_unknown_int("ferror");
    return any_but_zero();
}

void clearerr(void *stream)
{
    clear(stream, 0);
}

int fileno(void *stream)
{
    return __sley_nondet_int();
}

void flockfile(void *stream)
{
    __sley_give_up("a stream is locked by the program");
}

void funlockfile(void *stream)
{
    __sley_give_up("a stream is locked by the program");
}

int remove(const char *path)
{
    read_text(path);
    return any_result();
}

int rename(const char *from, const char *to)
{
    read_text(from);
    read_text(to);
    return any_result();
}

// --- files ------------------------------------------------------------------------------------------

static int any_descriptor(void)
{
    int descriptor = __sley_nondet_int();
    __sley_assume(descriptor >= -1);
    return descriptor < 0 ? sley_fails() : descriptor;
}

int open(const char *path, int flags, ...)
{
    read_text(path);
    return any_descriptor();
}

int creat(const char *path, unsigned int mode)
{
    read_text(path);
    return any_descriptor();
}

int close(int descriptor)
{
    return any_result();
}

int unlink(const char *path)
{
    read_text(path);
    return any_result();
}

int access(const char *path, int mode)
{
    read_text(path);
    return any_result();
}

int mkdir(const char *path, unsigned int mode)
{
    read_text(path);
    return any_result();
}

int fsync(int descriptor)
{
    return any_result();
}

int isatty(int descriptor)
{
    return __sley_nondet_bool();
}

// The new offset, or -1.
long lseek(int descriptor, long offset, int origin)
{
    long position = __sley_nondet_long();
    __sley_assume(position >= -1);
    return position;
}
