// sley: reach=true race=true deadlock=true memory=true overflow=true
// Results of writing: fwrite writes all or sets the error indicator; puts is not negative or EOF.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int said = puts("text");
    assert(said >= 0 || (said == EOF && ferror(stdout)));
    clearerr(stdout);
    size_t count = fwrite("abc", 1, 3, stdout);
    assert(count == 3 || ferror(stdout));
    assert(fwrite("abc", 0, 3, stdout) == 0);
    clearerr(stdout);
    int printed = printf("abc\n");
    assert(printed == 4 || (printed < 0 && ferror(stdout)));
    return 0;
}
