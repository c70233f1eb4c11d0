// sley: reach=true race=true deadlock=true memory=true overflow=true
// A pointer is moved by half of its size, and back.
#include <assert.h>
#include <string.h>
static size_t n(size_t k) { volatile size_t s = k; return s; }
int main(void) {
    int x = 5; struct { int *p; int rest[2]; } s = {&x, {1, 2}};
    memmove((char *)&s + 4, &s, n(8));
    memmove(&s, (char *)&s + 4, n(8));
    assert(*s.p == 5);
    return 0; }
