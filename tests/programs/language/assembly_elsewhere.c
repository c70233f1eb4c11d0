// sley: reach=false
// A failing assertion is found, whatever the assembly on another path does.
#include <assert.h>

int main(int argc, char **argv)
{
    if (argc > 3) {
        unsigned low = 0;
        __asm__ volatile("rdtsc" : "=a"(low) : : "edx");
        return (int)low;
    }
    assert(argc != 2);
    return 0;
}
