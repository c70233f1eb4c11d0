// sley: reach=false race=true deadlock=true memory=true overflow=true
// What a destructor finds when main has returned.
#include <assert.h>

static int open_files = 1;

__attribute__((destructor)) static void check(void) { assert(open_files == 0); }

int main(void)
{
    return 0;
}
