// sley: reach=true race=true deadlock=true memory=true overflow=true
// Writing a character returns it as an unsigned one, or EOF; results of printing that nobody looks at do not matter.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int first = putchar('a');
    assert(first == EOF || first == 'a');
    int second = fputc(-1, stdout);
    assert(second == EOF || second == 255);
    printf("%d\n", first);
    return 0;
}
