// Memory that is mapped: blocks of whole pages, which are no blocks of malloc, and never lost.
#include "sley.h"

void *malloc(sley_size size);
void free(void *block);

enum { PAGE = 4096, READ_AND_WRITE = 3, FIXED = 0x10, ANONYMOUS = 0x20 };

struct mapping {
    void *block;
    sley_size size;
    struct mapping *next;
};

static struct mapping *sley_mappings;         // only looked at in atomic sections

static sley_size rounded(sley_size size)
{
    return (size + (PAGE - 1)) / PAGE * PAGE;
}

// Whether there will be a mapping.
int sley_maps(sley_size size, int protection, int flags, int descriptor)
{
    if (size == 0)
        return sley_fails_with(SLEY_EINVAL) + 1;
    if (!(flags & ANONYMOUS)) {
        if (sley_is_bad(descriptor))
            return sley_fails_with(SLEY_EBADF) + 1;
        __sley_give_up("a file is mapped into memory");
    }
    if (flags & FIXED || (protection & READ_AND_WRITE) != READ_AND_WRITE)
        __sley_give_up("memory is mapped that has its place, or that cannot be read and written");
    if (__sley_nondet_bool())
        return sley_fails() + 1;
    sley_touches_errno();
    return 1;
}

void sley_keep_mapping(void *block, sley_size size)
{
    struct mapping *made = malloc(sizeof(struct mapping));
    __sley_assume(made != 0);
    made->block = block;
    made->size = size;
    __sley_atomic_begin();
    made->next = sley_mappings;
    sley_mappings = made;
    __sley_atomic_end();
}

// In an atomic section: the mapping that an address is in.
static struct mapping *mapping_of(const void *address)
{
    struct mapping *one = sley_mappings;
    while (one && !__sley_is_same_object(one->block, address))
        one = one->next;
    return one;
}

void sley_require_not_mapped(const void *block)
{
    __sley_atomic_begin();
    _Bool is_mapped = block && mapping_of(block);
    __sley_atomic_end();
    __sley_check(!is_mapped, "free", "invalid-free", "free of memory that was mapped");
}

static struct mapping *take_out(const void *address)
{
    __sley_atomic_begin();
    struct mapping *found = mapping_of(address);
    if (found) {
        struct mapping **place = &sley_mappings;
        while (*place != found)
            place = &(*place)->next;
        *place = found->next;
    }
    __sley_atomic_end();
    return found;
}

int munmap(void *address, sley_size size)
{
    if (size == 0)
        return sley_fails_with(SLEY_EINVAL);
    struct mapping *found = take_out(address);
    if (!found)
        __sley_give_up("memory is unmapped that was not mapped");
    if (__sley_offset(address) || rounded(size) != found->size)
        __sley_give_up("a part of a mapping is unmapped");
    free(found->block);
    free(found);
    sley_touches_errno();
    return 0;
}
