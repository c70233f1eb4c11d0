// sley: reach=true race=true deadlock=true memory=false overflow=true
// A mapping that fails is looked for as a null pointer, and used.
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>

struct shared {
    unsigned generation;
    char name[28];
};

static struct shared *map_shared(void)
{
    void *p = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == NULL) {
        perror("mmap");
        return NULL;
    }
    return p;
}

int main(void)
{
    struct shared *shared = map_shared();
    if (!shared)
        return 1;
    shared->generation++;
    snprintf(shared->name, sizeof shared->name, "generation %u", shared->generation);
    munmap(shared, sizeof *shared);
    return 0;
}
