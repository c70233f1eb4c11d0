// sley: reach=true race=true deadlock=true memory=true overflow=true
// `packed` and `aligned` move members; accesses are where the compiler puts them.
#include <assert.h>
#include <stddef.h>

struct __attribute__((packed)) tight { char c; int i; short s; };
struct loose { char c; int i __attribute__((aligned(16))); _Alignas(8) char d; };
union { struct tight t; unsigned char bytes[7]; } view;
int aligned __attribute__((aligned(64)));

int main(void)
{
    assert(sizeof(struct tight) == 7 && offsetof(struct tight, i) == 1 && offsetof(struct tight, s) == 5);
    assert(sizeof(struct loose) == 32 && offsetof(struct loose, i) == 16 && offsetof(struct loose, d) == 24);
    view.t.i = 0x01020304;
    view.t.s = -2;
    assert(view.bytes[1] == 4 && view.bytes[4] == 1 && view.bytes[5] == 0xfe && view.bytes[6] == 0xff);
    view.bytes[2] = 0;
    assert(view.t.i == 0x01020004);
    struct loose l = { .i = 3 };
    assert(l.i == 3 && l.c == 0 && _Alignof(struct loose) == 16);
    return 0;
}
