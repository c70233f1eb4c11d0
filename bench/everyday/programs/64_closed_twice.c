// sley: reach=true race=true deadlock=true memory=false overflow=true
// A log is closed where writing fails, and again at the end.
#include <stdio.h>

static int write_log(FILE *log, const char *text)
{
    if (fprintf(log, "%s\n", text) < 0) {
        fclose(log);
        return -1;
    }
    return 0;
}

int main(void)
{
    FILE *log = fopen("/tmp/tool.log", "w");
    if (!log)
        return 1;
    int failed = write_log(log, "start") != 0;
    if (fclose(log) != 0)
        failed = 1;
    return failed;
}
