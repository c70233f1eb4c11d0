// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Streams that are open are different ones, and so are their descriptors; those of the standard ones are known (POSIX stdin).
#include <assert.h>
#include <stdio.h>

int main(void)
{
    assert(stdin && stdout && stderr && stdin != stdout && stdout != stderr);
    assert(fileno(stdin) == 0 && fileno(stdout) == 1 && fileno(stderr) == 2);
    FILE *one = fopen("one", "r"), *other = fopen("other", "r");
    if (!one || !other)
        return 1;
    assert(one != other && one != stdin && other != stdout);
    int descriptor = fileno(one);
    assert(descriptor >= 0 && descriptor == fileno(one));
    assert(descriptor != fileno(other) && descriptor != fileno(stderr));
    fclose(one);
    fclose(other);
    return 0;
}
