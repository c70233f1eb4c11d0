// sley: reach=true race=true deadlock=true memory=true overflow=true
// Neither threads nor assertions, and nearly all of main is behind a call that ends the program.
#include <stdlib.h>

static int table[4];

static int ready(void) { return 0; }

static void usage(void) { exit(2); }

static void fill(int value) {
    for (int i = 0; i < 4; i++)
        table[i] = value;
}

int main(void) {
    if (!ready())
        usage();
    fill(1);
    fill(2);
    fill(3);
    return table[4 * ready()];
}
