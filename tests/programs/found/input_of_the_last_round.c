// sley: reach=false race=true deadlock=true memory=true overflow=true
// What holds for the input of one round need not hold for that of the next one.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned x;

int main(void)
{
    for (;;) {
        __VERIFIER_atomic_begin();
        unsigned n = __VERIFIER_nondet_uchar() & 3;
        assert(x * n == 0);
        x = n == 0;
        __VERIFIER_atomic_end();
    }
}
