// Descriptors and files: every call may fail, and what a file holds is arbitrary.
#include "sley.h"

sley_size strlen(const char *text);

// Somebody looks at a text; of one from outside, it does not matter how long it is.
static void read_text(const char *text)
{
    if (!__sley_is_text(text))
        strlen(text);
}

static int any_result(void)
{
    return __sley_nondet_bool() ? 0 : -1;
}

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
