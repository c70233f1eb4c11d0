// sley: reach=true race=true deadlock=true memory=true overflow=true
// A matrix whose width is known when it runs; sizes are taken of rows and of all.
#include <assert.h>
#include <string.h>

static int trace_of(int n)
{
    int matrix[n][n];
    memset(matrix, 0, sizeof matrix);
    assert(sizeof matrix == n * sizeof matrix[0]);
    assert(sizeof matrix[0] / sizeof(int) == (size_t)n);
    for (int i = 0; i < n; i++)
        matrix[i][i] = i + 1;
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += matrix[i][j];
    return sum;
}

int main(void)
{
    for (int n = 1; n <= 4; n++)
        assert(trace_of(n) == n * (n + 1) / 2);
    return 0;
}
