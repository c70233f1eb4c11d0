// sley: reach=true memory=true
// Every address that a name stands for is looked at, and all are given back.
#include <assert.h>
#include <netdb.h>

int main(void)
{
    struct addrinfo *all;
    if (getaddrinfo("host", "80", 0, &all))
        return 1;
    for (struct addrinfo *one = all; one; one = one->ai_next)
        assert(one->ai_addr->sa_family == one->ai_family);
    freeaddrinfo(all);
    return 0;
}
