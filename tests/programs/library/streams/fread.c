// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What lies behind the elements that were asked for is not touched.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int numbers[3] = {0, 0, 9};
    size_t count = fread(numbers, sizeof(int), 2, stdin);
    assert(count <= 2 && numbers[2] == 9);
    if (count == 0)
        assert(numbers[1] == 0);
    return fwrite(numbers, sizeof(int), count, stdout) > count;
}
