// Descriptors and files: every call may fail, and what a file holds is arbitrary.
#include "sley.h"

int *__errno_location(void);

sley_size strlen(const char *text);
void *malloc(sley_size size);

// A text is read; of one from outside, it does not matter how long it is.
static void read_text(const char *text)
{
    if (!__sley_is_text(text))
        strlen(text);
}

void sley_close_end_of_pipe(int descriptor);
_Bool sley_is_end_of_pipe(int descriptor);

static int any_result(void)
{
    if (__sley_nondet_bool())
        return sley_fails();
    sley_touches_errno();
    return 0;
}

static int any_descriptor(void)
{
    if (__sley_nondet_bool())
        return sley_fails();
    int descriptor = sley_opens();
    sley_touches_errno();
    return descriptor;
}

// --- descriptors ------------------------------------------------------------------------------------

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

int openat(int folder, const char *path, int flags, ...)
{
    read_text(path);
    return any_descriptor();
}

// The descriptor is closed even if it fails (Linux close).
int close(int descriptor)
{
    if (__sley_mentions("pipe|pipe2"))
        sley_close_end_of_pipe(descriptor);
    int state = sley_closes(descriptor);
    if (sley_may_be_bad(descriptor, state))
        return sley_fails_with(SLEY_EBADF);
    return any_result();
}

static int of_descriptor(int descriptor)
{
    if (sley_is_bad(descriptor))
        return sley_fails_with(SLEY_EBADF);
    int result = any_result();
    if (result && __sley_uses_errno())
        __sley_assume(*__errno_location() != SLEY_EBADF);
    return result;
}

int fsync(int descriptor)
{
    return of_descriptor(descriptor);
}

int fdatasync(int descriptor)
{
    return of_descriptor(descriptor);
}

int ftruncate(int descriptor, long size)
{
    return of_descriptor(descriptor);
}

int fchmod(int descriptor, unsigned int mode)
{
    return of_descriptor(descriptor);
}

// Other owners of an end of a pipe are not kept.
static void require_no_end_of_pipe(int descriptor)
{
    if (__sley_mentions("pipe|pipe2") && sley_is_end_of_pipe(descriptor))
        __sley_give_up("an end of a pipe gets another descriptor");
}

int dup(int descriptor)
{
    require_no_end_of_pipe(descriptor);
    return sley_is_bad(descriptor) ? sley_fails_with(SLEY_EBADF) : any_descriptor();
}

int dup2(int descriptor, int target)
{
    require_no_end_of_pipe(descriptor);
    require_no_end_of_pipe(target);
    if (sley_is_bad(descriptor))
        return sley_fails_with(SLEY_EBADF);
    if (descriptor == target)
        return target;
    if (__sley_nondet_bool())
        return sley_fails();
    if (sley_opens_at(target))
        return sley_fails_with(SLEY_EBADF);
    sley_touches_errno();
    return target;
}

// --- reading and writing ----------------------------------------------------------------------------

// How many bytes go through a descriptor: any number up to that asked for; -1 if it fails.
long sley_transfers(int descriptor, sley_size most)
{
    if (sley_is_bad(descriptor))
        return sley_fails_with(SLEY_EBADF);
    long count = __sley_nondet_long();
    __sley_assume(count == -1 || (sley_size)count <= most);
    if (count == -1)
        return sley_fails();
    sley_touches_errno();
    return count;
}

enum { FROM_START, FROM_HERE, FROM_END };

// The new offset, or -1. A file may have any size; where one is, is not kept.
long lseek(int descriptor, long offset, int origin)
{
    if (sley_is_bad(descriptor))
        return sley_fails_with(SLEY_EBADF);
    if (origin < FROM_START || (origin == FROM_START && offset < 0))
        return sley_fails_with(SLEY_EINVAL);
    if (__sley_nondet_bool())
        return sley_fails();
    sley_touches_errno();
    if (origin == FROM_START)
        return offset;
    long position = origin == FROM_END ? __sley_nondet_long() : __sley_unknown_long("lseek");
    __sley_assume(position >= 0 && position >= offset);
    return position;
}

// --- terminals --------------------------------------------------------------------------------------
// What a descriptor is does not change. Queries of several that are no standard ones may say anything, and a bug
// that rests on it is a possible one only.

enum { STANDARD = 3, NOT_ASKED = 0, IS_TERMINAL = 1, IS_NONE = 2 };

static _Atomic int sley_terminals[STANDARD + 1];
static _Atomic int sley_asked_terminal;

static _Bool is_terminal(int descriptor)
{
    _Bool is_standard = descriptor < STANDARD;
    int place = is_standard ? descriptor : STANDARD;
    _Bool is_one = __sley_nondet_bool();
    __sley_atomic_begin();
    int known = sley_terminals[place];
    if (known == NOT_ASKED) {
        sley_terminals[place] = is_one ? IS_TERMINAL : IS_NONE;
        if (!is_standard)
            sley_asked_terminal = descriptor;
    } else if (is_standard || sley_asked_terminal == descriptor) {
        is_one = known == IS_TERMINAL;
    } else {
        __sley_assume(__sley_unknown_bool("isatty"));
    }
    __sley_atomic_end();
    return is_one;
}

int isatty(int descriptor)
{
    if (sley_is_bad(descriptor)) {
        sley_fails_with(SLEY_EBADF);
        return 0;
    }
    if (is_terminal(descriptor))
        return 1;
    sley_fails_with(SLEY_ENOTTY);
    return 0;
}

// --- paths ------------------------------------------------------------------------------------------

static int of_path(const char *path)
{
    read_text(path);
    return any_result();
}

int unlink(const char *path)
{
    return of_path(path);
}

int rmdir(const char *path)
{
    return of_path(path);
}

int chdir(const char *path)
{
    return of_path(path);
}

int access(const char *path, int mode)
{
    return of_path(path);
}

int mkdir(const char *path, unsigned int mode)
{
    return of_path(path);
}

int chmod(const char *path, unsigned int mode)
{
    return of_path(path);
}

int truncate(const char *path, long size)
{
    return of_path(path);
}

static int of_two_paths(const char *from, const char *to)
{
    read_text(from);
    return of_path(to);
}

int link(const char *from, const char *to)
{
    return of_two_paths(from, to);
}

int symlink(const char *from, const char *to)
{
    return of_two_paths(from, to);
}

int mkfifo(const char *path, unsigned int mode)
{
    return of_path(path);
}

int mknod(const char *path, unsigned int mode, unsigned long device)
{
    return of_path(path);
}

int chroot(const char *path)
{
    return of_path(path);
}

int chown(const char *path, unsigned int user, unsigned int group)
{
    return of_path(path);
}

int lchown(const char *path, unsigned int user, unsigned int group)
{
    return of_path(path);
}

int fchown(int descriptor, unsigned int user, unsigned int group)
{
    return of_descriptor(descriptor);
}

int fchdir(int descriptor)
{
    return of_descriptor(descriptor);
}

int flock(int descriptor, int operation)
{
    return of_descriptor(descriptor);
}

int unlinkat(int folder, const char *path, int flags)
{
    return of_path(path);
}

int mkdirat(int folder, const char *path, unsigned int mode)
{
    return of_path(path);
}

// Null means now.
static int of_times(const char *path, const volatile long *times, int count)
{
    for (int at = 0; times && at < count; at++)
        times[at];
    return of_path(path);
}

int utime(const char *path, const long *times)
{
    return of_times(path, times, 2);
}

int utimes(const char *path, const long *times)
{
    return of_times(path, times, 4);
}

// --- what is asked of a descriptor --------------------------------------------------------------------

enum { GET_FLAGS = 1, SET_FLAGS = 2, GET_STATUS = 3, SET_STATUS = 4 };

int fcntl(int descriptor, int command, ...)
{
    if (command < GET_FLAGS || command > SET_STATUS)
        __sley_give_up("`fcntl` with another command than those for flags");
    if (command == SET_STATUS)
        require_no_end_of_pipe(descriptor);
    if (sley_is_bad(descriptor))
        return sley_fails_with(SLEY_EBADF);
    if (command == SET_FLAGS || command == SET_STATUS)
        return any_result();
    int flags = __sley_nondet_int();
    __sley_assume(flags >= 0 && (command == GET_STATUS || flags <= 1));
    return flags;
}

// --- names that are made or told ----------------------------------------------------------------------

// The last six characters are X, and others afterwards.
int mkstemp(char *name)
{
    enum { FREE = 6 };
    sley_size length = strlen(name);
    _Bool is_free = length >= FREE;
    for (sley_size at = 0; is_free && at < FREE; at++)
        is_free = name[length - FREE + at] == 'X';
    if (!is_free)
        return sley_fails_with(SLEY_EINVAL);
    for (sley_size at = length - FREE; at < length; at++) {
        char letter = __sley_nondet_char();
        __sley_assume(('0' <= letter && letter <= '9') || ('A' <= letter && letter <= 'Z') || ('a' <= letter && letter <= 'z'));
        name[at] = letter;
    }
    return any_descriptor();
}

enum { LONGEST_PATH = 4096 };

static char any_character(void)
{
    char one = __sley_nondet_char();
    __sley_assume(one != 0);
    return one;
}

// So much of the path as there is room for, without an end.
long readlink(const char *path, char *target, sley_size size)
{
    read_text(path);
    if (size == 0 || (long)size < 0)
        return sley_fails_with(SLEY_EINVAL);
    if (__sley_nondet_bool())
        return sley_fails();
    sley_size length = __sley_nondet_ulong();
    __sley_assume(0 < length && length <= size && length < LONGEST_PATH);
    for (sley_size at = 0; at < length; at++)
        target[at] = any_character();
    sley_touches_errno();
    return (long)length;
}

// An absolute path of so many characters, and its end.
static char *put_path(char *target, sley_size length)
{
    for (sley_size at = 0; at < length; at++)
        target[at] = at == 0 ? '/' : any_character();
    target[length] = 0;
    sley_touches_errno();
    return target;
}

static sley_size length_of_path(void)
{
    sley_size length = __sley_nondet_ulong();
    __sley_assume(0 < length && length < LONGEST_PATH);
    return length;
}

static char *no_path(int error)
{
    sley_sets_errno(error);
    return 0;
}

// The program was started below a folder that it can see: else Linux tells another text.
char *getcwd(char *target, sley_size size)
{
    __sley_rely_on("the current folder is not outside of what the program can see");
    if (target && size == 0)
        return no_path(SLEY_EINVAL);
    if (__sley_nondet_bool())
        return no_path(sley_any_error());
    sley_size length = length_of_path();
    if (size && length >= size)
        return no_path(SLEY_ERANGE);
    if (!target && size == 0)
        __sley_give_up("a block for a path, of which the size is not known");
    if (!target)
        target = malloc(size);
    return target ? put_path(target, length) : 0;
}
