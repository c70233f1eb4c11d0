// sley: reach=true race=true deadlock=true memory=true overflow=true
// A large local array that was never written: what one element holds is arbitrary, and stays so.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int table[100];
    unsigned i = __VERIFIER_nondet_uint() % 100;
    int seen = table[i];
    assert(table[i] == seen);
}
