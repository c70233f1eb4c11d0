// sley: reach=true race=true deadlock=true memory=true overflow=true
// Quicksort by recursion, on numbers that are known.
#include <assert.h>

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static void quicksort(int *values, int low, int high)
{
    if (low >= high)
        return;
    int pivot = values[high], next = low;
    for (int i = low; i < high; i++)
        if (values[i] < pivot)
            swap(&values[i], &values[next++]);
    swap(&values[next], &values[high]);
    quicksort(values, low, next - 1);
    quicksort(values, next + 1, high);
}

int main(void)
{
    int values[10] = {31, -4, 15, 92, 65, 35, 89, 79, 3, 23};
    quicksort(values, 0, 9);
    for (int i = 1; i < 10; i++)
        assert(values[i - 1] <= values[i]);
    assert(values[0] == -4 && values[9] == 92);
    return 0;
}
