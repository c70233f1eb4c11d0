// sley: reach=true race=true deadlock=true memory=true overflow=true
// Destructors run when main returns and when the process exits, backwards, behind the handlers of atexit.
#include <assert.h>
#include <stdlib.h>

static int step;

__attribute__((destructor(101))) static void fourth(void) { assert(step == 3); step = 4; }
__attribute__((destructor)) static void third(void) { assert(step == 2); step = 3; }
__attribute__((destructor)) static void second(void) { assert(step == 1); step = 2; }
static void first(void) { assert(step == 0); step = 1; }

int main(int argc, char **argv)
{
    atexit(first);
    if (argc == 3)
        exit(1);
    return 0;
}
