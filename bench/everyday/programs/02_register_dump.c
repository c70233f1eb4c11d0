// sley: reach=true race=true deadlock=true memory=true overflow=true
// Registers are printed in hexadecimal, with prefix and with leading zeroes.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct regs {
    uint32_t pc, flags;
};

static void dump(const struct regs *r, char *line, size_t size)
{
    snprintf(line, size, "pc=%08x flags=%#x", (unsigned)r->pc, (unsigned)r->flags);
}

int main(void)
{
    struct regs r = {0x1234abu, 0x20u};
    char line[40];
    dump(&r, line, sizeof line);
    assert(strcmp(line, "pc=001234ab flags=0x20") == 0);
    r.flags = 0;
    dump(&r, line, sizeof line);
    assert(strcmp(line, "pc=001234ab flags=0") == 0);
    puts(line);
    return 0;
}
