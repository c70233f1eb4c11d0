"""Programs in growing sizes for engine `bmc`."""

HEADER = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"


def indexer(threads: int, messages: int = 4, size: int = 128) -> str:
    """Threads insert messages into a hash table, each slot taken by compare-and-exchange.

    With 128 slots and four messages per thread, all have slots of their own up to 31 threads.
    """
    return f"""{HEADER}
_Atomic int table[{size}];
void *insert(void *argument)
{{
    int self = (int)(long)argument;
    for (int m = 1; m <= {messages}; m++) {{
        int message = m * {threads + 1} + self, hash = (message * 7) % {size}, free = 0;
        while (!atomic_compare_exchange_strong(&table[hash], &free, message)) {{
            hash = (hash + 1) % {size};
            free = 0;
        }}
    }}
    return 0;
}}
int main(void)
{{
    pthread_t thread[{threads}];
    for (long i = 0; i < {threads}; i++)
        pthread_create(&thread[i], 0, insert, (void *)i);
    for (int i = 0; i < {threads}; i++)
        pthread_join(thread[i], 0);
    assert(table[{size - 1}] >= 0);
    return 0;
}}
"""


def fibonacci(rounds: int, *, is_safe: bool) -> str:
    """Two threads add to each other's number; the largest sum is a Fibonacci number."""
    numbers = [1, 1]
    for _ in range(2 * rounds):
        numbers.append(numbers[-1] + numbers[-2])
    limit = numbers[-1] + (1 if is_safe else 0)
    return f"""{HEADER}
int i = 1, j = 1;
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void *first(void *unused)
{{
    for (int k = 0; k < {rounds}; k++) {{
        __VERIFIER_atomic_begin();
        i = i + j;
        __VERIFIER_atomic_end();
    }}
    return 0;
}}
void *second(void *unused)
{{
    for (int k = 0; k < {rounds}; k++) {{
        __VERIFIER_atomic_begin();
        j = j + i;
        __VERIFIER_atomic_end();
    }}
    return 0;
}}
int main(void)
{{
    pthread_t one, other;
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    __VERIFIER_atomic_begin();
    assert(i < {limit} && j < {limit});
    __VERIFIER_atomic_end();
    return 0;
}}
"""


def locked(threads: int, rounds: int) -> str:
    """Threads count under one lock."""
    return f"""{HEADER}
int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused)
{{
    for (int i = 0; i < {rounds}; i++) {{
        pthread_mutex_lock(&lock);
        count = count + 1;
        pthread_mutex_unlock(&lock);
    }}
    return 0;
}}
int main(void)
{{
    pthread_t thread[{threads}];
    for (int i = 0; i < {threads}; i++)
        pthread_create(&thread[i], 0, worker, 0);
    for (int i = 0; i < {threads}; i++)
        pthread_join(thread[i], 0);
    assert(count == {threads * rounds});
    return 0;
}}
"""
