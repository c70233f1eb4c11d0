// Streams and files: what is read is arbitrary, what is written is only looked at.
//
// The functions with formats are lowered by the front end, which calls the first ones here.
#include "sley.h"

int *__errno_location(void);
sley_size strlen(const char *text);

// --- text from formats ------------------------------------------------------------------------------
// Each puts something at a position and returns the next one; what does not fit is only counted.

static sley_size put(char *target, sley_size size, sley_size at, char character)
{
    if (at < size)
        target[at] = character;
    return at + 1;
}

static sley_size pad(char *target, sley_size size, sley_size at, sley_size length, sley_size width, char filling)
{
    for (; length < width; length++)
        at = put(target, size, at, filling);
    return at;
}

sley_size sley_put_character(char *target, sley_size size, sley_size at, char character)
{
    return put(target, size, at, character);
}

sley_size sley_put_text(char *target, sley_size size, sley_size at, const char *text, sley_size most, sley_size width,
                        _Bool is_left)
{
    sley_size length = 0;
    while (length < most && text[length])
        length++;
    if (!is_left)
        at = pad(target, size, at, length, width, ' ');
    for (sley_size i = 0; i < length; i++)
        at = put(target, size, at, text[i]);
    return is_left ? pad(target, size, at, length, width, ' ') : at;
}

sley_size sley_put_number(char *target, sley_size size, sley_size at, unsigned long long magnitude, _Bool is_negative,
                          unsigned int base, char ten, sley_size width, _Bool is_left, _Bool has_zeros)
{
    char digits[24];
    sley_size count = 0;
    do {
        char digit = (char)(magnitude % base);
        digits[count++] = digit < 10 ? (char)('0' + digit) : (char)(ten + digit - 10);
        magnitude /= base;
    } while (magnitude);
    sley_size length = count + is_negative;
    if (!is_left && !has_zeros)
        at = pad(target, size, at, length, width, ' ');
    if (is_negative)
        at = put(target, size, at, '-');
    if (!is_left && has_zeros)
        at = pad(target, size, at, length, width, '0');
    while (count > 0)
        at = put(target, size, at, digits[--count]);
    return is_left ? pad(target, size, at, length, width, ' ') : at;
}

int sley_end_text(char *target, sley_size size, sley_size at)
{
    if (size)
        target[at < size ? at : size - 1] = 0;
    return (int)at;
}

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

static int any_character(void)
{
    int character = __sley_nondet_int();
    __sley_assume(-1 <= character && character <= 255);
    return character;
}

int getchar(void)
{
    return any_character();
}

int getc(void *stream)
{
    return any_character();
}

int fgetc(void *stream)
{
    return any_character();
}

int ungetc(int character, void *stream)
{
    return __sley_nondet_bool() ? (unsigned char)character : -1;
}

// At the end of the stream nothing is written.
char *fgets(char *target, int size, void *stream)
{
    if (size <= 0)
        __sley_give_up("fgets with a size that is not positive");
    if (__sley_nondet_bool())
        return 0;
    sley_any_text(target, size - 1);
    return target;
}

// --- streams ----------------------------------------------------------------------------------------

void *fopen(const char *path, const char *mode)
{
    strlen(path);
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
    strlen(command);
    return __sley_nondet_pointer();
}

static int any_result(void)
{
    return __sley_nondet_bool() ? 0 : -1;
}

int fclose(void *stream)
{
    return any_result();
}

int pclose(void *stream)
{
    return __sley_nondet_int();
}

int fseek(void *stream, long offset, int origin)
{
    return any_result();
}

long ftell(void *stream)
{
    long position = __sley_nondet_long();
    __sley_assume(position >= -1);
    return position;
}

void rewind(void *stream)
{
}

int feof(void *stream)
{
    return __sley_nondet_int();
}

int ferror(void *stream)
{
    return __sley_nondet_int();
}

void clearerr(void *stream)
{
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
    strlen(path);
    return any_result();
}

int rename(const char *from, const char *to)
{
    strlen(from);
    strlen(to);
    return any_result();
}

// --- files ------------------------------------------------------------------------------------------

static int any_descriptor(void)
{
    int descriptor = __sley_nondet_int();
    __sley_assume(descriptor >= -1);
    if (descriptor < 0)
        *__errno_location() = __sley_nondet_int();
    return descriptor;
}

int open(const char *path, int flags, ...)
{
    strlen(path);
    return any_descriptor();
}

int creat(const char *path, unsigned int mode)
{
    strlen(path);
    return any_descriptor();
}

int close(int descriptor)
{
    return any_result();
}

int unlink(const char *path)
{
    strlen(path);
    return any_result();
}

int access(const char *path, int mode)
{
    strlen(path);
    return any_result();
}

int mkdir(const char *path, unsigned int mode)
{
    strlen(path);
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
