// sley: reach=true race=true deadlock=true memory=true overflow=true
// A local struct per thread carries input and output.
#include <assert.h>
#include <pthread.h>

struct task {
    int from, to;
    struct {
        int sum;
        int count;
    } result;
};

void *add(void *argument)
{
    struct task *task = argument;
    for (int i = task->from; i <= task->to; i++) {
        task->result.sum += i;
        task->result.count++;
    }
    return task;
}

int main(void)
{
    pthread_t threads[2];
    struct task tasks[2] = {{.from = 1, .to = 2}, {.from = 3, .to = 4}};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, add, &tasks[i]);
    int total = 0;
    for (int i = 0; i < 2; i++) {
        void *done;
        pthread_join(threads[i], &done);
        total += ((struct task *)done)->result.sum;
    }
    assert(total == 10 && tasks[0].result.count == 2);
    return 0;
}
