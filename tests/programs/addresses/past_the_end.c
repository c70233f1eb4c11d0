// sley: reach=false race=true deadlock=true memory=true overflow=true
// The address after the last element may be that of another object.
#include <assert.h>

int row[2], other;

int main(void)
{
    int *end = row;
    for (int i = 0; i < 2; i++)
        end++;
    assert(end != &other);
    return 0;
}
