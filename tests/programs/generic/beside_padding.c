// sley: reach=true race=true deadlock=true memory=true overflow=true
// Records with padding in an array of bytes: what is beside it is moved, set and looked at.
#include <assert.h>
#include <string.h>
struct s { char a; int b; char c; };
static char buf[3 * sizeof(struct s)];
static size_t n(size_t k) { volatile size_t s = k; return s; }
int main(void) {
    struct s s = {1, 2, 3}, t = {4, 5, 6};
    memset(buf, 0, sizeof buf);
    memcpy(buf, &s, n(sizeof s)); memcpy(buf + sizeof s, &t, n(sizeof t));
    memset(&s, 0, n(sizeof s)); assert(!s.a && !s.b && !s.c);
    memcpy(&s, buf + sizeof s, n(sizeof s)); memcpy(&t, buf, n(sizeof t));
    assert(s.a == 4 && s.b == 5 && s.c == 6 && t.a == 1 && t.b == 2 && t.c == 3);
    assert(buf[0] == 1 && buf[4] == 2 && buf[5] == 0 && buf[8] == 3 && buf[24] == 0);
    return 0; }
