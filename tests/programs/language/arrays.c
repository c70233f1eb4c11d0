// sley: reach=true race=true deadlock=true memory=true overflow=true
// Arrays: two dimensions, partial and designated initialisers, decay, pointers between elements.
#include <assert.h>

int grid[2][3] = {{1, 2, 3}, {4}};
int sparse[] = {[3] = 7, [1] = 5, 6};

static int sum(const int *numbers, int count)
{
    int total = 0;
    while (count-- > 0)
        total += *numbers++;
    return total;
}

int main(void)
{
    assert(grid[1][0] == 4 && grid[1][2] == 0);
    grid[1][1] = 9;
    assert(sum(grid[0], 3) == 6 && sum(grid[1], 3) == 13);
    assert(sizeof sparse / sizeof sparse[0] == 4 && sparse[2] == 6 && sparse[0] == 0);
    int *last = &sparse[3], *first = sparse;
    assert(last - first == 3 && *(last - 2) == 5 && first[3] == 7);
    assert(first < last && &grid[1][0] == *(grid + 1));
    int local[4] = {1};
    assert(sum(local, 4) == 1 && 2[local] == 0);
    return 0;
}
