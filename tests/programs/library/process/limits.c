// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What is in force is not above what is allowed.
#include <assert.h>

struct rlimit {
    unsigned long now, most;
};

int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);

int main(void)
{
    struct rlimit limit;
    if (getrlimit(7, &limit) == -1)
        return 1;
    assert(limit.now <= limit.most);
    limit.now = limit.most;
    return setrlimit(7, &limit) != 0;
}
