// sley: reach=true race=true deadlock=true memory=true overflow=true
// Arrays of constant length whose elements have a variable length, in blocks, parameters and behind pointers.
#include <assert.h>
#include <pthread.h>

static int corner(int n, int rows[][n + 1]) { return rows[1][n]; }
static int old_style(n, rows) int n; int rows[2][n]; { return rows[1][0]; }

static void *fill(void *argument)
{
    int n = *(int *)argument;
    int rows[2][n];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < n; j++)
            rows[i][j] = 10 * i + j;
    assert(sizeof rows == 2 * n * sizeof(int) && sizeof rows[0] == n * sizeof(int));
    assert(corner(n - 1, rows) == 12 && old_style(n, rows) == 10);
    int (*second)[n] = rows + 1;
    assert((*second)[2] == 12 && second - rows == 1);
    return 0;
}

int main(void)
{
    int n = 3;
    pthread_t thread;
    pthread_create(&thread, 0, fill, &n);
    int cube[2][n][2];
    cube[1][2][1] = 7;
    pthread_join(thread, 0);
    assert(*(&cube[0][0][0] + 11) == 7);
    return 0;
}
