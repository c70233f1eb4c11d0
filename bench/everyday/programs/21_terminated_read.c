// sley: reach=true race=true deadlock=true memory=false overflow=true
// What is read fills the whole buffer, and its end is written behind it.
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char text[32];
    ssize_t n = read(STDIN_FILENO, text, sizeof text);
    if (n < 0) {
        perror("read");
        return 1;
    }
    text[n] = '\0';
    printf("got: %s\n", text);
    return 0;
}
