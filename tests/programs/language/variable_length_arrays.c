// sley: reach=true race=true deadlock=true memory=true overflow=true
// Arrays whose length is computed: of threads, of rows handed to a function, of a block that is left again and again.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *add(void *cell)
{
    *(int *)cell += 1;
    return NULL;
}

static int sum(int rows, int columns, int table[rows][columns])
{
    int result = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            result += table[i][j];
    assert(sizeof table[0] == columns * sizeof(int));
    return result;
}

static void run(int count)
{
    pthread_t threads[count];
    int table[count][count + 1];
    assert(sizeof table == count * (count + 1) * sizeof(int));
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= count; j++)
            table[i][j] = i;
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, add, &table[i][count]);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    assert(sum(count, count + 1, table) == count + 3 * (count - 1));
}

int main(void)
{
    for (int length = 1; length <= 3; length++) {
        char text[length];
        text[length - 1] = 'x';
        assert(sizeof text == length && text[length - 1] == 'x');
    }
    run(2);
    return 0;
}
