// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// The value of a variable of the environment may be longer than the array that it is copied to.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char user[8];
    const char *given = getenv("USER");
    if (!given)
        return 1;
    strcpy(user, given);
    return user[0] == 'r';
}
