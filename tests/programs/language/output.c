// sley: reach=true race=true deadlock=true memory=true overflow=true
// The arguments of printf are evaluated, the output is ignored.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number = 1;
    printf("%d %s\n", number++, "text");
    puts("line");
    fprintf(stderr, "%d\n", ++number);
    assert(number == 3);
    return 0;
}
