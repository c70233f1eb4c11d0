// sley: reach=false race=true deadlock=true memory=true overflow=true
// A setting is written with a decimal comma, where atof stops.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    const char *name, *value;
};

static const struct setting settings[] = {
    {"gain", "2.5"},
    {"offset", "-0.25"},
    {"scale", "1,5"},
};

static double lookup(const char *name)
{
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(settings[i].name, name) == 0)
            return atof(settings[i].value);
    return 0;
}

int main(void)
{
    assert(lookup("gain") == 2.5);
    assert(lookup("offset") == -0.25);
    double scale = lookup("scale");
    printf("scale %.1f\n", scale);
    assert(scale > 1.25);
    return 0;
}
