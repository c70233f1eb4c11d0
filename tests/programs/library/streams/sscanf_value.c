// sley: unmodelled=true
// What sscanf finds is not computed: a bug that depends on it is only possible.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number;
    sscanf("17", "%d", &number);
    assert(number == 17);
    return 0;
}
