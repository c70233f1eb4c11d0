// expect: bug
// A writer fills the page that is not shown, then shows it; a reader that is slow sees half of the next picture.
#include <assert.h>
#include <pthread.h>

int page[4], shown;

void *writer(void *unused)
{
    for (int i = 1; i <= N; i++) {
        int hidden = 1 - shown;
        page[2 * hidden] = i;
        page[2 * hidden + 1] = i;
        shown = hidden;
    }
    return 0;
}

void *reader(void *unused)
{
    int last = 0;
    for (int i = 0; i < N; i++) {
        int now = shown, one = page[2 * now], two = page[2 * now + 1];
        assert(one == two || last < N - 2);
        last = one;
    }
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&other, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
