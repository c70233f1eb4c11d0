// sley: memory=false
// The list of addresses is used after it was given back.
#include <netdb.h>

int main(void)
{
    struct addrinfo *all;
    if (getaddrinfo("host", "80", 0, &all))
        return 1;
    freeaddrinfo(all);
    return all->ai_family;
}
