// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Ten rows of twelve.
#include <assert.h>

static int sum(int rows, int columns)
{
    int table[rows][columns], total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            table[i][j] = 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            total += table[i][j];
    return total;
}

int main(void)
{
    assert(sum(10, 12) == 120);
    return 0;
}
