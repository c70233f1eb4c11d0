// sley: unmodelled=true
// What an instruction of a machine puts into a variable is not known.
#include <assert.h>

int main(void)
{
    unsigned low = 0;
    __asm__ volatile("rdtsc" : "=a"(low) : : "edx");
    assert(low != 7);
    return 0;
}
