// sley: reach=true race=true deadlock=true memory=true overflow=false
// Overflows of constants in compound assignments, increments, conditions and arguments: the run goes on.
#include <assert.h>
#include <limits.h>

static int same(int number)
{
    return number;
}

int main(void)
{
    int at = INT_MAX;
    at++;
    assert(at == INT_MIN);
    at = INT_MIN;
    at -= 1;
    assert(at == INT_MAX);
    at = 3;
    at <<= 31;
    assert(at == INT_MIN);
    assert(same(INT_MAX + 1) == INT_MIN);
    int count = 0;
    if (INT_MAX + 1 < 0)
        count++;
    while (INT_MAX * 2 == -2 && count < 3)
        count++;
    switch (INT_MAX + 2) {
    case INT_MIN + 1:
        count++;
    }
    assert(count == 4);
    int cells[3] = {1, INT_MAX + 1, 3};
    assert(cells[1] == INT_MIN);
    return 0;
}
