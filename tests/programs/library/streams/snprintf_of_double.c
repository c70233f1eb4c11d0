// sley: unmodelled=true
// How a double is written has no model.
#include <stdio.h>

int main(void)
{
    char text[32];
    snprintf(text, sizeof text, "%g", 0.1);
    return 0;
}
