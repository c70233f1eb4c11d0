// sley: unmodelled=true
// What a variable holds that is declared and nowhere defined is not known, also when it is read through a pointer.
#include <assert.h>

extern int foreign;

static int read(int *p) { return *p; }

int main(void)
{
    int own = 1;
    assert(read(&own) == 1);
    assert(read(&foreign) == 1);
    return 0;
}
