#ifndef SLEY_SCHED_H
#define SLEY_SCHED_H

#include "sley_features.h"
#include <sys/types.h>

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5
#define SCHED_DEADLINE 6

struct sched_param {
    int sched_priority;
};

#define CPU_SETSIZE 1024

typedef struct {
    unsigned long __bits[CPU_SETSIZE / (8 * sizeof(unsigned long))];
} cpu_set_t;

#define __CPU_WORD(processor) ((processor) / (8 * sizeof(unsigned long)))
#define __CPU_BIT(processor) (1UL << (processor) % (8 * sizeof(unsigned long)))
#define CPU_ZERO(set) __builtin_memset((set), 0, sizeof(cpu_set_t))
#define CPU_SET(processor, set) ((void)((set)->__bits[__CPU_WORD(processor)] |= __CPU_BIT(processor)))
#define CPU_CLR(processor, set) ((void)((set)->__bits[__CPU_WORD(processor)] &= ~__CPU_BIT(processor)))
#define CPU_ISSET(processor, set) (((set)->__bits[__CPU_WORD(processor)] & __CPU_BIT(processor)) != 0)

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *processors);
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *processors);
int sched_getcpu(void);
int clone(int (*start)(void *), void *stack, int flags, void *argument, ...);
int sched_yield(void);
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);

#endif
