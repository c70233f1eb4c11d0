// What is told about files: anything that a file can be, and may be another a moment later.
#include "sley.h"

sley_size strlen(const char *text);

// A text is read; of one from outside, it does not matter how long it is.
static void read_text(const char *text)
{
    if (!__sley_is_text(text))
        strlen(text);
}

enum { KIND = 0170000, OTHER_BITS = 07777 };

// As in Linux, from the beginning (`struct stat`).
struct status {
    unsigned long device, number;
#if __SIZEOF_LONG__ == 8
    unsigned long links;
    unsigned int mode, user, group, unused;
#else
    unsigned int mode;
    unsigned long links;
    unsigned int user, group;
#endif
    unsigned long special_device;
    long size, block_size, blocks;
    long times[6];
};

static _Bool is_kind(unsigned int kind)
{
    return kind == 0010000 || kind == 0020000 || kind == 0040000 || kind == 0060000 || kind == 0100000
           || kind == 0120000 || kind == 0140000;
}

static int tell(struct status *target, _Bool follows_links)
{
    if (__sley_nondet_bool())
        return sley_fails();
    unsigned int mode = __sley_nondet_uint(), kind = mode & KIND;
    __sley_assume(is_kind(kind) && (mode & ~(KIND | OTHER_BITS)) == 0);
    __sley_assume(!follows_links || kind != 0120000);
    long size = __sley_nondet_long(), blocks = __sley_nondet_long(), block_size = __sley_nondet_long();
    __sley_assume(size >= 0 && blocks >= 0 && 512 <= block_size && block_size <= 1 << 30);
    target->device = __sley_nondet_ulong();
    target->number = __sley_nondet_ulong();
    target->links = __sley_nondet_ulong();
    target->mode = mode;
    target->user = __sley_nondet_uint();
    target->group = __sley_nondet_uint();
    target->special_device = __sley_nondet_ulong();
    target->size = size;
    target->block_size = block_size;
    target->blocks = blocks;
    for (int at = 0; at < 6; at++) {
        long time = __sley_nondet_long();
        __sley_assume(at % 2 == 0 || (0 <= time && time < 1000000000));
        target->times[at] = time;
    }
    sley_touches_errno();
    return 0;
}

int stat(const char *path, struct status *target)
{
    read_text(path);
    return tell(target, 1);
}

int lstat(const char *path, struct status *target)
{
    read_text(path);
    return tell(target, 0);
}

int fstat(int descriptor, struct status *target)
{
    return sley_is_bad(descriptor) ? sley_fails_with(SLEY_EBADF) : tell(target, 1);
}

// The mask is that of the last call.
unsigned int umask(unsigned int mask)
{
    enum { NOT_ASKED = 0, BITS = 0777 };
    static _Atomic unsigned int sley_mask;    // one more
    unsigned int first = __sley_nondet_uint() & BITS;
    unsigned int former = __atomic_exchange_n(&sley_mask, (mask & BITS) + 1, 5);
    return former == NOT_ASKED ? first : former - 1;
}
