// sley: reach=true race=true deadlock=true memory=false overflow=true
// The joined string does not fit.
#include <string.h>

int main(void)
{
    char text[4] = "ab";
    strcat(text, "cd");
    return 0;
}
